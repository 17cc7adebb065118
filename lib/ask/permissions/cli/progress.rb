# frozen_string_literal: true

module Ask
  module Permissions
    module CLI
      # One line on a terminal that says how far a long input has been read, and goes away by itself.
      class Progress
        # An input is long when it has more calls than this; the line is drawn anew after as many.
        STEP = 1_000
        ERASE = "\r\e[K"

        # @param stream [IO] standard error
        # @param reader [CallReader]
        # @param enabled [Boolean]
        def initialize(stream, reader, enabled:)
          @stream = stream
          @reader = reader
          @enabled = enabled
          @shown = false
        end

        # @param calls [Integer] how many have been decided
        def update(calls)
          return unless @enabled && (calls % STEP).zero?

          # Whoever prints next, perhaps what reads our output, starts at the beginning of the line.
          draw("#{text(calls)}\r")
          @shown = true
        end

        # Makes room for what is to be printed.
        def erase
          return unless @shown

          draw("")
          @shown = false
        end

        private

        # A terminal that went away is no reason to stop.
        def draw(text)
          @stream.write(ERASE, text)
          @stream.flush
        rescue SystemCallError, IOError
          @enabled = false
        end

        def text(calls)
          size = @reader.size.to_i
          return "#{calls} calls" unless size.positive?

          "#{calls} calls, #{[100 * @reader.bytes / size, 100].min}%"
        end
      end
    end
  end
end
