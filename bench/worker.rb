# frozen_string_literal: true

# Times cases with one library. Reads commands from standard input, a line each, and answers in a line:
#   prepare CASE SIZE   builds the subject and answers what the operation returns
#   measure TURNS       answers the nanoseconds of so many turns of the loop
$LOAD_PATH.unshift(ARGV.fetch(0))
require "ask-permissions"
require "json"
require_relative "cases"

# Compiles an operation into a loop.
class Loop
  def initialize(subject, operation)
    @run = eval(<<~RUBY, binding, __FILE__, __LINE__ + 1) # rubocop:disable Security/Eval, Style/DocumentDynamicEvalDefinition
      # frozen_string_literal: true
      lambda do |turns|
        turn = 0
        #{operation} while (turn += 1) <= turns
      end
    RUBY
  end

  def nanoseconds(turns)
    GC.start
    from = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    @run.call(turns)
    Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - from
  end
end

current = nil
$stdout.sync = true
while (line = $stdin.gets)
  command, *arguments = JSON.parse(line)
  case command
  when "prepare"
    name, size = arguments
    chosen = Cases.all.find { |candidate| candidate.name == name }
    subject = size ? Cases.instance_exec(size, &chosen.setup) : Cases.instance_exec(&chosen.setup)
    current = Loop.new(subject, chosen.operation)
    answer = eval(chosen.answer, binding, __FILE__, __LINE__) # rubocop:disable Security/Eval
    puts JSON.generate(answer.inspect)
  when "floor"
    require arguments.first
    current = Loop.new(Floor.new, "subject.nothing(nil, nil)")
    puts JSON.generate("floor")
  when "empty"
    current = Loop.new(nil, "nil")
    puts JSON.generate("empty")
  when "measure"
    puts JSON.generate(current.nanoseconds(arguments.first))
  end
end
