# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# What was resolved costs later calls nothing. Counted, not timed: objects made, bytes asked for, methods called.
class ComplexityTest < Minitest::Test
  include Child::Assertions

  COUNTERS = <<~'RUBY'
    # Objects and bytes that the block allocates, and Ruby and C methods that it calls.
    def costs
      calls = 0
      trace = TracePoint.new(:call, :c_call) { calls += 1 }
      GC.start
      GC.disable
      objects = GC.stat(:total_allocated_objects)
      bytes = GC.stat(:malloc_increase_bytes)
      yield
      objects = GC.stat(:total_allocated_objects) - objects
      bytes = GC.stat(:malloc_increase_bytes) - bytes
      trace.enable { yield }
      { objects: objects, bytes: bytes, calls: calls }
    ensure
      GC.enable
    end

    # Twenty of an operation, warmed up.
    def costs_of(&operation)
      5.times(&operation)
      costs { 20.times(&operation) }
    end

    # Arrays and tables grow now and then, hence the slack: far below what a look at each of many would cost.
    def check_flat(name, few, many)
      slack = { objects: 20, bytes: 20_000, calls: 20 }
      slack.each do |what, allowed|
        check("#{name}: #{what} #{few[what]}, then #{many[what]}", true, many[what] <= few[what] + allowed)
      end
    end

    def resolved_queue(size)
      queue = Ask::Permissions::ApprovalQueue.new(auto_approve: { "auto" => true })
      size.times { |n| queue.reject(queue.submit(tool_call_id: n, tool_name: "asked")) }
      queue
    end

    FEW = 100
    MANY = 5_000

    def compare(name, few, many, &operation)
      Check.during(name) { check_flat(name, *[few, many].map { |object| costs_of { operation.call(object) } }) }
    end
  RUBY

  def test_resolved_actions_cost_nothing
    repaired!
    assert_checks COUNTERS + <<~'RUBY'
      few = resolved_queue(FEW)
      many = resolved_queue(MANY)
      {
        "submit and approve" => ->(queue) { queue.approve(queue.submit(tool_call_id: 1, tool_name: "asked")) },
        "submit and reject" => ->(queue) { queue.reject(queue.submit(tool_call_id: 1, tool_name: "asked")) },
        "submit and drain" => ->(queue) { queue.submit(tool_call_id: 1, tool_name: "auto", auto_approvable: true) },
        "drain" => ->(queue) { queue.drain },
        "pending_actions" => ->(queue) { queue.pending_actions },
        "any_pending?" => ->(queue) { queue.any_pending? },
        "pending?" => ->(queue) { queue.pending?(7) },
        "approve_all" => ->(queue) { queue.approve_all },
        "approve of what is resolved" => ->(queue) { queue.approve(3) },
        "[]" => ->(queue) { queue[5] }
      }.each { |name, operation| compare(name, few, many, &operation) }
    RUBY
  end

  def test_pending_actions_do_not_make_each_other_dear
    repaired!
    assert_checks COUNTERS + <<~'RUBY'
      few = pending_queue(FEW)
      many = pending_queue(MANY)
      compare("submit behind others", few, many) { |queue| queue.submit(tool_call_id: 1, tool_name: "asked") }
      compare("approve the last", few, many) { |queue| queue.approve(queue.submit(tool_call_id: 1, tool_name: "x")) }
      first = Hash.new(0).compare_by_identity
      compare("approve the first", few, many) { |queue| queue.approve(first[queue] += 1) }
      compare("drain before a head that waits", few, many) { |queue| queue.drain }
    RUBY
  end

  def test_draining_costs_the_same_for_each
    repaired!
    assert_checks COUNTERS + <<~'RUBY'
      costs = [FEW, 10 * FEW].map do |size|
        queues = Array.new(2) { pending_queue(size, auto_approve: {}) }
        queues.each { |queue| (1..size).each { |n| queue.auto_approve["tool#{n}"] = true } }
        costs { queues.shift.drain }.slice(:objects, :calls).transform_values { |count| count.fdiv(size) }
      end
      costs.first.each do |what, each|
        check("#{what} for each: #{each}, then #{costs.last[what]}", true, costs.last[what] <= each + 2)
      end
    RUBY
  end

  def test_entries_of_a_gate
    assert_checks COUNTERS + <<~'RUBY'
      Call = Struct.new(:id, :name, :arguments)
      gates = [FEW, MANY].map do |size|
        gate = Ask::Permissions::Permissions.new(timeout: 1_000)
        gate.define_singleton_method(:warn) { |*| }
        size.times { |n| gate.before_tool_call(Call.new(n, "bash", {})) }
        gate
      end
      compare("before_tool_call", *gates) { |gate| gate.before_tool_call(Call.new(5, "bash", {})) }
      compare("approve", *gates) { |gate| gate.approve(7) }
    RUBY
  end

  def test_rules_of_other_tools
    repaired!
    assert_checks COUNTERS + <<~'RUBY'
      sets = [10, 2_000].map do |size|
        rules = Ask::Permissions::PermissionRules.new
        size.times { |n| rules.deny("tool#{n}", "x") }
        rules.ask("bash", "rm")
      end
      compare("a rule behind others", *sets) { |rules| rules.classify("bash", { "command" => "rm" }) }
      compare("no rule", *sets) { |rules| rules.classify("none", { "command" => "rm" }) }
      compare("declaring", *sets) { |rules| rules.allow("new") }
    RUBY
  end

  # Names come from a model: however many there are, they must not pile up.
  def test_unknown_tool_names_are_not_kept
    assert_checks COUNTERS + <<~'RUBY'
      require "objspace"
      rules = Ask::Permissions::PermissionRules.new { deny "bash", "rm" }
      ask = lambda do |from, to|
        (from..to).each { |n| rules.classify("unknown tool #{n}", "text #{n}") }
        GC.start
        ObjectSpace.memsize_of_all
      end
      before = ask.call(0, 20_000)
      check("memory stays", true, ask.call(20_001, 60_000) < before + 500_000)
    RUBY
  end

  def test_bytes_of_an_action
    assert_checks COUNTERS + <<~'RUBY'
      require "objspace"
      queue = pending_queue(0)
      size = lambda do
        3.times { GC.start }
        ObjectSpace.memsize_of_all
      end
      queue.submit(tool_call_id: 0, tool_name: "tool")
      before = size.call
      5_000.times { |n| queue.approve(queue.submit(tool_call_id: n, tool_name: "tool", message: nil)) }
      each = (size.call - before) / 5_000
      check("#{each} bytes for each", true, each < 1_000)
      check("none of them pending", 1, queue.pending_actions.size)
    RUBY
  end
end
