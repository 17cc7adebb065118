# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"

# Ways out of what a rule set calls, while rules are declared and while they decide.
class ExitsRulesTest < Minitest::Test
  include Child::Assertions

  SETUP = <<~'RUBY'
    Rules = Ask::Permissions::PermissionRules

    def check_rules(rules)
      count = rules.rules.size
      check("decides", :deny, rules.classify("bash", { "command" => "rm x" }))
      check("decides again", nil, rules.classify("bash", { "command" => "ls" }))
      check("takes new rules", count + 1, rules.allow("ls").rules.size)
      check("and uses them", :allow, rules.classify("ls"))
    end
  RUBY

  def test_block
    assert_exits <<~'RUBY'
      Exits.play("block of a rule set") do |exits|
        kept = nil
        exits.call do |leave|
          Rules.new do
            deny "bash", "rm"
            kept = self
            leave.call
          end
        end
        check("rules declared before are kept", 1, kept.rules.size)
        check_rules(kept)
      end
    RUBY
  end

  def test_names_and_arguments
    assert_exits <<~'RUBY'
      Exits.play("to_s and to_json of what is classified") do |exits|
        rules = Rules.new { deny "bash", "rm" }
        exits.call { |leave| rules.classify(running(:to_s, leave, "bash")) }
        exits.call { |leave| rules.classify("bash", running(:to_s, leave, "rm")) }
        exits.call { |leave| rules.classify("bash", { "command" => running(:to_json, leave, "1") }) }
        exits.call { |leave| rules.classify("bash", { running(:to_s, leave, "key") => 1 }) }
        exits.call { |leave| rules.allow?("bash", [running(:inspect, leave, "rm")]) }
        exits.call { |leave| rules.ask?("bash", running(:to_s, leave, "rm")) }
        exits.call { |leave| rules.deny?("bash", running(:to_s, leave, "rm")) }
        check("rules are untouched", 1, rules.rules.size)
        check_rules(rules)
      end
    RUBY
  end

  def test_patterns
    assert_exits <<~'RUBY'
      class Pattern
        attr_accessor :leave

        def initialize(text)
          @text = text
        end

        def to_s
          leave&.call
          @text
        end
      end

      Exits.play("to_s of patterns") do |exits|
        patterns = { tool: Pattern.new("tool"), argument: Pattern.new("argument") }
        use = lambda do
          rules = Rules.new { deny "bash", "rm" }
          rules.ask(patterns[:tool]).ask("bash", patterns[:argument])
          [rules, rules.classify("tool"), rules.classify("bash", "argument")]
        end
        check("they match by to_s", %i[ask ask], use.call.drop(1))
        patterns.each_value do |pattern|
          exits.call { |leave| pattern.leave = leave; use.call }
          pattern.leave = nil
        end
        check("and afterwards as before", %i[ask ask], use.call.drop(1))
        check_rules(use.call.first)
      end
    RUBY
  end

  def test_a_rule_and_a_pattern_on_their_own
    assert_exits <<~'RUBY'
      Exits.play("Rule and ToolPattern") do |exits|
        rule = Rules.new { deny "bash", "rm" }.rules.first
        exits.call { |leave| rule.matches?("bash", running(:to_s, leave, "rm")) }
        exits.call { |leave| rule.tool_matches?(running(:to_s, leave, "bash")) }
        exits.call { |leave| Ask::Permissions::ToolPattern.match?("bash", running(:to_s, leave, "bash")) }
        exits.call { |leave| Ask::Permissions::ToolPattern.match?(running(:to_s, leave, "bash"), "bash") }
        check("match as before", true, rule.matches?("bash", "rm"))
      end
    RUBY
  end

  private

  def assert_exits(code)
    assert_checks(SETUP + code, options: ["-r", "exits"])
  end
end
