# frozen_string_literal: true

require_relative "native"
require_relative "approval"
require_relative "approval_table"

module Ask
  module Permissions
    # A gate that blocks a fixed set of tools until each call of one is approved by its id.
    #
    # @example
    #   gate = Ask::Permissions::Permissions.new
    #   gate.before_tool_call(tool_call) # => {action: :block, reason: "bash requires approval"}
    #   gate.approve(tool_call.id)       # => true
    #   gate.before_tool_call(tool_call) # => {action: :proceed}
    class Permissions
      # The tools that change things.
      # @return [Array<Symbol>] frozen
      DEFAULT_TOOLS = Native.change_tools.freeze

      # What each mode blocks.
      # @return [Hash{Symbol => Hash{Symbol => Array<Symbol>}}] frozen, with the key `:blocked_tools` in each
      ACCESS_MODES = Native.access_modes.transform_values do |names|
        { blocked_tools: names == DEFAULT_TOOLS ? DEFAULT_TOOLS : names.freeze }.freeze
      end.freeze

      # The same as {DEFAULT_TOOLS}.
      DEFAULT_BLOCKED_TOOLS = DEFAULT_TOOLS

      # What each mode blocks, without the level between.
      # @return [Hash{Symbol => Array<Symbol>}] frozen
      MODE_BLOCKED_TOOLS = ACCESS_MODES.transform_values { |mode| mode[:blocked_tools] }.freeze

      # What a record that counts means for its call, as the core has it.
      VERDICTS = Native.verdicts.freeze
      private_constant :VERDICTS

      # @return [Symbol, nil]
      attr_reader :mode

      # @return [Array<Symbol>] the gate's own Array: changing it changes what is blocked
      attr_reader :blocked_tools

      # @return [Numeric, nil] in the unit of the clock's differences: seconds with `Time`
      attr_reader :timeout

      # @param mode [Symbol, nil] a key of {ACCESS_MODES}; then `blocked_tools` is ignored
      # @param blocked_tools [Array<String, Symbol>, nil] instead of {DEFAULT_TOOLS}
      # @param timeout [Numeric, nil] how long a record counts, approved or not; nil for ever
      # @param clock [#call, nil] `Time.now` without one
      # @raise [ArgumentError] when there is no such mode
      def initialize(mode: nil, blocked_tools: nil, timeout: nil, clock: nil)
        @mode = mode
        @blocked_tools =
          if mode then mode_tools(mode)
          elsif blocked_tools then Array(blocked_tools).map { |name| name.to_s.to_sym }.uniq
          else
            DEFAULT_TOOLS.dup
          end
        @timeout = timeout
        @clock = clock || -> { Time.now }
        @approvals = ApprovalTable.new
      end

      # Decides on a tool call, and records the first of each id that is blocked.
      #
      # @param tool_call [#name, #id, #arguments]
      # @param _context [Object] not used
      # @return [Hash{Symbol => Object}] `{action: :proceed}` or `{action: :block, reason: String}`
      # @raise [StandardError] whatever the clock or the tool call raises
      def before_tool_call(tool_call, _context = nil)
        name = tool_call.name.to_s.to_sym
        return { action: :proceed } unless (blocked_tools || Native.uninitialized!(self)).include?(name)

        id = tool_call.id
        until (decision = existing_decision(id))
          entry = record_pending(tool_call, name)
          # Where another thread has just recorded the same id, that record counts.
          next unless @approvals.replace(id = tool_call.id, nil, entry)

          warn_approval(tool_call)
          return { action: :block, reason: entry.reason }
        end
        decision
      end

      # Approves the call of this id, for good or until the record times out.
      #
      # @param tool_call_id [Object]
      # @return [Boolean] whether there is a record of this id
      # @raise [StandardError] whatever the clock raises
      def approve(tool_call_id)
        approvals = @approvals || Native.uninitialized!(self)
        return false unless approvals[tool_call_id]

        approved_at = @clock.call
        while (entry = approvals[tool_call_id])
          return true if approvals.replace(tool_call_id, entry, entry.with(status: :approved, approved_at:))
        end
        false
      end

      # @return [Array<Approval>] the records that are not approved, oldest first, expired ones included
      def pending_approvals
        (@approvals || Native.uninitialized!(self)).pending
      end

      private

      def approved?(tool_call)
        existing_decision(tool_call.id)&.dig(:action) == :proceed
      end

      def mode_tools(mode)
        config = ACCESS_MODES.fetch(mode) do
          raise ArgumentError, "Unknown access mode: #{mode.inspect}. Valid: #{ACCESS_MODES.keys.join(", ")}"
        end
        config[:blocked_tools].dup
      end

      def reason_for(tool_name)
        mode.nil? ? "#{tool_name} requires approval" : "#{tool_name} requires approval (mode: #{mode})"
      end

      def expired?(entry)
        return false if timeout.nil?

        (@clock.call - entry.created_at) > timeout
      end

      # What follows from the record of this id; nil when there is none that counts. The clock may use
      # the gate, so a record that expired is removed only if it is still the same.
      def existing_decision(id)
        while (entry = @approvals[id])
          unless expired?(entry)
            return VERDICTS[entry.status] == :proceed ? { action: :proceed } : { action: :block, reason: entry.reason }
          end

          @approvals.replace(id, entry, nil)
        end
      end

      def record_pending(tool_call, name)
        Approval.new(
          tool_call_id: tool_call.id, tool_name: name, arguments: tool_call.arguments,
          reason: reason_for(name), status: :pending,
          created_at: @clock.call, approved_at: nil, tool_call:
        )
      end

      def warn_approval(tool_call)
        warn "[Permissions] Tool '#{tool_call.name}' requires approval. Call approve('#{tool_call.id}') to allow."
      end

      def initialize_copy(_source)
        raise TypeError, "can't copy #{self.class}: two gates cannot share their approvals"
      end
    end
  end
end
