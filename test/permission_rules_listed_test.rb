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

  def test_a_stub_counts_after_another_was_taken_away
    denying = PermissionRules.new.deny("read").rules
    rules = PermissionRules.new.allow("read")
    2.times do
      rules.stubs(:rules).returns(denying)
      assert_equal :deny, rules.classify("read")
      rules.unstub(:rules)
      assert_equal :allow, rules.classify("read")
    end
    rules.singleton_class
    assert_equal :allow, rules.classify("read")
    rules.define_singleton_method(:rules) { denying }
    assert_equal :deny, rules.classify("read")
  end

  def test_every_instance_may_be_stubbed
    denying = PermissionRules.new.deny("read").rules
    rules = PermissionRules.new.allow("read")
    assert_equal :allow, rules.classify("read")
    PermissionRules.any_instance.stubs(:rules).returns(denying)
    assert_equal :deny, rules.classify("read")
    PermissionRules.any_instance.unstub(:rules)
    assert_equal :allow, rules.classify("read")
  end

  def test_a_subclass_may_get_another_list_later
    denying = PermissionRules.new.deny("read").rules
    listing = Module.new { define_method(:rules) { denying } }
    changes = {
      prepend: ->(owner) { owner.prepend(listing) }, include: ->(owner) { owner.include(listing) },
      define: ->(owner) { owner.define_method(:rules) { denying } },
      reopen: ->(owner) { owner.class_eval { alias_method(:before, :rules) && define_method(:rules) { denying } } }
    }
    changes.each do |name, change|
      owner = Class.new(PermissionRules)
      rules = owner.new.allow("read")
      assert_equal :allow, rules.classify("read"), name
      change.call(owner)
      assert_equal :deny, rules.classify("read"), name
    end
  end

  def test_the_list_may_be_changed_from_within
    changing = Class.new(PermissionRules) { def forget = @rules.clear }
    rules = changing.new.deny("read")
    assert_equal :deny, rules.classify("read")
    rules.forget
    assert_nil rules.classify("read")
  end

  def test_a_subclass_may_have_a_method_named_method
    owner = Class.new(PermissionRules) { attr_accessor :method }
    assert_equal :deny, owner.new.deny("read").classify("read")
  end

  def test_policies_see_it_too
    policy = Ask::Permissions::ApprovalPolicy.new(queue: Ask::Permissions::ApprovalQueue.new, rules: Layered.new)
    call = Struct.new(:id, :name, :arguments).new("1", "drop", {})
    assert_equal :block, policy.before_tool_call(call)[:action]
  end
end
