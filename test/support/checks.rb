# frozen_string_literal: true

# Loaded in child processes only: states facts, and says on standard error which did not hold.
module Check
  @count = 0
  @faults = 0
  @context = nil
  @lock = Mutex.new

  class << self
    # Names what is being tried, so that a hang or a crash shows how far the child had come.
    def during(context)
      @context = context
      warn "- #{context}"
      yield
    end

    def record(holds, text)
      @lock.synchronize do
        @count += 1
        @faults += 1 unless holds
      end
      warn "FAULT #{@context}: #{text}" unless holds
    end

    def finish
      puts "#{@count} checks"
      $stdout.flush
      exit!(@faults.zero? ? 0 : 1)
    end
  end
end

module Kernel
  private

  def check(text, expected, actual)
    Check.record(expected == actual, "#{text}: expected #{expected.inspect}, got #{actual.inspect}")
  end

  # The error that the block raises, or nil.
  def error_of
    yield
    nil
  rescue Exception => e # rubocop:disable Lint/RescueException -- any way out is what is looked at
    e
  end

  # An object whose method runs the proc, then answers with the value.
  def running(name, action, value = nil)
    Object.new.tap do |object|
      object.define_singleton_method(name) do |*|
        action.call
        value
      end
    end
  end

  # A queue with this many pending actions, ids from 1, of tools "tool1", "tool2" and so on.
  def pending_queue(size, type: Ask::Permissions::ApprovalQueue, **options)
    type.new(**options).tap do |queue|
      (1..size).each { |n| queue.submit(tool_call_id: "call#{n}", tool_name: "tool#{n}", auto_approvable: true) }
    end
  end

  def statuses(queue)
    (1..).lazy.map { |id| queue[id] }.take_while { |action| action }.map(&:status).to_a
  end

  # Approving by hand and draining both still work, so nothing is held, stuck or lost.
  def check_usable(queue)
    queue.on_submit = queue.on_approve = queue.on_reject = nil
    queue.approve_all
    check("nothing left pending", [], queue.pending_actions)
    queue.auto_approve["probe"] = true
    id = queue.submit(tool_call_id: "probe", tool_name: "probe", auto_approvable: true)
    check("a new submission is drained", :approved, queue[id].status)
  end
end
