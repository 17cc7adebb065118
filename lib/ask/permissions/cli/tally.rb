# frozen_string_literal: true

module Ask
  module Permissions
    module CLI
      # Counts decisions, and how often each rule made one.
      class Tally
        # @return [Hash{String => Integer}] every decision, also those that did not occur
        attr_reader :decisions
        # @return [Integer]
        attr_reader :calls

        def initialize
          @calls = 0
          @decisions = DECISIONS.to_h { |decision| [decision, 0] }
          @rules = Hash.new(0)
        end

        # @param entry [RuleEntry, nil] the rule that decided
        def count(decision, entry)
          @calls += 1
          @decisions[decision] += 1
          @rules[entry.index] += 1 if entry
        end

        # @param entry [RuleEntry]
        # @return [Integer]
        def decided_by(entry)
          @rules[entry.index]
        end

        # @param decisions [Array<String>]
        def any?(decisions)
          decisions.any? { |decision| @decisions.fetch(decision).positive? }
        end
      end
    end
  end
end
