# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# How a policy finds a tool, what it asks of it and of a tool call, and in which order.
class ApprovalPolicyPartsTest < Minitest::Test
  include Doubles

  Policy = Ask::Permissions::ApprovalPolicy
  PROCEED = { action: :proceed }.freeze

  def setup
    @queue = RecordingQueue.new
    @log = []
  end

  def policy(**options)
    Policy.new(queue: @queue, **options)
  end

  def ask(policy, name = "bash", **options)
    policy.before_tool_call(tool_call(name, **options))
  end

  def needing(required: true, automatic: false, name: "bash")
    Tool.new(name:, approval_required: required, auto_approvable: automatic)
  end

  # A Hash

  def test_the_string_key_comes_before_the_symbol_key
    assert_equal PROCEED, ask(policy(tools: { "bash" => needing(required: false), bash: needing }))
    assert_equal :pending, ask(policy(tools: { "bash" => nil, bash: needing }))[:action]
    assert_equal :pending, ask(policy(tools: { "bash" => false, bash: needing }))[:action]
  end

  def test_a_default_of_the_hash_is_a_tool
    assert_equal :pending, ask(policy(tools: Hash.new { |_, key| needing if key == "bash" }))[:action]
    assert_equal :pending, ask(policy(tools: Hash.new { |_, key| needing if key == :bash }))[:action]
  end

  def test_a_hash_is_read_live
    tools = {}
    whole = policy(tools:)
    assert_equal PROCEED, ask(whole)
    tools[:bash] = needing
    assert_equal :pending, ask(whole)[:action]
  end

  def test_a_name_that_can_be_no_symbol_raises_as_ruby_does
    name = "\xFF"
    assert_same_fault(-> { name.to_sym }) { ask(policy(tools: {}), name) }
    assert_equal PROCEED, ask(policy, name)
  end

  # An Array

  def test_the_first_of_a_list_with_that_name_is_the_tool
    assert_equal PROCEED, ask(policy(tools: [needing(required: false), needing]))
    assert_equal :pending, ask(policy(tools: [needing(name: "sh"), needing(name: :bash)]))[:action]
  end

  def test_entries_without_a_name_are_passed_over
    assert_equal :pending, ask(policy(tools: ["bash", nil, 7, Object.new, needing]))[:action]
    assert_equal PROCEED, ask(policy(tools: %w[bash fetch]))
  end

  def test_classes_have_a_name
    tool = Class.new do
      def self.name = "Bash"
      def self.approval_required? = true
    end
    assert_equal :pending, ask(policy(tools: [tool]), "Bash")[:action]
    assert_equal PROCEED, ask(policy(tools: [String]), "String")
  end

  # Anything else

  def test_a_registry_is_asked_by_index_with_the_name_as_string
    asked = []
    registry = witness(@log, "[]": ->(name) { (asked << name) && nil })
    assert_equal PROCEED, ask(policy(tools: registry), :bash)
    assert_equal ["bash"], asked.uniq
  end

  def test_what_has_no_index_knows_no_tool
    assert_equal PROCEED, ask(policy(tools: Object.new))
    assert_equal PROCEED, ask(policy(tools: true))
  end

  def test_a_string_or_struct_answers_to_an_index_too
    assert_equal PROCEED, ask(policy(tools: "bash and more"))
    assert_equal :pending, ask(policy(tools: Struct.new(:bash).new(needing)))[:action]
  end

  def test_an_index_that_does_not_take_names_raises_its_own_error
    assert_same_fault(-> { 5["bash"] }) { ask(policy(tools: 5)) }
    assert_same_fault(-> { Struct.new(:a).new(1)["bash"] }) { ask(policy(tools: Struct.new(:a).new(1))) }
  end

  # Questions to a tool

  def test_truthy_answers_count_and_become_true
    ask(policy(tools: { bash: needing(required: 1, automatic: "yes") }))
    assert_same true, @queue.submissions.last[:auto_approvable]
    ask(policy(tools: { bash: needing(required: 1, automatic: nil) }))
    assert_same false, @queue.submissions.last[:auto_approvable]
    assert_equal PROCEED, ask(policy(tools: { bash: needing(required: nil, automatic: true) }))
  end

  def test_a_tool_that_answers_nothing_proceeds
    assert_equal PROCEED, ask(policy(tools: { bash: Object.new }))
  end

  def test_private_answers_do_not_count
    tool = Class.new { private def approval_required? = true }.new
    assert_equal PROCEED, ask(policy(tools: { bash: tool }))
  end

  def test_answers_given_by_method_missing_count_if_announced
    ghost = Class.new do
      def respond_to_missing?(name, _private) = name == :approval_required?
      def method_missing(name, *) = name == :approval_required? || super
    end.new
    assert_equal :pending, ask(policy(tools: { bash: ghost }))[:action]
  end

  def test_a_tool_needs_no_more_than_the_questions_it_answers
    bare = Class.new(BasicObject) do
      def respond_to?(name) = name != :name
      def approval_required? = true
      def auto_approvable? = true
    end.new
    assert_equal :pending, ask(policy(tools: { bash: bare }))[:action]
    assert_same true, @queue.submissions.last[:auto_approvable]
  end

  def test_an_error_of_a_tool_comes_out
    tool = witness(@log, approval_required?: -> { raise IOError, "no answer" })
    assert_equal "no answer", assert_raises(IOError) { ask(policy(tools: { bash: tool })) }.message
    assert_empty @queue.submissions
  end

  # Order

  def whole(require_approval: nil, classify: nil)
    tool = witness(@log, approval_required?: true, auto_approvable?: true)
    registry = witness(@log, "[]": ->(_name) { tool })
    queue = witness(@log, submit: 1)
    Policy.new(queue:, rules: witness(@log, classify:), require_approval:, tools: registry)
  end

  def call
    witness(@log, name: "bash", arguments: {}, id: "tc-1")
  end

  def test_the_layers_are_asked_from_the_rules_to_the_queue
    whole.before_tool_call(call)
    assert_equal %i[name arguments classify [] approval_required? auto_approvable? id submit], @log.uniq
  end

  def test_a_matching_criterion_leaves_the_first_question_out
    whole(require_approval: "bash").before_tool_call(call)
    assert_equal %i[name arguments classify [] auto_approvable? id submit], @log.uniq
  end

  def test_an_ask_rule_leaves_the_tools_out
    whole(require_approval: "bash", classify: :ask).before_tool_call(call)
    assert_equal %i[name arguments classify id submit], @log.uniq
  end

  def test_a_deciding_rule_leaves_the_id_and_the_queue_out
    %i[allow deny].each do |answer|
      @log.clear
      whole(require_approval: :all, classify: answer).before_tool_call(call)
      assert_equal %i[name arguments classify], @log.uniq
    end
  end

  def test_a_call_needs_no_id_unless_it_is_enqueued
    nameless = Struct.new(:name, :arguments).new("bash", {})
    assert_equal PROCEED, policy.before_tool_call(nameless)
    assert_raises(NoMethodError) { policy(require_approval: :all).before_tool_call(nameless) }
  end

  def test_a_call_needs_a_name_and_arguments
    assert_raises(NoMethodError) { policy.before_tool_call(Struct.new(:name).new("bash")) }
    assert_raises(NoMethodError) { policy.before_tool_call(Struct.new(:arguments).new({})) }
    assert_raises(NoMethodError) { policy.before_tool_call(nil) }
  end

  def test_the_context_is_not_looked_at
    assert_equal PROCEED, policy.before_tool_call(tool_call, BasicObject.new)
  end

  # Readers

  def test_the_parts_are_read_through_the_readers
    other = RecordingQueue.new(9)
    denying = witness(@log, classify: ->(name, _) { :deny if name == "drop" })
    own = Class.new(Policy) do
      define_method(:queue) { other }
      define_method(:rules) { denying }
      define_method(:require_approval) { "bash" }
      define_method(:tools) { { "bash" => Tool.new(name: "bash", approval_required: false, auto_approvable: true) } }
    end.new(queue: @queue)
    assert_equal :block, ask(own, "drop")[:action]
    assert_equal 9, ask(own)[:action_id]
    assert_same true, other.submissions.first[:auto_approvable]
    assert_equal :"action 3", own.lookup(3)
    assert_empty @queue.submissions + @queue.lookups
  end
end
