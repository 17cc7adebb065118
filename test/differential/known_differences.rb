# frozen_string_literal: true

module Differential
  # The differences that are meant. A scenario names one before it does the thing; a differing line that bears the
  # name and that its test accepts is counted as known, and ends the comparison of that scenario.
  module KnownDifferences
    Known = Data.define(:reason, :test)

    ANY = ->(_reference, _own) { true }

    TABLE = {
      captured_pattern: Known.new(
        "a pattern String is captured when the rule is declared; the reference follows later changes",
        ->(reference, own) { reference.end_with?("[nil, :deny]") && own.end_with?("[:deny, nil]") }
      ),
      frozen_rules: Known.new(
        "a frozen rule set refuses new rules; the reference takes them",
        ->(reference, own) { reference.end_with?("true") && own.include?("FrozenError") }
      ),
      uninitialized: Known.new(
        "an object that was never initialized says so; the reference fails on nil",
        ->(reference, own) { reference.include?("NoMethodError") && own.include?("raised ") }
      ),
      copied: Known.new(
        "a queue or a gate refuses to be copied; the reference makes two that share their state",
        ->(reference, own) { !reference.include?("raised") && own.include?("TypeError") }
      ),
      clock_uses_library: Known.new(
        "a clock may use the queue or the gate it serves; the reference deadlocks",
        ->(reference, own) { reference.include?("ThreadError") && !own.include?("ThreadError") }
      ),
      unknown_approval: Known.new(
        "UnknownApprovalError from a callback goes to the caller; the reference swallows it", ANY
      ),
      exit_rolls_back: Known.new(
        "every way out of a callback puts the action back to pending; the reference leaves it applying", ANY
      )
    }.freeze

    module_function

    # Whether a line stands under a known difference that was named some lines before.
    def lasting?(line) = name_on(line) ? true : false

    # The name of the known difference between two recorded lines, or nil.
    def find(reference, own)
      name = name_on(reference)
      return unless name && name == name_on(own)

      name if TABLE.fetch(name.to_sym).test.call(reference, own)
    end

    def name_on(line) = line[/\A(\w+)\t/, 1]
  end
end
