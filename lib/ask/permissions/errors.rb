# frozen_string_literal: true

module Ask
  module Permissions
    # The base class of the errors that are this gem's own.
    class Error < StandardError
    end

    # An approval was to be resolved that is not pending: unknown, being resolved, or resolved.
    # {ApprovalQueue#approve} and {ApprovalQueue#reject} skip such approvals instead of raising it.
    class UnknownApprovalError < Error
    end
  end
end
