# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# An entry of the gate as a value.
class ApprovalTest < Minitest::Test
  include Doubles

  Approval = Ask::Permissions::Permissions::Approval
  FIELDS = {
    tool_call_id: "tc-1", tool_name: :bash, arguments: { "command" => "ls" }, reason: "bash requires approval",
    status: :pending, created_at: 5, approved_at: nil, tool_call: :call
  }.freeze

  def approval(**changes)
    Approval.new(**FIELDS, **changes)
  end

  def test_it_is_a_data_of_eight_members
    assert_operator Approval, :<, Data
    assert_equal FIELDS.keys, Approval.members
    assert_equal FIELDS, approval.to_h
    assert_equal approval, Approval.new(*FIELDS.values)
  end

  def test_it_is_frozen
    assert_predicate approval, :frozen?
    FIELDS.each_key { |name| refute_respond_to approval, :"#{name}=" }
  end

  def test_missing_and_unknown_members_are_reported_by_data
    missing = assert_raises(ArgumentError) { Approval.new(**FIELDS.except(:tool_call)) }
    assert_equal "missing keyword: :tool_call", missing.message
    assert_equal "unknown keyword: :unheard_of", assert_raises(ArgumentError) { approval(unheard_of: 1) }.message
  end

  def test_it_is_read_by_index_with_a_symbol_or_a_string
    FIELDS.each do |name, value|
      value.nil? ? assert_nil(approval[name]) : assert_equal(value, approval[name])
      value.nil? ? assert_nil(approval[name.to_s]) : assert_equal(value, approval[name.to_s])
    end
    assert_same approval.arguments, approval[:arguments]
  end

  def test_an_unknown_name_is_a_key_error
    [:nope, "nope", :pending?, ""].each do |name|
      error = assert_raises(KeyError) { approval[name] }
      assert_equal name.to_sym, error.key
      assert_equal "key not found: #{name.to_sym.inspect}", error.message
      assert_equal FIELDS, error.receiver
    end
  end

  def test_what_can_be_no_name_fails_as_ruby_says
    [1, nil, []].each { |key| assert_same_fault(-> { key.to_sym }) { approval[key] } }
  end

  def test_the_status_predicates_are_exact
    { pending: [true, false], approved: [false, true], other: [false, false], "pending" => [false, false] }
      .each do |status, answers|
        entry = approval(status:)
        assert_equal answers, [entry.pending?, entry.approved?], status.inspect
      end
  end

  def test_it_compares_copies_and_matches_as_data
    assert_equal approval, approval
    assert_equal approval.hash, approval.hash
    assert_equal :approved, approval.with(status: :approved).status
    assert_equal({ tool_name: :bash }, approval.deconstruct_keys([:tool_name]))
    case approval
    in { status: :pending, tool_name: Symbol => name }
      assert_equal :bash, name
    end
  end

  def test_it_prints_as_data
    assert_equal "#<data Ask::Permissions::Permissions::Approval tool_call_id=1, tool_name=2, arguments=3, reason=4, " \
                 "status=5, created_at=6, approved_at=7, tool_call=8>",
                 Approval.new(1, 2, 3, 4, 5, 6, 7, 8).inspect
  end

  def test_what_a_gate_makes_is_the_same_kind_of_value
    gate = Ask::Permissions::Permissions.new(clock: -> { 5 })
    call = tool_call(arguments: { "command" => "ls" })
    capture_io { gate.before_tool_call(call) }
    assert_equal approval(tool_call: call), gate.pending_approvals.first
    assert_predicate gate.pending_approvals.first, :frozen?
    assert_equal :bash, gate.pending_approvals.first["tool_name"]
  end
end
