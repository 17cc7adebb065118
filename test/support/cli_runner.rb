# frozen_string_literal: true

require "ask/permissions/cli"
require "json"
require "stringio"
require "tmpdir"

# Runs the command in this process, in a directory of its own.
module CLIRunner
  Result = Data.define(:status, :out, :err) do
    def lines
      out.lines(chomp: true)
    end

    # The lines about calls, which end where the blank line before the summary is.
    def call_lines
      lines.take_while { |line| !line.empty? }
    end

    def objects
      lines.map { |line| JSON.parse(line) }
    end
  end

  def setup
    super
    @directory = File.realpath(Dir.mktmpdir)
  end

  def teardown
    FileUtils.remove_entry(@directory)
    super
  end

  def write(name, content)
    path = File.join(@directory, name)
    File.binwrite(path, content)
    path
  end

  # @param calls [String, Array<Hash>] standard input, or the calls that are written to it
  def check(rules, calls = "", *options, env: {})
    write("rules.rb", rules)
    run_cli("check", "rules.rb", *options, stdin: calls.is_a?(String) ? calls : jsonl(*calls), env:)
  end

  def run_cli(*argv, stdin: "", env: {})
    out = StringIO.new
    err = StringIO.new
    status = Dir.chdir(@directory) do
      Ask::Permissions::CLI.run(argv, stdin: StringIO.new(stdin.dup), stdout: out, stderr: err, env:)
    end
    Result.new(status, utf8(out.string), utf8(err.string))
  end

  def jsonl(*calls)
    calls.map { |call| "#{JSON.generate(call)}\n" }.join
  end

  def assert_fault(text, result)
    assert_equal [2, "ask-permissions: #{text}\n"], [result.status, result.err]
  end

  private

  def utf8(text)
    text.dup.force_encoding(Encoding::UTF_8)
  end
end
