# frozen_string_literal: true

require_relative "scenario"
require_relative "calls"
require_relative "policy_parts"

module Differential
  # Puts tool calls before policies made of real and stand-in parts.
  class PolicyScenario < Scenario
    Policy = Ask::Permissions::ApprovalPolicy
    Queue = Ask::Permissions::ApprovalQueue
    Rules = Ask::Permissions::PermissionRules
    ANSWERS = [nil, nil, nil, :allow, :ask, :deny, :allow, "deny", "allow", :other, true, false, 1, :raise,
               [:deny]].freeze
    METADATA = [true, true, false, nil, "yes", 0, :raise].freeze

    def play
      @calls = []
      @policy = construct
      return unless @policy

      @draw.number(10..26).times { step }
      observe("queue") { @queue.pending_actions } if @queue.is_a?(Queue)
    end

    private

    def record = ->(label, value) { note(label, render(value)) }

    def construct
      @queue = build_queue(@draw.weighted(real: 62, recorder: 33, none: 5))
      options = { queue: @queue }
      options[:rules] = build_rules(@draw.weighted(real: 35, stand_in: 40, none: 15, odd: 4)) if @draw.chance?(75)
      options[:require_approval] = requirement if @draw.chance?(60)
      options[:tools] = build_tools if @draw.chance?(70)
      style = @draw.weighted(nil => 80, PolicyParts::Reading => 10, PolicyParts::Extended => 10)
      made = nil
      observe("new", [options.keys, style]) do
        made = style == PolicyParts::Extended ? style.new(:owner, **options) : (style || Policy).new(**options)
        [made.queue.equal?(@queue), made.rules.equal?(options[:rules]), made.tools.equal?(options[:tools])]
      end
      made
    end

    def build_queue(kind)
      answers = @draw.list(1..4) { @draw.pick([1, 2, nil, "id", :raise, 7]) }
      names = @draw.list(0..3) { [@draw.common_name, true] }.to_h
      failing = @draw.chance?(8)
      case kind
      when :real
        approve = lambda { |action|
          failing && action.id == 2 ? raise(Odd::Failure, "on_approve") : note("on_approve", action.id.to_s)
        }
        Queue.new(auto_approve: names, on_approve: approve)
      when :recorder then PolicyParts::Recorder.new(record, answers)
      end
    end

    def build_rules(kind)
      answers = @draw.list(1..8) { @draw.pick(ANSWERS) }
      declarations = @draw.list(1..6) { [@draw.pick(%i[allow ask deny]), @draw.tool_pattern, @draw.argument_pattern] }
      case kind
      when :real then real_rules(declarations)
      when :stand_in then PolicyParts::Classifier.new(record, answers)
      when :odd then [false, 5, "rules", ->(_, _) { :deny }][answers.size % 4]
      end
    end

    def real_rules(declarations)
      rules = Rules.new(auto_allow_dangerous: declarations.size.even?)
      declarations.each do |decision, *patterns|
        rules.public_send(decision, *patterns)
      rescue StandardError
        next
      end
      rules
    end

    def requirement(depth = 0)
      case @draw.weighted(name: 30, symbol: 10, regexp: 15, array: depth > 2 ? 0 : 20, all: 4, constant: 12, odd: 9)
      when :name then @draw.text(@draw.common_name)
      when :symbol then @draw.common_name.to_sym
      when :regexp then @draw.name_regexp
      when :array then @draw.list(0..3) { requirement(depth + 1) }
      when :all then :all
      when :constant then @draw.pick([nil, true, false, "all", "", Set["bash", "code"], 1, { bash: true }, [], [nil],
                                      "true", [:all]])
      else @draw.odd_pattern
      end
    end

    def build_tools
      list = @draw.list(0..5) { build_tool }
      case @draw.weighted(strings: 34, symbols: 15, array: 22, registry: 14, odd: 15)
      when :strings then list.to_h { |tool| [tool_name_of(tool), tool] }
      when :symbols then list.to_h { |tool| [tool_name_of(tool).to_sym, tool] }
      when :array then list + @draw.pick([[], %w[bash], [PolicyParts::ClassTool, String], [nil, 1, :bash],
                                          [@draw.odd_name]])
      when :registry then PolicyParts::Registry.new(record, list.to_h { |tool| [tool_name_of(tool), tool] })
      else @draw.pick([nil, false, "bash", 5, :bash, lambda { |_|
                                                     }, { "bash" => true }, { bash: nil, "code" => false }, Set["bash"],
                       Hash.new do |_, key|
                         raise Odd::Failure, key.inspect
                       end, Object.new, %w[bash code], {}, BasicObject])
      end
    end

    def build_tool
      metadata = {}
      metadata[:approval_required?] = @draw.pick(METADATA) if @draw.chance?(80)
      metadata[:auto_approvable?] = @draw.pick(METADATA) if @draw.chance?(70)
      PolicyParts::Tool.new(record, @draw.chance?(85) ? @draw.common_name : @draw.common_name.to_sym, metadata)
    end

    def tool_name_of(tool) = tool.name.to_s

    def step
      case @draw.weighted(call: 70, again: 8, lookup: 12, resolve: 6, mistake: 2, reader: 2)
      when :call then call(Calls.draw(@draw).tap { |made| @calls << made })
      when :again then call(@draw.pick(@calls)) if @calls.any?
      when :lookup then lookup
      when :resolve then resolve
      when :mistake then mistake(@draw.number(0..6))
      else readers
      end
    end

    def call(tool_call)
      context = @draw.pick([[], [], [nil], [{ turn: 1 }]])
      observe("call", [tool_call]) do
        answer = @policy.before_tool_call(tool_call, *context)
        again = answer.frozen? ? :frozen : :open
        [answer, again, answer[:reason].frozen?]
      end
      observe("used") { tool_call.used.sort } if tool_call.is_a?(Calls::Watched)
    end

    def lookup
      id = @draw.pick([1, 2, 3, 4, 1, 2, 1.0, "1", nil, 99])
      observe("lookup", [id]) { @policy.lookup(id) }
    end

    def resolve
      id = @draw.number(1..4)
      how = @draw.pick(%i[approve reject])
      observe(how.name, [id]) { @queue.public_send(how, id) } if @queue.is_a?(Queue)
    end

    def readers
      observe("readers") do
        [@policy.queue.equal?(@queue), @policy.require_approval.class, @policy.rules.class, @policy.tools.class,
         @policy.method(:before_tool_call).receiver.equal?(@policy), @policy.method(:before_tool_call).arity]
      end
    end

    def mistake(number)
      observe("mistake #{number}") do
        case number
        when 0 then Policy.new
        when 1 then Policy.new(@queue)
        when 2 then Policy.new(queue: @queue, surplus: 1)
        when 3 then @policy.before_tool_call
        when 4 then @policy.before_tool_call(1, 2, 3)
        when 5 then @policy.lookup
        else [@policy.respond_to?(:find_tool), @policy.respond_to?(:find_tool, true),
              @policy.respond_to?(:enqueue, true)]
        end
      end
    end
  end
end
