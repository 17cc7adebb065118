# frozen_string_literal: true

desc "Ask Ruby whether the core holds all its matches for possible: [SEED=n] [COUNT=n pairs of a pattern and a text]"
task :soundness do
  require_relative "../test/soundness/comparison"
  require_relative "../test/soundness/narrower"

  seed = Integer(ENV.fetch("SEED", "1"))
  count = Integer(ENV.fetch("COUNT", "3000000"))
  # What Ruby has to say about drawn patterns would fill the screen.
  verbose = $VERBOSE
  $VERBOSE = nil
  narrower = Soundness::Narrower.build
  comparison = Soundness::Comparison.new(narrower:, seed:, count:).run
  puts "soundness: #{comparison}"
  abort "soundness: the core rejects what Ruby matches (seed #{seed})" unless comparison.sound?
ensure
  narrower&.stop
  $VERBOSE = verbose
end
