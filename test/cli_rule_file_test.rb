# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/cli_runner"

class CLIRuleFileTest < Minitest::Test
  include CLIRunner

  # Each rule as declared, and where, in order.
  def places(rules, *options)
    result = check(rules, "", "--format", "json", *options)

    assert_equal [0, ""], [result.status, result.err]
    result.objects.last["rules"].map { |rule| [rule["file"], rule["line"], rule["declaration"]] }
  end

  def declarations(rules)
    places(rules).map(&:last)
  end

  def test_every_kind_of_pattern_is_shown_as_declared
    assert_equal ['allow "read_file"', "ask :all", 'deny /\Arm/i', 'deny "bash", /sudo/', 'ask "x", "y z"',
                  "deny :bash, :force", 'allow "", 7', "deny nil, false"],
                 declarations(<<~'RUBY')
                   allow "read_file"
                   ask :all
                   deny(/\Arm/i)
                   deny "bash", /sudo/
                   ask "x", "y z"
                   deny :bash, :force
                   allow "", 7
                   deny nil, false
                 RUBY
  end

  def test_rules_from_loops_helpers_chains_and_several_lines_have_the_line_of_their_call
    assert_equal [["rules.rb", 3, 'allow "a"'], ["rules.rb", 3, 'allow "b"'],
                  ["rules.rb", 6, 'deny "c", /x/'], ["rules.rb", 8, 'deny "d"'],
                  ["rules.rb", 9, "ask :all"], ["rules.rb", 11, "allow 0"], ["rules.rb", 11, "allow 1"],
                  ["rules.rb", 12, 'deny "x"'], ["rules.rb", 12, 'deny "y"']],
                 places(<<~RUBY)
                   # A comment.
                   %w[a b].each do |tool|
                     allow tool
                   end

                   def forbid(tool) = deny(tool, /x/)
                   forbid "c"
                   deny("d")
                     .ask(
                       :all)
                   2.times(&method(:allow))
                   %w[x y].each(&method(:deny))
                 RUBY
  end

  def test_local_variables_constants_methods_and_classes_are_those_of_the_file
    assert_equal ['allow "read"', 'allow "READ"', 'allow "Call"', "allow []"], declarations(<<~RUBY)
      tool = "read"
      UPPER = tool.upcase
      def upper = UPPER
      class Call; end
      allow tool
      allow upper
      allow Call.name.split("::").last
      allow binding.local_variables - [:tool]
    RUBY
  end

  def test_the_names_of_the_program_are_not_in_the_way
    result = check("Tally\n")

    assert_equal 2, result.status
    assert_match(/\Aask-permissions: rules\.rb:1: uninitialized constant .*Tally \(NameError\)\n\z/, result.err)
  end

  def test_the_file_knows_where_it_is
    Dir.mkdir(File.join(@directory, "real"))
    real = write("real/rules.rb", <<~RUBY)
      allow __FILE__
      allow __dir__
      allow __LINE__
      require_relative "words"
      allow WORD
    RUBY
    write("real/words.rb", "WORD = 'from beside'\n")
    File.symlink(real, File.join(@directory, "link.rb"))
    rules = run_cli("check", "link.rb", "--format", "json").objects.last["rules"]

    assert_equal(["allow #{real.inspect}", "allow #{File.dirname(real).inspect}", "allow 3", 'allow "from beside"'],
                 rules.map { |rule| rule["declaration"] })
    assert_equal(["link.rb"], rules.map { |rule| rule["file"] }.uniq)
  ensure
    Object.send(:remove_const, :WORD) if Object.const_defined?(:WORD)
  end

  def test_a_rule_declared_in_another_file_has_its_place_there
    other = write("common.rb", "\nCOMMON = ->(rules) { rules.deny 'rm' }\n")

    assert_equal [[other, 2, 'deny "rm"'], ["rules.rb", 3, 'allow "a"']],
                 places("require_relative 'common'\nCOMMON.call(self)\nallow 'a'\n")
  ensure
    Object.send(:remove_const, :COMMON) if Object.const_defined?(:COMMON)
  end

  def test_magic_comments_shebangs_byte_order_marks_and_the_end_marker
    assert_equal ["allow true"], declarations("# frozen_string_literal: true\nallow 'x'.frozen?")
    assert_equal ['allow "\xE9"'], declarations("# encoding: iso-8859-1\nallow '\xE9'".b)
    assert_equal ['allow "x"'], declarations("#!/usr/bin/env ruby\nallow 'x'")
    assert_equal ['allow "x"'], declarations("\uFEFFallow 'x'")
    assert_equal ['allow "x"'], declarations("allow 'x'\r\n__END__\nnot ruby(")
  end

  def test_return_ends_the_file_as_in_any_ruby_file
    assert_equal ['allow "a"'], declarations("allow 'a'\nreturn if true\nallow 'b'")
  end

  def test_a_file_without_rules_decides_nothing
    result = check("", [{ name: "a" }])

    assert_equal 0, result.status
    assert_equal %w[none a no rule], result.lines.first.split
    assert_equal "no rules", result.lines.last
  end

  def test_what_is_no_ruby
    result = check("allow 'a'\nallow (\n")

    assert_equal [2, ""], [result.status, result.out]
    assert_match(/\Aask-permissions: rules\.rb:2: .*\n/, result.err)
    refute_includes result.err, @directory
  end

  def test_a_required_file_that_is_no_ruby
    other = write("other.rb", "\nfoo(")
    result = check("\nrequire_relative 'other'")

    assert_equal 2, result.status
    assert result.err.start_with?("ask-permissions: rules.rb:2: #{other}:"), result.err
  end

  def test_every_way_not_to_come_to_the_end
    assert_fault "rules.rb:3: boo (RuntimeError)", check("\n\nraise 'boo'")
    assert_fault "rules.rb:2: Exception (Exception)", check("\nraise Exception")
    assert_fault "rules.rb:2: the file ends the program (exit)", check("\nexit")
    assert_fault "rules.rb:1: the file ends the program (exit)", check("exit 0")
    assert_fault "rules.rb:2: uncaught throw :x (UncaughtThrowError)", check("\nthrow :x")
    assert_fault "rules.rb:1: stack level too deep (SystemStackError)", check("def a = a()\na")
    assert_fault "rules.rb:1: wrong number of arguments (given 0, expected 1..2) (ArgumentError)", check("allow")
    assert_fault "rules.rb:1: no name (RuntimeError)",
                 check("o = Object.new; def o.inspect = raise('no name')\nallow o")
  end

  def test_the_first_line_of_this_file_in_the_backtrace_is_the_one_reported
    write("deep.rb", "\n\ndef deep = raise('deep')\n")

    assert_fault "rules.rb:4: deep (RuntimeError)", check("\n\nload '#{@directory}/deep.rb'\ndeep")
  end

  def test_a_throw_to_whoever_runs_the_program_is_a_fault_too
    result = catch(:outside) { check("throw :outside") }

    assert_fault "rules.rb: the file does not come to its end", result
  end

  def test_an_error_message_can_not_forge_lines_or_reach_the_terminal
    assert_fault 'rules.rb:1: a\nb\u{1b}[31m\xFF (RuntimeError)', check('raise "a\nb\e[31m\xFF"')
  end

  def test_an_interrupt_while_the_file_loads
    result = check("raise Interrupt")

    assert_equal [130, "", ""], result.deconstruct
  end

  def test_a_file_that_can_not_be_read
    assert_fault "\\xFF: No such file or directory", run_cli("check", "\xFF")
    assert_fault "nope.rb: No such file or directory", run_cli("check", "nope.rb")
    assert_fault ".: Is a directory", run_cli("check", ".")
    assert_fault "\\u{1b}[31m: No such file or directory", run_cli("check", "\e[31m")
    assert_fault "rules.rb:1: invalid multibyte char (UTF-8)", check("allow '\xFF'") if RUBY_VERSION < "3.4"
  end

  def test_an_unconditional_allow_of_a_dangerous_tool_asks
    result = check("allow 'bash'\nallow :all", [{ name: "bash" }, { name: "x" }])

    assert_equal 0, result.status
    assert_equal(['ask bash rules.rb:1 allow "bash" -> ask', "ask x rules.rb:2 allow :all -> ask"],
                 result.call_lines.map { |line| line.split.join(" ") })
    assert_includes result.out, 'rules.rb:1 allow "bash" (downgraded to ask)'
  end

  def test_auto_allow_dangerous_takes_the_rule_at_its_word
    result = check("allow 'bash'", [{ name: "bash" }], "--auto-allow-dangerous")

    assert_equal 'allow bash rules.rb:1 allow "bash"', result.lines.first.split.join(" ")
    refute_includes result.out, "downgraded"
  end

  def test_copies_of_the_rules_do_not_shift_the_places
    assert_equal [["rules.rb", 2, 'allow "a"']], places("dup.allow('elsewhere')\nallow 'a'")
  end
end
