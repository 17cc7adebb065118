# frozen_string_literal: true

module Differential
  # The ways in which programs subclass the queue. Each tells the scenario what its overridden methods saw.
  module QueueStyles
    # Instance variables of its own before super.
    class Recording < Ask::Permissions::ApprovalQueue
      def initialize(record, **)
        @record = record
        super(**)
      end
    end

    # Overrides with zsuper and with super of the same argument.
    class Observing < Recording
      def submit(**)
        @record.call("submit began", any_pending?)
        super.tap { |id| @record.call("submit ended", id) }
      end

      def drain
        @record.call("drain", pending_actions.map(&:id))
        super
      end

      private

      def apply(action)
        @record.call("apply", action)
        super.tap { |resolved| @record.call("applied", resolved) }
      end

      def reject_action(action)
        @record.call("reject_action", action)
        super.tap { |resolved| @record.call("rejected", resolved) }
      end
    end

    # Forwards everything.
    class Forwarding < Recording
      def initialize(record, ...)
        super
        @record = record
      end

      private

      def apply(action, ...) = super.tap { @record.call("apply", action.status) }
      def reject_action(action, ...) = super.tap { @record.call("reject_action", action.status) }
    end

    # Answers with something else than the library did.
    class Replacing < Recording
      private

      def apply(action) = super.with(message: "replaced")

      def reject_action(action)
        super
        nil
      end
    end

    # Applies twice: the second time the action is no longer pending.
    class Twice < Recording
      private

      def apply(action)
        super
        super
      end
    end

    # Holds back, a few times.
    class Reluctant < Recording
      def initialize(record, **)
        super
        @refusals = 3
      end

      private

      def apply(action)
        return super if (@refusals -= 1).negative?

        @record.call("refused", action.id)
        :refused
      end
    end

    # Fails before or after the library did its part.
    class Failing < Recording
      def initialize(record, **)
        super
        @calls = 0
      end

      private

      def apply(action)
        @calls += 1
        raise Odd::Failure, "before apply" if (@calls % 4) == 2

        super.tap { raise Odd::Failure, "after apply" if (@calls % 4).zero? }
      end
    end

    # Overrides what approve_all and reject_all are made of.
    class Ordering < Recording
      def pending_actions = super.reverse

      def approve(*ids)
        @record.call("approve", ids)
        super(*ids.first(2))
      end
    end

    # Readers that answer differently: the queue itself goes by what it was given.
    class Misreading < Recording
      def on_approve = ->(_) { raise Odd::Failure, "reader" }
      def on_submit = nil
      def auto_approve = Hash.new(true)
    end

    # Public methods made by define_method.
    class Defining < Recording
      define_method(:apply) { |action| super(action) }
      define_method(:reject_action) { |action| super(action) }
    end

    # Takes any positional arguments and keeps none.
    class Swallowing < Ask::Permissions::ApprovalQueue
      def initialize(*, **) = super(**)
    end

    # A module on a single object.
    module Single
      def apply(action) = super.tap { |resolved| (@seen ||= []) << resolved.id }
      def seen = @seen
    end

    ALL = [Recording, Observing, Forwarding, Replacing, Twice, Reluctant, Failing, Ordering, Misreading, Defining,
           Swallowing].freeze
  end
end
