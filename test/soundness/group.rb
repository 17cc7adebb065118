# frozen_string_literal: true

module Soundness
  # Draws groups of all kinds.
  module Group
    OPTIONS = %w[i m x -i -m -x a u d im-x i-mx - mi ii u-x ai ad].freeze

    KINDS = %i[plain plain capture named with_options with_options to_the_end to_the_end around atomic absent
               conditional doubled].freeze
    # Letters that folding may join with others, before and after.
    LETTERS = %w[s f st ss i ι h ﬁ ß].freeze
    MORE_LETTERS = ["", "s", "i", "l", "t", "\u0331", "\u0308"].freeze

    private

    def group(depth)
      return inner_comment(depth) if random.rand < 0.02

      send(KINDS.sample(random:), depth)
    end

    def inside(opening, piece, closing = ")", &texts)
      texts ||= piece.texts
      piece("#{opening}#{piece.source}#{closing}", &texts)
    end

    def plain(depth) = inside("(?:", alternatives(depth))

    def capture(depth)
      @groups += 1
      inside("(", alternatives(depth))
    end

    def named(depth)
      name = choose("n", "name", "é", "a-b", "n_1")
      @names << name
      inside(choose("(?<#{name}>", "(?'#{name}'"), alternatives(depth))
    end

    def with_options(depth) = inside("(?#{OPTIONS.sample(random:)}:", alternatives(depth))

    # Options for the rest of the group around.
    def to_the_end(depth)
      before = sequence(depth)
      after = alternatives(depth)
      opening = choose("(?:", "(", "")
      closing = opening.empty? ? "" : ")"
      piece("#{opening}#{before.source}(?#{OPTIONS.sample(random:)})#{after.source}#{closing}") do
        before.text + after.text
      end
    end

    def around(depth)
      ahead = random.rand < 0.5
      content = random.rand < 0.6 ? run : alternatives(depth)
      inside(choose(*(ahead ? ["(?=", "(?!"] : ["(?<=", "(?<!"])), content) { random.rand < 0.3 ? content.text : "" }
    end

    def atomic(depth) = inside("(?>", alternatives(depth))

    def absent(depth) = inside("(?~", alternatives(depth)) { Array.new(random.rand(0..3)) { draw_text }.join }

    def conditional(depth)
      yes = sequence(depth)
      no = sequence(depth)
      condition = if @names.empty?
                    random.rand(1..[@groups,
                                    1].max).to_s
                  else
                    choose("<%s>", "'%s'") % @names.sample(random:)
                  end
      return inside("(?(#{condition})", yes) if random.rand < 0.3

      piece("(?(#{condition})#{yes.source}|#{no.source})") { choose(yes, no).text }
    end

    def inner_comment(depth) = inside("(?:(?#co(mm[ent\\))", alternatives(depth))

    # The same letters twice, which folding may join.
    def doubled(_depth)
      letters = literal(LETTERS.sample(random:) + MORE_LETTERS.sample(random:))
      inside(choose("(?:", "(", "(?i:", "(?>"), letters)
    end
  end
end
