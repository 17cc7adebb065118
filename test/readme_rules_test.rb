# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# What the documentation says of PermissionRules, statement by statement.
class ReadmeRulesTest < Minitest::Test
  include Doubles

  Rules = Ask::Permissions::PermissionRules

  def setup
    @rules = Rules.new
  end

  # Declaring and classifying

  def test_the_first_matching_rule_wins_in_declaration_order
    @rules.ask("search", "secret").allow("search").deny("search")
    assert_equal :ask, @rules.classify("search", { "q" => "a secret" })
    assert_equal :allow, @rules.classify("search", { "q" => "weather" })
  end

  def test_classify_answers_each_decision_or_nil
    @rules.allow "read_file"
    @rules.ask "bash", "rm -rf"
    @rules.deny "delete_user"
    assert_equal :ask, @rules.classify("bash", { "command" => "sudo rm -rf /tmp" })
    assert_equal :allow, @rules.classify("read_file")
    assert_equal :deny, @rules.classify("delete_user")
    assert_nil @rules.classify("unknown")
    assert_nil @rules.classify("bash", { "command" => "ls" })
  end

  def test_three_questions_ask_for_one_decision
    @rules.allow("read_file").ask("bash", "rm -rf").deny("delete_user")
    assert_same true, @rules.allow?("read_file")
    assert_same true, @rules.ask?("bash", { "command" => "rm -rf /" })
    assert_same true, @rules.deny?("delete_user")
    assert_same false, @rules.allow?("delete_user")
    assert_same false, @rules.ask?("bash", { "command" => "ls" })
    assert_same false, @rules.deny?("unknown")
  end

  def test_declaring_returns_the_rule_set_so_that_it_chains
    assert_same @rules, @rules.allow("a")
    assert_same @rules, @rules.ask("b", "x")
    assert_same @rules, @rules.deny("c", /x/)
  end

  def test_a_block_declares_on_the_new_rule_set
    rules = Rules.new do
      allow "read_file"
      deny  "delete_user"
      ask   "bash", "rm -rf"
    end
    assert_equal(%i[allow deny ask], rules.rules.map(&:decision))
    assert_equal :deny, rules.classify("delete_user")
  end

  # Patterns

  def test_a_string_or_symbol_names_one_tool_exactly
    @rules.allow("read").deny(:drop)
    assert_equal :allow, @rules.classify("read")
    assert_equal :allow, @rules.classify(:read)
    assert_equal :deny, @rules.classify("drop")
    assert_nil @rules.classify("read_file")
    assert_nil @rules.classify("Read")
  end

  def test_a_regexp_matches_tool_names
    @rules.deny(/\Adelete_/)
    assert_equal :deny, @rules.classify("delete_user")
    assert_nil @rules.classify("undelete_user")
  end

  def test_all_matches_every_tool
    @rules.deny(:all)
    assert_equal(%i[deny deny deny], ["bash", :read, ""].map { |name| @rules.classify(name) })
  end

  def test_a_string_argument_pattern_is_part_of_the_serialized_arguments
    @rules.ask "bash", "rm -rf"
    assert_equal :ask, @rules.classify("bash", { "command" => "rm -rf /" })
    assert_nil @rules.classify("bash", { "command" => "rm -r /" })
  end

  def test_a_regexp_argument_pattern_sees_the_serialized_arguments
    @rules.allow "read_file", %r{/docs/}
    assert_equal :allow, @rules.classify("read_file", { "path" => "/srv/docs/a" })
    assert_nil @rules.classify("read_file", { "path" => "/srv/a" })
  end

  def test_hash_arguments_are_serialized_as_json
    @rules.ask "edit", '{"line":7,"text":"a\\nb"}'
    assert_equal :ask, @rules.classify("edit", { "line" => 7, text: "a\nb" })
  end

  def test_other_arguments_are_serialized_by_to_s
    @rules.ask("edit", "[1, nil]").deny("edit", '{"raw":1}').allow("edit", "12")
    assert_equal :ask, @rules.classify("edit", [1, nil])
    assert_equal :deny, @rules.classify("edit", '{"raw":1}')
    assert_equal :allow, @rules.classify("edit", 3125)
  end

  def test_without_an_argument_pattern_any_arguments_match
    @rules.allow "search"
    [nil, {}, { "q" => "x" }, "raw", 7, []].each do |arguments|
      assert_equal :allow, @rules.classify("search", arguments)
    end
  end

  # Looking into a rule set

  def test_rules_and_dangerous_rules_are_in_declaration_order
    @rules.allow("bash").deny("drop").allow(:all).allow("read")
    assert_equal(["bash", "drop", :all, "read"], @rules.rules.map(&:tool_pattern))
    assert_equal(["bash", :all], @rules.dangerous_rules.map(&:tool_pattern))
  end

  def test_an_entry_carries_six_fields
    @rules.ask("bash", /rm/)
    rule = @rules.rules.first
    assert_instance_of Rules::Rule, rule
    assert_equal %i[ask ask ask], [rule.decision, rule.declared_decision, rule.effective_decision]
    assert_equal ["bash", /rm/, false], [rule.tool_pattern, rule.argument_pattern, rule.dangerous]
  end

  def test_an_entry_answers_whether_it_is_dangerous_and_universal
    @rules.allow("bash").allow("bash", "ls").deny("read")
    assert_equal([true, false, false], @rules.rules.map(&:dangerous?))
    assert_equal([true, false, true], @rules.rules.map(&:universal?))
  end

  def test_universal_is_about_arguments_only
    @rules.allow("one").ask(/two/).deny(:all).deny(:all, "x")
    assert_equal([true, true, true, false], @rules.rules.map(&:universal?))
  end

  def test_an_entry_matches_tool_and_arguments_separately_and_together
    @rules.ask("bash", "rm")
    rule = @rules.rules.first
    assert rule.tool_matches?("bash")
    refute rule.tool_matches?("sh")
    assert rule.argument_matches?({ "command" => "rm x" })
    refute rule.argument_matches?({ "command" => "ls" })
    assert rule.matches?("bash", { "command" => "rm x" })
    refute rule.matches?("sh", { "command" => "rm x" })
    refute rule.matches?("bash", { "command" => "ls" })
  end

  def test_the_decision_stays_as_written_and_the_effective_one_is_classified
    @rules.allow("repl")
    rule = @rules.rules.first
    assert_equal %i[allow allow ask], [rule.decision, rule.declared_decision, rule.effective_decision]
    assert_equal :ask, @rules.classify("repl")
  end

  # The downgrade of a dangerous allow

  def test_an_unrestricted_allow_of_a_dangerous_tool_is_classified_as_ask
    %w[bash code repl].each do |tool|
      assert_equal :ask, Rules.new.allow(tool).classify(tool)
      assert_equal :ask, Rules.new.allow(tool.to_sym).classify(tool)
    end
  end

  def test_the_dangerous_tools_are_a_public_frozen_constant
    assert_equal %i[bash code repl], Rules::DANGEROUS_TOOLS
    assert_predicate Rules::DANGEROUS_TOOLS, :frozen?
  end

  def test_allowing_all_asks_for_every_tool
    @rules.allow(:all)
    assert_equal(%i[ask ask], %w[bash read_file].map { |name| @rules.classify(name) })
    assert_predicate @rules.rules.first, :dangerous?
  end

  def test_a_regexp_that_matches_a_dangerous_name_is_dangerous
    @rules.allow(/^ba/)
    assert_predicate @rules.rules.first, :dangerous?
    assert_equal :ask, @rules.classify("band")
    refute_predicate Rules.new.allow(/^read/).rules.first, :dangerous?
  end

  def test_a_restricted_allow_keeps_its_decision
    @rules.allow("bash", "ls -la")
    assert_equal :allow, @rules.classify("bash", { "command" => "ls -la" })
    assert_empty @rules.dangerous_rules
  end

  def test_ask_and_deny_are_never_downgraded
    assert_equal :deny, Rules.new.deny("bash").classify("bash")
    assert_equal :ask, Rules.new.ask("bash").classify("bash")
    assert_empty Rules.new.deny(:all).ask(/bash/).dangerous_rules
  end

  def test_the_guard_can_be_turned_off
    rules = Rules.new(auto_allow_dangerous: true).allow("bash").allow(:all)
    assert_equal(%i[allow allow], %w[bash anything].map { |name| rules.classify(name) })
  end

  def test_the_guard_is_on_unless_turned_off
    assert_equal :ask, Rules.new(auto_allow_dangerous: false).allow("bash").classify("bash")
  end
end
