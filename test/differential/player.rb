# frozen_string_literal: true

# Plays scenarios of one kind on one library and writes what they observed.
# usage: ruby player.rb LIB KIND SEED FIRST [LAST]   (frames go to file descriptor 3)
#   "> INDEX" begins a scenario, "= INDEX BYTES" and that many bytes are its lines.
#   With LAST given every step is announced before it runs: "- TEXT".

library, kind, seed, first, last = ARGV
$LOAD_PATH.unshift(File.expand_path(library))
require "ask-permissions"

# Time stands under the harness's control: a library without a clock of its own must call Time.now at each use.
class Time
  class << self
    attr_writer :differential_ticks

    def now(*) = at(1_000_000_000 + (@differential_ticks += 1)).utc
  end
end
Time.differential_ticks = 0

require_relative "draw"
require_relative kind

frames = IO.for_fd(3, "wb")
scenario_class = Differential.const_get("#{kind.capitalize}Scenario")
announce = last && ->(text) { frames.puts("- #{text.gsub("\n", " ")}") && frames.flush }

first.to_i.upto(last ? last.to_i : Float::INFINITY) do |index|
  frames.puts("> #{index}")
  frames.flush
  Time.differential_ticks = 0
  scenario = scenario_class.new(Differential::Draw.for(seed.to_i, kind, index), announce:)
  scenario.play
  lines = scenario.lines.join("\n")
  frames.write("= #{index} #{lines.bytesize}\n", lines)
  frames.flush
rescue Errno::EPIPE
  exit
end
