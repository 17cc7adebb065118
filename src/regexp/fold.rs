//! Letters that match without regard to case.
//!
//! Ruby folds as Unicode does, and in full: `/ss/i` matches `ß`, and `/ß/i` matches `SS`. A Ruby
//! may know newer letters than this program. So what is written beyond ASCII also stands for the
//! characters that may be its other case in some version.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::regexp::charset::{beyond_ascii, class, complement, is_within};
use crate::regexp::folds::FOLDS;

/// Ranges in which every code point has long had a character. So no new letter can appear in them,
/// and the case folding of an old one never changes.
const SETTLED: &[(char, char)] = &[
    ('\0', '\u{377}'),
    ('\u{38e}', '\u{3a1}'),
    ('\u{3a3}', '\u{52f}'),
    ('\u{2000}', '\u{2064}'),
    ('\u{3041}', '\u{3096}'),
    ('\u{4e00}', '\u{9fff}'),
    ('\u{ac00}', '\u{d7a3}'),
];

/// What more than one character folds to, if it does.
pub(super) fn full_fold(char: char) -> Option<&'static str> {
    // Most patterns are of ASCII.
    if char.is_ascii() {
        return None;
    }
    FOLDS
        .iter()
        .find(|(from, _)| *from == char)
        .map(|(_, to)| *to)
}

/// The characters that have the same simple case folding as this one, as far as is known here.
pub(super) fn same_folding(char: char) -> ClassUnicode {
    if char.is_ascii() {
        let (upper, lower) = (char.to_ascii_uppercase(), char.to_ascii_lowercase());
        let other = match lower {
            'k' => '\u{212a}',
            's' => '\u{17f}',
            _ => lower,
        };
        return class(&[(upper, upper), (lower, lower), (other, other)]);
    }
    let mut set = class(&[(char, char)]);
    if set.try_case_fold_simple().is_err() {
        set.push(beyond_ascii());
    }
    set
}

/// At least all characters that a member of the set matches without regard to case.
pub(super) fn closure(set: &ClassUnicode) -> ClassUnicode {
    let mut closed = set.clone();
    let beyond = beyond_ascii();
    let holds_all_beyond =
        |range: &ClassUnicodeRange| range.start() <= beyond.start() && range.end() == beyond.end();
    if closed.ranges().last().is_some_and(holds_all_beyond) {
        // Every other letter is there already, but for those that letters beyond ASCII fold to.
        closed.union(&class(&[('k', 'k'), ('s', 's')]));
        closed.union(&ascii_cases(&closed));
        return closed;
    }
    if closed.try_case_fold_simple().is_err() {
        closed.push(beyond_ascii());
    }
    if !is_ascii(set) {
        if is_within(set, SETTLED) {
            closed.union(&complement(class(SETTLED)));
        } else {
            closed.push(beyond_ascii());
        }
    }
    closed
}

/// The set, and the other case of its letters of ASCII.
pub(super) fn ascii_cases(set: &ClassUnicode) -> ClassUnicode {
    let mut letters = set.clone();
    letters.intersect(&class(&[('A', 'Z'), ('a', 'z')]));
    let other_case = |range: &ClassUnicodeRange| {
        let turn = |char: char| {
            if char.is_ascii_lowercase() {
                char.to_ascii_uppercase()
            } else {
                char.to_ascii_lowercase()
            }
        };
        ClassUnicodeRange::new(turn(range.start()), turn(range.end()))
    };
    let others: Vec<_> = letters.iter().map(other_case).collect();
    let mut both = set.clone();
    both.union(&ClassUnicode::new(others));
    both
}

/// Whether a set has a character that folds to several.
pub(super) fn has_full_fold(set: &ClassUnicode) -> bool {
    if is_ascii(set) {
        return false;
    }
    FOLDS.iter().any(|(from, _)| contains(set, *from))
}

/// Whether a character is in the set.
pub(super) fn contains(set: &ClassUnicode, char: char) -> bool {
    let ranges = set.ranges();
    let after = ranges.partition_point(|range| range.end() < char);
    ranges.get(after).is_some_and(|range| range.start() <= char)
}

fn is_ascii(set: &ClassUnicode) -> bool {
    set.ranges().last().is_none_or(|last| last.end().is_ascii())
}

/// At least what characters fold to that fold to several: for the first, the second and the third
/// of them, a set that it is in.
pub(super) fn full_fold_parts() -> [ClassUnicode; 3] {
    let part = |letters: &str| {
        let mut set = ClassUnicode::new(
            letters
                .chars()
                .map(|char| ClassUnicodeRange::new(char, char)),
        );
        set.push(beyond_ascii());
        ascii_cases(&set)
    };
    [part("afhijstwy"), part("sfiltn"), part("il")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(char: char) -> ClassUnicode {
        closure(&class(&[(char, char)]))
    }

    #[test]
    fn letters_of_ascii_stand_for_themselves_and_three_others() {
        for char in 'a'..='z' {
            let expected = match char {
                'k' | 's' => 3,
                _ => 2,
            };
            let set = closed(char);
            let size: u32 = set
                .iter()
                .map(|range| range.end() as u32 - range.start() as u32 + 1)
                .sum();
            assert_eq!(size, expected, "{char}");
        }
        assert!(contains(&closed('K'), '\u{212a}'));
        assert!(contains(&closed('\u{212a}'), 'k'));
        assert!(contains(&closed('s'), 'ſ'));
    }

    #[test]
    fn letters_beyond_ascii_stand_for_letters_to_come() {
        let set = closed('д');
        assert!(contains(&set, 'Д'));
        assert!(!contains(&set, 'ж'));
        assert!(!contains(&set, 'é'));
        assert!(contains(&set, '\u{1c81}'));
        assert!(contains(&set, '\u{10ffff}'));
        assert!(contains(&closed('\u{a7d2}'), 'é'));
    }

    #[test]
    fn parts_cover_the_table() {
        let parts = full_fold_parts();
        for (from, to) in FOLDS {
            assert!(to.chars().count() <= 3);
            assert_eq!(full_fold(*from), Some(*to));
            for (part, char) in parts.iter().zip(to.chars()) {
                assert!(contains(part, char), "{from} {char}");
            }
        }
    }

    #[test]
    fn a_large_set_is_closed_like_a_small_one() {
        let mut set = class(&[('A', 'C')]);
        set.push(beyond_ascii());
        let set = closure(&set);
        for char in "abcABCksKSéſ".chars() {
            assert!(contains(&set, char), "{char}");
        }
        assert!(!contains(&set, 'd'));
    }
}
