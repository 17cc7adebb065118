# frozen_string_literal: true

require "json"
require_relative "display_width"
require_relative "rule_labels"
require_relative "text_summary"

module Ask
  module Permissions
    module CLI
      # A line a call in columns for people: decision, tool, arguments, and the rule that decided.
      class TextRenderer
        COLORS = { "allow" => 32, "ask" => 33, "deny" => 31, "none" => 36 }.freeze
        GAP = "  "
        DECISION_COLUMNS = 5
        TOOL_SHARE = 0.15

        # @param entries [Array<RuleEntry>]
        # @param columns [Integer] of the terminal
        # @param color [Boolean]
        def initialize(safe_text, entries, columns:, color:)
          @safe_text = safe_text
          @columns = columns
          @color = color
          @labels = RuleLabels.new(entries, columns, safe_text)
          @tool_columns = (columns * TOOL_SHARE).to_i
          @argument_columns = columns - DECISION_COLUMNS - @tool_columns - @labels.columns - (3 * GAP.length)
        end

        # @param call [Call]
        # @param decision [String]
        # @param entry [RuleEntry, nil]
        def call(call, decision, entry)
          [
            paint(decision.ljust(DECISION_COLUMNS), decision),
            column(tool(call.name), @tool_columns),
            column(arguments(call.arguments), @argument_columns),
            @labels[entry]
          ].join(GAP)
        end

        # @param tally [Tally]
        # @param entries [Array<RuleEntry>]
        def summary(tally, entries)
          TextSummary.new(@safe_text, columns: @columns, paint: method(:paint)).render(tally, entries)
        end

        private

        # A name that is empty or has a space in it must not look like something else.
        def tool(name)
          name.match?(/\A[^ ]+\z/) ? name : JSON.generate(name)
        end

        # The text that the rules see; nothing for nil.
        def arguments(value)
          value.is_a?(Hash) ? JSON.generate(value) : value.to_s
        end

        # What can not be seen anyway is cut off first, because it may be long. No column holds more than four
        # characters, as SafeText lets three marks pass on a letter.
        def column(text, width)
          shown = @safe_text.escape(text[0, 4 * (width + 1)])
          DisplayWidth.pad(DisplayWidth.cut(shown, width, @safe_text.ellipsis), width)
        end

        def paint(text, decision)
          @color ? "\e[#{COLORS.fetch(decision)}m#{text}\e[0m" : text
        end
      end
    end
  end
end
