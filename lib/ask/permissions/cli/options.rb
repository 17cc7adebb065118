# frozen_string_literal: true

require "optparse"
require_relative "failure"

module Ask
  module Permissions
    module CLI
      # What the arguments of the program ask for.
      class Options
        FORMATS = %w[text json].freeze
        USAGE = "usage: ask-permissions check [options] RULES [CALLS]"
        ABOUT = <<~TEXT

          Decides every tool call in CALLS by the rules in RULES, and says which rule decided.

          RULES is a Ruby file whose body is the rules: allow "read_file", deny "bash", /sudo/
          CALLS is JSON Lines: {"id":"1","name":"bash","arguments":{"command":"ls"}}, where arguments may also be
          a String. Without CALLS, or with -, they are read from standard input.

        TEXT
        STATUS = <<~TEXT

          Exit status: 0 when all calls were decided, 1 when a decision named by --fail-on occurred,
          2 for faulty usage, rules or calls.
        TEXT

        # The parser's own extras print and exit by themselves; this program's end is an Integer that `run` returns.
        class Parser < OptionParser
          def add_officious; end
        end

        # @return [Options]
        # @raise [Failure]
        def self.parse(argv)
          new(argv)
        end

        # @return [String, nil] what to print instead of doing anything
        attr_reader :message
        attr_reader :rules, :calls, :format, :only, :fail_on, :color, :auto_allow_dangerous

        def initialize(argv)
          @calls = "-"
          @format = "text"
          @only = DECISIONS
          @fail_on = []
          @auto_allow_dangerous = false
          # The parser matches characters, but a file name may be any bytes.
          operands = parser.permute(argv.map(&:b)).map { |operand| operand.force_encoding("filesystem") }
          take(operands) unless message
        rescue OptionParser::ParseError => e
          raise usage_error(e.message)
        end

        private

        def take(operands)
          command, @rules, *calls = operands
          raise usage_error("no command given") unless command
          raise usage_error("unknown command: #{command}") unless command == "check"
          raise usage_error("RULES is missing") unless rules
          raise usage_error("unexpected argument: #{calls[1]}") if calls.size > 1

          @calls = calls.first || @calls
        end

        # The parser's message may go on with what could have been meant.
        def usage_error(message)
          reason, *hints = SafeText.utf8(message).split("\n")
          Failure.new(reason, details: [*hints, USAGE, "Try ask-permissions --help."])
        end

        def parser
          Parser.new(USAGE) do |parser|
            parser.separator(ABOUT)
            define_choices(parser)
            define_switches(parser)
            parser.on("-h", "--help", "show this help") { @message = parser.help.chomp }
            parser.on("-v", "--version", "show the version") { @message = "ask-permissions #{VERSION}" }
            parser.separator(STATUS)
          end
        end

        def define_choices(parser)
          parser.on("--format FORMAT", FORMATS, "text (the default) or json, which is JSON Lines") { @format = _1 }
          parser.on("--only LIST", Array, "print only calls so decided: #{DECISIONS.join(",")};",
                    "the summary counts all") { @only = decisions(_1) }
          parser.on("--fail-on LIST", Array, "exit with status 1 if a call is so decided") { @fail_on = decisions(_1) }
        end

        def define_switches(parser)
          parser.on("--auto-allow-dangerous", "take an unconditional allow of a dangerous tool at its word;",
                    "without it, such a rule asks") { @auto_allow_dangerous = true }
          parser.on("--[no-]color", "color the decisions; by default on a terminal, unless",
                    "NO_COLOR is set") { @color = _1 }
        end

        def decisions(names)
          raise OptionParser::MissingArgument if names.empty?

          unknown = names - DECISIONS
          return names if unknown.empty?

          raise OptionParser::InvalidArgument, "#{names.join(",")} (the decisions are #{DECISIONS.join(", ")})"
        end
      end
    end
  end
end
