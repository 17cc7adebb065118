# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# The gate holds no lock, so that ids whose own methods use it, and signal handlers, may.
class PermissionsKeysTest < Minitest::Test
  include Child::Assertions

  def setup
    repaired!
  end

  def test_an_id_whose_hash_and_equality_use_the_gate
    assert_checks(<<~'RUBY')
      call = Data.define(:id, :name, :arguments)
      key = Class.new do
        define_method(:initialize) { |number, gate| @number, @gate = number, gate }
        attr_reader :number
        define_method(:hash) do
          Thread.new { @gate.before_tool_call(call.new(id: "hash", name: "bash", arguments: {})) }.join
          @gate.pending_approvals
          number.hash
        end
        define_method(:eql?) do |other|
          @gate.approve("hash")
          Thread.pass
          @gate.before_tool_call(call.new(id: "eql#{rand(500)}", name: "bash", arguments: {}))
          other.respond_to?(:number) && other.number == number
        end
      end
      gate = Ask::Permissions::Permissions.new
      gate.define_singleton_method(:warn) { |*| nil }
      threads = Array.new(4) do
        Thread.new do
          200.times { |index| gate.before_tool_call(call.new(id: key.new(index % 20, gate), name: "bash", arguments: {})) }
        end
      end
      threads.each(&:join)
      20.times { |number| check "approved #{number}", true, gate.approve(key.new(number, gate)) }
      check "proceeds", :proceed, gate.before_tool_call(call.new(id: key.new(3, gate), name: "bash", arguments: {}))[:action]
    RUBY
  end

  def test_a_signal_handler_may_use_the_gate
    assert_checks(<<~'RUBY')
      call = Data.define(:id, :name, :arguments).new(id: "tc-1", name: "bash", arguments: {})
      gate = Ask::Permissions::Permissions.new
      gate.define_singleton_method(:warn) { |*| nil }
      answers = []
      Signal.trap("USR1") do
        answers << gate.before_tool_call(call)[:action] << gate.approve("tc-1") << gate.before_tool_call(call)[:action]
      end
      Process.kill("USR1", Process.pid)
      Thread.pass until answers.size == 3
      check "answers", [:block, true, :proceed], answers
    RUBY
  end

  def test_one_warning_for_each_record_however_many_threads
    assert_checks(<<~'RUBY')
      call = Data.define(:id, :name, :arguments)
      gate = Ask::Permissions::Permissions.new
      warned = Queue.new
      gate.define_singleton_method(:warn) { |text| Thread.pass; warned << text }
      threads = Array.new(8) do
        Thread.new { 300.times { |index| gate.before_tool_call(call.new(id: "tc-#{index}", name: "bash", arguments: {})) } }
      end
      threads.each(&:join)
      check "warnings", 300, warned.size
      check "records", 300, gate.pending_approvals.size
    RUBY
  end
end
