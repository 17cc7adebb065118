# frozen_string_literal: true

desc "Time all operations, beside those of the pure-Ruby gem in REFERENCE; PATTERN chooses cases"
task bench: :compile do
  reference = ENV.fetch("REFERENCE", nil)
  arguments = [reference ? File.join(reference, "lib") : "", ENV.fetch("PATTERN", "")].reject(&:empty?)
  ruby File.expand_path("../bench/run.rb", __dir__), *arguments
end
