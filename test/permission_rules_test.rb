# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/reference"

# Declaring rules, deciding by them and looking into them.
class PermissionRulesTest < Minitest::Test
  Rules = Ask::Permissions::PermissionRules

  def setup
    @rules = Rules.new
  end

  # Making one

  def test_a_block_without_a_parameter_runs_inside_the_rule_set
    inside = nil
    rules = Rules.new { inside = self }
    assert_same rules, inside
  end

  def test_a_block_with_a_parameter_gets_the_rule_set
    rules = Rules.new { |set| set.allow("read").deny("drop") }
    assert_equal(%w[read drop], rules.rules.map(&:tool_pattern))
  end

  def test_a_lambda_with_a_parameter_serves_as_block
    rules = Rules.new(&->(set) { set.deny("drop") })
    assert_equal :deny, rules.classify("drop")
  end

  def test_a_block_and_the_option_go_together
    rules = Rules.new(auto_allow_dangerous: true) { allow "bash" }
    assert_equal :allow, rules.classify("bash")
  end

  def test_an_error_in_the_block_comes_out
    assert_equal "no rules", assert_raises(IOError) { Rules.new { raise IOError, "no rules" } }.message
  end

  def test_the_option_is_true_for_whatever_is_truthy
    { 1 => :allow, "no" => :allow, :x => :allow, nil => :ask, false => :ask }.each do |option, decision|
      assert_equal decision, Rules.new(auto_allow_dangerous: option).allow(:all).classify("x")
    end
  end

  def test_argument_errors_are_rubys_own
    {
      -> { Rules.new(1) } => "wrong number of arguments (given 1, expected 0)",
      -> { Rules.new(unheard_of: 1) } => "unknown keyword: :unheard_of",
      -> { @rules.allow } => "wrong number of arguments (given 0, expected 1..2)",
      -> { @rules.ask("a", "b", "c") } => "wrong number of arguments (given 3, expected 1..2)",
      -> { @rules.deny } => "wrong number of arguments (given 0, expected 1..2)",
      -> { @rules.classify } => "wrong number of arguments (given 0, expected 1..2)",
      -> { @rules.classify("a", {}, 1) } => "wrong number of arguments (given 3, expected 1..2)",
      -> { @rules.allow? } => "wrong number of arguments (given 0, expected 1..2)",
      -> { @rules.rules(1) } => "wrong number of arguments (given 1, expected 0)",
      -> { @rules.dangerous_rules(1) } => "wrong number of arguments (given 1, expected 0)"
    }.each { |call, text| assert_equal text, assert_raises(ArgumentError, &call).message }
  end

  def test_nothing_but_the_documented_methods_is_public
    public_names = %i[allow ask deny rules dangerous_rules classify allow? ask? deny?]
    assert_empty public_names - Rules.public_instance_methods(false)
    %i[register dangerous_allow? dangerous_tool? deciding_index].each { |name| refute_respond_to @rules, name }
  end

  # Declaring

  def test_keyword_arguments_become_a_positional_hash_of_arguments
    @rules.ask("bash", "ls")
    assert_equal :ask, @rules.classify("bash", command: "ls")
  end

  def test_declaring_after_deciding_counts_at_once
    @rules.allow("read")
    assert_equal :allow, @rules.classify("read")
    assert_nil @rules.classify("drop")
    @rules.deny("drop").deny(/rea/)
    assert_equal :deny, @rules.classify("drop")
    assert_equal :allow, @rules.classify("read")
    assert_equal :deny, @rules.classify("ready")
  end

  def test_the_same_rule_may_be_declared_twice
    @rules.ask("a").ask("a")
    assert_equal 2, @rules.rules.size
    assert_equal :ask, @rules.classify("a")
  end

  # The lists

  def test_the_lists_are_fresh_arrays_of_the_same_rules
    @rules.allow("bash").deny("drop")
    refute_same @rules.rules, @rules.rules
    refute_same @rules.dangerous_rules, @rules.dangerous_rules
    @rules.rules.zip(@rules.rules).each { |one, other| assert_same one, other }
    assert_same @rules.rules.first, @rules.dangerous_rules.first
  end

  def test_changing_a_list_changes_no_rule
    @rules.allow("bash")
    @rules.rules.clear
    @rules.dangerous_rules << 1
    assert_equal :ask, @rules.classify("bash")
    assert_equal [1, 1], [@rules.rules.size, @rules.dangerous_rules.size]
  end

  def test_an_empty_rule_set_has_empty_lists_and_no_opinion
    assert_equal [[], []], [@rules.rules, @rules.dangerous_rules]
    assert_nil @rules.classify("bash", { "command" => "ls" })
    assert_equal([false] * 3, [@rules.allow?("a"), @rules.ask?("a"), @rules.deny?("a")])
  end

  # Tool names

  def test_a_tool_name_may_be_anything_with_to_s
    named = Object.new
    named.define_singleton_method(:to_s) { "drop" }
    @rules.deny("drop").ask("12").allow("")
    assert_equal :deny, @rules.classify(named)
    assert_equal :deny, @rules.classify(:drop)
    assert_equal :ask, @rules.classify(12)
    assert_equal :allow, @rules.classify(nil)
    assert_equal :allow, @rules.classify("")
  end

  def test_a_nil_pattern_is_the_tool_without_a_name
    @rules.deny(nil)
    assert_equal :deny, @rules.classify("")
    assert_equal :deny, @rules.classify(nil)
    assert_nil @rules.classify("nil")
  end

  def test_the_string_all_is_a_name
    @rules.deny("all")
    assert_equal :deny, @rules.classify("all")
    assert_equal :deny, @rules.classify(:all)
    assert_nil @rules.classify("bash")
    refute_predicate Rules.new.allow("all").rules.first, :dangerous?
  end

  def test_a_pattern_of_another_class_is_compared_by_its_text
    @rules.deny(12).ask(false).allow(["a"])
    assert_equal :deny, @rules.classify("12")
    assert_equal :ask, @rules.classify("false")
    assert_equal :allow, @rules.classify('["a"]')
    assert_nil @rules.classify("a")
  end

  def test_names_of_other_encodings_compare_as_strings_do
    @rules.deny("bash").ask("caf\u00e9")
    assert_equal :deny, @rules.classify("bash".b)
    assert_equal :deny, @rules.classify("bash".encode("US-ASCII"))
    assert_nil @rules.classify("bash".encode("UTF-16LE"))
    assert_equal :ask, @rules.classify("caf\u00e9")
    assert_nil @rules.classify("caf\u00e9".b)
    assert_nil @rules.classify("caf\u00e9".encode("ISO-8859-1"))
  end

  def test_a_name_with_a_null_or_an_invalid_byte_is_a_name
    @rules.deny("a\0b").ask("a\xFF")
    assert_equal :deny, @rules.classify("a\0b")
    assert_equal :ask, @rules.classify("a\xFF")
    assert_nil @rules.classify("a")
  end

  def test_a_raising_name_comes_out_only_if_there_is_a_rule
    broken = Object.new
    broken.define_singleton_method(:to_s) { raise IOError, "no name" }
    assert_nil @rules.classify(broken)
    @rules.deny("drop")
    assert_raises(IOError) { @rules.classify(broken) }
  end

  # Danger

  def test_danger_is_about_unrestricted_allow_only
    {
      ["bash"] => true, [:repl] => true, [/^co/] => true, [:all] => true, [//] => true,
      ["bash", ""] => false, ["bash", false] => false, ["BASH"] => false, ["bash "] => false,
      [/bash\s/] => false, [nil] => false, [Object.new] => false
    }.each do |patterns, dangerous|
      rule = Rules.new.allow(*patterns).rules.first
      assert_same dangerous, rule.dangerous, patterns.inspect
      assert_equal (dangerous ? :ask : :allow), rule.effective_decision, patterns.inspect
    end
  end

  def test_a_pattern_whose_text_is_a_dangerous_name_is_dangerous
    named = Object.new
    named.define_singleton_method(:to_s) { "code" }
    assert_predicate @rules.allow(named).rules.first, :dangerous?
    assert_equal :ask, @rules.classify("code")
  end

  def test_without_the_guard_a_dangerous_rule_is_still_listed_as_dangerous
    rules = Rules.new(auto_allow_dangerous: true).allow("bash")
    assert_equal [true, :allow], [rules.rules.first.dangerous, rules.rules.first.effective_decision]
    assert_equal 1, rules.dangerous_rules.size
  end

  def test_a_downgraded_rule_still_ends_the_search
    @rules.allow("bash").deny("bash")
    assert_equal :ask, @rules.classify("bash")
  end

  # The three questions

  def test_the_questions_go_through_classify
    rules = Class.new(Rules) { def classify(*) = :deny }.new
    assert_equal [false, false, true], [rules.allow?("x"), rules.ask?("x", {}), rules.deny?("x")]
  end

  def test_the_questions_pass_the_arguments_on
    @rules.allow("a", "1").ask("a", "2").deny("a", "3")
    assert_equal [true, true, true], [@rules.allow?("a", 1), @rules.ask?("a", 2), @rules.deny?("a", 3)]
    assert_equal [false, false, false], [@rules.allow?("a"), @rules.ask?("a"), @rules.deny?("a")]
  end

  # Captured patterns

  def test_changing_a_pattern_string_later_changes_no_decision
    repaired!
    tool = +"drop"
    argument = +"secret"
    @rules.deny(tool, argument)
    tool.replace("read")
    argument.replace("x")
    assert_equal :deny, @rules.classify("drop", { "q" => "secret" })
    assert_nil @rules.classify("read", { "q" => "x" })
  end

  def test_a_rule_keeps_the_very_patterns_that_were_declared
    patterns = [[+"tool", +"text"], [:sym, /x/], [/t/, :sym], [Object.new, 12]]
    patterns.each { |tool, argument| @rules.deny(tool, argument) }
    @rules.rules.zip(patterns) do |rule, (tool, argument)|
      assert_same tool, rule.tool_pattern
      assert_same argument, rule.argument_pattern
    end
  end

  def test_changing_a_pattern_string_later_changes_no_danger
    tool = +"bash"
    @rules.allow(tool)
    tool.replace("read")
    assert_equal 1, @rules.dangerous_rules.size
    assert_equal %i[allow ask], @rules.rules.first.then { [_1.decision, _1.effective_decision] }
  end
end
