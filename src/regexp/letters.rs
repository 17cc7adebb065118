//! Runs of literal characters, with their case folding.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange, Hir};

use crate::regexp::ast::Letter;
use crate::regexp::charset::class;
use crate::regexp::fold::{closure, contains, full_fold, same_folding};
use crate::regexp::folds::FOLDS;
use crate::regexp::piece::Piece;

/// Overlapping foldings over so many characters are spelled out; more of them are widened.
const MOST_SPELLED_OUT: usize = 4;

/// A letter that folds, beside others.
struct Folded {
    char: char,
    /// What folds to the same as this letter alone.
    alike: ClassUnicode,
}

/// A character that folds to several of a run at once.
struct Ligature {
    char: char,
    /// How many letters of the run it stands for.
    length: usize,
}

/// What a run of letters matches.
pub(super) fn run(letters: &[Letter]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = letters;
    while let Some(first) = rest.first() {
        let same = rest
            .iter()
            .take_while(|letter| letter.folds == first.folds)
            .count();
        let (part, others) = rest.split_at_checked(same).unwrap_or((rest, &[]));
        if first.folds {
            pieces.extend(folded(part));
        } else {
            pieces.push(literal(part));
        }
        rest = others;
    }
    pieces
}

/// Whether letters that fold may combine with each other when they are put together.
pub(super) fn may_combine(letters: &[Letter]) -> bool {
    letters.iter().any(|letter| letter.folds)
}

fn literal(letters: &[Letter]) -> Piece {
    let text: String = letters.iter().map(|letter| letter.char).collect();
    Piece {
        weight: text.len(),
        hir: Hir::literal(text.into_bytes()),
    }
}

fn folded(letters: &[Letter]) -> Vec<Piece> {
    let mut run = Vec::new();
    for letter in letters {
        match full_fold(letter.char) {
            Some(fold) => run.extend(fold.chars().map(Folded::new)),
            None => run.push(Folded::new(letter.char)),
        }
    }
    let mut pieces = Vec::new();
    let mut rest = run.as_slice();
    while let Some((first, others)) = rest.split_first() {
        let together = cluster(rest);
        if together < 2 {
            pieces.push(first.piece());
            rest = others;
        } else {
            let (part, others) = rest.split_at_checked(together).unwrap_or((rest, &[]));
            pieces.push(if together <= MOST_SPELLED_OUT {
                spelled_out(part)
            } else {
                widened(part)
            });
            rest = others;
        }
    }
    pieces
}

impl Folded {
    fn new(char: char) -> Self {
        Self {
            char,
            alike: same_folding(char),
        }
    }

    fn alone(&self) -> ClassUnicode {
        if self.char.is_ascii() {
            return self.alike.clone();
        }
        closure(&class(&[(self.char, self.char)]))
    }

    fn piece(&self) -> Piece {
        Piece::one_of(self.alone())
    }
}

/// How many letters at the beginning are connected by overlapping ligatures.
fn cluster(letters: &[Folded]) -> usize {
    let mut end = 1;
    let mut start = 0;
    while start < end {
        let longest = letters
            .get(start..)
            .map(ligatures)
            .unwrap_or_default()
            .iter()
            .map(|ligature| ligature.length)
            .max();
        end = end.max(start + longest.unwrap_or(1));
        start += 1;
    }
    end
}

/// The characters that fold to the first letters.
fn ligatures(letters: &[Folded]) -> Vec<Ligature> {
    let Some(first) = letters.first() else {
        return Vec::new();
    };
    if first.char.is_ascii() && !"afhijkstwy".contains(first.char.to_ascii_lowercase()) {
        return Vec::new();
    }
    let begins = |fold: &str| {
        let mut letters = letters.iter();
        fold.chars().all(|char| {
            letters
                .next()
                .is_some_and(|letter| contains(&letter.alike, char))
        })
    };
    FOLDS
        .iter()
        .filter(|(_, fold)| begins(fold))
        .map(|(char, fold)| Ligature {
            char: *char,
            length: fold.chars().count(),
        })
        .collect()
}

/// All ways to write the letters.
fn spelled_out(letters: &[Folded]) -> Piece {
    let Some((first, others)) = letters.split_first() else {
        return Piece::nothing();
    };
    let mut ways = vec![Piece::sequence(vec![first.piece(), spelled_out(others)])];
    for ligature in ligatures(letters) {
        let others = letters.get(ligature.length..).unwrap_or_default();
        ways.push(Piece::sequence(vec![ligature.piece(), spelled_out(others)]));
    }
    Piece::either(ways)
}

impl Ligature {
    fn piece(&self) -> Piece {
        Piece::one_of(class(&[(self.char, self.char)]))
    }
}

/// At least all ways to write the letters.
fn widened(letters: &[Folded]) -> Piece {
    let mut any = ClassUnicode::empty();
    for (start, letter) in letters.iter().enumerate() {
        any.union(&letter.alone());
        for ligature in ligatures(letters.get(start..).unwrap_or_default()) {
            any.push(ClassUnicodeRange::new(ligature.char, ligature.char));
        }
    }
    let most = u32::try_from(letters.len()).ok();
    // A ligature stands for three letters at the most.
    let least = most.map_or(1, |most| most.div_ceil(3));
    Piece::repeated(Piece::one_of(any), least, most)
}
