# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# Many threads on one queue, one gate or one rule set, and signal handlers.
class ThreadsTest < Minitest::Test
  include Child::Assertions

  SETUP = <<~'RUBY'
    Thread.abort_on_exception = true

    # Runs the block in this many threads at once, and gives their values.
    def together(count)
      gate = Thread::Queue.new
      threads = Array.new(count) { |n| Thread.new { gate.pop; yield n } }
      count.times { gate << true }
      threads.map(&:value)
    end

    Call = Struct.new(:id, :name, :arguments)
  RUBY

  def test_ids_are_unique_and_dense
    assert_threads <<~'RUBY'
      queue = pending_queue(0)
      ids = together(8) { |n| Array.new(100) { queue.submit(tool_call_id: n, tool_name: "tool") } }
      check("ids of one thread rise", true, ids.all? { |own| own == own.sort })
      check("all of them once", (1..800).to_a, ids.flatten.sort)
      check("in the order of their ids", (1..800).to_a, queue.pending_actions.map(&:id))
      check("each under its id", (1..800).to_a, (1..800).map { |id| queue[id].id })
    RUBY
  end

  def test_exactly_one_winner_for_each_action
    assert_threads <<~'RUBY'
      running = Hash.new(0)
      counts = Hash.new(0)
      lock = Mutex.new
      overlaps = 0
      callback = lambda do |action|
        lock.synchronize do
          overlaps += 1 unless (running[action.id] += 1) == 1
          counts[action.id] += 1
        end
        Thread.pass
        lock.synchronize { running[action.id] -= 1 }
      end
      queue = pending_queue(150, on_approve: callback, on_reject: callback)
      won = together(8) do |n|
        (1..150).to_a.shuffle(random: Random.new(n)).each_slice(7).flat_map do |ids|
          n.even? ? queue.approve(ids) : queue.reject(*ids)
        end
      end.flatten
      check("each action has one winner", (1..150).to_a, won.map(&:id).sort)
      check("and one callback", [1], counts.values.uniq)
      check("callbacks of one action never overlap", 0, overlaps)
      check("as the winner was told", won.to_h { [_1.id, _1.status] }, (1..150).to_h { [_1, queue[_1].status] })
      check_usable(queue)
    RUBY
  end

  def test_one_winner_when_callbacks_fail
    repaired!
    assert_threads <<~'RUBY'
      attempts = Hash.new(0)
      lock = Mutex.new
      callback = lambda do |action|
        attempt = lock.synchronize { attempts[action.id] += 1 }
        Thread.pass
        throw :again if attempt < 4
      end
      queue = pending_queue(40, on_approve: callback)
      won = together(6) do
        result = []
        catch(:again) { result.concat(queue.approve_all) } while queue.any_pending?
        result
      end.flatten
      check("nothing is left", [:approved], statuses(queue).uniq)
      check("three failures, then success", [4], attempts.values.uniq)
      check("no action has two winners", won.map(&:id).uniq, won.map(&:id))
    RUBY
  end

  # Whatever drains while something is submitted: in the end all that is eligible is approved.
  def test_no_lost_wake_up
    repaired!
    assert_threads <<~'RUBY'
      20.times do |round|
        approved = Thread::Queue.new
        queue = pending_queue(0, auto_approve: { "auto" => true })
        queue.on_approve = ->(action) { approved << action.id; Thread.pass if (action.id % 3).zero? }
        done = false
        drainer = Thread.new { queue.drain && Thread.pass until done }
        together(8) { |n| 40.times { queue.submit(tool_call_id: n, tool_name: "auto", auto_approvable: true) } }
        left = queue.pending_actions.map(&:id)
        done = true
        drainer.join
        check("round #{round}: none is left when the last submission is over", [[], 320], [left, approved.size])
      end
    RUBY
  end

  # The moment itself: a submission arrives after the draining thread has looked at the head and found nothing.
  def test_a_submission_that_arrives_while_a_drain_is_ending
    repaired!
    assert_threads <<~'RUBY'
      class Table < Hash
        attr_accessor :action

        def [](name)
          super.tap { action&.call(name) }
        end
      end

      table = Table.new
      queue = pending_queue(0, auto_approve: table)
      table["auto"] = true
      table.action = lambda do |name|
        next unless name == "asked"

        table.action = nil
        Thread.new do
          queue.reject(1)
          queue.submit(tool_call_id: 2, tool_name: "auto", auto_approvable: true)
        end.join
      end
      queue.submit(tool_call_id: 1, tool_name: "asked", auto_approvable: true)
      check("drained", %i[rejected approved], statuses(queue))
    RUBY
  end

  def test_two_threads_do_not_drain_at_once
    assert_threads <<~'RUBY'
      lock = Mutex.new
      inside = 0
      most = 0
      auto = {}
      queue = pending_queue(60, auto_approve: auto)
      (1..60).each { |n| auto["tool#{n}"] = true }
      seen = []
      queue.on_approve = lambda do |action|
        lock.synchronize { most = [most, inside += 1].max }
        seen << action.id
        Thread.pass
        lock.synchronize { inside -= 1 }
      end
      together(8) { queue.drain }
      queue.drain
      check("one at a time", 1, most)
      check("in order", (1..60).to_a, seen)
    RUBY
  end

  def test_one_warning_for_one_entry
    assert_threads <<~'RUBY'
      warnings = Thread::Queue.new
      gate = Ask::Permissions::Permissions.new
      gate.define_singleton_method(:warn) { |*| warnings << true; Thread.pass }
      results = together(8) { |n| Array.new(50) { |id| gate.before_tool_call(Call.new(id, "bash", {}))[:action] } }
      check("all blocked", [:block], results.flatten.uniq)
      check("one entry each", (0..49).to_a, gate.pending_approvals.map(&:tool_call_id).sort)
      check("one warning each", 50, warnings.size)
      check("approved by all", [true], together(8) { (0..49).map { |id| gate.approve(id) } }.flatten.uniq)
      check("none pending", [], gate.pending_approvals)
    RUBY
  end

  def test_rules_are_declared_while_others_classify
    assert_threads <<~'RUBY'
      rules = Ask::Permissions::PermissionRules.new { deny "first" }
      results = together(8) do |n|
        if n < 4
          100.times { |i| rules.allow("tool#{n}-#{i}").ask(/none#{n}-#{i}\z/, "x") }
        else
          Array.new(200) { [rules.classify("first"), rules.classify("tool0-99")] }
        end
      end
      check("decisions", [], results.drop(4).flatten.uniq - [:deny, :allow, nil])
      check("all declared", 801, rules.rules.size)
      names = (0..3).flat_map { |n| (0..99).map { |i| "tool#{n}-#{i}" } }
      check("all decide", [:allow], names.map { |name| rules.classify(name) }.uniq)
      own = rules.rules.map(&:tool_pattern).grep(/\Atool0-/)
      check("in the order in which one thread declared them", (0..99).map { |i| "tool0-#{i}" }, own)
    RUBY
  end

  # Interrupts strike between any two steps of the library, not only in callbacks.
  def test_threads_that_are_killed_and_raised_at_any_moment
    repaired!
    assert_threads <<~'RUBY'
      class Strike < Exception; end

      Thread.abort_on_exception = false
      Thread.report_on_exception = false
      random = Random.new(1)
      submissions = 0
      queue = pending_queue(0, auto_approve: { "auto" => true })
      queue.on_approve = queue.on_reject = queue.on_submit = ->(_) { Thread.pass }
      run = lambda do |n|
        loop do
          submissions += 1
          id = queue.submit(tool_call_id: n, tool_name: n.even? ? "auto" : "asked", auto_approvable: true)
          n % 3 == 0 ? queue.reject(id) : queue.approve_all
        end
      end
      60.times do |round|
        threads = Array.new(4) { |n| Thread.new { run.call(n) } }
        random.rand(20..80).times { Thread.pass }
        threads.shuffle(random: random).each { |thread| round.odd? ? thread.kill : thread.raise(Strike) }
        threads.each { |thread| error_of { thread.join } }
      end
      check("much was submitted", true, submissions > 100)
      10.times { GC.start }
      check("nothing is stuck", [], statuses(queue).uniq - %i[pending approved rejected])
      check_usable(queue)
    RUBY
  end

  def test_finalizers_in_the_middle_of_work
    repaired!
    assert_threads <<~'RUBY'
      queue = pending_queue(0, auto_approve: { "auto" => true })
      rules = Ask::Permissions::PermissionRules.new { deny "bash", "rm" }
      ids = []
      finalize = lambda do |_|
        ids << queue.submit(tool_call_id: 0, tool_name: "auto", auto_approvable: true)
        raise "wrong decision" unless rules.classify("bash", { "command" => "rm" }) == :deny
      end
      2_000.times do |n|
        ObjectSpace.define_finalizer(Object.new, finalize)
        ids << queue.submit(tool_call_id: n, tool_name: "auto", auto_approvable: true)
        rules.classify("bash", { "command" => "ls #{n}" })
        GC.start if (n % 100).zero?
      end
      queue.drain
      check("finalizers ran", true, ids.size > 2_000)
      check("each id once", (1..ids.size).to_a, ids.sort)
      check("all approved", [:approved], statuses(queue).uniq)
    RUBY
  end

  def test_signal_handlers
    repaired!
    assert_threads <<~'RUBY'
      queue = pending_queue(3, auto_approve: { "auto" => true })
      rules = Ask::Permissions::PermissionRules.new { deny "bash", "rm" }
      result = nil
      Signal.trap("USR1") do
        result = [
          queue[1].status, queue.pending?(2), queue.any_pending?, queue.pending_actions.size,
          queue.approve(1).map(&:status), queue.reject(2).map(&:status),
          queue.submit(tool_call_id: "trap", tool_name: "auto", auto_approvable: true),
          queue.approve_all.map(&:id), rules.classify("bash", { "command" => "rm" })
        ]
      rescue ThreadError => e
        result = e.message
      end
      Process.kill(:USR1, Process.pid)
      Thread.pass until result
      check("all works", [:pending, true, true, 3, [:approved], [:rejected], 4, [3, 4], :deny], result)
      check_usable(queue)
    RUBY
  end

  # A handler runs between any two steps of the thread it interrupts, and must find the queue whole.
  def test_signal_handlers_in_the_middle_of_work
    repaired!
    assert_threads <<~'RUBY'
      queue = pending_queue(0, auto_approve: { "auto" => true })
      handled = 0
      Signal.trap("USR1") do
        queue.submit(tool_call_id: "trap", tool_name: "auto", auto_approvable: true)
        queue.drain
        handled += 1
      end
      500.times do |n|
        Process.kill(:USR1, Process.pid) if (n % 5).zero?
        id = queue.submit(tool_call_id: n, tool_name: n.even? ? "auto" : "asked", auto_approvable: true)
        queue.reject(id) if n.odd?
      end
      Thread.pass until handled.positive?
      queue.approve_all
      check("signals came", true, handled.positive?)
      check("none is left", [], statuses(queue).uniq - %i[approved rejected])
      check_usable(queue)
    RUBY
  end

  private

  def assert_threads(code)
    assert_checks(SETUP + code)
  end
end
