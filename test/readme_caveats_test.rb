# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# What the documentation says of defaults and safety, statement by statement.
class ReadmeCaveatsTest < Minitest::Test
  include Doubles

  Queue = Ask::Permissions::ApprovalQueue
  Rules = Ask::Permissions::PermissionRules
  Policy = Ask::Permissions::ApprovalPolicy
  Gate = Ask::Permissions::Permissions

  # Unconfigured means allowed

  def test_a_policy_without_configuration_lets_every_call_proceed
    policy = Policy.new(queue: Queue.new)
    %w[bash code repl write destroy].each do |name|
      assert_equal({ action: :proceed }, policy.before_tool_call(tool_call(name)))
    end
  end

  def test_a_rule_set_without_a_match_is_nil_and_proceeds
    rules = Rules.new
    assert_nil rules.classify("bash")
    policy = Policy.new(queue: Queue.new, rules:)
    assert_equal({ action: :proceed }, policy.before_tool_call(tool_call("bash")))
  end

  # A dangerous tool is downgraded, not blocked

  def test_an_allowed_dangerous_tool_waits_for_a_person
    queue = Queue.new(auto_approve: { "bash" => true })
    policy = Policy.new(queue:, rules: Rules.new.allow("bash"))
    assert_equal :pending, policy.before_tool_call(tool_call("bash"))[:action]
    assert_equal [1], queue.pending_actions.map(&:id)
  end

  def test_turning_the_guard_off_lets_it_run
    policy = Policy.new(queue: Queue.new, rules: Rules.new(auto_allow_dangerous: true).allow("bash"))
    assert_equal({ action: :proceed }, policy.before_tool_call(tool_call("bash")))
  end

  def test_full_access_lets_everything_through_whatever_the_list_says
    gate = Gate.new(mode: :full_access, blocked_tools: %i[bash])
    assert_equal({ action: :proceed }, gate.before_tool_call(tool_call("bash")))
  end

  # Automatic approval is opted into twice

  def test_automatic_approval_takes_the_queue_and_the_submission
    statuses = [[true, true], [true, false], [false, true], [false, false]].map do |listed, approvable|
      queue = Queue.new(auto_approve: { "fetch" => listed })
      submit(queue, "fetch", auto_approvable: approvable)
      queue[1].status
    end
    assert_equal %i[approved pending pending pending], statuses
  end

  def test_a_required_approval_without_a_tool_waits_for_a_person
    queue = Queue.new(auto_approve: Hash.new(true))
    Policy.new(queue:, require_approval: :all).before_tool_call(tool_call("fetch"))
    assert_equal :pending, queue[1].status
  end

  # Automatic approval never skips the line

  def test_a_manual_item_halts_the_line_until_it_is_resolved_and_the_queue_drained
    queue = Queue.new(auto_approve: { "fetch" => true })
    submit(queue, "bash")
    2.times { submit(queue, "fetch", auto_approvable: true) }
    assert_equal([1, 2, 3], queue.pending_actions.map(&:id))
    queue.approve(1)
    assert_equal([2, 3], queue.pending_actions.map(&:id))
    queue.drain
    assert_empty queue.pending_actions
  end

  def test_the_next_submit_resumes_the_line_too
    queue = Queue.new(auto_approve: { "fetch" => true })
    submit(queue, "bash")
    submit(queue, "fetch", auto_approvable: true)
    queue.reject(1)
    assert_predicate queue, :any_pending?
    submit(queue, "bash")
    assert_equal([3], queue.pending_actions.map(&:id))
  end

  # State

  def test_approvals_belong_to_one_object_in_memory
    first = Queue.new
    submit(first)
    assert_nil Queue.new[1]
    gate = Gate.new
    capture_io { gate.before_tool_call(tool_call("bash")) }
    assert_same false, Gate.new.approve("tc-1")
  end

  def test_the_queue_approves_a_submission_and_the_gate_an_id
    queue = Queue.new
    policy = Policy.new(queue:, require_approval: :all)
    gate = Gate.new
    capture_io { gate.before_tool_call(tool_call) }
    queue.approve(policy.before_tool_call(tool_call)[:action_id])
    gate.approve("tc-1")
    assert_equal :pending, policy.before_tool_call(tool_call)[:action]
    assert_equal :proceed, gate.before_tool_call(tool_call)[:action]
  end

  # Failing callbacks are seen

  def test_every_raising_callback_comes_out_and_leaves_the_action_pending
    fail_loudly = ->(_action) { raise IOError, "broken pipe" }
    queue = Queue.new(on_submit: fail_loudly)
    assert_raises(IOError) { submit(queue) }
    queue.on_approve = queue.on_reject = fail_loudly
    assert_raises(IOError) { queue.approve(1) }
    assert_raises(IOError) { queue.reject(1) }
    assert_equal :pending, queue[1].status
  end

  def test_a_callback_runs_again_when_the_resolution_is_tried_again
    attempts = []
    queue = Queue.new(on_approve: lambda { |action|
      attempts << action.id
      raise IOError if attempts.size == 1
    })
    submit(queue)
    assert_raises(IOError) { queue.approve(1) }
    assert_equal([:approved], queue.approve(1).map(&:status))
    assert_equal [1, 1], attempts
  end
end
