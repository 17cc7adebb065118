# frozen_string_literal: true

require_relative "test_helper"
require_relative "vectors/player"

# What the reference answered to the recorded questions, the library under test answers too.
class VectorsTest < Minitest::Test
  (Vectors::PLAYS.keys - ["api"]).each do |name|
    recorded = Vectors.read(name)
    recorded.fetch("cases").each_with_index do |expected, index|
      define_method("test_#{name}_#{index + 1}_#{expected["about"]}") do
        answers = Vectors.play(name, recorded.merge("cases" => [expected]))

        assert_equal expected, answers.fetch("cases").first
      end
    end
  end

  def test_the_dangerous_tools_are_recorded
    assert_equal Vectors.read("dangerous").fetch("dangerous_tools"),
                 Vectors.play("dangerous").fetch("dangerous_tools")
  end

  recorded_api = Vectors.read("api")
  played_api = Vectors.play("api", recorded_api)

  define_method(:test_api_is_loaded) do
    assert_equal recorded_api.fetch("loaded"), played_api.fetch("loaded")
  end

  recorded_api.fetch("classes").each do |name, expected|
    actual = played_api.fetch("classes").fetch(name)

    # Methods may be added. What is recorded stays as it is, private methods included, for subclasses call and
    # override them.
    define_method("test_api_of_#{name}") do
      expected.except("private").each do |aspect, recorded|
        found = actual.fetch(aspect)

        assert_equal recorded, recorded.is_a?(Hash) ? found.slice(*recorded.keys) : found
      end
    end

    define_method("test_private_methods_of_#{name}") do
      assert_empty expected.fetch("private") - actual.fetch("private")
    end
  end

  recorded_api.fetch("mistakes").zip(played_api.fetch("mistakes")).each_with_index do |(expected, actual), index|
    define_method("test_mistake_#{index + 1}_#{expected["on"]}_#{expected["call"].first}") do
      assert_equal expected, actual
    end
  end
end
