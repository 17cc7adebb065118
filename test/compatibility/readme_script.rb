# frozen_string_literal: true

# Uses the library block by block as its documentation shows, and prints what comes back. The output is recorded
# beside this file; every library that claims to be compatible prints the same.

require "ask-permissions"

# Prints a label and a value in a form that no Ruby version writes differently.
module Show
  module_function

  def section(title)
    puts "", "# #{title}"
  end

  def show(label, value)
    puts "#{label} => #{text(value)}"
  end

  def text(value)
    case value
    when Hash then "{#{value.map { |key, inner| "#{key}: #{text(inner)}" }.join(", ")}}"
    when Array then "[#{value.map { |inner| text(inner) }.join(", ")}]"
    when Ask::Permissions::ApprovalQueue::Action then action(value)
    when Ask::Permissions::Permissions::Approval then "approval #{value.tool_call_id.inspect} #{value.status}"
    when Ask::Permissions::PermissionRules::Rule then text(value.to_h)
    when Symbol, String, Numeric, Regexp, true, false, nil then value.inspect
    else value.class.name
    end
  end

  def action(value)
    "action #{value.id} #{value.tool_name} #{text(value.args)} #{value.status} " \
      "#{value.auto_approvable ? "auto" : "manual"} #{value.message.inspect}"
  end

  def error(label)
    yield
    show(label, :no_error)
  rescue StandardError => e
    puts "#{label} => #{e.class}: #{e.message}"
  end
end

def section(...)
  Show.section(...)
end

def show(...)
  Show.show(...)
end

def error(...)
  Show.error(...)
end

ToolCall = Data.define(:id, :name, :arguments)

# A person's screen.
module Screen
  def self.enqueue(action)
    Show.show("  the screen shows", action)
  end
end

# What an agent does with a decision.
module Agent
  def self.resume(id)
    Show.show("  the agent resumes", id)
  end

  def self.deny(id)
    Show.show("  the agent gives up", id)
  end
end

# A tool that needs an approval and may get it automatically.
class FetchTool
  def name
    "fetch"
  end

  def approval_required?
    true
  end

  def auto_approvable?
    true
  end
end

def new_queue
  Ask::Permissions::ApprovalQueue.new(
    auto_approve: { "fetch" => true },
    on_submit: ->(action) { Screen.enqueue(action) },
    on_approve: ->(action) { Agent.resume(action.tool_call_id) },
    on_reject: ->(action) { Agent.deny(action.tool_call_id) }
  )
end

def add(queue, call_id, tool_name, **options)
  queue.submit(tool_call_id: call_id, tool_name:, **options)
end

def statuses(queue)
  (1..5).map { |number| queue[number].status }
end

def policy(queue = Ask::Permissions::ApprovalQueue.new, **options)
  Ask::Permissions::ApprovalPolicy.new(queue:, **options)
end

section "The parts"
%w[PermissionRules ApprovalPolicy ApprovalQueue Permissions].each do |name|
  show name, Ask::Permissions.const_get(name).class.name
end
show "version", Ask::Permissions::VERSION.class.name

section "A queue"
queue = new_queue
id = queue.submit(
  tool_call_id: "call-1",
  tool_name: "bash",
  args: { "command" => "uname" },
  auto_approvable: false,
  message: "look first"
)
show "id", id
show "by id", queue[id]
show "unknown id", queue[id + 1]
show "pending actions", queue.pending_actions
show "pending?", queue.pending?(id)
show "any_pending?", queue.any_pending?

section "Resolving"
show "approve", queue.approve(id)
show "approve again", queue.approve(id)
show "reject an unknown id", queue.reject(404)
2.upto(7) { |number| add(queue, "call-#{number}", "bash") }
show "reject", queue.reject(2)
show "approve several", queue.approve(4, 2, 3)
show "approve_all", queue.approve_all
show "approve_all of none", queue.approve_all
add(queue, "call-8", "bash")
show "reject_all", queue.reject_all
show "drain", queue.drain

section "An action"
action = queue[1]
show "members", action.members
show "frozen", action.frozen?
%i[pending? applying? approved? rejected? auto_approvable?].each { |name| show name, action.public_send(name) }
show "submitted_at", action.submitted_at

