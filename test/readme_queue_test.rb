# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# What the documentation says of ApprovalQueue, statement by statement.
class ReadmeQueueTest < Minitest::Test
  include Doubles

  Queue = Ask::Permissions::ApprovalQueue

  def setup
    @seen = []
    @queue = Queue.new(
      auto_approve: { "fetch" => true },
      on_submit: ->(action) { @seen << [:submit, action.id, action.status] },
      on_approve: ->(action) { @seen << [:approve, action.id, action.status] },
      on_reject: ->(action) { @seen << [:reject, action.id, action.status] }
    )
  end

  def statuses
    (1..).lazy.map { |id| @queue[id] }.take_while(&:itself).map(&:status).to_a
  end

  # Submitting

  def test_a_submission_becomes_an_immutable_data_object
    action = @queue[submit(@queue)]
    assert_kind_of Data, action
    assert_instance_of Queue::Action, action
    assert_predicate action, :frozen?
  end

  def test_ids_are_sequential_integers_given_when_submitting
    assert_equal([1, 2, 3], Array.new(3) { submit(@queue) })
  end

  def test_ids_go_on_after_a_resolution
    submit(@queue)
    @queue.reject(1)
    assert_equal 2, submit(@queue)
  end

  def test_submit_takes_five_keywords_and_returns_the_id
    id = @queue.submit(
      tool_call_id: "tc-1", tool_name: "bash", args: { "command" => "ls" }, auto_approvable: false, message: "look"
    )
    assert_equal 1, id
    action = @queue[id]
    assert_equal ["tc-1", "bash", { "command" => "ls" }], [action.tool_call_id, action.tool_name, action.args]
    assert_equal [false, "look"], [action.auto_approvable, action.message]
  end

  def test_submit_needs_only_the_call_and_the_tool
    action = @queue[@queue.submit(tool_call_id: "tc-2", tool_name: "read")]
    assert_equal [{}, false, nil], [action.args, action.auto_approvable, action.message]
  end

  def test_looking_up_gives_the_action_or_nil
    submit(@queue)
    assert_equal 1, @queue[1].id
    assert_nil @queue[2]
  end

  def test_pending_actions_are_those_with_that_status
    3.times { submit(@queue) }
    @queue.approve(1)
    @queue.reject(3)
    assert_equal([2], @queue.pending_actions.map(&:id))
    assert(@queue.pending_actions.all? { |action| action.status == :pending })
  end

  def test_pending_is_asked_of_one_id_and_of_the_queue
    refute @queue.any_pending?
    submit(@queue)
    assert_same true, @queue.pending?(1)
    assert_same true, @queue.any_pending?
    @queue.approve(1)
    assert_same false, @queue.pending?(1)
    assert_same false, @queue.pending?(77)
    assert_same false, @queue.any_pending?
  end

  # Resolving

  def test_approve_returns_the_action_and_calls_on_approve
    submit(@queue)
    assert_equal([[1, :approved]], @queue.approve(1).map { |action| [action.id, action.status] })
    assert_includes @seen, [:approve, 1, :applying]
  end

  def test_reject_returns_the_action_and_calls_on_reject
    submit(@queue)
    assert_equal([[1, :rejected]], @queue.reject(1).map { |action| [action.id, action.status] })
    assert_includes @seen, [:reject, 1, :applying]
  end

  def test_neither_approve_nor_reject_drains
    2.times { submit(@queue) }
    submit(@queue, "fetch", auto_approvable: true)
    @queue.approve(1)
    assert_equal %i[approved pending pending], statuses
    @queue.reject(2)
    assert_equal %i[approved rejected pending], statuses
  end

  def test_several_ids_give_only_what_was_resolved_in_id_order
    4.times { submit(@queue) }
    @queue.reject(2)
    assert_equal([1, 3], @queue.approve(3, 2, 99, 1).map(&:id))
    assert_equal([4], @queue.reject(4, 3).map(&:id))
  end

  def test_approve_all_and_reject_all_take_every_pending_action
    2.times { submit(@queue) }
    assert_equal([1, 2], @queue.approve_all.map(&:id))
    2.times { submit(@queue) }
    assert_equal([3, 4], @queue.reject_all.map(&:id))
    assert_equal %i[approved approved rejected rejected], statuses
  end

  def test_approve_all_and_reject_all_of_nothing_are_empty
    assert_equal [], @queue.approve_all
    assert_equal [], @queue.reject_all
  end

  def test_drain_runs_the_automatic_pass_again
    submit(@queue)
    submit(@queue, "fetch", auto_approvable: true)
    @queue.approve(1)
    @queue.drain
    assert_equal %i[approved approved], statuses
  end

  def test_unknown_and_resolved_ids_are_ignored_without_an_error
    submit(@queue)
    @queue.approve(1)
    assert_equal [], @queue.approve(1)
    assert_equal [], @queue.reject(1)
    assert_equal [], @queue.approve(42)
    assert_equal [], @queue.reject("1", nil, :one)
    assert_equal :approved, @queue[1].status
  end

  # Action

  def test_an_action_has_eight_fields
    fields = %i[id tool_call_id tool_name args auto_approvable status submitted_at message]
    assert_equal fields, Queue::Action.members
  end

  def test_a_status_goes_from_pending_over_applying_to_approved_or_rejected
    2.times { submit(@queue) }
    @queue.approve(1)
    @queue.reject(2)
    assert_equal [[:submit, 1, :pending], [:approve, 1, :applying]], @seen.values_at(0, 2)
    assert_equal [[:submit, 2, :pending], [:reject, 2, :applying]], @seen.values_at(1, 3)
    assert_equal %i[approved rejected], statuses
  end

  def test_predicates_tell_the_status
    submit(@queue)
    pending = @queue[1]
    predicates = %i[pending? applying? approved? rejected?]
    %i[pending applying approved rejected].each_with_index do |status, index|
      action = pending.with(status:)
      assert_equal([index], predicates.each_index.select { |i| action.public_send(predicates[i]) }, status)
    end
    refute_predicate pending, :auto_approvable?
    assert_predicate pending.with(auto_approvable: true), :auto_approvable?
  end

  # Callbacks

  def test_each_callback_takes_exactly_one_argument_the_action
    calls = []
    hook = ->(*arguments) { calls << arguments }
    queue = Queue.new(on_submit: hook, on_approve: hook, on_reject: hook)
    2.times { submit(queue) }
    queue.approve(1)
    queue.reject(2)
    assert_equal([1] * 4, calls.map(&:size))
    assert(calls.flatten.all?(Queue::Action))
  end

  def test_on_submit_runs_while_pending_and_before_automatic_approval
    submit(@queue, "fetch", auto_approvable: true)
    assert_equal [[:submit, 1, :pending], [:approve, 1, :applying]], @seen
  end

  def test_a_raising_on_approve_puts_the_action_back_and_comes_out
    submit(@queue)
    @queue.on_approve = ->(_action) { raise IOError, "no disk" }
    assert_equal "no disk", assert_raises(IOError) { @queue.approve(1) }.message
    assert_equal :pending, @queue[1].status
  end

  def test_a_raising_on_reject_puts_the_action_back_and_comes_out
    submit(@queue)
    @queue.on_reject = ->(_action) { raise IOError, "no disk" }
    assert_equal "no disk", assert_raises(IOError) { @queue.reject(1) }.message
    assert_equal :pending, @queue[1].status
  end

  # Automatic approval

  def test_automatic_approval_happens_at_once_through_on_approve
    submit(@queue, "fetch", auto_approvable: true)
    assert_equal :approved, @queue[1].status
    assert_equal [:approve, 1, :applying], @seen.last
  end

  def test_a_listed_tool_whose_submission_is_not_approvable_stays_pending
    submit(@queue, "fetch")
    assert_equal :pending, @queue[1].status
  end

  def test_an_approvable_submission_of_an_unlisted_tool_stays_pending
    submit(@queue, "other", auto_approvable: true)
    assert_equal :pending, @queue[1].status
  end

  def test_only_exactly_true_lists_a_tool
    [1, "true", :true, Object.new, false, nil].each do |value| # rubocop:disable Lint/BooleanSymbol
      queue = Queue.new(auto_approve: { "fetch" => value })
      submit(queue, "fetch", auto_approvable: true)
      assert_equal :pending, queue[1].status, value.inspect
    end
  end

  def test_draining_approves_from_the_head_and_stops_at_the_first_manual_entry
    @queue.auto_approve.delete("fetch")
    2.times { submit(@queue, "fetch", auto_approvable: true) }
    submit(@queue)
    submit(@queue, "fetch", auto_approvable: true)
    @queue.auto_approve["fetch"] = true
    @queue.drain
    assert_equal %i[approved approved pending pending], statuses
    assert_equal([1, 2], @seen.select { |event, _| event == :approve }.map { |_, id| id })
  end

  def test_every_submit_drains
    submit(@queue)
    submit(@queue, "fetch", auto_approvable: true)
    @queue.reject(1)
    assert_equal %i[rejected pending], statuses
    submit(@queue, "fetch", auto_approvable: true)
    assert_equal %i[rejected approved approved], statuses
  end

  def test_threads_share_a_queue_without_losing_or_repeating_ids
    queue = Queue.new(auto_approve: { "fetch" => true })
    ids = Array.new(4) do
      Thread.new { Array.new(25) { submit(queue, "fetch", auto_approvable: true) } }
    end.flat_map(&:value)
    assert_equal (1..100).to_a, ids.sort
    queue.drain
    refute_predicate queue, :any_pending?
  end
end
