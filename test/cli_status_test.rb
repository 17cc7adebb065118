# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/cli_runner"

class CLIStatusTest < Minitest::Test
  include CLIRunner

  RULES = "allow 'a'\nask 'b'\ndeny 'c'\n"
  CALLS = [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }, { name: "a" }].freeze

  def status(names, *options)
    check(RULES, names.map { |name| { name: } }, *options).status
  end

  def test_no_decision_fails_by_itself
    assert_equal 0, status(%w[a b c d])
  end

  def test_fail_on_a_decision_that_occurred
    { "allow" => "a", "ask" => "b", "deny" => "c", "none" => "d" }.each do |decision, name|
      assert_equal 1, status([name], "--fail-on", decision)
      assert_equal 0, status(%w[a b c d] - [name], "--fail-on", decision)
    end
  end

  def test_fail_on_any_of_several
    assert_equal 1, status(%w[a d], "--fail-on", "deny,none")
    assert_equal 0, status(%w[a b], "--fail-on", "deny,none")
    assert_equal 0, status([], "--fail-on", "allow,ask,deny,none")
  end

  def test_fail_on_counts_what_the_library_decides_and_what_is_not_printed
    result = check("allow 'bash'", [{ name: "bash" }], "--fail-on", "ask", "--only", "deny")

    assert_equal 1, result.status
    assert_empty result.call_lines
    assert_equal 0, check("allow 'bash'", [{ name: "bash" }], "--fail-on", "allow").status
  end

  def test_a_fault_weighs_more_than_a_decision
    assert_equal 2, check(RULES, "#{jsonl({ name: "c" })}x\n", "--fail-on", "deny").status
  end

  def test_only_prints_the_calls_named_and_counts_all
    result = check(RULES, CALLS, "--only", "ask,none")

    assert_equal(%w[ask none], result.call_lines.map { |line| line[/\w+/] })
    assert_includes result.lines, "5 calls: 2 allow, 1 ask, 1 deny, 1 none"
  end

  def test_only_in_json
    objects = check(RULES, CALLS, "--only", "deny", "--format", "json").objects

    assert_equal([["call", 3], ["summary", nil]], objects.map { |object| object.values_at("type", "line") })
    assert_equal 5, objects.last["calls"]
  end

  def test_every_call_is_decided_as_the_library_decides
    rules = Ask::Permissions::PermissionRules.new
    rules.allow("a").ask("b").deny("c")
    decided = check(RULES, CALLS, "--format", "json").objects[...-1].map { |call| call["decision"] }

    assert_equal(CALLS.map { |call| (rules.classify(call[:name]) || :none).to_s }, decided)
  end
end
