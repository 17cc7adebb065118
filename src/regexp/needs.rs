//! What a text must contain for a pattern to match.
//!
//! Patterns are about letters with and without regard to case, so everything here is about folded
//! text: letters of ASCII in lower case, and characters beyond that fold to some of ASCII replaced
//! by those. A text contains what it must only if its folding does.

use std::borrow::Cow;
use std::collections::BTreeSet;

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Repetition};

use crate::regexp::fold::full_fold;

/// A need has at most so many alternatives.
const MOST_ALTERNATIVES: usize = 64;
/// So many texts are followed through a sequence before it is cut.
const MOST_WAYS: usize = 16;
/// An alternative is cut to this length: overlapping matches at one place are no more.
const MOST_BYTES: usize = 32;
/// A class of more characters is no text.
const MOST_CHARACTERS: u32 = 4;
/// A repetition of more copies is cut.
const MOST_COPIES: u32 = 8;

/// Folded texts, one of which must be there; none is empty.
pub(super) type Need = BTreeSet<Box<[u8]>>;

/// A text, folded so far that letters of ASCII remain to be compared without regard to case.
/// `None` when it is not UTF-8.
pub(super) fn folded(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    if text.is_ascii() {
        return Some(Cow::Borrowed(text));
    }
    let text = std::str::from_utf8(text).ok()?;
    if text.chars().all(|char| to_ascii(char).is_none()) {
        return Some(Cow::Borrowed(text.as_bytes()));
    }
    let mut folded = String::with_capacity(text.len());
    for char in text.chars() {
        match to_ascii(char) {
            Some(fold) => folded.push_str(fold),
            None => folded.push(char),
        }
    }
    Some(Cow::Owned(folded.into_bytes()))
}

/// What a character beyond ASCII folds to, if some of that is of ASCII.
fn to_ascii(char: char) -> Option<&'static str> {
    match char {
        '\u{17f}' => Some("s"),
        '\u{212a}' => Some("k"),
        // All that fold to several characters, some of ASCII, are in these ranges.
        '\u{df}'
        | '\u{130}'
        | '\u{149}'
        | '\u{1f0}'
        | '\u{1e96}'..='\u{1e9e}'
        | '\u{fb00}'..='\u{fb06}' => full_fold(char),
        _ => None,
    }
}

/// All that a text must contain, the most telling first.
pub(super) fn needs(hir: &Hir) -> Vec<Need> {
    let mut needs = Knowledge::of(hir).needs();
    needs.sort_by_cached_key(|need| {
        let shortest = need.iter().map(|text| text.len()).min();
        (std::cmp::Reverse(shortest), need.len())
    });
    needs.dedup();
    needs
}

/// What is known of the folded texts that a part of a pattern matches.
enum Knowledge {
    /// They are all among these.
    Ways(BTreeSet<Vec<u8>>),
    /// They contain all of these.
    Needs(Vec<Need>),
}

