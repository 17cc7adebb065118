# frozen_string_literal: true

require_relative "odd_objects"

module Differential
  # Tool calls as programs make them, and as they should not.
  module Calls
    # What ask-agent passes.
    Call = Data.define(:id, :name, :arguments)

    # Remembers which of its methods were used.
    class Watched
      include Labelled

      attr_reader :used

      def initialize(id, name, arguments)
        @id = id
        @name = name
        @arguments = arguments
        @used = []
      end

      def id = use(:id, @id)
      def name = use(:name, @name)
      def arguments = use(:arguments, @arguments)
      def differential_label = [@id, @name].map { |value| Rendering.render(value) }.join(" ")

      private

      def use(method, value)
        @used |= [method]
        value
      end
    end

    # Lacks some methods, and fails in others.
    class Broken
      include Labelled

      def initialize(name, fault)
        define_singleton_method(:name) { name } unless fault == :name
        define_singleton_method(:id) { fault == :failing_id ? raise(Odd::Failure, "id") : 1 } unless fault == :id
        return if fault == :arguments

        define_singleton_method(:arguments) { fault == :failing_arguments ? raise(Odd::Failure, "arguments") : {} }
      end

      def differential_label = ""
    end

    FAULTS = %i[id name arguments failing_id failing_arguments none].freeze

    module_function

    def draw(draw, name: nil)
      name ||= draw.chance?(85) ? draw.text(draw.common_name) : draw.tool_name
      case draw.weighted(call: 55, watched: 33, broken: 8, other: 4)
      when :call then Call.new(draw.call_id, name, draw.arguments)
      when :watched then Watched.new(draw.call_id, name, draw.arguments)
      when :broken then Broken.new(name, draw.pick(FAULTS))
      else draw.pick([nil, "bash", {}, :bash, Object])
      end
    end
  end
end
