# frozen_string_literal: true

module Differential
  # Writes any value as one line of text that is the same in two processes exactly when the values are alike:
  # class, content, encoding, frozenness and order show, addresses do not.
  module Rendering
    ADDRESS = /0x\h{8,}/
    LONG = 400
    DEEPEST = 6
    CLASS_OF = Kernel.instance_method(:class)
    PLAIN = [NilClass, TrueClass, FalseClass, Integer, Float, Rational, Complex, Regexp, Range].freeze

    module_function

    def render(value, depth = 0)
      klass = CLASS_OF.bind_call(value)
      return plain(value) if PLAIN.include?(klass)
      return string(value) if klass == String
      return symbol(value) if klass == Symbol
      return "…" if depth > DEEPEST

      composite(value, klass, depth)
    end

    def error(exception)
      text = "raised #{exception.class}: #{message(exception)}"
      cause = exception.cause
      cause ? "#{text} because of #{cause.class}" : text
    end

    # The encoding of a message in plain ASCII says only which language it was written in.
    def message(exception)
      text = exception.message
      string(text.ascii_only? ? text.encode(Encoding::UTF_8) : text, frozen: false)
    end

    def composite(value, klass, depth)
      if klass == Array then array(value, depth)
      elsif klass == Hash then hash(value, depth)
      elsif klass <= Exception then "#<#{klass} #{message(value)}>"
      elsif klass <= Module then "#{klass} #{value.name.inspect}"
      elsif klass == Time then "Time(#{value.to_r}#{value.utc? ? " utc" : ""})"
      elsif klass < Data then data(value, klass, depth)
      elsif klass.include?(Labelled) then "#<#{klass.name} #{string(value.differential_label)}>"
      else
        "#<#{klass.name}>"
      end
    end

    def string(value, frozen: value.frozen?)
      text = value.dump.gsub(ADDRESS, "0x…")
      text = "#{text[0, LONG]}…(#{value.bytesize} bytes, sum #{value.sum(32)})" if text.length > LONG
      text = "#{text}:#{value.encoding}" unless value.encoding == Encoding::UTF_8
      frozen ? "#{text}!" : text
    end

    def plain(value)
      text = value.inspect
      text.ascii_only? ? text : string(text, frozen: false)
    end

    def symbol(value)
      value.name.ascii_only? ? value.inspect : ":#{string(value.name, frozen: false)}"
    end

    def array(value, depth)
      "[#{value.map { |item| render(item, depth + 1) }.join(", ")}]#{"!" if value.frozen?}"
    end

    def hash(value, depth)
      pairs = value.map { |key, item| "#{render(key, depth + 1)} => #{render(item, depth + 1)}" }
      "{#{pairs.join(", ")}}#{"!" if value.frozen?}"
    end

    def data(value, klass, depth)
      members = value.to_h.map { |name, item| "#{name}: #{render(item, depth + 1)}" }
      "#{klass.name}(#{members.join(", ")})#{"!" if value.frozen?}"
    end
  end

  # A value of the harness that says itself how it is to be shown.
  module Labelled; end
end
