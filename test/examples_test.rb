# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require "json"
require "pty"
require "tempfile"

# The examples run, and show what their comments promise.
class ExamplesTest < Minitest::Test
  EXAMPLES = File.expand_path("../examples", __dir__)
  RULES = File.join(EXAMPLES, "rules.rb")
  TRANSCRIPT = File.join(EXAMPLES, "transcript.jsonl")
  AGENT = File.join(EXAMPLES, "agent.rb")

  # Approved by themselves, unless another thread of the turn has put something before them.
  AUTOMATIC = %w[call-32 call-33].freeze

  def rules
    Ask::Permissions::PermissionRules.new { instance_eval(File.read(RULES), RULES) }
  end

  def calls
    File.foreach(TRANSCRIPT, encoding: Encoding::UTF_8).map { |line| JSON.parse(line) }
  end

  def decisions
    set = rules
    calls.to_h { |call| [call["id"], set.classify(call["name"], call["arguments"])] }
  end

  def agent(*options, stdin: "")
    Child.ruby(AGENT, *options, stdin:)
  end

  def summary(counts)
    /^-- #{counts}, \d+ left pending$/
  end

  def test_every_decision_occurs
    assert_equal [:allow, :ask, :deny, nil].map(&:inspect).sort, decisions.values.uniq.map(&:inspect).sort
    assert_operator decisions.size, :>=, 40
    assert_equal decisions.size, calls.size
  end

  def test_what_the_comments_of_the_rules_promise
    set = rules
    bash = ->(command) { set.classify("bash", { "command" => command }) }
    assert_equal %i[allow ask ask ask], ["ls -F", "ls; x", "ls > x", "ls $(x)"].map(&bash)
    assert_equal %i[ask ask deny deny], ["ls\nls", "ls\\", "rm -rf /", "curl x | sh"].map(&bash)
    assert_equal :allow, set.classify("bash", "{ \"command\": \"ls\" }")
    assert_equal :ask, set.classify("bash", "{\"command\":\"ls\",\"command\":\"x\"}")
    assert_equal %i[allow ask deny], ["git diff --stat", "git diff --output=x", "cat a/.env"].map(&bash)
    assert_equal %i[deny ask], ([".env", "process.env"].map { |path| set.classify("edit", { "path" => path }) })
    assert_equal [:ask], set.dangerous_rules.map(&:effective_decision)
    assert_nil set.classify("submit", {})
    assert_nil set.classify("reopen_port", {})
    assert_equal [:deny, :deny, nil], (["\u202E", "\\u202e", "\u00E9"].map { |text| set.classify("note", text) })
  end

  # So that no text, however hostile, takes long.
  def test_regexps_of_the_rules_run_in_linear_time
    patterns = rules.rules.flat_map { |rule| [rule.tool_pattern, rule.argument_pattern] }.grep(Regexp)
    refute_empty patterns
    assert_empty(patterns.reject { |pattern| Regexp.linear_time?(pattern) })
  end

  def test_approving_everything
    result = agent("--yes")
    assert_predicate result, :success?, result.to_s
    assert_match(summary("12 allowed, 13 denied, 20 queued, 20 approved, 0 rejected"), result.stdout)
    assert_equal 20, result.stdout.scan(/^approved  call-\d+/).size
    assert_match(/^denied    call-13  bash .*rm -rf/, result.stdout)
    assert_empty result.stderr
  end

  def test_what_runs_is_what_was_allowed_or_approved
    ran = ->(result) { result.stdout.scan(/^ +(call-\d+)  \(simulated/).flatten.sort }
    denied = decisions.select { |_, decision| decision == :deny }.keys
    assert_equal decisions.keys - denied, ran.call(agent("--yes"))
    queued = agent.stdout.scan(/^queued    (call-\d+)/).flatten
    assert_equal 20, queued.size
    assert_equal decisions.keys - denied - queued, ran.call(agent("--no")) - AUTOMATIC
  end

  def test_rejecting_everything
    result = agent("--no")
    assert_predicate result, :success?, result.to_s
    assert_match(summary("12 allowed, 13 denied, 20 queued, [012] approved, (?:18|19|20) rejected"), result.stdout)
  end

  def test_without_a_terminal
    result = agent(stdin: "a\n" * 99)
    assert_predicate result, :success?, result.to_s
    assert_match(/No terminal to ask in, and neither --yes nor --no/, result.stdout)
    assert_match(/0 approved, 0 rejected, 20 left pending$/, result.stdout)
  end

  def test_asking_in_a_terminal
    output = in_terminal("a\nr\nperhaps\n#{"l\n" * 9}")
    assert_match(/13 denied, 20 queued, 19 approved, 1 rejected, 0 left pending$/, output)
    assert_includes output, "[a]pprove, [r]eject, approve a[l]l, [q]uit?"
  end

  def test_quitting_in_a_terminal
    ["q\n", "\u0004"].each do |leave|
      output = in_terminal(leave)
      assert_match(/1 queued, 0 approved, 0 rejected, 1 left pending$/, output)
      refute_includes output, "turn 2"
    end
  end

  def test_nothing_unsafe_is_printed
    line = { id: "a\e[2J", name: "note\u0007", arguments: "\u202Eevil\u0000\r\u2028\u200B" }
    with_file("#{JSON.generate(line)}\n", ".jsonl") do |path|
      output = agent("--yes", path).stdout
      assert_includes output, "denied    a\\u{1b}[2J  note\\u{7} \\u{202e}evil\\u{0}\\u{d}\\u{2028}\\u{200b}"
      refute_match(/[[:cntrl:]&&[^\n]]|[\u202E\u2028\u200B]/, output)
    end
  end

  def test_own_rules_and_calls
    with_file("deny :all", ".rb") do |path|
      assert_match(summary("0 allowed, 45 denied, 0 queued, 0 approved, 0 rejected"), agent("--rules", path).stdout)
    end
  end

  def test_faults_are_named
    { "{\"name\":\"a\"}\n\n{\"nam\n" => ":3: not a tool call", "[1]\n" => ":1: not a tool call",
      "{\"id\":1}\n" => ":1: not a tool call" }.each do |text, message|
      with_file(text, ".jsonl") { |path| assert_fault "#{path}#{message}", agent("--yes", path) }
    end
    with_file("allow 'a'\nnonsense", ".rb") { |path| assert_fault "nonsense", agent("--rules", path) }
    with_file("allow (", ".rb") { |path| assert_fault path, agent("--rules", path) }
    assert_fault "No such file", agent("nowhere.jsonl")
    assert_fault "invalid option: --maybe", agent("--maybe")
  end

  def test_help
    result = agent("--help")
    assert_predicate result, :success?
    assert_match(/\AUsage: .*--rules FILE.*--yes.*--no/m, result.stdout)
  end

  private

  def assert_fault(message, result)
    assert_equal 2, result.status.exitstatus, result.to_s
    assert_match(/\Aagent: /, result.stderr)
    assert_includes result.stderr, message
    assert_empty result.stdout
  end

  def with_file(text, extension)
    Tempfile.create(["example", extension]) do |file|
      file.write(text)
      file.close
      yield file.path
    end
  end

  # What a terminal shows when these answers are typed.
  def in_terminal(answers)
    output = +""
    PTY.spawn(*Child.command(AGENT)) do |reader, writer, pid|
      writer.write(answers)
      begin
        loop { output << reader.readpartial(4096) }
      rescue EOFError, Errno::EIO
        Process.wait(pid)
      end
    end
    Child.utf8(output).delete("\r")
  end
end
