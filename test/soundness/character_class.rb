# frozen_string_literal: true

require_relative "alphabet"

module Soundness
  # Draws character classes and named sets.
  module CharacterClass
    SHORT = %w[\\d \\D \\w \\W \\s \\S \\h \\H].freeze
    POSIX = %w[alnum alpha blank cntrl digit graph lower print punct space upper xdigit word ascii].freeze
    PROPERTIES = %w[Alnum Alpha Blank Cntrl Digit Graph Lower Print Punct Space Upper XDigit Word ASCII Any Assigned
                    L Lu Ll Lt Lm Lo M Mn N Nd Nl No P Pc Pd Ps Po S Sm Sc Sk So Z Zs C Cc Cf Cn Co Letter
                    Uppercase_Letter Lowercase_Letter Titlecase_Letter Number Decimal_Number Punctuation Symbol
                    Separator Other Mark Alphabetic Uppercase Lowercase White_Space Hex_Digit Latin Common Greek
                    Cyrillic Han Hiragana Katakana Hangul Arabic Hebrew Thai Devanagari Armenian Georgian Emoji
                    ID_Start XID_Continue Age=6.0 In_Basic_Latin al_pha].freeze
    # What is written in classes in more than one sense.
    ODD = ["-", "^", "&", "]", "a-", "-a", "a-c-e", "&&", "&&&", "a-[b]", "[a]-z", "\\b", "\\R", "\\X", "\\cA",
           "\\1", "\\8", "\\101", "[:", ":]", "[:foo]", "#", " ", "(", ")", "|", "$", "\\]", "\\u{61 62}",
           "\\u{61 63}-e", "a-\\u{63 65}", "--", "+--", "\\xc3\\xa9", "\\x00-\\x1f", "\\M-C\\M-)", "\\k", "\\Q",
           "--a", "^-", "\n", "ß", "ſ", "K"].freeze

    private

    def set
      case random.rand
      when 0...0.25 then piece(SHORT.sample(random:)) { character }
      when 0.25...0.35 then piece(property) { character }
      else bracketed(2)
      end
    end

    def property
      name = PROPERTIES.sample(random:)
      choose("\\p{#{name}}", "\\p{^#{name}}", "\\P{#{name}}", "\\p{ #{name.downcase} }", "\\p{#{name.upcase}}")
    end

    def bracketed(depth)
      opening = random.rand < 0.1 ? choose("[]", "[^]") : choose("[", "[", "[^")
      members = Array.new(random.rand(1..4)) { member(depth) }
      joined = members.map { |member| (random.rand < 0.1 ? "&&" : "") + member.source }
      negated = opening.include?("^")
      piece("#{opening}#{joined.join}]") do
        negated && random.rand < 0.7 ? character : members.sample(random:).text
      end
    end

    def member(depth)
      case random.rand
      when 0...0.35 then single
      when 0.35...0.55 then range
      when 0.55...0.65 then piece(SHORT.sample(random:)) { character }
      when 0.65...0.75 then piece("[:#{choose("", "^")}#{POSIX.sample(random:)}:]") { character }
      when 0.75...0.80 then piece(property) { character }
      when 0.80...0.90 then piece(ODD.sample(random:)) { choose("-", "a", "b", "&", "]", "^", "é", "ß", "SS", "s") }
      else depth.zero? ? single : bracketed(depth - 1)
      end
    end

    def single
      drawn = character
      piece(class_written(drawn)) { drawn }
    end

    def range
      first, last = [character, character].sort
      piece("#{class_written(first)}-#{class_written(last)}") do
        code = random.rand(first.ord..last.ord)
        (0xd800..0xdfff).cover?(code) ? first : [code].pack("U")
      end
    end

    def class_written(character)
      return format(choose("\\x%02x", "\\u%04x", "\\u{%x}"), character.ord) if character.ord < 0x80 && random.rand < 0.1
      return format("\\u{%x}", character.ord) if random.rand < 0.1

      "[]^-&\\:".include?(character) && random.rand < 0.9 ? "\\#{character}" : character
    end
  end
end
