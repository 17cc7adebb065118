# frozen_string_literal: true

require_relative "test_helper"

# One version, wherever it is written.
class VersionTest < Minitest::Test
  VERSION = Ask::Permissions::VERSION

  def setup
    library = $LOADED_FEATURES.grep(%r{/lib/ask-permissions\.rb\z}).first
    @root = File.expand_path("../..", library)
    skip "the library under test has no crate" unless File.file?(File.join(@root, "Cargo.toml"))
  end

  def read(name)
    File.read(File.join(@root, name), encoding: Encoding::UTF_8)
  end

  def test_the_crates_have_the_gems_version
    assert_equal VERSION, read("Cargo.toml")[/^\[workspace\.package\]\nversion = "(.+)"$/, 1]
    %w[ask-permissions-core ask_permissions].each do |crate|
      assert_equal VERSION, read("Cargo.lock")[/^name = "#{crate}"\nversion = "(.+)"$/, 1]
    end
  end

  def test_the_changelog_begins_with_it
    assert_equal VERSION, read("CHANGELOG.md")[/^## \[(.+)\] - (?:Unreleased|\d{4}-\d{2}-\d{2})$/, 1]
  end
end
