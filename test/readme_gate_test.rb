# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# What the documentation says of the mode gate, statement by statement.
class ReadmeGateTest < Minitest::Test
  include Doubles

  Gate = Ask::Permissions::Permissions
  DEFAULTS = %i[write edit bash destroy].freeze
  BLOCKED = { action: :block, reason: "bash requires approval" }.freeze
  PROCEED = { action: :proceed }.freeze

  def setup
    @clock = Clock.new
  end

  # A gate whose reminders do not reach the terminal of the test run.
  def gate(**options)
    Gate.new(clock: @clock, **options).tap do |made|
      made.define_singleton_method(:warn) { |*| nil }
    end
  end

  def ask(gate, name = "bash", id: "tc-1")
    gate.before_tool_call(tool_call(name, id:), {})
  end

  def test_a_change_tool_is_blocked_until_its_call_is_approved
    plain = gate
    assert_equal BLOCKED, ask(plain)
    assert_equal(["tc-1"], plain.pending_approvals.map(&:tool_call_id))
    assert_instance_of Gate::Approval, plain.pending_approvals.first
    assert_same true, plain.approve("tc-1")
    assert_equal PROCEED, ask(plain)
    assert_empty plain.pending_approvals
  end

  # Modes

  def test_without_a_mode_it_is_nil_and_four_tools_are_blocked
    assert_nil gate.mode
    assert_equal DEFAULTS, gate.blocked_tools
    assert_equal(DEFAULTS, %i[write edit bash destroy read].select { ask(gate, _1)[:action] == :block })
  end

  def test_ask_before_changes_and_read_only_block_the_same_four
    %i[ask_before_changes read_only].each do |mode|
      assert_equal mode, gate(mode:).mode
      assert_equal DEFAULTS, gate(mode:).blocked_tools
      assert_equal :block, ask(gate(mode:), "write")[:action]
    end
  end

  def test_full_access_blocks_nothing
    assert_equal [], gate(mode: :full_access).blocked_tools
    assert_equal([PROCEED], DEFAULTS.map { ask(gate(mode: :full_access), _1) }.uniq)
  end

  def test_with_a_mode_a_list_of_blocked_tools_is_ignored
    assert_equal DEFAULTS, gate(mode: :read_only, blocked_tools: [:deploy]).blocked_tools
    assert_equal PROCEED, ask(gate(mode: :full_access, blocked_tools: [:bash]))
  end

  def test_without_a_mode_a_list_replaces_the_defaults
    own = gate(blocked_tools: ["deploy", :publish])
    assert_equal %i[deploy publish], own.blocked_tools
    assert_equal PROCEED, ask(own, "bash")
    assert_equal :block, ask(own, "publish")[:action]
  end

  def test_an_unknown_mode_raises_with_the_exact_text
    error = assert_raises(ArgumentError) { Gate.new(mode: :open) }
    assert_equal "Unknown access mode: :open. Valid: full_access, ask_before_changes, read_only", error.message
  end

  def test_a_string_is_an_unknown_mode
    error = assert_raises(ArgumentError) { Gate.new(mode: "read_only") }
    assert_equal 'Unknown access mode: "read_only". Valid: full_access, ask_before_changes, read_only', error.message
  end

  def test_the_reason_names_the_mode_only_when_there_is_one
    reason = "bash requires approval (mode: ask_before_changes)"
    assert_equal({ action: :block, reason: }, ask(gate(mode: :ask_before_changes)))
    assert_equal "bash requires approval", ask(gate)[:reason]
  end

  # Constants

  def test_the_default_tools_are_a_frozen_constant
    assert_equal DEFAULTS, Gate::DEFAULT_TOOLS
    assert_predicate Gate::DEFAULT_TOOLS, :frozen?
  end

  def test_the_access_modes_map_to_frozen_configurations
    assert_equal %i[full_access ask_before_changes read_only], Gate::ACCESS_MODES.keys
    assert_equal [[], DEFAULTS, DEFAULTS], (Gate::ACCESS_MODES.values.map { _1[:blocked_tools] })
    assert(Gate::ACCESS_MODES.values.all?(&:frozen?))
  end

  def test_the_older_constants_are_derived_from_them
    assert_same Gate::DEFAULT_TOOLS, Gate::DEFAULT_BLOCKED_TOOLS
    assert_equal({ full_access: [], ask_before_changes: DEFAULTS, read_only: DEFAULTS }, Gate::MODE_BLOCKED_TOOLS)
  end

  # Sticky approvals

  def test_repeated_calls_with_one_id_share_one_entry
    plain = gate
    3.times { assert_equal BLOCKED, ask(plain) }
    assert_equal 1, plain.pending_approvals.size
  end

  def test_approve_is_true_for_any_entry_and_false_for_an_unknown_id
    plain = gate
    assert_same false, plain.approve("tc-1")
    ask(plain)
    assert_same true, plain.approve("tc-1")
    assert_same true, plain.approve("tc-1")
    [nil, 1, :"tc-1", Object.new].each { |id| assert_same false, plain.approve(id) }
  end

  def test_an_approved_id_proceeds_again_and_again
    plain = gate
    ask(plain)
    plain.approve("tc-1")
    2.times { assert_equal PROCEED, ask(plain) }
  end

  def test_one_approval_unlocks_no_other_id
    plain = gate
    ask(plain)
    plain.approve("tc-1")
    assert_equal BLOCKED, ask(plain, id: "tc-2")
  end

  def test_there_is_no_way_to_reject_so_it_keeps_blocking
    plain = gate
    refute_respond_to plain, :reject
    5.times { assert_equal :block, ask(plain)[:action] }
  end

  # The reminder

  def test_the_first_blocked_call_of_an_id_writes_to_standard_error
    loud = Gate.new(clock: @clock)
    text = "[Permissions] Tool 'bash' requires approval. Call approve('tc-1') to allow.\n"
    assert_output("", text) { ask(loud) }
    assert_output("", "") { ask(loud) }
    assert_output("", /approve\('tc-2'\)/) { ask(loud, id: "tc-2") }
  end

  def test_an_entry_that_expired_and_came_back_is_announced_again
    loud = Gate.new(clock: @clock, timeout: 60)
    assert_output("", /tc-1/) { ask(loud) }
    @clock.advance(61)
    assert_output("", /tc-1/) { ask(loud) }
    assert_output("", "") { ask(loud) }
  end

  # Timeout

  def test_a_pending_entry_expires_into_a_fresh_one
    timed = gate(timeout: 60)
    ask(timed)
    first = timed.pending_approvals.first
    @clock.advance(61)
    assert_equal BLOCKED, ask(timed)
    assert_equal [first.created_at + 61], timed.pending_approvals.map(&:created_at)
  end

  def test_an_approved_entry_expires_and_blocks_again
    timed = gate(timeout: 60)
    ask(timed)
    timed.approve("tc-1")
    @clock.advance(61)
    assert_equal BLOCKED, ask(timed)
    assert_predicate timed.pending_approvals.first, :pending?
  end

  def test_an_entry_exactly_as_old_as_the_timeout_still_stands
    timed = gate(timeout: 60)
    ask(timed)
    timed.approve("tc-1")
    @clock.advance(60)
    assert_equal PROCEED, ask(timed)
    @clock.advance(Rational(1, 1_000_000))
    assert_equal BLOCKED, ask(timed)
  end

  def test_age_counts_from_the_first_record_not_from_the_approval
    timed = gate(timeout: 60)
    ask(timed)
    @clock.advance(59)
    timed.approve("tc-1")
    @clock.advance(2)
    assert_equal BLOCKED, ask(timed)
  end

  def test_only_the_id_that_is_asked_for_expires
    timed = gate(timeout: 60)
    ask(timed, id: "tc-1")
    ask(timed, id: "tc-2")
    created = timed.pending_approvals.last.created_at
    @clock.advance(61)
    ask(timed, id: "tc-1")
    assert_equal(created, timed.pending_approvals.find { _1.tool_call_id == "tc-2" }.created_at)
  end

  def test_pending_approvals_lists_what_is_pending_and_purges_nothing
    timed = gate(timeout: 60)
    ask(timed, id: "tc-1")
    ask(timed, id: "tc-2")
    timed.approve("tc-2")
    @clock.advance(600)
    assert_equal(["tc-1"], timed.pending_approvals.map(&:tool_call_id))
    assert_same true, timed.approve("tc-2")
  end

  def test_without_a_timeout_nothing_expires
    plain = gate
    assert_nil plain.timeout
    ask(plain)
    plain.approve("tc-1")
    @clock.advance(10**9)
    assert_equal PROCEED, ask(plain)
  end

  # Names and threads

  def test_tool_names_become_symbols
    plain = gate
    ask(plain, "bash")
    ask(plain, :edit, id: "tc-2")
    assert_equal(%i[bash edit], plain.pending_approvals.map(&:tool_name))
  end

  def test_threads_record_one_entry_for_one_id
    plain = gate
    results = Array.new(8) { Thread.new { ask(plain) } }.map(&:value)
    assert_equal [BLOCKED], results.uniq
    assert_equal 1, plain.pending_approvals.size
  end
end
