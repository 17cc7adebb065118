# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/cli_runner"

class CLICallsTest < Minitest::Test
  include CLIRunner

  GOOD = %({"name":"a"}\n)

  # One good line, the bad one, and a line that must not be decided any more.
  def assert_bad_line(reason, line)
    result = check("allow 'a'", "#{GOOD}#{line.b}\n#{GOOD}".b)

    assert_fault "(standard input):2: #{reason}", result
    assert_equal 1, result.lines.size, "what came before stays, and nothing follows"
  end

  def calls(input, rules: "allow 'a'")
    result = check(rules, input, "--format", "json")

    assert_equal [0, ""], [result.status, result.err]
    result.objects[...-1]
  end

  def test_what_is_no_object
    assert_bad_line "not an object but an array", "[]"
    assert_bad_line "not an object but a String", '"a"'
    assert_bad_line "not an object but a number", "1"
    assert_bad_line "not an object but null", "null"
    assert_bad_line "not an object but true", "true"
  end

  def test_what_is_no_json
    ["{", "name", '{"name":"a"} x', '{"name":"a"}{"name":"b"}', '{"name":"a",}', "{'name':'a'}", "\u00a0",
     '{"name":NaN}', "{\"name\":\"a\tb\"}", "\0"].each do |line|
      result = check("allow 'a'", "#{GOOD}#{line}\n")

      assert_equal 2, result.status, line
      assert_match(/\Aask-permissions: \(standard input\):2: not JSON: [^\n]*\n\z/, result.err)
    end
  end

  def test_a_name_is_needed_and_is_a_string
    assert_bad_line "name is missing", '{"arguments":{}}'
    assert_bad_line "name must be a String, not null", '{"name":null}'
    assert_bad_line "name must be a String, not a number", '{"name":1}'
    assert_bad_line "name must be a String, not an array", '{"name":["a"]}'
  end

  def test_arguments_are_an_object_or_a_string
    assert_bad_line "arguments must be an object or a String, not an array", '{"name":"a","arguments":[]}'
    assert_bad_line "arguments must be an object or a String, not a number", '{"name":"a","arguments":1.5}'
    assert_bad_line "arguments must be an object or a String, not false", '{"name":"a","arguments":false}'
  end

  def test_an_id_is_a_string_or_an_integer
    assert_bad_line "id must be a String or an Integer, not a number", '{"name":"a","id":1.5}'
    assert_bad_line "id must be a String or an Integer, not an object", '{"name":"a","id":{}}'
    found = calls(jsonl({ name: "a", id: 1 }, { name: "a", id: "x" }, { name: "a", id: nil }, { name: "a" }))

    assert_equal([1, "x", nil, nil], found.map { |call| call["id"] })
  end

  def test_what_other_readers_could_take_otherwise
    assert_bad_line 'the key "name" occurs twice in one object', '{"name":"a","name":"b"}'
    assert_bad_line 'the key "name" occurs twice in one object', '{"name":"a","n\u0061me":"b"}'
    assert_bad_line 'the key "x" occurs twice in one object', '{"name":"a","arguments":{"y":[{"x":1,"z":{},"x":2}]}}'
    assert_bad_line 'the key "a\\\\" occurs twice in one object', '{"a\\\\":1,"a\\\\":2,"b":":x","name":"a"}'
    assert_bad_line "not JSON: a comment", '{"name":"a"/* " */}'
    assert_bad_line "not JSON: a comment", '/**/{"name":"a"}'
    assert_bad_line '\ud800 is half a character', '{"name":"a\ud800 bcdefgh"}'
    assert_bad_line '\udc00 is half a character', '{"name":"a","arguments":{"x":"\udc00"}}'
  end

  def test_the_same_key_in_different_objects_and_texts_that_look_like_json
    lines = ['{"name":"a","arguments":{"x":[{"x":1},{"x":2}],"name":"b"}}',
             '{"name":"a","arguments":"{\"x\":1,\"x\":2} // \\\\\\\\ud800"}',
             '{"name":"a","arguments":"http://x /* \ud83d\ude00 */"}',
             '{"name":"a","arguments":"\\\\","id":"\":"}']

    given = lines.map { |line| JSON.parse(line)["arguments"] }

    assert_equal(given, calls(lines.join("\n")).map { |call| call["arguments"] })
  end

  def test_a_number_beyond_float
    reader = Ask::Permissions::CLI::CallReader.new(StringIO.new('{"name":"a","arguments":{"x":[-1e400]}}'), "calls")
    error = nil
    capture_io { error = assert_raises(Ask::Permissions::CLI::Failure) { reader.each { flunk } } }

    assert_equal "ask-permissions: calls:1: a number is too large", error.report
  end

  def test_nesting_has_the_bound_of_the_json_library
    deepest = "#{'{"x":' * 99}1#{"}" * 99}"

    assert_equal JSON.parse(deepest), calls(%({"name":"a","arguments":#{deepest}})).first["arguments"]
    assert_bad_line "not JSON: nesting of 101 is too deep", %({"name":"a","arguments":{"x":#{deepest}}})
  end

  def test_bytes_that_are_no_characters
    assert_bad_line "invalid UTF-8", %({"name":"\xFF"})
    assert_bad_line "invalid UTF-8", "{\"name\":\"a\"}".encode("UTF-16").b
  end

  def test_blank_lines_a_byte_order_mark_and_any_line_ends
    found = calls("\uFEFF{\"name\":\"a\"}\r\n\r\n \t\n\n{\"name\":\"a\"}\n{\"name\":\"a\"}")

    assert_equal([1, 5, 6], found.map { |call| call["line"] })
  end

  def test_a_byte_order_mark_is_one_at_the_beginning_only
    result = check("allow 'a'", "#{GOOD}\uFEFF#{GOOD}")

    assert_equal 2, result.status
    assert result.err.start_with?("ask-permissions: (standard input):2: not JSON: "), result.err
  end

  def test_no_calls_at_all
    result = check("allow 'a'", "")

    assert_equal [0, "\n0 calls: 0 allow, 0 ask, 0 deny, 0 none\ndecided  rule\n  never  rules.rb:1 allow \"a\"\n"],
                 [result.status, result.out]
  end

  def test_keys_that_are_not_known_are_ignored
    assert_equal "allow", calls('{"session":"s","name":"a","x":[{"name":1}],"arguments":null}').first["decision"]
  end

  def test_arguments_are_decided_as_given
    rules = <<~'RUBY'
      allow "hash", '{"a":[1,null,"x y"]}'
      allow "text", '{ "a": 1 }'
      allow "none", /\A\z/
    RUBY
    decided = calls(jsonl({ name: "hash", arguments: { a: [1, nil, "x y"] } },
                          { name: "hash", arguments: '{ "a":[1,null,"x y"] }' },
                          { name: "text", arguments: '{ "a": 1 }' }, { name: "text", arguments: { a: 1 } },
                          { name: "none" }, { name: "none", arguments: "" }, { name: "none", arguments: {} }), rules:)

    assert_equal(%w[allow none allow none allow allow none], decided.map { |call| call["decision"] })
  end

  def test_what_the_rules_can_not_decide
    result = check("allow 'a', /\\xff/n", jsonl({ name: "b" }, { name: "a", arguments: "é" }, { name: "b" }))

    assert_equal 2, result.status
    assert_match(/\Aask-permissions: \(standard input\):2: the rules can not decide: /, result.err)
    assert result.err.end_with?("(Encoding::CompatibilityError)\n"), result.err
    assert_equal 1, result.lines.size
  end

  def test_what_a_pattern_raises_is_reported_safely
    rules = "x = Object.new\ndef x.to_s = raise(\"a\\nb\\e[0m\")\nallow(:all, x)"

    assert_fault '(standard input):1: the rules can not decide: a\nb\u{1b}[0m (RuntimeError)', check(rules, GOOD)
  end

  def test_a_file_of_calls
    write("calls.jsonl", GOOD * 2)

    assert_equal 3, check("allow 'a'", "", "calls.jsonl", "--format", "json").objects.size
    assert_equal 2, check("allow 'a'", GOOD, "-", "--format", "json").objects.size
  end

  def test_a_file_that_can_not_be_read
    assert_fault "nope.jsonl: No such file or directory", check("allow 'a'", GOOD, "nope.jsonl")
    assert_fault ".: Is a directory", check("allow 'a'", GOOD, ".")
    write("calls.jsonl", "#{GOOD}\n[]\n")
    assert_fault "calls.jsonl:3: not an object but an array", check("allow 'a'", "", "calls.jsonl")
  end

  def test_a_line_without_end
    reader = Ask::Permissions::CLI::CallReader.new(StringIO.new("#{GOOD}#{"x" * 30}"), "calls", line_limit: 20)
    seen = []
    error = assert_raises(Ask::Permissions::CLI::Failure) { reader.each { |call| seen << call.name } }

    assert_equal ["a"], seen
    assert_equal "ask-permissions: calls:2: the line is longer than 20 bytes", error.report
  end

  def test_calls_are_read_one_at_a_time
    input = StringIO.new(GOOD * 3)
    positions = []
    Ask::Permissions::CLI::CallReader.new(input, "calls").each { positions << input.pos }

    assert_equal [1, 2, 3].map { |count| count * GOOD.bytesize }, positions
  end
end
