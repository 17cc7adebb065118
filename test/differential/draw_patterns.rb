# frozen_string_literal: true

module Differential
  # Patterns of rules, for tool names and for arguments.
  module DrawPatterns
    TOOL_WEIGHTS = { name: 54, symbol: 10, all: 4, regexp: 18, encoded: 4, odd: 8, near: 2 }.freeze
    FRAGMENTS = ["{\"", "\":", "\"command\":", "\"path\":\"/", ":1", "null", "1.0", "1e+20", "1e20", "\\n", "\\\"",
                 "\\u0000", "\\u2028", "[", "]}", "{}", "\\\\", "e", "=>", "nil", "rm", "é\"", ",",
                 "100000000000000000000.0"].freeze
    ODD_TEXTS = [false, true, 1, 1.0, :"rm -rf", :"", [], ["rm -rf"], { "a" => 1 }, 12, String, Float::NAN].freeze

    def tool_pattern
      case weighted(TOOL_WEIGHTS)
      when :name then plain_name
      when :symbol then pick(SYMBOLS_FOR_PATTERNS)
      when :all then :all
      when :regexp then name_regexp
      when :encoded then text(pick(DrawNames::ENCODED))
      when :near then pick([false, true, "all", "All", :ALL, nil, [], [:all], { bash: 1 }, 1.0])
      else odd_pattern
      end
    end

    SYMBOLS_FOR_PATTERNS = (DrawNames::SYMBOLS - [:all]).freeze

    # An odd name whose text does not change: a pattern's text is taken when it is declared.
    def odd_pattern
      name = common_name
      case number(0..11)
      when 0 then nil
      when 1 then pick(DrawNames::NUMBERS)
      when 2 then chance?(40) ? raising : name
      when 3 then Odd::NotText.new(pick([5, nil, :bash, ["bash"]]))
      when 4 then chance?(20) ? Odd::Agreeable.new(name) : Odd::Implicit.new(name)
      when 5 then Odd::LoudString.new(name)
      when 6 then Odd::PlainString.new(name)
      when 7 then SimpleDelegator.new(name)
      when 8 then chance?(20) ? BasicObject.new : String
      when 9 then Odd::StubbornRegexp.new(name)
      when 10 then SimpleDelegator.new(/bash/)
      else Odd::Witness.new(name)
      end
    end

    def argument_pattern
      case number(0..99)
      when 0..39 then dense? && chance?(93) ? text(word) : nil
      when 40..64 then text(chance?(60) ? word : pick(FRAGMENTS))
      when 65..88 then argument_regexp
      when 89..91 then text(pick(DrawArguments::ENCODED))
      when 92..95 then pick(ODD_TEXTS)
      else odd_argument_pattern
      end
    end

    def odd_argument_pattern
      case number(0..6)
      when 0 then chance?(50) ? raising : "rm"
      when 1 then Odd::NotText.new(pick([5, nil, :rm]))
      when 2 then Odd::Implicit.new("rm")
      when 3 then Odd::LoudString.new("rm")
      when 4 then Odd::StubbornRegexp.new("rm")
      when 5 then Odd::PlainString.new("rm -rf")
      else chance?(20) ? BasicObject.new : Odd::Witness.new(word)
      end
    end
  end
end
