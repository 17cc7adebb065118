# frozen_string_literal: true

require "ask/permissions"

module Ask
  module Permissions
    # The command line program `ask-permissions`. `require "ask-permissions"` does not load it.
    module CLI
      # What `check` can say about a call; `none` means that no rule matched.
      DECISIONS = %w[allow ask deny none].freeze

      # Exit statuses. The last two are what a shell reports for a program ended by SIGINT and SIGPIPE.
      OK = 0
      FAIL_ON = 1
      ERROR = 2
      INTERRUPTED = 130
      BROKEN_PIPE = 141

      # Runs the program and returns its exit status; it neither exits nor raises for what a user can get wrong.
      #
      # @param argv [Array<String>] the arguments after the program's name
      # @param stdin [IO, StringIO] read when no file of calls is named, or `-`
      # @param stdout [IO, StringIO] gets the decisions and the summary
      # @param stderr [IO, StringIO] gets faults and the progress line
      # @param env [#[]] `NO_COLOR`, `COLUMNS` and `TERM` are read from it
      # @return [Integer] 0 when every call was decided; 1 when a decision named by `--fail-on` occurred; 2 for
      #   faulty usage, rules or input; 130 when interrupted; 141 when the reader of the output went away
      # @example
      #   Ask::Permissions::CLI.run(["check", "rules.rb", "calls.jsonl", "--fail-on", "deny"])
      def self.run(argv, stdin: $stdin, stdout: $stdout, stderr: $stderr, env: ENV)
        execute(Options.parse(argv), stdin:, stdout:, stderr:, env:)
      rescue Failure => e
        report(stderr, e)
        ERROR
      rescue Errno::EPIPE
        BROKEN_PIPE
      rescue Interrupt
        INTERRUPTED
      end

      def self.execute(options, stdout:, **streams)
        return Check.new(options, stdout:, **streams).run unless options.message

        Output.new(stdout).emit(options.message)
        OK
      end
      private_class_method :execute

      # Whether or not anybody can be told, the fault and the status stay.
      def self.report(stderr, failure)
        stderr.puts(failure.report)
      rescue SystemCallError, IOError
        nil
      end
      private_class_method :report
    end
  end
end

require_relative "cli/failure"
require_relative "cli/options"
require_relative "cli/check"
