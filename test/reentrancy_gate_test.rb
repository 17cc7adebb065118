# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# The gate, a policy and a rule set, used from what they call.
class ReentrancyGateTest < Minitest::Test
  include Child::Assertions

  SETUP = <<~'RUBY'
    Call = Struct.new(:id, :name, :arguments)
    BLOCK = { action: :block, reason: "bash requires approval" }.freeze
    PROCEED = { action: :proceed }.freeze
    PLACES = {
      "here" => ->(use) { use.call },
      "in a joined thread" => ->(use) { Thread.new { use.call }.value },
      "after garbage collection" => ->(use) { GC.start; use.call }
    }.freeze

    class QuietGate < Ask::Permissions::Permissions
      attr_accessor :action

      def warnings
        @warnings ||= []
      end

      def warn(*messages)
        warnings.concat(messages)
        action&.call
      end
    end

    def call(id = "call", name = "bash")
      Call.new(id, name, { "command" => "ls" })
    end

    # A proc that does nothing while it is running, so that a use may come back to where it was called.
    def once(run)
      used = false
      lambda do
        next if used

        used = true
        run.call
      end
    end
  RUBY

  def test_the_clock_uses_the_gate
    repaired!
    assert_reentrant <<~'RUBY'
      PLACES.each do |place, run|
        Check.during("clock, #{place}") do
          action = nil
          results = nil
          gate = QuietGate.new(timeout: 100, clock: -> { action&.call; 5 })
          gate.before_tool_call(call("old"))
          use = lambda do
            results = run.call(lambda do
              [gate.pending_approvals.map(&:tool_call_id), gate.approve("old"), gate.before_tool_call(call("old")),
               gate.before_tool_call(call("other"))]
            end)
          end
          action = once(use)
          check("blocks", BLOCK, gate.before_tool_call(call))
          check("the clock's own calls", [["old"], true, PROCEED, BLOCK], results)
          check("all recorded", %w[call other], gate.pending_approvals.map(&:tool_call_id).sort)
          check("warned once each", 3, gate.warnings.size)
          action = once(use)
          check("while expiry is judged", BLOCK, gate.before_tool_call(call))
          action = once(use)
          check("while approving", true, gate.approve("call"))
          check("approved", PROCEED, gate.before_tool_call(call))
        end
      end
    RUBY
  end

  def test_the_clock_records_the_same_call
    repaired!
    assert_reentrant <<~'RUBY'
      PLACES.each do |place, run|
        Check.during("clock, #{place}") do
          action = nil
          nested = nil
          gate = QuietGate.new(clock: -> { action&.call; 5 })
          action = once(-> { nested = run.call(-> { gate.before_tool_call(call) }) })
          check("both block", [BLOCK, BLOCK], [gate.before_tool_call(call), nested])
          check("one entry", 1, gate.pending_approvals.size)
          check("one warning", 1, gate.warnings.size)
        end
      end
    RUBY
  end

  def test_a_clock_that_approves_the_same_call_at_every_tick
    repaired!
    assert_reentrant <<~'RUBY'
      PLACES.each do |place, run|
        Check.during("clock, #{place}") do
          ticks = 0
          inside = true
          gate = nil
          clock = lambda do
            raise "ticks without end" if (ticks += 1) > 100

            unless inside
              inside = true
              run.call(-> { gate.approve("call") })
              inside = false
            end
            5
          end
          gate = QuietGate.new(clock: clock, timeout: 100)
          gate.before_tool_call(call)
          inside = false
          check("approve", true, gate.approve("call"))
          check("proceeds", PROCEED, gate.before_tool_call(call))
          check("none pending", [], gate.pending_approvals)
        end
      end
    RUBY
  end

  def test_a_clock_that_rewinds
    assert_reentrant <<~'RUBY'
      now = 100
      gate = QuietGate.new(timeout: 10, clock: -> { now })
      gate.before_tool_call(call)
      now = -1_000
      check("younger than its making is not expired", BLOCK, gate.before_tool_call(call))
      check("approve", true, gate.approve("call"))
      check("proceeds", PROCEED, gate.before_tool_call(call))
      now = 110
      check("at the timeout", PROCEED, gate.before_tool_call(call))
      now = 111
      check("past it", BLOCK, gate.before_tool_call(call))
      check("recorded anew, in the clock's time", [111], gate.pending_approvals.map(&:created_at))

      times = [9, 3, 7, 1].cycle
      queue = pending_queue(4, clock: -> { times.next })
      check("a queue takes the times as they come", [9, 3, 7, 1], queue.pending_actions.map(&:submitted_at))
      check("and keeps its order", [1, 2, 3, 4], queue.approve_all.map(&:id))
    RUBY
  end

  def test_warn_uses_the_gate
    assert_reentrant <<~'RUBY'
      PLACES.each do |place, run|
        Check.during("warn, #{place}") do
          gate = QuietGate.new
          results = nil
          gate.action = once(lambda do
            results = run.call(lambda do
              [gate.before_tool_call(call), gate.pending_approvals.size, gate.approve("call"),
               gate.before_tool_call(call), gate.before_tool_call(call("other"))]
            end)
          end)
          check("blocks", BLOCK, gate.before_tool_call(call))
          check("the calls in warn", [BLOCK, 1, true, PROCEED, BLOCK], results)
          check("warned once each", 2, gate.warnings.size)
          check("approved in warn", PROCEED, gate.before_tool_call(call))
        end
      end
    RUBY
  end

  def test_a_tool_call_uses_the_gate
    repaired!
    assert_reentrant <<~'RUBY'
      PLACES.each do |place, run|
        %i[id name arguments].each do |method|
          Check.during("#{method}, #{place}") do
            gate = QuietGate.new
            tool_call = call
            value = tool_call.public_send(method)
            result = nil
            use = once(-> { result = run.call(-> { gate.before_tool_call(call("other")) }) })
            tool_call.define_singleton_method(method) do
              use.call
              value
            end
            check("blocks", BLOCK, gate.before_tool_call(tool_call))
            check("and so does the other", BLOCK, result)
            check("both recorded", %w[call other], gate.pending_approvals.map(&:tool_call_id).sort)
          end
        end
      end
    RUBY
  end

  def test_the_parts_of_a_policy_use_it
    assert_reentrant <<~'RUBY'
      Tool = Struct.new(:name, :approval_required?, :auto_approvable?)
      PLACES.each do |place, run|
        parts = {
          "classify" => ->(use) { { rules: running(:classify, use) } },
          "[] of tools" => ->(use) { { tools: running(:[], use) } },
          "to_s of require_approval" => ->(use) { { require_approval: running(:to_s, use, "no") } },
          "name of a tool" => ->(use) { { tools: [running(:name, use, "no")] } }
        }
        parts.each do |part, make|
          Check.during("#{part}, #{place}") do
            policy = nil
            queue = pending_queue(1)
            results = nil
            use = once(lambda do
              results = run.call(lambda do
                [policy.before_tool_call(call), policy.lookup(1).status, queue.approve(1).size]
              end)
            end)
            policy = Ask::Permissions::ApprovalPolicy.new(queue: queue, **make.call(use))
            check("proceeds", PROCEED, policy.before_tool_call(call))
            check("and in the part", [PROCEED, :pending, 1], results)
          end
        end
      end
    RUBY
  end

  def test_a_callback_that_runs_a_whole_further_turn
    assert_reentrant <<~'RUBY'
      queue = Ask::Permissions::ApprovalQueue.new(auto_approve: { "auto" => true })
      tools = [Struct.new(:name, :approval_required?, :auto_approvable?).new("auto", true, true)]
      policy = Ask::Permissions::ApprovalPolicy.new(queue: queue, require_approval: "deploy", tools: tools)
      turns = []
      queue.on_approve = lambda do |action|
        turns << action.tool_call_id
        next if turns.size > 5

        threads = %w[auto deploy].map { |name| Thread.new { policy.before_tool_call(call(turns.size, name)) } }
        threads.each(&:join)
        queue.approve(*queue.pending_actions.map(&:id))
      end
      policy.before_tool_call(call(0, "deploy"))
      queue.approve_all
      check("nothing left", [[], [:approved]], [queue.pending_actions, statuses(queue).uniq])
      check("each ran once", statuses(queue).size, turns.size)
    RUBY
  end

  def test_a_rule_set_in_what_it_calls
    assert_reentrant <<~'RUBY'
      PLACES.each do |place, run|
        Check.during("rules, #{place}") do
          rules = Ask::Permissions::PermissionRules.new { deny "bash", "rm" }
          nested = nil
          use = once(lambda do
            run.call(lambda do
              nested = [rules.classify("bash", "rm x"), rules.rules.size]
              rules.ask("bash", "ls")
            end)
          end)
          arguments = running(:to_s, use, "ls")
          check("a rule added meanwhile does not decide", nil, rules.classify("bash", arguments))
          check("a classification inside", [:deny, 1], nested)
          check("it decides next time", :ask, rules.classify("bash", arguments))
        end
      end
      seen = nil
      rules = Ask::Permissions::PermissionRules.new do
        deny "bash"
        seen = classify("bash")
        allow "ls"
      end
      check("in its own block", [:deny, :allow], [seen, rules.classify("ls")])
    RUBY
  end

  private

  def assert_reentrant(code)
    assert_checks(SETUP + code)
  end
end
