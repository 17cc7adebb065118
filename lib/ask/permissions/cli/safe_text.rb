# frozen_string_literal: true

module Ask
  module Permissions
    module CLI
      # Makes text from a call harmless to look at: whatever could move the cursor, reverse the reading order, hide
      # itself or pass for a plain space is shown as an escape.
      class SafeText
        # Other (control, format, private, unassigned), separators but the plain space, and what Unicode says to
        # leave invisible. Marks are fine on a letter, but not at the start, nor piled up without end.
        UNSAFE = /[\p{C}\p{Z}&&[^ ]]|\p{Default_Ignorable_Code_Point}|\A\p{M}|(?<=\p{M}\p{M}\p{M})\p{M}/
        # To a terminal that does not speak UTF-8, parts of a character can be control codes.
        NOT_ASCII = /[^ -~]/
        SHORT = { "\t" => "\\t", "\n" => "\\n", "\r" => "\\r" }.freeze

        class << self
          # The one that fits the locale of the process.
          def default
            @default ||= new(unicode: Encoding.default_external == Encoding::UTF_8)
          end

          # @return [String] the text as valid UTF-8; bytes that are no character become `\xNN`
          def utf8(text)
            text = recode(text) unless text.encoding == Encoding::UTF_8
            return text if text.valid_encoding?

            text.scrub { |bytes| bytes.unpack("C*").map { |byte| format("\\x%02X", byte) }.join }
          end

          private

          def recode(text)
            return text.dup.force_encoding(Encoding::UTF_8) if text.encoding == Encoding::BINARY || text.ascii_only?

            text.encode(Encoding::UTF_8)
          rescue EncodingError
            text.dup.force_encoding(Encoding::UTF_8)
          end
        end

        attr_reader :ellipsis

        def initialize(unicode:)
          @unsafe = unicode ? UNSAFE : NOT_ASCII
          @ellipsis = unicode ? "…" : "..."
        end

        # @return [String] for people: `\n`, `\u{202e}`, and `\xNN` for a byte that is no character
        def escape(text)
          text = self.class.utf8(text.to_s)
          return text unless unsafe?(text)

          text.gsub(@unsafe) { |char| SHORT[char] || format("\\u{%x}", char.ord) }
        end

        # @param json [String] valid JSON, where such characters occur in strings only
        # @return [String] JSON of the same value
        def escape_json(json)
          return json unless unsafe?(json)

          json.gsub(@unsafe) do |char|
            char.encode(Encoding::UTF_16BE).unpack("n*").map { |unit| format("\\u%04x", unit) }.join
          end
        end

        private

        def unsafe?(text)
          text.match?(text.ascii_only? ? NOT_ASCII : @unsafe)
        end
      end
    end
  end
end
