# frozen_string_literal: true

require_relative "character_class"

module Soundness
  # Small patterns into which something is put at every place, and classes of classes: where tokens, comments, options
  # and letters that fold meet others.
  module Splices
    BASES = ["a{1,2}", "ab|c", "(a)\\12", "ss", "a#b", "[a-b]s", "(?<n>s)\\k<n>", "\\p{Alpha}b", "(?:a|b)c",
             "\\x4a1", "a+b", "(?i:s)s|B", "\\Ass\\z", "\\Aa.\\z", "(?:s)(?:s)", "fi", "ß#", "a b", "(?x:a )#",
             "(?(1)a|b)(c)?"].freeze
    PIECES = ["#\n", " #\n", "(?#)", "(?i)", "(?x)", "(?-x)", "(?x: )", "(?:(?x))", "(?-i)", "\n", " ", "[]#]",
              "[^]#]", "[[^\\D]]", "[s&&\\S]", "{1}", "{2}", "{0}", "?", "+", "|", "s", "\\b", "(?<=s)",
              "(?<!K)", "(?<=st)", "(?=s)", "\\1", "\\163", "(?:)", "\\xC3\\x9F", "\\u{73 73}", "(", ")"].freeze
    FLAGS = ["", "i", "x", "ix"].freeze
    TEXTS = ["", "a", "b", "c", "ab", "aa", "ac", "aC", "B", "s", "S", "ss", "sS", "ß", "ẞ", "ſs", "aß", "ßß",
             "ßs", "sß", "sss", "as", "bs", "aas", "é", "aé", "és", "#", "a#b", "a#", "ß#", "1", "a1", "aa12",
             "J1", "\n", "a\n", "a b", "ﬁ", "fi", "FI", "#s", "s#", "]", "k", "K", "a\né", "ac\n", "bc", "abc",
             "ABC", "a{1,2}", "ſ", "a b#", "ssß"].freeze
    MEMBERS = [*CharacterClass::SHORT, "[:alpha:]", "[:^alpha:]", "[:upper:]", "\\p{L}", "\\P{Lu}", "a", "é",
               "a-z", "s", "ß"].freeze
    SHAPES = ["[%s]", "[^%s]", "[[^%s]]", "[^[^%s]]", "[%s%s]", "[^%s%s]", "[%s&&%s]", "[^%s&&%s]", "[%s[^%s]]",
              "[^%s[^%s]]", "[[^%s]&&%s]", "[[^%s]&&[^%s]]", "[[^%s%s]]", "[[%s&&%s]]", "[[^%s&&%s]]",
              "[%s&&[^%s]]", "[[^%s]s&&%s]"].freeze
    CHARACTERS = ["a", "A", "s", "S", "k", "K", "ſ", "ß", "ẞ", "SS", "é", "É", "1", "٣", "_", " ", "\n",
                  "\u0085", "-", "中", "🙂"].freeze

    module_function

    def patterns
      BASES.product(PIECES).flat_map do |base, piece|
        (0..base.size).flat_map { |at| FLAGS.map { |flags| [base.dup.insert(at, piece), flags] } }
      end
    end

    def classes
      SHAPES.flat_map do |shape|
        count = shape.scan("%s").size
        [*MEMBERS].repeated_permutation(count).flat_map do |members|
          ["", "i"].map { |flags| ["\\A#{format(shape, *members)}\\z", flags] }
        end
      end
    end
  end
end
