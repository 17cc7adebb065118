# frozen_string_literal: true

require "json"
require "open3"

module Soundness
  # The core in a process of its own, which says which texts each pattern may match.
  class Narrower
    ROOT = File.expand_path("../..", __dir__)
    # Of each pattern: its translation or nil; for each text, whether it may match by itself, and among others.
    Answer = Data.define(:narrowed, :alone, :together)

    def self.build
      built = system("cargo", "build", "--quiet", "--release", "--example", "narrow", chdir: ROOT)
      built or raise "the core does not compile"
      target = ENV.fetch("CARGO_TARGET_DIR", File.join(ROOT, "target"))
      new(File.join(target, "release", "examples", "narrow"))
    end

    def initialize(program)
      @input, @output, @waiter = Open3.popen2(program)
      [@input, @output].each { |stream| stream.set_encoding(Encoding::UTF_8) }
    end

    def ask(patterns, texts)
      question = { patterns: patterns.map { |source, flags| { source:, flags: } }, texts: }
      @input.puts(JSON.generate(question))
      line = @output.gets or raise "the core died of #{patterns.inspect}"
      Answer.new(**JSON.parse(line, symbolize_names: true))
    end

    def stop
      @input.close
      @output.close
      @waiter.value
    end
  end
end
