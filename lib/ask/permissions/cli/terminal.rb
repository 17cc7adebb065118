# frozen_string_literal: true

require "io/console"

module Ask
  module Permissions
    module CLI
      # What is known about the screen behind a stream, if there is one.
      class Terminal
        # For a pipe or a file: wide enough to read arguments, and still a line of an editor.
        DEFAULT_COLUMNS = 120
        UNKNOWN_COLUMNS = 80
        LEAST_COLUMNS = 40

        def initialize(stream, env)
          @stream = stream
          @env = env
        end

        def tty?
          @stream.tty?
        rescue IOError
          false
        end

        # Whether escape sequences do what they say.
        def escapes?
          tty? && @env["TERM"] != "dumb"
        end

        # @param wish [Boolean, nil] what the user asked for; nil leaves it to the terminal
        def color?(wish)
          wish.nil? ? escapes? && @env["NO_COLOR"].to_s.empty? : wish
        end

        def columns
          named = @env["COLUMNS"].to_s
          width = named.match?(/\A[1-9]\d{0,5}\z/) ? named.to_i : window_columns
          [width, LEAST_COLUMNS].max
        end

        private

        def window_columns
          return DEFAULT_COLUMNS unless tty?

          width = @stream.winsize.last
          width.positive? ? width : UNKNOWN_COLUMNS
        rescue SystemCallError
          UNKNOWN_COLUMNS
        end
      end
    end
  end
end
