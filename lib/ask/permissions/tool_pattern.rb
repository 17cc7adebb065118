# frozen_string_literal: true

module Ask
  module Permissions
    # How a pattern of a rule is compared with the name of a tool.
    module ToolPattern
      module_function

      # Whether the pattern matches the tool's name.
      #
      # @example
      #   Ask::Permissions::ToolPattern.match?(/\Awrite_/, "write_file") # => true
      #   Ask::Permissions::ToolPattern.match?(:bash, "bash")            # => true
      #   Ask::Permissions::ToolPattern.match?("all", "bash")            # => false
      #
      # @param pattern [String, Symbol, Regexp, #to_s] `:all` matches every tool, a Regexp the names
      #   it matches, anything else the name that is its `to_s`
      # @param tool_name [String, Symbol, #to_s]
      # @return [Boolean]
      def match?(pattern, tool_name)
        name = tool_name.to_s
        return true if :all.equal?(pattern)
        return pattern.match?(name) if Regexp === pattern # rubocop:disable Style/CaseEquality -- a pattern may lack is_a?

        pattern.to_s == name
      end
    end
  end
end
