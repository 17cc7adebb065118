//! Ordered rules, an index over them by tool name, and the first that matches a call.

use std::ops::Range;

use crate::decision::Decision;
use crate::pattern::{ArgumentPattern, ToolPattern, contains};
use crate::text::{TextMap, TextRef};

/// What only the host language can answer while a call is classified.
///
/// Every question may run the host's code, which may do anything, declare rules included; the
/// classification goes on with the rules it began with. An error ends it and is passed on as it is.
pub trait Host {
    /// The host's error.
    type Error;

    /// Whether the tool pattern of the rule at `index` matches the tool of this call.
    ///
    /// # Errors
    /// Whatever the host raises.
    fn tool_matches(&mut self, index: usize) -> Result<bool, Self::Error>;

    /// The text of the arguments, made at the first question and kept; `None` when the arguments
    /// have no text of a kind that the core can compare.
    ///
    /// # Errors
    /// Whatever the host raises while it serializes.
    fn argument_text(&mut self) -> Result<Option<TextRef<'_>>, Self::Error>;

    /// Whether the argument pattern of the rule at `index` matches the text of the arguments.
    ///
    /// # Errors
    /// Whatever the host raises.
    fn argument_matches(&mut self, index: usize) -> Result<bool, Self::Error>;
}

/// One declared rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    effective: Decision,
    tool: ToolPattern,
    argument: Option<ArgumentPattern>,
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
/// use ask_permissions_core::{Decision, RuleSet, TextRef, ToolPattern};
/// let mut rules = RuleSet::default();
/// rules.declare(Decision::Deny, ToolPattern::Exact("delete_user".into()), None);
/// assert_eq!(rules.len(), 1);
/// let candidates = rules.candidates(Some(TextRef::new("delete_user")));
/// # let _ = candidates;
/// ```
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    /// INVARIANT: ascending; the rules whose tool pattern is exactly this name.
    by_name: TextMap<Vec<usize>>,
    /// INVARIANT: ascending; the rules whose tool pattern is not one exact name.
    by_pattern: Vec<usize>,
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
            ToolPattern::Any | ToolPattern::Host => self.by_pattern.push(index),
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

    /// The rules that can be about the tool of this name, in order of declaration. Without a name
    /// (it is nothing that the core can compare) all rules are, and the host is asked for each.
    ///
    /// The answer does not borrow the name, which may go away while the host's code runs.
    #[must_use]
    pub fn candidates(&self, name: Option<TextRef<'_>>) -> Candidates<'_> {
        let order = match name {
            None => Order::All(0..self.rules.len()),
            Some(name) => Order::Indexed {
                by_name: self.by_name.get(name).map_or(&[], Vec::as_slice),
                by_pattern: &self.by_pattern,
            },
        };
        Candidates {
            rules: &self.rules,
            order,
        }
    }
}

/// Positions of rules, ascending.
#[derive(Clone, Debug)]
enum Order<'a> {
    All(Range<usize>),
    Indexed {
        by_name: &'a [usize],
        by_pattern: &'a [usize],
    },
}

impl Iterator for Order<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Self::All(positions) => positions.next(),
            Self::Indexed {
                by_name,
                by_pattern,
            } => {
                let source = match (by_name.first(), by_pattern.first()) {
                    (Some(name), Some(pattern)) if pattern < name => by_pattern,
                    (Some(_), _) => by_name,
                    (None, _) => by_pattern,
                };
                let (first, rest) = source.split_first()?;
                *source = rest;
                Some(*first)
            }
        }
    }
}

/// The rules that can be about one tool.
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    rules: &'a [Rule],
    order: Order<'a>,
}

impl Candidates<'_> {
    /// The first rule that matches the call, or `None`.
    ///
    /// # Errors
    /// The first error of the host; rules after it are not asked.
    pub fn first_match<H: Host>(self, host: &mut H) -> Result<Option<Verdict>, H::Error> {
        let name_compared = matches!(self.order, Order::Indexed { .. });
        for index in self.order {
            // INVARIANT: the order holds positions of rules only, so there is always one.
            let Some(rule) = self.rules.get(index) else {
                continue;
            };
            let tool_matches = match rule.tool {
                ToolPattern::Any => true,
                ToolPattern::Exact(_) if name_compared => true,
                ToolPattern::Exact(_) | ToolPattern::Host => host.tool_matches(index)?,
            };
            if tool_matches && argument_matches(rule.argument.as_ref(), index, host)? {
                return Ok(Some(Verdict {
                    rule: index,
                    decision: rule.effective,
                }));
            }
        }
        Ok(None)
    }
}

