# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# Subclasses in the styles that real programs use.
class SubclassTest < Minitest::Test
  include Doubles

  Queue = Ask::Permissions::ApprovalQueue
  Rules = Ask::Permissions::PermissionRules
  Policy = Ask::Permissions::ApprovalPolicy
  Gate = Ask::Permissions::Permissions

  # Sets its own variables first, then hands all keywords on.
  class JournalQueue < Queue
    attr_reader :journal

    def initialize(session:, **kwargs)
      @session = session
      @journal = []
      super(**kwargs)
    end

    def submit(tool_name:, tool_call_id:, **)
      @journal << [@session, :submit, tool_name.to_s, tool_call_id]
      super
    end

    private

    def apply(action, ...)
      @journal << [@session, :apply, action.id]
      super
    end

    def reject_action(action, ...)
      @journal << [@session, :reject, action.id]
      super
    end
  end

  # Keeps statuses of its own beside those of the queue.
  class MirrorQueue < Queue
    attr_reader :mirror

    def initialize(...)
      super
      @mirror = {}
    end

    def submit(**)
      super.tap { |id| @mirror[id] = self[id] }
    end

    def apply(action)
      @mirror[action.id] = action.with(status: :approving)
      super.tap { |resolved| @mirror[action.id] = resolved }
    end
  end

  def test_variables_before_super_and_keywords_handed_on
    queue = JournalQueue.new(session: "s", auto_approve: { "fetch" => true })
    submit(queue, :bash)
    submit(queue, "fetch", auto_approvable: true, args: { "u" => 1 }, message: "m")
    assert_equal(%i[rejected], queue.reject(1).map(&:status))
    assert_predicate queue.drain[2], :approved?
    assert_equal [{ "u" => 1 }, "m"], [queue[2].args, queue[2].message]
    assert_equal [
      ["s", :submit, "bash", "tc-1"], ["s", :submit, "fetch", "tc-1"], ["s", :reject, 1], ["s", :apply, 2]
    ], queue.journal
  end

  def test_an_override_may_be_public_and_see_every_status
    queue = nil
    queue = MirrorQueue.new(on_approve: ->(action) { assert_equal :approving, queue.mirror[action.id].status })
    submit(queue)
    assert_equal [:pending, queue[1]], [queue.mirror[1].status, queue.mirror[1]]
    assert_equal queue.approve(1), [queue.mirror[1]]
    assert_equal :approved, queue.mirror[1].status
  end

  def test_what_an_override_returns_is_what_approve_returns
    labelled = Class.new(Queue) do
      private

      def apply(action) = super.with(status: :approved_by_hand)
      def reject_action(action) = [super.status]
    end.new
    2.times { submit(labelled) }
    assert_equal([:approved_by_hand], labelled.approve(1).map(&:status))
    assert_equal [[:rejected]], labelled.reject(2)
    assert_equal :approved, labelled[1].status
  end

  def test_an_override_that_raises_before_super_leaves_the_action_pending
    guarded = Class.new(Queue) do
      private

      def apply(action)
        raise IOError, "not today" if action.tool_name == "bash"

        super
      end
    end.new
    submit(guarded)
    assert_equal "not today", assert_raises(IOError) { guarded.approve(1) }.message
    assert_predicate guarded[1], :pending?
    assert_equal(%i[rejected], guarded.reject(1).map(&:status))
  end

  def test_an_override_that_raises_after_super_leaves_the_action_resolved
    late = Class.new(Queue) do
      private

      def apply(action)
        super
        raise IOError, "too late"
      end
    end.new
    submit(late)
    assert_raises(IOError) { late.approve(1) }
    assert_predicate late[1], :approved?
  end

  def test_a_submit_that_refuses_uses_up_no_id
    refusing = Class.new(Queue) do
      def submit(tool_name:, **)
        raise ArgumentError, "no shell" if tool_name == "bash"

        super
      end
    end.new
    assert_raises(ArgumentError) { submit(refusing) }
    assert_equal 1, submit(refusing, "read")
  end

  def test_a_submit_that_changes_keywords_before_zsuper
    changing = Class.new(Queue) do
      def submit(tool_call_id:, tool_name:, args: {}, auto_approvable: false, message: nil)
        tool_name = "x.#{tool_name}"
        message ||= "from #{tool_call_id}"
        super
      end
    end.new
    submit(changing, "bash", args: [1])
    assert_equal ["x.bash", "from tc-1", [1]], [changing[1].tool_name, changing[1].message, changing[1].args]
  end

  # Initialize in every style, for each class

  def test_initialize_that_takes_anything_and_passes_nothing
    [Queue, Rules, Gate].each do |parent|
      subclass = Class.new(parent) do
        attr_reader :given

        def initialize(*given)
          @given = given
          super()
        end
      end
      assert_equal [1, 2], subclass.new(1, 2).given
    end
  end

  def test_initialize_with_an_anonymous_splat_hands_no_keywords_on
    [Queue, Rules, Gate].each do |parent|
      subclass = Class.new(parent) do
        def initialize(*)
          @own = 1
          super
        end
      end
      assert_instance_of subclass, subclass.new
      error = assert_raises(ArgumentError) { subclass.new(clock: nil) }
      assert_equal "wrong number of arguments (given 1, expected 0)", error.message
    end
  end

  def test_initialize_that_collects_options_and_hands_them_on
    queue = Class.new(Queue) { def initialize(**options) = super(**options, auto_approve: { "a" => true }) }
    made = queue.new(clock: -> { 7 })
    submit(made, "a", auto_approvable: true)
    assert_equal [:approved, 7], [made[1].status, made[1].submitted_at]
    gate = Class.new(Gate) { def initialize(**options) = super(mode: :read_only, **options) }
    assert_equal [:read_only, 5], gate.new(timeout: 5).then { [_1.mode, _1.timeout] }
    policy = Class.new(Policy) { def initialize(**options) = super(require_approval: :all, **options) }
    assert_equal :all, policy.new(queue: made).require_approval
  end

  def test_initialize_that_forwards_everything_with_its_block
    forwarding = Class.new(Rules) do
      def initialize(...)
        @kept = 1
        super
        deny "drop"
      end
    end
    rules = forwarding.new(auto_allow_dangerous: true) { allow "bash" }
    assert_equal %i[allow deny], [rules.classify("bash"), rules.classify("drop")]
    assert_equal 1, rules.instance_variable_get(:@kept)
  end

  def test_a_subclass_of_rules_declares_in_its_own_words
    team = Class.new(Rules) do
      def initialize
        super
        forbid "drop", "delete"
      end

      def forbid(*names) = names.each { |name| deny(name) }
      def allow(tool, *rest) = super("x.#{tool}", *rest)
    end.new.allow("read")
    assert_equal([:deny, :deny, :allow, nil], %w[drop delete x.read read].map { |name| team.classify(name) })
  end

  def test_a_subclass_of_rules_decides_before_and_after
    wary = Class.new(Rules) { def classify(name, args = nil) = super || (args.nil? ? nil : :ask) }.new.allow("read")
    assert_equal [:allow, :ask, nil], [wary.classify("read", 1), wary.classify("x", 1), wary.classify("x")]
    queue = Queue.new
    policy = Policy.new(queue:, rules: wary)
    assert_equal :pending, policy.before_tool_call(tool_call("x", arguments: "{}"))[:action]
  end

  def test_a_subclass_of_policy_wraps_the_hook
    logged = Class.new(Policy) do
      attr_reader :results

      def before_tool_call(tool_call, context = nil)
        (@results ||= []) << super
        @results.last.merge(turn: context)
      end
    end.new(queue: Queue.new, require_approval: "bash")
    assert_equal({ action: :proceed, turn: 3 }, logged.before_tool_call(tool_call("read"), 3))
    assert_equal :pending, logged.method(:before_tool_call).unbind.bind_call(logged, tool_call)[:action]
    assert_equal(%i[proceed pending], logged.results.map { _1[:action] })
  end

  def test_a_subclass_of_gate_wraps_the_hook_and_the_reminder
    gate = Class.new(Gate) do
      attr_reader :said

      def initialize(*)
        @said = []
        super()
      end

      def before_tool_call(tool_call, _context = nil) = super.merge(gate: true)
      def warn(message) = @said << message
    end.new
    assert_equal({ action: :block, reason: "bash requires approval", gate: true }, gate.before_tool_call(tool_call))
    assert_equal 1, gate.said.size
  end

  def test_a_subclass_of_a_subclass_with_a_module_between
    counting = Module.new do
      def submit(**) = (@submitted = submitted + 1) && super
      def submitted = @submitted ||= 0
    end
    queue = Class.new(Class.new(JournalQueue) { prepend counting }) { include Enumerable }.new(session: 1)
    2.times { submit(queue) }
    assert_equal [2, 2], [queue.submitted, queue.pending_actions.size]
  end

  def test_a_module_extends_one_object_only
    queue = Queue.new
    queue.extend(Module.new { def approve(*) = [] })
    submit(queue)
    assert_equal [[], true], [queue.approve(1), queue.pending?(1)]
  end

  # Kinds

  def test_subclasses_are_known_by_their_class
    queue = JournalQueue.new(session: 1)
    assert_kind_of Queue, queue
    assert_instance_of JournalQueue, queue
    assert_equal Queue, JournalQueue.superclass
    assert_equal [Object] * 4, [Queue, Rules, Policy, Gate].map(&:superclass)
    assert_operator Queue, :===, queue
  end

  def test_objects_of_each_class_hold_variables_and_methods_of_their_own
    [Queue.new, Rules.new, Policy.new(queue: nil), Gate.new].each do |object|
      object.instance_variable_set(:@own, 1)
      object.define_singleton_method(:own) { @own }
      assert_equal 1, object.own
      assert_equal 1, { object => 1 }[object]
    end
  end

  def test_a_later_super_is_allowed_if_nothing_was_asked_before
    late = Class.new(Queue) do
      def initialize(name)
        @name = name
        yield self
        super(on_submit: ->(action) { @name << action.tool_name })
      end
    end
    names = []
    assert_equal 1, submit(late.new(names) { |queue| assert_nil queue.on_submit })
    assert_equal ["bash"], names
  end
end
