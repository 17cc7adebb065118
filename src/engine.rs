//! The rules in force and the plans made for them so far.

use std::sync::Arc;

use crate::decision::Decision;
use crate::pattern::{ArgumentPattern, ToolPattern};
use crate::plan::Plan;
use crate::rules::{RuleSet, Verdict};
use crate::text::{TextMap, TextRef};

/// How many tool names may have a plan of their own at a time. Past it all plans are dropped and
/// made anew as they are wanted, so that invented names cannot grow memory.
const MOST_PLANS: usize = 1024;

/// Rules that can be declared and asked in any order.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    rules: Arc<RuleSet>,
    /// INVARIANT: made for the rules as they are now.
    plans: TextMap<Arc<Plan>>,
    /// The plan for all names that the rules do not tell apart.
    common: Option<Arc<Plan>>,
}

/// What is known of a tool name.
#[derive(Debug)]
pub enum Lookup {
    /// The verdict on every call of the tool, whatever its arguments.
    Decided(Option<Verdict>),
    /// How to find the verdict on a call.
    Planned(Arc<RuleSet>, Arc<Plan>),
    /// Nothing as yet: a plan is to be made for these rules, and remembered.
    Unplanned(Arc<RuleSet>),
}

impl Engine {
    /// Adds a rule that answers `effective` and returns its position.
    pub fn declare(
        &mut self,
        effective: Decision,
        tool: ToolPattern,
        argument: Option<ArgumentPattern>,
    ) -> usize {
        self.plans.clear();
        self.common = None;
        // Whoever is classifying at the moment goes on with the rules it began with.
        Arc::make_mut(&mut self.rules).declare(effective, tool, argument)
    }

    /// The rules as they are now.
    #[must_use]
    pub fn rules(&self) -> Arc<RuleSet> {
        Arc::clone(&self.rules)
    }

    /// How many rules there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What is known of the tool of this name.
    #[must_use]
    pub fn lookup(&self, name: TextRef<'_>) -> Lookup {
        let Some(index) = self.rules.candidates(name).next() else {
            return Lookup::Decided(None);
        };
        if let Some(rule) = self.rules.get(index) {
            let known = matches!(rule.tool, ToolPattern::Any | ToolPattern::Exact(_));
            if known && rule.argument.is_none() {
                return Lookup::Decided(Some(Verdict {
                    rule: index,
                    decision: rule.effective,
                }));
            }
        }
        let plan = if self.rules.distinguishes(name) {
            self.plans.get(name)
        } else {
            self.common.as_ref()
        };
        plan.map_or_else(
            || Lookup::Unplanned(self.rules()),
            |plan| Lookup::Planned(self.rules(), Arc::clone(plan)),
        )
    }

    /// What is known of the tool of this name under rules that were in force a moment ago.
    #[must_use]
    pub fn lookup_under(&self, rules: &Arc<RuleSet>, name: TextRef<'_>) -> Lookup {
        if Arc::ptr_eq(rules, &self.rules) {
            self.lookup(name)
        } else {
            Lookup::Unplanned(Arc::clone(rules))
        }
    }

    /// Keeps a plan that was made for these rules, if they are still the ones in force.
    pub fn remember(&mut self, name: TextRef<'_>, rules: &Arc<RuleSet>, plan: &Arc<Plan>) {
        if !Arc::ptr_eq(rules, &self.rules) {
            return;
        }
        if !self.rules.distinguishes(name) {
            self.common = Some(Arc::clone(plan));
            return;
        }
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        self.plans.insert(name, Arc::clone(plan));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(engine: &Engine, name: &str) -> &'static str {
        match engine.lookup(TextRef::new(name)) {
            Lookup::Decided(None) => "no rule",
            Lookup::Decided(Some(_)) => "decided",
            Lookup::Planned(..) => "planned",
            Lookup::Unplanned(_) => "unplanned",
        }
    }

    fn remember(engine: &mut Engine, name: &str) {
        let rules = engine.rules();
        let plan = Arc::new(Plan::without_name(&rules));
        engine.remember(TextRef::new(name), &rules, &plan);
    }

    #[test]
    fn a_name_that_decides_needs_no_plan() {
        let mut engine = Engine::default();
        assert_eq!(known(&engine, "read"), "no rule");
        engine.declare(Decision::Allow, ToolPattern::Exact("read".into()), None);
        assert_eq!(known(&engine, "read"), "decided");
        assert_eq!(known(&engine, "write"), "no rule");
    }

    #[test]
    fn plans_last_until_a_rule_is_added() {
        let mut engine = Engine::default();
        let argument = Some(ArgumentPattern::Host);
        engine.declare(Decision::Deny, ToolPattern::Any, argument.clone());
        remember(&mut engine, "read");
        assert_eq!(known(&engine, "read"), "planned");
        // No rule tells the two apart.
        assert_eq!(known(&engine, "write"), "planned");
        let rules = engine.rules();
        engine.declare(Decision::Deny, ToolPattern::Regexp, argument);
        assert_eq!(known(&engine, "read"), "unplanned");
        let outdated = Arc::new(Plan::without_name(&rules));
        engine.remember(TextRef::new("read"), &rules, &outdated);
        assert_eq!(known(&engine, "read"), "unplanned");
    }

    #[test]
    fn invented_names_do_not_grow_memory() {
        let mut engine = Engine::default();
        engine.declare(Decision::Deny, ToolPattern::Regexp, None);
        for number in 0..=MOST_PLANS {
            remember(&mut engine, &format!("invented {number}"));
        }
        assert_eq!(engine.plans.len(), 1);
    }
}
