# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# What the documentation says of ApprovalPolicy and of wiring it into an agent, statement by statement.
class ReadmePolicyTest < Minitest::Test
  include Doubles

  def setup
    @seen = []
    @queue = Ask::Permissions::ApprovalQueue.new(
      auto_approve: { "fetch" => true },
      on_submit: ->(action) { @seen << [:submit, action.id] },
      on_approve: ->(action) { @seen << [:approve, action.id] },
      on_reject: ->(action) { @seen << [:reject, action.id] }
    )
    @rules = Ask::Permissions::PermissionRules.new
    @rules.deny("delete_user").ask("bash", "rm -rf").allow("read_file")
    @fetch = Tool.new(name: "fetch", approval_required: true, auto_approvable: true)
  end

  def policy(**options)
    Ask::Permissions::ApprovalPolicy.new(queue: @queue, **options)
  end

  def ask(policy, name, **options)
    policy.before_tool_call(tool_call(name, **options))
  end

  # Making one

  def test_only_the_queue_is_required
    assert_raises(ArgumentError) { Ask::Permissions::ApprovalPolicy.new }
    assert_same @queue, policy.queue
  end

  def test_readers_give_the_parts
    tools = { "fetch" => @fetch }
    criteria = ["bash", /^write_/]
    whole = policy(rules: @rules, require_approval: criteria, tools:)
    assert_same @queue, whole.queue
    assert_same @rules, whole.rules
    assert_same criteria, whole.require_approval
    assert_same tools, whole.tools
  end

  def test_parts_that_are_left_out_are_nil
    assert_nil policy.rules
    assert_nil policy.require_approval
    assert_nil policy.tools
  end

  # The hook

  def test_the_hook_takes_a_call_and_an_optional_context
    assert_equal({ action: :proceed }, policy.before_tool_call(tool_call))
    assert_equal({ action: :proceed }, policy.before_tool_call(tool_call, { turn: 1 }))
  end

  def test_the_hook_returns_one_of_three_shapes
    whole = policy(rules: @rules, require_approval: "bash")
    assert_equal({ action: :proceed }, ask(whole, "read_file"))
    assert_equal({ action: :block, reason: "Denied by permission rules: 'delete_user'" }, ask(whole, "delete_user"))
    assert_equal({ action: :pending, action_id: 1, reason: "Tool 'bash' requires approval" }, ask(whole, "bash"))
  end

  # The order of the layers

  def test_a_deny_rule_blocks_with_the_exact_reason
    result = ask(policy(rules: @rules, require_approval: :all), "delete_user")
    assert_equal({ action: :block, reason: "Denied by permission rules: 'delete_user'" }, result)
    refute_predicate @queue, :any_pending?
  end

  def test_an_allow_rule_wins_over_require_approval
    assert_equal({ action: :proceed }, ask(policy(rules: @rules, require_approval: :all), "read_file"))
    assert_equal({ action: :proceed }, ask(policy(rules: @rules, require_approval: "read_file"), "read_file"))
  end

  def test_an_ask_rule_enqueues_for_a_person
    tools = { "bash" => Tool.new(name: "bash", approval_required: true, auto_approvable: true) }
    result = ask(policy(rules: @rules, tools:), "bash", arguments: { "command" => "rm -rf /" })
    assert_equal :pending, result[:action]
    assert_equal false, @queue[result[:action_id]].auto_approvable
  end

  def test_require_approval_is_asked_when_no_rule_matched
    result = ask(policy(rules: @rules, require_approval: "bash"), "bash", arguments: { "command" => "ls" })
    assert_equal :pending, result[:action]
  end

  def test_a_tool_that_reports_approval_required_is_enqueued
    manual = Tool.new(name: "post", approval_required: true, auto_approvable: false)
    result = ask(policy(rules: @rules, tools: { "post" => manual }), "post")
    assert_equal :pending, result[:action]
    assert_equal false, @queue[1].auto_approvable
  end

  def test_whether_it_is_auto_approvable_comes_from_the_tool
    free = Tool.new(name: "post", approval_required: false, auto_approvable: true)
    ask(policy(require_approval: :all, tools: { "post" => free }), "post")
    assert_equal true, @queue[1].auto_approvable
    ask(policy(require_approval: :all), "post")
    assert_equal false, @queue[2].auto_approvable
  end

  def test_otherwise_the_call_proceeds
    free = Tool.new(name: "post", approval_required: false, auto_approvable: true)
    assert_equal({ action: :proceed }, ask(policy(rules: @rules, tools: { "post" => free }), "post"))
    assert_equal({ action: :proceed }, ask(policy, "bash"))
  end

  # require_approval

  def test_require_approval_takes_nil_all_names_and_regexps
    {
      nil => [], :all => %w[bash write_x read], "bash" => %w[bash], :bash => %w[bash], /^write_/ => %w[write_x]
    }.each do |criterion, queued|
      pending = %w[bash write_x read].select do |name|
        ask(policy(require_approval: criterion), name)[:action] == :pending
      end
      assert_equal queued, pending, criterion.inspect
    end
  end

  def test_require_approval_takes_a_list_of_which_any_may_match
    listed = policy(require_approval: [:bash, "edit", /^write_/])
    assert_equal(%w[bash edit write_x], %w[bash edit write_x read].select { ask(listed, _1)[:action] == :pending })
    assert_equal({ action: :proceed }, ask(policy(require_approval: []), "bash"))
  end

  # The tools

  def test_tools_may_be_a_hash_with_string_or_symbol_keys
    assert_equal :pending, ask(policy(tools: { "fetch" => @fetch }), "fetch")[:action]
    assert_equal :pending, ask(policy(tools: { fetch: @fetch }), "fetch")[:action]
  end

  def test_tools_may_be_a_list_of_objects_with_a_name
    listed = policy(tools: [Tool.new(name: :other, approval_required: false, auto_approvable: false), @fetch])
    assert_equal :pending, ask(listed, "fetch")[:action]
    assert_equal :proceed, ask(listed, "other")[:action]
  end

  def test_tools_may_be_anything_with_an_index
    registry = Object.new
    registry.define_singleton_method(:[]) { |name| name == "fetch" ? Struct.new(:approval_required?).new(true) : nil }
    assert_equal :pending, ask(policy(tools: registry), "fetch")[:action]
    assert_equal :proceed, ask(policy(tools: registry), "other")[:action]
  end

  def test_a_tool_may_answer_one_of_the_two_questions
    tools = { "a" => Struct.new(:approval_required?).new(true), "b" => Struct.new(:auto_approvable?).new(true) }
    assert_equal :pending, ask(policy(tools:), "a")[:action]
    assert_equal false, @queue[1].auto_approvable
    assert_equal :proceed, ask(policy(tools:), "b")[:action]
  end

  # Looking up and resolving

  def test_the_action_id_is_the_queues_own
    whole = policy(require_approval: :all)
    ids = Array.new(3) { ask(whole, "bash")[:action_id] }
    assert_equal [1, 2, 3], ids
    assert_equal([1, 2, 3], @queue.pending_actions.map(&:id))
  end

  def test_looking_up_is_left_to_the_queue
    whole = policy(require_approval: :all)
    result = ask(whole, "bash", id: "tc-9", arguments: { "command" => "ls" })
    action = whole.lookup(result[:action_id])
    assert_same @queue[1], action
    assert_equal ["tc-9", "bash", { "command" => "ls" }], [action.tool_call_id, action.tool_name, action.args]
    assert_nil whole.lookup(99)
  end

  def test_an_enqueued_call_is_resolved_through_the_queue
    whole = policy(require_approval: :all)
    2.times { ask(whole, "bash") }
    @queue.approve(whole.lookup(1).id)
    @queue.reject(whole.lookup(2).id)
    assert_equal [[:approve, 1], [:reject, 2]], @seen.last(2)
  end

  # Automatic approval through the policy

  def test_an_approvable_call_of_a_listed_tool_comes_back_pending_but_approved
    whole = policy(tools: { "fetch" => @fetch })
    result = ask(whole, "fetch")
    assert_equal :pending, result[:action]
    assert_predicate whole.lookup(result[:action_id]), :approved?
    assert_equal [[:submit, 1], [:approve, 1]], @seen
  end

  def test_an_ask_rule_is_never_automatic
    rules = Ask::Permissions::PermissionRules.new.ask("fetch")
    result = ask(policy(rules:, tools: { "fetch" => @fetch }), "fetch")
    assert_predicate @queue[result[:action_id]], :pending?
  end

  def test_the_queue_must_list_the_tool_too
    @queue.auto_approve.clear
    ask(policy(tools: { "fetch" => @fetch }), "fetch")
    assert_predicate @queue[1], :pending?
    assert_predicate @queue[1], :auto_approvable?
  end

  # In an agent

  def test_a_tool_is_never_run_by_the_library
    tool = witness([], approval_required?: true, auto_approvable?: true, call: -> { flunk }, execute: -> { flunk })
    result = ask(policy(tools: { "fetch" => tool }), "fetch")
    assert_predicate @queue[result[:action_id]], :approved?
  end

  def test_an_agent_can_branch_on_the_three_shapes
    whole = policy(rules: @rules, require_approval: "bash", tools: { "fetch" => @fetch })
    outcomes = %w[read_file delete_user fetch bash].map do |name|
      case ask(whole, name)
      in { action: :proceed } then :ran
      in { action: :block, reason: } then reason
      in { action: :pending, action_id: } then whole.lookup(action_id).approved? ? :ran_approved : :paused
      end
    end
    assert_equal [:ran, "Denied by permission rules: 'delete_user'", :ran_approved, :paused], outcomes
  end

  def test_a_raising_callback_reaches_the_hook_and_leaves_the_action_pending
    @queue.on_submit = ->(_action) { raise IOError, "no terminal" }
    assert_raises(IOError) { ask(policy(require_approval: :all), "bash") }
    assert_equal :pending, @queue[1].status
  end

  def test_a_raising_automatic_approval_reaches_the_hook_and_is_rolled_back
    @queue.on_approve = ->(_action) { raise IOError, "no terminal" }
    assert_raises(IOError) { ask(policy(tools: [@fetch]), "fetch") }
    assert_equal :pending, @queue[1].status
  end

  def test_approving_rewrites_no_rule
    whole = policy(rules: @rules)
    call = { arguments: { "command" => "rm -rf /" } }
    @queue.approve(ask(whole, "bash", **call)[:action_id])
    again = ask(whole, "bash", **call)
    assert_equal({ action: :pending, action_id: 2, reason: "Tool 'bash' requires approval" }, again)
    assert_equal %i[approved pending], [@queue[1].status, @queue[2].status]
  end
end
