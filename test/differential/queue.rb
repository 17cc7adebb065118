# frozen_string_literal: true

require_relative "scenario"
require_relative "queue_styles"
require_relative "queue_program"

module Differential
  # Submits, resolves and drains, with callbacks that use the queue, fail and are replaced.
  class QueueScenario < Scenario
    Queue = Ask::Permissions::ApprovalQueue
    OUTSIDE = Class.new(Exception) # rubocop:disable Lint/InheritException -- an exit that rescues of StandardError miss
    HIGHEST = 12

    # A callback or a clock that is an object with call.
    class Callable
      def initialize(&block)
        @block = block
      end

      def call(*) = @block.call(*)
    end

    def play
      @program = QueueProgram.new(@draw)
      @given = []
      operations = @program.operations
      @queue = construct
      return unless @queue

      operations.each do |operation|
        thrown = catch(:out) do
          perform(operation)
          nil
        end
        note("thrown", thrown.inspect) if thrown
        states
      end
      perform([:inspect])
    end

    private

    def construct
      options = QueueProgram::SLOTS.to_h { |slot| [slot, build_callback(slot, *@program.callback)] }
      @auto = @program.auto_approve
      options[:auto_approve] = @auto unless @auto == :absent
      options[:clock] = build_clock(@program.clock)
      options.delete(:clock) if options[:clock].nil? && @draw.chance?(50)
      style = @program.style
      made = nil
      observe("new", [options.keys, style]) { (made = make(style, options)).class.ancestors.include?(Queue) }
      made
    end

    def make(style, options)
      return Queue.new(**options) unless style

      styled = QueueStyles::ALL[style]
      return Queue.new(**options).extend(QueueStyles::Single) unless styled

      styled.new(->(label, value) { note(label, render(value)) }, **options)
    end

    def build_callback(slot, form, scripts)
      return odd_callback(scripts) if form == :odd
      return if form == :none

      run = ->(action) { called(slot, action, scripts.shift) }
      case form
      when :lambda then run
      when :proc then proc { |action| run.call(action) }
      when :method then Callable.new(&run).method(:call)
      else Callable.new(&run)
      end
    end

    def odd_callback(number)
      [false, 5, ->(_, _) {}, -> {}, :id.to_proc, "text", proc { |a, b|
                                                            raise Odd::Failure, "#{a.id} #{b.inspect}"
                                                          }][number]
    end

    # What a callback sees, what it does, and how it ends.
    def called(slot, action, script)
      note(slot.name, "#{render(action)} in queue #{render(@queue[action.id])} pending #{@queue.pending?(action.id)}")
      return unless script

      script.operations.each { |operation| perform(operation) }
      finish(*script.finish)
    end

    def finish(kind, *details)
      case kind
      when :return then details.first
      when :raise then raise(*details)
      when :unknown
        meant_from_here(:unknown_approval)
        raise Ask::Permissions::UnknownApprovalError, "from a callback"
      when :throw
        meant_from_here(:exit_rolls_back)
        throw :out, :thrown
      else
        meant_from_here(:exit_rolls_back)
        raise OUTSIDE, "outside"
      end
    end

    def build_clock(kind)
      ticks = 0
      case kind
      when :counting then -> { ticks += 1 }
      when :times then Callable.new { Time.at(ticks += 60).utc }
      when :method then Callable.new { ticks += 0.5 }.method(:call)
      when :failing then -> { ((ticks += 1) % 3).zero? ? raise(Odd::Failure, "clock") : ticks }
      when :odd then [-> {}, ->(_) { 1 }, 5, -> { :now }][@draw.number(0..3)]
      when :library then -> { use_from_clock }
      end
    end

    def use_from_clock
      meant_from_here(:clock_uses_library)
      @queue.any_pending? ? 1 : 2
    end

    def perform(operation)
      kind, *details = operation
      case kind
      when :thread then Thread.new { perform(details.first) }.join
      when :fiber then Fiber.new { perform(details.first) }.resume
      when :bare then act_openly(*details.first)
      when :set then set(*details)
      when :duplicate then repair_case(*details)
      else observe(kind.name, details) { act(kind, *details) }
      end
    end

    # An error of the operation is the callback's own.
    def act_openly(*operation)
      act(*operation)
    rescue Ask::Permissions::UnknownApprovalError
      meant_from_here(:unknown_approval)
      raise
    end

    def set(slot, callback)
      built = build_callback(slot, *callback)
      observe("set #{slot}") do
        @queue.public_send(:"#{slot}=", built)
        @queue.public_send(slot).equal?(built)
      end
    end

    def act(kind, *details)
      case kind
      when :submit then submit(*details)
      when :approve, :reject then @queue.public_send(kind, *details.first)
      when :approve_all, :reject_all, :pending_actions then @queue.public_send(kind)
      when :drain then @queue.drain.equal?(@queue)
      when :get then @queue[details.first]
      when :pending then @queue.pending?(details.first)
      when :any then @queue.any_pending?
      when :auto then change_auto(details.first)
      when :private then apply_privately(*details)
      else look(kind, *details)
      end
    end

    def look(kind, *details)
      case kind
      when :inspect then @queue.pending_actions.map { |action| action.inspect.gsub(ADDRESS, "0x…") }
      when :action then describe_action(@queue[details.first])
      when :readers then [@queue.auto_approve.equal?(@auto), @queue.on_approve.nil?, @queue.on_reject.nil?,
                          @queue.on_submit.nil?]
      when :mistake then mistake(details.first)
      when :set then set(*details)
      when :thread, :fiber, :bare then perform([kind, *details])
      end
    end

    def submit(given)
      @given << given[:args]
      @queue.submit(**given)
    end

    def apply_privately(hook, id)
      action = @queue[id]
      @queue.send(hook, action || Odd::Point.new(id, 1))
    end

    def describe_action(action)
      return unless action

      [action.frozen?, action.pending?, action.applying?, action.approved?, action.rejected?, action.auto_approvable?,
       action.to_h.keys, action == action.with, action.with(status: :other).status, action.members,
       (action in { status: :pending, id: Integer }), action.eql?(action.dup),
       @given.index { |given| given.__id__ == action.args.__id__ }, action.inspect.gsub(ADDRESS, "0x…")]
    end

    def change_auto(change)
      return unless @auto.instance_of?(Hash)

      kind, *details = change
      case kind
      when :store then @auto[details.first] = details.last
      when :delete then @auto.delete(details.first)
      when :clear then @auto.clear
      when :default then @auto.default = details.first
      end
    end

    # Every state, by asking id by id.
    def states
      return if @draw.chance?(60)

      observe("states") { (1..HIGHEST).map { |id| @queue[id]&.status } }
    end

    MISTAKES = [
      -> { submit }, -> { submit(tool_name: "a") }, -> { submit(tool_call_id: 1) }, -> { submit("a", 1) },
      -> { submit(tool_call_id: 1, tool_name: "a", surplus: 1) }, -> { submit({ tool_call_id: 1, tool_name: "a" }) },
      -> { submit(tool_call_id: 1, tool_name: "a", surplus: 1, more: 2) }, -> { self[] }, -> { self[1, 2] }, lambda {
                                                                                                               pending?
                                                                                                             },
      -> { drain(1) }, -> { any_pending?(1) }, -> { send(:apply, nil) }, -> { approve_all(1, 2) },
      -> { pending_actions(1) }, -> { Queue.new(1, surplus: 2) },
      -> { [respond_to?(:apply), respond_to?(:apply, true), respond_to?(:reject_action), respond_to?(:resolve, true)] }
    ].freeze

    # What the queue itself does wrong; beyond the list, a private method called from outside.
    def mistake(number)
      mistake = MISTAKES[number]
      mistake ? @queue.instance_exec(&mistake) : @queue.apply(nil)
    end

    def repair_case(copying)
      if copying
        meant(:copied) { observe(copying.name) { @queue.public_send(copying).class.name } }
      else
        meant(:uninitialized) { observe("uninitialized") { Queue.allocate.any_pending? } }
      end
    end
  end
end
