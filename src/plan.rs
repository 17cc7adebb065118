//! A plan: the rules that can match one tool, and how to find the first that does.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::host::Host;
use crate::matcher::Matcher;
use crate::pattern::{ArgumentPattern, ToolPattern, contains};
use crate::rules::{Rule, RuleSet, Verdict};
use crate::text::TextRef;

/// A matcher is compiled when a plan with at least so many rules is used for the second time: a
/// plan that is used once, or is short, is done sooner without.
const WORTH_COMPILING: usize = 4;

/// One rule of a plan.
#[derive(Clone, Copy, Debug)]
struct Step {
    rule: usize,
    /// Whether the host must be asked, each time, if the rule is about the tool.
    asks_for_tool: bool,
}

/// The rules that can match one tool, in order of declaration, up to the first that surely does.
#[derive(Debug)]
pub struct Plan {
    steps: Vec<Step>,
    /// Whether step has to follow step: at one of them the host is asked something else than
    /// whether the text matches.
    strictly_ordered: bool,
    used: AtomicU32,
    matcher: OnceLock<Matcher>,
}

impl Plan {
    /// Makes the plan for a tool name. Asks the host for the Regexps among the tool patterns.
    ///
    /// # Errors
    /// What the host raises that has nothing to do with the question.
    pub fn new<H: Host>(
        rules: &RuleSet,
        name: TextRef<'_>,
        host: &mut H,
    ) -> Result<Self, H::Error> {
        // The name is not looked at any more when the host runs, which may change or free it.
        let candidates = rules.candidates(name);
        let mut steps = Vec::new();
        for rule in candidates {
            let asks_for_tool = match rules.get(rule).map(|rule| &rule.tool) {
                Some(ToolPattern::Any | ToolPattern::Exact(_)) => false,
                // A name that is no proper text is an error to some Regexps, when they are reached.
                Some(ToolPattern::Regexp) if !name.is_comparable() => true,
                Some(ToolPattern::Regexp) => match host.lasting_tool_match(rule)? {
                    Some(true) => false,
                    Some(false) => continue,
                    None => true,
                },
                Some(ToolPattern::Host) | None => true,
            };
            steps.push(Step {
                rule,
                asks_for_tool,
            });
            let certain = |rule: &Rule| !asks_for_tool && rule.argument.is_none();
            if rules.get(rule).is_some_and(certain) {
                break;
            }
        }
        Ok(Self::of(rules, steps))
    }

    /// The plan for a name that is no text, which the host has to compare with every pattern.
    #[must_use]
    pub fn without_name(rules: &RuleSet) -> Self {
        let step = |rule| Step {
            rule,
            asks_for_tool: rules
                .get(rule)
                .is_none_or(|rule| rule.tool != ToolPattern::Any),
        };
        Self::of(rules, (0..rules.len()).map(step).collect())
    }

    fn of(rules: &RuleSet, steps: Vec<Step>) -> Self {
        let is_object = |step: &Step| {
            rules
                .get(step.rule)
                .is_some_and(|rule| rule.argument == Some(ArgumentPattern::Object))
        };
        Self {
            strictly_ordered: steps
                .iter()
                .any(|step| step.asks_for_tool || is_object(step)),
            steps,
            used: AtomicU32::new(0),
            matcher: OnceLock::new(),
        }
    }

    /// The first rule that matches a call of the plan's tool, or `None`.
    ///
    /// # Errors
    /// The first error of the host, which is that of the first rule whose question has one.
    pub fn first_match<H: Host>(
        &self,
        rules: &RuleSet,
        host: &mut H,
    ) -> Result<Option<Verdict>, H::Error> {
        match self.matcher(rules) {
            Some(matcher) => self.search(matcher, rules, host),
            None => self.scan(rules, host),
        }
    }

