# frozen_string_literal: true

module Differential
  # Arguments of tool calls: what models send, and all else that a Hash or an object can be.
  module DrawArguments
    WORDS = ["rm -rf /", "rm -rf", "sudo", "ls -la", "/etc/passwd", "/docs/a.md", "a", "ab", "aab", "path", "", " ",
             "é", "É", "日本", "ß", "ss", "SS", "\u017F", "\u2028", "\u2029", "\n", "\t", "\"", "\\", "\\n",
             "</script>", "🦀", "\u0000", "\u007F", "\u001F", "e\u0301", "null", "true", "12", "1.0", "1e20", "-0.0",
             "a\r\nb", "{\"a\":1}", "٣", "ǅ", "İ", "_", "foo.bar", "a-b", "AB12", "xx--xx", "\u00A0", "(x)"].freeze
    KEYS = ["command", "path", "content", "a", "", "é", "k\"q", "日本", "n\n", "\u2028"].freeze
    ODD_KEYS = [:command, :path, nil, 1, 1.5, true, :é, "\xFF", "é".b, "é".encode("UTF-16LE"), "é".encode("ISO-8859-1"),
                10**25, [1], Float::NAN].freeze
    ENCODED = ["\xFF", "ab\xC3", "\xFF\xFE".b, "é".b, "é".encode("ISO-8859-1"), "rm -rf".encode("UTF-16LE"),
               "日本".encode("EUC-JP"), "日本".encode("Shift_JIS"), "rm -rf".b, "rm -rf".dup.force_encoding("US-ASCII"),
               "\xE9".dup.force_encoding("US-ASCII"), "a".dup.force_encoding("UTF-7"), "a".encode("UTF-16"),
               "\xED\xA0\x80", "é".encode("UTF-32LE"), "\x81".dup.force_encoding("Windows-1252")].each(&:freeze).freeze
    NUMBERS = [0, 1, -1, 12, 2**62, 2**64, -(2**70), 1.0, 1.5, -0.0, 1e20, 1e15, 1e16, 1.0e-5, 123_456_789.123, 5e-324,
               1.7976931348623157e308, 0.1, 100.0, 12_345_678_901_234_567_890].freeze
    HARSH = [Float::NAN, Float::INFINITY, -Float::INFINITY, 1r, 1i, 2..3, :symbol, :é, Odd::Point.new("rm -rf", 1),
             Odd::Pair.new("rm -rf", "/"), String, Comparable, Set["rm -rf"], Time.at(0).utc].freeze
    ARGUMENT_WEIGHTS = { tree: 50, json: 16, nothing: 5, text: 9, encoded: 5, plain: 7, object: 5, extreme: 3 }.freeze

    def arguments
      case weighted(ARGUMENT_WEIGHTS)
      when :tree then tree
      when :json then json_text
      when :nothing then nil
      when :text then text(phrase)
      when :encoded then text(pick(ENCODED))
      when :plain then if chance?(50)
                         pick(NUMBERS)
                       else
                         pick([true, false, :"rm -rf", :é, [], [1, "rm -rf", nil],
                               Float::NAN])
                       end
      when :object then argument_object
      else extreme
      end
    end

    def phrase = list(0..5) { word }.join(chance?(50) ? " " : "")

    # The raw text that a model sends, sometimes broken off.
    def json_text
      body = list(0..3) { "#{pick(KEYS).dump}: #{phrase.dump}" }.join(", ")
      text("{#{body}#{"}" unless chance?(8)}")
    end

    def tree(depth = 0)
      pairs = list(0..(depth.zero? ? 4 : 3)) { [tree_key, tree_value(depth + 1)] }
      return Odd::WritingHash[pairs] if chance?(1)

      hash = pairs.to_h
      hash.default = "rm -rf" if chance?(3)
      hash.compare_by_identity if chance?(1) && hash.empty?
      hash.freeze if chance?(20)
      hash
    end

    def tree_key
      case number(0..99)
      when 0..84 then text(pick(KEYS))
      when 85..96 then pick(ODD_KEYS)
      else chance?(80) ? witness(word) : raising
      end
    end

    def tree_value(depth)
      case number(0..99)
      when 0..44 then text(chance?(60) ? word : phrase)
      when 45..59 then pick(NUMBERS)
      when 60..67 then pick([nil, true, false])
      when 68..77 then depth > 3 ? [] : list(0..3) { tree_value(depth + 1) }
      when 78..87 then depth > 3 ? {} : tree(depth)
      when 88..91 then text(pick(ENCODED))
      when 92..95 then pick(HARSH)
      else argument_object
      end
    end

    def argument_object
      case number(0..10)
      when 0 then raising
      when 1 then Odd::NotText.new(pick([5, nil, :"rm -rf", "rm -rf"]))
      when 2 then Odd::LoudString.new("rm -rf")
      when 3 then Odd::PlainString.new(phrase)
      when 4 then Odd::Implicit.new(word)
      when 5 then Odd::WritingHash["a", 1]
      when 6 then SimpleDelegator.new({ "command" => "rm -rf" })
      when 7 then Odd::Point.new(word, nil)
      when 8 then chance?(30) ? BasicObject.new : Odd::Pair.new(word, 1)
      else witness(phrase)
      end
    end

    # What a serializer must refuse or survive: depth, cycles, size.
    def extreme
      case number(0..5)
      when 0 then nested(number(98..102)) { |inner| { "a" => inner } }
      when 1 then { "a" => nested(number(97..101)) { |inner| [inner] } }
      when 2 then {}.tap { |hash| hash["a"] = hash }
      when 3 then [].tap { |array| array << array }
      when 4 then { "command" => [].tap { |array| array << array } }
      else { "content" => phrase * number(1..40), "path" => "x" * number(0..3000) }
      end
    end

    def nested(depth)
      inner = 1
      depth.times { inner = yield(inner) }
      inner
    end
  end
end
