# frozen_string_literal: true

require_relative "format"

module Vectors
  # Which tool names a pattern matches.
  class ToolPatternPlay
    def self.play(vectors)
      names = vectors.fetch("names")
      cases = vectors.fetch("cases").map do |question|
        pattern = Format.load(question.fetch("pattern"))
        matched = names.select { |name| Ask::Permissions::ToolPattern.match?(pattern, Format.load(name)) }
        question.slice("pattern").merge("matches" => matched)
      end
      { "names" => names, "cases" => cases }
    end
  end

  # What rules decide, which one decided, and the text of the arguments where the decision needs it.
  class RulesPlay
    def self.play(vectors)
      { "cases" => vectors.fetch("cases").map { |question| new(question).play } }
    end

    def initialize(question)
      @question = question.slice("about", "auto_allow_dangerous", "rules")
      @calls = question.fetch("calls")
      options = question.key?("auto_allow_dangerous") ? { auto_allow_dangerous: question["auto_allow_dangerous"] } : {}
      @rules = Ask::Permissions::PermissionRules.new(**options)
      question.fetch("rules").each { |decision, *patterns| @rules.public_send(decision, *Format.load(patterns)) }
    end

    def play = @question.merge("calls" => @calls.map { |call| decide(call) })

    private

    def decide(call)
      tool, *arguments = Format.load(call.slice("tool", "arguments").values)
      answer = Format.answer { @rules.classify(tool, *arguments) }
      evidence = answer.key?("answer") ? { "rule" => index(tool, arguments) } : {}
      call.slice("tool", "arguments").merge(text_of(arguments), answer, evidence)
    end

    def text_of(arguments)
      value = arguments.first
      text = value.is_a?(Hash) ? JSON.generate(value) : value.to_s
      comparable = text.ascii_only? || (text.encoding == Encoding::UTF_8 && text.valid_encoding?)
      comparable && text.length < 200 ? { "text" => Format.dump(text) } : {}
    rescue StandardError
      {}
    end

    # Found out the slow way where the library does not tell: the index is no part of the public API.
    def index(tool, arguments)
      return @rules.send(:deciding_index, tool, *arguments) if @rules.respond_to?(:deciding_index, true)

      @rules.rules.index { |rule| rule.matches?(tool, *arguments) }
    end
  end

  # Which rules are dangerous, and what becomes of them.
  class DangerousPlay
    def self.play(vectors)
      tools = Ask::Permissions::PermissionRules::DANGEROUS_TOOLS
      cases = vectors.fetch("cases").map do |question|
        guarded, trusted = [false, true].map { |trust| declare(question, trust) }
        question.slice("declared", "patterns").merge(
          "dangerous" => guarded.dangerous?, "effective" => Format.dump(guarded.effective_decision),
          "effective_when_allowed" => Format.dump(trusted.effective_decision)
        )
      end
      { "dangerous_tools" => Format.dump(tools), "cases" => cases }
    end

    def self.declare(question, trust)
      rules = Ask::Permissions::PermissionRules.new(auto_allow_dangerous: trust)
      rules.public_send(question.fetch("declared"), *Format.load(question.fetch("patterns"))).rules.first
    end
  end
end
