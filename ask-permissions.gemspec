# frozen_string_literal: true

require_relative "lib/ask/permissions/version"

Gem::Specification.new do |spec|
  spec.name = "ask-permissions"
  spec.version = Ask::Permissions::VERSION
  spec.authors = ["Kaka Ruto"]
  spec.email = ["kaka@myrrlabs.com"]
  spec.summary = "Permission rules and approval workflows for ask-rb, on a Rust core."
  spec.description = "Decides whether an agent's tool call may proceed: ordered allow, ask and deny rules, " \
                     "a queue of decisions that wait for a person, a policy hook that joins them, and a mode gate."
  spec.homepage = "https://github.com/ask-rb/ask-permissions"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.2"
  # From this version on RubyGems builds an extension from its Cargo.toml by itself.
  spec.required_rubygems_version = ">= 3.4.6"

  spec.metadata["homepage_uri"] = spec.homepage
  spec.metadata["source_code_uri"] = "#{spec.homepage}/tree/master/lib"
  spec.metadata["changelog_uri"] = "#{spec.homepage}/blob/master/CHANGELOG.md"
  spec.metadata["rubygems_mfa_required"] = "true"

  spec.files = Dir[
    "lib/**/*.rb", "exe/*", "examples/*", "docs/*", "*.md", "LICENSE",
    "Cargo.toml", "Cargo.lock", "clippy.toml", "src/**/*.rs", "ext/**/*.{rs,toml}", "ext/ask_permissions/build.rs",
    base: __dir__
  ].uniq.select { |file| File.file?(File.join(__dir__, file)) }.sort
  spec.bindir = "exe"
  spec.executables = ["ask-permissions"]
  spec.extensions = ["ext/ask_permissions/Cargo.toml"]
end
