# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/reference"

# A subclass may have helpers and instance variables of any name that was free in the pure-Ruby gem.
class PrivateNamesTest < Minitest::Test
  Permissions = Ask::Permissions

  # What Ruby itself calls, and the one question of the command's.
  OWN = %i[initialize initialize_copy initialize_clone deciding_index].freeze

  NAMES = {
    Permissions::PermissionRules => %i[register dangerous_allow? dangerous_tool?],
    Permissions::ApprovalQueue =>
      %i[apply reject_action resolve_all resolve next_auto_head start_draining stop_draining],
    Permissions::ApprovalPolicy =>
      %i[approval_required? matches_require_approval? auto_approvable? find_tool enqueue],
    Permissions::Permissions =>
      %i[approved? mode_tools reason_for expired? existing_decision record_pending warn_approval]
  }.freeze

  def test_private_methods_have_no_other_names
    NAMES.each do |owner, names|
      assert_equal names.sort, (owner.private_instance_methods(false) - OWN).sort, owner
    end
  end

  def test_instance_variables_have_no_other_names
    repaired!
    free = %i[@auto_allow_dangerous @rules @actions @auto_approve @clock @on_approve @on_reject @on_submit @queue
              @require_approval @tools @approvals @blocked_tools @mode @timeout]
    queue = Permissions::ApprovalQueue.new
    [Permissions::PermissionRules.new, queue, Permissions::ApprovalPolicy.new(queue:), Permissions::Permissions.new]
      .each do |object|
        own = object.instance_variables - free
        assert(own.all? { |name| name.start_with?("@native_") }, own.inspect)
      end
  end

  def test_a_list_of_patterns_that_was_tampered_with_allows_nothing
    repaired!
    rules = Permissions::PermissionRules.new.allow("bash", /\Als/)
    rules.instance_variable_set(:@native_patterns, [])
    assert_raises(RuntimeError) { rules.classify("bash", "rm -rf /") }
  end
end
