# frozen_string_literal: true

module Soundness
  # A text that Ruby matches and the core rejects.
  Finding = Data.define(:source, :flags, :text)

  # How to make it smaller.
  class Finding
    SIZES = [8, 4, 3, 2, 1].freeze

    def unsound?(narrower)
      return false unless matches?

      answer = narrower.ask([[source, flags]], [text])
      answer.alone[0][0].zero? || answer.together[0][0].zero?
    end

    def matches?
      Comparison.regexp(source, flags)&.match?(text)
    rescue Regexp::TimeoutError
      false
    rescue RegexpError, Encoding::CompatibilityError
      true
    end

    # The same with as little as possible. What shows only among other patterns stays as it is.
    def shrunk(narrower)
      smaller = candidates.find { |candidate| candidate.unsound?(narrower) }
      smaller ? smaller.shrunk(narrower) : self
    end

    def to_s = "/#{source}/#{flags} matches #{text.inspect} and"

    private

    def candidates
      shorter(source).map { |source| with(source:) } + shorter(text).map { |text| with(text:) } +
        flags.each_char.map { |flag| with(flags: flags.delete(flag)) }
    end

    # All ways to leave out some characters, most first.
    def shorter(string)
      sizes = [string.size / 2, *SIZES].select { |size| size.between?(1, string.size) }
      sizes.uniq.flat_map do |size|
        (0..(string.size - size)).map { |at| string[0, at] + string[(at + size)..] }
      end
    end
  end
end
