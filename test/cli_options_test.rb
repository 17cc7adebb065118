# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/cli_runner"

class CLIOptionsTest < Minitest::Test
  include CLIRunner

  USAGE = "usage: ask-permissions check [options] RULES [CALLS]\nTry ask-permissions --help."

  def assert_usage_fault(reason, *argv)
    result = run_cli(*argv)

    assert_fault "#{reason}\n#{USAGE}", result
    assert_empty result.out
  end

  def test_help_names_every_option_and_the_exit_statuses
    result = run_cli("--help")

    assert_equal [0, ""], [result.status, result.err]
    %w[check RULES CALLS --format --only --fail-on --auto-allow-dangerous --[no-]color --help --version].each do |word|
      assert_includes result.out, word
    end
    assert_match(/Exit status: 0 .* 1 .*\n?2 /, result.out)
    assert_operator result.lines.map(&:length).max, :<=, 110
    assert_equal result.out, run_cli("check", "-h").out
  end

  def test_version
    %w[--version -v].each do |option|
      result = run_cli(option)

      assert_equal [0, "ask-permissions #{Ask::Permissions::VERSION}\n"], [result.status, result.out]
    end
  end

  def test_a_missing_command_or_file_of_rules
    assert_usage_fault "no command given"
    assert_usage_fault "RULES is missing", "check"
    assert_usage_fault "unknown command: chekc", "chekc", "rules.rb"
    assert_usage_fault "unexpected argument: c", "check", "a", "b", "c"
  end

  def test_unknown_and_faulty_options
    assert_usage_fault "invalid option: --nope", "check", "rules.rb", "--nope"
    assert_usage_fault "invalid option: -x", "check", "rules.rb", "-x"
    assert_usage_fault "invalid argument: --format xml", "check", "rules.rb", "--format", "xml"
    assert_usage_fault "missing argument: --only", "check", "rules.rb", "--only"
    assert_usage_fault "missing argument: --only", "check", "rules.rb", "--only", ""
    assert_usage_fault "missing argument: --fail-on=", "check", "rules.rb", "--fail-on="
    assert_usage_fault "invalid option: --*-completion-bash=a", "check", "--*-completion-bash=a"
  end

  def test_a_list_of_decisions_knows_no_others
    %w[--only --fail-on].each do |option|
      assert_usage_fault "invalid argument: #{option} ask,denied (the decisions are allow, ask, deny, none)",
                         "check", "rules.rb", option, "ask,denied"
    end
  end

  def test_a_misspelled_option_gets_the_parsers_hint
    result = run_cli("check", "rules.rb", "--fromat", "json")

    assert_equal 2, result.status
    assert_equal "ask-permissions: invalid option: --fromat", result.err.lines(chomp: true).first
    assert result.err.end_with?("#{USAGE}\n")
  end

  def test_arguments_that_are_no_characters_are_reported_safely
    assert_usage_fault "unknown command: \\xFF\\u{1b}[31m", "\xFF\e[31m"
    assert_usage_fault "invalid option: --\\xFF=1", "check", "rules.rb", "--\xFF=1"
  end

  def test_options_stand_anywhere_and_end_at_two_dashes
    write("--only", "allow 'a'")
    write("calls", jsonl({ name: "a" }))
    result = run_cli("check", "--format=json", "--", "--only", "calls")

    assert_equal [0, ""], [result.status, result.err]
    assert_equal "--only", result.objects.first["rule"]["file"]
  end

  def test_options_do_not_change_the_arguments_given
    argv = ["check", "rules.rb", "--format", "json"].each(&:freeze).freeze

    assert_equal 2, run_cli(*argv).status
    assert_equal 2, Ask::Permissions::CLI.run(argv, stdin: StringIO.new, stdout: StringIO.new, stderr: StringIO.new)
  end
end
