# frozen_string_literal: true

require_relative "format"

module Vectors
  # What a queue does, step by step. Callbacks follow a script by the id of the action: "raise" fails, a list of steps
  # is taken from within, "ok" and the end of the script return.
  class QueuePlay
    QUESTION = %w[about auto_approve clock_fails_at on_submit on_approve on_reject].freeze
    CALLBACKS = %w[on_submit on_approve on_reject].freeze

    def self.play(vectors)
      { "cases" => vectors.fetch("cases").map { |question| new(question).play } }
    end

    def initialize(question)
      @question = question.slice(*QUESTION)
      @steps = question.fetch("steps")
      @auto_approve = Format.load(question.fetch("auto_approve", {}))
      @time = 0
      @log = []
      callbacks = CALLBACKS.to_h { |name| [name.to_sym, callback(name, question.fetch(name, {}))] }
      @queue = Ask::Permissions::ApprovalQueue.new(auto_approve: @auto_approve, clock: -> { tick }, **callbacks)
      @last_id = 0
    end

    def play = @question.merge("steps" => @steps.map { |step| take(step.fetch("do")) })

    private

    def take(operation)
      @log.clear
      answer = Format.answer { act(*operation) }
      log = @log.empty? ? {} : { "log" => @log.dup }
      { "do" => operation }.merge(answer, log, "states" => states)
    end

    def states
      (1..20).map { |id| @queue[id]&.status&.name }.reverse.drop_while(&:nil?).reverse
    end

    def tick
      @time += 1
      raise "clock" if @question.fetch("clock_fails_at", []).include?(@time)

      @time
    end

    def callback(name, scripts)
      scripts = scripts.transform_values(&:dup)
      lambda do |action|
        @log << "#{name} #{action.id} #{action.status}"
        follow(scripts[action.id.to_s]&.shift, "#{name} of #{action.id}")
      end
    end

    def follow(script, message)
      case script
      when "raise" then raise message
      when Array then script.each { |operation| nested(operation) }
      end
    end

    def nested(operation)
      entry = operation.join(" ")
      answer = act(*operation)
      @log << "#{entry} = #{JSON.generate(Format.dump(answer))}"
    end

    def act(name, *details)
      case name
      when "submit" then submit(*details)
      when "approve", "reject" then @queue.public_send(name, *Format.load(details)).map(&:id)
      when "approve_all", "reject_all", "pending_actions" then @queue.public_send(name).map(&:id)
      when "drain" then @queue.drain.equal?(@queue)
      when "auto_approve" then @auto_approve[details.first] = Format.load(details.last)
      when "action" then @queue[Format.load(details.first)]
      when "pending?", "any_pending?" then @queue.public_send(name, *Format.load(details))
      else raise ArgumentError, "no such step: #{name}"
      end
    end

    # A tool's name, or all keywords.
    def submit(tool, auto_approvable = nil)
      given = tool.is_a?(Hash) ? Format.load(tool).transform_keys(&:to_sym) : { tool_name: Format.load(tool) }
      @queue.submit(tool_call_id: "tc", auto_approvable:, **given)
    end
  end
end
