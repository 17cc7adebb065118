//! The order of a policy's layers.

use ask_permissions_core::Decision;
use ask_permissions_core::policy::{self, Answer, Layer, Step};
use serde_json::{Value, json};

use crate::{Checked, cases, field, item, read, text};

/// Whether `require_approval` names the tool; `None` when only Ruby can tell.
fn requires(criterion: &Value, name: &str) -> Option<bool> {
    match criterion {
        Value::Null => Some(false),
        Value::Array(criteria) => {
            let answers: Option<Vec<_>> = criteria.iter().map(|one| requires(one, name)).collect();
            Some(answers?.contains(&true))
        }
        one if one == ":all" => Some(true),
        one => Some(text(one)? == name),
    }
}

fn truthy(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

#[test]
fn the_layers_of_a_policy_are_asked_in_order() -> Checked {
    let mut played = 0;
    for case in cases(&read("policy")?) {
        let name = text(item(field(case, "call"), 0)).unwrap_or_default();
        let listed = requires(field(case, "require_approval"), &name);
        let (Some(listed), false) = (listed, field(case, "rules").is_array()) else {
            continue;
        };
        let known = field(case, "tools_as") != "names";
        let tool = if known {
            field(field(case, "tools"), &name)
        } else {
            &Value::Null
        };
        let required = listed || truthy(field(tool, "approval_required?"));
        let ruled = field(case, "rules")
            .as_str()
            .and_then(|answer| answer.strip_prefix(':'));

        let mut step = Step::Ask(policy::FIRST);
        while let Step::Ask(layer) = step {
            let answer = match layer {
                Layer::Rules => ruled.and_then(Decision::from_name).map(Answer::Rule),
                Layer::RequireApproval => required.then_some(Answer::ApprovalRequired),
            };
            step = policy::step(layer, answer.unwrap_or(Answer::NoOpinion));
        }

        let auto_approvable = truthy(field(tool, "auto_approvable?"));
        let (action, submitted) = match step {
            Step::Block => (":block", Value::Null),
            Step::Enqueue => (":pending", json!(false)),
            Step::EnqueueAsTheToolSays => (":pending", json!(auto_approvable)),
            Step::Proceed | Step::Ask(_) => (":proceed", Value::Null),
        };
        assert_eq!(field(field(case, "answer"), ":action"), action, "{case}");
        assert_eq!(
            *field(field(case, "submitted"), ":auto_approvable"),
            submitted,
            "{case}"
        );
        played += 1;
    }
    assert!(played > 40, "only {played} were played");
    Ok(())
}
