# frozen_string_literal: true

require_relative "safe_text"

module Ask
  module Permissions
    module CLI
      # A rule as people and programs read of it: where it is declared, and what it says.
      RuleEntry = Data.define(:index, :file, :line, :declaration, :declared, :effective) do
        def self.of(rule, index, file:, line:)
          patterns = [rule.tool_pattern, rule.argument_pattern]
          patterns.pop if rule.argument_pattern.nil?
          written = patterns.map { |pattern| SafeText.utf8(pattern.inspect) }
          new(
            index:,
            file: SafeText.utf8(file),
            line:,
            declaration: "#{rule.declared_decision} #{written.join(", ")}",
            declared: rule.declared_decision.name,
            effective: rule.effective_decision.name
          )
        end

        def place
          "#{file}:#{line}"
        end

        def bare_place
          "#{File.basename(file)}:#{line}"
        end

        # Whether the library turned an unconditional allow of a dangerous tool into a question.
        def downgraded?
          declared != effective
        end

        def facts
          { index:, file:, line:, declaration:, declared_decision: declared, effective_decision: effective }
        end
      end
    end
  end
end
