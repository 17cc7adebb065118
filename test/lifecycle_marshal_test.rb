# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/reference"

# What objects show of themselves, and what can be written and read by Marshal.
class LifecycleMarshalTest < Minitest::Test
  Permissions = Ask::Permissions

  def queue
    Permissions::ApprovalQueue.new(clock: -> { 5 }).tap { |it| it.submit(tool_call_id: 1, tool_name: "bash") }
  end

  def gate
    Permissions::Permissions.new(clock: -> { 5 })
  end

  def rules
    Permissions::PermissionRules.new { deny "bash", /rm/ }
  end

  def test_inspect_and_to_s
    [queue, gate, rules, Permissions::ApprovalPolicy.new(queue:)].each do |object|
      assert_match(/\A#<#{object.class}[: ]/, object.inspect)
      assert_match(/\A#<#{object.class}:0x\h+>\z/, object.to_s)
      assert_predicate object.inspect, :valid_encoding?
    end
  end

  def test_inspect_of_objects_that_refer_to_themselves
    own = queue
    own.on_approve = own
    rules = self.rules
    rules.instance_variable_set(:@own, rules)
    [own, rules].each { |object| assert_match(/\A#<#{object.class}[: ]/, object.inspect) }
  end

  def test_inspect_of_values
    assert_match(/\A#<data Ask::Permissions::ApprovalQueue::Action id=1, .*status=:pending/, queue[1].inspect)
    assert_equal "#<data Ask::Permissions::PermissionRules::Rule decision=:deny, declared_decision=:deny, " \
                 "effective_decision=:deny, tool_pattern=\"bash\", argument_pattern=/rm/, dangerous=false>",
                 rules.rules.first.inspect
  end

  def test_what_cannot_be_written
    [queue, gate].each { |object| assert_raises(TypeError) { Marshal.dump(object) } }
  end

  def test_rules_cannot_be_written
    repaired!
    assert_raises(TypeError) { Marshal.dump(rules) }
    assert_raises(TypeError) { Marshal.dump(rules.freeze) }
    assert_equal :deny, rules.classify("bash", "rm")
  end

  def test_a_queue_works_after_it_could_not_be_written
    own = queue
    assert_raises(TypeError) { Marshal.dump(own) }
    assert_equal [:approved], own.approve(1).map(&:status)
  end

  def test_values_can_be_written_and_read
    action = queue.approve(1).first
    approval = Permissions::Permissions::Approval.new(
      tool_call_id: 1, tool_name: :bash, arguments: { "a" => 1 }, reason: "r", status: :pending,
      created_at: 5, approved_at: nil, tool_call: nil
    )
    rule = Permissions::PermissionRules.new { deny "bash", "rm" }.rules.first
    [action, approval, rule].each do |value|
      read = Marshal.load(Marshal.dump(value))
      assert_equal value, read
      assert_predicate read, :frozen?
    end
    assert_predicate Marshal.load(Marshal.dump(action)), :approved?
    assert Marshal.load(Marshal.dump(rule)).matches?("bash", "rm x")
    assert_equal "r", Marshal.load(Marshal.dump(approval))["reason"]
  end

  # Marshal makes objects without `initialize`.
  def test_an_object_read_without_its_parts_is_refused
    repaired!
    { "ApprovalQueue" => :approve, "PermissionRules" => :classify, "Permissions" => :approve }.each do |name, method|
      full = "Ask::Permissions::#{name}"
      object = Marshal.load("\x04\bo:#{(full.size + 5).chr}#{full}\x00".b) # rubocop:disable Security/MarshalLoad
      assert_equal full, object.class.name
      error = assert_raises(Permissions::Error) { object.public_send(method, 1) }
      assert_match(/initialize/, error.message)
    end
  end
end
