# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# Any way out of `on_approve` and `on_reject` other than returning puts the action back to :pending and goes on.
class ExitsApproveTest < Minitest::Test
  include Child::Assertions

  def setup
    repaired!
  end

  # Actions 1, 2 and 3; the callback leaves at 2.
  MIDDLE = <<~'RUBY'
    def leave_at_two(leave)
      ->(action) { leave.call if action.id == 2 }
    end

    def check_middle(queue, first)
      check("the one before is resolved, the one left is pending again", [first, :pending, :pending], statuses(queue))
      check("pending? of the one left", true, queue.pending?(2))
      check("pending ids", [2, 3], queue.pending_actions.map(&:id))
      check("any_pending?", true, queue.any_pending?)
    end
  RUBY

  def test_approve
    assert_exits <<~'RUBY'
      Exits.play("on_approve by approve") do |exits|
        queue = pending_queue(3)
        before = queue[2]
        exits.call { |leave| queue.on_approve = leave_at_two(leave); queue.approve(1, 2, 3) }
        check_middle(queue, :approved)
        check("the action is as it was", before, queue[2])
        queue.on_approve = seen = [].method(:push)
        check("approved when tried again", [[2, :approved]], queue.approve(2).map { [_1.id, _1.status] })
        check("its callback ran again", [[2, :applying]], seen.receiver.map { [_1.id, _1.status] })
        check_usable(queue)
      end
    RUBY
  end

  def test_the_callback_itself_is_the_proc_that_leaves
    assert_exits <<~'RUBY'
      Exits.play("on_approve as the leaving proc") do |exits|
        queue = pending_queue(1)
        exits.call { |leave| queue.on_approve = leave; queue.approve(1) }
        check("pending again", [:pending], statuses(queue))
        exits.call { |leave| queue.on_reject = leave; queue.reject(1) }
        check("pending again", [:pending], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_approve_all
    assert_exits <<~'RUBY'
      Exits.play("on_approve by approve_all") do |exits|
        queue = pending_queue(3)
        exits.call { |leave| queue.on_approve = leave_at_two(leave); queue.approve_all }
        check_middle(queue, :approved)
        check_usable(queue)
      end
    RUBY
  end

  def test_reject
    assert_exits <<~'RUBY'
      Exits.play("on_reject by reject") do |exits|
        queue = pending_queue(3)
        exits.call { |leave| queue.on_reject = leave_at_two(leave); queue.reject(3, 2, 1) }
        check_middle(queue, :rejected)
        queue.on_reject = nil
        check("rejected when tried again", [[2, :rejected]], queue.reject(2).map { [_1.id, _1.status] })
        check_usable(queue)
      end
    RUBY
  end

  def test_reject_all
    assert_exits <<~'RUBY'
      Exits.play("on_reject by reject_all") do |exits|
        queue = pending_queue(3)
        exits.call { |leave| queue.on_reject = leave_at_two(leave); queue.reject_all }
        check_middle(queue, :rejected)
        check_usable(queue)
      end
    RUBY
  end

  def test_drain
    assert_exits <<~'RUBY'
      Exits.play("on_approve by drain") do |exits|
        auto = {}
        queue = pending_queue(3, auto_approve: auto)
        auto.update("tool1" => true, "tool2" => true, "tool3" => true)
        exits.call { |leave| queue.on_approve = leave_at_two(leave); queue.drain }
        check_middle(queue, :approved)
        queue.on_approve = nil
        check("drains again", queue.object_id, queue.drain.object_id)
        check("all drained", %i[approved approved approved], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_submit_that_drains
    assert_exits <<~'RUBY'
      Exits.play("on_approve by submit") do |exits|
        queue = pending_queue(1, auto_approve: { "tool1" => true, "tool2" => true, "tool3" => true })
        exits.call do |leave|
          queue.on_approve = leave_at_two(leave)
          queue.submit(tool_call_id: "call2", tool_name: "tool2", auto_approvable: true)
        end
        check("pending again", %i[approved pending], statuses(queue))
        queue.on_approve = nil
        queue.submit(tool_call_id: "call3", tool_name: "tool3", auto_approvable: true)
        check("the next submission drains both", %i[approved approved approved], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_nested
    assert_exits <<~'RUBY'
      Exits.play("on_approve of 2 inside on_approve of 1") do |exits|
        queue = pending_queue(3)
        exits.call do |leave|
          queue.on_approve = ->(action) { action.id == 1 ? queue.approve(3, 2) : leave_at_two(leave).call(action) }
          queue.approve(1)
        end
        check("all that was being applied is pending again", %i[pending pending pending], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_overridden_hooks
    assert_exits <<~'RUBY'
      class Before < Ask::Permissions::ApprovalQueue
        attr_accessor :leave

        def apply(action)
          leave&.call
          super
        end

        def reject_action(action)
          leave&.call
          super
        end
      end

      class After < Ask::Permissions::ApprovalQueue
        attr_accessor :leave

        def apply(...)
          super.tap { leave&.call }
        end

        def reject_action(...)
          super.tap { leave&.call }
        end
      end

      { Before => %i[pending pending], After => %i[approved rejected] }.each do |type, (approved, rejected)|
        Exits.play("hooks of #{type}", except: [:unknown_approval]) do |exits|
          queue = pending_queue(2, type: type)
          exits.call { |leave| queue.leave = leave; queue.approve(1) }
          exits.call { |leave| queue.leave = leave; queue.reject(2) }
          check("left before or after it was resolved", [approved, rejected], statuses(queue))
          queue.leave = nil
          check_usable(queue)
        end
      end
    RUBY
  end

  # A hook that is overridden may say so of an action that is gone: approve leaves it out, and drain does not loop.
  def test_unknown_approval_error_of_an_overridden_hook
    assert_exits <<~'RUBY'
      class Choosy < Ask::Permissions::ApprovalQueue
        attr_accessor :refused

        def apply(action)
          raise Ask::Permissions::UnknownApprovalError, "gone" if action.id == refused

          super
        end
      end

      queue = pending_queue(3, type: Choosy, auto_approve: (auto = {}))
      queue.refused = 2
      check("approve leaves it out", [1, 3], queue.approve(1, 2, 3).map(&:id))
      auto["tool2"] = true
      check("drain passes it on", "gone", error_of { queue.drain }&.message)
      queue.refused = nil
      check_usable(queue)
    RUBY
  end

  private

  def assert_exits(code)
    assert_checks(MIDDLE + code, options: ["-r", "exits"])
  end
end
