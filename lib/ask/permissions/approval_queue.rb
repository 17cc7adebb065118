# frozen_string_literal: true

require_relative "native"
require_relative "errors"
require_relative "action"

module Ask
  module Permissions
    # Decisions that wait for a person, and those that need none, in order of submission.
    #
    # Safe to share between threads. While a callback runs, the queue may be used freely, from the
    # callback and from other threads.
    #
    # @example
    #   queue = Ask::Permissions::ApprovalQueue.new(on_approve: ->(action) { puts action.tool_name })
    #   id = queue.submit(tool_call_id: "tc-1", tool_name: "bash", args: {"command" => "ls"})
    #   queue.pending?(id) # => true
    #   queue.approve(id)  # prints "bash"; => [the approved Action]
    class ApprovalQueue
      # @return [#[]] tool names that may be approved automatically, by String, with exactly true as
      #   the value; read anew at each use
      attr_reader :auto_approve

      # @return [#call, nil] called with the Action while it is `:applying`
      attr_accessor :on_approve, :on_reject

      # @return [#call, nil] called with the Action while it is `:pending`, before any automatic approval
      attr_accessor :on_submit

      # @param on_approve [#call, nil]
      # @param on_reject [#call, nil]
      # @param auto_approve [#[], nil]
      # @param on_submit [#call, nil]
      # @param clock [#call, nil] what gives `submitted_at`; `Time.now` without one
      def initialize(on_approve: nil, on_reject: nil, auto_approve: {}, on_submit: nil, clock: nil)
        @on_approve = on_approve
        @on_reject = on_reject
        @auto_approve = auto_approve || {}
        @on_submit = on_submit
        @clock = clock || -> { Time.now }
        @actions = []
        @native_error_origins = ObjectSpace::WeakMap.new
        @native_queue = Native::Queue.new
      end

      # Adds a pending action, tells `on_submit`, and drains.
      #
      # @param tool_call_id [Object]
      # @param tool_name [String, Symbol, #to_s]
      # @param args [Object] kept as it is; nil becomes an empty Hash
      # @param auto_approvable [Boolean] whether it may be approved without a person
      # @param message [Object, nil]
      # @return [Integer] the action's id
      # @raise [StandardError] whatever the clock or a callback raises; when `on_submit` does, the
      #   action stays pending and nothing is drained
      # @raise [FrozenError] when the queue is frozen
      def submit(tool_call_id:, tool_name:, args: {}, auto_approvable: false, message: nil)
        Native.refuse_frozen(self)
        native = @native_queue || Native.uninitialized!(self)
        # The order of evaluation, and that a failure uses up an id, are part of the contract.
        begin
          members = [nil, tool_call_id, tool_name.to_s, args.nil? ? {} : args,
                     auto_approvable ? true : false, :pending, @clock.call, message]
        ensure
          native.skip unless members
        end
        action = native.submit(@actions, Action, members, members[4])

        @on_submit&.call(action)
        drain
        action.id
      end

      # @return [Array<Action>] what waits for a decision, in order of submission
      def pending_actions
        (@native_queue || Native.uninitialized!(self)).pending_actions(@actions)
      end

      # @param id [Integer]
      # @return [Boolean]
      def pending?(id)
        (@native_queue || Native.uninitialized!(self)).pending?(id)
      end

      # @return [Boolean]
      def any_pending?
        (@native_queue || Native.uninitialized!(self)).any_pending?
      end

      # @param id [Integer]
      # @return [Action, nil] the action as it is now
      def [](id)
        (@native_queue || Native.uninitialized!(self)).get(@actions, id)
      end

      # Approves those of the actions that are pending, in order of submission. Does not drain.
      #
      # @param ids [Array<Integer, Array>] unknown and resolved ids are skipped
      # @return [Array<Action>] the approved ones
      # @raise [StandardError] what `on_approve` raises; that action is pending again, the ones
      #   before it stay approved, the ones behind it stay pending
      def approve(*ids)
        resolve_all(ids) { |action| apply(action) }
      end

      # Rejects those of the actions that are pending, in order of submission. Does not drain.
      #
      # @param (see #approve)
      # @return [Array<Action>] the rejected ones
      # @raise [StandardError] what `on_reject` raises, with the same consequences as for {#approve}
      def reject(*ids)
        resolve_all(ids) { |action| reject_action(action) }
      end

      # Approves all that is pending.
      #
      # @return [Array<Action>] the approved ones
      # @raise (see #approve)
      def approve_all
        approve(*pending_actions.map(&:id))
      end

      # Rejects all that is pending.
      #
      # @return [Array<Action>] the rejected ones
      # @raise (see #reject)
      def reject_all
        reject(*pending_actions.map(&:id))
      end

      # Approves from the head of the queue what may be approved automatically, and stops at the
      # first action that may not. Only one pass runs at a time: a call during one returns at once,
      # and the running pass sees to what that call was for.
      #
      # @return [self]
      # @raise [StandardError] what `on_approve` raises; that action is pending again
      # @raise [FrozenError] when the queue is frozen
      def drain
        start_draining do |turn|
          looking = true
          while looking
            head = next_auto_head
            begin
              apply(head) if head
            rescue UnknownApprovalError => e
              # Somebody else resolved it first; any other error would come again for ever.
              raise unless @native_error_origins[e] == :refusal
            end
            looking = head || !turn.finish
          end
        end
        self
      end

      private

      def apply(action)
        resolve(action.id, @on_approve, :approved)
      end

      def reject_action(action)
        resolve(action.id, @on_reject, :rejected)
      end

      def resolve_all(ids)
        native = @native_queue || Native.uninitialized!(self)
        native.select_pending(@actions, ids.flatten.uniq).filter_map do |action|
          yield action
        rescue UnknownApprovalError => e
          raise if @native_error_origins[e] == :callback
        end
      end

      # Resolves one action, or puts it back on any way out of its callback but returning.
      def resolve(id, callback, status)
        native = @native_queue || Native.uninitialized!(self)
        begin
          claim = native.begin(@actions, id)
          unless claim
            error = UnknownApprovalError.new("unknown pending approval: #{id.inspect}")
            @native_error_origins[error] = :refusal
            raise error
          end

          begin
            callback&.call(native.get(@actions, id))
          rescue UnknownApprovalError => e
            # It is the callback's, even if it came from this very queue.
            @native_error_origins[e] = :callback
            raise
          end
          native.commit(@actions, claim, status)
        ensure
          native.rollback(@actions, claim)
        end
      end

      def next_auto_head
        native = @native_queue
        head = native.look(@actions)
        return unless head

        enabled = @auto_approve[head.tool_name] == true
        native.looked
        head if enabled
      end

      def start_draining
        Native.refuse_frozen(self)
        native = @native_queue || Native.uninitialized!(self)
        begin
          turn = native.begin_drain
          yield turn if turn
        ensure
          stop_draining(turn)
        end
      end

      def stop_draining(turn)
        @native_queue.end_drain(turn)
      end

      def initialize_copy(_source)
        raise TypeError, "can't copy #{self.class}: two queues cannot share their actions"
      end
    end
  end
end
