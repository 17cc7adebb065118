# frozen_string_literal: true

require "json"
require "minitest/autorun"
require "open3"
require "rbconfig"
require_relative "soundness/comparison"

# What the core's tests and `rake soundness` say of Ruby's Regexps is what this Ruby does.
class RegexpSoundnessTest < Minitest::Test
  VECTORS = JSON.parse(File.read(File.expand_path("vectors/regexps.json", __dir__)), symbolize_names: true)

  def setup
    @verbose = $VERBOSE
    $VERBOSE = nil
  end

  def teardown
    $VERBOSE = @verbose
  end

  def test_ruby_matches_what_the_vectors_say
    VECTORS.fetch(:matched).each do |vector|
      next if vector[:some_versions]

      assert_match regexp(vector), vector[:text]
    end
  end

  def test_ruby_rejects_what_the_vectors_say
    VECTORS.fetch(:rejected).each { |vector| refute_match regexp(vector), vector[:text] }
  end

  def test_a_seed_draws_the_same_patterns_and_texts
    assert_equal drawn(7), drawn(7)
    refute_equal drawn(7), drawn(8)
  end

  # In a process of its own, for it shows Ruby's engine what nobody writes: Ruby 3.4.11 corrupts its memory by it.
  DRAWN = <<~RUBY
    $VERBOSE = nil
    require "soundness/comparison"
    random = Random.new(1)
    drawn = Array.new(300) { Soundness::Pattern.new(random).draw }
    matched = drawn.count do |source, flags, texts|
      Soundness::Comparison.regexp(source, flags)&.match?(texts.call)
    rescue RegexpError # a timeout, too
      false
    end
    puts matched
  RUBY

  def test_many_drawn_patterns_match_texts_drawn_for_them
    command = ["timeout", "-s", "KILL", "60", RbConfig.ruby, "-I", __dir__, "-"]
    output, status = Open3.capture2e(*command, stdin_data: DRAWN)
    skip "Ruby #{RUBY_VERSION} itself crashes at a drawn pattern" if status.to_s.match?(/SIG|exit 134/)

    assert_operator Integer(output), :>, 90
  end

  private

  def regexp(vector)
    Soundness::Comparison.regexp(vector[:source], vector[:flags], timeout: nil)
  end

  def drawn(seed)
    random = Random.new(seed)
    Array.new(20) do
      [Soundness::Pattern, Soundness::Soup].map do |drawer|
        source, flags, texts = drawer == Soundness::Soup ? drawer.draw(random) : drawer.new(random).draw
        [source, flags, texts.call]
      end
    end
  end
end
