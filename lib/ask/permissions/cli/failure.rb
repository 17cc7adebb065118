# frozen_string_literal: true

require_relative "safe_text"

module Ask
  module Permissions
    module CLI
      # A fault that ends the program with status 2: what the user reads is file, line and reason.
      class Failure < StandardError
        # Some reasons quote the line at fault, which has no end.
        REASON_LIMIT = 500

        # @param error [SystemCallError, IOError] the text of the former repeats the path; the system's own words
        #   are enough
        def self.of(error, **place)
          new(SafeText.utf8(error.message).split(/ @ | - /, 2).first, **place)
        end

        # @param reason [String]
        # @param file [String, nil] as the user named it
        # @param line [Integer, nil]
        # @param details [Array<String>] lines to print below
        def initialize(reason, file: nil, line: nil, details: [])
          super(reason)
          @file = file
          @line = line
          @details = details
        end

        # @return [String] safe to print, because reasons quote what may come from a hostile file
        def report
          place = [@file, @line].compact.join(":")
          heading = ["ask-permissions", place, message].reject(&:empty?)
          [heading.map { |part| safe(part) }.join(": "), *@details.map { |line| safe(line) }].join("\n")
        end

        private

        def safe(text)
          text = SafeText.utf8(text)
          text = "#{text[0, REASON_LIMIT]}..." if text.length > REASON_LIMIT
          SafeText.default.escape(text)
        end
      end
    end
  end
end
