# frozen_string_literal: true

require "json"
require "ask_permissions/ask_permissions"

module Ask
  module Permissions
    # What the compiled core offers to the public classes. Each of them owns one handle of it.
    module Native
      # What an object without its handle answers to every call.
      #
      # @param owner [Object] an object that was allocated, but whose `initialize` has not run
      # @raise [Error] always
      def self.uninitialized!(owner)
        raise Error, "#{owner.class} is not initialized: its initialize has not been called (is `super` missing?)"
      end
    end
    private_constant :Native
  end
end
