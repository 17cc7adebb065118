# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# Objects whose `initialize` never ran, ran halfway, or ran twice: a clear error, never a crash.
class LifecycleAllocateTest < Minitest::Test
  include Child::Assertions

  SETUP = <<~'RUBY'
    include Ask::Permissions
    Call = Struct.new(:id, :name, :arguments)
    BASH = Call.new("call", "bash", {})

    # What needs an initialized object, class by class; plain readers and writers answer nil as in any class.
    USES = {
      PermissionRules => {
        allow: ["bash"], ask: ["bash"], deny: ["bash"], classify: ["bash", {}], allow?: ["bash"], ask?: ["bash"],
        deny?: ["bash"], rules: [], dangerous_rules: []
      },
      ApprovalQueue => {
        submit: [{ tool_call_id: 1, tool_name: "bash" }], pending_actions: [], pending?: [1], any_pending?: [], "[]": [1],
        approve: [1], reject: [1], approve_all: [], reject_all: [], drain: []
      },
      Ask::Permissions::Permissions => { before_tool_call: [BASH], approve: ["call"], pending_approvals: [] },
      ApprovalPolicy => { before_tool_call: [BASH], lookup: [1] }
    }.freeze

    def use(object, method, arguments)
      arguments.last.is_a?(Hash) && method == :submit ? object.submit(**arguments.last) : object.public_send(method, *arguments)
    end

    def check_refuses(object, type)
      USES[type].each do |method, arguments|
        error = error_of { use(object, method, arguments) }
        check("#{object.class}##{method} raises", true, error.is_a?(Ask::Permissions::Error))
        check("and says why: #{error&.message}", true, error&.message.to_s.include?("initialize"))
      end
    end
  RUBY

  def test_every_public_method_is_tried
    assert_lifecycle <<~'RUBY'
      plain = {
        ApprovalQueue => %i[auto_approve on_approve on_approve= on_reject on_reject= on_submit on_submit=],
        Ask::Permissions::Permissions => %i[mode blocked_tools timeout],
        ApprovalPolicy => %i[queue require_approval rules tools],
        PermissionRules => %i[freeze]
      }
      USES.each do |type, uses|
        left = type.public_instance_methods(false) - uses.keys - plain[type]
        check("methods of #{type} without a test", [], left)
      end
    RUBY
  end

  def test_allocated_only
    repaired!
    assert_lifecycle "USES.each_key { |type| check_refuses(type.allocate, type) }"
  end

  def test_a_subclass_that_forgets_super
    repaired!
    assert_lifecycle <<~'RUBY'
      USES.each_key do |type|
        check_refuses(Class.new(type) { def initialize(*) = @own = 1 }.new, type)
      end
    RUBY
  end

  def test_plain_methods_of_an_allocated_object
    assert_lifecycle <<~'RUBY'
      USES.each_key do |type|
        object = type.allocate
        check("inspect", true, object.inspect.start_with?("#<#{type}"))
        check("to_s", true, object.to_s.start_with?("#<#{type}"))
        check("hash, ==, frozen?", [true, true, false], [object.eql?(object), object == object, object.frozen?])
        check("freeze", true, object.freeze.frozen?)
        check("inspect of the frozen one", true, object.inspect.start_with?("#<#{type}"))
      end
      queue = ApprovalQueue.allocate
      queue.on_approve = 1
      check("writers and readers", [1, nil, nil], [queue.on_approve, queue.on_reject, queue.auto_approve])
      gate = Ask::Permissions::Permissions.allocate
      check("readers of a gate", [nil, nil, nil], [gate.mode, gate.timeout, gate.blocked_tools])
    RUBY
  end

  def test_copies_of_allocated_objects
    repaired!
    assert_lifecycle <<~'RUBY'
      [PermissionRules, ApprovalQueue, Ask::Permissions::Permissions].each do |type|
        %i[dup clone].each do |copy|
          error = error_of { type.allocate.public_send(copy) }
          check("#{copy} of #{type}", true, error.is_a?(TypeError) || error.is_a?(Ask::Permissions::Error))
        end
      end
    RUBY
  end

  def test_initialize_that_fails
    repaired!
    assert_lifecycle <<~'RUBY'
      kept = nil
      type = Class.new(Ask::Permissions::Permissions) do
        define_method(:initialize) do |**options|
          kept = self
          super(**options)
        end
      end
      check("raises", ArgumentError, error_of { type.new(mode: :unknown) }.class)
      check_refuses(kept, Ask::Permissions::Permissions)
      type = Class.new(ApprovalQueue) do
        define_method(:initialize) { |*arguments| super(*(kept = self).then { arguments }) }
      end
      check("raises", ArgumentError, error_of { type.new(1) }.class)
      check_refuses(kept, ApprovalQueue)
    RUBY
  end

  def test_initialize_again
    assert_lifecycle <<~'RUBY'
      rules = PermissionRules.new { deny "bash" }
      rules.send(:initialize) { allow "ls" }
      check("a rule set is new", [nil, :allow, 1], [rules.classify("bash"), rules.classify("ls"), rules.rules.size])

      queue = pending_queue(3)
      queue.send(:initialize)
      check("a queue is new", [[], nil, 1], [queue.pending_actions, queue[1], queue.submit(tool_call_id: 1, tool_name: "a")])
      check_usable(queue)

      gate = Ask::Permissions::Permissions.new
      gate.define_singleton_method(:warn) { |*| }
      gate.before_tool_call(BASH)
      gate.send(:initialize, blocked_tools: %w[ls])
      check("a gate is new", [[], [:ls]], [gate.pending_approvals, gate.blocked_tools])
    RUBY
  end

  # Whatever comes of the action in hand, the process lives and the new queue works.
  def test_initialize_again_in_a_callback
    assert_lifecycle <<~'RUBY'
      %i[approve reject drain].each do |way|
        queue = pending_queue(3, auto_approve: (auto = {}))
        auto["tool1"] = true
        queue.on_approve = queue.on_reject = ->(_) { queue.send(:initialize) }
        error_of { way == :drain ? queue.drain : queue.public_send(way, 1, 2) }
        GC.start
        check("no pending action is left over", [], queue.pending_actions)
        queue.send(:initialize)
        check("the first id", 1, queue.submit(tool_call_id: 1, tool_name: "a"))
        check_usable(queue)
      end
      rules = PermissionRules.new { deny "bash", "x" }
      again = running(:to_s, -> { rules.send(:initialize) { allow "bash" } }, "x")
      error_of { rules.classify("bash", again) }
      check("rules declared anew", :ask, rules.classify("bash", "x"))
    RUBY
  end

  # Handles of compiled code, were somebody to get hold of one.
  def test_native_handles
    repaired!
    assert_lifecycle <<~'RUBY'
      [PermissionRules.new, ApprovalQueue.new].each do |object|
        handles = object.instance_variables.map { |name| object.instance_variable_get(name) }
                        .select { |value| value.class.name.include?("::Native::") }
        check("has a handle", true, handles.any?)
        handles.each do |handle|
          check("allocate", TypeError, error_of { handle.class.allocate }.class)
          check("dup", TypeError, error_of { handle.dup }.class)
          check("Marshal", TypeError, error_of { Marshal.dump(handle) }.class)
          check("inspect", true, handle.inspect.include?("Native"))
          handle.class.instance_methods(false).each do |method|
            arity = handle.method(method).arity
            [[], [nil], [1, 2, 3, 4, 5], Array.new(arity.abs), Array.new(arity.abs) { [] }, Array.new(arity.abs) { handle },
             Array.new(arity.abs) { 1 << 80 }].each { |arguments| error_of { handle.public_send(method, *arguments) } }
          end
        end
        GC.start
        check("alive", true, object.inspect.include?("#<"))
      end
    RUBY
  end

  private

  def assert_lifecycle(code)
    assert_checks(SETUP + code)
  end
end
