# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"
require_relative "support/reference"
require "minitest/mock"

# Making a queue, submitting to it and looking into it.
class ApprovalQueueTest < Minitest::Test
  include Doubles

  Queue = Ask::Permissions::ApprovalQueue

  def setup
    @queue = Queue.new
  end

  # Interface

  def test_the_documented_methods_are_public
    names = %i[
      submit pending_actions pending? any_pending? [] approve reject approve_all reject_all drain
      auto_approve on_approve on_reject on_submit on_approve= on_reject= on_submit=
    ]
    assert_empty names - Queue.public_instance_methods(false)
  end

  def test_the_two_hooks_are_private
    %i[apply reject_action].each do |name|
      assert_same false, @queue.respond_to?(name)
      assert_same true, @queue.respond_to?(name, true)
      assert_raises(NoMethodError) { @queue.public_send(name, nil) }
    end
  end

  def test_the_rest_of_the_machinery_is_not_public
    names = %i[resolve_all resolve next_auto_head start_draining stop_draining auto_approve= clock]
    names.each { |name| refute_respond_to @queue, name }
  end

  def test_argument_errors_are_rubys_own
    keywords = "required keywords: tool_call_id, tool_name"
    {
      -> { Queue.new(1) } => "wrong number of arguments (given 1, expected 0)",
      -> { Queue.new({ on_submit: nil }) } => "wrong number of arguments (given 1, expected 0)",
      -> { Queue.new(unheard_of: 1) } => "unknown keyword: :unheard_of",
      -> { @queue.submit } => "missing keywords: :tool_call_id, :tool_name",
      -> { @queue.submit(tool_name: "x") } => "missing keyword: :tool_call_id",
      -> { @queue.submit(tool_call_id: "x") } => "missing keyword: :tool_name",
      -> { @queue.submit(1) } => "wrong number of arguments (given 1, expected 0; #{keywords})",
      -> { @queue.submit({ tool_name: 1 }) } => "wrong number of arguments (given 1, expected 0; #{keywords})",
      -> { submit(@queue, unheard_of: 1) } => "unknown keyword: :unheard_of",
      -> { submit(@queue, one: 1, other: 2) } => "unknown keywords: :one, :other",
      -> { @queue[] } => "wrong number of arguments (given 0, expected 1)",
      -> { @queue.pending? } => "wrong number of arguments (given 0, expected 1)",
      -> { @queue.any_pending?(1) } => "wrong number of arguments (given 1, expected 0)",
      -> { @queue.pending_actions(1) } => "wrong number of arguments (given 1, expected 0)",
      -> { @queue.drain(1) } => "wrong number of arguments (given 1, expected 0)"
    }.each { |call, text| assert_equal text, assert_raises(ArgumentError, &call).message }
    refute_predicate @queue, :any_pending?
  end

  # Options and readers

  def test_callbacks_default_to_none
    assert_equal [nil, nil, nil], [@queue.on_submit, @queue.on_approve, @queue.on_reject]
    submit(@queue)
    assert_equal([:approved], @queue.approve(1).map(&:status))
  end

  def test_the_readers_give_the_very_objects
    hooks = Array.new(3) { ->(action) { action } }
    listed = { "fetch" => true }
    queue = Queue.new(on_submit: hooks[0], on_approve: hooks[1], on_reject: hooks[2], auto_approve: listed)
    assert_same hooks[0], queue.on_submit
    assert_same hooks[1], queue.on_approve
    assert_same hooks[2], queue.on_reject
    assert_same listed, queue.auto_approve
  end

  def test_callbacks_can_be_set_and_taken_away_later
    log = []
    @queue.on_submit = ->(action) { log << action.id }
    submit(@queue)
    @queue.on_submit = nil
    submit(@queue)
    assert_equal [1], log
  end

  def test_a_callback_is_set_only_where_there_is_none
    first = ->(_action) {}
    @queue.on_approve ||= first
    @queue.on_approve ||= ->(_action) { flunk }
    assert_same first, @queue.on_approve
  end

  def test_a_callback_is_anything_with_call
    log = []
    submit(Queue.new(on_submit: witness(log, call: ->(action) { log << action.status })))
    assert_equal %i[call pending], log
    list = []
    submit(Queue.new(on_submit: list.method(:push)))
    assert_equal [1], list.map(&:id)
  end

  def test_a_false_callback_fails_where_nil_does_not
    assert_raises(NoMethodError) { submit(Queue.new(on_submit: false)) }
  end

  def test_no_list_of_automatic_tools_is_an_empty_hash
    [{}, { auto_approve: nil }, { auto_approve: false }].each do |options|
      assert_equal({}, Queue.new(**options).auto_approve)
    end
    refute_same Queue.new.auto_approve, Queue.new.auto_approve
    refute_predicate @queue.auto_approve, :frozen?
  end

  # What a submission stores

  def test_arguments_are_stored_as_the_same_object
    [{ "a" => 1 }, +'{"a":1}', [1], 7, false, :sym].each do |arguments|
      assert_same arguments, @queue[submit(@queue, args: arguments)].args
    end
  end

  def test_only_nil_arguments_become_an_empty_hash
    submit(@queue, args: nil)
    submit(@queue)
    assert_equal [{}, {}], [@queue[1].args, @queue[2].args]
    refute_predicate @queue[1].args, :frozen?
    refute_same @queue[1].args, @queue[2].args
  end

  def test_the_tool_name_becomes_a_string
    { :bash => "bash", nil => "", 12 => "12", String => "String" }.each do |given, stored|
      assert_equal stored, @queue[submit(@queue, given)].tool_name
    end
  end

  def test_the_call_id_and_the_message_are_stored_as_the_same_objects
    id = Object.new
    message = +"look"
    action = @queue[@queue.submit(tool_call_id: id, tool_name: "x", message:)]
    assert_same id, action.tool_call_id
    assert_same message, action.message
    assert_nil @queue[@queue.submit(tool_call_id: nil, tool_name: "x")].tool_call_id
  end

  def test_auto_approvable_becomes_true_or_false
    { 1 => true, "no" => true, :x => true, true => true, nil => false, false => false }.each do |given, stored|
      assert_same stored, @queue[submit(@queue, auto_approvable: given)].auto_approvable
    end
  end

  def test_a_new_action_is_pending
    submit(@queue)
    assert_equal :pending, @queue[1].status
  end

  # Time

  def test_the_clock_is_read_once_a_submission_and_never_else
    clock = Clock.new
    queue = Queue.new(clock:)
    submit(queue)
    assert_same clock.now, queue[1].submitted_at
    queue.approve(1)
    submit(queue)
    queue.reject_all
    queue.drain
    assert_equal 2, clock.reads
    assert_same clock.now, queue[1].submitted_at
  end

  def test_the_clock_may_give_anything
    assert_equal(12.5, Queue.new(clock: -> { 12.5 }).then { |queue| queue[submit(queue)].submitted_at })
  end

  def test_without_a_clock_time_now_is_called_at_each_submission
    times = [Time.at(1), Time.at(2)]
    Time.stub(:now, -> { times.shift }) { 2.times { submit(@queue) } }
    assert_equal [Time.at(1), Time.at(2)], [@queue[1], @queue[2]].map(&:submitted_at)
    assert_instance_of Time, @queue[submit(@queue)].submitted_at
  end

  def test_a_raising_clock_comes_out_and_nothing_is_submitted
    log = []
    queue = Queue.new(clock: -> { raise IOError, "no time" }, on_submit: ->(action) { log << action })
    assert_equal "no time", assert_raises(IOError) { submit(queue) }.message
    assert_equal [[], []], [log, queue.pending_actions]
  end

  def test_a_submission_that_fails_uses_up_its_id
    failing = true
    queue = Queue.new(clock: -> { failing ? raise(IOError) : 5 })
    assert_raises(IOError) { submit(queue) }
    failing = false
    assert_equal 2, submit(queue)
    assert_raises(IOError) { submit(queue, witness([], to_s: -> { raise IOError })) }
    assert_equal 4, submit(queue)
    assert_equal([nil, 2, nil, 4], (1..4).map { |id| queue[id]&.id })
  end

  def test_a_clock_may_use_the_queue
    repaired!
    queue = nil
    seen = []
    clock = lambda {
      seen << queue.pending_actions.map(&:id)
      queue.approve_all
    }
    queue = Queue.new(clock:)
    2.times { submit(queue) }
    assert_equal [[], [1]], seen
    assert_equal %i[approved pending], [queue[1].status, queue[2].status]
  end

  # Looking up

  def test_ids_are_looked_up_as_integers_only
    submit(@queue)
    [1.0, "1", :"1", nil, Rational(1), [1], true].each do |id|
      assert_nil @queue[id]
      assert_same false, @queue.pending?(id)
    end
    [0, -1, 2, 2**64, -(2**64)].each { |id| assert_nil @queue[id] }
  end

  def test_resolved_actions_stay_to_be_looked_up
    2.times { submit(@queue) }
    @queue.approve(1)
    @queue.reject(2)
    assert_equal %i[approved rejected], [@queue[1].status, @queue[2].status]
  end

  def test_looking_up_gives_the_same_action_each_time
    submit(@queue)
    assert_same @queue[1], @queue[1]
    assert_same @queue[1], @queue.pending_actions.first
    resolved = @queue.approve(1).first
    assert_same resolved, @queue[1]
  end

  def test_pending_actions_is_a_fresh_array_in_id_order
    3.times { submit(@queue) }
    @queue.approve(2)
    assert_equal([1, 3], @queue.pending_actions.map(&:id))
    @queue.pending_actions.clear
    assert_equal 2, @queue.pending_actions.size
  end

  # on_submit

  def test_an_error_of_on_submit_leaves_the_action_pending_and_drains_nothing
    queue = Queue.new(auto_approve: { "fetch" => true })
    submit(queue)
    submit(queue, "fetch", auto_approvable: true)
    queue.approve(1)
    queue.on_submit = ->(_action) { raise IOError }
    assert_raises(IOError) { submit(queue, "fetch", auto_approvable: true) }
    assert_equal %i[pending pending], [queue[2].status, queue[3].status]
    queue.drain
    assert_equal %i[approved approved], [queue[2].status, queue[3].status]
  end

  def test_on_submit_sees_the_stored_action
    @queue.on_submit = ->(action) { assert_same action, @queue[action.id] }
    submit(@queue)
  end

  def test_on_submit_may_resolve_what_it_is_told_of
    @queue.on_submit = ->(action) { @queue.reject(action.id) }
    assert_equal 1, submit(@queue)
    assert_equal :rejected, @queue[1].status
  end

  def test_on_submit_may_submit
    order = []
    @queue.on_submit = lambda { |action|
      order << action.id
      submit(@queue, "inner") if action.tool_name == "outer"
    }
    assert_equal 1, submit(@queue, "outer")
    assert_equal [1, 2], order
    assert_equal(%w[outer inner], @queue.pending_actions.map(&:tool_name))
  end
end
