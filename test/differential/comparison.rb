# frozen_string_literal: true

require_relative "known_differences"
require_relative "side"

module Differential
  # Plays one kind of scenario on both libraries until enough results were compared, and reports what differs.
  class Comparison
    SHOWN = 5
    ENOUGH = 100

    attr_reader :observations, :scenarios, :differences, :known

    def initialize(kind:, seed:, count:, sides:, out: $stdout)
      @kind = kind
      @seed = seed
      @count = count
      @sides = sides
      @out = out
      @observations = @scenarios = @differences = 0
      @known = Hash.new(0)
    end

    def run
      players = @sides.map { |side| side.start(@kind, @seed) }
      compare(*players.map(&:next_result)) while @observations < @count && @differences < ENOUGH
      self
    ensure
      players&.each(&:stop)
    end

    def same? = @differences.zero?

    def to_s
      named = @known.map { |name, times| "#{name} #{times}" }.join(", ")
      known = named.empty? ? "" : " (known: #{named})"
      "#{@kind}: #{@observations} observations in #{@scenarios} scenarios, #{@differences} differences#{known}"
    end

    private

    def compare(reference, own)
      @scenarios += 1
      return @observations += reference.lines.size if reference.equal_to?(own)

      step, differing = part(reference, own)
      @observations += step
      return unless differing

      @differences += 1
      report(reference.index, step, *[reference, own].map { |result| result.line(step) }) if @differences <= SHOWN
    end

    # How many steps could be compared, and whether the next one differs without being meant to. Behind a known
    # difference that lasts, nothing can be compared.
    def part(reference, own)
      size = [reference.size, own.size].max
      0.upto(size - 1) do |step|
        pair = [reference, own].map { |result| result.line(step) }
        next if pair.first == pair.last

        name = KnownDifferences.find(*pair)
        return [step, true] unless name

        @known[name] += 1
        return [step + 1, false] if KnownDifferences.lasting?(reference.line(step + 1))
      end
      [size, false]
    end

    def report(index, step, left, right)
      @out.puts "DIFFERENCE in #{@kind}, scenario #{index} of seed #{@seed}, step #{step + 1}",
                "  reference: #{left.sub("\t", " ")}", "  own:       #{right.sub("\t", " ")}",
                "  replay:    rake differential REFERENCE=#{File.dirname(@sides.first.library)} SEED=#{@seed} " \
                "KIND=#{@kind} SCENARIO=#{index}"
      Replay.new(kind: @kind, seed: @seed, sides: @sides, out: @out).show_parting(index)
    end
  end

  # Plays a single scenario again, every step announced.
  class Replay
    BEFORE = 8

    def initialize(kind:, seed:, sides:, out: $stdout)
      @kind = kind
      @seed = seed
      @sides = sides
      @out = out
    end

    # All that both do, up to where they part. True when they never do.
    def show(index)
      reference, own, parting = play(index)
      print_lines(reference[0...(parting || reference.size)])
      print_parting(reference, own, parting) if parting
      parting.nil?
    end

    # The last steps before they part.
    def show_parting(index)
      reference, own, parting = play(index)
      return @out.puts("    (not seen again when played alone: something depends on the process)") unless parting

      print_lines(reference[[parting - BEFORE, 0].max...parting])
      print_parting(reference, own, parting)
    end

    private

    def play(index)
      reference, own = @sides.map { |side| side.replay(@kind, @seed, index) }
      [reference, own, (0...[reference.size, own.size].max).find { |at| reference[at] != own[at] }]
    end

    def print_lines(lines) = lines.each { |line| @out.puts("    #{line}") }

    def print_parting(reference, own, parting)
      @out.puts "    reference: #{reference[parting] || "(ended)"}", "    own:       #{own[parting] || "(ended)"}"
    end
  end
end
