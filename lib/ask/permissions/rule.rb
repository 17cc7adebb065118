# frozen_string_literal: true

require "json"
require_relative "tool_pattern"

module Ask
  module Permissions
    class PermissionRules
      # One declared rule. It can be asked by itself, too.
      #
      # @!attribute [r] decision
      #   @return [Symbol] `:allow`, `:ask` or `:deny`, as declared
      # @!attribute [r] declared_decision
      #   @return [Symbol] the same
      # @!attribute [r] effective_decision
      #   @return [Symbol] what {PermissionRules#classify} answers when the rule decides
      # @!attribute [r] tool_pattern
      #   @return [String, Symbol, Regexp, #to_s] the object that was declared
      # @!attribute [r] argument_pattern
      #   @return [String, Symbol, Regexp, #to_s, nil] the object that was declared
      # @!attribute [r] dangerous
      #   @return [Boolean] whether it is an unrestricted allow of a dangerous tool
      Rule = Data.define(
        :decision, :declared_decision, :effective_decision, :tool_pattern, :argument_pattern, :dangerous
      ) do
        # @return [Boolean] whether it is an unrestricted allow of a dangerous tool
        def dangerous?
          dangerous
        end

        # @return [Boolean] whether it matches any arguments
        def universal?
          argument_pattern.nil?
        end

        # @param tool_name [String, Symbol, #to_s]
        # @return [Boolean] whether the rule is about this tool
        def tool_matches?(tool_name)
          ToolPattern.match?(tool_pattern, tool_name)
        end

        # @param args [Hash, String, #to_s, nil]
        # @return [Boolean] whether the rule is about these arguments
        # @raise [JSON::GeneratorError, EncodingError, StandardError] whatever making or matching
        #   the text of the arguments raises
        def argument_matches?(args)
          return true if argument_pattern.nil?

          text = serialize(args)
          return argument_pattern.match?(text) if Regexp === argument_pattern # rubocop:disable Style/CaseEquality -- as in ToolPattern

          text.include?(argument_pattern.to_s)
        end

        # @param tool_name [String, Symbol, #to_s]
        # @param args [Hash, String, #to_s, nil]
        # @return [Boolean] whether the rule matches the call
        # @raise (see #argument_matches?)
        def matches?(tool_name, args = nil)
          tool_matches?(tool_name) && argument_matches?(args)
        end

        private

        def serialize(args)
          args.is_a?(Hash) ? JSON.generate(args) : args.to_s
        end
      end
    end
  end
end
