# frozen_string_literal: true

require "delegate"
require_relative "rendering"

module Differential
  # Objects that honest programs never pass, and that a drop-in must treat as the reference does.
  module Odd
    # An error no library raises on its own.
    class Failure < StandardError; end

    # Answers to_s with the text given, and remembers that it was asked.
    class Witness
      include Labelled

      attr_reader :asked

      def initialize(text)
        @text = text
        @asked = false
      end

      def to_s
        @asked = true
        @text.to_s
      end

      def to_json(*)
        @asked = true
        @text.to_s.dump
      end

      def differential_label = @text.to_s
    end

    # Its text, its JSON and its comparison each fail in the way given.
    class Raising
      include Labelled

      def initialize(error, message)
        @error = error
        @message = message
      end

      def to_s = raise(@error, @message)
      def to_json(*) = raise(@error, @message)
      def differential_label = @message
    end

    # Answers to_s with something that is not a String.
    class NotText
      include Labelled

      def initialize(value)
        @value = value
      end

      def to_s = @value
      def differential_label = @value.inspect
    end

    # Says that it equals everything; as a key only its like.
    class Agreeable
      include Labelled

      def initialize(text)
        @text = text
      end

      def ==(_other) = true
      def eql?(other) = Agreeable === other # rubocop:disable Style/CaseEquality -- other may lack methods
      def hash = Agreeable.hash
      def to_s = @text.dup
      def differential_label = @text
    end

    # Cannot be compared or hashed.
    class Unhashable
      include Labelled

      def ==(_other) = raise(Failure, "no ==")
      def eql?(_other) = raise(Failure, "no eql?")
      def hash = raise(Failure, "no hash")
      def to_s = "bash"
      def differential_label = "bash"
    end

    # Converts implicitly to whatever is given.
    class Implicit
      include Labelled

      def initialize(value)
        @value = value
      end

      def to_str = @value
      def to_ary = @value.is_a?(Array) ? @value : nil
      def to_hash = { "command" => @value }
      def to_s = @value.to_s
      def differential_label = @value.to_s
    end

    # Runs a block once, while its text is being taken.
    class Reentrant
      include Labelled

      def initialize(text, &block)
        @text = text
        @block = block
      end

      def to_s
        block = @block
        @block = nil
        block&.call
        @text.dup
      end

      def differential_label = @text
    end

    # A String that is more than its bytes.
    class LoudString < String
      def to_s = "#{self[0..]}!"
      def to_json(*) = "\"loud\""
      def ==(other) = other == "loud"
      def include?(_other) = true
    end

    # A String subclass without behaviour of its own.
    class PlainString < String; end

    # A Hash that writes itself.
    class WritingHash < Hash
      def to_json(*) = "{\"written\":\"rm -rf\"}"
      def to_s = "hash text"
    end

    # A Regexp that answers for itself.
    class StubbornRegexp < Regexp
      def match?(text) = text.to_s.length.even?
    end

    Point = Struct.new(:command, :path)
    Pair = Data.define(:command, :path)
  end
end
