# frozen_string_literal: true

# A small agent loop around the library: rules, policy, queue and callbacks, with a person at the terminal.
# The tools only print; nothing is read, written or run.
#
#   ruby -Ilib examples/agent.rb            ask in the terminal
#   ruby -Ilib examples/agent.rb --yes      approve what is asked (--no rejects it)

require "json"
require "optparse"
require "ask-permissions"

# What a model asks for. The policy needs these three methods and no more.
ToolCall = Data.define(:id, :name, :arguments)

# A tool tells the policy, where no rule decides, whether it wants approval and whether that may be automatic.
Tool = Data.define(:name, :approval_required, :auto_approvable) do
  alias_method :approval_required?, :approval_required
  alias_method :auto_approvable?, :auto_approvable

  def call(arguments)
    "(simulated: #{name} ran on #{arguments.to_s.bytesize} bytes of arguments)"
  end
end

TOOLS = [
  Tool.new(name: "fetch_url", approval_required: true, auto_approvable: true),
  Tool.new(name: "deploy", approval_required: true, auto_approvable: false),
  Tool.new(name: "submit", approval_required: false, auto_approvable: false)
].freeze

# Printing from several threads, and asking a person.
class Console
  # Control, format and separator characters could redraw the terminal or reorder what a person reads.
  UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/
  WIDTH = 100

  def initialize
    $stdout.sync = true
  end

  # One write a line, so that lines of different threads do not mix.
  def event(kind, id, text)
    line = "#{kind.ljust(8)}  #{visible(id)}  #{visible(text)}"
    note(line.length > WIDTH ? "#{line[0, WIDTH - 1]}…" : line)
  end

  def note(text)
    $stdout.write("#{text}\n")
  end

  # The answer, or nil at the end of the input.
  def question(text)
    $stdout.write(text)
    $stdin.gets&.strip&.downcase
  end

  private

  def visible(text)
    utf8 = text.to_s.dup.force_encoding(Encoding::UTF_8)
    utf8.scrub { |bytes| bytes.unpack("C*").map { |byte| format("\\x%02X", byte) }.join }
        .gsub(UNSAFE) { |character| format("\\u{%x}", character.ord) }
  end
end

# Who decides about what the rules leave open. `review` returns false when the person wants to stop.
class Reviewer
  PROMPT = "  [a]pprove, [r]eject, approve a[l]l, [q]uit? "
  NOBODY = "No terminal to ask in, and neither --yes nor --no given: what is asked stays pending and does not run."

  def initialize(console, answer)
    @console = console
    @answer = answer
    @console.note(NOBODY) if nobody?
  end

  def review(queue)
    case @answer
    when :yes then queue.approve_all
    when :no then queue.reject_all
    else return nobody? || ask(queue)
    end
    true
  end

  private

  def nobody?
    @answer.nil? && !$stdin.tty?
  end

  def ask(queue)
    while (action = queue.pending_actions.first)
      @console.event("ask", action.tool_call_id, "#{action.message}: #{Agent.text(action.args)}")
      case @console.question(PROMPT)
      when "a", "y", "yes" then queue.approve(action.id)
      when "r", "n", "no" then queue.reject(action.id)
      when "l" then queue.approve_all
      when "q", nil then return false
      end
    end
    true
  end
end

# Takes tool calls turn by turn: each call of a turn goes through the policy in its own thread, as a model's
# parallel tool calls do; then the reviewer looks at what is pending.
class Agent
  TURN = 8

  def self.text(arguments)
    arguments.is_a?(Hash) ? JSON.generate(arguments) : arguments.to_s
  end

  def initialize(rules, console, reviewer)
    @console = console
    @reviewer = reviewer
    @tally = Hash.new(0)
    @tally_lock = Mutex.new
    @queue = build_queue
    @policy = Ask::Permissions::ApprovalPolicy.new(queue: @queue, rules:, tools: TOOLS)
  end

  def run(calls)
    calls.each_slice(TURN).with_index(1) do |turn, number|
      @console.note("-- turn #{number}")
      turn.map { |call| Thread.new { handle(call) } }.each(&:join)
      break unless @reviewer.review(@queue)
    end
    summary
  end

  private

  # Auto-approval takes the oldest pending action first: one that a person must decide holds up those behind it.
  def build_queue
    Ask::Permissions::ApprovalQueue.new(
      auto_approve: { "fetch_url" => true },
      on_submit: ->(action) { report("queued", action.tool_call_id, action.tool_name, action.args) },
      on_approve: ->(action) { execute("approved", action.tool_call_id, action.tool_name, action.args) },
      on_reject: ->(action) { report("rejected", action.tool_call_id, action.tool_name, action.args) }
    )
  end

  def handle(call)
    case @policy.before_tool_call(call)
    in { action: :proceed }
      execute("allowed", call.id, call.name, call.arguments)
    in { action: :block, reason: }
      report("denied", call.id, call.name, call.arguments)
      @console.event("", call.id, reason)
    in { action: :pending }
      nil # on_submit has reported it, and on_approve or on_reject will
    end
  end

  def execute(kind, id, name, arguments)
    report(kind, id, name, arguments)
    tool = TOOLS.find { |candidate| candidate.name == name } || Tool.new(name, false, false)
    @console.event("", id, tool.call(arguments))
  end

  def report(kind, id, name, arguments)
    @tally_lock.synchronize { @tally[kind] += 1 }
    @console.event(kind, id, "#{name} #{Agent.text(arguments)}")
  end

  def summary
    counts = %w[allowed denied queued approved rejected].map { |kind| "#{@tally[kind]} #{kind}" }
    @console.note("-- #{counts.join(", ")}, #{@queue.pending_actions.size} left pending")
  end
end

# The transcript: JSON Lines, one object a call. Whatever else a line holds is ignored.
module Transcript
  module_function

  def read(path)
    File.foreach(path, encoding: Encoding::UTF_8).with_index(1).filter_map do |line, number|
      parse(line) unless line.strip.empty?
    rescue JSON::ParserError, KeyError, TypeError
      raise ArgumentError, "#{path}:#{number}: not a tool call"
    end
  end

  def parse(line)
    fields = JSON.parse(line)
    raise TypeError, "not an object" unless fields.is_a?(Hash)

    ToolCall.new(id: fields["id"], name: fields.fetch("name"), arguments: fields["arguments"])
  end
end

options = { rules: File.join(__dir__, "rules.rb"), answer: nil }
parser = OptionParser.new do |opts|
  opts.banner = "Usage: ruby -Ilib examples/agent.rb [options] [CALLS.jsonl]"
  opts.on("--rules FILE", "the rules (default: examples/rules.rb)") { |path| options[:rules] = path }
  opts.on("--yes", "approve everything that is asked") { options[:answer] = :yes }
  opts.on("--no", "reject everything that is asked") { options[:answer] = :no }
end

begin
  parser.parse!
  calls = Transcript.read(ARGV.fetch(0, File.join(__dir__, "transcript.jsonl")))
  source = File.read(options[:rules], encoding: Encoding::UTF_8)
  rules = Ask::Permissions::PermissionRules.new { instance_eval(source, options[:rules]) }
rescue StandardError, ScriptError => e
  warn "agent: #{e.message}"
  exit 2
end

# A closed pipe and Ctrl-C end the program quietly, as they end other commands.
%w[PIPE INT].each { |signal| Signal.trap(signal, "SYSTEM_DEFAULT") }

console = Console.new
Agent.new(rules, console, Reviewer.new(console, options[:answer])).run(calls)
