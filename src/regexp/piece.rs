//! Parts of a translation, with what they weigh.

use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, Dot, Hir, HirKind, Repetition,
};

/// A repetition weighs at most so much: what would be heavier is widened.
const MOST_REPEATED: usize = 512;

/// A part of a translation.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) hir: Hir,
    /// About how many states an automaton needs for it.
    pub(super) weight: usize,
}

impl Piece {
    /// Matches the empty text.
    pub(super) fn nothing() -> Self {
        Self {
            hir: Hir::empty(),
            weight: 0,
        }
    }

    /// Matches any text.
    pub(super) fn anything() -> Self {
        Self::repeated(
            Self {
                hir: Hir::dot(Dot::AnyByte),
                weight: 1,
            },
            0,
            None,
        )
    }

    /// One character of a set.
    pub(super) fn one_of(set: ClassUnicode) -> Self {
        let weight = set
            .iter()
            .map(|range| if range.end().is_ascii() { 1 } else { 4 })
            .sum();
        Self {
            hir: Hir::class(Class::Unicode(set)),
            weight,
        }
    }

    /// One after the other.
    pub(super) fn sequence(pieces: Vec<Self>) -> Self {
        Self {
            weight: pieces.iter().map(|piece| piece.weight).sum(),
            hir: Hir::concat(pieces.into_iter().map(|piece| piece.hir).collect()),
        }
    }

    /// One of them.
    pub(super) fn either(pieces: Vec<Self>) -> Self {
        Self {
            weight: pieces.iter().map(|piece| piece.weight + 1).sum(),
            hir: Hir::alternation(pieces.into_iter().map(|piece| piece.hir).collect()),
        }
    }

    /// The same so many times; perhaps oftener, if that is a lot.
    pub(super) fn repeated(piece: Self, min: u32, max: Option<u32>) -> Self {
        let copies = u32::try_from(MOST_REPEATED / piece.weight.max(1))
            .unwrap_or(u32::MAX)
            .max(1);
        let max = max.filter(|max| *max <= copies);
        let min = min.min(copies);
        let hir = match (piece.hir.kind(), max) {
            (HirKind::Class(Class::Unicode(set)), None) => as_bytes(set).unwrap_or(piece.hir),
            _ => piece.hir,
        };
        let times = usize::try_from(max.unwrap_or(min).max(1)).unwrap_or(usize::MAX);
        Self {
            weight: piece.weight.saturating_mul(times),
            hir: Hir::repetition(Repetition {
                min,
                max,
                greedy: true,
                sub: Box::new(hir),
            }),
        }
    }
}

/// Characters of a set that holds all beyond ASCII, as bytes: repeated without limit they are the
/// same to an automaton, and much smaller.
fn as_bytes(set: &ClassUnicode) -> Option<Hir> {
    let last = set.ranges().last()?;
    if last.start() > '\u{80}' || last.end() != char::MAX {
        return None;
    }
    let byte = |char: char| u8::try_from(char).unwrap_or(u8::MAX);
    let ranges = set.iter().map(|range| {
        ClassBytesRange::new(
            byte(range.start()),
            if range.end() == char::MAX {
                u8::MAX
            } else {
                byte(range.end())
            },
        )
    });
    Some(Hir::class(Class::Bytes(ClassBytes::new(ranges))))
}
