# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/child"
require_relative "support/reference"

# Hostile text cannot keep a Regexp busy for ever.
class PermissionRulesTimeoutTest < Minitest::Test
  include Child::Assertions

  PermissionRules = Ask::Permissions::PermissionRules

  # A back-reference rules out linear time, and this text takes exponential time with it.
  SLOW = /\A(?<x>a|b|ab)*(?<y>a|b|ab)*\k<x>\k<y>c\z/
  HOSTILE = "#{"ab" * 40}xc".freeze

  def setup
    repaired!
  end

  def test_a_slow_pattern_fails_closed
    refute Regexp.linear_time?(SLOW)
    rules = PermissionRules.new(regexp_timeout: 0.01).deny("bash", SLOW).allow(:all)
    assert_raises(Regexp::TimeoutError) { rules.classify("bash", HOSTILE) }
    assert_equal :deny, rules.classify("bash", "aaaac")
    assert_raises(Regexp::TimeoutError) { PermissionRules.new(regexp_timeout: 0.01).deny(SLOW).classify(HOSTILE) }
  end

  def test_there_is_a_bound_without_asking_for_one
    assert_checks(<<~'RUBY', seconds: 30)
      rules = Ask::Permissions::PermissionRules.new.deny("bash", /\A(?<x>a|b|ab)*(?<y>a|b|ab)*\k<x>\k<y>c\z/)
      error = begin
        rules.classify("bash", "#{"ab" * 40}xc")
      rescue StandardError => e
        e.class
      end
      check "the error", Regexp::TimeoutError, error
    RUBY
  end

  def test_a_policy_passes_the_error_on_so_that_nothing_proceeds
    rules = PermissionRules.new(regexp_timeout: 0.01).deny("bash", SLOW)
    policy = Ask::Permissions::ApprovalPolicy.new(queue: Ask::Permissions::ApprovalQueue.new, rules:)
    call = Struct.new(:id, :name, :arguments).new("1", "bash", HOSTILE)
    assert_raises(Regexp::TimeoutError) { policy.before_tool_call(call) }
  end

  def test_a_pattern_with_a_timeout_of_its_own_keeps_it
    patient = Regexp.new(SLOW, timeout: 0.02)
    rules = PermissionRules.new(regexp_timeout: 3600).deny("bash", patient)
    assert_raises(Regexp::TimeoutError) { rules.classify("bash", HOSTILE) }
  end

  def test_the_applications_own_bound_counts_where_it_is_shorter
    before = Regexp.timeout
    Regexp.timeout = 0.01
    rules = PermissionRules.new(regexp_timeout: 3600).deny("bash", SLOW)
    Regexp.timeout = before
    assert_raises(Regexp::TimeoutError) { rules.classify("bash", HOSTILE) }
  ensure
    Regexp.timeout = before
  end

  def test_the_rule_keeps_the_declared_pattern
    rule = PermissionRules.new.deny("bash", SLOW).rules.first
    assert_same SLOW, rule.argument_pattern
    assert_nil rule.argument_pattern.timeout
  end
end
