# frozen_string_literal: true

require "open3"
require "rbconfig"

# Runs Ruby with the library under test in a child process that is killed when it takes too long: a library that
# deadlocks or crashes ends the child, and one test, instead of the suite.
module Child
  SECONDS = 60

  Result = Data.define(:stdout, :stderr, :status) do
    def success?
      status.success?
    end

    def to_s
      "#{status}\n#{stdout}\n#{stderr}"
    end
  end

  # Directories that make the child load exactly what this process has loaded, working tree or installed gem.
  LOAD_PATH = $LOADED_FEATURES.filter_map do |feature|
    case feature
    when %r{/ask-permissions\.rb\z} then File.dirname(feature)
    when %r{/ask_permissions/ask_permissions\.\w+\z} then File.dirname(feature, 2)
    end
  end.uniq.freeze

  module_function

  def command(*arguments, seconds: SECONDS)
    paths = LOAD_PATH.flat_map { |directory| ["-I", directory] }
    ["timeout", "-s", "KILL", seconds.to_s, RbConfig.ruby, *paths, *arguments]
  end

  # A child with these arguments and this text on its standard input.
  def ruby(*arguments, stdin: "", seconds: SECONDS)
    # What Bundler puts there would load more than the library under test.
    stdout, stderr, status = Open3.capture3({ "RUBYOPT" => nil, "BUNDLER_SETUP" => nil },
                                            *command(*arguments, seconds:), stdin_data: stdin)
    Result.new(stdout: utf8(stdout), stderr: utf8(stderr), status:)
  end

  # Whatever the locale says.
  def utf8(text)
    text.force_encoding(Encoding::UTF_8)
  end

  # A child that runs this code, which is UTF-8 in any locale, with the library loaded.
  def run(code, options: [], seconds: SECONDS)
    stdin = "# encoding: utf-8\n#{code}"
    ruby(*options, "-W:no-experimental", "-r", "ask-permissions", "-", stdin:, seconds:)
  end

  # For tests: code whose facts are stated with `check` (see checks.rb) and that must reach its end.
  module Assertions
    SUPPORT = __dir__

    def assert_checks(code, options: [], seconds: SECONDS)
      result = Child.run(<<~RUBY, options: ["-I", SUPPORT, "-r", "checks", *options], seconds:)
        #{code}
        Check.finish
      RUBY
      assert(result.success?, "the child did not end well: #{result}")
      assert_match(/^[1-9]\d* checks$/, result.stdout, result.to_s)
    end
  end
end
