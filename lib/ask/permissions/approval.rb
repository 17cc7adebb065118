# frozen_string_literal: true

module Ask
  module Permissions
    class Permissions
      # What a gate has recorded for one tool call. Frozen.
      #
      # @!attribute [r] tool_call_id
      #   @return [Object]
      # @!attribute [r] tool_name
      #   @return [Symbol]
      # @!attribute [r] arguments
      #   @return [Object]
      # @!attribute [r] reason
      #   @return [String] why the call was blocked
      # @!attribute [r] status
      #   @return [Symbol] `:pending` or `:approved`
      # @!attribute [r] created_at
      #   @return [Time, Object] what the gate's clock said when the call was recorded
      # @!attribute [r] approved_at
      #   @return [Time, Object, nil] what it said when the call was approved
      # @!attribute [r] tool_call
      #   @return [Object] the call itself
      Approval = Data.define(
        :tool_call_id, :tool_name, :arguments, :reason, :status, :created_at, :approved_at, :tool_call
      ) do
        # @return [Boolean]
        def pending?
          status == :pending
        end

        # @return [Boolean]
        def approved?
          status == :approved
        end

        # @param key [String, Symbol] the name of a member
        # @return [Object] its value
        # @raise [KeyError] when there is no such member
        def [](key)
          to_h.fetch(key.to_sym)
        end
      end
    end
  end
end
