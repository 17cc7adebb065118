# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# Ways out of the parts a policy is made of: they go through unchanged, and nothing is queued by accident.
class ExitsPolicyTest < Minitest::Test
  include Child::Assertions

  SETUP = <<~'RUBY'
    Call = Struct.new(:id, :name, :arguments)
    DEPLOY = Call.new("call", "deploy", {})
    Tool = Struct.new(:name, :approval_required?, :auto_approvable?)

    def policy_with(queue: Ask::Permissions::ApprovalQueue.new, **parts)
      Ask::Permissions::ApprovalPolicy.new(queue: queue, **parts)
    end

    def check_nothing_queued(policy)
      check("nothing queued", [], policy.queue.pending_actions)
      check_usable(policy.queue)
    end

    # Every exit, from a part made around the leaving proc.
    def play_part(label, call: DEPLOY)
      Exits.play(label) do |exits|
        policy = nil
        exits.call do |leave|
          policy = policy_with(**yield(leave))
          policy.before_tool_call(call)
        end
        check_nothing_queued(policy)
      end
    end
  RUBY

  def test_rules
    assert_exits <<~'RUBY'
      play_part("classify of rules") { |leave| { rules: running(:classify, leave) } }
    RUBY
  end

  def test_require_approval
    assert_exits <<~'RUBY'
      play_part("to_s of require_approval") { |leave| { require_approval: running(:to_s, leave, "deploy") } }
      play_part("to_s in an Array") { |leave| { require_approval: [/x/, [running(:to_s, leave, "deploy")]] } }
    RUBY
  end

  def test_tools
    assert_exits <<~'RUBY'
      play_part("name of a tool") { |leave| { tools: [running(:name, leave, "deploy")] } }
      play_part("[] of tools") { |leave| { tools: running(:[], leave) } }
      %i[approval_required? auto_approvable?].each do |method|
        play_part("#{method} of a tool") do |leave|
          tool = Tool.new("deploy", true, true)
          tool.define_singleton_method(method) { leave.call }
          { tools: [tool] }
        end
      end
    RUBY
  end

  def test_tool_call
    assert_exits <<~'RUBY'
      %i[id name arguments].each do |method|
        Exits.play("#{method} of the tool call") do |exits|
          policy = policy_with(require_approval: :all)
          exits.call do |leave|
            call = DEPLOY.dup
            call.define_singleton_method(method) { leave.call }
            policy.before_tool_call(call)
          end
          check_nothing_queued(policy)
        end
      end
    RUBY
  end

  def test_duck_typed_queue
    assert_exits <<~'RUBY'
      Exits.play("submit and [] of a duck-typed queue") do |exits|
        exits.call do |leave|
          policy_with(queue: running(:submit, leave), require_approval: :all).before_tool_call(DEPLOY)
        end
        exits.call { |leave| policy_with(queue: running(:[], leave)).lookup(1) }
      end
    RUBY
  end

  def test_callbacks_of_the_queue
    assert_exits <<~'RUBY'
      Exits.play("on_submit through a policy") do |exits|
        policy = policy_with(require_approval: :all)
        exits.call { |leave| policy.queue.on_submit = leave; policy.before_tool_call(DEPLOY) }
        check("queued, and pending", [:pending], statuses(policy.queue))
        check_usable(policy.queue)
      end
    RUBY
  end

  def test_on_approve_through_a_policy
    repaired!
    assert_exits <<~'RUBY'
      Exits.play("on_approve through a policy") do |exits|
        queue = pending_queue(0, auto_approve: { "deploy" => true })
        policy = policy_with(queue: queue, tools: [Tool.new("deploy", true, true)])
        exits.call { |leave| queue.on_approve = leave; policy.before_tool_call(DEPLOY) }
        check("pending again", [:pending], statuses(queue))
        queue.on_approve = nil
        queue.drain
        check("drained", [:approved], statuses(queue))
        check_usable(queue)
      end
    RUBY
  end

  private

  def assert_exits(code)
    assert_checks(SETUP + code, options: ["-r", "exits"])
  end
end
