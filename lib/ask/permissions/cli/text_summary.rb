# frozen_string_literal: true

require_relative "display_width"

module Ask
  module Permissions
    module CLI
      # The summary for people: the number of each decision, and how often each rule decided.
      class TextSummary
        HEADING = %w[decided rule].freeze

        # @param columns [Integer] of the terminal
        # @param paint [#call] colors a text for a decision
        def initialize(safe_text, columns:, paint:)
          @safe_text = safe_text
          @columns = columns
          @paint = paint
        end

        # @param tally [Tally]
        # @param entries [Array<RuleEntry>]
        # @return [String]
        def render(tally, entries)
          ["", totals(tally), *rules(tally, entries)].join("\n")
        end

        private

        def totals(tally)
          counts = tally.decisions.map { |decision, count| @paint.call("#{count} #{decision}", decision) }
          "#{tally.calls} #{tally.calls == 1 ? "call" : "calls"}: #{counts.join(", ")}"
        end

        def rules(tally, entries)
          return ["no rules"] if entries.empty?

          rows = [HEADING, *entries.map { |entry| [times(tally.decided_by(entry)), label(entry)] }]
          width = rows.map { |times,| times.length }.max
          rows.map do |times, label|
            DisplayWidth.cut("#{times.rjust(width)}  #{label}", @columns, @safe_text.ellipsis)
          end
        end

        def times(count)
          count.zero? ? "never" : count.to_s
        end

        def label(entry)
          note = " (downgraded to #{entry.effective})" if entry.downgraded?
          @safe_text.escape("#{entry.place} #{entry.declaration}#{note}")
        end
      end
    end
  end
end
