# frozen_string_literal: true

namespace :vectors do
  desc "Answer the questions in test/vectors again with another implementation: REFERENCE=DIR"
  task :record do
    reference = ENV.fetch("REFERENCE") { abort "vectors:record: REFERENCE=DIR is needed: the library that answers" }
    library = File.expand_path("lib", reference)
    abort "vectors:record: no library at #{library}" unless File.file?(File.join(library, "ask-permissions.rb"))

    player = File.expand_path("../test/vectors/player", __dir__)
    ruby "-E", "UTF-8", "-I", library, "-r", "ask-permissions", "-r", player,
         "-e", "Vectors::PLAYS.each_key { |name| Vectors.record(name) }"
  end
end
