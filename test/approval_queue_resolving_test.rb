# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"
require_relative "support/reference"

# Approving and rejecting by hand.
class ApprovalQueueResolvingTest < Minitest::Test
  include Doubles

  Queue = Ask::Permissions::ApprovalQueue
  Unknown = Ask::Permissions::UnknownApprovalError

  def setup
    @queue = Queue.new
    3.times { submit(@queue) }
  end

  def ids(actions)
    actions.map(&:id)
  end

  def statuses
    [1, 2, 3].map { |id| @queue[id].status }
  end

  # Which ids

  def test_ids_are_flattened
    assert_equal [1, 2, 3], ids(@queue.approve([1, [2, []]], 3))
    assert_equal [], @queue.reject([])
  end

  def test_repeated_ids_count_once
    calls = 0
    @queue.on_reject = ->(_action) { calls += 1 }
    assert_equal [2], ids(@queue.reject(2, [2], 2))
    assert_equal 1, calls
  end

  def test_ids_are_resolved_in_ascending_order_whatever_the_order_given
    order = []
    @queue.on_approve = ->(action) { order << action.id }
    assert_equal [1, 2, 3], ids(@queue.approve(3, 1, 2))
    assert_equal [1, 2, 3], order
  end

  def test_what_is_no_known_id_is_ignored
    assert_equal [1], ids(@queue.approve("1", 1.0, nil, :one, Object.new, 0, -1, 2**70, 1))
    assert_equal %i[approved pending pending], statuses
  end

  def test_without_ids_nothing_happens
    assert_equal [[], []], [@queue.approve, @queue.reject]
    assert_equal %i[pending pending pending], statuses
  end

  def test_an_action_is_not_an_id
    assert_equal [], @queue.approve(@queue[1])
  end

  # What comes back

  def test_the_resolved_actions_come_back_as_stored
    resolved = @queue.approve(1, 2)
    assert_equal [@queue[1], @queue[2]], resolved
    assert_equal(%i[approved approved], resolved.map(&:status))
    assert_equal(:rejected, @queue.reject(3).first.status)
  end

  def test_nothing_but_the_status_changes
    before = @queue[1].to_h
    @queue.approve(1)
    assert_equal before.merge(status: :approved), @queue[1].to_h
  end

  # During a callback

  def test_the_action_is_applying_in_the_callback_and_in_the_queue
    seen = []
    hook = lambda { |action|
      seen << [action.status, @queue[action.id].status, @queue.pending?(action.id), ids(@queue.pending_actions)]
    }
    @queue.on_approve = @queue.on_reject = hook
    @queue.approve(1)
    @queue.reject(2)
    assert_equal [[:applying, :applying, false, [2, 3]], [:applying, :applying, false, [3]]], seen
  end

  def test_what_is_applying_is_neither_pending_nor_to_be_resolved
    seen = []
    @queue.reject(2, 3)
    @queue.on_approve = lambda { |action|
      seen << @queue.any_pending? << @queue.approve(action.id) << @queue.reject(action.id) << @queue.approve_all
    }
    @queue.approve(1)
    assert_equal [false, [], [], []], seen
    assert_equal :approved, @queue[1].status
  end

  def test_a_callback_may_resolve_others
    @queue.on_approve = ->(action) { @queue.reject(2) if action.id == 1 }
    assert_equal [1, 3], ids(@queue.approve(1, 2, 3))
    assert_equal %i[approved rejected approved], statuses
  end

  def test_a_callback_may_submit
    @queue.on_approve = ->(_action) { submit(@queue, "next") }
    @queue.approve(1)
    assert_equal :pending, @queue[4].status
  end

  def test_the_value_of_a_callback_does_not_matter
    @queue.on_approve = ->(_action) { false }
    @queue.on_reject = ->(_action) {}
    assert_equal [[1], [2]], [ids(@queue.approve(1)), ids(@queue.reject(2))]
  end

  def test_the_callback_is_the_one_in_place_when_it_is_called
    log = []
    @queue.on_approve = lambda { |action|
      log << [:first, action.id]
      @queue.on_approve = ->(later) { log << [:second, later.id] }
    }
    @queue.approve(1, 2)
    assert_equal [[:first, 1], [:second, 2]], log
  end

  # Errors

  def test_an_error_in_the_middle_keeps_what_was_done_and_what_was_not_begun
    @queue.on_approve = ->(action) { raise IOError, "second" if action.id == 2 }
    assert_equal "second", assert_raises(IOError) { @queue.approve(1, 2, 3) }.message
    assert_equal %i[approved pending pending], statuses
    @queue.on_reject = ->(action) { raise IOError if action.id == 2 }
    assert_raises(IOError) { @queue.reject(2, 3) }
    assert_equal %i[approved pending pending], statuses
  end

  def test_an_action_that_was_put_back_is_as_before_and_can_be_resolved
    before = @queue[1]
    @queue.on_approve = ->(_action) { raise IOError }
    assert_raises(IOError) { @queue.approve(1) }
    assert_equal before, @queue[1]
    assert_equal [1, 2, 3], ids(@queue.pending_actions)
    assert_equal [1], ids(@queue.reject(1))
  end

  def test_an_unknown_approval_error_of_a_callback_goes_to_the_caller
    repaired!
    @queue.on_approve = @queue.on_reject = ->(_action) { raise Unknown, "not mine" }
    assert_equal "not mine", assert_raises(Unknown) { @queue.approve(1, 2) }.message
    assert_equal "not mine", assert_raises(Unknown) { @queue.reject(1, 2) }.message
    assert_equal %i[pending pending pending], statuses
  end

  # The hooks

  def test_the_hooks_return_the_resolved_action
    assert_equal [@queue[1].with(status: :approved), @queue[2].with(status: :rejected)],
                 [@queue.send(:apply, @queue[1]), @queue.send(:reject_action, @queue[2])]
    assert_equal %i[approved rejected pending], statuses
  end

  def test_the_hooks_refuse_what_is_not_pending
    @queue.approve(1)
    stranger = @queue[2].with(id: 99)
    { @queue[1] => "1", stranger => "99", @queue[2].with(id: "2") => '"2"' }.each do |action, shown|
      %i[apply reject_action].each do |hook|
        error = assert_raises(Unknown) { @queue.send(hook, action) }
        assert_equal "unknown pending approval: #{shown}", error.message
      end
    end
  end

  def test_the_hooks_go_by_id_not_by_the_status_they_are_given
    assert_equal :approved, @queue.send(:apply, @queue[1].with(status: :rejected)).status
  end

  def test_the_hooks_take_anything_with_an_id
    assert_equal :approved, @queue.send(:apply, Struct.new(:id).new(2)).status
  end

  def test_what_a_hook_returns_is_collected_unless_it_is_nil_or_false
    answers = { 1 => :one, 2 => nil, 3 => false }
    queue = Class.new(Queue) { define_method(:apply) { |action| answers[action.id] } }.new
    3.times { submit(queue) }
    assert_equal [:one], queue.approve(1, 2, 3)
  end

  def test_the_hooks_are_called_once_for_each_pending_action_and_for_no_other
    called = []
    queue = Class.new(Queue) { define_method(:apply) { |action| called << [action.id, action.status] } }.new
    3.times { submit(queue) }
    queue.reject(2)
    queue.approve(3, 1, [2, 3], 99, 1)
    assert_equal [[1, :pending], [3, :pending]], called
  end

  def test_an_unknown_approval_error_of_an_own_hook_skips_that_action
    hook = ->(action) { action.id == 2 ? raise(Unknown, "gone") : action }
    queue = Class.new(Queue) { define_method(:reject_action, &hook) }.new
    3.times { submit(queue) }
    assert_equal [1, 3], ids(queue.reject(1, 2, 3))
  end

  # All

  def test_approve_all_and_reject_all_go_through_the_public_methods
    calls = []
    queue = Class.new(Queue) do
      define_method(:pending_actions) { super().first(1) }
      define_method(:approve) { |*given| (calls << [:approve, given]) && super(*given) }
      define_method(:reject) { |*given| (calls << [:reject, given]) && super(*given) }
    end.new
    3.times { submit(queue) }
    assert_equal [1], ids(queue.approve_all)
    assert_equal [2], ids(queue.reject_all)
    assert_equal [[:approve, [1]], [:reject, [2]]], calls
  end

  def test_approve_all_takes_what_is_pending_at_the_start
    @queue.on_approve = ->(_action) { submit(@queue) if @queue[4].nil? }
    assert_equal [1, 2, 3], ids(@queue.approve_all)
    assert_equal [4], ids(@queue.pending_actions)
  end

  # An Action is an object like any other.

  def test_an_action_with_a_singleton_class_is_resolved_like_any_other
    touch = ->(action) { action.singleton_class }
    queue = Ask::Permissions::ApprovalQueue.new(on_submit: touch, on_approve: touch, auto_approve: { "fetch" => true })
    first = queue.submit(tool_call_id: 1, tool_name: "bash")
    assert_equal [:approved], queue.approve(first).map(&:status)
    second = queue.submit(tool_call_id: 2, tool_name: "fetch", auto_approvable: true)
    assert_predicate queue[second], :approved?
    queue.on_approve = ->(action) { action.singleton_class && raise(IOError) }
    third = queue.submit(tool_call_id: 3, tool_name: "bash")
    assert_raises(IOError) { queue.approve(third) }
    assert_predicate queue[third], :pending?
  end
end
