# frozen_string_literal: true

require_relative "rules_play"
require_relative "queue_play"
require_relative "gate_play"
require_relative "policy_play"
require_relative "api_play"

# Recorded vectors: each file holds questions, and what the reference answers to them. To add one, write the question
# and record again.
module Vectors
  PLAYS = {
    "tool_pattern" => ToolPatternPlay, "rules" => RulesPlay, "dangerous" => DangerousPlay, "queue" => QueuePlay,
    "gate" => GatePlay, "policy" => PolicyPlay, "api" => ApiPlay
  }.freeze

  module_function

  def read(name) = JSON.parse(File.read(path(name), encoding: "UTF-8"))

  # The same questions with the answers of the library that is loaded, as JSON would give them back.
  def play(name, vectors = read(name)) = JSON.parse(JSON.generate(PLAYS.fetch(name).play(vectors)))

  def record(name) = File.write(path(name), "#{Writer.write(play(name))}\n")

  def path(name) = File.join(__dir__, "#{name}.json")
end
