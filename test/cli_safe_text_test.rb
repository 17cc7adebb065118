# frozen_string_literal: true

require_relative "test_helper"
require "ask/permissions/cli"

class CLISafeTextTest < Minitest::Test
  SafeText = Ask::Permissions::CLI::SafeText
  DisplayWidth = Ask::Permissions::CLI::DisplayWidth

  def escape(text, unicode: true)
    SafeText.new(unicode:).escape(text)
  end

  def test_ordinary_text_of_any_script_stays
    ["", "rm -rf / | cat > x", "é à ü ß", "日本語 ひらがな カナ 한국어", "עברית العربية", "नमस्ते", "\u{1f600}",
     "e\u0301"].each do |text|
      assert_equal text, escape(text)
    end
  end

  def test_controls
    (0..0x1f).chain(0x7f..0x9f).each do |code|
      short = { 9 => "\\t", 10 => "\\n", 13 => "\\r" }.fetch(code) { format("\\u{%x}", code) }

      assert_equal "a#{short}b", escape("a#{[code].pack("U")}b")
    end
  end

  def test_what_reverses_hides_or_passes_for_a_space
    bidirectional = [0x61c, 0x200e, 0x200f, *0x202a..0x202e, *0x2066..0x2069]
    invisible = [0xad, 0x34f, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9,
                 0xe0001, 0xe0041, 0xe0100]
    spaces = [0xa0, 0x1680, 0x2000, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]
    other = [0xe000, 0xffff, 0x10ffff, 0x378]
    [*bidirectional, *invisible, *spaces, *other].each do |code|
      assert_equal format("a\\u{%x}b", code), escape("a#{[code].pack("U")}b")
    end
  end

  def test_marks_are_fine_on_a_letter_but_not_without_end
    mark = "\u0301"

    assert_equal "a#{mark * 3}", escape("a#{mark * 3}")
    assert_equal "a#{mark * 3}#{'\u{301}' * 7}b", escape("a#{mark * 10}b")
    assert_equal '\u{301}a', escape("#{mark}a")
  end

  def test_bytes_that_are_no_character
    assert_equal 'a\xFFb\xC3', escape("a\xFFb\xC3")
    assert_equal 'a\xE9', escape("a\xE9".b)
    assert_equal "é", escape("é".b)
  end

  def test_other_encodings
    assert_equal "é", escape("\xE9".dup.force_encoding(Encoding::ISO_8859_1))
    assert_equal "日本", escape("日本".encode(Encoding::EUC_JP))
    assert_equal "a", escape("a".encode(Encoding::UTF_16LE))
    assert_equal '\xFFa', escape("\xFFa".dup.force_encoding(Encoding::US_ASCII))
  end

  def test_where_the_terminal_knows_ascii_only
    assert_equal 'caf\u{e9} \u{1f600}\n', escape("café \u{1f600}\n", unicode: false)
    assert_equal '{"a":"\u00e9\ud83d\ude00"}', SafeText.new(unicode: false).escape_json('{"a":"é😀"}')
  end

  def test_the_argument_is_not_changed
    text = "a\xFF\e".dup
    escape(text)

    assert_equal ["a\xFF\e", Encoding::UTF_8], [text, text.encoding]
    assert_equal '\xFF', escape("\xFF".b.freeze)
  end

  def test_json_keeps_its_value
    value = { "k\u202e" => ["\u{e0041}\u200b\u00a0", "日本 é", "\u007f\u009b"] }
    escaped = SafeText.new(unicode: true).escape_json(JSON.generate(value))

    assert_equal value, JSON.parse(escaped)
    assert_includes escaped, '\udb40\udc41\u200b\u00a0'
    assert_includes escaped, "日本 é"
  end

  def test_width
    { 0 => [""], 1 => ["a", "é", "e\u0301", "…", "→", "ｶ"], 2 => ["日", "한", "カ", "Ａ", "〈", "\u{1f600}", "\u{20000}"],
      3 => %w[abc a日], 4 => %w[日本 한글 カナ ＡＢ 〈〉] }.each do |width, texts|
      texts.each { |text| assert_equal width, DisplayWidth.of(text), text }
    end
    assert_equal 2, DisplayWidth.of("\u{1f1e9}\u{1f1ea}"), "the two halves of a flag"
  end

  def test_cutting
    assert_equal "abc", DisplayWidth.cut("abc", 3, "…")
    assert_equal "ab…", DisplayWidth.cut("abcd", 3, "…")
    assert_equal "a...", DisplayWidth.cut("abcde", 4, "...")
    assert_equal "日…", DisplayWidth.cut("日本語", 4, "…")
    assert_equal "日本…", DisplayWidth.cut("日本語", 5, "…")
    assert_equal "e\u0301…", DisplayWidth.cut("e\u0301abc", 2, "…")
    assert_equal "日 ", DisplayWidth.pad("日", 3)
    assert_equal "日本", DisplayWidth.pad("日本", 3)
  end
end
