# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# Everything may be used from everything that the library calls, from the same thread and from another one that
# the callback waits for. A lock that is held across a callback deadlocks here.
class ReentrancyTest < Minitest::Test
  include Child::Assertions

  # Each use of a queue whose action 1 is in a callback, and what it must give. Action 2 is pending.
  USES = <<~'RUBY'
    def outline(result)
      case result
      when Array then result.map { |action| [action.id, action.status] }
      when Ask::Permissions::ApprovalQueue then :queue
      when Ask::Permissions::ApprovalQueue::Action then [result.id, result.status]
      else result
      end
    end

    USES = {
      "the same by []" => ->(queue) { queue[1] },
      "another by []" => ->(queue) { queue[2] },
      "approve of the same" => ->(queue) { queue.approve(1) },
      "approve of another" => ->(queue) { queue.approve(2) },
      "reject of the same" => ->(queue) { queue.reject(1) },
      "reject of another" => ->(queue) { queue.reject(2) },
      "approve_all" => ->(queue) { queue.approve_all },
      "reject_all" => ->(queue) { queue.reject_all },
      "drain" => ->(queue) { queue.drain },
      "submit" => ->(queue) { queue.submit(tool_call_id: "new", tool_name: "new") },
      "pending?" => ->(queue) { queue.pending?(1) },
      "any_pending?" => ->(queue) { queue.any_pending? },
      "pending_actions" => ->(queue) { queue.pending_actions }
    }.freeze

    WHERE = {
      "here" => ->(use) { use.call },
      "in a joined thread" => ->(use) { Thread.new { use.call }.value },
      "in a Fiber" => ->(use) { Fiber.new { use.call }.resume },
      "after thread switches" => ->(use) { 3.times { Thread.pass; sleep 0.001 }; use.call },
      "after garbage collection" => ->(use) { GC.start; GC.compact if GC.respond_to?(:compact); use.call }
    }.freeze

    # Plays each use at each place: the block gets the use, as a proc for the callback, and runs the operation;
    # then the result of the use and the statuses of actions 1 and 2 must be as in the table.
    def play_uses(label, expected)
      USES.each do |name, use|
        WHERE.each do |place, run|
          Check.during("#{name} #{place}, #{label}") do
            result = :not_called
            used = false
            queue = yield(lambda do |of|
              next if used

              used = true
              result = outline(run.call(-> { use.call(of) }))
            end)
            next unless expected.key?(name)

            check("result and statuses", expected[name], [result, *statuses(queue).first(2)])
            check_usable(queue)
          end
        end
      end
    end
  RUBY

  WHILE_APPLYING = <<~'RUBY'
    def while_applying(done)
      {
        "the same by []" => [[1, :applying], done, :pending],
        "another by []" => [[2, :pending], done, :pending],
        "approve of the same" => [[], done, :pending],
        "approve of another" => [[[2, :approved]], done, :approved],
        "reject of the same" => [[], done, :pending],
        "reject of another" => [[[2, :rejected]], done, :rejected],
        "approve_all" => [[[2, :approved]], done, :approved],
        "reject_all" => [[[2, :rejected]], done, :rejected],
        "drain" => [:queue, done, :pending],
        "submit" => [3, done, :pending],
        "pending?" => [false, done, :pending],
        "any_pending?" => [true, done, :pending],
        "pending_actions" => [[[2, :pending]], done, :pending]
      }
    end
  RUBY

  def test_from_on_approve
    assert_uses WHILE_APPLYING + <<~'RUBY'
      play_uses("in on_approve", while_applying(:approved)) do |use|
        queue = pending_queue(2)
        queue.on_approve = ->(_) { use.call(queue) }
        queue.approve(1)
        queue
      end
    RUBY
  end

  def test_from_on_reject
    assert_uses WHILE_APPLYING + <<~'RUBY'
      play_uses("in on_reject", while_applying(:rejected)) do |use|
        queue = pending_queue(2)
        queue.on_reject = ->(_) { use.call(queue) }
        queue.reject(1)
        queue
      end
    RUBY
  end

  def test_from_on_approve_in_a_drain
    assert_uses WHILE_APPLYING + <<~'RUBY'
      play_uses("in on_approve of a drain", while_applying(:approved)) do |use|
        auto = {}
        queue = pending_queue(2, auto_approve: auto)
        auto["tool1"] = true
        queue.on_approve = ->(_) { use.call(queue) }
        queue.drain
        queue
      end
    RUBY
  end

  WHILE_PENDING = <<~'RUBY'
    # Uses while action 1 is pending and action 2, if there is one, too.
    def while_pending(others = [[2, :pending]])
      {
        "the same by []" => [[1, :pending], :pending],
        "approve of the same" => [[[1, :approved]], :approved],
        "reject of the same" => [[[1, :rejected]], :rejected],
        "approve_all" => [[1, *others.map(&:first)].map { |id| [id, :approved] }, :approved],
        "reject_all" => [[1, *others.map(&:first)].map { |id| [id, :rejected] }, :rejected],
        "drain" => [:queue, :pending],
        "submit" => [others.size + 2, :pending],
        "pending?" => [true, :pending],
        "any_pending?" => [true, :pending],
        "pending_actions" => [[[1, :pending], *others], :pending]
      }
    end

  RUBY

  def test_from_on_submit
    assert_uses WHILE_PENDING + <<~'RUBY'
      expected = while_pending([]).merge("submit" => [2, :pending, :pending])
      play_uses("in on_submit", expected) do |use|
        queue = pending_queue(0)
        queue.on_submit = ->(_) { use.call(queue) }
        queue.submit(tool_call_id: "call1", tool_name: "tool1")
        queue
      end
    RUBY
  end

  def test_a_nested_approval_takes_an_action_from_the_outer_one
    assert_uses <<~'RUBY'
      { approve: :on_approve, reject: :on_reject }.each do |outer, callback|
        %i[approve reject].each do |inner|
          queue = pending_queue(3)
          queue.public_send(:"#{callback}=", ->(action) { queue.public_send(inner, 2) if action.id == 1 })
          check("what the nested one took is left out", [1, 3], queue.public_send(outer, 1, 2, 3).map(&:id))
          check_usable(queue)
        end
      end
    RUBY
  end

  def test_approving_in_every_callback_as_deep_as_there_are_actions
    assert_uses <<~'RUBY'
      queue = pending_queue(200)
      seen = []
      queue.on_approve = lambda do |action|
        seen << action.id
        queue.approve(action.id + 1)
      end
      check("the outermost resolves the first", [1], queue.approve(1).map(&:id))
      check("each callback ran once, in order", (1..200).to_a, seen)
      check("all approved", [:approved], statuses(queue).uniq)
    RUBY
  end

  def test_from_auto_approve
    repaired!
    assert_uses WHILE_PENDING + <<~'RUBY'
      class Table < Hash
        attr_accessor :action

        def [](name)
          action&.call
          super
        end
      end

      expected = while_pending.to_h { |name, facts| [name, [*facts, name.end_with?("_all") ? facts.last : :pending]] }
                              .merge("another by []" => [[2, :pending], :pending, :pending],
                                     "approve of another" => [[[2, :approved]], :pending, :approved],
                                     "reject of another" => [[[2, :rejected]], :pending, :rejected])
      play_uses("in auto_approve#[]", expected) do |use|
        table = Table.new
        queue = pending_queue(2, auto_approve: table)
        table.action = -> { use.call(queue) }
        queue.drain
        table.action = nil
        queue
      end
    RUBY
  end

  def test_from_the_clock_of_a_queue
    repaired!
    assert_uses WHILE_PENDING + <<~'RUBY'
      expected = while_pending([]).transform_values { |facts| [*facts, :pending] }
                                  .merge("submit" => [2, :pending, :pending])
      play_uses("in the clock", expected) do |use|
        queue = nil
        action = nil
        queue = pending_queue(1, clock: -> { action&.call; 7 })
        action = -> { use.call(queue) }
        queue.submit(tool_call_id: "call2", tool_name: "tool2")
        action = nil
        queue
      end
    RUBY
  end

  # Drains that change nothing must not keep one another going.
  def test_a_drain_in_every_look_at_auto_approve_ends
    repaired!
    assert_uses <<~'RUBY'
      class Table < Hash
        attr_accessor :action

        def [](name)
          action&.call
          super
        end
      end

      WHERE.each do |place, run|
        Check.during("drain #{place}, at every look") do
          looks = 0
          table = Table.new
          queue = pending_queue(2, auto_approve: table)
          table.action = lambda do
            raise "looks without end" if (looks += 1) > 100

            run.call(-> { queue.drain })
          end
          check("ends", queue, queue.drain)
          check("all pending", %i[pending pending], statuses(queue))
          looks = 0
          table["tool1"] = true
          check("ends", queue, queue.drain)
          check("what may be drained is", %i[approved pending], statuses(queue))
          table.action = nil
          check_usable(queue)
        end
      end
    RUBY
  end

  def test_from_the_name_of_a_tool
    repaired!
    assert_uses WHILE_PENDING + <<~'RUBY'
      play_uses("in to_s of the tool name", {}) do |use|
        queue = pending_queue(1)
        name = running(:to_s, -> { use.call(queue) }, "named")
        id = queue.submit(tool_call_id: "call2", tool_name: name)
        check("recorded by its name", "named", queue[id].tool_name)
        queue
      end
    RUBY
  end

  private

  def assert_uses(code)
    assert_checks(USES + code)
  end
end
