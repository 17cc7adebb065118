# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# Frozen objects, and rule sets shared between Ractors.
class LifecycleFreezeTest < Minitest::Test
  include Child::Assertions

  PermissionRules = Ask::Permissions::PermissionRules
  Call = Struct.new(:id, :name, :arguments)

  def rules
    PermissionRules.new do
      deny "bash", "rm"
      allow "bash"
      ask(/file/, /x/)
    end
  end

  def test_frozen_rules_refuse_new_rules
    repaired!
    frozen = rules
    assert_same frozen, frozen.freeze
    [frozen, rules.clone(freeze: true), frozen.clone].each do |set|
      assert_predicate set, :frozen?
      %i[allow ask deny].each do |declare|
        error = assert_raises(FrozenError) { set.public_send(declare, "new") }
        assert_same set, error.receiver
        assert_includes error.message, "can't modify frozen Ask::Permissions::PermissionRules"
      end
      assert_equal 3, set.rules.size
      assert_nil set.classify("new")
    end
  end

  def test_frozen_rules_decide
    frozen = rules.freeze
    decisions = [["bash", { "command" => "rm" }], ["bash", {}], ["a file", "x"], ["a file", "y"]].map do |name, args|
      frozen.classify(name, args)
    end
    assert_equal [:deny, :ask, :ask, nil], decisions
    assert_equal [3, 1], [frozen.rules.size, frozen.dangerous_rules.size]
    refute_predicate frozen.rules, :frozen?
    assert frozen.deny?("bash", "rm")
  end

  def test_copies_of_frozen_rules
    repaired!
    frozen = rules.freeze
    refute_predicate frozen.dup, :frozen?
    assert_predicate frozen.clone, :frozen?
    [frozen.dup, frozen.clone(freeze: false)].each do |copied|
      assert_equal :deny, copied.deny("new").classify("new")
      assert_nil frozen.classify("new")
    end
  end

  def test_freezing_leaves_patterns_alone
    pattern = +"bash"
    PermissionRules.new { deny pattern, pattern }.freeze
    refute_predicate pattern, :frozen?
  end

  def test_frozen_queue
    queue = Ask::Permissions::ApprovalQueue.new
    2.times { |n| queue.submit(tool_call_id: n, tool_name: "bash", auto_approvable: true) }
    queue.freeze
    assert_raises(FrozenError) { queue.submit(tool_call_id: 3, tool_name: "bash") }
    assert_raises(FrozenError) { queue.drain }
    assert_raises(FrozenError) { queue.on_approve = nil }
    assert_equal [1, 2], queue.pending_actions.map(&:id)
    assert_equal %i[approved rejected], [queue.approve(1), queue.reject(2)].flatten.map(&:status)
    assert_equal :approved, queue[1].status
  end

  def test_frozen_gate_and_policy
    gate = Ask::Permissions::Permissions.new.freeze
    call = Call.new(1, "bash", {})
    _out, warnings = capture_io { assert_equal :block, gate.before_tool_call(call)[:action] }
    assert_equal 1, warnings.lines.size
    assert gate.approve(1)
    assert_equal({ action: :proceed }, gate.before_tool_call(call))

    queue = Ask::Permissions::ApprovalQueue.new
    policy = Ask::Permissions::ApprovalPolicy.new(queue:, require_approval: :all).freeze
    assert_equal 1, policy.before_tool_call(call)[:action_id]
    assert_equal :pending, policy.lookup(1).status
  end

  # The Regexps have an encoding of their own (/u): without one, Ruby compiles a Regexp anew, in place, when the
  # encoding of the text changes, which is not safe when several Ractors match it at once.
  RACTORS = <<~'RUBY'
    # frozen_string_literal: true

    def take(ractor)
      ractor.respond_to?(:value) ? ractor.value : ractor.take
    end

    LITERAL = Ask::Permissions::PermissionRules.new do
      deny "bash", "rm"
      deny "bash", /curl.*sh/u
      allow :bash
      ask(/\Afile/u, :secret)
      allow :all, "harmless"
    end

    # Calls, and their decisions.
    FACTS = Ractor.make_shareable(
      [
        ["bash", { "command" => "rm x" }, :deny], ["bash", { "command" => "curl x | sh" }, :deny],
        ["bash", { "command" => "ls", "n" => [1, nil, 2.5, true] }, :ask], ["file1", "a secret", :ask],
        ["file1", "none", nil], [:other, { harmless: 1 }, :allow], ["é", "ü", nil]
      ]
    )
    EXPECTED = FACTS.map(&:last)
  RUBY

  def test_frozen_rules_are_shareable
    repaired!
    assert_checks RACTORS + <<~'RUBY'
      check("not while they can change", false, Ractor.shareable?(LITERAL))
      check("frozen", true, Ractor.shareable?(LITERAL.dup.freeze))
      check("a frozen clone", true, Ractor.shareable?(LITERAL.clone(freeze: true)))
      check("made shareable", true, Ractor.shareable?(Ractor.make_shareable(LITERAL.dup)))
      pattern = "bash".dup
      rules = Ask::Permissions::PermissionRules.new { deny pattern }.freeze
      check("not with a pattern that can change", false, Ractor.shareable?(rules))
      check("but it can be made so", true, Ractor.shareable?(Ractor.make_shareable(rules)))
      check("which freezes the pattern", [true, :deny], [pattern.frozen?, rules.classify("bash")])
      check("the copy it came from can change", :deny, LITERAL.deny("new").classify("new"))
    RUBY
  end

  def test_shared_rules_decide_in_ractors
    repaired!
    assert_checks RACTORS + <<~'RUBY'
      rules = LITERAL.dup.freeze
      ractors = Array.new(3) do
        Ractor.new(rules, FACTS) do |shared, facts|
          Array.new(100) { facts.map { |name, args, _| shared.classify(name, args) } }.uniq
        end
      end
      mine = Array.new(100) { FACTS.map { |name, args, _| rules.classify(name, args) } }.uniq
      check("decisions here", [EXPECTED], mine)
      ractors.each { |ractor| check("decisions there", [EXPECTED], take(ractor)) }
      ractor = Ractor.new(rules) do |shared|
        [shared.rules.size, shared.dangerous_rules.size, shared.rules.first.matches?("bash", "rm"), shared.deny?("bash", "rm"),
         (shared.allow("x") rescue $!.class)]
      end
      check("all else", [5, 1, true, true, FrozenError], take(ractor))
    RUBY
  end

  def test_objects_of_a_ractor
    assert_checks RACTORS + <<~'RUBY'
      ractor = Ractor.new do
        rules = Ask::Permissions::PermissionRules.new { deny "bash", "rm" }
        copy = rules.dup.allow("ls")
        queue = Ask::Permissions::ApprovalQueue.new(auto_approve: { "auto" => true })
        queue.submit(tool_call_id: 1, tool_name: "auto", auto_approvable: true)
        queue.submit(tool_call_id: 2, tool_name: "asked")
        gate = Ask::Permissions::Permissions.new(mode: :read_only)
        policy = Ask::Permissions::ApprovalPolicy.new(queue: queue, rules: rules)
        call = Struct.new(:id, :name, :arguments).new(3, "bash", "rm")
        [rules.classify("bash", "rm"), copy.classify("ls"), queue[1].status, queue.reject(2).map(&:status),
         policy.before_tool_call(call)[:action], gate.blocked_tools]
      end
      check("work there", [:deny, :allow, :approved, [:rejected], :block, %i[write edit bash destroy]], take(ractor))
    RUBY
  end
end
