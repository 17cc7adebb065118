# frozen_string_literal: true

require_relative "failure"

module Ask
  module Permissions
    module CLI
      # Writes whole lines to standard output.
      class Output
        # @param live [Boolean] whether each line must appear at once, because more input may take its time
        def initialize(stream, live: true)
          @stream = stream
          @live = live
        end

        def emit(text)
          guard do
            @stream.write(text, "\n")
            @stream.flush if @live
          end
        end

        def flush
          guard { @stream.flush }
        end

        private

        # A reader that went away is no fault of the output; a full disk is.
        def guard
          yield
        rescue Errno::EPIPE
          raise
        rescue SystemCallError, IOError => e
          raise Failure.of(e, file: "(standard output)")
        end
      end
    end
  end
end
