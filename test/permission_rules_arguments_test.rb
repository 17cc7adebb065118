# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"
require_relative "support/reference"
require "delegate"

# How arguments become text, when they do, and which errors come out of it.
class PermissionRulesArgumentsTest < Minitest::Test
  include Doubles

  Rules = Ask::Permissions::PermissionRules

  # Counts how often it is turned into text.
  class Counted
    attr_reader :texts

    def initialize(text)
      @text = text
      @texts = 0
    end

    def to_s
      @texts += 1
      @text
    end

    def to_json(*)
      to_s
    end
  end

  def setup
    @rules = Rules.new
  end

  # Patterns of every class

  def test_a_pattern_that_is_no_regexp_is_a_substring_by_its_text
    {
      :rm => "arm", 12 => "3125", 1.5 => "21.55", false => "a false b", true => "true", [1] => "[1]"
    }.each do |pattern, text|
      rules = Rules.new.deny("t", pattern)
      assert_equal :deny, rules.classify("t", text), pattern.inspect
      assert_nil rules.classify("t", "other"), pattern.inspect
    end
  end

  def test_an_empty_pattern_is_in_every_text
    @rules.deny("t", "")
    [nil, {}, "", "x", 1].each { |arguments| assert_equal :deny, @rules.classify("t", arguments) }
  end

  def test_a_pattern_with_its_own_text_is_honoured
    @rules.deny("t", Counted.new("secret"))
    assert_equal :deny, @rules.classify("t", "a secret here")
    assert_nil @rules.classify("t", "nothing")
  end

  def test_a_regexp_keeps_rubys_meaning
    @rules.deny("t", /\Arm$/).ask("t", /b.c/m).allow("t", /(?<!no )STOP/i)
    assert_equal :deny, @rules.classify("t", "rm\nx")
    assert_equal :ask, @rules.classify("t", "b\nc")
    assert_equal :allow, @rules.classify("t", "now stop")
    assert_nil @rules.classify("t", "no stop")
  end

  def test_a_back_reference_matches
    @rules.deny("t", /(.)\1\1/)
    assert_equal :deny, @rules.classify("t", "aaa")
    assert_nil @rules.classify("t", "aab")
  end

  def test_the_special_variables_of_the_caller_are_left_alone
    @rules.deny("t", /(x)/)
    "abc" =~ /b/
    @rules.classify("t", "x")
    assert_equal "b", Regexp.last_match(0)
  end

  # What is turned into text

  def test_a_hash_is_json_as_the_json_library_writes_it
    arguments = { "a" => 1, b: [nil, true, 1.5, "q\"\\\n\u2028\u00e9/"], 3 => { nil => :sym } }
    @rules.deny("t", JSON.generate(arguments))
    assert_equal :deny, @rules.classify("t", arguments)
  end

  def test_every_other_class_is_its_own_text
    time = Time.at(0)
    {
      nil => "", "raw" => "raw", :sym => "sym", [1, "a"] => '[1, "a"]', 12 => "12", time => time.to_s,
      Set[1] => Set[1].to_s, Struct.new(:a).new(1) => "#<struct a=1>", (1..3) => "1..3"
    }.each do |arguments, text|
      rules = Rules.new.deny("t", /\A#{Regexp.escape(text)}\z/)
      assert_equal :deny, rules.classify("t", arguments), arguments.inspect
    end
  end

  def test_left_out_arguments_are_empty_text
    @rules.deny("t", /\A\z/)
    assert_equal :deny, @rules.classify("t")
    assert_nil @rules.classify("t", {})
  end

  def test_a_subclass_of_hash_is_json_too
    arguments = Class.new(Hash)[{ "a" => 1 }]
    @rules.deny("t", JSON.generate(arguments))
    assert_equal :deny, @rules.classify("t", arguments)
  end

  def test_a_hash_with_its_own_json_is_written_as_the_json_library_does
    arguments = Class.new(Hash) { def to_json(*) = '{"masked":true}' }[{ "key" => "secret" }]
    @rules.deny("t", "secret").allow("t", "masked")
    expected = JSON.generate(arguments).include?("masked") ? :allow : :deny
    assert_equal expected, @rules.classify("t", arguments)
  end

  def test_a_value_with_its_own_json_is_honoured
    @rules.deny("t", '{"a":hidden}')
    assert_equal :deny, @rules.classify("t", { "a" => Counted.new("hidden") })
  end

  def test_a_key_with_its_own_text_is_honoured
    @rules.deny("t", '{"k":1}')
    assert_equal :deny, @rules.classify("t", { Counted.new("k") => 1 })
  end

  def test_a_string_with_its_own_text_is_honoured
    masked = Class.new(String) { def to_s = "masked" }.new("secret")
    @rules.deny("t", "secret").allow("t", "masked")
    assert_equal :allow, @rules.classify("t", masked)
  end

  def test_a_subclass_of_string_is_searched_as_a_plain_string
    eager = Class.new(String) { def include?(_other) = true }.new("text")
    @rules.deny("t", "other").ask("t", "text")
    assert_equal :ask, @rules.classify("t", eager)
  end

  def test_an_object_that_answers_to_hash_is_not_one
    arguments = SimpleDelegator.new({ "a" => 1 })
    @rules.deny("t", arguments.to_s)
    assert_equal :deny, @rules.classify("t", arguments)
  end

  def test_an_object_that_says_it_is_a_hash_is_taken_at_its_word
    arguments = witness([], is_a?: ->(klass) { klass == Hash }, to_s: "as text", to_json: "as json")
    @rules.deny("t", JSON.generate(arguments)).allow("t", "as text")
    assert_equal :deny, @rules.classify("t", arguments)
  end

  # When

  def test_arguments_stay_untouched_when_no_matching_rule_asks_for_them
    arguments = Counted.new("x")
    @rules.allow("early").deny("early", "x").deny("other", "x")
    assert_equal :allow, @rules.classify("early", arguments)
    assert_nil @rules.classify("unknown", arguments)
    assert_equal 0, arguments.texts
  end

  def test_arguments_are_written_as_soon_as_a_matching_rule_asks
    arguments = Counted.new("x")
    @rules.deny("t", "y").allow("t")
    assert_equal :allow, @rules.classify("t", arguments)
    assert_operator arguments.texts, :>=, 1
  end

  def test_arguments_are_written_once_a_decision
    repaired!
    arguments = Counted.new("x")
    10.times { |number| @rules.deny("t", "no #{number}").ask("t", /no #{number}/) }
    assert_nil @rules.classify("t", arguments)
    assert_equal 1, arguments.texts
  end

  def test_each_decision_writes_the_arguments_anew
    arguments = { "a" => +"one" }
    @rules.deny("t", "two")
    assert_nil @rules.classify("t", arguments)
    arguments["a"] << " two"
    assert_equal :deny, @rules.classify("t", arguments)
  end

  # Errors

  def test_what_json_cannot_write_comes_out_with_its_error
    cycle = {}
    cycle["self"] = cycle
    deep = 101.times.inject(0) { |inner, _| { "a" => inner } }
    [
      { "n" => Float::NAN }, { "n" => -Float::INFINITY }, { "s" => "\xFF" }, { "\xFF" => 1 }, deep, cycle
    ].each do |arguments|
      rules = Rules.new.deny("t", "x")
      assert_same_fault(-> { JSON.generate(arguments) }) { rules.classify("t", arguments) }
    end
  end

  def test_a_hundred_levels_are_written
    deep = 100.times.inject(0) { |inner, _| { "a" => inner } }
    @rules.deny("t", '{"a":0}')
    assert_equal :deny, @rules.classify("t", deep)
  end

  def test_what_cannot_be_written_does_no_harm_where_nobody_asks
    bad = { "n" => Float::NAN }
    @rules.allow("t").deny("t", "x").deny("u", "x")
    assert_equal :allow, @rules.classify("t", bad)
    assert_nil @rules.classify("v", bad)
    assert_raises(JSON::GeneratorError) { @rules.classify("u", bad) }
  end

  def test_an_earlier_match_on_arguments_needs_them_written
    bad = { "n" => Float::NAN }
    @rules.deny("t", "").allow("t")
    assert_raises(JSON::GeneratorError) { @rules.classify("t", bad) }
  end

  def test_a_raising_text_comes_out_unchanged
    error = IOError.new("no text")
    arguments = Object.new
    arguments.define_singleton_method(:to_s) { raise error }
    arguments.define_singleton_method(:to_json) { |*| raise error }
    @rules.deny("t", "x")
    assert_same error, assert_raises(IOError) { @rules.classify("t", arguments) }
    assert_same error, assert_raises(IOError) { @rules.classify("t", { "a" => arguments }) }
  end

  def test_text_that_is_no_string_fails_as_ruby_says
    @rules.deny("t", "x")
    assert_same_fault(-> { Counted.new(:sym).to_s.include?("x") }) { @rules.classify("t", Counted.new(:sym)) }
  end

  def test_encodings_that_do_not_fit_raise_as_strings_do
    [
      ["\u00e9", "\xFF".b], ["x".encode("UTF-16LE"), "\u00e9"], ["\u00e9", "\u00e9".encode("ISO-8859-1")]
    ].each do |needle, text|
      rules = Rules.new.deny("t", needle)
      assert_same_fault(-> { text.include?(needle) }) { rules.classify("t", text) }
    end
  end

  def test_encodings_that_fit_are_compared_by_bytes
    @rules.deny("t", "x").ask("t", "\xFF".b)
    assert_equal :deny, @rules.classify("t", "a\xFFx".b)
    assert_equal :ask, @rules.classify("t", "a\xFF".b)
    assert_nil @rules.classify("t", "abc")
  end

  def test_a_substring_starts_at_a_character
    @rules.deny("t", "\xA9")
    text = "\u00e9"
    assert_equal text.include?("\xA9"), @rules.deny?("t", text)
  end

  def test_a_regexp_against_broken_text_raises_as_ruby_does
    @rules.deny("t", /x/)
    assert_same_fault(-> { /x/.match?("\xFF") }) { @rules.classify("t", "\xFF") }
  end

  def test_a_regexp_of_another_encoding_raises_as_ruby_does
    pattern = Regexp.new("\u00e9")
    @rules.deny("t", pattern)
    text = "\u00e9".encode("ISO-8859-1")
    assert_same_fault(-> { pattern.match?(text) }) { @rules.classify("t", text) }
  end

  def test_a_regexp_against_a_broken_tool_name_raises_as_ruby_does
    @rules.deny(/x/)
    assert_same_fault(-> { /x/.match?("\xFF") }) { @rules.classify("\xFF") }
  end

  def test_an_error_stops_the_search_even_if_a_later_rule_would_match
    @rules.deny("t", /x/).allow("t")
    assert_raises(ArgumentError) { @rules.classify("t", "\xFF") }
  end

  def test_an_earlier_match_keeps_a_later_error_away
    @rules.allow("t", "ok").deny("t", /x/)
    assert_equal :allow, @rules.classify("t", "ok\xFF")
  end
end
