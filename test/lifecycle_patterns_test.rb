# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/reference"

# A pattern String is taken as it is when the rule is declared; changing it later changes no decision.
class LifecyclePatternsTest < Minitest::Test
  PermissionRules = Ask::Permissions::PermissionRules

  def setup
    repaired!
  end

  CHANGES = {
    replaced: ->(text) { text.replace("other") },
    appended: ->(text) { text << "x" },
    cleared: ->(text) { text.clear },
    reencoded: ->(text) { text.force_encoding(Encoding::BINARY) << 0xFF },
    sliced: ->(text) { text.slice!(0) }
  }.freeze

  def test_changing_the_string_changes_no_decision
    CHANGES.each do |name, change|
      tool = +"bash"
      argument = +"rm"
      rules = PermissionRules.new do
        deny tool, argument
        allow tool, "ls"
      end
      [tool, argument].each(&change)
      facts = [["bash", "rm x"], ["bash", { "command" => "rm" }], %w[bash ls], %w[other other], %w[bash other],
               ["", ""]]
      assert_equal [:deny, :deny, :allow, nil, nil, nil], facts.map { |call| rules.classify(*call) }, name
    end
  end

  def test_changed_after_decisions_were_made
    tool = +"bash"
    argument = +"rm"
    rules = PermissionRules.new { deny tool, argument }
    assert_equal :deny, rules.classify("bash", "rm")
    argument.replace("ls")
    tool.replace("zsh")
    assert_equal [:deny, nil, nil], ([%w[bash rm], %w[bash ls], %w[zsh ls]].map { |call| rules.classify(*call) })
    rules.ask("other")
    assert_equal [:deny, nil], [rules.classify("bash", "rm"), rules.classify("zsh", "ls")]
    assert_equal [:deny, nil], [rules.dup.classify("bash", "rm"), rules.freeze.classify("zsh", "ls")]
  end

  def test_a_subclass_of_string_too
    type = Class.new(String)
    tool = type.new("bash")
    argument = type.new("rm")
    rules = PermissionRules.new { deny tool, argument }
    [tool, argument].each { |text| text.replace("other") }
    assert_equal [:deny, nil], [rules.classify("bash", "rm"), rules.classify("other", "other")]
  end

  # What the rule shows is the object that was declared.
  def test_the_rule_keeps_the_declared_object
    tool = +"bash"
    argument = +"rm"
    rule = PermissionRules.new { deny tool, argument }.rules.first
    assert_same tool, rule.tool_pattern
    assert_same argument, rule.argument_pattern
  end

  def test_the_danger_of_a_rule_is_judged_at_its_declaration
    tool = +"bash"
    rules = PermissionRules.new { allow tool }
    tool.replace("ls")
    assert_equal [:ask, nil], [rules.classify("bash"), rules.classify("ls")]
    assert_equal [true], rules.dangerous_rules.map(&:dangerous?)
  end

  def test_a_string_shared_with_others
    tool = "the bash tool".dup
    part = tool[4, 4]
    rules = PermissionRules.new { deny part }
    tool.clear
    GC.start
    assert_equal :deny, rules.classify("bash")
  end
end
