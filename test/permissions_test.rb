# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"
require "minitest/mock"

# The gate's options, constants and results.
class PermissionsTest < Minitest::Test
  include Doubles

  Gate = Ask::Permissions::Permissions
  DEFAULTS = %i[write edit bash destroy].freeze
  PROCEED = { action: :proceed }.freeze

  # A gate that writes its reminders into a list.
  class QuietGate < Gate
    attr_reader :reminders

    private

    def warn(*messages)
      (@reminders ||= []).concat(messages)
    end
  end

  def gate(**options)
    QuietGate.new(**options)
  end

  def ask(gate, name = "bash", **options)
    gate.before_tool_call(tool_call(name, **options))
  end

  # Interface

  def test_the_documented_methods_are_public_and_the_rest_is_not
    names = %i[before_tool_call approve pending_approvals mode blocked_tools timeout]
    assert_empty names - Gate.public_instance_methods(false)
    %i[
      approved? mode_tools reason_for expired? existing_decision record_pending warn_approval clock mode= timeout=
      blocked_tools= reject
    ].each { |name| refute_respond_to gate, name }
  end

  def test_argument_errors_are_rubys_own
    {
      -> { Gate.new(1) } => "wrong number of arguments (given 1, expected 0)",
      -> { Gate.new(unheard_of: 1) } => "unknown keyword: :unheard_of",
      -> { gate.before_tool_call } => "wrong number of arguments (given 0, expected 1..2)",
      -> { gate.before_tool_call(1, 2, 3) } => "wrong number of arguments (given 3, expected 1..2)",
      -> { gate.approve } => "wrong number of arguments (given 0, expected 1)",
      -> { gate.approve(1, 2) } => "wrong number of arguments (given 2, expected 1)",
      -> { gate.pending_approvals(1) } => "wrong number of arguments (given 1, expected 0)"
    }.each { |call, text| assert_equal text, assert_raises(ArgumentError, &call).message }
  end

  def test_the_hook_as_a_method_object_knows_its_gate
    made = gate
    hook = made.method(:before_tool_call)
    assert_same made, hook.receiver
    assert_equal :before_tool_call, hook.name
    assert_equal :block, hook.call(tool_call, {})[:action]
  end

  # Constants

  def test_the_four_constants_are_frozen_all_the_way_down
    assert_equal DEFAULTS, Gate::DEFAULT_TOOLS
    [Gate::DEFAULT_TOOLS, Gate::DEFAULT_BLOCKED_TOOLS, Gate::ACCESS_MODES, Gate::MODE_BLOCKED_TOOLS].each do |constant|
      assert_predicate constant, :frozen?
    end
    Gate::ACCESS_MODES.each_value do |config|
      assert_predicate config, :frozen?
      assert_equal [:blocked_tools], config.keys
      assert_predicate config[:blocked_tools], :frozen?
    end
  end

  def test_the_constants_share_one_list
    lists = [Gate::DEFAULT_BLOCKED_TOOLS, *%i[ask_before_changes read_only].map { Gate::MODE_BLOCKED_TOOLS[_1] }]
    lists.each { |list| assert_same Gate::DEFAULT_TOOLS, list }
    Gate::MODE_BLOCKED_TOOLS.each do |mode, tools|
      assert_same Gate::ACCESS_MODES[mode][:blocked_tools], tools
    end
    assert_equal %i[full_access ask_before_changes read_only], Gate::MODE_BLOCKED_TOOLS.keys
  end

  # Modes

  def test_no_mode_may_be_said_with_nil
    assert_nil gate(mode: nil).mode
    assert_equal %i[x], gate(mode: nil, blocked_tools: [:x]).blocked_tools
  end

  def test_an_unknown_mode_is_shown_as_it_was_given
    { :open => ":open", "read_only" => '"read_only"', 7 => "7", [] => "[]" }.each do |mode, shown|
      error = assert_raises(ArgumentError) { gate(mode:) }
      assert_equal "Unknown access mode: #{shown}. Valid: full_access, ask_before_changes, read_only", error.message
    end
  end

  def test_a_false_mode_blocks_as_without_one_but_is_named
    made = gate(mode: false)
    assert_equal [false, DEFAULTS], [made.mode, made.blocked_tools]
    assert_equal "bash requires approval (mode: false)", ask(made)[:reason]
  end

  def test_each_mode_is_named_in_the_reason
    %i[ask_before_changes read_only].each do |mode|
      assert_equal "write requires approval (mode: #{mode})", ask(gate(mode:), :write)[:reason]
    end
  end

  # Blocked tools

  def test_the_list_of_each_gate_is_its_own_and_can_be_changed
    made = gate
    made.blocked_tools << :deploy
    made.blocked_tools.delete(:bash)
    assert_same made.blocked_tools, made.blocked_tools
    assert_equal [:block, PROCEED], [ask(made, "deploy")[:action], ask(made)]
    assert_equal [PROCEED, :block], [ask(gate, "deploy"), ask(gate)[:action]]
    strict = gate(mode: :full_access)
    strict.blocked_tools << :read
    assert_equal :block, ask(strict, "read")[:action]
    assert_empty Gate::ACCESS_MODES[:full_access][:blocked_tools]
  end

  def test_only_symbols_in_the_list_block
    made = gate
    made.blocked_tools.replace(["bash"])
    assert_equal PROCEED, ask(made)
  end

  def test_given_names_become_symbols_and_repeats_go
    assert_equal %i[bash sh], gate(blocked_tools: ["bash", :sh, :bash, "sh"]).blocked_tools
    assert_equal [:"12", :"", :String], gate(blocked_tools: [12, nil, String]).blocked_tools
  end

  def test_a_given_list_is_copied
    given = [:bash]
    made = gate(blocked_tools: given)
    given << :sh
    assert_equal [:bash], made.blocked_tools
    made.blocked_tools << :read
    assert_equal :block, ask(made, "read")[:action]
    assert_equal %i[bash sh], given
  end

  def test_what_is_no_array_becomes_one
    assert_equal [:bash], gate(blocked_tools: "bash").blocked_tools
    assert_equal %i[a b], gate(blocked_tools: Set["a", :b]).blocked_tools
    assert_equal %i[1 2], gate(blocked_tools: 1..2).blocked_tools
  end

  def test_an_empty_list_blocks_nothing_and_nil_or_false_the_defaults
    assert_equal PROCEED, ask(gate(blocked_tools: []))
    assert_equal [DEFAULTS, DEFAULTS], [gate(blocked_tools: nil), gate(blocked_tools: false)].map(&:blocked_tools)
  end

  # Results

  def test_each_result_is_a_fresh_unfrozen_hash_with_its_keys_in_order
    made = gate
    results = [ask(made), ask(made)]
    made.approve("tc-1")
    proceeding = [ask(made), ask(made), ask(made, "read")]
    (results + proceeding).each do |result|
      assert_instance_of Hash, result
      refute_predicate result, :frozen?
    end
    assert_equal([%i[action reason]], results.map(&:keys).uniq)
    assert_equal([%i[action]], proceeding.map(&:keys).uniq)
    refute_same(*results)
    refute_same proceeding[0], proceeding[1]
  end

  def test_the_reason_is_a_string_of_the_normalized_name
    assert_equal "bash requires approval", ask(gate, :bash)[:reason]
    assert_equal " requires approval", ask(gate(blocked_tools: [nil]), nil)[:reason]
    assert_equal "caf\u00e9 requires approval", ask(gate(blocked_tools: ["caf\u00e9"]), "caf\u00e9")[:reason]
  end

  def test_a_name_that_can_be_no_symbol_raises_as_ruby_does
    name = "\xFF"
    assert_same_fault(-> { name.to_sym }) { ask(gate, name) }
    assert_same_fault(-> { name.to_sym }) { gate(blocked_tools: [name]) }
  end

  def test_the_mode_and_the_list_are_read_through_the_readers
    own = Class.new(QuietGate) do
      def mode = :strict
      def blocked_tools = [:read]
    end.new
    assert_equal "read requires approval (mode: strict)", ask(own, "read")[:reason]
    assert_equal PROCEED, ask(own, "bash", id: "tc-2")
  end

  # Reminder

  def test_the_reminder_is_given_to_warn_of_the_gate_itself
    made = gate
    ask(made, :bash, id: 7)
    text = "[Permissions] Tool 'bash' requires approval. Call approve('7') to allow."
    assert_equal [text], made.reminders
  end

  def test_the_reminder_goes_to_standard_error_and_follows_the_warning_level
    assert_output("", /\A\[Permissions\] Tool 'edit' .*\n\z/) { ask(Gate.new, "edit") }
    verbose = $VERBOSE
    $VERBOSE = nil
    assert_output("", "") { ask(Gate.new, "edit") }
  ensure
    $VERBOSE = verbose
  end

  def test_the_reminder_goes_through_the_warning_module
    seen = []
    Warning.stub(:warn, ->(message, **) { seen << message }) { ask(Gate.new) }
    assert_equal ["[Permissions] Tool 'bash' requires approval. Call approve('tc-1') to allow.\n"], seen
  end

  def test_there_is_one_reminder_an_entry
    made = gate(mode: :read_only)
    3.times { ask(made) }
    ask(made, id: nil)
    made.approve("tc-1")
    ask(made)
    ask(made, "read", id: "tc-9")
    assert_equal 2, made.reminders.size
  end

  def test_the_gate_may_be_used_while_reminding
    own = Class.new(Gate) do
      def warn(*)
        approve("tc-1")
        pending_approvals
      end
    end.new
    assert_equal :block, ask(own)[:action]
    assert_equal PROCEED, ask(own)
  end

  def test_an_error_while_reminding_comes_out_and_the_entry_stays
    own = Class.new(Gate) { def warn(*) = raise(IOError, "no terminal") }.new
    assert_equal "no terminal", assert_raises(IOError) { ask(own) }.message
    assert_equal :block, ask(own)[:action]
    assert_equal 1, own.pending_approvals.size
  end
end
