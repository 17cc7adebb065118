# frozen_string_literal: true

require "stringio"
require_relative "format"

module Vectors
  # What a gate answers while its clock moves.
  class GatePlay
    Call = Data.define(:id, :name, :arguments)
    QUESTION = %w[about mode blocked_tools timeout].freeze

    def self.play(vectors)
      { "cases" => vectors.fetch("cases").map { |question| new(question).play } }
    end

    def initialize(question)
      @question = question.slice(*QUESTION)
      @steps = question.fetch("steps")
      @now = 0
    end

    def play
      options = @question.except("about").to_h { |name, value| [name.to_sym, Format.load(value)] }
      made = Format.answer do
        @gate = Ask::Permissions::Permissions.new(clock: -> { @now }, **options)
        [@gate.mode, @gate.blocked_tools, @gate.timeout]
      end
      @question.merge("made" => made, "steps" => @steps.map { |step| take(step.fetch("do")) })
    end

    private

    def take(operation)
      error = $stderr
      $stderr = StringIO.new
      answer = Format.answer { act(*operation) }
      warned = $stderr.string
      { "do" => operation }.merge(answer, warned.empty? ? {} : { "warned" => warned })
    ensure
      $stderr = error
    end

    def act(name, *details)
      details = Format.load(details)
      case name
      when "call" then @gate.before_tool_call(Call.new(details[0], details[1], details[2] || {}))
      when "approve" then @gate.approve(*details)
      when "approved?" then @gate.send(:approved?, Call.new(details[0], "bash", {}))
      when "pending" then @gate.pending_approvals.map { |entry| entry.to_h.slice(:tool_call_id, :created_at) }
      when "entry" then @gate.pending_approvals.first[details.first]
      when "tick" then @now += details.first
      when "block" then @gate.blocked_tools.push(*details)
      when "unblock" then @gate.blocked_tools.delete(*details)
      else raise ArgumentError, "no such step: #{name}"
      end
    end
  end
end
