//! From a parsed pattern to one that an automaton can search for.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};

use crate::regexp::ast::{Letter, Node, Unclear};
use crate::regexp::charset::{WORD, is_within};
use crate::regexp::fold::full_fold_parts;
use crate::regexp::letters::{may_combine, run};
use crate::regexp::piece::Piece;

/// A translation may weigh so much.
pub(super) const MOST_WEIGHT: usize = 20_000;

/// A repeated run of letters is written out up to this length, where its letters may combine.
const MOST_WRITTEN_OUT: usize = 128;

/// Translates a node.
pub(super) fn emit(node: &Node) -> Result<Piece, Unclear> {
    let piece = match node {
        Node::Anything => Piece::anything(),
        Node::Letter(_) | Node::WordBoundary | Node::Sequence(_) | Node::Repeat { .. } => {
            let mut sequence = Sequence::default();
            sequence.add(node)?;
            sequence.finished()
        }
        Node::Set(set) => Piece::one_of(set.clone()),
        Node::FoldedSet(set) => folded_set(set),
        Node::LineBreak => line_break(),
        Node::Place(look) => place(*look),
        Node::Either(nodes) => {
            let mut pieces = Vec::with_capacity(nodes.len());
            let mut weight = 0;
            for node in nodes {
                let piece = emit(node)?;
                weight += piece.weight;
                if weight > MOST_WEIGHT {
                    return Err(Unclear);
                }
                pieces.push(piece);
            }
            Piece::either(pieces)
        }
    };
    if piece.weight > MOST_WEIGHT {
        return Err(Unclear);
    }
    Ok(piece)
}

fn place(look: Look) -> Piece {
    Piece {
        hir: Hir::look(look),
        weight: 1,
    }
}

fn line_break() -> Piece {
    let set = [('\n', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')]
        .map(|(first, last)| ClassUnicodeRange::new(first, last));
    let two = Piece {
        hir: Hir::literal(*b"\r\n"),
        weight: 2,
    };
    Piece::either(vec![two, Piece::one_of(ClassUnicode::new(set))])
}

/// One character of the set, or the two or three that one folds to.
fn folded_set(set: &ClassUnicode) -> Piece {
    let [first, second, third] = full_fold_parts().map(Piece::one_of);
    Piece::either(vec![
        Piece::one_of(set.clone()),
        Piece::sequence(vec![first, second, Piece::repeated(third, 0, Some(1))]),
    ])
}

/// A sequence in the making. What stands side by side in it does so in the text.
#[derive(Default)]
struct Sequence {
    items: Vec<Item>,
    /// Letters at the end, which may combine with those to come.
    letters: Vec<Letter>,
    weight: usize,
}

enum Item {
    Piece(Piece),
    WordBoundary,
}

impl Sequence {
    fn add(&mut self, node: &Node) -> Result<(), Unclear> {
        match node {
            Node::Letter(letter) => self.letters.push(*letter),
            // A group that is nothing but a sequence separates nothing.
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.add(node)?;
                }
            }
            Node::WordBoundary => {
                self.end_run();
                self.items.push(Item::WordBoundary);
            }
            Node::Repeat { node, min, max } => self.repeat(node, *min, *max)?,
            _ => {
                let piece = emit(node)?;
                self.push(piece);
            }
        }
        if self.weight > MOST_WEIGHT || self.letters.len() > MOST_WEIGHT {
            return Err(Unclear);
        }
        Ok(())
    }

    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>) -> Result<(), Unclear> {
        if min >= 2 {
            if let Some(letters) = letters_of(node).filter(|letters| may_combine(letters)) {
                // To Ruby the first copies are one run: `/s{2}/i` matches `ß`.
                let copies = usize::try_from(min).unwrap_or(usize::MAX);
                if letters.len().saturating_mul(copies) > MOST_WRITTEN_OUT {
                    return Err(Unclear);
                }
                for _ in 0..copies {
                    self.letters.extend(&letters);
                }
                if max == Some(min) {
                    return Ok(());
                }
                let more = Piece::repeated(emit(node)?, 0, max.map(|max| max - min));
                self.push(more);
                return Ok(());
            }
        }
        let piece = Piece::repeated(emit(node)?, min, max);
        self.push(piece);
        Ok(())
    }

    fn push(&mut self, piece: Piece) {
        self.end_run();
        self.weight += piece.weight;
        self.items.push(Item::Piece(piece));
    }

    fn end_run(&mut self) {
        for piece in run(&std::mem::take(&mut self.letters)) {
            self.weight += piece.weight;
            self.items.push(Item::Piece(piece));
        }
    }

    fn finished(mut self) -> Piece {
        self.end_run();
        let mut pieces: Vec<Piece> = Vec::with_capacity(self.items.len());
        let mut boundary = false;
        for item in self.items {
            let piece = match item {
                Item::WordBoundary => {
                    boundary = true;
                    continue;
                }
                Item::Piece(piece) => piece,
            };
            if std::mem::take(&mut boundary) {
                let before = pieces.last().is_some_and(|piece| ends_in_word(&piece.hir));
                if before || begins_with_word(&piece.hir) {
                    pieces.push(place(Look::WordAscii));
                }
            }
            pieces.push(piece);
        }
        if boundary && pieces.last().is_some_and(|piece| ends_in_word(&piece.hir)) {
            pieces.push(place(Look::WordAscii));
        }
        Piece::sequence(pieces)
    }
}

/// The letters of a node that is nothing else.
fn letters_of(node: &Node) -> Option<Vec<Letter>> {
    match node {
        Node::Letter(letter) => Some(vec![*letter]),
        Node::Sequence(nodes) => {
            let mut letters = Vec::new();
            for node in nodes {
                letters.extend(letters_of(node)?);
            }
            Some(letters)
        }
        Node::Repeat { node, min, max } if *max == Some(*min) => {
            let letters = letters_of(node)?;
            let copies = usize::try_from(*min).ok()?;
            let fits = letters.len().saturating_mul(copies) <= MOST_WRITTEN_OUT;
            fits.then(|| letters.repeat(copies))
        }
        _ => None,
    }
}

// Where a word begins or ends is known only beside a character that surely is a word character, and
// one of ASCII: whatever the other one is, if it is none for Ruby it is no word character of ASCII.

fn begins_with_word(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.first().copied().is_some_and(is_word),
        HirKind::Concat(parts) => parts
            .iter()
            .find(|part| !matches!(part.kind(), HirKind::Look(_)))
            .is_some_and(begins_with_word),
        _ => is_word_throughout(hir, begins_with_word),
    }
}

fn ends_in_word(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.last().copied().is_some_and(is_word),
        HirKind::Concat(parts) => parts
            .iter()
            .rfind(|part| !matches!(part.kind(), HirKind::Look(_)))
            .is_some_and(ends_in_word),
        _ => is_word_throughout(hir, ends_in_word),
    }
}

fn is_word_throughout(hir: &Hir, part_is_word: fn(&Hir) -> bool) -> bool {
    match hir.kind() {
        HirKind::Class(Class::Unicode(set)) => is_within(set, WORD),
        HirKind::Repetition(repetition) => repetition.min > 0 && part_is_word(&repetition.sub),
        HirKind::Alternation(parts) => parts.iter().all(part_is_word),
        _ => false,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
