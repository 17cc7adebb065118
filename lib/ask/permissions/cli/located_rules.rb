# frozen_string_literal: true

# Written without enclosing modules, because a rules file evaluated here looks its constants up from this place:
# it shall find what any Ruby file finds, not the names of the program.
class Ask::Permissions::CLI::LocatedRules < Ask::Permissions::PermissionRules # rubocop:disable Style/ClassAndModuleChildren
  # @param places [Array<Thread::Backtrace::Location>] gets the place of each rule, in the order of the rules
  def initialize(places, **options)
    @places_of_rules = places
    super(**options)
  end

  def initialize_copy(original)
    super
    @places_of_rules = @places_of_rules.dup
  end

  %i[allow ask deny].each do |decision|
    define_method(decision) do |*patterns|
      place = caller_locations(1).find { |location| !location.path.start_with?("<internal:") }
      super(*patterns).tap { @places_of_rules << place }
    end
  end

  # Nameless parameters, so that the source sees no local variable of the program.
  def evaluate_source(*) = instance_eval(*)

  # @return [Integer, nil]
  def index_of_decision(name, arguments)
    deciding_index(name, arguments)
  end
end
