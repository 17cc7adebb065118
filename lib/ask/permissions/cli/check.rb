# frozen_string_literal: true

require_relative "call_reader"
require_relative "json_renderer"
require_relative "output"
require_relative "progress"
require_relative "rule_file"
require_relative "tally"
require_relative "terminal"
require_relative "text_renderer"

module Ask
  module Permissions
    module CLI
      # The command `check`: decides each call as it comes, then sums up.
      class Check
        def initialize(options, stdin:, stdout:, stderr:, env:)
          @options = options
          @stdin = stdin
          @stdout = stdout
          @stderr = stderr
          @screen = Terminal.new(stdout, env)
          @error_screen = Terminal.new(stderr, env)
          @tally = Tally.new
        end

        # @return [Integer] the exit status
        # @raise [Failure]
        def run
          @rules = RuleFile.new(@options.rules, auto_allow_dangerous: @options.auto_allow_dangerous)
          @renderer = renderer
          CallReader.open(@options.calls, @stdin) { |reader| check(reader) }
          @tally.any?(@options.fail_on) ? FAIL_ON : OK
        end

        private

        def check(reader)
          @output = Output.new(@stdout, live: reader.size.nil?)
          @progress = Progress.new(@stderr, reader, enabled: progress?)
          reader.each { |call| judge(call, reader) }
          print(@renderer.summary(@tally, @rules.entries))
        ensure
          @progress&.erase
          @output&.flush
        end

        def judge(call, reader)
          entry = decide(call, reader)
          decision = entry ? entry.effective : "none"
          @tally.count(decision, entry)
          print(@renderer.call(call, decision, entry)) if @options.only.include?(decision)
          @progress.update(@tally.calls)
        end

        # A pattern can fail on a text, and an object that serves as a pattern in any way it likes.
        def decide(call, reader)
          @rules.decide(call.name, call.arguments)
        rescue StandardError, SystemStackError => e
          reader.fail_here("the rules can not decide: #{e.message} (#{e.class})")
        end

        def print(text)
          @progress.erase if @screen.tty?
          @output.emit(text)
        end

        # Lines that scroll by on the same terminal are progress enough, unless most of them are left out.
        def progress?
          @error_screen.escapes? && (!@screen.tty? || @options.only != DECISIONS)
        end

        def renderer
          safe_text = SafeText.default
          return JSONRenderer.new(safe_text) if @options.format == "json"

          TextRenderer.new(
            safe_text, @rules.entries, columns: @screen.columns, color: @screen.color?(@options.color)
          )
        end
      end
    end
  end
end
