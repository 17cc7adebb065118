# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"

# Whole programs around the library: threads, locks of their own, turns within turns. Each runs in a process of its
# own, since a lock that is held too long would hang it.
class SubclassProgramsTest < Minitest::Test
  include Child::Assertions

  SESSION = <<~'RUBY'
    ToolCall = Data.define(:id, :name, :arguments)

    # One lock for the session's state; every callback takes it before it looks at the queue.
    class Session
      attr_reader :queue, :policy, :pending, :ran

      def initialize(**options)
        @lock = Monitor.new
        @pending = {}
        @ran = []
        @queue = Ask::Permissions::ApprovalQueue.new(on_submit: method(:enqueued), **options)
        @queue.on_approve ||= method(:approved)
        @policy = Ask::Permissions::ApprovalPolicy.new(queue: @queue, require_approval: [/^write/, "bash"])
      end

      def enqueued(action)
        @lock.synchronize { @pending[action.tool_call_id] = @queue[action.id] }
      end

      def approved(action)
        @lock.synchronize { @ran << [action.tool_call_id, @queue[action.id].status] }
      end

      def turn(calls)
        hook = @policy.method(:before_tool_call)
        calls.map { |call| Thread.new { hook.call(call, self) } }.map(&:value)
      end
    end
  RUBY

  def test_one_thread_a_tool_call_through_one_policy_and_queue
    assert_checks SESSION + <<~'RUBY'
      session = Session.new
      calls = (1..24).map do |n|
        ToolCall.new(id: "tc-#{n}", name: n.even? ? "bash" : "read", arguments: %({"command":"ls #{n}"}))
      end
      results = session.turn(calls)
      check("every other call waits", [:proceed, :pending] * 12, results.map { _1[:action] })
      ids = results.filter_map { _1[:action_id] }
      check("ids are whole and different", (1..12).to_a, ids.sort)
      pairs = calls.zip(results).filter_map { |call, result| [result[:action_id], call] if result[:action_id] }
      pairs.each do |id, call|
        action = session.policy.lookup(id)
        check("the id leads to its own call", [call.id, true], [action.tool_call_id, action.args.equal?(call.arguments)])
      end
      check("on_submit saw each, pending", [:pending] * 12, session.pending.values.map(&:status))
      approvals = ids.map { |id| Thread.new { session.queue.approve(id, ids) } }.flat_map(&:value)
      check("each is approved once", ids.sort, approvals.map(&:id).sort)
      check("each ran once, applying", calls.map(&:id).select { session.pending.key?(_1) }.sort, session.ran.map(&:first).sort)
      check("in the callback it is applying", [:applying], session.ran.map(&:last).uniq)
    RUBY
  end

  def test_an_approval_runs_a_further_turn_that_submits_to_the_same_queue
    assert_checks SESSION + <<~'RUBY'
      log = []
      session = nil
      further = lambda do |action|
        log << [:run, action.id]
        next if action.id >= 4

        results = session.turn([ToolCall.new(id: "next-#{action.id}", name: "bash", arguments: "{}")])
        log << [:turn, results.first[:action_id], session.queue[action.id].status]
        session.queue.approve(results.first[:action_id])
      end
      session = Session.new(on_approve: further)
      first = session.turn([ToolCall.new(id: "first", name: "write_file", arguments: {})]).first
      check("approved", [:approved], session.queue.approve(first[:action_id]).map(&:status))
      check("turns nest", [[:run, 1], [:turn, 2, :applying], [:run, 2], [:turn, 3, :applying], [:run, 3],
                           [:turn, 4, :applying], [:run, 4]], log)
      check("all approved", [:approved] * 4, (1..4).map { |id| session.queue[id].status })
    RUBY
  end

  def test_automatic_approvals_that_submit_are_drained_in_order
    assert_checks <<~'RUBY'
      order = []
      queue = Ask::Permissions::ApprovalQueue.new(auto_approve: { "step" => true })
      queue.on_approve = lambda do |action|
        order << action.id
        queue.submit(tool_call_id: action.id, tool_name: "step", auto_approvable: true) if action.id < 50
      end
      queue.submit(tool_call_id: 0, tool_name: "step", auto_approvable: true)
      check("one after the other", (1..50).to_a, order)
      check("nothing is left", false, queue.any_pending?)
    RUBY
  end

  def test_a_server_that_holds_its_own_lock_and_turns_errors_into_blocks
    assert_checks <<~'RUBY'
      class ServerQueue < Ask::Permissions::ApprovalQueue
        attr_reader :events

        def initialize(**kwargs)
          @lock = Mutex.new
          @events = Queue.new
          super(**kwargs)
        end

        def submit(tool_call_id:, tool_name:, args: {}, auto_approvable: false, message: nil)
          @lock.synchronize { super.tap { |id| @events << [:submitted, id] } }
        end

        def decide(id, approved)
          @lock.synchronize { approved ? approve(id) : reject(id) }
        end

        private

        def apply(action, ...)
          raise IOError, "refused" if action.tool_name == "bad"

          super.tap { |resolved| @events << [resolved.with(status: :done).status, resolved.id] }
        end

        def reject_action(action, ...)
          super.tap { |resolved| @events << [resolved.status, resolved.id] }
        end
      end

      queue = ServerQueue.new
      block = ->(id, approved) { queue.decide(id, approved) rescue { action: :block, reason: $!.message } }
      answers = 40.times.map do |n|
        Thread.new do
          id = queue.submit(tool_call_id: n, tool_name: n % 4 == 3 ? "bad" : "good")
          Thread.pass
          [n % 4, block.call(id, n.odd?), queue.pending?(id)]
        end
      end.map(&:value)
      answers.each do |kind, answer, pending|
        case kind
        when 3 then check("an error becomes a block", [{ action: :block, reason: "refused" }, true], [answer, pending])
        when 1 then check("approved", [:approved], answer.map(&:status))
        else check("rejected", [:rejected], answer.map(&:status))
        end
      end
      events = Array.new(queue.events.size) { queue.events.pop }
      check("events", { submitted: 40, done: 10, rejected: 20 }, events.map(&:first).tally)
      check("left", 10, queue.pending_actions.size)
    RUBY
  end

  def test_a_gate_shared_by_threads_reminds_once_an_id
    assert_checks <<~'RUBY'
      call = Data.define(:id, :name, :arguments)
      reminders = Queue.new
      gate = Ask::Permissions::Permissions.new
      gate.define_singleton_method(:warn) { |text| reminders << text }
      hook = gate.method(:before_tool_call)
      results = 32.times.map { |n| Thread.new { hook.call(call.new(id: n % 4, name: "bash", arguments: n)) } }.map(&:value)
      check("all blocked", [:block], results.map { _1[:action] }.uniq)
      check("one entry an id", [0, 1, 2, 3], gate.pending_approvals.map(&:tool_call_id).sort)
      check("one reminder an id", 4, reminders.size)
      approved = 8.times.map { |n| Thread.new { gate.approve(n % 4) } }.map(&:value)
      check("approved", [true], approved.uniq)
      check("all proceed", [{ action: :proceed }], 4.times.map { hook.call(call.new(id: _1, name: "bash", arguments: 0)) }.uniq)
    RUBY
  end

  def test_a_harness_that_uses_the_gate_as_a_hook_and_rescues_a_bad_mode
    assert_checks <<~'RUBY'
      call = Data.define(:id, :name, :arguments)
      hooks = %i[read_only full_access yolo].map do |mode|
        Ask::Permissions::Permissions.new(mode:).method(:before_tool_call)
      rescue ArgumentError => e
        e.message[/\AUnknown access mode: \S+/]
      end
      check("a bad mode is rescued", "Unknown access mode: :yolo.", hooks.pop)
      check("receivers", [:read_only, :full_access], hooks.map { _1.receiver.mode })
      check("names", [:before_tool_call], hooks.map(&:name).uniq)
      $stderr.reopen(File::NULL)
      answers = hooks.map { |hook| hook.to_proc.call(call.new(id: 1, name: "write", arguments: {}), nil)[:action] }
      $stderr.reopen(STDOUT)
      check("answers", [:block, :proceed], answers)
    RUBY
  end

  def test_rules_are_declared_and_asked_from_several_threads
    assert_checks <<~'RUBY'
      rules = Ask::Permissions::PermissionRules.new.allow("read")
      writers = 4.times.map { |t| Thread.new { 50.times { |n| rules.deny("tool-#{t}-#{n}", /x/) } } }
      readers = 4.times.map { Thread.new { 200.times.map { rules.classify("read", { "a" => "x" }) }.uniq } }
      check("readers", [[:allow]] * 4, readers.map(&:value))
      writers.each(&:join)
      check("no rule is lost", 201, rules.rules.size)
      check("all decide", 200, 4.times.sum { |t| 50.times.count { |n| rules.deny?("tool-#{t}-#{n}", "x") } })
    RUBY
  end
end
