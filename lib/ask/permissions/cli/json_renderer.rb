# frozen_string_literal: true

require "json"

module Ask
  module Permissions
    module CLI
      # JSON Lines for programs: one object a call, and the summary as the last one. Whole texts, nothing cut.
      class JSONRenderer
        def initialize(safe_text)
          @safe_text = safe_text
        end

        # @param call [Call]
        # @param decision [String]
        # @param entry [RuleEntry, nil]
        def call(call, decision, entry)
          line(
            type: "call", line: call.line, id: call.id, name: call.name, arguments: call.arguments,
            decision:, rule: entry&.facts
          )
        end

        # @param tally [Tally]
        # @param entries [Array<RuleEntry>]
        def summary(tally, entries)
          rules = entries.map { |entry| entry.facts.merge(decided: tally.decided_by(entry)) }
          line(type: "summary", calls: tally.calls, decisions: tally.decisions, rules:)
        end

        private

        # Valid JSON may still hold what a terminal should not see.
        def line(facts)
          @safe_text.escape_json(JSON.generate(facts))
        end
      end
    end
  end
end
