# frozen_string_literal: true

require "stringio"
require_relative "scenario"
require_relative "calls"

module Differential
  # Asks the mode gate about calls while its clock moves, approvals come, and its list changes.
  class GateScenario < Scenario
    Gate = Ask::Permissions::Permissions
    CHANGING = %w[bash write edit destroy].freeze
    MODES = [:ask_before_changes, :read_only, :full_access, nil, false].freeze
    BAD_MODES = [:unknown, "read_only", "", 1, [:read_only], true, String, :"read only"].freeze
    TIMEOUTS = [0, 1, 2, 5, -1, 1.5, 0.0, 1r, 10**25, Float::INFINITY, Float::NAN].freeze
    ODD_TIMEOUTS = ["5", :soon, false, [1], 1i, BasicObject, 3.0r].freeze
    BLOCKED = [[], nil, false, "bash", :bash, "bash\ncode", %w[bash code], %i[bash code], ["bash", :bash, "write"],
               [%w[bash code], "write"], { bash: 1, "code" => 2 }, Set["bash", :code], [nil], [1, 1.5, true],
               ["bash".encode("UTF-16LE")], ["\xFF"], [""], 1..2, %w[ünï 日本語 bash], [Odd::Failure],
               ["ünï".encode("ISO-8859-1")], 5].freeze
    STEPS = { call: 46, again: 14, approve: 14, pending: 7, asked: 6, list: 5, entry: 4, constants: 1, mistake: 2,
              reader: 2, repair: 1 }.freeze

    # Overrides that a program may make: readers, warn, and the hook itself.
    class Quiet < Gate
      def initialize(record, **)
        @record = record
        super(**)
      end

      def warn(*messages) = @record.call("warn", messages)
    end

    # Blocks by its own list and words.
    class Reading < Quiet
      def blocked_tools = super + [:fetch]
      def timeout = super || 3
      def mode = :custom
      def before_tool_call(tool_call, context = nil) = super.merge(seen: true)
    end

    def play
      @calls = []
      @ids = [nil]
      @now = @draw.pick([0, 100.0, 50r, Time.at(1000).utc])
      @gate = construct
      return unless @gate

      @draw.number(14..34).times { step(@draw.weighted(STEPS)) }
      observe("readers") { [@gate.mode, @gate.blocked_tools, @gate.timeout, @gate.blocked_tools.frozen?] }
    end

    private

    def construct
      options = draw_options
      style = @draw.weighted(nil => 70, Quiet => 15, Reading => 15)
      clock = build_clock(@draw.weighted(moving: 70, none: 12, odd: 5, failing: 8, library: 1))
      options[:clock] = clock if clock || @draw.chance?(50)
      made = nil
      observe("new", [options.except(:clock), style]) do
        made = style ? style.new(->(label, value) { note(label, render(value)) }, **options) : Gate.new(**options)
        [made.mode, made.blocked_tools, made.timeout]
      end
      made
    end

    def draw_options
      options = {}
      options[:mode] = @draw.chance?(88) ? @draw.pick(MODES) : @draw.pick(BAD_MODES) if @draw.chance?(55)
      options[:blocked_tools] = @draw.chance?(96) ? @draw.pick(BLOCKED).dup : [@draw.odd_name] if @draw.chance?(60)
      options[:timeout] = @draw.chance?(93) ? @draw.pick(TIMEOUTS) : @draw.pick(ODD_TIMEOUTS) if @draw.chance?(60)
      options
    end

    def build_clock(kind)
      ticks = 0
      case kind
      when :moving then -> { @now }
      when :odd then [-> {}, ->(_) { 1 }, 5, -> { "now" }, lambda {
                                                             (ticks += 1).odd? ? 1 : Time.at(0)
                                                           }][@draw.number(0..4)]
      when :failing then -> { ((ticks += 1) % 4).zero? ? raise(Odd::Failure, "clock") : @now }
      when :library then -> { use_from_clock }
      end
    end

    def use_from_clock
      meant_from_here(:clock_uses_library)
      @gate.pending_approvals.size
    end

    def step(kind)
      @now += @draw.pick([0, 0, 1, 2, 0.5, 1r, -1, 3, 100])
      case kind
      when :call then call(new_call)
      when :again then call(@draw.pick(@calls)) if @calls.any?
      when :approve then approve
      when :asked then asked
      when :list then change_list
      when :entry then read_entry
      when :pending then observe("pending") { @gate.pending_approvals }
      when :constants then constants
      when :mistake then mistake(@draw.number(0..9))
      when :reader then observe("live list") { @gate.blocked_tools.equal?(@gate.blocked_tools) }
      else repair_case(@draw.number(0..2))
      end
    end

    def new_call
      made = Calls.draw(@draw, name: @draw.chance?(55) ? @draw.text(@draw.pick(CHANGING)) : nil)
      @calls << made
      @ids << made.id if made.is_a?(Calls::Call)
      made
    end

    # The answer, what was warned about, and which methods of the call were used.
    def call(tool_call)
      context = @draw.pick([[], [], [nil], [{}]])
      silent = @draw.chance?(5)
      observe("call", [tool_call]) { captured(silent) { @gate.before_tool_call(tool_call, *context) } }
      observe("used") { tool_call.used.sort } if tool_call.is_a?(Calls::Watched)
    end

    def captured(silent)
      verbose = $VERBOSE
      error = $stderr
      $stderr = StringIO.new
      $VERBOSE = nil if silent
      answer = yield
      [answer, $stderr.string, answer.frozen?]
    rescue StandardError => e
      raise unless $stderr.is_a?(StringIO) && !$stderr.string.empty?

      [:warned_then_failed, e.class, e.message, $stderr.string]
    ensure
      $stderr = error
      $VERBOSE = verbose
    end

    def approve
      id = @draw.chance?(65) ? @draw.pick(@ids) : @draw.call_id
      observe("approve", [id]) { @gate.approve(id) }
    end

    def asked
      tool_call = @calls.any? && @draw.chance?(80) ? @draw.pick(@calls) : Calls.draw(@draw)
      observe("approved?", [tool_call]) { @gate.send(:approved?, tool_call) }
    end

    # The list is the caller's to change at any time.
    def change_list
      name = @draw.common_name
      kind = @draw.number(0..6)
      observe("list #{kind}", [name]) do
        list = @gate.blocked_tools
        case kind
        when 0, 1 then list << name.to_sym
        when 2 then list << name
        when 3 then list.delete(name.to_sym)
        when 4 then list.clear
        when 5 then list.push(:write, :edit, :bash)
        else (list << Odd::Agreeable.new("any")) && list.size
        end
      end
    end

    def read_entry
      key = @draw.pick([:status, "status", "tool_name", :arguments, :unknown, "nothing", nil, 1, :tool_call_id,
                        "created_at"])
      index = @draw.number(0..3)
      observe("entry", [key, index]) do
        entry = @gate.pending_approvals[index]
        entry && [entry[key], entry.frozen?, entry.pending?, entry.approved?, entry.reason, entry.to_h.keys,
                  entry.tool_call.equal?(entry[:tool_call]), entry.with(status: :approved).approved?]
      end
    end

    def constants
      observe("constants") do
        names = %i[DEFAULT_TOOLS ACCESS_MODES DEFAULT_BLOCKED_TOOLS MODE_BLOCKED_TOOLS]
        [names.map do |name|
           Gate.const_get(name)
         end, Gate::Approval.members, Gate::DEFAULT_TOOLS.equal?(Gate::DEFAULT_BLOCKED_TOOLS)]
      end
    end

    def mistake(number)
      observe("mistake #{number}") do
        case number
        when 0 then @gate.before_tool_call
        when 1 then @gate.before_tool_call(1, 2, 3)
        when 2 then @gate.approve
        when 3 then @gate.approve(1, 2)
        when 4 then Gate.new(surplus: 1)
        when 5 then Gate.new(:read_only)
        when 6 then @gate.approved?(Calls::Call.new(1, "bash", {}))
        when 7 then @gate.pending_approvals(1)
        when 8 then Gate::Approval.new(status: :pending)
        else [@gate.respond_to?(:approved?), @gate.respond_to?(:approved?, true), @gate.respond_to?(:warn, true)]
        end
      end
    end

    def repair_case(number)
      case number
      when 0 then meant(:copied) { observe("dup") { @gate.dup.class.name } }
      when 1 then meant(:copied) { observe("clone") { @gate.clone.class.name } }
      else meant(:uninitialized) { observe("uninitialized") { Gate.allocate.pending_approvals } }
      end
    end
  end
end
