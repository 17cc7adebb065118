# frozen_string_literal: true

require_relative "format"

module Vectors
  # What a policy answers to one call, and what it hands to its queue.
  class PolicyPlay
    Call = Data.define(:id, :name, :arguments)
    QUESTION = %w[about rules require_approval tools tools_as call].freeze

    # Answers every classification with the decision given.
    Decided = Data.define(:decision) do
      def classify(*) = decision
    end

    # Issues the number 7.
    class Recorder
      attr_reader :submitted

      def submit(**given)
        @submitted = given
        7
      end
    end

    # Says of itself what the vector says.
    class Tool
      attr_reader :name

      def initialize(name, metadata)
        @name = name
        metadata.each { |question, answer| define_singleton_method(question) { Format.load(answer) } }
      end
    end

    def self.play(vectors)
      { "cases" => vectors.fetch("cases").map { |question| new(question).play } }
    end

    def initialize(question)
      @question = question.slice(*QUESTION)
    end

    def play
      queue = Recorder.new
      policy = Ask::Permissions::ApprovalPolicy.new(queue:, **options)
      name, arguments, id = Format.load(@question.fetch("call"))
      answer = Format.answer { policy.before_tool_call(Call.new(id, name, arguments)) }
      @question.merge(answer, queue.submitted ? { "submitted" => Format.dump(queue.submitted) } : {})
    end

    private

    def options
      options = {}
      options[:rules] = rules(@question["rules"]) if @question.key?("rules")
      options[:require_approval] = Format.load(@question["require_approval"]) if @question.key?("require_approval")
      options[:tools] = tools(@question["tools"], @question.fetch("tools_as", "hash")) if @question.key?("tools")
      options
    end

    # One decision for all calls, or the declarations of real rules.
    def rules(given)
      return Decided.new(decision: Format.load(given)) unless given.is_a?(Array)

      given.each_with_object(Ask::Permissions::PermissionRules.new) do |(decision, *patterns), rules|
        rules.public_send(decision, *Format.load(patterns))
      end
    end

    def tools(given, form)
      made = given.map { |name, metadata| Tool.new(name, metadata) }
      case form
      when "hash" then made.to_h { |tool| [tool.name, tool] }
      when "symbols" then made.to_h { |tool| [tool.name.to_sym, tool] }
      when "array" then made
      when "callable" then ->(name) { made.find { |tool| tool.name == name } }
      when "names" then made.map(&:name)
      end
    end
  end
end
