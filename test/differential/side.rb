# frozen_string_literal: true

require "rbconfig"
require "tempfile"

module Differential
  # One of the two libraries: starts the processes that play on it.
  class Side
    PLAYER = File.join(__dir__, "player.rb")
    # Seconds without a word after which a player counts as hanging; a scenario takes milliseconds.
    PATIENCE = 30

    attr_reader :library

    def initialize(library)
      @library = library
    end

    def start(kind, seed) = Player.new(self, kind, seed)

    # What a player announces of one scenario: the steps, their answers, and how it ended if not well.
    def replay(kind, seed, index)
      pid, frames, errors = launch(kind, seed, index, index)
      announced, ending = listen(frames)
      Process.kill(:KILL, pid) if ending == "hangs"
      _, status = Process.wait2(pid)
      return announced if status.success?

      announced << (ending || "ended with #{status}: #{File.read(errors.path).lines.first(3).join(" ").strip}")
    end

    def launch(kind, seed, *indices)
      frames, writing = IO.pipe(binmode: true)
      errors = Tempfile.new("player")
      pid = spawn(RbConfig.ruby, "-E", "UTF-8", PLAYER, @library, kind, seed.to_s, *indices.map(&:to_s),
                  :in => File::NULL, :out => File::NULL, :err => errors, 3 => writing)
      writing.close
      frames.timeout = PATIENCE
      [pid, frames, errors]
    end

    private

    def listen(frames)
      announced = []
      while (line = frames.gets)
        announced << line.chomp.delete_prefix("- ").force_encoding(Encoding::UTF_8) if line.start_with?("- ")
      end
      [announced, nil]
    rescue IO::TimeoutError
      [announced, "hangs"]
    end
  end

  # What one player observed in one scenario, and how it failed if it did.
  class Result
    attr_reader :index, :text, :failure

    def initialize(index:, text:, failure: nil)
      @index = index
      @text = text
      @failure = failure
    end

    def equal_to?(other) = failure.nil? && other.failure.nil? && text == other.text

    def lines = @lines ||= text.split("\n", -1)

    def size = failure ? lines.size + 1 : lines.size

    # What a step answered; behind the last one, how the process failed if it did.
    def line(step) = lines[step] || failure || "(nothing)"
  end

  # A process that plays scenario after scenario. When it hangs or dies, another goes on behind that scenario.
  class Player
    def initialize(side, kind, seed)
      @side = side
      @kind = kind
      @seed = seed
      @index = 0
      open_process
    end

    def next_result
      result = read_result
      @index += 1
      return result unless result.failure

      stop
      open_process
      result
    end

    def stop
      Process.kill(:KILL, @pid)
      Process.wait(@pid)
    rescue Errno::ESRCH, Errno::ECHILD
      nil
    ensure
      @frames.close
      @errors.close!
    end

    private

    def open_process
      @pid, @frames, @errors = @side.launch(@kind, @seed, @index)
    end

    def read_result
      @frames.gets or raise "the library in #{@side.library} cannot be played on: #{ending}"
      header = @frames.gets or return failed("ended with #{ending}")
      text = @frames.read(header.split.last.to_i)
      Result.new(index: @index, text: text.force_encoding(Encoding::UTF_8))
    rescue IO::TimeoutError
      failed("hangs: nothing for #{Side::PATIENCE} seconds")
    end

    def failed(reason) = Result.new(index: @index, text: "", failure: "(#{reason})")

    def ending
      _, status = Process.wait2(@pid)
      "#{status}: #{File.read(@errors.path).lines.first(3).join(" ").strip}"
    end
  end
end
