# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# A rule as a value of its own, without a rule set.
class RuleTest < Minitest::Test
  include Doubles

  Rule = Ask::Permissions::PermissionRules::Rule
  FIELDS = {
    decision: :ask, declared_decision: :ask, effective_decision: :ask,
    tool_pattern: "bash", argument_pattern: "rm", dangerous: false
  }.freeze

  def rule(**changes)
    Rule.new(**FIELDS, **changes)
  end

  # A value

  def test_it_is_a_data_of_six_members
    assert_operator Rule, :<, Data
    assert_equal FIELDS.keys, Rule.members
    assert_equal FIELDS, rule.to_h
  end

  def test_it_is_frozen
    assert_predicate rule, :frozen?
    refute_respond_to rule, :decision=
  end

  def test_it_takes_positions_or_keywords
    assert_equal rule, Rule.new(*FIELDS.values)
    assert_equal rule, Rule[**FIELDS]
  end

  def test_missing_and_unknown_members_are_reported_by_data
    missing = assert_raises(ArgumentError) { Rule.new(**FIELDS.except(:dangerous)) }
    assert_equal "missing keyword: :dangerous", missing.message
    unknown = assert_raises(ArgumentError) { rule(unheard_of: 1) }
    assert_equal "unknown keyword: :unheard_of", unknown.message
  end

  def test_it_compares_hashes_and_copies_as_data
    assert_equal rule, rule
    assert_equal rule.hash, rule.hash
    assert_operator rule, :eql?, rule
    refute_equal rule, rule(decision: :deny)
    assert_equal :deny, rule.with(decision: :deny).decision
  end

  def test_it_matches_patterns
    case rule
    in { decision:, tool_pattern: String => tool }
      assert_equal [:ask, "bash"], [decision, tool]
    end
  end

  def test_it_prints_as_data
    assert_equal "#<data Ask::Permissions::PermissionRules::Rule decision=:ask, declared_decision=:ask, " \
                 'effective_decision=:ask, tool_pattern="bash", argument_pattern="rm", dangerous=false>',
                 rule.inspect
  end

  def test_it_keeps_what_it_is_given
    pattern = +"bash"
    assert_same pattern, rule(tool_pattern: pattern).tool_pattern
    assert_equal :whatever, rule(effective_decision: :whatever).effective_decision
  end

  # Predicates

  def test_dangerous_is_the_member_itself
    assert_same true, rule(dangerous: true).dangerous?
    assert_same false, rule.dangerous?
    assert_equal "yes", rule(dangerous: "yes").dangerous?
  end

  def test_universal_means_no_argument_pattern
    assert_same true, rule(argument_pattern: nil).universal?
    ["", false, //, "x"].each { |pattern| assert_same false, rule(argument_pattern: pattern).universal? }
  end

  def test_serializing_is_private
    refute_respond_to rule, :serialize
  end

  # Matchers

  def test_tool_matching_knows_names_regexps_and_the_wildcard
    assert_same true, rule.tool_matches?("bash")
    assert_same true, rule.tool_matches?(:bash)
    assert_same false, rule.tool_matches?("bash2")
    assert_same true, rule(tool_pattern: :bash).tool_matches?("bash")
    assert_same true, rule(tool_pattern: /^ba/).tool_matches?(:bash)
    assert_same true, rule(tool_pattern: :all).tool_matches?(nil)
    assert_same false, rule(tool_pattern: "all").tool_matches?("bash")
    assert_same true, rule(tool_pattern: nil).tool_matches?("")
  end

  def test_argument_matching_without_a_pattern_is_always_true
    assert_same true, rule(argument_pattern: nil).argument_matches?({ "n" => Float::NAN })
  end

  def test_argument_matching_looks_into_the_text
    assert_same true, rule.argument_matches?("arm")
    assert_same false, rule.argument_matches?("leg")
    assert_same true, rule(argument_pattern: /"a":1/).argument_matches?({ "a" => 1 })
    assert_same false, rule(argument_pattern: /"a":1/).argument_matches?('"a": 1')
    assert_same true, rule(argument_pattern: :sym).argument_matches?([:sym])
    assert_same true, rule(argument_pattern: false).argument_matches?(false)
    assert_same true, rule(argument_pattern: "").argument_matches?(nil)
  end

  def test_argument_matching_raises_what_serializing_raises
    assert_raises(JSON::GeneratorError) { rule.argument_matches?({ "n" => Float::NAN }) }
    assert_same_fault(-> { "\xFF".b.include?("\u00e9") }) do
      rule(argument_pattern: "\u00e9").argument_matches?("\xFF".b)
    end
  end

  def test_matching_takes_the_tool_first_and_the_arguments_only_then
    assert_same true, rule.matches?("bash", "rm")
    assert_same false, rule.matches?("bash", "ls")
    assert_same false, rule.matches?("sh", "rm")
    assert_same false, rule.matches?("sh", { "n" => Float::NAN })
  end

  def test_matching_without_arguments_matches_empty_text
    assert_same false, rule.matches?("bash")
    assert_same true, rule(argument_pattern: nil).matches?("bash")
    assert_same true, rule(argument_pattern: /\A\z/).matches?("bash")
  end

  def test_argument_errors_are_rubys_own
    assert_equal "wrong number of arguments (given 0, expected 1)",
                 assert_raises(ArgumentError) { rule.tool_matches? }.message
    assert_equal "wrong number of arguments (given 0, expected 1)",
                 assert_raises(ArgumentError) { rule.argument_matches? }.message
    assert_equal "wrong number of arguments (given 3, expected 1..2)",
                 assert_raises(ArgumentError) { rule.matches?(1, 2, 3) }.message
  end

  def test_a_subclass_of_rule_may_add_methods
    noted = Class.new(Rule) { def note = "#{decision} #{tool_pattern}" }
    assert_equal "ask bash", noted.new(**FIELDS).note
  end
end