section "Callbacks"
queue = Ask::Permissions::ApprovalQueue.new
queue.on_submit = ->(submitted) { show "  on_submit sees", submitted.status }
queue.on_approve = ->(applying) { show "  on_approve sees", [applying.status, queue[applying.id].status] }
queue.on_reject = ->(_applying) { raise IOError, "line is busy" }
2.times { |number| add(queue, "call-#{number}", "bash") }
show "approve", queue.approve(1)
error("reject") { queue.reject(2) }
show "afterwards", queue[2]

section "Automatic approval"
queue = Ask::Permissions::ApprovalQueue.new(auto_approve: { "read" => true, "list" => 1 })
queue.on_approve = ->(applying) { show "  approved automatically", applying.id }
add(queue, "call-1", "read", auto_approvable: true)
add(queue, "call-2", "read")
add(queue, "call-3", "read", auto_approvable: true)
add(queue, "call-4", "list", auto_approvable: true)
add(queue, "call-5", "other", auto_approvable: true)
show "statuses", statuses(queue)
show "reject the manual one", queue.reject(2)
show "behind it", queue[3].status
queue.drain
show "after a drain", statuses(queue)

section "Rules"
rules = Ask::Permissions::PermissionRules.new
rules.allow "read_file"
rules.ask "bash", "rm -rf"
rules.deny "delete_user"
show "bash with rm -rf", rules.classify("bash", { "command" => "sudo rm -rf /srv" })
show "bash without", rules.classify("bash", { "command" => "ls" })
show "read_file", rules.classify("read_file")
show "delete_user", rules.classify("delete_user")
show "unknown", rules.classify("unknown")
show "allow?", rules.allow?("read_file")
show "ask?", rules.ask?("bash", { "command" => "rm -rf /" })
show "deny?", rules.deny?("delete_user")
show "chained", rules.allow("search").ask("mail").equal?(rules)
block = Ask::Permissions::PermissionRules.new do
  allow "read_file"
  deny "delete_user"
  ask "bash", "rm -rf"
end
show "from a block", block.rules.map(&:decision)
parameter = Ask::Permissions::PermissionRules.new { |set| set.deny :all }
show "from a block with a parameter", parameter.classify("anything")

section "Patterns"
patterns = Ask::Permissions::PermissionRules.new
patterns.ask "bash", "rm -rf"
patterns.allow "read_file", %r{/docs/}
patterns.allow :search
patterns.deny(/^drop_/)
show "substring in a Hash", patterns.classify("bash", { "command" => "rm -rf /" })
show "substring in a String", patterns.classify("bash", '{"command":"rm -rf /"}')
show "Regexp over the text", patterns.classify("read_file", { path: "/docs/a.md" })
show "another path", patterns.classify("read_file", { path: "/etc/passwd" })
show "any arguments", [patterns.classify("search"), patterns.classify("search", [1, nil])]
show "Regexp over names", [patterns.classify("drop_table"), patterns.classify("raindrop_")]
show "a rule", patterns.rules.first
rule = patterns.rules.first
show "its matchers", [rule.tool_matches?("bash"), rule.argument_matches?("rm -rf"), rule.matches?("bash", "ls")]
show "its predicates", [rule.dangerous?, rule.universal?]

section "Dangerous tools"
danger = Ask::Permissions::PermissionRules.new
danger.allow "bash"
rule = danger.rules.first
show "decisions", [rule.decision, rule.declared_decision, rule.effective_decision]
show "dangerous, universal", [rule.dangerous?, rule.universal?]
show "classified", danger.classify("bash")
show "the set", Ask::Permissions::PermissionRules::DANGEROUS_TOOLS
restricted = Ask::Permissions::PermissionRules.new.allow("bash", "ls -la")
show "restricted", restricted.classify("bash", { "command" => "ls -la" })
show "denied", Ask::Permissions::PermissionRules.new.deny("bash").classify("bash")
show "everything allowed", Ask::Permissions::PermissionRules.new.allow(:all).classify("anything")
show "by a Regexp", Ask::Permissions::PermissionRules.new.allow(/^re/).dangerous_rules.size
show "opted out", Ask::Permissions::PermissionRules.new(auto_allow_dangerous: true).allow("bash").classify("bash")

