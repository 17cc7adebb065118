# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"
require "minitest/mock"
require "mocha/minitest"

# Mocking libraries can stand in for every object, and for every method of one.
class MockingTest < Minitest::Test
  include Doubles

  Queue = Ask::Permissions::ApprovalQueue
  Rules = Ask::Permissions::PermissionRules
  Policy = Ask::Permissions::ApprovalPolicy
  Gate = Ask::Permissions::Permissions

  METHODS = {
    Queue => %i[submit pending_actions pending? any_pending? [] approve reject approve_all reject_all drain
                auto_approve on_approve on_reject on_submit on_approve= on_reject= on_submit=],
    Rules => %i[allow ask deny rules dangerous_rules classify allow? ask? deny?],
    Policy => %i[before_tool_call lookup queue rules require_approval tools],
    Gate => %i[before_tool_call approve pending_approvals mode blocked_tools timeout]
  }.freeze

  def fresh(type)
    type == Policy ? Policy.new(queue: Queue.new) : type.new
  end

  # Every public method

  def test_mocha_stubs_every_public_method_of_an_object
    METHODS.each do |type, names|
      names.each do |name|
        object = fresh(type)
        object.stubs(name).returns(:stubbed)
        assert_equal :stubbed, object.public_send(name, 1), "#{type}##{name}"
        object.unstub(name)
      end
    end
  end

  def test_mocha_stubs_every_public_method_of_any_instance
    METHODS.each do |type, names|
      names.each do |name|
        type.any_instance.stubs(name).returns(:stubbed)
        assert_equal :stubbed, fresh(type).public_send(name, 1), "#{type}##{name}"
        type.any_instance.unstub(name)
      end
    end
  end

  def test_minitest_stubs_every_public_method_of_an_object
    METHODS.each do |type, names|
      names.each do |name|
        object = fresh(type)
        object.stub(name, :stubbed) { assert_equal :stubbed, object.public_send(name, 1), "#{type}##{name}" }
      end
    end
  end

  def test_what_was_stubbed_works_again_afterwards
    rules = Rules.new.deny("x")
    rules.stub(:classify, :allow) { assert_equal :allow, rules.classify("x") }
    assert_equal :deny, rules.classify("x")
    queue = Queue.new
    queue.stub(:submit, 9) { assert_equal 9, queue.submit }
    assert_equal 1, submit(queue)
    Queue.any_instance.stubs(:approve).returns([])
    assert_equal [], queue.approve(1)
    Queue.any_instance.unstub(:approve)
    assert_equal([1], queue.approve(1).map(&:id))
  end

  def test_new_can_be_stubbed
    METHODS.each_key do |type|
      type.stubs(:new).returns(:made)
      assert_equal :made, type.new(anything: 1)
      type.unstub(:new)
    end
  end

  # Parts of a whole are reached through the methods that were stubbed

  def test_expectations_on_the_rules_of_a_policy
    rules = Rules.new
    rules.expects(:classify).with("bash", { "command" => "ls" }).returns(:deny)
    result = Policy.new(queue: Queue.new, rules:).before_tool_call(tool_call(arguments: { "command" => "ls" }))
    assert_equal :block, result[:action]
  end

  def test_expectations_on_the_queue_of_a_policy
    queue = Queue.new
    queue.expects(:submit).with(
      tool_name: "bash", args: {}, tool_call_id: "tc-1", auto_approvable: false,
      message: 'Calling "bash" requires approval'
    ).returns(41)
    queue.expects(:[]).with(41).returns(:found)
    policy = Policy.new(queue:, require_approval: :all)
    assert_equal :found, policy.lookup(policy.before_tool_call(tool_call)[:action_id])
  end

  def test_expectations_on_the_readers_of_a_policy
    policy = Policy.new(queue: Queue.new)
    policy.stubs(:require_approval).returns(["bash"])
    policy.stubs(:tools).returns({ bash: stub(auto_approvable?: true) })
    policy.queue.stubs(:auto_approve).returns({})
    assert_predicate policy.lookup(policy.before_tool_call(tool_call)[:action_id]), :auto_approvable?
  end

  def test_submit_drains_through_the_stubbed_method
    queue = Queue.new(auto_approve: { "fetch" => true })
    queue.expects(:drain).once.returns(queue)
    submit(queue, "fetch", auto_approvable: true)
    assert_predicate queue[1], :pending?
  end

  def test_approving_and_rejecting_go_through_the_private_hooks
    queue = Queue.new
    2.times { submit(queue) }
    queue.expects(:apply).with(queue[1]).returns(:applied)
    queue.expects(:reject_action).with(queue[2]).returns(:rejected)
    assert_equal [:applied], queue.approve(1)
    assert_equal [:rejected], queue.reject(2)
  end

  def test_approve_all_goes_through_the_stubbed_methods
    queue = Queue.new
    queue.stubs(:pending_actions).returns([stub(id: 7), stub(id: 8)])
    queue.expects(:approve).with(7, 8).returns([:approved])
    queue.expects(:reject).with(7, 8).returns([:rejected])
    assert_equal [[:approved], [:rejected]], [queue.approve_all, queue.reject_all]
  end

  def test_the_three_questions_go_through_a_stubbed_classify
    rules = Rules.new
    rules.expects(:classify).times(3).returns(:ask)
    assert_equal [false, true, false], [rules.allow?("x"), rules.ask?("x"), rules.deny?("x")]
  end

  def test_a_gate_reminds_through_a_stubbed_warn_and_reads_through_stubbed_readers
    gate = Gate.new
    gate.stubs(:blocked_tools).returns([:read])
    gate.stubs(:mode).returns(:strict)
    gate.expects(:warn).once
    2.times do
      assert_equal({ action: :block, reason: "read requires approval (mode: strict)" },
                   gate.before_tool_call(tool_call("read")))
    end
  end

  def test_time_can_be_stubbed
    Time.stubs(:now).returns(Time.at(5))
    queue = Queue.new
    submit(queue)
    assert_equal Time.at(5), queue[1].submitted_at
    gate = Gate.new(timeout: 60)
    gate.stubs(:warn)
    gate.before_tool_call(tool_call)
    gate.approve("tc-1")
    Time.stubs(:now).returns(Time.at(66))
    assert_equal :block, gate.before_tool_call(tool_call)[:action]
    assert_equal [Time.at(66)], gate.pending_approvals.map(&:created_at)
  end

  # Mocks as arguments

  def test_mocks_serve_as_tool_call_rules_queue_and_tool
    rules = mock("rules")
    rules.expects(:classify).with("bash", "{}").returns(nil)
    tool = mock("tool")
    tool.stubs(approval_required?: true, auto_approvable?: false)
    queue = mock("queue")
    queue.expects(:submit).with(has_entries(tool_call_id: "tc-1", auto_approvable: false)).returns(3)
    call = stub(name: "bash", arguments: "{}", id: "tc-1")
    result = Policy.new(queue:, rules:, tools: { "bash" => tool }).before_tool_call(call)
    assert_equal({ action: :pending, action_id: 3, reason: "Tool 'bash' requires approval" }, result)
  end

  def test_minitest_mocks_serve_as_rules_queue_and_tool
    rules = Minitest::Mock.new.expect(:classify, nil, ["bash", "{}"])
    tool = Minitest::Mock.new.expect(:approval_required?, true).expect(:auto_approvable?, true)
    queue = Minitest::Mock.new
    queue.expect(:submit, 3, tool_name: "bash", args: "{}", tool_call_id: "tc-1", auto_approvable: true,
                             message: 'Calling "bash" requires approval')
    call = tool_call(arguments: "{}")
    assert_equal 3, Policy.new(queue:, rules:, tools: { "bash" => tool }).before_tool_call(call)[:action_id]
    [rules, tool, queue].each { |mock| assert_mock mock }
  end

  def test_mocks_serve_as_callbacks_clock_and_list
    on_submit = mock("on_submit")
    on_approve = mock("on_approve")
    sequence = sequence("callbacks")
    on_submit.expects(:call).with(instance_of(Queue::Action)).in_sequence(sequence)
    on_approve.expects(:call).with(responds_with(:applying?, true)).in_sequence(sequence)
    list = mock("list")
    list.stubs(:[]).with("fetch").returns(true)
    queue = Queue.new(on_submit:, on_approve:, auto_approve: list, clock: stub(call: 12))
    submit(queue, "fetch", auto_approvable: true)
    assert_equal [:approved, 12], [queue[1].status, queue[1].submitted_at]
  end

  def test_spies_see_what_a_subclass_and_its_parent_get
    queue = Class.new(Queue).new
    Queue.any_instance.stubs(:submit).returns(5)
    assert_equal 5, queue.submit(tool_call_id: 1, tool_name: "x")
  end

  def test_actions_and_rules_can_be_stood_in_for
    Queue::Action.any_instance.stubs(:approved?).returns(true)
    queue = Queue.new
    submit(queue)
    assert_predicate queue[1], :approved?
  end
end
