# frozen_string_literal: true

require_relative "odd_objects"

module Differential
  # Stand-ins for the parts of a policy, each telling what it was asked.
  module PolicyParts
    # Answers classify with what the script says next.
    class Classifier
      def initialize(record, answers)
        @record = record
        @answers = answers
      end

      def classify(name, arguments)
        @record.call("classify", [name, arguments])
        @answers.rotate!
        answer = @answers.first
        raise Odd::Failure, "classify" if answer == :raise

        answer
      end
    end

    # Takes exactly the five keywords of a queue and answers with numbers of its own.
    class Recorder
      def initialize(record, answers)
        @record = record
        @answers = answers
      end

      def submit(**given)
        @record.call("submit", given)
        @answers.rotate!
        raise Odd::Failure, "submit" if @answers.first == :raise

        @answers.first
      end

      def [](id) = [:found, id]
    end

    # A tool with some of the metadata methods, answering in the way given.
    class Tool
      include Labelled

      attr_reader :name

      def initialize(record, name, metadata)
        @name = name
        metadata.each do |method, answer|
          define_singleton_method(method) do
            record.call(method.name, name)
            answer == :raise ? raise(Odd::Failure, method.name) : answer
          end
        end
      end

      def differential_label = @name.inspect
    end

    # A tool that is a class.
    class ClassTool
      def self.name = "bash"
      def self.approval_required? = true
      def self.auto_approvable? = true
    end

    # Any object that answers [].
    class Registry
      def initialize(record, tools)
        @record = record
        @tools = tools
      end

      def [](name)
        @record.call("tools[]", name)
        raise Odd::Failure, "tools" if name == "edit"

        @tools[name]
      end
    end

    # A subclass that reads its parts from elsewhere.
    class Reading < Ask::Permissions::ApprovalPolicy
      def require_approval = super || "write"
      def rules = nil
      def before_tool_call(tool_call, context = nil) = super.merge(context:)
    end

    # A subclass with state of its own before super.
    class Extended < Ask::Permissions::ApprovalPolicy
      def initialize(owner, **)
        @owner = owner
        super(**)
      end

      def tools = super.is_a?(Hash) ? super.compact : super
    end
  end
end
