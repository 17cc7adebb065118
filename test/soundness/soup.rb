# frozen_string_literal: true

require_relative "alphabet"

module Soundness
  # Patterns of tokens thrown together. Ruby refuses most; the rest shows where tokens begin and end.
  module Soup
    TOKENS = ["(", "(", ")", ")", "|", "(?:", "(?i)", "(?i:", "(?x)", "(?x:", "(?-x:", "(?m)", "(?u)", "(?a:",
              "(?=", "(?!", "(?<=", "(?>", "(?<n>", "(?'n'", "(?~", "(?#", "(?#)", "(?(1)", "\\k<n>", "\\1", "\\2",
              "\\g<n>", "*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "{", "}", "{,}", "^", "$", "\\A", "\\z",
              "\\Z", "\\b", "\\B", "\\G", "\\K", ".", "\\R", "\\X", "\\w", "\\W", "\\d", "\\s", "\\S", "\\h",
              "\\p{Alpha}", "\\P{Alpha}", "\\p{^L}", "\\p", "[", "[", "[^", "]", "]", "[]", "[^]", "-", "-", "&&",
              "&", "[:alpha:]", "[:^digit:]", "[:", ":]", ":", "\\[", "\\]", "\\-", "\\&", "#", " ", "\n", "#c\n",
              "\\ ", "\\\n", "\\#", "\\\\", "\\x73", "\\u0073", "\\u{73}", "\\u{73 73}", "\\163", "\\ca", "a", "b",
              "c", "s", "s", "S", "f", "i", "ß", "ſ", "é", "É", "1", "0", "_"].freeze
    CLASS = ["[", "[^", "]", "]", "-", "-", "&&", "&", "^", "a", "b", "c", "z", "s", "S", "1", "9", "ß", "é",
             "[:alpha:]", "[:^alpha:]", "[:foo:]", "[:", ":]", "\\d", "\\W", "\\s", "\\p{L}", "\\P{Lu}", "\\]",
             "\\-", "\\[", "\\^", "\\b", "\\n", "\\x61", "\\u{61 63}", "\\101", "#", " ", "(", ")", "|"].freeze
    TEXTS = ["a", "b", "c", "s", "S", "ss", "ß", "ſ", "é", "É", "1", "_", "-", "&", "^", "[", "]", ":", "#", " ",
             "\n", "{", "}", "f", "i", "ﬁ", "{2}", "p", "z", "(", ")", "|", "\\", "ẞ"].freeze

    module_function

    def draw(random)
      source = random.rand < 0.6 ? tokens(random, TOKENS, 1..9) : in_brackets(random)
      [source, ["", "i", "x", "ix", "m"].sample(random:), -> { tokens(random, TEXTS, 0..5) }]
    end

    def in_brackets(random)
      source = "[#{tokens(random, CLASS, 1..7)}]"
      random.rand < 0.5 ? "\\A#{source}\\z" : source + tokens(random, TOKENS, 0..2)
    end

    def tokens(random, from, sizes) = Array.new(random.rand(sizes)) { from.sample(random:) }.join
  end
end
