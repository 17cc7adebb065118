# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/child"

# The script that walks through the documentation prints what was recorded from the original library.
class ReadmeScriptTest < Minitest::Test
  SCRIPT = File.join(__dir__, "readme_script.rb")
  RECORDED = File.join(__dir__, "readme_script.out")

  def test_the_script_prints_what_the_original_prints
    result = Child.ruby("-w", SCRIPT)
    assert_predicate result, :success?, result.to_s
    assert_empty result.stderr
    assert_equal File.read(RECORDED, encoding: "UTF-8"), result.stdout
  end
end
