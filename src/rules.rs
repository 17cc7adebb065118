//! Ordered rules, and an index over them by tool name.

use crate::decision::Decision;
use crate::pattern::{ArgumentPattern, ToolPattern};
use crate::text::{TextMap, TextRef};

/// One declared rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub(crate) effective: Decision,
    pub(crate) tool: ToolPattern,
    pub(crate) argument: Option<ArgumentPattern>,
}

/// The decision on a call, with the evidence for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The position of the rule that decided, in order of declaration, from 0.
    pub rule: usize,
    /// What it decided.
    pub decision: Decision,
}

/// Rules in order of declaration.
///
/// ```
/// use ask_permissions_core::{Decision, RuleSet, ToolPattern};
/// let mut rules = RuleSet::default();
/// rules.declare(Decision::Deny, ToolPattern::Exact("delete_user".into()), None);
/// assert_eq!(rules.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    /// INVARIANT: ascending; the rules whose tool pattern is exactly this name.
    by_name: TextMap<Vec<usize>>,
    /// INVARIANT: ascending; the rules whose tool pattern is not one exact name.
    by_pattern: Vec<usize>,
    /// Whether any of those has to be asked for each name.
    asks_for_names: bool,
}

impl RuleSet {
    /// Adds a rule that answers `effective` and returns its position.
    pub fn declare(
        &mut self,
        effective: Decision,
        tool: ToolPattern,
        argument: Option<ArgumentPattern>,
    ) -> usize {
        let index = self.rules.len();
        match &tool {
            ToolPattern::Exact(name) => self.by_name.entry(name).push(index),
            ToolPattern::Any => self.by_pattern.push(index),
            ToolPattern::Regexp | ToolPattern::Host => {
                self.by_pattern.push(index);
                self.asks_for_names = true;
            }
        }
        self.rules.push(Rule {
            effective,
            tool,
            argument,
        });
        index
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

    /// The rule at a position.
    #[must_use]
    pub(crate) fn get(&self, index: usize) -> Option<&Rule> {
        self.rules.get(index)
    }

    /// Whether rules tell tools of this name from tools of a name that nobody knows.
    #[must_use]
    pub(crate) fn distinguishes(&self, name: TextRef<'_>) -> bool {
        self.asks_for_names || self.by_name.get(name).is_some()
    }

    /// The positions of the rules that can be about a tool of this name, ascending.
    pub(crate) fn candidates(&self, name: TextRef<'_>) -> Candidates<'_> {
        Candidates {
            by_name: self.by_name.get(name).map_or(&[], Vec::as_slice),
            by_pattern: &self.by_pattern,
        }
    }
}

/// Positions out of two ascending lists, ascending.
#[derive(Clone, Debug)]
pub(crate) struct Candidates<'a> {
    by_name: &'a [usize],
    by_pattern: &'a [usize],
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let source = match (self.by_name.first(), self.by_pattern.first()) {
            (Some(name), Some(pattern)) if pattern < name => &mut self.by_pattern,
            (Some(_), _) => &mut self.by_name,
            (None, _) => &mut self.by_pattern,
        };
        let (first, rest) = source.split_first()?;
        *source = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_come_in_order_of_declaration() {
        let mut rules = RuleSet::default();
        assert!(rules.is_empty());
        for tool in [
            ToolPattern::Host,
            ToolPattern::Exact("read".into()),
            ToolPattern::Any,
            ToolPattern::Exact("write".into()),
            ToolPattern::Exact("read".into()),
        ] {
            rules.declare(Decision::Ask, tool, None);
        }
        let of = |name| rules.candidates(TextRef::new(name)).collect::<Vec<_>>();
        assert_eq!(of("read"), [0, 1, 2, 4]);
        assert_eq!(of("write"), [0, 2, 3]);
        assert_eq!(of("other"), [0, 2]);
    }

    #[test]
    fn unknown_names_are_alike_unless_a_pattern_looks_at_them() {
        let mut rules = RuleSet::default();
        rules.declare(Decision::Ask, ToolPattern::Any, None);
        rules.declare(Decision::Ask, ToolPattern::Exact("read".into()), None);
        assert!(rules.distinguishes(TextRef::new("read")));
        assert!(!rules.distinguishes(TextRef::new("other")));
        rules.declare(Decision::Ask, ToolPattern::Regexp, None);
        assert!(rules.distinguishes(TextRef::new("other")));
    }
}
