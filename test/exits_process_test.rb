# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# The process ends, or forks, while a callback runs.
class ExitsProcessTest < Minitest::Test
  include Child::Assertions

  SETUP = <<~'RUBY'
    $stdout.sync = true
    Queue = Thread::Queue
    QUEUE = Ask::Permissions::ApprovalQueue.new
    3.times { |n| QUEUE.submit(tool_call_id: n, tool_name: "tool") }
    at_exit do
      QUEUE.on_approve = nil
      puts "first is #{QUEUE[1].status}"
      puts "approved: #{QUEUE.approve_all.map(&:id)}"
    end
  RUBY

  def test_exit_in_a_callback
    repaired!
    result = ending("QUEUE.on_approve = ->(_) { exit 7 }; QUEUE.approve(1); puts 'not reached'")
    assert_equal 7, result.status.exitstatus, result.to_s
    assert_equal "first is pending\napproved: [1, 2, 3]\n", result.stdout
  end

  def test_abort_in_a_callback
    repaired!
    result = ending("QUEUE.on_reject = ->(_) { abort 'enough' }; QUEUE.reject(1); puts 'not reached'")
    assert_equal 1, result.status.exitstatus, result.to_s
    assert_equal "first is pending\napproved: [1, 2, 3]\n", result.stdout
    assert_includes result.stderr, "enough"
  end

  def test_immediate_exit_in_a_callback
    result = ending("QUEUE.on_approve = ->(_) { exit!(8) }; QUEUE.approve(1)")
    assert_equal 8, result.status.exitstatus, result.to_s
    assert_empty result.stdout
  end

  def test_uncaught_error_in_a_callback
    result = ending("QUEUE.on_approve = ->(_) { raise 'out of here' }; QUEUE.approve(1)")
    assert_equal 1, result.status.exitstatus, result.to_s
    assert_equal "first is pending\napproved: [1, 2, 3]\n", result.stdout
    assert_includes result.stderr, "out of here (RuntimeError)"
  end

  def test_signal_in_a_callback
    repaired!
    result = ending("QUEUE.on_approve = ->(_) { Process.kill(:TERM, Process.pid); sleep }; QUEUE.approve(1)")
    assert_equal "first is pending\napproved: [1, 2, 3]\n", result.stdout, result.to_s
    refute_predicate result, :success?
  end

  def test_the_main_thread_ends_while_another_is_in_a_callback
    result = ending(<<~'RUBY')
      inside = Queue.new
      QUEUE.on_approve = ->(_) { inside << true; sleep }
      Thread.new { QUEUE.approve(1) }
      inside.pop
    RUBY
    assert_predicate result, :success?, result.to_s
    assert_equal "first is applying\napproved: [2, 3]\n", result.stdout
  end

  def test_a_finalizer_that_uses_the_library
    result = ending(<<~'RUBY')
      object = Object.new
      rules = Ask::Permissions::PermissionRules.new { deny "bash", "rm" }
      ObjectSpace.define_finalizer(object, proc { puts rules.classify("bash", { "command" => "rm" }) })
    RUBY
    assert_equal "first is pending\napproved: [1, 2, 3]\ndeny\n", result.stdout, result.to_s
  end

  def test_fork_in_a_callback
    assert_checks <<~'RUBY'
      queue = pending_queue(3)
      queue.on_approve = lambda do |action|
        next unless action.id == 1

        pid = fork do
          queue.on_approve = nil
          works = queue.approve_all.map(&:id) == [2, 3] && queue[1].applying?
          exit!(works ? 5 : 6)
        end
        check("works in the forked process", 5, Process.wait2(pid).last.exitstatus)
      end
      check("approved here", [[1, :approved]], queue.approve(1).map { [_1.id, _1.status] })
      check("and only that", %i[approved pending pending], statuses(queue))
    RUBY
  end

  def test_fork_while_another_thread_is_in_a_callback
    assert_checks <<~'RUBY'
      inside = Thread::Queue.new
      go = Thread::Queue.new
      auto = {}
      queue = pending_queue(3, auto_approve: auto)
      auto["tool1"] = true
      queue.on_approve = ->(action) { (inside << 1; go.pop) if action.id == 1 }
      drainer = Thread.new { queue.drain }
      inside.pop
      pid = fork do
        works = queue.approve(2).size == 1 && queue.reject(3).size == 1 && queue.drain.equal?(queue) &&
                queue.submit(tool_call_id: 4, tool_name: "tool") == 4 && queue.pending_actions.map(&:id) == [4]
        exit!(works ? 5 : 6)
      end
      check("works in the forked process", 5, Process.wait2(pid).last.exitstatus)
      go << true
      drainer.join
      check("works here", %i[approved pending pending], statuses(queue))
      check_usable(queue)
    RUBY
  end

  private

  def ending(code)
    Child.run(SETUP + code)
  end
end
