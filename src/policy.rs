//! The order in which a policy asks its layers, in one table.

use crate::decision::Decision;

/// A layer of a policy. A later layer is asked only when the earlier ones have no opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The rules' classification of the call.
    Rules,
    /// The policy's own list of tools that need approval, and what the tool says of itself.
    RequireApproval,
}

/// What a layer answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing that the layer knows of.
    NoOpinion,
    /// A rule decided.
    Rule(Decision),
    /// The tool needs an approval.
    ApprovalRequired,
}

/// What follows from an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next layer is asked.
    Ask(Layer),
    /// The call proceeds.
    Proceed,
    /// The call is blocked.
    Block,
    /// The call waits for a person, whatever the tool says of itself.
    Enqueue,
    /// The call waits, and may be approved automatically where its tool says so.
    EnqueueAsTheToolSays,
}

/// The layer that is asked first.
pub const FIRST: Layer = Layer::Rules;

/// What follows when `layer` gives `answer`: the whole order of a policy.
///
/// | layer | answer | step |
/// |---|---|---|
/// | rules | deny | block |
/// | rules | allow | proceed |
/// | rules | ask | enqueue for a person |
/// | rules | none | ask the next layer |
/// | require approval | required | enqueue, automatically approvable where the tool says so |
/// | require approval | not required | proceed |
#[must_use]
pub const fn step(layer: Layer, answer: Answer) -> Step {
    match (layer, answer) {
        (Layer::Rules, Answer::Rule(Decision::Deny)) => Step::Block,
        (Layer::Rules, Answer::Rule(Decision::Ask)) => Step::Enqueue,
        (Layer::Rules, Answer::NoOpinion | Answer::ApprovalRequired) => {
            Step::Ask(Layer::RequireApproval)
        }
        (Layer::RequireApproval, Answer::ApprovalRequired) => Step::EnqueueAsTheToolSays,
        (Layer::Rules, Answer::Rule(Decision::Allow))
        | (Layer::RequireApproval, Answer::NoOpinion | Answer::Rule(_)) => Step::Proceed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_documented_one() {
        let rules = |answer| step(Layer::Rules, answer);
        assert_eq!(rules(Answer::Rule(Decision::Deny)), Step::Block);
        assert_eq!(rules(Answer::Rule(Decision::Allow)), Step::Proceed);
        assert_eq!(rules(Answer::Rule(Decision::Ask)), Step::Enqueue);
        assert_eq!(rules(Answer::NoOpinion), Step::Ask(Layer::RequireApproval));

        let required = |answer| step(Layer::RequireApproval, answer);
        assert_eq!(
            required(Answer::ApprovalRequired),
            Step::EnqueueAsTheToolSays
        );
        assert_eq!(required(Answer::NoOpinion), Step::Proceed);
    }
}
