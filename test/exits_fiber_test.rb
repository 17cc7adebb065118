# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# A Fiber that yields inside a callback. While it can be resumed, what it is doing goes on; once it has been
# collected, nobody can finish, and its action is pending again.
class ExitsFiberTest < Minitest::Test
  include Child::Assertions

  # Suspends fibers that nothing refers to, on a stack that is gone, and collects until they are.
  ABANDON = <<~'RUBY'
    require "weakref"

    def suspended
      fiber = Fiber.new { yield }
      check("suspended in the callback", :inside, fiber.resume)
      fiber
    end

    INSIDE = ->(*) { Fiber.yield :inside }

    def collected(objects)
      references = Thread.new { objects.map { |object| WeakRef.new(suspended { yield object }) } }.value
      20.times do
        GC.start
        break if references.none?(&:weakref_alive?)
      end
      gone = objects.zip(references).reject { |_, reference| reference.weakref_alive? }.map(&:first)
      check("most fibers are collected", true, gone.size > objects.size / 2)
      gone
    end

    def queues(size, **options)
      Array.new(20) { pending_queue(size, **options) }
    end
  RUBY

  def test_resumed_later
    assert_checks ABANDON + <<~'RUBY'
      queue = pending_queue(3)
      queue.on_approve = ->(action) { Fiber.yield :inside if action.id == 1 }
      result = nil
      fiber = suspended { result = queue.approve(1) }
      GC.start
      check("goes on", %i[applying pending pending], statuses(queue))
      check("cannot be approved or rejected", [[], []], [queue.approve(1), queue.reject(1)])
      check("others can", [2], queue.approve(1, 2).map(&:id))
      check("from threads too", [3], Thread.new { queue.approve_all.map(&:id) }.value)
      fiber.resume
      check("approved in the end", [1, :approved], [result.first.id, queue[1].status])
      check_usable(queue)
    RUBY
  end

  def test_resumed_later_in_a_drain
    assert_checks ABANDON + <<~'RUBY'
      auto = {}
      queue = pending_queue(2, auto_approve: auto)
      auto.update("tool1" => true, "tool2" => true)
      queue.on_approve = ->(action) { Fiber.yield :inside if action.id == 1 }
      fiber = suspended { queue.drain }
      check("a second drain returns at once", queue.object_id, queue.drain.object_id)
      queue.submit(tool_call_id: "call3", tool_name: "tool1", auto_approvable: true)
      check("the first has not ended", %i[applying pending pending], statuses(queue))
      fiber.resume
      check("it drains what came meanwhile", %i[approved approved approved], statuses(queue))
      check_usable(queue)
    RUBY
  end

  def test_collected_in_approve_and_reject
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      gone = collected(queues(3)) do |queue|
        queue.on_approve = ->(action) { Fiber.yield :inside if action.id == 2 }
        queue.approve_all
      end
      gone.each do |queue|
        check("pending again", %i[approved pending pending], statuses(queue))
        check("listed", [[2, 3], true], [queue.pending_actions.map(&:id), queue.pending?(2)])
        queue.on_approve = nil
        check("approved when tried again", [[2, :approved]], queue.approve(2).map { [_1.id, _1.status] })
        check_usable(queue)
      end
      gone = collected(queues(1, on_reject: INSIDE)) { |queue| queue.reject(1) }
      gone.each do |queue|
        check("pending again", [:pending], statuses(queue))
        queue.on_reject = nil
        check("rejected when tried again", [:rejected], queue.reject_all.map(&:status))
        check_usable(queue)
      end
    RUBY
  end

  def test_collected_is_seen_by_whatever_is_asked_first
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      {
        "[]" => ->(queue) { queue[1].status == :pending },
        "pending?" => ->(queue) { queue.pending?(1) },
        "any_pending?" => ->(queue) { queue.any_pending? },
        "pending_actions" => ->(queue) { queue.pending_actions.map(&:status) == [:pending] },
        "approve" => ->(queue) { (queue.on_approve = nil) || queue.approve(1).map(&:status) == [:approved] },
        "reject" => ->(queue) { queue.reject(1).map(&:status) == [:rejected] },
        "approve_all" => ->(queue) { (queue.on_approve = nil) || queue.approve_all.map(&:status) == [:approved] },
        "reject_all" => ->(queue) { queue.reject_all.map(&:status) == [:rejected] },
        "drain" => lambda do |queue|
          queue.on_approve = nil
          queue.auto_approve["tool1"] = true
          queue.drain[1].approved?
        end,
        "submit" => lambda do |queue|
          queue.on_approve = nil
          queue.auto_approve["tool1"] = true
          queue.submit(tool_call_id: "next", tool_name: "tool1", auto_approvable: true)
          statuses(queue) == %i[approved approved]
        end
      }.each do |name, question|
        Check.during(name) do
          all = Array.new(20) { pending_queue(1, on_approve: INSIDE, auto_approve: {}) }
          gone = collected(all) { |queue| queue.approve(1) }
          check("seen", true, gone.all?(&question))
        end
      end
    RUBY
  end

  def test_collected_in_a_drain
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      gone = collected(queues(2, auto_approve: {}, on_approve: INSIDE)) do |queue|
        queue.auto_approve.update("tool1" => true, "tool2" => true)
        queue.drain
      end
      gone.each do |queue|
        check("pending again", %i[pending pending], statuses(queue))
        queue.on_approve = nil
        queue.drain
        check("drains again", %i[approved approved], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_collected_in_a_submission
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      submit = ->(queue) { queue.submit(tool_call_id: "a", tool_name: "auto", auto_approvable: true) }
      gone = collected(queues(0, auto_approve: { "auto" => true }, on_approve: INSIDE), &submit)
      gone.each do |queue|
        check("pending again", [:pending], statuses(queue))
        queue.on_approve = nil
        submit.call(queue)
        check("the next submission drains both", %i[approved approved], statuses(queue))
      end
    RUBY
  end

  def test_collected_in_nested_callbacks
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      gone = collected(queues(3)) do |queue|
        queue.on_approve = ->(action) { action.id == 3 ? Fiber.yield(:inside) : queue.approve(action.id + 1) }
        queue.approve(1)
      end
      gone.each do |queue|
        check("all of them pending again", %i[pending pending pending], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_collected_one_by_one_on_one_queue
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      queue = pending_queue(60)
      queue.on_approve = INSIDE
      kept = suspended { queue.approve(60) }
      gone = collected((1..40).to_a) { |id| queue.approve(id) }
      check("those collected are pending again", [:pending], gone.map { |id| queue[id].status }.uniq)
      check("one that is kept goes on", :applying, queue[60].status)
      check("others were never touched", [:pending], (41..59).map { |id| queue[id].status }.uniq)
      kept.resume
      check("and ends", :approved, queue[60].status)
    RUBY
  end

  def test_collected_in_on_submit_and_auto_approve
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      gone = collected(queues(0, on_submit: INSIDE)) { |queue| queue.submit(tool_call_id: "a", tool_name: "a") }
      gone.each do |queue|
        check("recorded", [:pending], statuses(queue))
        check_usable(queue)
      end

      class Table < Hash
        def [](name)
          Fiber.yield :inside if name == "tool1"
          super
        end
      end

      all = Array.new(20) { pending_queue(0, auto_approve: Table.new) }
      gone = collected(all) { |queue| queue.submit(tool_call_id: "a", tool_name: "tool1", auto_approvable: true) }
      gone.each do |queue|
        check("recorded", [:pending], statuses(queue))
        queue.approve_all
        check_usable(queue)
      end
    RUBY
  end

  def test_an_enumerator_that_is_dropped
    repaired!
    assert_checks ABANDON + <<~'RUBY'
      all = queues(3, on_approve: ->(action) { Thread.current[:yielder] << action.id })
      references = Thread.new do
        all.map do |queue|
          enumerator = Enumerator.new do |yielder|
            Thread.current[:yielder] = yielder # seen by this Fiber only
            queue.approve_all
          end
          check("the callback's value", 1, enumerator.next)
          WeakRef.new(enumerator)
        end
      end.value
      20.times { GC.start if references.any?(&:weakref_alive?) }
      gone = all.zip(references).reject { |_, reference| reference.weakref_alive? }.map(&:first)
      check("most are collected", true, gone.size > 10)
      GC.start
      check("all pending again", [%i[pending pending pending]], gone.map { |queue| statuses(queue) }.uniq)
    RUBY
  end
end
