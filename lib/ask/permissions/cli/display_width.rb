# frozen_string_literal: true

module Ask
  module Permissions
    module CLI
      # How many columns of a terminal a text takes, once SafeText has escaped what has no width of its own.
      module DisplayWidth
        # Ruby's Regexp knows no East Asian width, so these are the blocks shown two columns wide: Hangul, kana,
        # ideographs, their compatibility and full-width forms; and emoji, but for the halves of flags.
        WIDE = /
          [\u{1100}-\u{115f}\u{2329}\u{232a}\u{2e80}-\u{303e}\u{3041}-\u{4dbf}\u{4e00}-\u{a4cf}\u{a960}-\u{a97c}]
          |[\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6b}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]
          |[\u{16fe0}-\u{18d8f}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]
          |(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}
        /x
        # Marks that are drawn over the character before them.
        ZERO = /[\p{Mn}\p{Me}]/

        module_function

        def of(text)
          return text.length if text.ascii_only?

          text.each_char.sum { |char| of_char(char) }
        end

        def of_char(char)
          return 1 if char.ascii_only?
          return 0 if char.match?(ZERO)

          char.match?(WIDE) ? 2 : 1
        end

        # @return [String] the text, or its beginning and the ellipsis in no more than `width` columns
        def cut(text, width, ellipsis)
          return text if of(text) <= width

          room = width - ellipsis.length
          return text[0, room] + ellipsis if text.ascii_only?

          kept = text.each_char.take_while { |char| (room -= of_char(char)) >= 0 }
          kept.push(ellipsis).join
        end

        def pad(text, width)
          text + (" " * [width - of(text), 0].max)
        end
      end
    end
  end
end
