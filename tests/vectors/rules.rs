//! Exact names, substrings, decisions, and the downgrade of dangerous allows.

use std::sync::Arc;

use ask_permissions_core::decision::DANGEROUS_TOOLS;
use ask_permissions_core::{
    ArgumentPattern, Decision, Engine, Host, Lookup, Plan, TextRef, ToolPattern, rules::Verdict,
};
use serde_json::{Value, json};

use crate::{Checked, cases, decision, field, item, list, read, text, tool_pattern};

/// Answers with the recorded text, and never has to match anything itself.
struct Recorded(Option<String>);

impl Host for Recorded {
    type Error = &'static str;

    fn tool_matches(&mut self, _index: usize) -> Result<bool, Self::Error> {
        Err("the core asked for a tool")
    }

    fn lasting_tool_match(&mut self, _index: usize) -> Result<Option<bool>, Self::Error> {
        Err("the core asked for a tool")
    }

    fn argument_text(&mut self) -> Result<Option<TextRef<'_>>, Self::Error> {
        let text = self
            .0
            .as_deref()
            .ok_or("the core asked for the arguments")?;
        Ok(Some(TextRef::new(text)))
    }

    fn argument_matches(&mut self, _index: usize) -> Result<bool, Self::Error> {
        Err("the core asked for an argument")
    }
}

/// The verdict on a call, as a binding finds it; the plan that had to be made is kept for the next.
fn verdict(
    engine: &mut Engine,
    name: &str,
    mut host: Recorded,
) -> Result<Option<Verdict>, &'static str> {
    let name = TextRef::new(name);
    match engine.lookup(name) {
        Lookup::Decided(verdict) => Ok(verdict),
        Lookup::Planned(rules, plan) => plan.first_match(&rules, &mut host),
        Lookup::Unplanned(rules) => {
            let plan = Arc::new(Plan::new(&rules, name, &mut host)?);
            engine.remember(name, &rules, &plan);
            plan.first_match(&rules, &mut host)
        }
    }
}

#[test]
fn names_match_exactly() -> Checked {
    let vectors = read("tool_pattern")?;
    let mut played = 0;
    for case in cases(&vectors) {
        let Some(pattern) = tool_pattern(field(case, "pattern")) else {
            continue;
        };
        let mut rules = Engine::default();
        rules.declare(Decision::Deny, pattern, None);
        for name in list(field(&vectors, "names")) {
            let plain = text(name).unwrap_or_default();
            let found = verdict(&mut rules, &plain, Recorded(None))?;
            let expected = list(field(case, "matches")).contains(name);
            assert_eq!(found.is_some(), expected, "{case} with {name}");
            played += 1;
        }
    }
    assert!(played > 300, "only {played} were played");
    Ok(())
}

fn dangerous(declared: Decision, tool: &ToolPattern, unrestricted: bool) -> bool {
    let named = |name: &&str| *tool == ToolPattern::Exact((*name).into());
    let broad = *tool == ToolPattern::Any || DANGEROUS_TOOLS.iter().any(named);
    declared == Decision::Allow && unrestricted && broad
}

/// The rules of a case; `None` when one of them needs Ruby.
fn rule_set(case: &Value) -> Option<Engine> {
    let trusting = field(case, "auto_allow_dangerous") == &Value::Bool(true);
    let mut rules = Engine::default();
    for rule in list(field(case, "rules")) {
        let declared = decision(item(rule, 0))?;
        let tool = tool_pattern(item(rule, 1))?;
        let argument = match item(rule, 2) {
            Value::Null => None,
            pattern => Some(ArgumentPattern::Substring(text(pattern)?.as_str().into())),
        };
        let risky = dangerous(declared, &tool, argument.is_none());
        rules.declare(declared.effective(risky, trusting), tool, argument);
    }
    Some(rules)
}

#[test]
fn the_first_matching_rule_decides() -> Checked {
    let mut played = 0;
    for case in cases(&read("rules")?) {
        let Some(mut rules) = rule_set(case) else {
            continue;
        };
        for call in list(field(case, "calls")) {
            let (Some(name), Some(recorded)) = (text(field(call, "tool")), call.get("rule")) else {
                continue;
            };
            let Some(arguments) = field(call, "text").as_str() else {
                continue;
            };
            // The first time makes the plan, the second compiles it, the third uses it.
            for _ in 0..3 {
                let host = Recorded(Some(arguments.to_owned()));
                let found = verdict(&mut rules, &name, host)?;
                assert_eq!(json!(found.map(|found| found.rule)), *recorded, "{call}");
                let decided = found.map(|found| found.decision);
                assert_eq!(decided, decision(field(call, "answer")), "{call}");
            }
            played += 1;
        }
    }
    assert!(played > 100, "only {played} were played");
    Ok(())
}

#[test]
fn a_dangerous_allow_asks() -> Checked {
    let vectors = read("dangerous")?;
    let tools = DANGEROUS_TOOLS.map(|name| format!(":{name}"));
    assert_eq!(*field(&vectors, "dangerous_tools"), json!(tools));
    for case in cases(&vectors) {
        let patterns = field(case, "patterns");
        let parts = (
            decision(field(case, "declared")),
            tool_pattern(item(patterns, 0)),
        );
        let (Some(declared), Some(tool)) = parts else {
            continue;
        };
        let risky = dangerous(declared, &tool, item(patterns, 1).is_null());
        assert_eq!(*field(case, "dangerous"), json!(risky), "{case}");
        for (trusting, name) in [(false, "effective"), (true, "effective_when_allowed")] {
            let effective = Some(declared.effective(risky, trusting));
            assert_eq!(effective, decision(field(case, name)), "{case}");
        }
    }
    Ok(())
}
