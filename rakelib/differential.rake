# frozen_string_literal: true

desc "Compare with another implementation: REFERENCE=DIR [SEED=n] [COUNT=n observations a kind] [KIND=a,b] [SCENARIO=n]"
task :differential do
  require_relative "../test/differential/comparison"

  reference = ENV.fetch("REFERENCE") { abort "differential: REFERENCE=DIR is needed: the library to compare with" }
  library = File.join(reference, "lib")
  abort "differential: no library at #{library}" unless File.file?(File.join(library, "ask-permissions.rb"))

  kinds = ENV.fetch("KIND", "rules,queue,gate,policy").split(",")
  seed = Integer(ENV.fetch("SEED", "1"))
  count = Integer(ENV.fetch("COUNT", "50000"))
  own = ENV.fetch("ASK_PERMISSIONS_LIB", File.expand_path("../lib", __dir__))
  sides = [library, own].map { |directory| Differential::Side.new(directory) }

  if (scenario = ENV.fetch("SCENARIO", nil))
    abort "differential: SCENARIO needs one KIND" unless kinds.one?
    same = Differential::Replay.new(kind: kinds.first, seed:, sides:).show(Integer(scenario))
    puts same ? "no difference" : "DIFFERENT"
    exit(same)
  end

  results = kinds.map do |kind|
    Differential::Comparison.new(kind:, seed:, count:, sides:).run.tap { |result| puts result }
  end
  abort "differential: the libraries differ" unless results.all?(&:same?)
end
