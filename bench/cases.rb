# frozen_string_literal: true

# What is timed. A case builds its subject for a size and gives the source of one operation, which is
# compiled into a loop, so that the loop itself costs next to nothing. `answer` is compared between
# the libraries before anything is timed; `per` says how many operations one turn of the loop is.
module Cases
  Case = Data.define(:name, :sizes, :setup, :operation, :answer, :per)

  ToolCall = Data.define(:id, :name, :arguments)

  @all = []

  class << self
    attr_reader :all

    def define(name, sizes: [nil], operation: "subject.call", answer: nil, per: ->(_size) { 1 }, &setup)
      @all << Case.new(name:, sizes:, setup:, operation:, answer: answer || operation, per:)
    end

    def rules(&)
      Ask::Permissions::PermissionRules.new(&)
    end

    # Rules on one tool, of which the last, if any, matches.
    def on_one_tool(count, matching: nil)
      rules do
        count.times { |index| ask "bash", yield(index) }
        deny "bash", matching if matching
      end
    end

    def queue(**)
      Ask::Permissions::ApprovalQueue.new(**)
    end
  end

  SMALL = { "command" => "ls -la /tmp", "timeout" => 30 }.freeze
  LONG = { "path" => "notes.txt", "content" => "A line of some text, \"quoted\", and a number 12345.\n" * 2_000 }.freeze
  RULES = [1, 10, 100, 1_000, 10_000].freeze

  define("classify: exact name decides, 3 rules", operation: 'subject.classify("read_file")') do
    rules { deny("delete_user").allow("read_file").ask("fetch") }
  end

  define("classify: exact name among rules on other tools", sizes: [1, 100, 10_000, 100_000],
                                                            operation: 'subject.classify("read_file")') do |count|
    rules do
      count.times { |index| deny "tool_#{index}" }
      allow "read_file"
    end
  end

  { "none matches" => nil, "the last matches" => "ls -la" }.each do |outcome, matching|
    define("classify: substring rules on the tool, #{outcome}, small Hash",
           sizes: RULES, operation: 'subject.classify("bash", Cases::SMALL)') do |count|
      on_one_tool(count, matching:) { |index| "rm -rf /srv/data#{index}" }
    end
  end

  define("classify: Regexp rules on the tool, none matches, small Hash",
         sizes: RULES, operation: 'subject.classify("bash", Cases::SMALL)') do |count|
    on_one_tool(count) { |index| /rm -rf \S+data#{index}\b/ }
  end

  define("classify: 100 substring rules on the tool, none matches, 100 KB Hash",
         operation: 'subject.classify("bash", Cases::LONG)') do
    on_one_tool(100) { |index| "rm -rf /srv/data#{index}" }
  end

  define("classify: 100 substring rules on the tool, none matches, 100 KB String",
         operation: 'subject.first.classify("bash", subject.last)') do
    [on_one_tool(100) { |index| "rm -rf /srv/data#{index}" }, JSON.generate(LONG)]
  end

  define("policy: allow rule", operation: "subject.first.before_tool_call(subject.last)") do
    policy = Ask::Permissions::ApprovalPolicy.new(queue:, rules: rules { allow "read_file" })
    [policy, ToolCall.new(id: "tc-1", name: "read_file", arguments: SMALL)]
  end

  define("policy: nothing configured", operation: "subject.first.before_tool_call(subject.last)") do
    [Ask::Permissions::ApprovalPolicy.new(queue:), ToolCall.new(id: "tc-1", name: "read_file", arguments: SMALL)]
  end

  define("gate: an approved call", operation: "subject.first.before_tool_call(subject.last)") do
    gate = Ask::Permissions::Permissions.new
    gate.define_singleton_method(:warn) { |*| nil }
    call = ToolCall.new(id: "tc-1", name: "bash", arguments: SMALL)
    gate.before_tool_call(call)
    gate.approve("tc-1")
    [gate, call]
  end

  # Each turn fills a new queue, so that the cost at a size is that of growing to it.
  define("queue: submit and approve, with callbacks", sizes: [100, 1_000, 8_000, 80_000, 1_000_000],
                                                      per: ->(count) { count }) do |count|
    lambda do
      seen = 0
      queue = queue(on_submit: ->(_) { seen += 1 }, on_approve: ->(_) { seen += 1 })
      count.times { |index| queue.approve(queue.submit(tool_call_id: index, tool_name: "bash", args: SMALL)) }
      seen
    end
  end

  define("queue: submit, nothing resolved", sizes: [100, 1_000, 8_000, 80_000], per: ->(count) { count }) do |count|
    lambda do
      queue = queue()
      count.times { |index| queue.submit(tool_call_id: index, tool_name: "bash", args: SMALL) }
    end
  end

  define("queue: drain behind a manual action", sizes: [100, 1_000, 8_000, 80_000], per: ->(count) { count }) do |count|
    lambda do
      queue = queue(auto_approve: { "fetch" => true })
      manual = queue.submit(tool_call_id: 0, tool_name: "bash")
      count.times { |index| queue.submit(tool_call_id: index, tool_name: "fetch", auto_approvable: true) }
      queue.approve(manual)
      queue.drain
      queue.pending_actions.size
    end
  end

  define("declare rules, and the first decision", sizes: [100, 10_000], per: ->(count) { count }) do |count|
    lambda do
      rules = rules()
      count.times { |index| rules.ask "bash", "rm -rf /srv/data#{index}" }
      rules.classify("bash", SMALL)
    end
  end
end
