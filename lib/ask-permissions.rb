# frozen_string_literal: true

require "ask/permissions"
