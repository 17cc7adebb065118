//! One tool's argument patterns, searched for all together.

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use crate::pattern::ArgumentPattern;
use crate::regexp::{Prefilter, translate};
use crate::text::{Text, TextRef};

/// So many substrings are looked for one after the other; more of them, all at once.
const FEW: usize = 4;

/// An automaton is made of so many bytes of substrings at most; more are left to the host. It takes
/// some tens of bytes of memory for each.
const MOST_BYTES: usize = 1 << 20;

/// The argument patterns of a plan's steps. A position is that of a step in its plan.
#[derive(Debug)]
pub struct Matcher {
    substrings: Substrings,
    /// Steps whose pattern the host matches, if the prefilter has it that it may match at all.
    regexps: Prefilter,
    /// Steps whose pattern only the host can match.
    to_ask: Vec<usize>,
    /// The step at which every call matches that has not matched before.
    certain: Option<usize>,
}

/// What the text says.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// Steps that may match, ascending, all before `certain`.
    pub to_ask: Vec<usize>,
    /// The first step that surely matches.
    pub certain: Option<usize>,
}

#[derive(Debug)]
enum Substrings {
    Few(Vec<(usize, Finder<'static>)>),
    Many {
        automaton: AhoCorasick,
        /// The step of each of the automaton's patterns, ascending.
        steps: Vec<usize>,
    },
}

impl Matcher {
    /// A matcher of these patterns, one a step.
    pub fn new<'a>(patterns: impl Iterator<Item = Option<&'a ArgumentPattern>>) -> Self {
        let mut needles = Vec::new();
        let mut narrowings = Vec::new();
        let mut to_ask = Vec::new();
        let mut certain = None;
        for (step, pattern) in patterns.enumerate() {
            match pattern {
                None => {
                    certain = Some(step);
                    break;
                }
                Some(ArgumentPattern::Substring(needle)) if needle.as_ref().is_comparable() => {
                    needles.push((step, needle));
                }
                Some(ArgumentPattern::Regexp(regexp)) => {
                    narrowings.push((step, translate(&regexp.source, regexp.flags)));
                }
                Some(
                    ArgumentPattern::Substring(_) | ArgumentPattern::Host | ArgumentPattern::Object,
                ) => to_ask.push(step),
            }
        }
        let substrings = Substrings::new(&needles).unwrap_or_else(|| {
            to_ask.extend(needles.iter().map(|(step, _)| step));
            to_ask.sort_unstable();
            Substrings::Few(Vec::new())
        });
        Self {
            substrings,
            regexps: Prefilter::new(
                narrowings
                    .iter()
                    .map(|(step, narrowing)| (*step, narrowing)),
            ),
            to_ask,
            certain,
        }
    }

    /// Searches a text, which has to be one that the core can compare.
    pub fn search(&self, text: TextRef<'_>) -> Found {
        let certain = self.substrings.first_in(text.bytes).or(self.certain);
        let mut to_ask = self.regexps.candidates(text.bytes);
        if !self.to_ask.is_empty() {
            to_ask.extend(&self.to_ask);
            to_ask.sort_unstable();
        }
        if let Some(certain) = certain {
            to_ask.truncate(to_ask.partition_point(|step| *step < certain));
        }
        Found { to_ask, certain }
    }
}

impl Substrings {
    /// `None` when there are too many to be compiled.
    fn new(needles: &[(usize, &Text)]) -> Option<Self> {
        if needles.len() <= FEW {
            let finder = |(step, needle): &(usize, &Text)| {
                (*step, Finder::new(needle.as_ref().bytes).into_owned())
            };
            return Some(Self::Few(needles.iter().map(finder).collect()));
        }
        let bytes: usize = needles
            .iter()
            .map(|(_, needle)| needle.as_ref().bytes.len())
            .sum();
        if bytes > MOST_BYTES {
            return None;
        }
        let automaton = AhoCorasick::new(needles.iter().map(|(_, needle)| needle.as_ref().bytes));
        Some(Self::Many {
            automaton: automaton.ok()?,
            steps: needles.iter().map(|(step, _)| *step).collect(),
        })
    }

    /// The first step whose substring is in the text.
    fn first_in(&self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Few(finders) => finders
                .iter()
                .find(|(_, finder)| finder.find(text).is_some())
                .map(|(step, _)| *step),
            Self::Many { automaton, steps } => {
                let first = automaton
                    .find_overlapping_iter(text)
                    .map(|found| found.pattern().as_usize())
                    .min()?;
                steps.get(first).copied()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::RegexpSource;
    use crate::regexp::Flags;

    fn found(patterns: &[Option<ArgumentPattern>], text: &str) -> (Vec<usize>, Option<usize>) {
        let found = Matcher::new(patterns.iter().map(Option::as_ref)).search(TextRef::new(text));
        (found.to_ask, found.certain)
    }

    fn containing(text: &str) -> ArgumentPattern {
        ArgumentPattern::Substring(text.into())
    }

    #[test]
    fn the_first_of_overlapping_substrings_counts() {
        for filler in [0, FEW] {
            let mut patterns = vec![
                Some(containing("bcd")),
                Some(containing("c")),
                Some(containing("abc")),
            ];
            patterns.extend((0..filler).map(|index| Some(containing(&format!("filler {index}")))));
            assert_eq!(found(&patterns, "abcd"), (vec![], Some(0)));
            assert_eq!(found(&patterns, "abc"), (vec![], Some(1)));
            assert_eq!(found(&patterns, "xyz"), (vec![], None));
        }
    }

    #[test]
    fn the_host_is_asked_only_before_what_is_certain() {
        let patterns = [
            Some(ArgumentPattern::Host),
            Some(containing("a")),
            Some(ArgumentPattern::Host),
            None,
        ];
        assert_eq!(found(&patterns, "a"), (vec![0], Some(1)));
        assert_eq!(found(&patterns, "b"), (vec![0, 2], Some(3)));
    }

    #[test]
    fn only_regexps_that_may_match_are_asked_about() {
        let regexp = |source: &str| {
            Some(ArgumentPattern::Regexp(RegexpSource {
                source: source.into(),
                flags: Flags::default(),
            }))
        };
        let patterns = [
            regexp(r"rm -rf \S+"),
            Some(ArgumentPattern::Host),
            regexp(r"(\w)\1"),
            Some(containing("ls")),
            regexp("never"),
        ];
        assert_eq!(found(&patterns, "rm -rf x"), (vec![0, 1, 2], None));
        assert_eq!(found(&patterns, "ls"), (vec![1, 2], Some(3)));
    }

    #[test]
    fn an_empty_substring_is_in_every_text() {
        let mut patterns = vec![Some(containing("x")); FEW];
        patterns.push(Some(containing("")));
        assert_eq!(found(&patterns, ""), (vec![], Some(FEW)));
        assert_eq!(found(&patterns, "x"), (vec![], Some(0)));
    }
}
