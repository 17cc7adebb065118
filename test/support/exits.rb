# frozen_string_literal: true

require "timeout"
require_relative "checks"

# Loaded in child processes only: every way in which a callback can end without returning. Each way takes an
# operation, calls it with the proc that leaves, and is true when the exit came out unchanged.
module Exits
  class Unusual < Exception; end # rubocop:disable Lint/InheritException -- the point is that no StandardError is it

  RAISED = {
    standard_error: -> { RuntimeError.new("left") },
    unknown_approval: -> { Ask::Permissions::UnknownApprovalError.new("left") },
    exception: -> { Unusual.new("left") },
    interrupt: -> { Interrupt.new("left") },
    system_exit: -> { SystemExit.new(3) },
    frozen_error: -> { RuntimeError.new("left").freeze }
  }.freeze

  class << self
    # Plays the scenario once for each way; it is given a lambda that runs an operation and checks the exit.
    def play(label, except: [])
      ways.except(*except).each do |name, way|
        Check.during("#{label}, left by #{name}") do
          yield ->(&operation) { check("the exit is unchanged", true, way.call(operation)) }
        end
      end
    end

    def ways
      @ways ||= RAISED.transform_values { |error| ->(operation) { by_raise(operation, error.call) } }
                      .merge(%i[throw break return deep_recursion kill killed raised timeout fiber_kill fiber_raise]
                             .to_h { |name| [name, method(:"by_#{name}")] })
                      .reject { |name, _| name == :fiber_kill && !Fiber.method_defined?(:kill) }
    end

    private

    def perform(operation, &leave)
      operation.call(leave)
      :returned
    end

    def by_raise(operation, error)
      perform(operation) { raise error }
      false
    rescue Exception => e # rubocop:disable Lint/RescueException
      e.equal?(error)
    end

    def by_throw(operation)
      thrown = catch(:out) { perform(operation) { throw :out, operation } }
      thrown.equal?(operation)
    end

    def by_break(operation)
      perform(operation) { break :left } == :left
    end

    def by_return(operation)
      returning(operation) == :left
    end

    def returning(operation)
      perform(operation) { return :left }
    end

    def by_deep_recursion(operation)
      perform(operation) { descend }
      false
    rescue SystemStackError
      true
    end

    def descend
      descend
      nil
    end

    def by_kill(operation)
      result = nil
      Thread.new { result = perform(operation) { Thread.current.kill } }.join
      result.nil?
    end

    # From outside, while the callback waits.
    def by_killed(operation)
      interrupted(operation, &:kill).value.nil?
    end

    def by_raised(operation)
      error = Unusual.new("left")
      thread = interrupted(operation) { |waiting| waiting.raise(error) }
      error_of { thread.value }.equal?(error)
    end

    def interrupted(operation)
      reached = Thread::Queue.new
      thread = Thread.new do
        Thread.current.report_on_exception = false
        perform(operation) do
          reached << true
          sleep
        end
      end
      reached.pop
      yield thread
      thread
    end

    # Whether or not a busy machine reaches the callback in time, the same must hold afterwards.
    def by_timeout(operation)
      error = error_of { Timeout.timeout(0.05) { perform(operation) { sleep } } }
      error.instance_of?(Timeout::Error)
    end

    def by_fiber_kill(operation)
      fiber = suspended(operation)
      fiber.kill
      !fiber.alive?
    end

    def by_fiber_raise(operation)
      error = Unusual.new("left")
      fiber = suspended(operation)
      error_of { fiber.raise(error) }.equal?(error)
    end

    def suspended(operation)
      fiber = Fiber.new { perform(operation) { Fiber.yield :inside } }
      check("the callback is reached", :inside, fiber.resume)
      fiber
    end
  end
end