impl Knowledge {
    fn of(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Self::one_way(Vec::new()),
            HirKind::Literal(literal) => match folded(&literal.0) {
                Some(text) => Self::one_way(text.to_ascii_lowercase()),
                None => Self::Needs(Vec::new()),
            },
            HirKind::Class(Class::Unicode(set)) => Self::of_set(set),
            HirKind::Class(Class::Bytes(_)) => Self::Needs(Vec::new()),
            HirKind::Capture(capture) => Self::of(&capture.sub),
            HirKind::Repetition(repetition) => Self::of_repetition(repetition),
            HirKind::Concat(parts) => Self::of_sequence(parts.iter().map(Self::of)),
            HirKind::Alternation(parts) => Self::of_alternatives(parts),
        }
    }

    fn one_way(text: Vec<u8>) -> Self {
        Self::Ways(BTreeSet::from([text]))
    }

    fn of_set(set: &ClassUnicode) -> Self {
        let size = set
            .iter()
            .map(|range| u32::from(range.end()) - u32::from(range.start()) + 1)
            .fold(0, u32::saturating_add);
        if size > MOST_CHARACTERS {
            return Self::Needs(Vec::new());
        }
        let mut ways = BTreeSet::new();
        for range in set.iter() {
            for char in range.start()..=range.end() {
                let text = char.to_string();
                let Some(text) = folded(text.as_bytes()) else {
                    return Self::Needs(Vec::new());
                };
                ways.insert(text.to_ascii_lowercase());
            }
        }
        Self::Ways(ways)
    }

    fn of_repetition(repetition: &Repetition) -> Self {
        let once = Self::of(&repetition.sub);
        if repetition.min == 0 {
            return match once {
                Self::Ways(mut ways) if repetition.max == Some(1) => {
                    ways.insert(Vec::new());
                    Self::Ways(ways)
                }
                _ => Self::Needs(Vec::new()),
            };
        }
        let Self::Ways(ways) = &once else {
            return once;
        };
        let copies = repetition.min.min(MOST_COPIES);
        let mut parts: Vec<Self> = (0..copies).map(|_| Self::Ways(ways.clone())).collect();
        if repetition.max != Some(copies) {
            parts.push(Self::Needs(Vec::new()));
        }
        Self::of_sequence(parts.into_iter())
    }

    fn of_sequence(parts: impl Iterator<Item = Self>) -> Self {
        let mut needs = Vec::new();
        let mut ways = BTreeSet::from([Vec::new()]);
        let mut whole = true;
        for part in parts {
            match part {
                Self::Ways(more) => {
                    if ways.len() * more.len() > MOST_WAYS || longest(&ways) > MOST_BYTES {
                        whole = false;
                        needs.extend(need(&std::mem::replace(&mut ways, more)));
                    } else {
                        ways = ways
                            .iter()
                            .flat_map(|way| more.iter().map(|more| [way.as_slice(), more].concat()))
                            .collect();
                    }
                }
                Self::Needs(more) => {
                    whole = false;
                    needs.extend(need(&ways));
                    ways = BTreeSet::from([Vec::new()]);
                    needs.extend(more);
                }
            }
        }
        if whole {
            return Self::Ways(ways);
        }
        needs.extend(need(&ways));
        Self::Needs(needs)
    }

    fn of_alternatives(parts: &[Hir]) -> Self {
        let parts: Vec<Self> = parts.iter().map(Self::of).collect();
        let mut ways = BTreeSet::new();
        let mut whole = true;
        for part in &parts {
            match part {
                Self::Ways(more) => ways.extend(more.iter().cloned()),
                Self::Needs(_) => whole = false,
            }
        }
        if whole && ways.len() <= MOST_ALTERNATIVES {
            return Self::Ways(ways);
        }
        let mut either = Need::new();
        for part in parts {
            let mut needs = part.needs();
            needs.sort_by_key(|need| std::cmp::Reverse(need.iter().map(|text| text.len()).min()));
            match needs.into_iter().next() {
                Some(need) => either.extend(need),
                None => return Self::Needs(Vec::new()),
            }
        }
        if either.len() > MOST_ALTERNATIVES {
            return Self::Needs(Vec::new());
        }
        Self::Needs(vec![either])
    }

    fn needs(self) -> Vec<Need> {
        match self {
            Self::Ways(ways) => need(&ways).into_iter().collect(),
            Self::Needs(needs) => needs,
        }
    }
}

fn longest(ways: &BTreeSet<Vec<u8>>) -> usize {
    ways.iter().map(Vec::len).max().unwrap_or(0)
}

/// One of these must be there, unless that says nothing.
fn need(ways: &BTreeSet<Vec<u8>>) -> Option<Need> {
    if ways.is_empty() || ways.len() > MOST_ALTERNATIVES || ways.iter().any(Vec::is_empty) {
        return None;
    }
    let cut = |way: &Vec<u8>| way.iter().copied().take(MOST_BYTES).collect();
    Some(ways.iter().map(cut).collect())
}
