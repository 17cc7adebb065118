# frozen_string_literal: true

require "rbconfig"

# Builds the extension with cargo and puts it where `require` finds it. Cargo knows what is new.
task :compile do
  root = File.expand_path("..", __dir__)
  library = "ask_permissions.#{RbConfig::CONFIG["DLEXT"]}"
  target = File.expand_path(ENV.fetch("CARGO_TARGET_DIR", "target"), root)
  # A bundle on macOS leaves Ruby's own symbols to be found when it is loaded.
  flags = RbConfig::CONFIG["host_os"].match?(/darwin/) ? ["--", "-C", "link-arg=-Wl,-undefined,dynamic_lookup"] : []

  sh({ "RUBY" => RbConfig.ruby },
     "cargo", "rustc", "--quiet", "--release", "--locked", "--package", "ask_permissions", "--crate-type", "cdylib",
     *flags, chdir: root)

  built = Dir[File.join(target, "release", "{lib,}ask_permissions.{so,dylib,dll}")].max_by { |file| File.mtime(file) }
  destination = File.join(root, "lib", "ask_permissions", library)
  next if File.exist?(destination) && FileUtils.identical?(built, destination)

  mkdir_p File.dirname(destination), verbose: false
  # A running process may have the old file mapped: replace it, never write into it.
  cp built, "#{destination}.new", verbose: false
  mv "#{destination}.new", destination, verbose: false
end
