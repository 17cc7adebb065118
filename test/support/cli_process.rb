# frozen_string_literal: true

require "English"
require "open3"
require "pty"
require "rbconfig"
require "io/console"

# Runs the command as a child, for what only a process has: pipes, signals, a terminal, a locale.
module CLIProcess
  LIMIT = "60"

  module_function

  def program
    return [RbConfig.ruby, Gem.bin_path("ask-permissions", "ask-permissions")] if ENV["ASK_PERMISSIONS_INSTALLED"]

    root = File.expand_path("../..", __dir__)
    library = File.expand_path(ENV.fetch("ASK_PERMISSIONS_LIB", File.join(root, "lib")))
    [RbConfig.ruby, "-w", "-I", library, File.join(root, "exe", "ask-permissions")]
  end

  # In the foreground, because a background job may not read from a terminal.
  def command(*arguments)
    ["timeout", "--foreground", "-s", "KILL", LIMIT, *program, *arguments]
  end

  # An environment that does not depend on who runs the tests.
  def environment(changes = {})
    { "LC_ALL" => "C.UTF-8", "TERM" => "xterm", "NO_COLOR" => nil, "COLUMNS" => nil }.merge(changes)
  end

  # @return [Array] output, errors and Process::Status
  def capture(*arguments, stdin: "", env: {})
    Open3.capture3(environment(env), *command(*arguments), stdin_data: stdin)
  end

  # @param streams [Array<Symbol>] those that are the terminal; the others are the null device
  # @return [Array] what the terminal got, and the exit status
  def on_terminal(*arguments, streams: %i[in out err], columns: 80, env: {})
    PTY.open do |screen, terminal|
      terminal.winsize = [24, columns]
      redirections = %i[in out err].to_h { |name| [name, streams.include?(name) ? terminal : File::NULL] }
      pid = Process.spawn(environment(env), *command(*arguments), **redirections)
      terminal.close
      shown = read_all(screen)
      Process.wait(pid)
      [shown.force_encoding(Encoding::UTF_8), $CHILD_STATUS.exitstatus]
    end
  end

  # A terminal whose other side has closed is an error to Linux, and the end elsewhere.
  def read_all(screen)
    text = +""
    loop { text << screen.readpartial(4096) }
  rescue Errno::EIO, EOFError
    text
  end
end
