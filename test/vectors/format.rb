# frozen_string_literal: true

require "json"

module Vectors
  # Ruby values as JSON that people can read, and back. A String that begins with a colon stands for a Symbol; an
  # Object whose first key begins with a dollar sign stands for what JSON has no word for.
  module Format
    # Has a text of its own.
    class Text
      def initialize(text)
        @text = text
      end

      def to_s = @text
    end

    # Cannot be turned into text.
    class Textless
      def to_s = raise(ArgumentError, "no text")
      alias to_json to_s
    end

    SPECIAL = {
      "$regexp" => ->(source, given) { Regexp.new(source, given.fetch("$flags", "")) },
      "$float" => ->(name, _) { { "NaN" => Float::NAN, "Infinity" => Float::INFINITY }.fetch(name) },
      "$bytes" => ->(hex, given) { [hex].pack("H*").force_encoding(given.fetch("$encoding")) },
      "$nested" => ->(depth, _) { (1..depth).inject(1) { |inner, _| { "a" => inner } } },
      "$cycle" => ->(_, _) { {}.tap { |hash| hash["a"] = hash } },
      "$repeat" => ->(text, given) { text * given.fetch("$times") },
      "$text" => ->(text, _) { Text.new(text) },
      "$textless" => ->(_, _) { Textless.new },
      "$set" => ->(members, _) { Set.new(members.map { |member| load(member) }) },
      "$hash" => ->(pairs, _) { pairs.to_h { |pair| pair.map { |value| load(value) } } }
    }.freeze

    module_function

    def load(value)
      case value
      when String then value.start_with?(":") ? value.delete_prefix(":").to_sym : value.dup
      when Array then value.map { |item| load(item) }
      when Hash then load_object(value)
      else value
      end
    end

    def load_object(object)
      special = SPECIAL[object.keys.first]
      return special.call(object.values.first, object) if special

      object.to_h { |key, value| [load(key), load(value)] }
    end

    def dump(value)
      case value
      when nil, true, false, Integer, Float then value
      when Symbol then ":#{value}"
      when String then dump_string(value)
      when Array then value.map { |item| dump(item) }
      when Hash then value.to_h { |key, item| [dump(key), dump(item)] }
      when Data then dump(value.to_h)
      else { "$object" => value.class.name }
      end
    end

    def dump_string(string)
      raise ArgumentError, "#{string.inspect} would be taken for a Symbol" if string.start_with?(":")

      return string.encode(Encoding::UTF_8) if string.valid_encoding?

      { "$bytes" => string.unpack1("H*"), "$encoding" => string.encoding.name }
    end

    # What the block answers: a value, or the class and message of what it raised.
    def answer
      { "answer" => dump(yield) }
    rescue StandardError => e
      { "error" => [e.class.name, *message(e)] }
    end

    # The part of a message that all supported versions of Ruby agree on.
    def message(error)
      text = error.message.dup.force_encoding(Encoding::UTF_8).scrub
      text = text.tr("`", "'").gsub("BINARY (ASCII-8BIT)", "ASCII-8BIT")
      case error
      when NoMethodError then text[/\A[^']*'[^']*'/]
      when JSON::JSONError then nil
      else text
      end
    end
  end

  # JSON in which whatever fits stands on one line.
  module Writer
    WIDTH = 118

    module_function

    def write(value, indent = 0, label = "")
      line = "#{label}#{flat(value)}"
      return line if line.length + indent <= WIDTH || !value.respond_to?(:each) || value.empty?

      items =
        if value.is_a?(Hash)
          value.map { |key, item| write(item, indent + 2, "#{JSON.generate(key)}: ") }
        else
          value.map { |item| write(item, indent + 2) }
        end
      enclose(label, items, value.is_a?(Hash) ? "{}" : "[]", indent)
    end

    def enclose(label, items, brackets, indent)
      margin = " " * indent
      "#{label}#{brackets[0]}\n#{items.map { |item| "#{margin}  #{item}" }.join(",\n")}\n#{margin}#{brackets[1]}"
    end

    def flat(value)
      case value
      when Hash then "{#{value.map { |key, item| "#{JSON.generate(key)}: #{flat(item)}" }.join(", ")}}"
      when Array then "[#{value.map { |item| flat(item) }.join(", ")}]"
      else JSON.generate(value)
      end
    end
  end
end
