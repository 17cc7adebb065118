# frozen_string_literal: true

require_relative "strict_json"

module Ask
  module Permissions
    module CLI
      # Takes a tool call from one line of JSON; keys that it does not know are ignored.
      module CallParser
        module_function

        # @param text [String] in UTF-8
        # @return [Array] id, name and arguments, as given
        # @raise [BadLine]
        def parse(text)
          fields = StrictJSON.parse(text)
          raise BadLine, "not an object but #{kind(fields)}" unless fields.is_a?(Hash)
          raise BadLine, "name is missing" unless fields.key?("name")

          [
            take(fields, "id", "a String or an Integer", NilClass, String, Integer),
            take(fields, "name", "a String", String),
            take(fields, "arguments", "an object or a String", NilClass, Hash, String)
          ]
        end

        def take(fields, key, wanted, *classes)
          value = fields[key]
          return value if classes.any? { |type| type === value } # rubocop:disable Style/CaseEquality

          raise BadLine, "#{key} must be #{wanted}, not #{kind(value)}"
        end

        def kind(value)
          case value
          when nil, true, false then JSON.generate(value)
          when Hash then "an object"
          when Array then "an array"
          when String then "a String"
          else "a number"
          end
        end

        private_class_method :take, :kind
      end
    end
  end
end
