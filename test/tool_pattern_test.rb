# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# The comparison of one declared pattern with one tool name.
class ToolPatternTest < Minitest::Test
  include Doubles

  ToolPattern = Ask::Permissions::ToolPattern

  def match?(...)
    ToolPattern.match?(...)
  end

  def test_it_is_a_module_with_one_function
    assert_instance_of Module, ToolPattern
    assert_respond_to ToolPattern, :match?
  end

  def test_an_including_object_has_it_privately
    including = Object.new.extend(ToolPattern)
    refute_respond_to including, :match?
    assert_same true, including.send(:match?, "a", "a")
  end

  def test_names_match_exactly
    assert_same true, match?("bash", "bash")
    assert_same true, match?(:bash, "bash")
    assert_same true, match?("bash", :bash)
    assert_same false, match?("bash", "Bash")
    assert_same false, match?("bash", "bash ")
    assert_same false, match?("ba", "bash")
  end

  def test_only_the_symbol_all_is_a_wildcard
    ["bash", :x, nil, "", 1].each { |name| assert_same true, match?(:all, name) }
    assert_same false, match?("all", "bash")
    assert_same true, match?("all", :all)
  end

  def test_a_regexp_is_searched_in_the_name
    assert_same true, match?(/as/, "bash")
    assert_same true, match?(/^BASH$/i, :bash)
    assert_same false, match?(/\Aas/, "bash")
    assert_same true, match?(//, nil)
  end

  def test_everything_else_is_compared_by_its_text
    assert_same true, match?(nil, "")
    assert_same true, match?(nil, nil)
    assert_same true, match?(12, "12")
    assert_same true, match?("12", 12)
    assert_same true, match?(String, "String")
    assert_same false, match?(["bash"], "bash")
  end

  def test_the_wildcard_does_not_look_at_the_name_beyond_its_text
    log = []
    assert_same true, match?(:all, witness(log, to_s: "x"))
    assert_equal [:to_s], log
  end

  def test_a_regexp_with_its_own_matching_is_asked
    own = Class.new(Regexp) { def match?(name) = name == "special" }.new("never")
    assert_same true, match?(own, "special")
    assert_same false, match?(own, "never")
  end

  def test_errors_of_the_match_come_out
    assert_same_fault(-> { /x/.match?("\xFF") }) { match?(/x/, "\xFF") }
  end

  def test_encodings_that_cannot_be_compared_are_unequal
    assert_same false, match?("\u00e9", "\u00e9".b)
    assert_same false, match?("bash", "bash".encode("UTF-16LE"))
    assert_same true, match?("bash", "bash".b)
  end

  def test_argument_errors_are_rubys_own
    assert_equal "wrong number of arguments (given 1, expected 2)",
                 assert_raises(ArgumentError) { match?("a") }.message
    assert_equal "wrong number of arguments (given 3, expected 2)",
                 assert_raises(ArgumentError) { match?("a", "b", "c") }.message
  end
end
