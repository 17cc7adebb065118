# frozen_string_literal: true

require_relative "alphabet"
require_relative "character_class"
require_relative "group"

module Soundness
  # Draws patterns, each with a way to draw texts that it is likely to match.
  class Pattern
    include CharacterClass
    include Group

    # A piece of a pattern: how it is written, and a proc that draws what it may match.
    Piece = Data.define(:source, :texts) do
      def text = texts.call
    end

    FLAGS = ["", "", "", "i", "i", "i", "m", "x", "im", "ix", "mx", "imx"].freeze
    # Quantifiers and how often they repeat.
    QUANTIFIERS = [["*", 0..3], ["+", 1..3], ["?", 0..1], ["*?", 0..3], ["+?", 1..3], ["??", 0..1], ["*+", 0..3],
                   ["++", 1..3], ["?+", 0..1], ["{2}", 2..2], ["{2}?", 0..2], ["{1,3}", 1..3], ["{1,3}?", 1..3],
                   ["{2}+", 2..4], ["{1,2}+", 1..4], ["{,2}", 0..2], ["{,2}?", 0..2], ["{2,}", 2..4],
                   ["{2,}?", 2..4], ["{2,}+", 2..5], ["{0}", 0..0], ["{0,1}", 0..1], ["{3}{2}", 6..6], ["**", 0..3],
                   ["+*", 0..3], ["?{2}", 0..2], ["+?+", 1..3], ["{02}", 2..2], ["{1}", 1..1], ["{1}?", 0..1],
                   ["{12}", 12..12], ["{1,400}", 1..3], ["{40,}", 40..41]].freeze
    # Braces that begin no interval.
    BRACES = ["{", "{}", "{,}", "{a}", "{1", "{1,", "{ 1}", "{1 }", "{-1}", "{,1", "{1,2", "{1,2,3}", "}", "]"].freeze
    ANCHORS = ["^", "$", "\\A", "\\z", "\\Z", "\\b", "\\B", "\\G", "\\K", "(?=)", "(?!x)"].freeze
    # Escapes for a character, and what they match.
    CHARACTERS = { "\\t" => "\t", "\\n" => "\n", "\\r" => "\r", "\\f" => "\f", "\\v" => "\v", "\\a" => "\a",
                   "\\e" => "\e", "\\0" => "\0", "\\012" => "\n", "\\cA" => "\x01", "\\C-j" => "\n",
                   "\\c?" => "\x1f", "\\Q" => "Q", "\\E" => "E", "\\y" => "y", "\\-" => "-", "\\/" => "/",
                   "\\ " => " ", "\\é" => "é", "\\\n" => "\n", "\\k" => "k", "\\g" => "g", "\\N" => "N",
                   "\\i" => "i", "\\p" => "p", "\\ß" => "ß", "\\u{61 62}" => "ab", "\\u{73 73}" => "ss",
                   "\\u{ df }" => "ß", "\\xc3\\x9f" => "ß", "\\303\\237" => "ß", "\\x4" => "\x04",
                   "\\u{1F469 200d 1F469}" => "👩‍👩", "\\M-C\\M-)" => "é", "\\C-\\x4a" => "\n",
                   "\\c\\x4a" => "\n" }.freeze

    # Ways to write a character of ASCII by its number.
    ESCAPES = ["\\x%02x", "\\x%X", "\\u%04x", "\\u{%x}", "\\%03o"].freeze
    # References that may or may not refer to something.
    REFERENCES = ["\\1", "\\2", "\\10", "\\k<1>", "\\k<-1>", "\\g<0>?", "\\g<1>?"].freeze

    attr_reader :random

    # Small patterns are of few characters, so that their structure matters.
    def initialize(random, small: false)
      @random = random
      @small = small
      @alphabet = small ? Alphabet::FEW : Alphabet::ALL
      @groups = 0
      @names = []
    end

    # A pattern: its source, its flags, and a proc that draws texts.
    def draw
      piece = alternatives(@small ? random.rand(1..2) : random.rand(1..4))
      # What matches everything shows nothing.
      piece = joined([run, piece].shuffle(random:)) if !@small && random.rand < 0.6 && !piece.source.include?("|")
      [piece.source, FLAGS.sample(random:), piece.texts]
    end

    private

    def choose(*options) = options.sample(random:)

    def piece(source, &texts) = Piece.new(source, texts)

    def draw_text = Alphabet.draw(random, @alphabet)

    def character = draw_text.chars.sample(random:)

    def literal(source, text = source) = piece(source) { text }

    def alternatives(depth)
      branches = Array.new([1, 1, 1, 2, 3].sample(random:)) { sequence(depth) }
      piece(branches.map(&:source).join("|")) { branches.sample(random:).text }
    end

    def sequence(depth)
      size = (@small ? [1, 1, 1, 2, 2] : [0, 1, 1, 2, 2, 3, 3, 4, 5]).sample(random:)
      joined(Array.new(size) { quantified(atom(depth)) })
    end

    def joined(pieces)
      piece(pieces.map(&:source).join(gap)) { pieces.map(&:text).join }
    end

    # White space and comments, which mean nothing in extended patterns.
    def gap
      return "" if random.rand < 0.9
      return choose("(?#a)", "(?#(\\))") if random.rand < 0.05

      choose(" ", "\n", "\t", "\r", "\f", "\v", " # c[om)\n", "#\n", " #\n", "#\u0085\n ", " # \\\n", "\u2028")
    end

    def quantified(atom)
      return atom if random.rand < 0.65

      suffix, times = random.rand < 0.05 ? [BRACES.sample(random:), 1..1] : QUANTIFIERS.sample(random:)
      piece(atom.source + (random.rand < 0.05 ? choose(" ", " ", "\n", "(?#x)") : "") + suffix) do
        Array.new(random.rand(times)) { atom.text }.join
      end
    end

    def atom(depth)
      case random.rand
      when 0...0.42 then run
      when 0.42...0.50 then any
      when 0.50...0.66 then set
      when 0.66...0.74 then literal(ANCHORS.sample(random:), choose("", "", "\n", " "))
      when 0.74...0.80 then reference
      else depth.zero? ? run : group(depth - 1)
      end
    end

    def any
      choose(piece(".") { character }, piece("\\X") { draw_text },
             piece("\\R") { Alphabet::WHITE.sample(random:) }, piece("[^\n]") { character })
    end

    # Characters, written in one of many ways.
    def run
      return literal(*CHARACTERS.to_a.sample(random:)) if random.rand < 0.12
      return literal(BRACES.sample(random:)) if random.rand < 0.03

      text = Array.new(random.rand(1..3)) { draw_text }.join
      literal(text.chars.map { |character| written(character) }.join, text)
    end

    def written(character)
      code = character.ord
      return format(choose(*ESCAPES), code) if code < 0x80 && random.rand < 0.08
      return format(choose("\\u%04X", "\\u{%x}"), code) if code.between?(0x80, 0xffff) && random.rand < 0.1
      return format("\\u{%x}", code) if random.rand < 0.05

      Alphabet::SYNTAX.include?(character) && random.rand < 0.95 ? "\\#{character}" : character
    end

    def reference
      return literal(choose(*REFERENCES), "") if @groups.zero? && @names.empty?
      return literal("\\#{random.rand(1..@groups)}", "") if @names.empty?

      name = @names.sample(random:)
      literal(choose("\\k<#{name}>", "\\k'#{name}'", "\\g<#{name}>", "\\g<#{name}>?", "\\k<#{name}+0>"), "")
    end
  end
end
