# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"
require_relative "support/reference"
require "minitest/mock"

# The gate's entries: their keys, what they hold, their age and the clock.
class PermissionsEntriesTest < Minitest::Test
  include Doubles

  Gate = Ask::Permissions::Permissions
  PROCEED = { action: :proceed }.freeze

  def setup
    @clock = Clock.new
  end

  def gate(**options)
    Gate.new(clock: @clock, **options).tap do |made|
      made.define_singleton_method(:warn) { |*| nil }
    end
  end

  def ask(gate, name = "bash", **options)
    gate.before_tool_call(tool_call(name, **options))
  end

  def blocked?(...)
    ask(...)[:action] == :block
  end

  def pending_ids(gate)
    gate.pending_approvals.map(&:tool_call_id)
  end

  # Keys

  def test_ids_are_told_apart_as_keys_of_a_hash
    made = gate
    [1, 1.0, "1", :"1", nil, false, [1]].each { |id| assert blocked?(made, id:) }
    assert_equal 7, made.pending_approvals.size
    [1, 1.0, "1", :"1", nil, false, [1]].each_with_index do |id, done|
      assert_equal 7 - done, made.pending_approvals.size
      assert_same true, made.approve(id)
      assert_equal PROCEED, ask(made, id:)
    end
  end

  def test_equal_ids_share_an_entry
    made = gate
    ask(made, id: +"tc-1")
    assert_same true, made.approve(+"tc-1")
    assert_equal PROCEED, ask(made, id: +"tc-1")
  end

  def test_ids_with_their_own_equality_are_honoured
    key = Struct.new(:text) do
      def hash = text.downcase.hash
      def eql?(other) = text.casecmp?(other.text)
    end
    made = gate
    ask(made, id: key.new("ABC"))
    assert_same true, made.approve(key.new("abc"))
    assert_same false, made.approve(key.new("abd"))
  end

  def test_changing_an_id_string_later_changes_no_key
    made = gate
    id = +"tc-1"
    ask(made, id:)
    id << "x"
    assert_same true, made.approve("tc-1")
    assert_same false, made.approve("tc-1x")
  end

  # Entries

  def test_an_entry_holds_the_call_and_the_decision
    made = gate(mode: :read_only)
    call = tool_call("edit", id: "tc-4", arguments: { "path" => "a" })
    made.before_tool_call(call)
    entry = made.pending_approvals.first
    assert_equal ["tc-4", :edit, "edit requires approval (mode: read_only)", :pending],
                 [entry.tool_call_id, entry.tool_name, entry.reason, entry.status]
    assert_same call, entry.tool_call
    assert_same call.arguments, entry.arguments
    assert_same call.id, entry.tool_call_id
    assert_equal [@clock.now, nil], [entry.created_at, entry.approved_at]
  end

  def test_an_entry_keeps_what_the_first_call_said
    made = gate
    ask(made, "bash", arguments: 1)
    assert_equal "bash requires approval", ask(made, "edit", arguments: 2)[:reason]
    assert_equal([[:bash, 1]], made.pending_approvals.map { [_1.tool_name, _1.arguments] })
  end

  def test_an_approval_keeps_when_the_entry_was_made_and_says_when_it_was_approved
    made = gate
    ask(made)
    entry = made.pending_approvals.first
    @clock.advance(5)
    made.approve("tc-1")
    assert_predicate entry, :pending?
    assert_empty made.pending_approvals
    assert_equal PROCEED, ask(made, "edit")
  end

  def test_pending_approvals_is_a_fresh_array_in_order_of_recording
    made = gate(timeout: 60)
    %w[a b c d].each { |id| ask(made, id:) }
    made.approve("b")
    made.pending_approvals.clear
    assert_equal %w[a c d], pending_ids(made)
    @clock.advance(61)
    ask(made, id: "a")
    assert_equal %w[c d a], pending_ids(made)
  end

  # What is asked of a call

  def test_a_call_that_is_not_blocked_is_asked_for_its_name_only
    log = []
    assert_equal PROCEED, gate.before_tool_call(witness(log, name: "read"))
    assert_equal [:name], log.uniq
  end

  def test_arguments_are_asked_for_when_an_entry_is_made
    made = gate
    log = []
    call = witness(log, name: "bash", id: "tc-1", arguments: {})
    made.before_tool_call(call)
    assert_equal %i[name id arguments], log.uniq
    log.clear
    made.before_tool_call(call)
    made.approve("tc-1")
    made.before_tool_call(call)
    assert_equal %i[name id], log.uniq
  end

  def test_the_context_is_not_looked_at
    assert_equal PROCEED, gate.before_tool_call(tool_call("read"), BasicObject.new)
  end

  # Age

  def test_ages_and_timeouts_are_whatever_numbers_can_be_compared
    [60, 60.0, Rational(60)].each do |timeout|
      made = gate(timeout:)
      assert_same timeout, made.timeout
      ask(made)
      made.approve("tc-1")
      @clock.advance(60)
      assert_equal PROCEED, ask(made), timeout.inspect
      @clock.advance(0.5)
      assert blocked?(made), timeout.inspect
    end
  end

  def test_a_clock_may_count_in_any_number
    [0, 0.0, Rational(0)].each do |start|
      @clock.now = start
      made = gate(timeout: 10)
      ask(made)
      made.approve("tc-1")
      @clock.advance(10)
      assert_equal PROCEED, ask(made)
      @clock.advance(Rational(1, 10**30))
      assert_equal !start.is_a?(Float), blocked?(made), start.class
    end
  end

  def test_an_age_is_compared_without_rounding
    @clock.now = 2**80
    made = gate(timeout: 2**70)
    ask(made)
    made.approve("tc-1")
    @clock.advance(2**70)
    assert_equal PROCEED, ask(made)
    @clock.advance(1)
    assert blocked?(made)
  end

  def test_without_time_to_live_only_the_same_moment_counts
    made = gate(timeout: 0)
    ask(made)
    made.approve("tc-1")
    assert_equal PROCEED, ask(made)
    @clock.advance(0.001)
    assert blocked?(made)
  end

  def test_a_negative_timeout_lets_nothing_stand
    made = gate(timeout: -1)
    ask(made)
    made.approve("tc-1")
    assert blocked?(made)
  end

  def test_a_clock_that_runs_backwards_expires_nothing
    made = gate(timeout: 1)
    ask(made)
    made.approve("tc-1")
    @clock.advance(-100)
    assert_equal PROCEED, ask(made)
  end

  def test_an_age_that_is_not_a_number_never_exceeds
    made = gate(timeout: Float::NAN)
    ask(made)
    made.approve("tc-1")
    @clock.advance(100)
    assert_equal PROCEED, ask(made)
  end

  def test_a_fresh_entry_can_be_approved_again
    made = gate(timeout: 60)
    ask(made)
    made.approve("tc-1")
    @clock.advance(61)
    ask(made)
    made.approve("tc-1")
    @clock.advance(60)
    assert_equal PROCEED, ask(made)
  end

  def test_approving_does_not_look_at_the_age
    made = gate(timeout: 1)
    ask(made)
    @clock.advance(100)
    assert_same true, made.approve("tc-1")
    assert blocked?(made)
  end

  def test_a_timeout_is_read_through_its_reader
    made = gate
    ask(made)
    made.approve("tc-1")
    made.define_singleton_method(:timeout) { 1 }
    @clock.advance(2)
    assert blocked?(made)
  end

  def test_numbers_that_do_not_fit_fail_as_ruby_says
    made = gate(timeout: "60")
    ask(made)
    assert_same_fault(-> { 0.0 > "60" }) { ask(made) }
  end

  # When the clock is read

  def test_the_clock_is_read_once_an_entry_and_once_an_approval
    made = gate
    ask(made, "read")
    assert_equal 0, @clock.reads
    ask(made)
    assert_equal 1, @clock.reads
    ask(made)
    made.pending_approvals
    made.approve("unknown")
    assert_equal 1, @clock.reads
    2.times { made.approve("tc-1") }
    assert_equal 3, @clock.reads
  end

  def test_with_a_timeout_the_clock_is_read_for_each_look_at_an_entry
    made = gate(timeout: 60)
    ask(made)
    assert_equal 1, @clock.reads
    ask(made)
    assert_equal 2, @clock.reads
    @clock.advance(61)
    ask(made)
    assert_equal 4, @clock.reads
  end

  def test_without_a_clock_time_now_is_called_each_time
    made = Gate.new(timeout: 60)
    Time.stub(:now, Time.at(0)) { capture_io { ask(made) } }
    assert_equal Time.at(0), made.pending_approvals.first.created_at
    made.approve("tc-1")
    Time.stub(:now, Time.at(60)) { assert_equal PROCEED, ask(made) }
    Time.stub(:now, Time.at(61)) { capture_io { assert blocked?(made) } }
    assert_equal Time.at(61), made.pending_approvals.first.created_at
  end

  def test_a_raising_clock_comes_out_and_records_nothing
    failing = true
    made = Gate.new(clock: -> { failing ? raise(IOError, "no time") : 1 })
    made.define_singleton_method(:warn) { |*| nil }
    assert_equal "no time", assert_raises(IOError) { ask(made) }.message
    assert_empty made.pending_approvals
    failing = false
    ask(made)
    failing = true
    assert_raises(IOError) { made.approve("tc-1") }
    assert_equal ["tc-1"], pending_ids(made)
  end

  def test_a_clock_may_use_the_gate
    repaired!
    made = nil
    seen = []
    @clock.define_singleton_method(:call) do
      seen << made.pending_approvals.size
      super()
    end
    made = gate(timeout: 60)
    ask(made)
    assert blocked?(made)
    made.approve("tc-1")
    assert_equal PROCEED, ask(made)
    assert_equal [0, 1, 1, 0], seen
  end
end
