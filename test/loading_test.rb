# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"

# What is there after loading the library, and the ways to load it.
class LoadingTest < Minitest::Test
  NAMES = %i[
    ApprovalPolicy ApprovalQueue Error PermissionRules Permissions ToolPattern UnknownApprovalError VERSION
  ].freeze
  FILES = %w[version errors tool_pattern permission_rules approval_queue permissions approval_policy].freeze

  # What the script prints in a Ruby that has loaded nothing.
  def printed(script, *options)
    result = Child.ruby("-w", *options, "-", stdin: script)
    assert_predicate result, :success?, result.to_s
    assert_empty result.stderr
    result.stdout
  end

  # What is there

  def test_everything_lives_in_a_plain_module
    assert_instance_of Module, Ask
    assert_instance_of Module, Ask::Permissions
    assert_empty NAMES - Ask::Permissions.constants
  end

  def test_the_public_classes_and_values_have_their_names
    {
      "Ask::Permissions::ApprovalPolicy" => Class, "Ask::Permissions::ApprovalQueue" => Class,
      "Ask::Permissions::ApprovalQueue::Action" => Class, "Ask::Permissions::Error" => Class,
      "Ask::Permissions::PermissionRules" => Class, "Ask::Permissions::PermissionRules::Rule" => Class,
      "Ask::Permissions::Permissions" => Class, "Ask::Permissions::Permissions::Approval" => Class,
      "Ask::Permissions::ToolPattern" => Module, "Ask::Permissions::UnknownApprovalError" => Class
    }.each do |name, kind|
      constant = Object.const_get(name)
      assert_instance_of kind, constant
      assert_equal name, constant.name
    end
  end

  def test_the_version_is_a_frozen_string
    assert_match(/\A\d+\.\d+\.\d+\z/, Ask::Permissions::VERSION)
    assert_predicate Ask::Permissions::VERSION, :frozen?
  end

  def test_the_namespace_can_be_reopened
    Ask::Permissions.module_eval { const_set(:AddedHere, Class.new(Ask::Permissions::Error)) }
    assert_operator Ask::Permissions::AddedHere, :<, StandardError
    assert_equal "Ask::Permissions::AddedHere", Ask::Permissions::AddedHere.name
  ensure
    Ask::Permissions.send(:remove_const, :AddedHere) if Ask::Permissions.const_defined?(:AddedHere)
  end

  def test_the_namespace_can_be_included
    inside = Class.new { include Ask::Permissions }
    assert_same Ask::Permissions::ApprovalQueue, inside.const_get(:ApprovalQueue)
  end

  # Ways to load it

  def test_both_names_load_it_once_and_without_a_warning
    ["ask-permissions", "ask/permissions"].permutation do |first, second|
      assert_equal "true\n[]\n", printed(<<~RUBY)
        before = require(#{first.inspect})
        require(#{second.inspect})
        features = $LOADED_FEATURES.dup
        puts before
        p [require("ask-permissions"), require("ask/permissions")].select(&:itself) + ($LOADED_FEATURES - features)
      RUBY
    end
  end

  def test_either_name_gives_everything
    ["ask-permissions", "ask/permissions"].each do |name|
      assert_equal "[]\n", printed(<<~RUBY)
        require #{name.inspect}
        p #{NAMES.inspect} - Ask::Permissions.constants
      RUBY
    end
  end

  def test_each_file_can_be_loaded_by_itself
    FILES.each do |file|
      assert_equal "Ask::Permissions\n", printed("require 'ask/permissions/#{file}'\nputs Ask::Permissions")
    end
  end

  def test_the_version_can_be_read_without_the_rest
    assert_equal "#{Ask::Permissions::VERSION}\n[:VERSION]\n", printed(<<~RUBY)
      require "ask/permissions/version"
      puts Ask::Permissions::VERSION
      p Ask::Permissions.constants
    RUBY
  end

  def test_the_namespace_may_exist_before
    assert_equal "1\ntrue\n", printed(<<~RUBY)
      module Ask
        module Permissions
          EARLIER = 1
        end
      end
      require "ask-permissions"
      puts Ask::Permissions::EARLIER, Ask::Permissions::ApprovalQueue.new.approve_all.empty?
    RUBY
  end

  def test_a_sibling_namespace_is_left_alone
    assert_equal "[:Agent, :Permissions]\n", printed(<<~RUBY)
      module Ask; module Agent; end; end
      require "ask-permissions"
      p Ask.constants.sort
    RUBY
  end

  def test_json_is_there_afterwards
    assert_equal "{\"a\":1}\n", printed("require 'ask-permissions'\nputs JSON.generate({ 'a' => 1 })")
  end

  def test_nothing_outside_the_namespace_is_added
    added = printed(<<~RUBY)
      require "json"
      constants = Object.constants
      methods = [Object, Kernel, Module, String, Hash].to_h { |owner| [owner, owner.instance_methods(false)] }
      require "ask-permissions"
      p Object.constants - constants, methods.sum { |owner, names| (owner.instance_methods(false) - names).size }
    RUBY
    assert_equal "[:Ask]\n0\n", added
  end

  def test_loading_starts_no_thread_and_writes_nothing
    assert_equal "1\n", printed("require 'ask-permissions'\nputs Thread.list.size")
  end

  def test_it_loads_with_frozen_string_literals_and_without_gems
    ["--enable=frozen-string-literal", "--disable=gems"].each do |option|
      script = "require 'ask-permissions'\nputs Ask::Permissions::PermissionRules.new.deny('x').classify('x')"
      assert_equal "deny\n", printed(script, option)
    end
  end
end
