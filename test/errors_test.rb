# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/doubles"

# The error classes, and where the library raises them.
class ErrorsTest < Minitest::Test
  include Doubles

  def test_the_hierarchy
    assert_equal StandardError, Ask::Permissions::Error.superclass
    assert_equal Ask::Permissions::Error, Ask::Permissions::UnknownApprovalError.superclass
  end

  def test_they_are_made_and_raised_as_any_error
    assert_equal "Ask::Permissions::UnknownApprovalError", Ask::Permissions::UnknownApprovalError.new.message
    assert_equal "gone", assert_raises(Ask::Permissions::Error) { raise Ask::Permissions::Error, "gone" }.message
    assert_raises(Ask::Permissions::Error) { raise Ask::Permissions::UnknownApprovalError }
  end

  def test_an_unknown_action_is_rescued_as_a_standard_error
    queue = Ask::Permissions::ApprovalQueue.new
    submit(queue)
    action = queue.approve(1).first
    text =
      begin
        queue.send(:apply, action)
      rescue StandardError => e
        e.message
      end
    assert_equal "unknown pending approval: 1", text
  end

  def test_resolving_by_id_never_raises_it
    queue = Ask::Permissions::ApprovalQueue.new
    assert_equal [[], []], [queue.approve(1), queue.reject(1)]
  end

  def test_errors_of_callbacks_come_out_as_the_same_object
    error = Class.new(StandardError).new("mine")
    queue = Ask::Permissions::ApprovalQueue.new(on_submit: ->(_action) { raise error })
    assert_same error, assert_raises(error.class) { submit(queue) }
    queue.on_submit = nil
    queue.on_approve = queue.on_reject = ->(_action) { raise error }
    assert_same error, assert_raises(error.class) { queue.approve(1) }
    assert_same error, assert_raises(error.class) { queue.reject(1) }
  end

  def test_the_backtrace_of_a_callbacks_error_leads_to_the_callback_and_the_caller
    queue = Ask::Permissions::ApprovalQueue.new(on_approve: ->(_action) { raise IOError })
    submit(queue)
    error = assert_raises(IOError) { queue.approve(1) }
    lines = error.backtrace_locations.select { |location| location.path == __FILE__ }
    assert_operator lines.size, :>=, 2
  end

  def test_a_callbacks_error_has_no_cause_of_ours
    queue = Ask::Permissions::ApprovalQueue.new(on_approve: ->(_action) { raise IOError })
    submit(queue)
    assert_nil assert_raises(IOError) { queue.approve(1) }.cause
  end
end
