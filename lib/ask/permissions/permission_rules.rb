# frozen_string_literal: true

require_relative "native"
require_relative "rule"

module Ask
  module Permissions
    # Ordered rules over tool names and arguments. The first rule that matches a call decides.
    #
    # @example
    #   rules = Ask::Permissions::PermissionRules.new do
    #     allow "read_file"
    #     ask   "bash", "rm -rf"
    #     deny  "delete_user"
    #   end
    #   rules.classify("bash", {"command" => "sudo rm -rf /tmp"}) # => :ask
    #   rules.classify("unknown")                                 # => nil
    class PermissionRules
      # Tools that run whatever they are given. An allow of one of them that does not restrict the
      # arguments asks instead.
      # @return [Array<Symbol>] frozen
      DANGEROUS_TOOLS = Native.dangerous_tools.freeze

      # How long a Regexp that cannot promise to take linear time may look at one text, in seconds.
      # @return [Float]
      DEFAULT_REGEXP_TIMEOUT = 1.0

      # @param auto_allow_dangerous [Boolean] whether an unrestricted allow of a dangerous tool
      #   is taken at its word
      # @param regexp_timeout [Numeric, nil] in seconds: the bound for a Regexp that cannot promise to
      #   take linear time (`Regexp.linear_time?`) and has no timeout of its own; nil for none. An
      #   application's `Regexp.timeout`, set before the rule is declared, counts where it is shorter.
      # @yield evaluated with the rules as self, and given them as its argument
      # @yieldparam rules [PermissionRules]
      def initialize(auto_allow_dangerous: false, regexp_timeout: DEFAULT_REGEXP_TIMEOUT, &block)
        @auto_allow_dangerous = auto_allow_dangerous ? true : false
        @native_regexp_timeout = regexp_timeout
        @rules = []
        @native_patterns = []
        @native_rules = Native::RuleSet.new
        instance_eval(&block) if block
      end

      # Lets matching calls proceed.
      #
      # @param tool_pattern [String, Symbol, Regexp, #to_s] an exact name, a Regexp over names, or
      #   `:all` for every tool
      # @param argument_pattern [String, Symbol, Regexp, #to_s, nil] a substring of, or a Regexp
      #   over the text of the arguments; nil matches any arguments
      # @return [self]
      # @raise [FrozenError] when the rules are frozen
      def allow(tool_pattern, argument_pattern = nil)
        register(:allow, tool_pattern, argument_pattern)
      end

      # Lets a person decide on matching calls.
      #
      # @param (see #allow)
      # @return [self]
      # @raise (see #allow)
      def ask(tool_pattern, argument_pattern = nil)
        register(:ask, tool_pattern, argument_pattern)
      end

      # Blocks matching calls.
      #
      # @param (see #allow)
      # @return [self]
      # @raise (see #allow)
      def deny(tool_pattern, argument_pattern = nil)
        register(:deny, tool_pattern, argument_pattern)
      end

      # @return [Array<Rule>] all rules in order of declaration; a new Array at each call
      def rules
        (@rules || Native.uninitialized!(self)).dup
      end

      # @return [Array<Rule>] the dangerous ones in order of declaration; a new Array at each call
      def dangerous_rules
        (@rules || Native.uninitialized!(self)).select(&:dangerous)
      end

      # The decision of the first rule that matches the call.
      #
      # The text of the arguments is made only when a rule about this tool looks at it: a Hash
      # becomes `JSON.generate` of it, anything else its `to_s`.
      #
      # @param tool_name [String, Symbol, #to_s]
      # @param args [Hash, String, #to_s, nil]
      # @return [Symbol, nil] `:allow`, `:ask`, `:deny`, or nil when no rule matches
      # @raise [Regexp::TimeoutError] when a Regexp reaches its bound, so that it is not known what
      #   the rules say
      # @raise [JSON::GeneratorError, JSON::NestingError, EncodingError, StandardError] whatever
      #   making or matching the text raises
      def classify(tool_name, args = nil)
        (@native_rules || Native.uninitialized!(self)).classify(self, @rules, @native_patterns, tool_name, args)
      end

      # @param (see #classify)
      # @return [Boolean] whether the call is classified as `:allow`
      def allow?(tool_name, args = nil)
        classify(tool_name, args) == :allow
      end

      # @param (see #classify)
      # @return [Boolean] whether the call is classified as `:ask`
      def ask?(tool_name, args = nil)
        classify(tool_name, args) == :ask
      end

      # @param (see #classify)
      # @return [Boolean] whether the call is classified as `:deny`
      def deny?(tool_name, args = nil)
        classify(tool_name, args) == :deny
      end

      # Refuses further rules from now on. Frozen rules whose patterns are frozen can be shared
      # between Ractors.
      #
      # @return [self]
      def freeze
        [@rules, @native_patterns, @native_rules].each(&:freeze)
        super
      end

      private

      # The position in {#rules} of the rule that decides, nil when none does.
      def deciding_index(tool_name, args = nil)
        native = @native_rules || Native.uninitialized!(self)
        native.deciding_index(self, @rules, @native_patterns, tool_name, args)
      end

      def register(decision, tool_pattern, argument_pattern)
        native = @native_rules || Native.uninitialized!(self)
        Native.refuse_frozen(self)
        dangerous = dangerous_allow?(decision, tool_pattern, argument_pattern)
        rule = Rule.new(
          decision:, declared_decision: decision,
          effective_decision: Native.effective_decision(decision, dangerous, @auto_allow_dangerous),
          tool_pattern:, argument_pattern:, dangerous:
        )
        captured = [tool_pattern, argument_pattern].map { |pattern| Native.bounded(pattern, @native_regexp_timeout) }
        native.declare(@rules, @native_patterns, rule, *captured)
        self
      end

      def dangerous_allow?(decision, tool_pattern, argument_pattern)
        decision == :allow && argument_pattern.nil? && dangerous_tool?(tool_pattern)
      end

      def dangerous_tool?(tool_pattern)
        return true if tool_pattern == :all
        return DANGEROUS_TOOLS.include?(tool_pattern.to_s.to_sym) unless tool_pattern.is_a?(Regexp)

        DANGEROUS_TOOLS.any? { |tool| tool_pattern.match?(tool.name) }
      end

      # A copy has rules of its own; only those it was declared with are the same.
      def initialize_copy(source)
        super
        native = @native_rules || Native.uninitialized!(self)
        @rules, @native_patterns, @native_rules = native.copy(@rules, @native_patterns)
      end

      def initialize_clone(source, freeze: nil)
        super
        return unless freeze || (freeze.nil? && source.frozen?)

        [@rules, @native_patterns, @native_rules].each(&:freeze)
      end

      # What may give a class of rules another `rules`, so that decisions go by what that one lists.
      # From here on: what stands above is the original.
      class << self
        # @private
        def include(*)
          super.tap { Native.redefined(false) }
        end

        # @private
        def prepend(*)
          super.tap { Native.redefined(false) }
        end

        private

        def method_added(name)
          super
          Native.redefined(equal?(PermissionRules)) if name == :rules
        end

        def method_removed(name)
          super
          Native.redefined(equal?(PermissionRules)) if name == :rules
        end

        def method_undefined(name)
          super
          Native.redefined(equal?(PermissionRules)) if name == :rules
        end
      end
      Native::BASE = self
    end
  end
end
