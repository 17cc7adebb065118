# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/doubles"
require_relative "support/reference"

# Automatic approval, from the head of the line.
class ApprovalQueueDrainingTest < Minitest::Test
  include Child::Assertions
  include Doubles

  Queue = Ask::Permissions::ApprovalQueue

  def setup
    @order = []
    @listed = { "fetch" => true }
    @queue = Queue.new(auto_approve: @listed, on_approve: ->(action) { @order << action.id })
  end

  def fetch(queue = @queue, **options)
    submit(queue, "fetch", auto_approvable: true, **options)
  end

  # The list

  def test_the_list_is_the_callers_own_and_read_at_each_step
    @listed.clear
    3.times { fetch }
    @queue.on_approve = ->(action) { @listed.delete("fetch") if action.id == 2 }
    @listed["fetch"] = true
    @queue.drain
    assert_equal(%i[approved approved pending], [1, 2, 3].map { |id| @queue[id].status })
  end

  def test_the_list_is_asked_by_index_with_the_name_as_string
    asked = []
    listed = Object.new
    listed.define_singleton_method(:[]) { |name| (asked << name) && true }
    queue = Queue.new(auto_approve: listed)
    queue.submit(tool_call_id: 1, tool_name: :fetch, auto_approvable: true)
    assert_equal ["fetch"], asked.uniq
    assert_equal :approved, queue[1].status
  end

  def test_symbol_keys_list_nothing
    queue = Queue.new(auto_approve: { fetch: true })
    fetch(queue)
    assert_equal :pending, queue[1].status
  end

  def test_a_default_of_the_hash_counts
    queue = Queue.new(auto_approve: Hash.new(true))
    fetch(queue)
    assert_equal :approved, queue[1].status
  end

  def test_the_list_is_not_asked_for_what_is_not_approvable
    asked = []
    queue = Queue.new(auto_approve: Hash.new { |_, name| (asked << name) && true })
    submit(queue, "bash")
    fetch(queue)
    assert_empty asked
  end

  def test_an_error_of_the_list_comes_out_and_the_queue_stays_usable
    failing = true
    queue = Queue.new(auto_approve: Hash.new { failing ? raise(IOError, "no list") : true })
    assert_equal "no list", assert_raises(IOError) { fetch(queue) }.message
    assert_equal :pending, queue[1].status
    failing = false
    assert_equal :approved, queue.drain[1].status
  end

  def test_the_list_may_look_into_the_queue
    repaired!
    queue = nil
    queue = Queue.new(auto_approve: Hash.new { queue.pending_actions.size == 1 })
    fetch(queue)
    assert_equal :approved, queue[1].status
  end

  # The line

  def test_drain_returns_the_queue
    assert_same @queue, @queue.drain
    @listed.clear
    fetch
    @listed["fetch"] = true
    assert_same @queue, @queue.drain
    assert_equal [1], @order
  end

  def test_the_oldest_pending_action_is_the_head
    submit(@queue)
    2.times { fetch }
    assert_empty @order
    @queue.reject(1)
    @queue.drain
    assert_equal [2, 3], @order
  end

  def test_an_applying_action_does_not_hold_the_line
    submit(@queue)
    fetch
    @queue.on_approve = lambda { |action|
      @order << action.id
      @queue.drain if action.id == 1
    }
    @queue.approve(1)
    assert_equal [1, 2], @order
  end

  # One drain at a time

  def test_a_nested_drain_returns_the_queue_at_once
    answers = []
    @listed.clear
    2.times { fetch }
    @listed["fetch"] = true
    @queue.on_approve = lambda { |action|
      answers << @queue.drain
      @order << action.id
    }
    @queue.drain
    assert_equal [1, 2], @order
    answers.each { |answer| assert_same @queue, answer }
  end

  def test_what_is_submitted_during_a_drain_is_drained_by_it
    @queue.on_approve = lambda { |action|
      fetch if action.id < 3
      @order << action.id
    }
    fetch
    assert_equal [1, 2, 3], @order
    refute_predicate @queue, :any_pending?
  end

  def test_a_drain_inside_on_submit_may_approve_what_is_being_submitted
    seen = []
    @queue.on_submit = ->(action) { seen << @queue.drain[action.id].status }
    fetch
    assert_equal [:approved], seen
    assert_equal [1], @order
  end

  def test_a_drain_that_is_asked_for_while_another_one_ends_is_not_lost
    repaired!
    queue = nil
    listed = false
    list = Object.new
    list.define_singleton_method(:[]) do |_name|
      answer = listed
      unless listed
        listed = true
        queue.drain
      end
      answer
    end
    queue = Queue.new(auto_approve: list)
    fetch(queue)
    assert_equal :approved, queue[1].status
  end

  # Errors

  def test_an_error_ends_the_drain_and_the_next_one_starts_there
    @listed.clear
    3.times { fetch }
    @listed["fetch"] = true
    failing = true
    @queue.on_approve = lambda { |action|
      raise IOError, "second" if action.id == 2 && failing

      @order << action.id
    }
    assert_equal "second", assert_raises(IOError) { @queue.drain }.message
    assert_equal(%i[approved pending pending], [1, 2, 3].map { |id| @queue[id].status })
    failing = false
    @queue.drain
    assert_equal [1, 2, 3], @order
  end

  def test_an_error_of_an_automatic_approval_comes_out_of_submit
    @queue.on_approve = ->(_action) { raise IOError, "no disk" }
    assert_equal "no disk", assert_raises(IOError) { fetch }.message
    assert_equal :pending, @queue[1].status
    assert_raises(IOError) { submit(@queue) }
    assert_equal([1, 2], @queue.pending_actions.map(&:id))
  end

  # In a process of its own: the original goes round for ever.
  def test_an_unknown_approval_error_of_on_approve_ends_the_drain
    repaired!
    assert_checks <<~'RUBY'
      unknown = Ask::Permissions::UnknownApprovalError
      queue = Ask::Permissions::ApprovalQueue.new(auto_approve: { "fetch" => true })
      queue.on_approve = ->(_action) { raise unknown, "not mine" }
      submitted = error_of { queue.submit(tool_call_id: 1, tool_name: "fetch", auto_approvable: true) }
      check("out of submit", [unknown, "not mine"], [submitted.class, submitted.message])
      drained = error_of { queue.drain }
      check("out of drain", [unknown, "not mine"], [drained.class, drained.message])
      check("put back", :pending, queue[1].status)
    RUBY
  end

  # The methods it goes through

  def test_submit_drains_through_the_public_method
    drained = 0
    queue = Class.new(Queue) { define_method(:drain) { drained += 1 } }.new(auto_approve: @listed)
    fetch(queue)
    assert_equal [1, :pending], [drained, queue[1].status]
  end

  def test_submit_returns_the_id_whatever_drain_returns
    queue = Class.new(Queue) { def drain = :nothing }.new
    assert_equal 1, submit(queue)
  end

  def test_drain_applies_through_the_private_hook
    applied = []
    queue = Class.new(Queue) do
      define_method(:apply) { |action| super(action).tap { |resolved| applied << resolved.status } }
      private :apply
    end.new(auto_approve: @listed)
    fetch(queue)
    assert_equal [:approved], applied
  end

  def test_a_hook_that_loses_a_race_does_not_end_the_drain
    queue = Class.new(Queue) do
      define_method(:apply) do |action|
        reject(action.id) if action.id == 1
        super(action)
      end
    end.new
    2.times { fetch(queue) }
    queue.auto_approve["fetch"] = true
    queue.drain
    assert_equal %i[rejected approved], [queue[1].status, queue[2].status]
  end
end
