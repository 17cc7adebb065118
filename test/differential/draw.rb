# frozen_string_literal: true

require_relative "odd_objects"
require_relative "draw_names"
require_relative "draw_arguments"
require_relative "draw_patterns"
require_relative "draw_regexps"

module Differential
  # All random choices of one scenario, out of one seeded stream.
  class Draw
    include DrawNames
    include DrawArguments
    include DrawPatterns
    include DrawRegexps

    # Every scenario has a stream of its own, so that it can be replayed alone.
    def self.for(seed, kind, index)
      new(Random.new((seed << 80) | (kind.sum << 48) | index))
    end

    def initialize(random)
      @random = random
      @witnesses = []
      @names = Array.new(3) { pick(DrawNames::COMMON) }
      @dense = chance?(30)
      @words = Array.new(3) { pick(DrawArguments::WORDS) }
    end

    # Many rules about one tool, which look at its arguments.
    def dense? = @dense

    # One of the few names that this scenario is about, so that rules and calls meet.
    def common_name
      return @names.first if @dense && chance?(75)

      chance?(60) ? pick(@names) : pick(DrawNames::COMMON)
    end

    def number(range) = @random.rand(range)

    def chance?(percent) = @random.rand(100) < percent

    def pick(list) = list[@random.rand(list.size)]

    def list(range, &) = Array.new(number(range), &)

    # One of the keys, as often as its weight says.
    def weighted(weights)
      left = @random.rand(weights.sum { |_, weight| weight })
      weights.each { |key, weight| return key if (left -= weight).negative? }
    end

    def word = chance?(50) ? pick(@words) : pick(DrawArguments::WORDS)

    # A copy that may be changed, or a frozen one.
    def text(string) = chance?(50) ? string.dup : string.dup.freeze

    def witness(text)
      Odd::Witness.new(text).tap { |made| @witnesses << made }
    end

    # The witnesses made since the last call.
    def take_witnesses
      taken = @witnesses
      @witnesses = []
      taken
    end

    def error_class
      pick([RuntimeError, ArgumentError, TypeError, KeyError, NoMethodError, StopIteration, Odd::Failure, IOError])
    end

    def raising = Odd::Raising.new(error_class, "raising #{word.dump}")
  end
end
