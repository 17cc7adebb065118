# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# The shapes, texts and order of a policy, and what it asks of its duck-typed parts.
class ApprovalPolicyTest < Minitest::Test
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

  # Rules that answer the same to every question.
  def answering(answer)
    witness(@log, classify: ->(*) { answer })
  end

  # Interface

  def test_the_documented_methods_are_public_and_the_rest_is_not
    assert_empty %i[before_tool_call lookup queue rules require_approval tools] - Policy.public_instance_methods(false)
    %i[enqueue find_tool approval_required? auto_approvable? matches_require_approval?].each do |name|
      refute_respond_to policy, name
    end
  end

  def test_argument_errors_are_rubys_own
    {
      -> { Policy.new } => "missing keyword: :queue",
      -> { Policy.new(@queue) } => "wrong number of arguments (given 1, expected 0; required keyword: queue)",
      -> { policy(unheard_of: 1) } => "unknown keyword: :unheard_of",
      -> { policy.before_tool_call } => "wrong number of arguments (given 0, expected 1..2)",
      -> { policy.before_tool_call(1, 2, 3) } => "wrong number of arguments (given 3, expected 1..2)",
      -> { policy.lookup } => "wrong number of arguments (given 0, expected 1)"
    }.each { |call, text| assert_equal text, assert_raises(ArgumentError, &call).message }
  end

  def test_the_hook_as_a_method_object_knows_its_policy
    whole = policy
    hook = whole.method(:before_tool_call)
    assert_same whole, hook.receiver
    assert_equal :before_tool_call, hook.name
    assert_equal PROCEED, hook.call(tool_call, nil)
    assert_equal PROCEED, hook.to_proc.call(tool_call)
  end

  def test_the_readers_give_false_and_nil_as_given
    assert_equal [false, nil], [policy(require_approval: false).require_approval, policy(tools: nil).tools]
    assert_nil Policy.new(queue: nil).queue
  end

  # Shapes

  def test_each_result_is_a_fresh_unfrozen_hash_with_its_keys_in_order
    { allow: %i[action], deny: %i[action reason], ask: %i[action action_id reason] }.each do |answer, keys|
      whole = policy(rules: answering(answer))
      first = ask(whole)
      second = ask(whole)
      assert_equal keys, first.keys
      assert_instance_of Hash, first
      refute_predicate first, :frozen?
      refute_same first, second
      first.clear
      assert_equal keys, ask(whole).keys
    end
    refute_predicate ask(policy), :frozen?
  end

  def test_the_texts_are_exact
    assert_equal "Denied by permission rules: 'it's'", ask(policy(rules: answering(:deny)), "it's")[:reason]
    assert_equal "Tool '' requires approval", ask(policy(require_approval: :all), nil)[:reason]
    ask(policy(require_approval: :all), 'a"b')
    assert_equal 'Calling "a"b" requires approval', @queue.submissions.last[:message]
  end

  def test_a_reason_may_be_changed_without_changing_the_next
    whole = policy(rules: answering(:deny))
    ask(whole)[:reason] << "!"
    assert_equal "Denied by permission rules: 'bash'", ask(whole)[:reason]
  end

  def test_names_keep_their_encoding_in_the_texts
    name = "caf\u00e9".encode("ISO-8859-1")
    reason = ask(policy(rules: answering(:deny)), name)[:reason]
    assert_equal "Denied by permission rules: '#{name}'", reason
    assert_equal Encoding::ISO_8859_1, reason.encoding
    broken = "a\xFF"
    assert_equal "Tool '#{broken}' requires approval", ask(policy(require_approval: :all), broken)[:reason]
  end

  def test_a_name_that_fits_no_text_raises_as_ruby_does
    name = "bash".encode("UTF-16LE")
    assert_same_fault(-> { "Tool '#{name}'" }) { ask(policy(rules: answering(:deny)), name) }
    assert_empty @queue.submissions
  end

  # Submissions

  def test_a_queue_gets_exactly_five_keywords
    ask(policy(require_approval: :all), :bash, id: "tc-3", arguments: { "a" => 1 })
    assert_equal [{
      tool_name: "bash", args: { "a" => 1 }, tool_call_id: "tc-3", auto_approvable: false,
      message: 'Calling "bash" requires approval'
    }], @queue.submissions
  end

  def test_what_submit_answers_is_the_action_id
    object = Object.new
    result = Policy.new(queue: RecordingQueue.new(object), require_approval: :all).before_tool_call(tool_call)
    assert_same object, result[:action_id]
    nothing = Policy.new(queue: RecordingQueue.new(nil), require_approval: :all).before_tool_call(tool_call)
    assert_equal({ action: :pending, action_id: nil, reason: "Tool 'bash' requires approval" }, nothing)
  end

  def test_arguments_are_passed_on_as_the_same_object
    ['{"command":"ls"}', { "a" => 1 }, nil, [1]].each do |arguments|
      ask(policy(require_approval: :all), arguments:)
      assert_same arguments, @queue.submissions.last[:args]
    end
  end

  def test_looking_up_asks_the_queue_by_index
    assert_equal :"action 7", policy.lookup(7)
    assert_equal :"action nil", policy.lookup(nil)
    assert_equal [7, nil], @queue.lookups
  end

  def test_an_error_of_submit_comes_out
    queue = witness(@log, submit: ->(**) { raise IOError, "full" })
    error = assert_raises(IOError) { Policy.new(queue:, require_approval: :all).before_tool_call(tool_call) }
    assert_equal "full", error.message
  end

  # Rules

  def test_rules_are_asked_once_with_the_name_as_string_and_the_arguments
    asked = []
    rules = witness(@log, classify: ->(*given) { (asked << given) && nil })
    arguments = { "a" => 1 }
    ask(policy(rules:), :bash, arguments:)
    assert_equal [["bash", arguments]], asked
    assert_same arguments, asked.dig(0, 1)
    assert_equal [:classify], @log
  end

  def test_an_answer_that_is_none_of_the_three_is_no_opinion
    [nil, "deny", :unknown, true, false, [:deny]].each do |answer|
      assert_equal PROCEED, ask(policy(rules: answering(answer)))
      assert_equal :pending, ask(policy(rules: answering(answer), require_approval: :all))[:action]
    end
  end

  def test_an_error_of_the_rules_comes_out
    rules = witness(@log, classify: ->(*) { raise IOError, "no rules" })
    assert_equal "no rules", assert_raises(IOError) { ask(policy(rules:)) }.message
    assert_raises(NoMethodError) { ask(policy(rules: Object.new)) }
    assert_raises(NoMethodError) { ask(policy(rules: false)) }
  end

  # require_approval

  def test_other_criteria_are_compared_by_their_text
    assert_equal :pending, ask(policy(require_approval: true), "true")[:action]
    assert_equal :pending, ask(policy(require_approval: false), "false")[:action]
    assert_equal :pending, ask(policy(require_approval: 12), "12")[:action]
    [true, false, 12, Set["bash"], { "bash" => true }, Object.new, "all"].each do |criterion|
      assert_equal PROCEED, ask(policy(require_approval: criterion)), criterion.inspect
    end
  end

  def test_lists_may_nest_and_hold_anything
    assert_equal :pending, ask(policy(require_approval: [nil, [[], [/^ba/]]]))[:action]
    assert_equal :pending, ask(policy(require_approval: ["x", :all]))[:action]
    assert_equal PROCEED, ask(policy(require_approval: [nil, "all", true, [[:sh]]]))
  end

  def test_a_list_is_read_live_and_only_as_far_as_needed
    list = ["bash"]
    whole = policy(require_approval: list)
    list[0] = "sh"
    assert_equal PROCEED, ask(whole)
    list << "bash" << witness(@log, to_s: -> { flunk })
    assert_equal :pending, ask(whole)[:action]
  end

  def test_an_error_of_a_regexp_comes_out
    assert_same_fault(-> { /x/.match?("\xFF") }) { ask(policy(require_approval: /x/), "\xFF") }
  end
end
