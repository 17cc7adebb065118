# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/reference"

# Copies, frozen objects and patterns that change after they were declared.
class LifecycleCopyTest < Minitest::Test
  PermissionRules = Ask::Permissions::PermissionRules
  COPIES = {
    dup: :dup.to_proc,
    clone: :clone.to_proc,
    unfrozen_clone: ->(rules) { rules.clone(freeze: false) }
  }.freeze

  def rules
    PermissionRules.new do
      deny "bash", "rm"
      allow "bash"
      ask(/file/)
    end
  end

  def decisions(rules)
    [["bash", "rm x"], %w[bash ls], ["file", nil], ["other", nil]].map { |name, args| rules.classify(name, args) }
  end

  def test_a_copy_decides_the_same
    COPIES.each do |name, copy|
      original = rules
      copied = copy.call(original)
      assert_equal [:deny, :ask, :ask, nil], decisions(copied), name
      assert_equal original.rules, copied.rules
      assert_equal original.dangerous_rules, copied.dangerous_rules
      assert_instance_of PermissionRules, copied
    end
  end

  def test_a_copy_and_its_original_are_independent
    repaired!
    COPIES.each do |name, copy|
      original = rules
      copied = copy.call(original)
      original.allow("other")
      copied.deny("other").allow(:all)
      assert_equal [4, 5], [original.rules.size, copied.rules.size], name
      assert_equal [1, 2], [original.dangerous_rules.size, copied.dangerous_rules.size]
      assert_equal %i[allow deny], [original.classify("other"), copied.classify("other")]
      again = copy.call(copied).deny("third")
      assert_equal [4, 5, 6], ([original, copied, again].map { |set| set.rules.size })
      assert_equal [nil, :ask], ([original, copied].map { |set| set.classify("third") })
    end
  end

  def test_a_copy_keeps_what_dangerous_means
    set = PermissionRules.new(auto_allow_dangerous: true)
    assert_equal :allow, set.dup.allow("bash").classify("bash")
    assert_equal :ask, PermissionRules.new.dup.allow("bash").classify("bash")
  end

  def test_a_copy_of_a_subclass_keeps_its_variables
    type = Class.new(PermissionRules) do
      attr_reader :own

      def initialize(own, **options, &)
        @own = own
        super(**options, &)
      end
    end
    copied = type.new([1]) { deny "bash" }.dup
    assert_equal [[1], :deny], [copied.own, copied.classify("bash")]
    assert_instance_of type, copied
  end

  def test_a_clone_keeps_singleton_methods
    original = rules
    original.define_singleton_method(:hello) { classify("file") }
    assert_equal :ask, original.clone.hello
    refute_respond_to original.dup, :hello
  end

  def test_a_copy_made_in_the_block
    repaired!
    copied = nil
    original = PermissionRules.new do
      deny "bash"
      copied = dup
      allow "ls"
    end
    assert_equal [%i[deny allow], [:deny, nil]],
                 ([original, copied].map { |set| [set.classify("bash"), set.classify("ls")] })
  end

  def test_queues_and_gates_refuse_to_be_copied
    repaired!
    [Ask::Permissions::ApprovalQueue.new, Ask::Permissions::Permissions.new].each do |object|
      [*COPIES.values, ->(copied) { copied.clone(freeze: true) }].each do |copy|
        error = assert_raises(TypeError) { copy.call(object) }
        assert_match(/copy|copie/, error.message)
        assert_includes error.message, object.class.name
      end
    end
    assert_raises(TypeError) { Class.new(Ask::Permissions::ApprovalQueue).new.dup }
  end

  def test_a_queue_works_after_a_refused_copy
    repaired!
    queue = Ask::Permissions::ApprovalQueue.new
    queue.submit(tool_call_id: 1, tool_name: "bash")
    assert_raises(TypeError) { queue.dup }
    GC.start
    assert_equal [[1], [:approved]], [queue.pending_actions.map(&:id), queue.approve(1).map(&:status)]
  end

  def test_a_policy_shares_its_parts_with_its_copy
    queue = Ask::Permissions::ApprovalQueue.new
    policy = Ask::Permissions::ApprovalPolicy.new(queue:, rules:, require_approval: :all)
    [policy.dup, policy.clone, policy.clone(freeze: true)].each do |copied|
      assert_same queue, copied.queue
      assert_same policy.rules, copied.rules
      assert_equal :all, copied.require_approval
    end
  end

  def test_values_can_be_copied
    action = Ask::Permissions::ApprovalQueue::Action.new(
      id: 1, tool_call_id: 2, tool_name: "a", args: {}, auto_approvable: true, status: :pending, submitted_at: 3,
      message: 4
    )
    [action, rules.rules.first].each do |value|
      assert_equal value, value.dup
      assert_equal value, value.clone
      assert_predicate value, :frozen?
    end
  end
end
