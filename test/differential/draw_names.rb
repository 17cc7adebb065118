# frozen_string_literal: true

module Differential
  # Tool names and ids, ordinary and odd.
  module DrawNames
    COMMON = %w[bash code repl read_file write_file delete_user search fetch write edit destroy].freeze
    UNCOMMON = ["", " ", "all", "nil", "false", "true", "1", "1.5", "Bash", "BASH", "bash2", "rebash", "bash\n",
                "a.b*c", "ünï", "日本語", "ß", "ss", "\u017Fearch", "\u212A", "mcp__fs__read", "bash\u0000", "🔧",
                "[:bash]"].freeze
    ENCODED = [
      "bash".encode("UTF-16LE"), "bash".b, "ünï".b, "ünï".encode("ISO-8859-1"), "ünï".encode("Windows-1252"),
      "日本語".encode("EUC-JP"), "日本語".encode("Shift_JIS"), "bash".dup.force_encoding("US-ASCII"), "\xFF".b,
      "\xFF", "ba\xC3", "\xE9".dup.force_encoding("US-ASCII"), "bash".encode("UTF-32BE"), "bash".encode("UTF-16"),
      "bash".dup.force_encoding("UTF-7"), "日本語".encode("UTF-16BE"), "\x82".dup.force_encoding("Shift_JIS"),
      "bash".encode("ISO-8859-1"), "\xED\xA0\x80", "bash".dup.force_encoding("EUC-JP")
    ].each(&:freeze).freeze
    SYMBOLS = [:bash, :code, :all, :"", :ünï, :"a b", :Bash, :nil, :"1", "ünï".encode("ISO-8859-1").to_sym,
               "bash".encode("UTF-16LE").to_sym, "日本語".encode("EUC-JP").to_sym, :read_file].freeze
    NUMBERS = [1, 0, -1, 1.5, 1.0, 10**25, 1r, Float::NAN, Float::INFINITY, -0.0].freeze
    NAME_WEIGHTS = { common: 60, uncommon: 16, symbol: 8, encoded: 7, odd: 9 }.freeze
    ODD_NAMES = %i[nothing truth number witness raising not_text agreeable implicit loud plain class array delegate
                   basic].freeze

    def plain_name = text(chance?(80) ? common_name : pick(UNCOMMON))

    def tool_name
      case weighted(NAME_WEIGHTS)
      when :common then text(common_name)
      when :uncommon then text(pick(UNCOMMON))
      when :symbol then pick(SYMBOLS)
      when :encoded then text(pick(ENCODED))
      else odd_name
      end
    end

    def odd_name
      case pick(ODD_NAMES)
      when :nothing then nil
      when :truth then chance?(50)
      when :number then pick(NUMBERS)
      when :array then chance?(50) ? [] : [pick(COMMON), [nil]]
      when :basic then BasicObject.new
      else named_object
      end
    end

    def named_object
      name = common_name
      case pick(ODD_NAMES)
      when :witness, :nothing, :truth then witness(name)
      when :raising, :array then raising
      when :not_text, :basic then Odd::NotText.new(pick([5, nil, :bash, ["bash"], name.to_sym]))
      when :agreeable then Odd::Agreeable.new(name)
      when :implicit, :number then Odd::Implicit.new(name)
      when :loud then Odd::LoudString.new(name)
      when :plain then Odd::PlainString.new(name)
      when :class then pick([String, Odd::Failure, Comparable])
      when :delegate then SimpleDelegator.new(name)
      end
    end

    # Ids of tool calls: any object at all.
    def call_id
      weighted(string: 50, number: 20, nothing: 8, odd: 10, mixed: 12).then do |kind|
        case kind
        when :string then text(pick(%w[tc-1 tc-2 tc-3 tc-4 1]))
        when :number then pick([1, 2, 3, 1.0, 2.0, 10**25])
        when :nothing then nil
        when :odd then odd_id
        else pick([:"tc-1", [1], [1, ["tc-1"]], { "id" => 1 }, true, false, "", "\xFF", "tc-1".b,
                   "tc-1".encode("UTF-16LE")])
        end
      end
    end

    def odd_id
      case number(0..7)
      when 0 then Odd::Agreeable.new("1")
      when 1 then Odd::Unhashable.new
      when 2 then Odd::Implicit.new([1, 2])
      when 3 then Odd::PlainString.new("tc-1")
      when 4 then BasicObject.new
      when 5 then raising
      when 6 then Odd::NotText.new(7)
      else Odd::Point.new("tc-1", 1)
      end
    end
  end
end
