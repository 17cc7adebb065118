# frozen_string_literal: true

require_relative "test_helper"
require "tempfile"
require_relative "support/cli_process"
require_relative "support/cli_runner"

class CLIProcessTest < Minitest::Test
  include CLIRunner

  CALL = %({"name":"a"}\n)

  def setup
    super
    @rules = write("rules.rb", "allow 'a'\n")
  end

  def start(*arguments)
    command = CLIProcess.command("check", @rules, *arguments)
    Open3.popen3(CLIProcess.environment, *command) do |input, output, errors, child|
      yield input, output, child
      input.close unless input.closed?
      rest = output.closed? ? "" : output.read
      [rest, errors.read, child.value.exitstatus]
    end
  end

  def test_help_version_and_usage
    assert_equal ["ask-permissions #{Ask::Permissions::VERSION}\n", "", 0], outcome("--version")
    assert_equal 0, outcome("--help").last
    out, err, status = outcome("check")

    assert_equal ["", 2], [out, status]
    assert_match(/^usage: /, err)
  end

  def test_calls_come_from_standard_input_or_a_file
    file = write("calls.jsonl", CALL)
    piped = outcome("check", @rules, stdin: CALL)

    assert_equal 0, piped.last
    assert_equal piped, outcome("check", @rules, file)
    assert_equal piped, outcome("check", @rules, "-", stdin: CALL)
    assert_equal piped, outcome("check", @rules, "/dev/stdin", stdin: CALL)
  end

  def test_a_decision_appears_before_the_next_call_is_given
    %w[text json].each do |format|
      _, errors, status = start("--format", format) do |input, output|
        3.times do
          input.write(CALL)
          input.flush

          assert_includes output.gets, "allow"
        end
      end

      assert_equal ["", 0], [errors, status]
    end
  end

  def test_rules_may_come_through_a_pipe
    assert_equal 0, outcome("check", "/dev/stdin", File::NULL, stdin: "allow 'a'").last
  end

  def test_a_reader_that_goes_away_ends_the_program_quietly
    write("calls.jsonl", CALL * 20_000)
    file = File.join(@directory, "calls.jsonl")
    taken = start(file) { |_, output| output.gets.then { output.close } }

    assert_equal ["", "", 141], taken

    endless = start do |input, output|
      input.write(CALL)
      output.gets
      output.close
      input.write(CALL * 1000)
    rescue Errno::EPIPE
      nil
    end

    assert_equal ["", "", 141], endless
  end

  def test_an_interrupt_ends_the_program_quietly
    result = start do |input, output, child|
      input.write(CALL)
      input.flush
      output.gets
      Process.kill(:INT, child.pid)
      output.read
    end

    assert_equal ["", "", 130], result
  end

  def test_a_full_disk_is_a_fault
    skip "no /dev/full here" unless File.exist?("/dev/full")

    [[], ["--format", "json"]].each do |options|
      _, errors, status = to_full(:out, "check", @rules, *options, File::NULL)

      assert_equal ["ask-permissions: (standard output): No space left on device\n", 2], [errors, status]
    end
    assert_equal 2, to_full(:out, "--help").last
  end

  def test_the_status_does_not_depend_on_whether_errors_can_be_told
    skip "no /dev/full here" unless File.exist?("/dev/full")

    assert_equal 2, to_full(:err, "check", "#{@rules}.nope").last
  end

  def test_without_utf_eight_all_else_is_escaped
    calls = jsonl({ name: "é", arguments: "日本\u{1f600}" * 40 })
    out, = outcome("check", @rules, stdin: calls, env: { "LC_ALL" => "C" })

    assert_match(/\Anone   \\u\{e9\} +(?:\\u\{65e5\}\\u\{672c\}\\u\{1f600\})+.*\.\.\.  no rule$/, out)
    out, = outcome("check", @rules, "--format", "json", stdin: calls, env: { "LC_ALL" => "C" })

    assert_predicate out, :ascii_only?
    assert_equal "é", JSON.parse(out.lines.first)["name"]
  end

  def test_wide_characters_fill_the_columns
    calls = jsonl({ name: "日本" * 40, arguments: { "鍵" => "値" * 200 } }, { name: "a", arguments: "e\u0301" * 200 })
    out, = outcome("check", @rules, stdin: calls, env: { "COLUMNS" => "81" })
    before_rule = out.lines.first(2).map { |line| width(line[/\A.*  (?=no rule|rules)/]) }

    assert_equal 1, before_rule.uniq.size, out
    assert_operator out.lines(chomp: true).map { |line| width(line) }.max, :<=, 81
  end

  def test_the_library_does_not_load_the_program
    out, = Open3.capture2(RbConfig.ruby, *$LOAD_PATH.flat_map { |path| ["-I", path] }, "-r", "ask-permissions",
                          "-e", "p Ask::Permissions.const_defined?(:CLI), defined?(OptionParser)")

    assert_equal "false\nnil\n", out
  end

  private

  def outcome(*arguments, **options)
    out, err, status = CLIProcess.capture(*arguments, **options)
    [out.force_encoding(Encoding::UTF_8), err, status.exitstatus]
  end

  def width(text)
    Ask::Permissions::CLI::DisplayWidth.of(text)
  end

  def to_full(stream, *arguments)
    Tempfile.create do |errors|
      redirections = { in: File::NULL, out: File::NULL, err: errors.path, stream => ["/dev/full", "w"] }
      system(CLIProcess.environment, *CLIProcess.command(*arguments), **redirections)
      [nil, File.read(errors.path), $CHILD_STATUS.exitstatus]
    end
  end
end
