# frozen_string_literal: true

require_relative "alphabet"
require_relative "finding"
require_relative "folding"
require_relative "pattern"
require_relative "soup"
require_relative "systematic"

module Soundness
  # Asks Ruby and the core about pairs of a pattern and a text, first systematic ones, then so many that are drawn by
  # chance. What Ruby matches, the core must hold for possible.
  class Comparison
    PATTERNS = 24
    TEXTS = 8
    SHOWN = 10
    TIMEOUT = 0.01
    OPTIONS = { "i" => Regexp::IGNORECASE, "m" => Regexp::MULTILINE, "x" => Regexp::EXTENDED }.freeze

    attr_reader :pairs, :findings

    def initialize(narrower:, seed:, count:, out: $stdout)
      @narrower = narrower
      @random = Random.new(seed)
      @count = count
      @out = out
      @pairs = @patterns = @matched = @unmatched = @rejected = @timeouts = @wide = 0
      @findings = []
    end

    # The Regexp, or nil when Ruby refuses it.
    def self.regexp(source, flags, timeout: TIMEOUT)
      Regexp.new(source.encode("UTF-8"), OPTIONS.sum { |flag, bit| flags.include?(flag) ? bit : 0 }, timeout:)
    rescue RegexpError, ArgumentError
      nil
    end

    def run
      Systematic.batches { |patterns, texts| check(patterns.filter_map { |pattern| compiled(*pattern) }, texts) }
      enough = @pairs + @count
      batch while @pairs < enough && @findings.size < SHOWN
      self
    end

    def sound? = @findings.empty?

    def to_s
      share = ->(part, whole) { whole.zero? ? "none" : format("%.1f %%", 100.0 * part / whole) }
      "#{@pairs} pairs of #{@patterns} patterns (#{share[@wide, @patterns]} not narrowed); Ruby matches " \
        "#{share[@matched, @pairs]}; of the others the core rejects #{share[@rejected, @unmatched]}; " \
        "#{@timeouts} timeouts; #{@findings.size} findings"
    end

    private

    attr_reader :random

    def batch
      patterns = []
      until patterns.size == PATTERNS
        pattern = compiled(*draw)
        patterns << pattern if pattern
      end
      check(patterns, patterns.flat_map { |source, flags, _, sample| draw_texts(source, flags, sample) })
    end

    def draw
      case random.rand
      when 0...0.4 then Pattern.new(random).draw
      when 0.4...0.75 then Pattern.new(random, small: true).draw
      else Soup.draw(random)
      end
    end

    def compiled(source, flags, sample = nil)
      regexp = self.class.regexp(source, flags)
      [source, flags, regexp, sample] if regexp
    end

    def check(patterns, texts)
      answer = @narrower.ask(patterns.map { |source, flags| [source, flags] }, texts)
      @patterns += patterns.size
      @wide += answer.narrowed.count(nil)
      patterns.each_with_index do |(source, flags, regexp), at|
        compare(regexp, texts, answer.alone[at], answer.together[at]) do |text|
          report(Finding.new(source:, flags:, text:).shrunk(@narrower), answer.narrowed[at])
        end
      end
    end

    def draw_texts(source, flags, sample)
      folds = flags.include?("i") || source.include?("i")
      Array.new(TEXTS) do
        text = sample.call
        text = Folding.vary(random, text) if folds && random.rand < 0.5
        random.rand < 0.5 ? text : altered(text)
      end
    end

    def altered(text)
      case random.rand(5)
      when 0 then Alphabet.string(random, 3) + text + Alphabet.string(random, 3)
      when 1 then text + ["\n", "\r\n", "\n\n", " "].sample(random:)
      when 2 then text.chars.tap { |characters| characters.delete_at(random.rand(text.size + 1)) }.join
      when 3 then text.dup.insert(random.rand(text.size + 1), Alphabet.draw(random))
      else text.swapcase
      end
    end

    # Yields the first text that Ruby matches and the core rejects. A pattern that ran into its timeout is left alone.
    def compare(regexp, texts, alone, together)
      texts.each_with_index do |text, at|
        matches = matches?(regexp, text)
        break if matches.nil?

        possible = alone[at] == 1 && together[at] == 1
        count(matches, possible)
        break yield(text) if matches && !possible
      end
    end

    def count(matches, possible)
      @pairs += 1
      matches ? @matched += 1 : @unmatched += 1
      @rejected += 1 unless matches || possible
    end

    # An error of Ruby's has to come out, so it counts as a match.
    def matches?(regexp, text)
      regexp.match?(text)
    rescue Regexp::TimeoutError
      @timeouts += 1
      nil
    rescue RegexpError, Encoding::CompatibilityError
      true
    end

    def report(finding, translation)
      @findings << finding
      @out.puts "#{finding} is narrowed to #{translation.inspect}"
    end
  end
end
