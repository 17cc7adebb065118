# frozen_string_literal: true

module Ask
  module Permissions
    class ApprovalQueue
      # One submission and what became of it. Frozen; a change of status makes a new one.
      #
      # @!attribute [r] id
      #   @return [Integer] 1, 2, 3… in order of submission
      # @!attribute [r] tool_call_id
      #   @return [Object] as submitted
      # @!attribute [r] tool_name
      #   @return [String]
      # @!attribute [r] args
      #   @return [Object] as submitted; an empty Hash for nil
      # @!attribute [r] auto_approvable
      #   @return [Boolean] whether it may be approved without a person
      # @!attribute [r] status
      #   @return [Symbol] `:pending`, `:applying` while a callback runs, then `:approved` or `:rejected`
      # @!attribute [r] submitted_at
      #   @return [Time, Object] what the queue's clock said
      # @!attribute [r] message
      #   @return [Object, nil] as submitted
      Action = Data.define(
        :id, :tool_call_id, :tool_name, :args, :auto_approvable, :status, :submitted_at, :message
      ) do
        # @return [Boolean]
        def auto_approvable?
          auto_approvable ? true : false
        end

        # @return [Boolean] whether it waits for a decision
        def pending?
          status == :pending
        end

        # @return [Boolean] whether its callback is running
        def applying?
          status == :applying
        end

        # @return [Boolean]
        def approved?
          status == :approved
        end

        # @return [Boolean]
        def rejected?
          status == :rejected
        end
      end
    end
  end
end
