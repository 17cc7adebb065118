# frozen_string_literal: true

require "rbconfig"

# Knows which library is under test. The pure-Ruby original lacks what was repaired on purpose, and some of
# its defects are endless loops, so a test of a repair is skipped there instead of being run.
module Reference
  EXTENSION = "ask_permissions/ask_permissions.#{RbConfig::CONFIG["DLEXT"]}".freeze

  def self.native?
    $LOADED_FEATURES.any? { |feature| feature.end_with?(EXTENSION) }
  end

  # For tests.
  module Assertions
    def repaired!
      skip("repaired in the native library only") unless Reference.native?
    end
  end
end

Minitest::Test.include(Reference::Assertions)
