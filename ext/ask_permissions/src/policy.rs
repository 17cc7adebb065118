//! The order of a policy's layers, as tables of `Native`.

use ask_permissions_core::{
    Decision,
    policy::{Answer, Layer, Step, step},
};
use magnus::{Error, RHash, RModule, Ruby, Symbol, function};

use crate::symbols;

/// What follows when the rules decide so: `:proceed`, `:block` or `:enqueue`, by decision.
fn steps_after_rules(ruby: &Ruby) -> Result<RHash, Error> {
    let steps = ruby.hash_new();
    for decision in Decision::ALL {
        steps.aset(
            symbols::decision(ruby, decision),
            name(ruby, step(Layer::Rules, Answer::Rule(decision))),
        )?;
    }
    Ok(steps)
}

/// What follows when a tool needs an approval (true) or not: `:enqueue_as_the_tool_says` or
/// `:proceed`.
fn steps_after_require_approval(ruby: &Ruby) -> Result<RHash, Error> {
    let steps = ruby.hash_new();
    for (required, answer) in [(true, Answer::ApprovalRequired), (false, Answer::NoOpinion)] {
        steps.aset(required, name(ruby, step(Layer::RequireApproval, answer)))?;
    }
    Ok(steps)
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
    native.define_module_function("steps_after_rules", function!(steps_after_rules, 0))?;
    native.define_module_function(
        "steps_after_require_approval",
        function!(steps_after_require_approval, 0),
    )
}
