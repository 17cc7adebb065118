# frozen_string_literal: true

require_relative "native"

module Ask
  module Permissions
    # The hook for an agent's tool calls: asks the rules, then whether the tool needs an approval,
    # and puts what waits for a person into a queue.
    #
    # A policy without rules, `require_approval` and tools lets every call proceed.
    #
    # @example
    #   policy = Ask::Permissions::ApprovalPolicy.new(queue: queue, rules: rules, require_approval: ["bash", /^write_/])
    #   policy.before_tool_call(tool_call)
    #   # => {action: :proceed}
    #   # or {action: :block, reason: "Denied by permission rules: 'delete_user'"}
    #   # or {action: :pending, action_id: 1, reason: "Tool 'bash' requires approval"}
    class ApprovalPolicy
      # The order in which the layers count, as the core has it. Keyed by what a layer answers, compared
      # by identity, as it may answer anything; what is not in the table is no opinion.
      STEP_AFTER_RULES = Native.steps_after_rules.compare_by_identity.freeze
      STEP_AFTER_REQUIRE_APPROVAL = Native.steps_after_require_approval.freeze
      private_constant :STEP_AFTER_RULES, :STEP_AFTER_REQUIRE_APPROVAL

      # @return [ApprovalQueue, #submit]
      attr_reader :queue

      # @return [nil, Symbol, String, Regexp, Array]
      attr_reader :require_approval

      # @return [PermissionRules, #classify, nil]
      attr_reader :rules

      # @return [Hash, Array, #[], nil]
      attr_reader :tools

      # @param queue [ApprovalQueue, #submit] answers `submit` with five keywords, and `[]`
      # @param require_approval [nil, Symbol, String, Regexp, Array] `:all`, names, or an Array of them
      # @param rules [PermissionRules, #classify, nil]
      # @param tools [Hash, Array, #[], nil] tools by name, or an Array of what answers `name`; a tool
      #   may answer `approval_required?` and `auto_approvable?`
      def initialize(queue:, require_approval: nil, rules: nil, tools: nil)
        @queue = queue
        @require_approval = require_approval
        @rules = rules
        @tools = tools
      end

      # Decides on a tool call.
      #
      # @param tool_call [#name, #arguments, #id] `id` is asked for only when the call is queued
      # @param _context [Object] not used
      # @return [Hash{Symbol => Object}] `{action: :proceed}`, `{action: :block, reason: String}` or
      #   `{action: :pending, action_id: Integer, reason: String}`
      # @raise [StandardError] whatever the rules, the tools or the queue raise
      def before_tool_call(tool_call, _context = nil)
        Native.uninitialized!(self) unless defined?(@queue) || queue
        name = tool_call.name.to_s
        arguments = tool_call.arguments
        decision = rules&.classify(name, arguments)
        step = STEP_AFTER_RULES[decision] if decision
        step ||= STEP_AFTER_REQUIRE_APPROVAL[approval_required?(name)]

        case step
        when :proceed then { action: :proceed }
        when :block then { action: :block, reason: "Denied by permission rules: '#{name}'" }
        else enqueue(tool_call, auto_approvable: step == :enqueue_as_the_tool_says && auto_approvable?(name))
        end
      end

      # @param action_id [Integer] as in a pending result
      # @return [ApprovalQueue::Action, nil] the queue's action
      def lookup(action_id)
        Native.uninitialized!(self) unless defined?(@queue) || queue
        queue[action_id]
      end

      private

      def approval_required?(name)
        return true if matches_require_approval?(require_approval, name)

        tool = find_tool(name)
        return false unless tool

        !!(tool.respond_to?(:approval_required?) && tool.approval_required?)
      end

      def auto_approvable?(name)
        tool = find_tool(name)
        return false unless tool

        !!(tool.respond_to?(:auto_approvable?) && tool.auto_approvable?)
      end

      def matches_require_approval?(criterion, name)
        case criterion
        when nil then false
        when Array then criterion.any? { |entry| matches_require_approval?(entry, name) }
        when Regexp then criterion.match?(name)
        when :all then true
        else criterion.to_s == name
        end
      end

      def find_tool(name)
        registry = tools
        case registry
        when nil then nil
        when Hash then registry[name] || registry[name.to_sym]
        when Array then registry.find { |tool| tool.respond_to?(:name) && tool.name.to_s == name }
        else registry[name] if registry.respond_to?(:[])
        end
      end

      def enqueue(tool_call, auto_approvable:)
        name = tool_call.name.to_s
        reason = "Tool '#{name}' requires approval"
        message = "Calling \"#{name}\" requires approval"
        action_id = queue.submit(
          tool_name: name, args: tool_call.arguments, tool_call_id: tool_call.id, auto_approvable:, message:
        )
        { action: :pending, action_id:, reason: }
      end
    end
  end
end
