# frozen_string_literal: true

module Ask
  module Permissions
    # The version of the gem.
    # @return [String]
    VERSION = "0.1.0"
  end
end