section "A policy"
queue = new_queue
whole = policy(queue, rules:, require_approval: ["bash", /^write_/], tools: { "fetch" => FetchTool.new })
{
  "read_file" => {}, "delete_user" => { "id" => 7 }, "bash" => { "command" => "rm -rf /" }, "write_file" => "{}",
  "fetch" => { "url" => "x" }, "other" => nil
}.each_with_index do |(name, arguments), number|
  result = whole.before_tool_call(ToolCall.new(id: "call-#{number}", name:, arguments:), {})
  show name, result
  found = whole.lookup(result[:action_id]) if result[:action] == :pending
  outcome =
    case result[:action]
    when :proceed then "proceed"
    when :block then "refuse: #{result[:reason]}"
    when :pending then found.approved? ? "proceed, approved" : "pause for #{found.id}"
    end
  show "  the agent's step", outcome
end
show "lookup of an unknown id", whole.lookup(99)
show "readers", [whole.queue.equal?(queue), whole.rules.equal?(rules), whole.require_approval, whole.tools.keys]
show "approve", queue.approve(1)
show "reject", queue.reject(2)
again = ToolCall.new(id: "call-9", name: "bash", arguments: { "command" => "rm -rf /" })
show "the same call again", whole.before_tool_call(again)

section "Ways to require an approval"
[nil, :all, "bash", :bash, /^ba/, [], ["read", /^ba/]].each do |criterion|
  show criterion.inspect, policy(require_approval: criterion).before_tool_call(again)
end

section "Ways to give tools"
tool = FetchTool.new
[{ "fetch" => tool }, { fetch: tool }, [tool], ->(_name) { tool }, %w[fetch]].each do |tools|
  show tools.class.name, policy(tools:).before_tool_call(again.with(name: "fetch"))
end

section "The gate"
$stderr = $stdout
call = ToolCall.new(id: "call-1", name: "bash", arguments: { "command" => "ls" })
gate = Ask::Permissions::Permissions.new
show "first", gate.before_tool_call(call, {})
show "second", gate.before_tool_call(call, {})
show "pending", gate.pending_approvals
show "approve", [gate.approve("call-1"), gate.approve("call-1"), gate.approve("call-2")]
show "third", gate.before_tool_call(call, {})
show "another id", gate.before_tool_call(call.with(id: "call-2"), {})
show "another tool", gate.before_tool_call(call.with(name: "read"), {})
entry = gate.pending_approvals.first
show "an entry", [entry[:tool_name], entry["reason"], entry.arguments, entry.approved_at, entry.pending?]

section "Modes"
[nil, :full_access, :ask_before_changes, :read_only].each do |mode|
  moded = Ask::Permissions::Permissions.new(mode:, blocked_tools: ["deploy", :publish])
  show mode.inspect, [moded.mode, moded.blocked_tools, moded.before_tool_call(call.with(name: "edit"))]
end
error("unknown mode") { Ask::Permissions::Permissions.new(mode: :everything) }
error("a String") { Ask::Permissions::Permissions.new(mode: "read_only") }
%i[DEFAULT_TOOLS ACCESS_MODES DEFAULT_BLOCKED_TOOLS MODE_BLOCKED_TOOLS].each do |name|
  show name, Ask::Permissions::Permissions.const_get(name)
end

section "Timeout"
now = 0
timed = Ask::Permissions::Permissions.new(timeout: 60, clock: -> { now })
timed.before_tool_call(call)
timed.approve("call-1")
[60, 61, 200].each do |second|
  now = second
  show "after #{second}", timed.before_tool_call(call)
end
show "created", timed.pending_approvals.map(&:created_at)

section "Caveats"
show "an unconfigured policy", policy.before_tool_call(call)
show "no matching rule", Ask::Permissions::PermissionRules.new.classify("bash")
error("a failing on_submit") do
  add(Ask::Permissions::ApprovalQueue.new(on_submit: ->(_submitted) { raise IOError, "screen is off" }), 1, "bash")
end
error("no queue") { Ask::Permissions::ApprovalPolicy.new }