    fn matcher(&self, rules: &RuleSet) -> Option<&Matcher> {
        if self.strictly_ordered || self.steps.len() < WORTH_COMPILING {
            return None;
        }
        if self.used.load(Ordering::Relaxed) == 0 {
            self.used.store(1, Ordering::Relaxed);
            return None;
        }
        Some(self.matcher.get_or_init(|| {
            Matcher::new(
                self.steps
                    .iter()
                    .map(|step| rules.get(step.rule).and_then(|rule| rule.argument.as_ref())),
            )
        }))
    }

    /// Asks rule by rule.
    fn scan<H: Host>(&self, rules: &RuleSet, host: &mut H) -> Result<Option<Verdict>, H::Error> {
        for step in &self.steps {
            // INVARIANT: a plan is used with the rules it was made for, so there is always one.
            let Some(rule) = rules.get(step.rule) else {
                continue;
            };
            if (!step.asks_for_tool || host.tool_matches(step.rule)?)
                && argument_matches(rule.argument.as_ref(), step.rule, host)?
            {
                return Ok(Some(verdict(step.rule, rule)));
            }
        }
        Ok(None)
    }

    /// Looks at the text once, and asks the host only for the rules that may match and come before
    /// the first that surely does.
    fn search<H: Host>(
        &self,
        matcher: &Matcher,
        rules: &RuleSet,
        host: &mut H,
    ) -> Result<Option<Verdict>, H::Error> {
        let Some(text) = host.argument_text()?.filter(|text| text.is_comparable()) else {
            return self.scan(rules, host);
        };
        let found = matcher.search(text);
        for position in found.to_ask {
            if let Some(step) = self.steps.get(position) {
                if host.argument_matches(step.rule)? {
                    return Ok(self.verdict_at(position, rules));
                }
            }
        }
        Ok(found
            .certain
            .and_then(|position| self.verdict_at(position, rules)))
    }

    fn verdict_at(&self, position: usize, rules: &RuleSet) -> Option<Verdict> {
        let step = self.steps.get(position)?;
        Some(verdict(step.rule, rules.get(step.rule)?))
    }
}

const fn verdict(index: usize, rule: &Rule) -> Verdict {
    Verdict {
        rule: index,
        decision: rule.effective,
    }
}

