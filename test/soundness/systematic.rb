# frozen_string_literal: true

require_relative "character_class"
require_relative "folding"
require_relative "splices"

module Soundness
  # What can be asked exhaustively: case foldings, named sets, small patterns.
  module Systematic
    GROUPS = 12
    ASCII = (0..0x7f).map(&:chr).freeze
    BEYOND = %W[\u0080 \u0085 \u00a0 ß ſ K é É İ ı ﬁ ٣ 中 🙂 \u2028 ª].freeze

    module_function

    # Yields patterns, each as source and flags, and texts to match all of them with.
    def batches(&)
      foldings(&)
      named_sets(&)
      Splices.patterns.each_slice(100) { |patterns| yield patterns, Splices::TEXTS }
      Splices.classes.each_slice(100) { |patterns| yield patterns, Splices::CHARACTERS }
    end

    # Everything that folds to the same matches everything else that does.
    def foldings
      groups = Folding.alike.select { |fold, characters| characters.size > 1 || characters.first != fold }
      groups.each_slice(GROUPS) do |slice|
        texts = slice.flat_map { |fold, characters| [fold, fold.upcase, *characters] }.uniq
        sources = texts.map { |text| Regexp.escape(text) }
        classes = texts.select { |text| text.size == 1 }.map { |text| "[#{text}]" }
        yield (sources + classes).map { |source| ["\\A#{source}\\z", "i"] }, texts
      end
    end

    def named_sets
      names = CharacterClass::PROPERTIES.flat_map { |name| ["\\p{#{name}}", "\\P{#{name}}", "[^\\p{#{name}}]"] }
      names += CharacterClass::POSIX.flat_map { |name| ["[[:#{name}:]]", "[[:^#{name}:]]", "[^[:#{name}:]]"] }
      names += CharacterClass::SHORT.flat_map { |name| [name, "(?u)#{name}", "(?a)#{name}", "[#{name}]", "[^#{name}]"] }
      names += [".", "\\R", "\\X"]
      names.each_slice(100) do |slice|
        yield slice.flat_map { |source| ["", "i", "m"].map { |flags| ["\\A#{source}\\z", flags] } }, ASCII + BEYOND
      end
    end
  end
end
