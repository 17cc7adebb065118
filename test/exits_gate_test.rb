# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"

# Ways out of what the gate calls: its entries stay whole, and it goes on serving.
class ExitsGateTest < Minitest::Test
  include Child::Assertions

  SETUP = <<~'RUBY'
    Call = Struct.new(:id, :name, :arguments)
    BASH = Call.new("call", "bash", { "command" => "ls" })

    class QuietGate < Ask::Permissions::Permissions
      attr_accessor :leave

      def warnings
        @warnings ||= []
      end

      def warn(*messages)
        warnings.concat(messages)
        leave&.call
      end
    end

    def check_gate(gate, call = BASH)
      blocked = { action: :block, reason: "bash requires approval" }
      check("blocks", blocked, gate.before_tool_call(call))
      check("recorded once", 1, gate.pending_approvals.size)
      check("warned once", 1, gate.warnings.size)
      check("can be approved", true, gate.approve(call.id))
      check("proceeds", { action: :proceed }, gate.before_tool_call(call))
    end
  RUBY

  def test_clock_while_an_entry_is_made
    assert_exits <<~'RUBY'
      Exits.play("clock while an entry is made") do |exits|
        leave = nil
        gate = QuietGate.new(clock: -> { leave ? leave.call : 5 })
        exits.call { |exit| leave = exit; gate.before_tool_call(BASH) }
        leave = nil
        check("nothing recorded", [[], []], [gate.pending_approvals, gate.warnings])
        check_gate(gate)
      end
    RUBY
  end

  def test_clock_while_expiry_is_judged
    assert_exits <<~'RUBY'
      Exits.play("clock while expiry is judged") do |exits|
        leave = nil
        gate = QuietGate.new(timeout: 10, clock: -> { leave ? leave.call : 5 })
        gate.before_tool_call(BASH)
        entry = gate.pending_approvals.first
        exits.call { |exit| leave = exit; gate.before_tool_call(BASH) }
        leave = nil
        check("the entry stays", [entry], gate.pending_approvals)
        check_gate(gate)
      end
    RUBY
  end

  def test_clock_while_approving
    assert_exits <<~'RUBY'
      Exits.play("clock while approving") do |exits|
        leave = nil
        gate = QuietGate.new(clock: -> { leave ? leave.call : 5 })
        gate.before_tool_call(BASH)
        exits.call { |exit| leave = exit; gate.approve("call") }
        leave = nil
        check("still pending", [:pending], gate.pending_approvals.map(&:status))
        check_gate(gate)
      end
    RUBY
  end

  def test_comparison_with_the_timeout
    assert_exits <<~'RUBY'
      class Age
        attr_accessor :leave

        def -(_other) = self

        def >(_other)
          leave&.call
          false
        end
      end

      Exits.play("comparison with the timeout") do |exits|
        age = Age.new
        gate = QuietGate.new(timeout: 10, clock: -> { age })
        gate.before_tool_call(BASH)
        exits.call { |leave| age.leave = leave; gate.before_tool_call(BASH) }
        age.leave = nil
        check_gate(gate)
      end
    RUBY
  end

  def test_warn
    assert_exits <<~'RUBY'
      Exits.play("warn") do |exits|
        gate = QuietGate.new
        exits.call { |leave| gate.leave = leave; gate.before_tool_call(BASH) }
        gate.leave = nil
        check_gate(gate)
      end
    RUBY
  end

  def test_methods_of_the_tool_call
    assert_exits <<~'RUBY'
      %i[id name arguments].each do |method|
        Exits.play("#{method} of the tool call") do |exits|
          gate = QuietGate.new
          call = BASH.dup
          exits.call do |leave|
            call.define_singleton_method(method) { leave.call }
            gate.before_tool_call(call)
          end
          check("nothing recorded", [[], []], [gate.pending_approvals, gate.warnings])
          check_gate(gate)
        end
      end
    RUBY
  end

  def test_name_and_blocked_tools
    assert_exits <<~'RUBY'
      Exits.play("to_s of the name, == of a blocked tool") do |exits|
        gate = QuietGate.new
        exits.call { |leave| gate.before_tool_call(Call.new("call", running(:to_s, leave, "bash"), {})) }
        exits.call do |leave|
          gate.blocked_tools.unshift(running(:==, leave, false))
          gate.before_tool_call(BASH)
        end
        gate.blocked_tools.shift
        check_gate(gate)
      end
    RUBY
  end

  def test_hash_and_eql_of_an_id
    assert_exits <<~'RUBY'
      class Key
        class << self
          attr_accessor :leave_hash, :leave_eql
        end

        def hash
          Key.leave_hash&.call
          7
        end

        def eql?(other)
          Key.leave_eql&.call
          other.is_a?(Key)
        end
      end

      def call_with_key
        Call.new(Key.new, "bash", {})
      end

      Exits.play("hash and eql? of an id") do |exits|
        gate = QuietGate.new
        gate.before_tool_call(call_with_key)
        exits.call { |leave| Key.leave_hash = leave; gate.before_tool_call(call_with_key) }
        exits.call { |leave| Key.leave_hash = leave; gate.approve(Key.new) }
        Key.leave_hash = nil
        exits.call { |leave| Key.leave_eql = leave; gate.before_tool_call(call_with_key) }
        exits.call { |leave| Key.leave_eql = leave; gate.approve(Key.new) }
        Key.leave_eql = nil
        check_gate(gate, call_with_key)
      end
    RUBY
  end

  private

  def assert_exits(code)
    assert_checks(SETUP + code, options: ["-r", "exits"])
  end
end
