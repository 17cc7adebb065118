# frozen_string_literal: true

require "json"

module Ask
  module Permissions
    module CLI
      # A line that is no tool call; the message says why.
      class BadLine < StandardError; end

      # Reads JSON and refuses what Ruby's reader takes but another reader of the same line might take otherwise:
      # a key that occurs twice, comments, half a surrogate pair, a number beyond Float.
      module StrictJSON
        # A String with whether it is a key, what opens and closes an object, or a comment.
        TOKEN = %r{"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\s*:)?|[{}/]}
        # Captures the half when it has no other half.
        SURROGATE = /\\(?:u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|(u[dD][89a-fA-F]\h\h)|.)/

        module_function

        # @param text [String] in UTF-8
        # @raise [BadLine]
        def parse(text)
          raise BadLine, "invalid UTF-8" unless text.valid_encoding?

          value = JSON.parse(text)
          verify_tokens(text) unless plain?(text, value)
          verify_surrogates(text) if text.include?("\\u")
          raise BadLine, "a number is too large" if infinite?(value)

          value
        rescue JSON::ParserError => e
          raise BadLine, "not JSON: #{e.message}"
        end

        # Spares most lines the tokens. Every key ends in a quote and a colon, so that when there are no more of
        # these than there are keys in the value, no key was lost. A quote after a backslash ends no key, unless
        # the backslash is itself escaped.
        def plain?(text, value)
          return false if text.include?("//") || text.include?("/*") || text.include?("\\\\\"")

          text.scan(/(?<!\\)"\s*:/).size == count_keys(value)
        end

        def count_keys(value)
          case value
          when Hash then value.each_value.sum(value.size) { |child| count_keys(child) }
          when Array then value.sum { |child| count_keys(child) }
          else 0
          end
        end

        def verify_tokens(text)
          objects = []
          text.scan(TOKEN) do |string, colon|
            next note_key(objects.last, string) if colon
            next if string

            case Regexp.last_match(0)
            when "{" then objects.push({})
            when "}" then objects.pop
            else raise BadLine, "not JSON: a comment"
            end
          end
        end

        def note_key(keys, literal)
          key = literal.include?("\\") ? JSON.parse("[\"#{literal}\"]").first : literal
          raise BadLine, "the key #{key.inspect} occurs twice in one object" if keys.key?(key)

          keys[key] = true
        end

        def verify_surrogates(text)
          text.scan(SURROGATE) { |half,| raise BadLine, "\\#{half} is half a character" if half }
        end

        def infinite?(value)
          case value
          when Float then value.infinite?
          when Hash then value.each_value.any? { |child| infinite?(child) }
          when Array then value.any? { |child| infinite?(child) }
          end
        end

        private_class_method :plain?, :count_keys, :verify_tokens, :note_key, :verify_surrogates, :infinite?
      end
    end
  end
end
