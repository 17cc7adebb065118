# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/cli_process"
require_relative "support/cli_runner"

class CLITerminalTest < Minitest::Test
  include CLIRunner

  ERASE = "\r\e[K"

  def setup
    super
    @rules = write("rules.rb", "allow 'a'\n")
    @calls = write("calls.jsonl", jsonl({ name: "a", arguments: "x" * 500 }, { name: "b" }))
  end

  def long(count = 2500)
    write("long.jsonl", %({"name":"a"}\n) * count)
  end

  def shown(*arguments, **options)
    text, status = CLIProcess.on_terminal("check", @rules, *arguments, **options)

    assert_equal 0, status, text
    text
  end

  def test_color_on_a_terminal
    assert_equal(["\e[32mallow\e[0m", "\e[36mnone \e[0m"],
                 shown(@calls).lines.first(2).map { |line| line[/\A\S+ ?\e\[0m/] })
    refute_includes shown(@calls, "--no-color"), "\e"
    refute_includes shown(@calls, "--format", "json"), "\e"
  end

  def test_no_color_and_dumb_terminals_are_honoured
    refute_includes shown(@calls, env: { "NO_COLOR" => "1" }), "\e"
    refute_includes shown(@calls, env: { "TERM" => "dumb" }), "\e"
    assert_includes shown(@calls, env: { "NO_COLOR" => "" }), "\e[32m"
    assert_includes shown(@calls, "--color", env: { "NO_COLOR" => "1" }), "\e[32m"
  end

  def test_lines_are_as_wide_as_the_terminal
    [50, 80, 111].each do |columns|
      assert_equal columns, shown(@calls, "--no-color", columns:).lines(chomp: true).first.length
    end
    assert_equal 99, shown(@calls, "--no-color", env: { "COLUMNS" => "99" }).lines(chomp: true).first.length
    assert_equal 80, shown(@calls, "--no-color", columns: 0).lines(chomp: true).first.length
  end

  def test_progress_of_a_long_input_when_nothing_else_is_on_the_terminal
    assert_equal "#{ERASE}1000 calls, 40%\r#{ERASE}2000 calls, 80%\r#{ERASE}", shown(long, streams: [:err])
  end

  def test_progress_when_most_lines_are_left_out
    write("long.jsonl", %(#{%({"name":"a"}\n) * 1500}{"name":"b"}\n{"name":"b"}\n))
    text = shown(File.join(@directory, "long.jsonl"), "--only", "none", "--no-color")

    assert text.start_with?("#{ERASE}1000 calls, 66%\r#{ERASE}none   b "), text
    assert_equal 2, text.scan(ERASE).size, "nothing is erased that is not there"
    assert_includes text, "\r\n1502 calls: "
  end

  def test_no_progress_where_decisions_scroll_by
    refute_includes shown(long, "--no-color"), "\e"
  end

  def test_no_progress_for_a_short_input_or_without_a_terminal
    assert_equal "", shown(@calls, streams: [:err])
    assert_equal "", shown(long, streams: [:in])
    assert_equal "", shown(long, streams: [:err], env: { "TERM" => "dumb" })
  end

  def test_a_fault_is_reported_on_a_line_of_its_own
    calls = write("calls.jsonl", "#{%({"name":"a"}\n) * 1000}[]\n")
    text, status = CLIProcess.on_terminal("check", @rules, calls, streams: [:err])

    assert_equal 2, status
    assert_equal "#{ERASE}1000 calls, 99%\r#{ERASE}ask-permissions: #{calls}:1001: not an object but an array\r\n", text
  end

  def test_progress_of_a_stream_has_no_end_in_sight
    text = StringIO.new
    reader = Ask::Permissions::CLI::CallReader.new(StringIO.new, "calls")
    progress = Ask::Permissions::CLI::Progress.new(text, reader, enabled: true)
    [999, 1000, 1001].each { |calls| progress.update(calls) }
    2.times { progress.erase }

    assert_equal "#{ERASE}1000 calls\r#{ERASE}", text.string
  end

  def test_a_terminal_that_goes_away_does_not_stop_the_decisions
    broken = StringIO.new
    def broken.write(*) = raise(Errno::EIO)
    reader = Ask::Permissions::CLI::CallReader.new(StringIO.new, "calls")
    progress = Ask::Permissions::CLI::Progress.new(broken, reader, enabled: true)
    progress.update(1000)
    progress.erase

    assert_empty broken.string
  end
end
