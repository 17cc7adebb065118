# frozen_string_literal: true

require_relative "scenario"

module Differential
  # Declares rules of all kinds and asks for decisions, rule by rule and as a set.
  class RulesScenario < Scenario
    Rules = Ask::Permissions::PermissionRules
    Pattern = Ask::Permissions::ToolPattern
    DECISIONS = %i[allow ask deny].freeze
    PREDICATES = %i[dangerous? universal?].freeze
    SETS = { auto_allow_dangerous: true }.freeze
    OPTIONS = [{}, {}, {}, SETS, SETS, { auto_allow_dangerous: false }, { auto_allow_dangerous: nil },
               { auto_allow_dangerous: "no" }].freeze
    STEP_WEIGHTS = { classify: 62, predicate: 14, rule: 9, pattern: 4, declare: 6, listing: 2, mistake: 2,
                     tampering: 1, crowd: 1 }.freeze

    # What a program that extends the rules does.
    class Extended < Rules
      attr_reader :owner

      def initialize(owner, **)
        @owner = owner
        super(**)
      end

      def deny(*)
        super
        self
      end
    end

    def play
      @declared = []
      @rules = construct
      @draw.number(@draw.dense? ? 8..30 : 0..12).times { declare }
      describe
      repair_case if @draw.chance?(2)
      @draw.number(12..30).times { step(@draw.weighted(STEP_WEIGHTS)) }
      describe
    end

    private

    def construct
      options = @draw.pick(OPTIONS)
      declarations = @draw.list(0..3) { draw_rule }
      case @draw.number(0..5)
      when 0 then in_block(options, declarations)
      when 1 then in_parameter_block(options, declarations)
      when 2 then Extended.new(:owner, **options)
      else Rules.new(**options)
      end
    end

    def in_block(options, declarations)
      scenario = self
      Rules.new(**options) { declarations.each { |rule| scenario.send(:declare, rule, self) } }
    end

    def in_parameter_block(options, declarations)
      scenario = self
      Rules.new(**options) { |rules| declarations.each { |rule| scenario.send(:declare, rule, rules) } }
    end

    def draw_rule
      decision = @draw.pick(DECISIONS)
      tool = @draw.tool_pattern
      return [decision, tool] if @draw.chance?(@draw.dense? ? 2 : 30)

      [decision, tool, @draw.argument_pattern]
    end

    def declare(rule = draw_rule, rules = @rules)
      decision, *patterns = rule
      observe(decision.name, patterns) do
        answer = rules.public_send(decision, *patterns)
        @declared << patterns
        answer.equal?(rules)
      end
    end

    def step(kind)
      case kind
      when :classify then ask("classify") { |name, arguments| @rules.classify(name, *arguments) }
      when :predicate
        question = "#{@draw.pick(DECISIONS)}?"
        ask(question) { |name, arguments| @rules.public_send(question, name, *arguments) }
      when :rule then ask_rule
      when :pattern then ask_pattern
      when :declare then declare
      when :listing then listing
      when :mistake then mistake
      when :tampering then tamper
      when :crowd then crowd if @draw.chance?(15)
      end
    end

    # The answer, and whether each counting object was asked for its text at all.
    def ask(label)
      @draw.take_witnesses
      name = @draw.chance?(1) ? reentrant : @draw.tool_name
      arguments = draw_arguments
      witnesses = @draw.take_witnesses
      observe(label, [name, *arguments]) { yield(name, arguments) }
      observe("#{label} asked", nil) { witnesses.map(&:asked) } if witnesses.any?
    end

    def draw_arguments
      return [] if @draw.chance?(8)
      return [reentrant] if @draw.chance?(1)

      [@draw.arguments]
    end

    # Taking its text declares another rule: the decision under way is made with the rules it began with.
    def reentrant
      rule = draw_rule
      rules = @rules
      Odd::Reentrant.new(@draw.plain_name) do
        rules.classify("bash", "rm -rf")
        rules.public_send(rule.first, "fetch", "rm")
      rescue StandardError
        nil
      end
    end

    def ask_rule
      index = @draw.number(0..6)
      which = @draw.pick(%i[matches? tool_matches? argument_matches?])
      ask("rule #{which}") do |name, arguments|
        rule = @rules.rules[index]
        case which
        when :matches? then rule&.matches?(name, *arguments)
        when :tool_matches? then rule&.tool_matches?(name)
        else rule&.argument_matches?(arguments.first)
        end
      end
    end

    def ask_pattern
      pattern = @draw.tool_pattern
      ask("pattern #{render(pattern)}") { |name, _| Pattern.match?(pattern, name) }
    end

    # Every rule by its members, its predicates, and by being the very objects that were declared.
    def describe
      observe("rules") { @rules.rules.map { |rule| describe_rule(rule) } }
      observe("identity") do
        @rules.rules.zip(@declared).map do |rule, (tool, argument)|
          [rule.tool_pattern.__id__ == tool.__id__, rule.argument_pattern.__id__ == argument.__id__]
        end
      end
      observe("dangerous") do
        all = @rules.rules
        @rules.dangerous_rules.map { |rule| all.index { |other| other.equal?(rule) } }
      end
    end

    def describe_rule(rule)
      [rule.decision, rule.declared_decision, rule.effective_decision, rule.tool_pattern, rule.argument_pattern,
       rule.dangerous, *PREDICATES.map { |name| rule.public_send(name) }, rule.frozen?, rule.class.name]
    end

    def listing
      observe("fresh arrays") do
        @rules.rules << :mine
        @rules.dangerous_rules.clear
        [@rules.rules.include?(:mine), @rules.rules.frozen?, @rules.rules.size, @rules.dangerous_rules.size]
      end
      observe("same objects") { @rules.rules.zip(@rules.rules).all? { |one, other| one.equal?(other) } }
      standalone_rule
    end

    # A Rule is usable without a rule set.
    def standalone_rule
      members = { decision: :deny, declared_decision: :deny, effective_decision: :deny,
                  dangerous: @draw.pick([true, nil]),
                  tool_pattern: @draw.tool_pattern, argument_pattern: @draw.argument_pattern }
      rule = Rules::Rule.new(**members)
      ask("standalone") do |name, arguments|
        [rule.matches?(name, *arguments), rule.dangerous?, rule.universal?, rule.with(decision: 1).decision]
      end
      observe("incomplete rule") { Rules::Rule.new(**members.except(@draw.pick(members.keys))) }
    end

    def mistake
      case @draw.number(0..7)
      when 0 then observe("no name") { @rules.classify }
      when 1 then observe("three") { @rules.classify("a", {}, 1) }
      when 2 then observe("no pattern") { @rules.public_send(@draw.pick(DECISIONS)) }
      when 3 then observe("three patterns") { @rules.public_send(@draw.pick(DECISIONS), "a", "b", "c") }
      when 4 then observe("unknown option") { Rules.new(surplus: 1) }
      when 5 then observe("positional") { Rules.new(true) }
      when 6 then observe("no such method") do
                    @rules.public_send(@draw.pick(%i[register allowed dangerous_tool?]), "a")
                  end
      else observe("braceless") { @rules.classify("bash", command: "rm -rf", "path" => 1) }
      end
    end

    # More tool names than anybody remembers, the earlier ones once more.
    def crowd
      word = @draw.word
      declare([:ask, /[37]\z/])
      observe("crowd", [word]) { Array.new(1300) { |number| @rules.classify("#{word} #{number % 1100}", word) }.tally }
    end

    # A failing declaration in a block leaves nothing behind and says why.
    def tamper
      error = @draw.error_class
      observe("failing block") { Rules.new { raise error, "in block" } }
      observe("private") { [@rules.respond_to?(:register), @rules.respond_to?(:register, true)] }
      observe("instance_eval") { Rules.new { allow("a").ask(:b).deny(/c/) }.rules.map(&:decision) }
    end

    def repair_case
      case @draw.number(0..2)
      when 0 then change_pattern
      when 1 then freeze_rules
      else use_uninitialized
      end
    end

    def change_pattern
      changing = +"changing"
      rules = Rules.new.deny(changing)
      changing.replace("changed")
      meant(:captured_pattern) do
        observe("changed pattern") do
          [rules.classify("changing"), rules.classify("changed")]
        end
      end
    end

    def freeze_rules
      frozen = Rules.new.freeze
      meant(:frozen_rules) { observe("frozen") { frozen.deny("bash").equal?(frozen) } }
    end

    def use_uninitialized
      question = @draw.pick(%i[rules dangerous_rules classify allow?])
      question_arguments = question.end_with?("rules") ? [] : ["bash"]
      meant(:uninitialized) { observe("uninitialized") { Rules.allocate.public_send(question, *question_arguments) } }
    end
  end
end
