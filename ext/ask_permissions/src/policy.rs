//! The order of a policy's layers, as a function of `Native`.

use ask_permissions_core::policy::{Answer, Layer, Step, step};
use magnus::{Error, RModule, Ruby, Symbol, Value, function};

use crate::symbols;

/// What follows when the rules classify a call so: `:proceed`, `:block`, `:enqueue` or
/// `:require_approval`, the layer to ask next.
fn step_after_rules(ruby: &Ruby, classification: Value) -> Symbol {
    let answer = symbols::to_decision(ruby, classification).map_or(Answer::NoOpinion, Answer::Rule);
    name(ruby, step(Layer::Rules, answer))
}

/// What follows when a tool needs an approval or does not: `:proceed` or
/// `:enqueue_as_the_tool_says`.
fn step_after_require_approval(ruby: &Ruby, required: bool) -> Symbol {
    let answer = if required {
        Answer::ApprovalRequired
    } else {
        Answer::NoOpinion
    };
    name(ruby, step(Layer::RequireApproval, answer))
}

fn name(ruby: &Ruby, step: Step) -> Symbol {
    symbols::symbol(
        ruby,
        match step {
            Step::Proceed => &symbols::PROCEED,
            Step::Block => &symbols::BLOCK,
            Step::Enqueue => &symbols::ENQUEUE,
            Step::EnqueueAsTheToolSays => &symbols::ENQUEUE_AS_THE_TOOL_SAYS,
            Step::Ask(Layer::Rules) => &symbols::RULES,
            Step::Ask(Layer::RequireApproval) => &symbols::REQUIRE_APPROVAL,
        },
    )
}

pub fn init(native: RModule) -> Result<(), Error> {
    native.define_module_function("step_after_rules", function!(step_after_rules, 1))?;
    native.define_module_function(
        "step_after_require_approval",
        function!(step_after_require_approval, 1),
    )
}
