# frozen_string_literal: true

module Differential
  # Draws what a queue scenario does, before any of it is done: operations, and the scripts of its callbacks.
  class QueueProgram
    OPERATIONS = { submit: 34, approve: 12, reject: 8, approve_all: 3, reject_all: 2, drain: 6, get: 6, pending: 4,
                   any: 2, pending_actions: 3, set: 4, auto: 6, inspect: 2, action: 6, mistake: 3, private: 3,
                   thread: 3, fiber: 2, readers: 2, duplicate: 1 }.freeze
    NESTED = OPERATIONS.merge(set: 3, thread: 5, drain: 8, mistake: 1, duplicate: 0).freeze
    SLOTS = %i[on_submit on_approve on_reject].freeze
    Script = Data.define(:operations, :finish)

    def initialize(draw)
      @draw = draw
      @daring = draw.chance?(6)
    end

    def operations
      @draw.list(1..4) { [:submit, submission] } + @draw.list(10..26) { operation(OPERATIONS) }
    end

    def operation(weights, depth = 0)
      kind = @draw.weighted(weights)
      case kind
      when :submit then [:submit, submission]
      when :approve, :reject then [kind, ids]
      when :get, :pending, :action then [kind, id]
      when :set then [:set, @draw.pick(SLOTS), callback]
      when :auto then [:auto, auto_change]
      when :mistake then [:mistake, @draw.number(0..17)]
      when :private then [:private, @draw.pick(%i[apply reject_action]), id]
      when :thread, :fiber then depth > 1 ? [:any] : [kind, operation(NESTED, depth + 1)]
      when :duplicate then @draw.chance?(30) ? [:duplicate, @draw.pick([:dup, :clone, nil])] : [:any]
      else [kind]
      end
    end

    def submission
      given = { tool_call_id: @draw.call_id, tool_name: name }
      given[:args] = @draw.chance?(75) ? simple_arguments : @draw.arguments if @draw.chance?(70)
      given[:auto_approvable] = @draw.pick([true, true, true, true, false, nil, "yes", 1]) if @draw.chance?(85)
      given[:message] = @draw.pick([nil, "look", :symbol, 1, ["text"], "\xFF"]) if @draw.chance?(40)
      given
    end

    def name = @draw.chance?(90) ? @draw.text(@draw.common_name) : @draw.tool_name

    def simple_arguments = @draw.pick([nil, {}, { "command" => "ls" }, +"{\"a\":1}", [], false, 5, { a: { b: nil } }])

    def id
      @draw.weighted(likely: 86, odd: 14).then do |kind|
        next @draw.number(1..6) if kind == :likely

        @draw.pick([0, -1, 99, 1.0, 2.0, "1", :"1", nil, true, 10**20, 2**64, 1r, [1], Float::NAN, @draw.odd_id])
      end
    end

    # Ids as callers give them: repeated, nested, out of order, unknown.
    def ids
      given = @draw.list(@draw.chance?(8) ? 0..0 : 1..4) { @draw.chance?(12) ? [id, [id, [id]]] : id }
      given << given.first if @draw.chance?(15)
      return [given] if @draw.chance?(20)
      return [[].tap { |array| array << array }] if @draw.chance?(1)

      given
    end

    def callback
      form = @draw.weighted(lambda: 60, none: 16, proc: 8, method: 8, object: 8, odd: 5)
      scripts = @draw.list(0..12) { script }
      [form, form == :odd ? @draw.number(0..6) : scripts]
    end

    def script
      nested = @draw.chance?(35) ? @draw.list(1..2) { nested_operation } : []
      Script.new(operations: nested, finish:)
    end

    def nested_operation
      inner = operation(NESTED, 1)
      @draw.chance?(20) ? [:bare, inner] : inner
    end

    def finish
      return [@draw.pick(%i[throw exception unknown])] if @daring && @draw.chance?(15)
      return [:raise, @draw.error_class, "callback #{@draw.number(1..9)}"] if @draw.chance?(16)

      [:return, @draw.pick([nil, true, false, :value])]
    end

    def auto_approve
      @draw.weighted(names: 60, absent: 12, odd_values: 8, default: 6, callable: 6, odd: 8).then do |kind|
        case kind
        when :names then names_hash(true)
        when :absent then :absent
        when :odd_values then names_hash(nil)
        when :default then @draw.chance?(50) ? Hash.new(true) : Hash.new { |_, key| key.start_with?("b", "r") }
        when :callable then ->(key) { key.length.odd? }
        else @draw.pick([nil, false, {}, [], 5, "bash", ->(_) { raise Odd::Failure, "auto" }, { bash: true }, Object])
        end
      end
    end

    def names_hash(value)
      @draw.list(1..4) { [@draw.text(@draw.common_name), value.nil? ? odd_value : value] }.to_h
    end

    def odd_value = @draw.pick([1, "true", :yes, nil, false, [true], "yes", true])

    def auto_change
      name = @draw.common_name
      @draw.pick([[:store, name, true], [:store, name, true], [:store, name, odd_value], [:delete, name], [:clear],
                  [:default, @draw.chance?(50)]])
    end

    def clock
      @draw.weighted(none: 40, counting: 30, times: 10, method: 6, failing: 6, odd: 5, library: @daring ? 30 : 0)
    end

    def style = @draw.chance?(60) ? nil : @draw.number(0..11)
  end
end
