# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/cli_runner"

class CLITextTest < Minitest::Test
  include CLIRunner

  RULES = "allow 'read'\ndeny 'bash', /rm -rf/\n"

  def text(calls, *options, rules: RULES, columns: nil)
    check(rules, calls, *options, env: columns ? { "COLUMNS" => columns.to_s } : {})
  end

  def test_decision_tool_arguments_and_rule_in_columns
    result = text([{ name: "read", arguments: { path: "x" } }, { name: "bash", arguments: "rm -rf /" }, { name: "x" }],
                  columns: 80)

    assert_equal <<~TEXT, result.out
      allow  read          {"path":"x"}               rules.rb:1 allow "read"
      deny   bash          rm -rf /                   rules.rb:2 deny "bash", /rm -rf/
      none   x                                        no rule

      3 calls: 1 allow, 0 ask, 1 deny, 1 none
      decided  rule
            1  rules.rb:1 allow "read"
            1  rules.rb:2 deny "bash", /rm -rf/
    TEXT
  end

  def test_rules_that_never_decided_are_in_the_summary_and_large_counts_fit
    result = text([{ name: "x" }] * 1234, "--only", "deny", rules: "allow 'x'\nask 'y'")

    assert_equal ["1234 calls: 1234 allow, 0 ask, 0 deny, 0 none", "decided  rule",
                  '   1234  rules.rb:1 allow "x"', '  never  rules.rb:2 ask "y"'], result.lines.drop(1)
    assert_includes text([{ name: "x" }]).out, "\n1 call: "
  end

  def test_no_line_is_wider_than_columns
    rules = "allow 'r#{"e" * 200}d'\nallow 'read', /#{"x|" * 100}/\n"
    calls = [{ name: "read", arguments: "x" * 5000 }, { name: "n" * 500, arguments: { a: "b" * 500 } }]
    [1, 40, 41, 57, 80, 133, 300].each do |columns|
      result = text(calls, rules:, columns:)

      assert_equal [columns, 40].max, result.call_lines.map(&:length).max
      assert_operator (result.lines - [result.lines[3]]).map(&:length).max, :<=, [columns, 40].max
    end
  end

  def test_columns_that_are_no_number_are_not_taken
    default = text([{ name: "read", arguments: "x" * 500 }]).lines.first.length

    assert_equal 120, text([{ name: "y", arguments: "x" * 500 }], rules: "allow 'y', '#{"x" * 100}'").lines.first.length
    ["", "0", "-5", "x", "80x", "1e9"].each do |columns|
      assert_equal default, text([{ name: "read", arguments: "x" * 500 }], columns:).lines.first.length
    end
  end

  def test_a_cut_is_marked
    line = text([{ name: "read", arguments: "x" * 500 }], columns: 80).lines.first

    assert_match(/ x+(?:…|\.\.\.)  rules/, line)
  end

  def test_the_line_of_a_rule_in_a_long_path_is_never_cut_off
    name = "#{"long" * 20}/rules.rb"
    FileUtils.mkdir_p(File.join(@directory, File.dirname(name)))
    write(name, "\n\nallow 'read'\n")
    result = run_cli("check", name, stdin: jsonl({ name: "read" }), env: { "COLUMNS" => "60" })

    assert_includes result.lines.first, "rules.rb:3 allow"
  end

  def test_names_that_could_pass_for_something_else_are_quoted
    names = text([{ name: "" }, { name: "a b" }, { name: " " }, { name: "a\"b" }]).call_lines

    assert_equal(['""', '"a b"', '" "', 'a"b'], names.map { |line| line[7..].sub(/ +no rule\z/, "") })
  end

  def test_names_and_arguments_are_harmless
    result = text([{ name: "a\e[2J\u202eb", arguments: "c\nd\r\t\u0007\u200b\u2028e" },
                   { name: "read", arguments: { "k\u0000" => "\u009b\u007f" } }], columns: 200)

    assert_includes result.lines[0], ' a\u{1b}[2J\u{202e}b '
    assert_includes result.lines[0], ' c\nd\r\t\u{7}\u{200b}\u{2028}e '
    assert_includes result.lines[1], ' {"k\u0000":"\u{9b}\u{7f}"} '
  end

  def test_rules_are_harmless
    result = text([{ name: "x" }], rules: "deny(/\#{\"\\n\\eM\"}/)\nallow 'x', /\u202e/\n", columns: 200)

    refute_match(/[\p{C}&&[^\n]]/, result.out)
    assert_equal 6, result.lines.size
  end

  def test_color_only_when_asked_for_without_a_terminal
    refute_includes text([{ name: "read" }]).out, "\e"
    colored = text([{ name: "read" }, { name: "x" }], "--color")

    assert_equal(["\e[32mallow\e[0m", "\e[36mnone \e[0m"], colored.call_lines.map { |line| line[/\A\S+ ?\e\[0m/] })
    assert_equal text([{ name: "read" }, { name: "x" }]).out, colored.out.gsub(/\e\[\d+m/, "")
  end
end
