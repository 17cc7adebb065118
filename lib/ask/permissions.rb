# frozen_string_literal: true

# The namespace that the gems of the ask family share.
module Ask
  # Answers one question before an agent's tool runs: may this call proceed?
  #
  # - {PermissionRules}: ordered allow, ask and deny rules over tool names and arguments
  # - {ApprovalQueue}: decisions that wait for a person
  # - {ApprovalPolicy}: the hook that joins the two
  # - {Permissions}: a gate with modes and approvals that stick to a tool call
  module Permissions
  end
end

require "ask/permissions/version"
require "ask/permissions/errors"
require "ask/permissions/native"
require "ask/permissions/tool_pattern"
require "ask/permissions/permission_rules"
require "ask/permissions/approval_queue"
require "ask/permissions/approval_policy"
require "ask/permissions/permissions"
