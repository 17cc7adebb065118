# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/cli_runner"

class CLIJSONTest < Minitest::Test
  include CLIRunner

  RULES = <<~RUBY
    allow "read"
    deny "bash", /rm/
    allow "bash"
  RUBY

  def json(calls, *options, rules: RULES, env: {})
    check(rules, calls, "--format", "json", *options, env:)
  end

  def rule(index, line, declaration, declared, effective = declared)
    { "index" => index, "file" => "rules.rb", "line" => line, "declaration" => declaration,
      "declared_decision" => declared, "effective_decision" => effective }
  end

  def test_a_call_is_an_object_with_the_rule_that_decided
    calls = json([{ id: "1", name: "read", arguments: { path: "x" } }, { id: 2, name: "bash", arguments: "ls" },
                  { name: "other", session: "s" }]).objects

    assert_equal [
      { "type" => "call", "line" => 1, "id" => "1", "name" => "read", "arguments" => { "path" => "x" },
        "decision" => "allow", "rule" => rule(0, 1, 'allow "read"', "allow") },
      { "type" => "call", "line" => 2, "id" => 2, "name" => "bash", "arguments" => "ls",
        "decision" => "ask", "rule" => rule(2, 3, 'allow "bash"', "allow", "ask") },
      { "type" => "call", "line" => 3, "id" => nil, "name" => "other", "arguments" => nil,
        "decision" => "none", "rule" => nil }
    ], calls[...-1]
  end

  def test_the_summary_is_the_last_object
    summary = json([{ name: "read" }, { name: "read" }, { name: "bash", arguments: "ls" }, { name: "x" }]).objects.last

    assert_equal(
      { "type" => "summary", "calls" => 4, "decisions" => { "allow" => 2, "ask" => 1, "deny" => 0, "none" => 1 },
        "rules" => [rule(0, 1, 'allow "read"', "allow").merge("decided" => 2),
                    rule(1, 2, 'deny "bash", /rm/', "deny").merge("decided" => 0),
                    rule(2, 3, 'allow "bash"', "allow", "ask").merge("decided" => 1)] },
      summary
    )
  end

  def test_there_is_no_summary_of_a_part
    result = json("#{jsonl({ name: "read" })}[]\n")

    assert_equal 2, result.status
    assert_equal(["call"], result.objects.map { |object| object["type"] })
  end

  def test_arguments_are_whole
    long = { "text" => "x" * 10_000, "list" => [1, 2.5, nil, true, { "é" => "日本" }] }

    assert_equal long, json([{ name: "read", arguments: long }], env: { "COLUMNS" => "40" }).objects.first["arguments"]
  end

  def test_what_a_terminal_should_not_see_is_escaped_without_changing_the_value
    hostile = "a\u202eb\u200b\u009b\u007f\u{e0041}\u{1f600}\u2028 \e[31m\u00a0\ufeff"
    result = json([{ id: hostile, name: hostile, arguments: { hostile => hostile } },
                   { name: "x", arguments: hostile }])
    first, second = result.objects

    assert_equal [hostile, hostile, { hostile => hostile }, hostile],
                 [*first.values_at("id", "name", "arguments"), second["arguments"]]
    refute_match(/[\p{C}\p{Z}&&[^ \n]]/, result.out)
    assert_equal 3, result.lines.size
  end

  def test_patterns_in_other_encodings
    declaration = json([], rules: "# encoding: iso-8859-1\ndeny 'bash', /\xE9/\nallow '\xE9'".b).objects.last["rules"]

    assert_equal(['deny "bash", /\xE9/', 'allow "\xE9"'], declaration.map { |found| found["declaration"] })
  end

  def test_color_is_never_in_json
    refute_includes json([{ name: "read" }], "--color").out, "\e"
  end
end
