//! Sets of characters that are known from below and from above.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// The decimal digits of ASCII.
pub(super) const DIGIT: &[(char, char)] = &[('0', '9')];
/// The word characters of ASCII.
pub(super) const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
/// The white space of ASCII.
pub(super) const SPACE: &[(char, char)] = &[('\t', '\r'), (' ', ' ')];
/// The hexadecimal digits.
pub(super) const HEX: &[(char, char)] = &[('0', '9'), ('A', 'F'), ('a', 'f')];

/// What is known of a set of characters: some are surely in it, others perhaps.
///
/// Which characters beyond ASCII are letters, digits and so on differs between versions of
/// Unicode, and so between versions of Ruby. Rather than to follow them, such sets are known
/// exactly in ASCII, and hold every other character perhaps.
#[derive(Clone, Debug)]
pub(super) struct CharSet {
    /// INVARIANT: a part of `maybe`.
    pub(super) surely: ClassUnicode,
    pub(super) maybe: ClassUnicode,
}

impl CharSet {
    /// Some set of characters.
    pub(super) fn unknown() -> Self {
        Self {
            surely: ClassUnicode::empty(),
            maybe: class(&[('\0', char::MAX)]),
        }
    }

    /// Exactly these characters of ASCII, and no others.
    pub(super) fn ascii(ranges: &[(char, char)]) -> Self {
        let set = class(ranges);
        Self {
            surely: set.clone(),
            maybe: set,
        }
    }

    /// Exactly these characters of ASCII, and some others.
    pub(super) fn ascii_and_some(ranges: &[(char, char)]) -> Self {
        let surely = class(ranges);
        let mut maybe = surely.clone();
        maybe.push(beyond_ascii());
        Self { surely, maybe }
    }

    /// Forgets which characters beyond ASCII are in the set.
    pub(super) fn blur(&mut self) {
        self.surely.intersect(&class(&[('\0', '\x7f')]));
        self.maybe.push(beyond_ascii());
    }

    /// The characters of both.
    pub(super) fn intersect(&mut self, other: &Self) {
        self.surely.intersect(&other.surely);
        self.maybe.intersect(&other.maybe);
    }

    /// All other characters.
    pub(super) fn negated(self) -> Self {
        Self {
            surely: complement(self.maybe),
            maybe: complement(self.surely),
        }
    }

    /// The only character, if there is exactly one.
    pub(super) fn only(&self) -> Option<char> {
        match self.maybe.ranges() {
            [range] if range.start() == range.end() && self.surely == self.maybe => {
                Some(range.start())
            }
            _ => None,
        }
    }
}

/// The set of the characters in these ranges.
pub(super) fn class(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(
        ranges
            .iter()
            .map(|&(first, last)| ClassUnicodeRange::new(first, last)),
    )
}

/// All characters that are not in the set.
pub(super) fn complement(mut set: ClassUnicode) -> ClassUnicode {
    set.negate();
    set
}

/// Whether a set has characters, all of which are in these ranges.
pub(super) fn is_within(set: &ClassUnicode, ranges: &[(char, char)]) -> bool {
    let inside = |range: &ClassUnicodeRange| {
        ranges
            .iter()
            .any(|&(first, last)| first <= range.start() && range.end() <= last)
    };
    !set.ranges().is_empty() && set.iter().all(inside)
}

/// All characters that are not of ASCII.
pub(super) fn beyond_ascii() -> ClassUnicodeRange {
    ClassUnicodeRange::new('\u{80}', char::MAX)
}
