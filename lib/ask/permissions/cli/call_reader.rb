# frozen_string_literal: true

require_relative "call_parser"
require_relative "failure"

module Ask
  module Permissions
    module CLI
      # A tool call and the number of the line it came from.
      Call = Data.define(:line, :id, :name, :arguments)

      # Reads calls line by line from a file or a stream, holding one line at a time.
      class CallReader
        STDIN_NAME = "(standard input)"
        # A line is held whole, so that without a bound one could take all memory.
        LINE_LIMIT = 64 * 1024 * 1024
        BYTE_ORDER_MARK = "\uFEFF".b.freeze
        BLANK = /\A[ \t\r\n]*\z/

        # @param path [String] `-` is standard input
        # @yieldparam reader [CallReader]
        # @raise [Failure] when the file can not be opened
        def self.open(path, stdin)
          return yield new(stdin, STDIN_NAME) if path == "-"

          begin
            file = File.open(path, "rb")
          rescue SystemCallError => e
            raise Failure.of(e, file: path)
          end
          begin
            yield new(file, path)
          ensure
            file.close
          end
        end

        # @return [Integer] how much has been read
        attr_reader :bytes

        def initialize(stream, name, line_limit: LINE_LIMIT)
          @stream = stream
          @name = name
          @line_limit = line_limit
          @line = 0
          @bytes = 0
        end

        # @yieldparam call [Call]
        # @raise [Failure] at the first line that is no call
        def each
          while (bytes = next_line)
            yield parse(bytes) unless bytes.match?(BLANK)
          end
        end

        # @raise [Failure] that names the line read last
        def fail_here(reason)
          raise Failure.new(reason, file: @name, line: @line)
        end

        # @return [Integer, nil] the size of a regular file; nil for what may take its time to come
        def size
          return @size if defined?(@size)

          @size = @stream.respond_to?(:stat) && @stream.stat.file? ? @stream.stat.size : nil
        rescue SystemCallError, IOError
          @size = nil
        end

        private

        def parse(bytes)
          Call.new(@line, *CallParser.parse(bytes.chomp.force_encoding(Encoding::UTF_8)))
        rescue BadLine => e
          fail_here(e.message)
        end

        def next_line
          bytes = read_line
          return unless bytes

          @line += 1
          @bytes += bytes.bytesize
          fail_here("the line is longer than #{@line_limit} bytes") if bytes.bytesize > @line_limit
          @line == 1 ? bytes.delete_prefix(BYTE_ORDER_MARK) : bytes
        end

        def read_line
          @stream.binmode if @line.zero?
          @stream.gets("\n", @line_limit + 1)
        rescue SystemCallError, IOError => e
          raise Failure.of(e, file: @name, line: line_after)
        end

        # Of what can not be read at all, no line is at fault.
        def line_after
          @line + 1 if @line.positive?
        end
      end
    end
  end
end
