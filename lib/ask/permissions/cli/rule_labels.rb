# frozen_string_literal: true

require_relative "display_width"

module Ask
  module Permissions
    module CLI
      # What to print for each rule at the end of a call's line, within a share of that line.
      class RuleLabels
        NONE = "no rule"
        # So that one rule's long pattern can not push out what it decided about.
        SHARE = 0.4

        # @return [Integer] how many columns the longest label takes
        attr_reader :columns

        # @param entries [Array<RuleEntry>]
        # @param columns [Integer] of the whole line
        def initialize(entries, columns, safe_text)
          limit = (columns * SHARE).to_i
          @safe_text = safe_text
          @bare = entries.any? { |entry| DisplayWidth.of(entry.place) > limit / 2 }
          @labels = entries.map { |entry| DisplayWidth.cut(label(entry), limit, safe_text.ellipsis) }
          @columns = [NONE, *@labels].map { |label| DisplayWidth.of(label) }.max
        end

        # @param entry [RuleEntry, nil]
        def [](entry)
          entry ? @labels.fetch(entry.index) : NONE
        end

        private

        # A long path gives way to the file's name, so that the line's number is never cut off.
        def label(entry)
          place = @bare ? entry.bare_place : entry.place
          @safe_text.escape("#{place} #{entry.declaration}#{" -> #{entry.effective}" if entry.downgraded?}")
        end
      end
    end
  end
end
