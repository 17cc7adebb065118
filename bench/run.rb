# frozen_string_literal: true

# Prints one table: what each case costs with this library and with the reference, in one run.
#
#   ruby bench/run.rb REFERENCE_LIB [PATTERN]
#
# Each library has its own process. Their answers are compared first; then they are measured in turns,
# and the best of all rounds counts. The cost of the empty loop is taken off.
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "cases"

# A process that measures one library.
class Worker
  def initialize(lib)
    options = ENV["YJIT"] ? ["--yjit"] : []
    @input, @output, = Open3.popen2(RbConfig.ruby, *options, File.join(__dir__, "worker.rb"), lib)
  end

  def ask(*command)
    @input.puts JSON.generate(command)
    JSON.parse(@output.gets || abort("bench: a worker ended early"), allow_nan: true)
  end

  # As many turns as take some 30 ms, and at least one. What is done but once is done before.
  def calibrate
    ask("measure", 1)
    @turns = 1
    while (spent = ask("measure", @turns)) < 15_000_000
      @turns *= spent < 1_000_000 ? 10 : 2
    end
    @best = spent.fdiv(@turns)
  end

  def round
    @best = [@best, ask("measure", @turns).fdiv(@turns)].min
  end

  attr_reader :best
end

ROUNDS = 5
# Where one turn takes the reference longer than this, it is left out.
SLOWEST_REFERENCE = 20_000_000_000

def build_floor
  directory = Dir.mktmpdir
  at_exit { FileUtils.remove_entry(directory) }
  Dir.chdir(directory) do
    built = system(RbConfig.ruby, File.join(__dir__, "floor", "extconf.rb"), out: File::NULL) &&
            system("make", out: File::NULL)
    abort "bench: the floor does not compile" unless built
  end
  File.join(directory, "floor")
end

def measure(workers)
  workers.each(&:calibrate)
  ROUNDS.times { workers.each(&:round) }
  workers.map(&:best)
end

def duration(nanoseconds)
  return "-" unless nanoseconds

  units = { "s" => 1e9, "ms" => 1e6, "µs" => 1e3, "ns" => 1 }
  unit, size = units.find { |_, one| nanoseconds >= one } || units.to_a.last
  format("%.3g %s", nanoseconds / size, unit)
end

def row(name, size, per, ours, theirs)
  ours /= per
  theirs &&= theirs / per
  printf("%-70s %9s %12s %12s %9s\n", name, size&.to_s || "", duration(ours), duration(theirs),
         theirs ? format("%.3gx", theirs / ours) : "")
  $stdout.flush
end

if $PROGRAM_NAME == __FILE__
  reference, pattern = ARGV
  ours = Worker.new(File.expand_path("../lib", __dir__))
  theirs = Worker.new(File.expand_path(reference)) if reference
  workers = [ours, *theirs]

  puts RUBY_DESCRIPTION
  printf("%-70s %9s %12s %12s %9s\n", "", "size", "here", "reference", "ratio")
  ours.ask("empty")
  empty, = measure([ours])
  ours.ask("floor", build_floor)
  floor, = measure([ours])
  row("an empty native method with two arguments", nil, 1, floor - empty, nil)

  too_slow = {}
  Cases.all.each do |bench|
    next if pattern && !bench.name.include?(pattern)

    bench.sizes.each do |size|
      taking_part = too_slow[bench.name] ? [ours] : workers
      answers = taking_part.map { |worker| worker.ask("prepare", bench.name, size) }
      abort "bench: the answers differ in #{bench.name}: #{answers.inspect}" if answers.uniq.size > 1

      mine, other = measure(taking_part).map { |best| best - empty }
      row(bench.name, size, bench.per.call(size), mine, other)
      # The next size is up to ten times this one, and the reference can be quadratic.
      too_slow[bench.name] = true if other && other * 100 > SLOWEST_REFERENCE
    end
  end
end
