# frozen_string_literal: true

require_relative "alphabet"

module Soundness
  # Other ways to write a text that are the same without regard to case.
  module Folding
    module_function

    # All characters by what they fold to.
    def alike
      @alike ||= characters.group_by { |character| character.downcase(:fold) }
    end

    def longest = @longest ||= alike.keys.map(&:size).max

    # A text that folds to the same, with `share` of its places rewritten.
    def vary(random, text, share = 0.5)
      varied = +""
      rest = text.downcase(:fold)
      rest = text if random.rand < 0.3
      until rest.empty?
        size = random.rand < share ? random.rand(1..longest) : 1
        part = rest.slice!(0, size)
        others = alike[part.downcase(:fold)]
        varied << (others && random.rand < 0.7 ? others.sample(random:) : part)
      end
      varied
    end

    def characters
      (0..0x10ffff).reject { |code| (0xd800..0xdfff).cover?(code) }.map { |code| [code].pack("U") }
    end
  end
end
