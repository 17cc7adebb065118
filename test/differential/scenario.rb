# frozen_string_literal: true

require_relative "rendering"

module Differential
  # One reproducible play on one library: whatever it observes becomes one line each, in order.
  # The draws depend on the seed alone, never on what the library answered.
  class Scenario
    include Rendering

    attr_reader :lines

    def initialize(draw, announce: nil)
      @draw = draw
      @announce = announce
      @lines = []
      @known = nil
    end

    # Runs the block and records what it returned or raised.
    # A recorded line is the known difference in force (or nothing), the label, and the answer.
    def observe(label, detail = nil)
      @announce&.call(detail ? "#{label} #{detail.map { |value| render(value) }.join(", ")}" : label)
      position = @lines.size
      text =
        begin
          render(yield)
        rescue Exception => e # rubocop:disable Lint/RescueException -- any class of error is an answer to compare
          error(e)
        end
      note(label, text, position)
    end

    # What a caller is answered that goes on with it: the value, or the exception the observation recorded.
    def note(label, text, position = @lines.size)
      depth = position == @lines.size ? "" : "(after #{@lines.size - position}) "
      @lines << "#{@known}\t#{label}\t#{depth}#{text}"
      @announce&.call("  → #{text}")
    end

    # What the block observes may differ for the reason of this name.
    def meant(name)
      before = @known
      meant_from_here(name)
      yield
    ensure
      @known = before
    end

    # From here on everything may differ for that reason, unless for another one already.
    def meant_from_here(name)
      @known = [@known, name].compact.first
    end
  end
end
