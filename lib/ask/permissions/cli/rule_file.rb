# frozen_string_literal: true

require_relative "failure"
require_relative "located_rules"
require_relative "rule_entry"

module Ask
  module Permissions
    module CLI
      # A Ruby file whose body is the rules DSL, loaded, and asked which of its rules decides a call.
      class RuleFile
        # @return [Array<RuleEntry>] in the order of declaration
        attr_reader :entries

        # @param path [String] as the user named it
        # @raise [Failure] when the file can not be read, is no Ruby, or does not come to its end
        def initialize(path, auto_allow_dangerous: false)
          @path = path
          @places = []
          @rules = LocatedRules.new(@places, auto_allow_dangerous:)
          evaluate(read)
        end

        # @return [RuleEntry, nil] the rule that decides
        def decide(name, arguments)
          index = @rules.index_of_decision(name, arguments)
          index && @entries.fetch(index)
        end

        private

        def read
          source = File.binread(@path).force_encoding(Encoding::UTF_8)
          # As for a file that is required: the place of the file itself, wherever a link to it lies.
          @real_path = File.realpath(@path)
          source
        rescue SystemCallError => e
          raise Failure.of(e, file: @path) unless source

          @real_path = File.expand_path(@path)
          source
        end

        # Anything may go wrong in a program; only a signal is no fault of the file. (Nor is `return`, which may end
        # any Ruby file early.)
        def evaluate(source)
          ended = false
          @rules.evaluate_source(source, @real_path)
          @entries = @rules.rules.each_with_index.map { |rule, index| entry(rule, index) }.freeze
          ended = true
        rescue SignalException
          ended = true
          raise
        rescue Exception => e # rubocop:disable Lint/RescueException
          ended = true
          reason, *details = reason(e)
          raise Failure.new(reason, file: @path, line: line_of(e), details:)
        ensure
          # A thread that ends itself, or a throw to who runs the program, raises nothing.
          raise Failure.new("the file does not come to its end", file: @path) unless ended
        end

        def entry(rule, index)
          place = @places.fetch(index)
          file = place.path == @real_path ? @path : place.path
          RuleEntry.of(rule, index, file:, line: place.lineno)
        end

        def line_of(error)
          frame = error.backtrace_locations&.find { |location| location.path == @real_path }
          frame ? frame.lineno : SafeText.utf8(error.message)[own_place, 1]
        end

        # How a SyntaxError of this file begins.
        def own_place
          /\A#{Regexp.escape(SafeText.utf8(@real_path))}:(\d+): /
        end

        def reason(error)
          case error
          when SystemExit then "the file ends the program (exit)"
          when SyntaxError then SafeText.utf8(error.message).sub(own_place, "").split("\n")
          else "#{error.message} (#{error.class})"
          end
        end
      end
    end
  end
end
