# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# An action as a value.
class ActionTest < Minitest::Test
  include Doubles

  Action = Ask::Permissions::ApprovalQueue::Action
  FIELDS = {
    id: 1, tool_call_id: "tc-1", tool_name: "bash", args: { "command" => "ls" }, auto_approvable: false,
    status: :pending, submitted_at: Time.at(0), message: nil
  }.freeze

  def action(**changes)
    Action.new(**FIELDS, **changes)
  end

  def test_it_is_a_data_of_exactly_eight_members
    assert_operator Action, :<, Data
    assert_equal FIELDS.keys, Action.members
    assert_equal FIELDS.keys, action.members
    assert_equal FIELDS, action.to_h
  end

  def test_it_takes_positions_or_keywords
    assert_equal action, Action.new(*FIELDS.values)
    assert_equal action, Action[*FIELDS.values]
  end

  def test_missing_and_unknown_members_are_reported_by_data
    missing = assert_raises(ArgumentError) { Action.new(**FIELDS.except(:args, :message)) }
    assert_equal "missing keywords: :args, :message", missing.message
    assert_equal "unknown keyword: :unheard_of", assert_raises(ArgumentError) { action(unheard_of: 1) }.message
    assert_equal "wrong number of arguments (given 9, expected 0..8)",
                 assert_raises(ArgumentError) { Action.new(*FIELDS.values, 9) }.message
  end

  def test_it_is_frozen_but_not_what_it_holds
    assert_predicate action, :frozen?
    assert_raises(FrozenError) { action.instance_variable_set(:@note, 1) }
    refute_predicate action(args: +"raw").args, :frozen?
    FIELDS.each_key { |name| refute_respond_to action, :"#{name}=" }
  end

  def test_it_copies_with_changes
    changed = action.with(status: :approved)
    assert_instance_of Action, changed
    assert_equal FIELDS.merge(status: :approved), changed.to_h
    assert_same action.args, action.with(id: 2).args
    assert_equal "unknown keyword: :unheard_of", assert_raises(ArgumentError) { action.with(unheard_of: 1) }.message
  end

  def test_it_compares_by_value
    assert_equal action, action
    assert_operator action, :eql?, action
    assert_equal action.hash, action.hash
    refute_equal action, action(id: 2)
    assert_equal action, action(id: 1.0)
    refute_operator action, :eql?, action(id: 1.0)
    assert_equal 1, { action => 1, action.dup => 2 }.size
  end

  def test_it_matches_patterns
    case action
    in { id: Integer => id, status: :pending, tool_name: /ba/ => name }
      assert_equal [1, "bash"], [id, name]
    end
    assert_equal({ id: 1 }, action.deconstruct_keys([:id]))
  end

  def test_it_prints_as_data
    text = action(submitted_at: 5, args: []).inspect
    assert_equal '#<data Ask::Permissions::ApprovalQueue::Action id=1, tool_call_id="tc-1", tool_name="bash", ' \
                 "args=[], auto_approvable=false, status=:pending, submitted_at=5, message=nil>", text
    assert_equal text, action(submitted_at: 5, args: []).to_s
  end

  def test_what_a_queue_makes_is_the_same_kind_of_value
    queue = Ask::Permissions::ApprovalQueue.new(clock: -> { FIELDS[:submitted_at] })
    submit(queue, args: { "command" => "ls" })
    assert_equal action, queue[1]
    assert_equal action.hash, queue[1].hash
    assert_equal action.inspect, queue[1].inspect
    assert_equal action(status: :approved), queue.approve(1).first
    assert_predicate queue[1], :frozen?
  end

  def test_the_status_predicates_are_exact
    names = %i[pending? applying? approved? rejected?]
    { pending: 0, applying: 1, approved: 2, rejected: 3, other: nil, "pending" => nil }.each do |status, index|
      answers = names.map { |name| action(status:).public_send(name) }
      assert_equal Array.new(4) { |i| i == index }, answers, status.inspect
    end
  end

  def test_auto_approvable_is_answered_with_true_or_false
    { true => true, 1 => true, nil => false, false => false }.each do |given, answer|
      assert_same answer, action(auto_approvable: given).auto_approvable?
    end
  end
end
