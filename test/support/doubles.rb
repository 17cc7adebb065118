# frozen_string_literal: true

# Small stand-ins for what a program hands to the library. Include the module to name them in a test.
module Doubles
  ToolCall = Data.define(:id, :name, :arguments)

  # A tool that answers both questions of the policy.
  Tool = Data.define(:name, :approval_required, :auto_approvable) do
    def approval_required?
      approval_required
    end

    def auto_approvable?
      auto_approvable
    end
  end

  # A clock that stands still until it is moved, and counts how often it was read.
  class Clock
    attr_reader :reads
    attr_accessor :now

    def initialize(now = Time.at(1_000))
      @now = now
      @reads = 0
    end

    def call
      @reads += 1
      @now
    end

    def advance(seconds)
      @now += seconds
    end
  end

  # Takes submissions as a queue does and remembers their keywords.
  class RecordingQueue
    attr_reader :submissions, :lookups

    def initialize(answer = 1)
      @answer = answer
      @submissions = []
      @lookups = []
    end

    def submit(**keywords)
      @submissions << keywords
      @answer
    end

    def [](id)
      @lookups << id
      :"action #{id.inspect}"
    end
  end

  module_function

  def tool_call(name = "bash", id: "tc-1", arguments: {})
    ToolCall.new(id:, name:, arguments:)
  end

  def submit(queue, tool_name = "bash", **options)
    queue.submit(tool_call_id: "tc-1", tool_name:, **options)
  end

  # An object with exactly these methods; each call of one is first written into the log.
  def witness(log, **answers)
    Object.new.tap do |object|
      answers.each do |name, answer|
        object.define_singleton_method(name) do |*arguments, **keywords|
          log << name
          answer.is_a?(Proc) ? answer.call(*arguments, **keywords) : answer
        end
      end
    end
  end

  # The class and text of what the block raises, to hold one error against another.
  def fault
    yield
    nil
  rescue StandardError, SystemStackError => e
    [e.class, e.message]
  end

  # The block raises exactly what Ruby's own operation raises.
  def assert_same_fault(own, &)
    expected = fault(&own)
    refute_nil expected, "the comparison does not raise"
    assert_equal expected, fault(&)
  end
end
