# frozen_string_literal: true

module Differential
  # Regular expressions of every feature, option and encoding, small enough never to run away.
  module DrawRegexps
    NAME_REGEXPS = [
      /^bash$/, /\Abash\z/, /bash/i, /^write_/, /_file\z/, /re/, /\A(?:bash|code|repl)\Z/, //, /./, /.+/m, /\bbash\b/,
      /^$/, /\A\w+\z/, /\A[[:lower:]_]+\z/, /(?!bash)./, /\A(?!bash)/, /é|ü/, /\p{Han}/, /ß/i, /ss/i, /s/i, /k/i,
      /(?i)BASH/, /[^a-z]/, /b(?<v>[aeiou])s/, /\h/, /a(?#note)s/, /(a|b)\1?s/, /\Gbash/, /b\Kash/, /\R/, /\X/,
      /\p{^L}/, /[a-z&&[^b]]/, /bash\n?\Z/, /(?<=re)bash/, /(?<!re)bash/, /b a s h/x, /(?~bash)/, /\A.{4}\z/,
      /\Acode|repl\z/o, /[\p{L}&&\p{Lu}]/, /\A(?>ba|b)sh/, /ba++sh/, /\x62ash/, /\u{62 61}/, /(?<w>\w)\k<w>/,
      /(?<p>\((?:x|\g<p>)\))/, /(b)?(?(1)ash|x)/
    ].freeze
    ATOMS = ["a", "b", "rm", "-", " ", "/", "\"", ":", "1", "é", "日", "ß", "s", "k", ".", "\\w", "\\W", "\\d", "\\D",
             "\\s", "\\S", "\\h", "\\H", "\\R", "\\X", "[a-c]", "[^a-z]", "[[:alpha:]]", "[[:space:]]", "[[:punct:]]",
             "[[:^digit:]]", "\\p{L}", "\\p{Greek}", "\\P{Lu}", "[\\w&&[^r]]", "[é-ü]", "\\x61", "\\u00e9", "\\n",
             "\\\\", "[\\\"\\\\]", "\\t", "\\0", "[a\\-]", "\\.", "\\{", "[[a-c][x-z]]", "\\u{1F980}", "\\/",
             "\\p{Alnum}", "[\\d\\s]", "\\N", "\\O"].freeze
    ANCHORS = ["^", "$", "\\A", "\\z", "\\Z", "\\b", "\\B", "\\G", "(?=a)", "(?!rm)", "(?<=a)", "(?<!\")", "\\K",
               "(?#c)"].freeze
    GROUPS = ["(?:%s)", "(%s)", "(?>%s)", "(?i:%s)", "(?m:%s)", "(?x: %s )", "(?=%s)", "(?!%s)", "(?~%s)", "(?<n>%s)",
              "(?-i:%s)", "(?a:%s)", "(?u:%s)", "(?d:%s)"].freeze
    BOUNDED = ["?", "{2}", "{1,3}", "{,2}", "??", "?+", "{0}", "{1,2}?"].freeze
    UNBOUNDED = ["*", "+", "*?", "+?", "++", "{2,}"].freeze
    OPTIONS = [0, 0, 0, Regexp::IGNORECASE, Regexp::MULTILINE, Regexp::EXTENDED, Regexp::IGNORECASE | Regexp::MULTILINE,
               Regexp::FIXEDENCODING, Regexp::NOENCODING, 7].freeze
    ENCODED = [
      Regexp.new("é".encode("ISO-8859-1")), Regexp.new("日".encode("EUC-JP")), Regexp.new("日".encode("Shift_JIS")),
      Regexp.new("\\xE9".b, Regexp::NOENCODING), Regexp.new("a".encode("Windows-1252"), Regexp::FIXEDENCODING),
      Regexp.new("rm".b), Regexp.new("é", Regexp::IGNORECASE), Regexp.new("\\xC3\\xA9".b, Regexp::NOENCODING),
      Regexp.new("é".b, Regexp::FIXEDENCODING), Regexp.new("\\p{Alpha}".encode("EUC-JP")),
      /a/n, /a/u, /rm/e, /rm/s, /é/u
    ].freeze
    TIMED = [Regexp.new("rm -rf", timeout: 60.0), Regexp.new("(a+)\\1", timeout: 60)].freeze

    def name_regexp
      return pick(NAME_REGEXPS) if chance?(70)

      chance?(20) ? pick(ENCODED) : random_regexp
    end

    def argument_regexp
      case number(0..19)
      when 0, 1 then pick(NAME_REGEXPS)
      when 2 then pick(ENCODED)
      when 3 then pick(TIMED)
      when 4 then Regexp.union(word, word)
      when 5 then Regexp.new(Regexp.escape(word), pick(OPTIONS & [0, 1, 2, 3]))
      else random_regexp
      end
    end

    # Text that is no valid expression, for the words it was made of, gives way to a plain one.
    def random_regexp
      @unbounded = 0
      source = branches(0)
      Regexp.new(source, pick(OPTIONS))
    rescue RegexpError, ArgumentError, EncodingError
      /#{Regexp.escape(source)}/
    end

    private

    def branches(depth) = list(1..(chance?(25) ? 3 : 1)) { sequence(depth) }.join("|")

    def sequence(depth)
      list(1..4) do
        case number(0..99)
        when 0..57 then quantified(pick(ATOMS), growing: true)
        when 58..69 then pick(ANCHORS)
        when 70..79 then Regexp.escape(word)
        when 80..82 then "\\1"
        else depth > 1 ? "a" : quantified(format(pick(GROUPS), branches(depth + 1)), growing: false)
        end
      end.join
    end

    # Only atoms repeat without bound, and at most two of them: no expression can run away.
    def quantified(atom, growing:)
      return atom if chance?(65)
      return "#{atom}#{pick(BOUNDED)}" if !growing || @unbounded >= 2 || chance?(40)

      @unbounded += 1
      "#{atom}#{pick(UNBOUNDED)}"
    end
  end
end
