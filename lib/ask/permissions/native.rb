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

      # A frozen object refuses what would change it.
      #
      # @param owner [Object]
      # @raise [FrozenError] when it is frozen
      def self.refuse_frozen(owner)
        raise FrozenError.new("can't modify frozen #{owner.class}: #{owner.inspect}", receiver: owner) if owner.frozen?
      end

      # The pattern, or where hostile text could keep a Regexp busy, the same with a bound.
      #
      # @param pattern [Object]
      # @param seconds [Numeric, nil]
      # @return [Object]
      def self.bounded(pattern, seconds)
        return pattern unless seconds && Regexp === pattern && pattern.instance_of?(Regexp) # rubocop:disable Style/CaseEquality -- it may lack is_a?
        if pattern.timeout || !pattern.method(:match?).owner.equal?(Regexp) || Regexp.linear_time?(pattern)
          return pattern
        end

        Regexp.new(pattern, timeout: [seconds, *Regexp.timeout].min).freeze
      rescue TypeError
        # It was allocated and never initialized, which is an error when it is asked to match.
        pattern
      end

      # The decision of rules that list something else than what they were told.
      def self.classify_by_list(owner, tool_name, args)
        owner.rules.find { |rule| rule.matches?(tool_name, args) }&.effective_decision
      end

      # The position of the rule that decides there.
      def self.deciding_index_by_list(owner, tool_name, args)
        owner.rules.index { |rule| rule.matches?(tool_name, args) }
      end
    end
    private_constant :Native
  end
end
