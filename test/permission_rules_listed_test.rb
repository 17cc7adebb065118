# frozen_string_literal: true

require_relative "test_helper"
require "mocha/minitest"

# What `rules` lists is what decides, also where a subclass or a mock lists something else.
class PermissionRulesListedTest < Minitest::Test
  PermissionRules = Ask::Permissions::PermissionRules

  class Layered < PermissionRules
    BASE = PermissionRules.new { deny "drop" }

    def rules
      BASE.rules + super
    end
  end

  def test_a_subclass_may_list_more_rules
    rules = Layered.new.allow("drop").allow("read")
    assert_equal :deny, rules.classify("drop")
    assert_equal :allow, rules.classify("read")
    assert_nil rules.classify("other")
    assert rules.deny?("drop")
  end

  def test_a_subclass_that_lists_nothing_new
    plain = Class.new(PermissionRules) { def shout = :loud }
    rules = plain.new.ask("bash", "rm")
    2.times { assert_equal :ask, rules.classify("bash", { "command" => "rm" }) }
  end

  def test_a_singleton_method_counts_from_then_on
    rules = PermissionRules.new.allow("read")
    assert_equal :allow, rules.classify("read")
    rules.define_singleton_method(:rules) { [] }
    assert_nil rules.classify("read")
  end

  def test_a_stub_counts_while_it_lasts
    listed = PermissionRules.new.deny("read").rules
    rules = PermissionRules.new.allow("read")
    rules.stubs(:rules).returns(listed)
    assert_equal :deny, rules.classify("read")
    rules.unstub(:rules)
    assert_equal :allow, rules.classify("read")
  end

  def test_policies_see_it_too
    policy = Ask::Permissions::ApprovalPolicy.new(queue: Ask::Permissions::ApprovalQueue.new, rules: Layered.new)
    call = Struct.new(:id, :name, :arguments).new("1", "drop", {})
    assert_equal :block, policy.before_tool_call(call)[:action]
  end
end
