# frozen_string_literal: true

module Package
  # What the gem must hold: all that its users need to build and to read, and nothing else.
  class Contents
    SHIPPED = [
      "lib/**/*.rb", "exe/*", "examples/*", "docs/*", "sig/**/*.rbs",
      "Cargo.toml", "src/**/*.rs", "ext/**/*.{rs,toml}"
    ].freeze
    # Without these the gem does not build the same everywhere, or does not say what it is.
    NAMED = ["Cargo.lock", "README.md", "CHANGELOG.md", "LICENSE"].freeze
    ALLOWED = [%r{\A[^/]+\.md\z}, /\Aclippy\.toml\z/].freeze

    # @param root [String] the working tree
    # @param files [Array<String>] the names in the package
    def initialize(root:, files:)
      @root = root
      @files = files
    end

    # @return [Array<String>] one sentence for each thing that is wrong
    def faults
      missing = expected - @files
      surplus = (@files - expected).reject { |file| ALLOWED.any? { |pattern| pattern.match?(file) } }
      missing.map { |file| "#{file} is not in the gem" } + surplus.map { |file| "#{file} must not be in the gem" }
    end

    private

    def expected
      NAMED + Dir.glob(SHIPPED, base: @root).select { |file| File.file?(File.join(@root, file)) }
    end
  end
end