fn argument_matches<H: Host>(
    pattern: Option<&ArgumentPattern>,
    index: usize,
    host: &mut H,
) -> Result<bool, H::Error> {
    match pattern {
        None => Ok(true),
        Some(ArgumentPattern::Host) => host.argument_matches(index),
        Some(ArgumentPattern::Substring(needle)) => {
            let known = host
                .argument_text()?
                .and_then(|text| contains(text, needle.as_ref()));
            known.map_or_else(|| host.argument_matches(index), Ok)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host whose regular expressions match what `tools` and `arguments` say, and which counts.
    #[derive(Default)]
    struct Scripted {
        tools: Vec<usize>,
        arguments: Vec<usize>,
        text: Option<&'static str>,
        serialized: usize,
        asked: Vec<usize>,
    }

    impl Host for Scripted {
        type Error = &'static str;

        fn tool_matches(&mut self, index: usize) -> Result<bool, Self::Error> {
            self.asked.push(index);
            Ok(self.tools.contains(&index))
        }

        fn argument_text(&mut self) -> Result<Option<TextRef<'_>>, Self::Error> {
            self.serialized += 1;
            self.text
                .map(|text| Some(TextRef::new(text)))
                .ok_or("no text")
        }

        fn argument_matches(&mut self, index: usize) -> Result<bool, Self::Error> {
            Ok(self.arguments.contains(&index))
        }
    }

    fn exact(name: &str) -> ToolPattern {
        ToolPattern::Exact(name.into())
    }

    fn containing(text: &str) -> ArgumentPattern {
        ArgumentPattern::Substring(text.into())
    }

    fn decide(rules: &RuleSet, name: &str, host: &mut Scripted) -> Option<(usize, Decision)> {
        rules
            .candidates(Some(TextRef::new(name)))
            .first_match(host)
            .ok()
            .flatten()
            .map(|verdict| (verdict.rule, verdict.decision))
    }

    #[test]
    fn the_first_match_in_order_of_declaration_decides() {
        let mut rules = RuleSet::default();
        rules.declare(Decision::Deny, ToolPattern::Host, None);
        rules.declare(Decision::Allow, exact("read"), None);
        rules.declare(Decision::Ask, ToolPattern::Any, None);
        rules.declare(Decision::Deny, exact("read"), None);

        let mut host = Scripted::default();
        assert_eq!(
            decide(&rules, "read", &mut host),
            Some((1, Decision::Allow))
        );
        assert_eq!(decide(&rules, "other", &mut host), Some((2, Decision::Ask)));
        host.tools = vec![0];
        assert_eq!(decide(&rules, "read", &mut host), Some((0, Decision::Deny)));
    }

    #[test]
    fn arguments_are_not_serialized_for_rules_that_do_not_look_at_them() {
        let mut rules = RuleSet::default();
        rules.declare(Decision::Ask, exact("other"), Some(containing("rm")));
        rules.declare(Decision::Allow, exact("read"), None);
        rules.declare(Decision::Deny, exact("read"), Some(containing("rm")));

        let mut host = Scripted::default();
        assert_eq!(
            decide(&rules, "read", &mut host),
            Some((1, Decision::Allow))
        );
        assert_eq!(host.serialized, 0);
    }

    #[test]
    fn substrings_are_found_in_the_text() {
        let mut rules = RuleSet::default();
        rules.declare(Decision::Deny, exact("bash"), Some(containing("rm -rf")));
        rules.declare(Decision::Ask, exact("bash"), Some(containing("")));

        let mut host = Scripted {
            text: Some("sudo rm -rf /"),
            ..Scripted::default()
        };
        assert_eq!(decide(&rules, "bash", &mut host), Some((0, Decision::Deny)));
        host.text = Some("ls");
        assert_eq!(decide(&rules, "bash", &mut host), Some((1, Decision::Ask)));
    }

    #[test]
    fn an_error_of_the_host_ends_the_classification() {
        let mut rules = RuleSet::default();
        rules.declare(Decision::Deny, exact("bash"), Some(containing("rm")));
        rules.declare(Decision::Allow, ToolPattern::Host, None);

        let mut host = Scripted::default();
        assert_eq!(
            rules
                .candidates(Some(TextRef::new("bash")))
                .first_match(&mut host),
            Err("no text")
        );
        assert!(host.asked.is_empty());
    }

    #[test]
    fn without_a_comparable_name_the_host_is_asked_for_every_rule() {
        let mut rules = RuleSet::default();
        rules.declare(Decision::Deny, exact("a"), None);
        rules.declare(Decision::Allow, exact("b"), None);
        rules.declare(Decision::Ask, ToolPattern::Any, None);

        let mut host = Scripted {
            tools: vec![1],
            ..Scripted::default()
        };
        let verdict = rules.candidates(None).first_match(&mut host);
        assert_eq!(
            verdict.map(|found| found.map(|found| found.rule)),
            Ok(Some(1))
        );
        assert_eq!(host.asked, [0, 1]);
    }

    #[test]
    fn no_rule_no_verdict() {
        let rules = RuleSet::default();
        assert!(rules.is_empty());
        assert_eq!(decide(&rules, "bash", &mut Scripted::default()), None);
    }
}
