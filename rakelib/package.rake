# frozen_string_literal: true

namespace :package do
  desc "Build the gem, install it into an empty GEM_HOME and run the suite on what was installed"
  task :smoke do
    require_relative "../test/package/smoke"

    Dir.mktmpdir("ask-permissions-package") do |directory|
      Package::Smoke.new(root: File.expand_path("..", __dir__), directory:).run
    end
  end
end
