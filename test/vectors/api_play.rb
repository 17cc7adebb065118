# frozen_string_literal: true

require_relative "format"

module Vectors
  # The shape of the API: methods and how they are called, members, constants, and what wrong calls are told.
  class ApiPlay
    CLASSES = %w[
      PermissionRules PermissionRules::Rule ToolPattern ApprovalQueue ApprovalQueue::Action ApprovalPolicy Permissions
      Permissions::Approval Error UnknownApprovalError
    ].freeze

    def self.play(vectors)
      {
        "loaded" => { "VERSION" => Ask::Permissions::VERSION, "JSON" => defined?(JSON) },
        "classes" => CLASSES.to_h { |name| [name, describe(constant(name))] },
        "mistakes" => vectors.fetch("mistakes").map { |question| mistake(question.fetch("on"), question.fetch("call")) }
      }
    end

    def self.constant(name) = Ask::Permissions.const_get(name)

    def self.describe(described)
      shape = { "kind" => described.class.name }
      shape["superclass"] = described.superclass.name if described.is_a?(Class)
      shape["members"] = described.members.map(&:name) if described.respond_to?(:members)
      shape.merge(methods_of(described), "constants" => constants_of(described))
    end

    def self.methods_of(described)
      singleton = described.singleton_methods(false) - %i[[] new members inspect]
      {
        "public" => signatures(described.public_instance_methods(false)) { |name| described.instance_method(name) },
        "singleton" => signatures(singleton) { |name| described.method(name) },
        "private" => described.private_instance_methods(false).sort.map(&:name)
      }
    end

    def self.signatures(names) = names.sort.to_h { |name| [name.name, parameters(yield(name))] }

    def self.parameters(method) = [method.arity, *method.parameters.map { |parameter| parameter.map(&:name).join(" ") }]

    def self.constants_of(described)
      described.constants(false).sort.to_h do |name|
        value = described.const_get(name)
        [name, value.is_a?(Module) ? value.name : { "value" => Format.dump(value), "frozen" => deeply_frozen(value) }]
      end
    end

    # Of the value, and of what it holds.
    def self.deeply_frozen(value)
      held = value.is_a?(Hash) ? value.values : Array(value)
      [value.frozen?, *held.map(&:frozen?)].uniq
    end

    # Positional arguments in order; a last Object is the keywords.
    def self.mistake(on, call)
      method, *given = call
      keywords = given.last.is_a?(Hash) ? given.pop.to_h { |name, value| [name.to_sym, Format.load(value)] } : {}
      answer = Format.answer { receiver(on).public_send(method, *Format.load(given), **keywords) }
      { "on" => on, "call" => call }.merge(answer)
    end

    def self.receiver(name)
      case name
      when "rules" then constant("PermissionRules").new
      when "queue" then constant("ApprovalQueue").new
      when "policy" then constant("ApprovalPolicy").new(queue: nil)
      when "gate" then constant("Permissions").new
      else constant(name)
      end
    end
  end
end
