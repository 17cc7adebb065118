# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"

# Ways out of what `submit` and `drain` call before anything is applied: nothing is half done, nothing is stuck.
class ExitsSubmitTest < Minitest::Test
  include Child::Assertions

  def test_on_submit
    assert_exits <<~'RUBY'
      Exits.play("on_submit") do |exits|
        queue = pending_queue(0, auto_approve: { "tool1" => true })
        submit = -> { queue.submit(tool_call_id: "call", tool_name: "tool1", auto_approvable: true) }
        exits.call { |leave| queue.on_submit = leave; submit.call }
        check("recorded, and nothing drained", [:pending], statuses(queue))
        queue.on_submit = nil
        check("the next id", 2, submit.call)
        check("both drained by the next submission", %i[approved approved], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_on_submit_as_the_leaving_proc_in_a_nested_submission
    assert_exits <<~'RUBY'
      Exits.play("on_submit of 2 inside on_submit of 1") do |exits|
        queue = pending_queue(0)
        exits.call do |leave|
          queue.on_submit = lambda do |action|
            action.id == 1 ? queue.submit(tool_call_id: "call2", tool_name: "tool2") : leave.call
          end
          queue.submit(tool_call_id: "call1", tool_name: "tool1")
        end
        check("both recorded", %i[pending pending], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_clock
    assert_exits <<~'RUBY'
      Exits.play("clock of the queue") do |exits|
        leave = nil
        queue = pending_queue(0, clock: -> { leave ? leave.call : 5 })
        submit = -> { queue.submit(tool_call_id: "call", tool_name: "tool1") }
        exits.call { |exit| leave = exit; submit.call }
        leave = nil
        check("not recorded", [nil, []], [queue[1], queue.pending_actions])
        check("its id is not used again", 2, submit.call)
        check("the clock serves again", 5, queue[2].submitted_at)
        check_usable(queue)
      end
    RUBY
  end

  def test_tool_name
    assert_exits <<~'RUBY'
      Exits.play("to_s of the tool name") do |exits|
        queue = pending_queue(0)
        exits.call { |leave| queue.submit(tool_call_id: "call", tool_name: running(:to_s, leave, "name")) }
        check("not recorded", [], queue.pending_actions)
        check_usable(queue)
      end
    RUBY
  end

  def test_auto_approve_in_drain
    assert_exits <<~'RUBY'
      class Table < Hash
        attr_accessor :leave

        def [](name)
          leave&.call
          super
        end
      end

      Exits.play("auto_approve#[]") do |exits|
        table = Table.new
        queue = pending_queue(2, auto_approve: table)
        table.update("tool1" => true, "tool2" => true)
        exits.call { |leave| table.leave = leave; queue.drain }
        exits.call do |leave|
          table.leave = leave
          queue.submit(tool_call_id: "call3", tool_name: "tool3", auto_approvable: true)
        end
        check("all pending", %i[pending pending pending], statuses(queue))
        table.leave = nil
        queue.drain
        check("drains again", %i[approved approved pending], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_arguments_of_approve_and_reject
    assert_exits <<~'RUBY'
      Exits.play("to_ary of an id") do |exits|
        queue = pending_queue(2)
        exits.call { |leave| queue.approve(1, running(:to_ary, leave, [2])) }
        exits.call { |leave| queue.reject(1, running(:to_ary, leave, [2])) }
        check("nothing resolved", %i[pending pending], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  def test_hash_of_an_id
    assert_exits <<~'RUBY'
      Exits.play("hash of an id") do |exits|
        queue = pending_queue(2)
        exits.call { |leave| queue[running(:hash, leave, 1)] }
        exits.call { |leave| queue.pending?(running(:hash, leave, 1)) }
        exits.call { |leave| queue.approve(1, running(:hash, leave, 1)) }
        check("nothing resolved", %i[pending pending], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  private

  def assert_exits(code)
    assert_checks(code, options: ["-r", "exits"])
  end
end
