# frozen_string_literal: true

module Soundness
  # The characters that patterns and texts are made of: a few plain ones, so that they meet, and many awkward ones.
  module Alphabet
    PLAIN = [*"a".."f", "s", "t", "k", "i", "A", "S", "K", "0", "1", "9", "_", " ", "-", "/", ".", ","].freeze
    # What has a meaning in patterns.
    SYNTAX = ["\\", "[", "]", "(", ")", "{", "}", "|", "?", "*", "+", "^", "$", "#", "&", ":", "<", ">", "'", "=",
              "!", "~", "\""].freeze
    WHITE = ["\n", "\r\n", "\r", "\t", "\f", "\v", "\u0085", "\u00a0", "\u2028", "\u2029", "\u3000", "\n\n"].freeze
    # Case folding in all its forms: to other letters, to several, from several, only one way, title case, new pairs.
    FOLDING = %w[ß ẞ ss SS ſ ſs K k Å å İ ı i̇ I ﬀ ﬁ ﬂ ﬃ ﬄ ﬅ ﬆ ff fi fl ffi ffl st é É σ ς Σ ΐ ΐ ΐ ᾳ ᾼ αι ὰι ᾲ Ω ω µ μ
                 ǆ ǅ Ǆ ŉ ʼn ǰ ǰ ẖ ẖ ẗ ẘ ẙ ẚ aʾ և եւ ﬓ մն Ꭰ ꭰ ა Ა д Д ᲁ ẛ ṡ 𐐀 𐐨 ᾈ ἀι ﬕ ᾷ ᾶι ͅ ι Ͱ ͱ ϐ β Ⅷ ⅷ ⓐ Ⓐ].freeze
    OTHER = ["\u0000", "\u0007", "\u001b", "\u007f", "\u0080", "٣", "３", "৪", "日本", "한", "🙂", "👩‍👩‍👧", "🇩🇪",
             "\u200d", "\u0301", "\u0308", "\u0307", "\ufeff", "\u{10ffff}", "\ue000", "½", "²", "«", "—", "\u0378",
             "\u{1fffe}", "ª", "中"].freeze
    # So few that patterns and texts meet often, whatever their structure.
    FEW = [%w[a b A B s S k é ß ſ #], ["a", "b", "A", "B", " ", "\n", "1", "é"]].freeze
    ALL = [PLAIN, PLAIN, PLAIN, SYNTAX, WHITE, FOLDING, FOLDING, OTHER].freeze

    module_function

    def draw(random, from = ALL) = from.sample(random:).sample(random:)

    def string(random, most) = Array.new(random.rand(0..most)) { draw(random) }.join
  end
end
