# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "rubygems/package"
require "tmpdir"
require_relative "contents"

module Package
  # Takes the way of the gem's users: the packed file, installed on its own, loaded from where RubyGems put it.
  class Smoke
    # @param root [String] the working tree
    # @param directory [String] an empty directory outside of it
    def initialize(root:, directory:)
      @root = root
      @gem = File.join(directory, "ask-permissions.gem")
      @home = File.join(directory, "home")
      @suite = File.join(directory, "suite")
    end

    def run
      build
      check_contents
      install
      check_origin
      run_command
      run_suite
    end

    private

    def build
      gem_command("gem build", "build", "--strict", "--output", @gem, "ask-permissions.gemspec")
    end

    def check_contents
      files = Gem::Package.new(@gem).contents
      faults = Contents.new(root: @root, files:).faults
      raise "package: #{faults.join("; ")}" unless faults.empty?

      puts "-- #{files.size} files in the gem, as they should be"
    end

    def install
      gem_command("gem install into an empty GEM_HOME",
                  "install", "--local", "--no-document", "--bindir", File.join(@home, "bin"), @gem)
    end

    # Both the Ruby files and the compiled library are the installed ones.
    def check_origin
      script = <<~RUBY
        require "ask-permissions"
        own = $LOADED_FEATURES.grep(%r{/ask[-_/]permissions})
        native = own.grep(/\\.\#{RbConfig::CONFIG["DLEXT"]}\\z/)
        strays = own.reject { |file| file.start_with?(File.realpath(ENV.fetch("GEM_HOME"))) }
        abort "loaded from elsewhere: \#{own}" if own.empty? || native.empty? || strays.any?
      RUBY
      installed("require", "-e", script)
    end

    def run_command
      installed("ask-permissions --version", File.join(@home, "bin", "ask-permissions"), "--version")
    end

    # The suite's own directory has the gem's documents and examples beside it, but no lib.
    def run_suite
      shipped = Dir[File.join(@home, "gems", "ask-permissions-*")].fetch(0)
      FileUtils.cp_r(Dir[File.join(shipped, "{*.md,docs,examples,exe,sig}")], @suite)
      FileUtils.cp_r(File.join(@root, "test"), @suite)
      tests = Dir[File.join(@suite, "test", "**", "*_test.rb")]
      installed("the suite on the installed gem", "-I", "test", "-e", "ARGV.each { |file| require file }", *tests)
    end

    def installed(what, *arguments)
      FileUtils.mkdir_p(@suite)
      child(what, environment.merge("ASK_PERMISSIONS_INSTALLED" => "1"), *arguments, chdir: @suite)
    end

    def gem_command(what, *arguments)
      child(what, environment, "-S", "gem", *arguments, chdir: @root)
    end

    def child(what, environment, *arguments, chdir:)
      puts "-- #{what}"
      $stdout.flush
      system(environment, RbConfig.ruby, *arguments, chdir:) or raise "package: failed: #{what}"
    end

    # Nothing of the working tree, of its bundle or of another GEM_HOME reaches the child.
    def environment
      bundle = ENV.keys.grep(/\ABUNDLE/)
      [*bundle, "RUBYOPT", "RUBYLIB", "GEM_PATH", "ASK_PERMISSIONS_LIB", "CARGO_TARGET_DIR"]
        .to_h { |name| [name, nil] }.merge("GEM_HOME" => @home)
    end
  end
end