fn argument_matches<H: Host>(
    pattern: Option<&ArgumentPattern>,
    index: usize,
    host: &mut H,
) -> Result<bool, H::Error> {
    match pattern {
        None => Ok(true),
        Some(ArgumentPattern::Regexp(_) | ArgumentPattern::Host | ArgumentPattern::Object) => {
            host.argument_matches(index)
        }
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
    use crate::decision::Decision;

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

        fn lasting_tool_match(&mut self, index: usize) -> Result<Option<bool>, Self::Error> {
            self.tool_matches(index).map(Some)
        }

        fn argument_text(&mut self) -> Result<Option<TextRef<'_>>, Self::Error> {
            self.serialized += 1;
            self.text
                .map(|text| Some(TextRef::new(text)))
                .ok_or("no text")
        }

        fn argument_matches(&mut self, index: usize) -> Result<bool, Self::Error> {
            self.asked.push(index);
            Ok(self.arguments.contains(&index))
        }
    }

    fn exact(name: &str) -> ToolPattern {
        ToolPattern::Exact(name.into())
    }

    fn containing(text: &str) -> ArgumentPattern {
        ArgumentPattern::Substring(text.into())
    }

    fn rules(declared: Vec<(Decision, ToolPattern, Option<ArgumentPattern>)>) -> RuleSet {
        let mut rules = RuleSet::default();
        for (decision, tool, argument) in declared {
            rules.declare(decision, tool, argument);
        }
        rules
    }

    /// The position of the deciding rule, which has to be the same at the first use of a plan and
    /// at a later one, when it is compiled.
    fn decide(rules: &RuleSet, name: &str, host: &mut Scripted) -> Option<usize> {
        let plan = Plan::new(rules, TextRef::new(name), host).unwrap();
        let mut once = || {
            host.asked.clear();
            let verdict = plan.first_match(rules, host).unwrap();
            verdict.map(|verdict| verdict.rule)
        };
        let first = once();
        assert_eq!(once(), first);
        first
    }

    #[test]
    fn the_first_match_in_order_of_declaration_decides() {
        let rules = rules(vec![
            (Decision::Deny, ToolPattern::Regexp, None),
            (Decision::Allow, exact("read"), None),
            (Decision::Ask, ToolPattern::Any, None),
            (Decision::Deny, exact("read"), None),
        ]);
        let mut host = Scripted::default();
        assert_eq!(decide(&rules, "read", &mut host), Some(1));
        assert_eq!(decide(&rules, "other", &mut host), Some(2));
        host.tools = vec![0];
        assert_eq!(decide(&rules, "read", &mut host), Some(0));
        assert!(host.asked.is_empty());
    }

    #[test]
    fn arguments_are_not_serialized_for_rules_that_do_not_look_at_them() {
        let rules = rules(vec![
            (Decision::Ask, exact("other"), Some(containing("rm"))),
            (Decision::Allow, exact("read"), None),
            (Decision::Deny, exact("read"), Some(containing("rm"))),
        ]);
        let mut host = Scripted::default();
        assert_eq!(decide(&rules, "read", &mut host), Some(1));
        assert_eq!(host.serialized, 0);
    }

    #[test]
    fn substrings_and_questions_are_kept_in_order() {
        let rules = rules(vec![
            (Decision::Deny, exact("bash"), Some(containing("rm -rf"))),
            (Decision::Ask, exact("bash"), Some(ArgumentPattern::Host)),
            (Decision::Ask, exact("bash"), Some(containing("rm"))),
            (Decision::Deny, exact("bash"), Some(ArgumentPattern::Host)),
            (Decision::Allow, exact("bash"), None),
        ]);
        let mut host = Scripted {
            text: Some("sudo rm -rf /"),
            arguments: vec![1],
            ..Scripted::default()
        };
        assert_eq!(decide(&rules, "bash", &mut host), Some(0));
        assert!(host.asked.is_empty());
        host.text = Some("rm x");
        assert_eq!(decide(&rules, "bash", &mut host), Some(1));
        host.arguments = vec![];
        assert_eq!(decide(&rules, "bash", &mut host), Some(2));
        assert_eq!(host.asked, [1]);
        host.text = Some("ls");
        assert_eq!(decide(&rules, "bash", &mut host), Some(4));
        assert_eq!(host.asked, [1, 3]);
    }

    #[test]
    fn an_object_is_asked_before_there_is_a_text() {
        let mut declared = vec![(Decision::Ask, exact("bash"), Some(ArgumentPattern::Object))];
        declared.extend(["a", "b", "c", "d"].map(|text| {
            let argument = Some(containing(text));
            (Decision::Deny, exact("bash"), argument)
        }));
        let mut host = Scripted {
            arguments: vec![0],
            ..Scripted::default()
        };
        assert_eq!(decide(&rules(declared), "bash", &mut host), Some(0));
        assert_eq!(host.serialized, 0);
    }

    #[test]
    fn an_error_of_the_host_ends_the_search() {
        let rules = rules(vec![
            (Decision::Deny, exact("bash"), Some(containing("rm"))),
            (Decision::Allow, ToolPattern::Host, None),
        ]);
        let mut host = Scripted::default();
        let plan = Plan::new(&rules, TextRef::new("bash"), &mut host).unwrap();
        assert_eq!(plan.first_match(&rules, &mut host), Err("no text"));
        assert!(host.asked.is_empty());
    }

    #[test]
    fn without_a_name_the_host_is_asked_for_every_rule() {
        let rules = rules(vec![
            (Decision::Deny, exact("a"), None),
            (Decision::Allow, exact("b"), None),
            (Decision::Ask, ToolPattern::Any, None),
        ]);
        let mut host = Scripted {
            tools: vec![1],
            ..Scripted::default()
        };
        let verdict = Plan::without_name(&rules).first_match(&rules, &mut host);
        assert_eq!(verdict.unwrap().map(|verdict| verdict.rule), Some(1));
        assert_eq!(host.asked, [0, 1]);
    }
}
