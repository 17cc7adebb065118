# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# The garbage collector in the middle of everything: nothing is lost, moved away or kept for ever.
class LifecycleGcTest < Minitest::Test
  include Child::Assertions

  # A little of everything, with facts that tell when an object was lost.
  WORK = <<~'RUBY'
    Call = Struct.new(:id, :name, :arguments)

    def work(round)
      rules = Ask::Permissions::PermissionRules.new do
        deny "ba" + "sh", "r" + "m"
        ask Regexp.new("fi" + "le"), Regexp.new("secre" + "t")
        allow :all, "harm" + "less"
      end
      decisions = [["bash", { "command" => ["rm #{round}"] }], ["a file", "secret#{round}"], ["x", { harmless: round }], ["y", nil]]
      check("decisions", [:deny, :ask, :allow, nil], decisions.map { |name, args| rules.classify(name.dup, args) })
      check("of a copy", [:deny, :ask, :allow, nil], decisions.map { |name, args| rules.dup.classify(name.dup, args) })

      seen = []
      queue = Ask::Permissions::ApprovalQueue.new(
        auto_approve: { "au" + "to" => true }, on_submit: ->(action) { seen << action.message.dup },
        on_approve: ->(action) { seen << action.tool_name.dup }, on_reject: ->(action) { seen << action.args.to_s },
        clock: -> { "now#{round}" }
      )
      3.times do |n|
        queue.submit(tool_call_id: "c#{n}", tool_name: %w[auto ask no][n].dup, args: "a#{n}", auto_approvable: n.zero?, message: "m#{n}")
      end
      queue.approve(2)
      queue.reject_all
      check("callbacks", %w[m0 auto m1 m2 ask a2], seen)
      check("actions", [["c0", "auto", "a0", :approved, "now#{round}"], ["c1", "ask", "a1", :approved, "now#{round}"],
                        ["c2", "no", "a2", :rejected, "now#{round}"]],
            [1, 2, 3].map { |id| queue[id].to_h.values_at(:tool_call_id, :tool_name, :args, :status, :submitted_at) })

      gate = Ask::Permissions::Permissions.new(clock: -> { round })
      gate.define_singleton_method(:warn) { |*| }
      call = Call.new("id#{round}", "ba" + "sh", { "a" => "b#{round}" })
      check("blocks", :block, gate.before_tool_call(call)[:action])
      check("entry", ["id#{round}", { "a" => "b#{round}" }], gate.pending_approvals.first.to_h.values_at(:tool_call_id, :arguments))
      policy = Ask::Permissions::ApprovalPolicy.new(queue: queue, rules: rules, require_approval: [/ba/])
      check("policy", 4, policy.before_tool_call(call)[:action_id])
      check("lookup", "id#{round}", policy.lookup(4).tool_call_id)
      queue
    end
  RUBY

  def test_under_stress
    assert_checks WORK + <<~'RUBY'
      work(0)
      GC.stress = true
      2.times { |round| work(round) }
      GC.stress = false
    RUBY
  end

  def test_under_stress_when_callbacks_leave
    repaired!
    assert_checks WORK + <<~'RUBY', options: ["-r", "exits"]
      queue = pending_queue(3, auto_approve: { "tool1" => true })
      leave = nil
      queue.on_approve = ->(_) { leave.call }
      operation = ->(exit) { leave = exit; queue.approve(2) }
      raised = lambda do |kind|
        case kind
        when :raise then error_of { operation.call(-> { raise "left" }) }&.message
        when :throw then catch(:out) { operation.call(-> { throw :out, "left" }) }
        when :kill then Thread.new { operation.call(-> { Thread.current.kill }) }.value || "left"
        when :fiber then Fiber.new { operation.call(-> { Fiber.yield "left" }) }.resume
        end
      end
      GC.stress = true
      %i[raise throw kill].each { |kind| check(kind.to_s, ["left", :pending], [raised.call(kind), queue[2].status]) }
      GC.stress = false
      check("a dropped Fiber", "left", Thread.new { raised.call(:fiber) }.value)
      10.times { GC.start }
      check_usable(queue)
    RUBY
  end

  def test_objects_that_move
    assert_checks WORK + <<~'RUBY'
      queues = Array.new(20) { |round| work(round) }
      GC.auto_compact = true if GC.respond_to?(:auto_compact=)
      GC.verify_compaction_references(toward: :empty, expand_heap: true) if GC.respond_to?(:verify_compaction_references)
      queues.each_with_index do |queue, round|
        check("moved actions", ["now#{round}"], (1..4).map { |id| queue[id].submitted_at }.uniq)
        check("approve", ["id#{round}"], queue.approve_all.map(&:tool_call_id))
      end
      20.times { |round| work(round) }
    RUBY
  end

  def test_rules_whose_patterns_move
    assert_checks WORK + <<~'RUBY'
      rules = Ask::Permissions::PermissionRules.new
      300.times { |n| rules.deny("tool#{n}", "a#{n}-").ask(/\Atool#{n}\z/, Regexp.new("b#{n}-")).allow("sym#{n}".to_sym) }
      check_all = lambda do
        facts = (0...300).map { |n| [rules.classify("tool#{n}", "xa#{n}-"), rules.classify("tool#{n}", "xb#{n}-"), rules.classify("sym#{n}")] }
        check("decisions", [%i[deny ask allow]], facts.uniq)
      end
      check_all.call
      3.times do
        100.times { "garbage" * 100 }
        GC.respond_to?(:verify_compaction_references) ? GC.verify_compaction_references(toward: :empty, expand_heap: true) : GC.start
        check_all.call
      end
      check("patterns", ["tool0", "tool299"], rules.rules.map(&:tool_pattern).grep(String).values_at(0, -1))
    RUBY
  end

  def test_collecting_in_callbacks
    assert_checks WORK + <<~'RUBY'
      sweep = lambda do |*|
        Array.new(200) { Object.new }
        GC.start
        GC.compact if GC.respond_to?(:compact)
        5
      end
      queue = pending_queue(3, clock: sweep, on_submit: sweep, on_approve: sweep, on_reject: sweep, auto_approve: { "tool1" => true })
      check("approved", [2], queue.approve(2).map(&:id))
      check("rejected", [3], queue.reject(3).map(&:id))
      check("statuses", %i[approved approved rejected], statuses(queue))
      rules = Ask::Permissions::PermissionRules.new { deny "bash", "x" }
      check("rules", :deny, rules.classify(running(:to_s, sweep, "bash"), running(:to_s, sweep, "x")))
      check("rules and to_json", :deny, rules.classify("bash", { "x" => running(:to_json, sweep, "1") }))
    RUBY
  end

  # The queue itself is dropped by everybody while its callback runs.
  def test_a_queue_that_is_dropped_in_its_callback
    assert_checks WORK + <<~'RUBY'
      done = []
      10.times do
        done << pending_queue(2, on_approve: ->(action) { (done << action.id) && GC.start }).approve_all.map(&:status)
      end
      check("all went well", [[1, 2, %i[approved approved]]], done.each_slice(3).to_a.uniq)
    RUBY
  end

  def test_what_is_dropped_is_collected
    assert_checks WORK + <<~'RUBY'
      def make(count)
        Thread.new do
          count.times { |round| work(round) }
          nil
        end.join
      end

      make(50)
      20.times { GC.start }
      alive = [Ask::Permissions::ApprovalQueue, Ask::Permissions::PermissionRules, Ask::Permissions::Permissions,
               Ask::Permissions::ApprovalPolicy].sum { |type| ObjectSpace.each_object(type).count }
      check("few of 300 objects are left", true, alive < 30)
    RUBY
  end

  # An action that was resolved stays, as `queue[id]` shows it; its callback does not.
  def test_a_queue_keeps_its_actions_and_nothing_else
    assert_checks WORK + <<~'RUBY'
      require "weakref"
      queue = pending_queue(0)
      references = Thread.new do
        Array.new(50) do |n|
          own = Object.new
          queue.on_approve = ->(_) { own }
          queue.submit(tool_call_id: n, tool_name: "tool")
          queue.approve_all
          WeakRef.new(own)
        end
      end.value
      queue.on_approve = nil
      20.times { GC.start }
      check("callbacks are gone", true, references.count(&:weakref_alive?) < 5)
      check("actions are there", (0..49).to_a, (1..50).map { |id| queue[id].tool_call_id })
    RUBY
  end
end
