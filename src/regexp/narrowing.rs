//! Translations as a whole.

use std::fmt;

use regex_syntax::hir::{Hir, HirKind, Look, Repetition};

use crate::regexp::Flags;
use crate::regexp::ast::Unclear;
use crate::regexp::emit::emit;
use crate::regexp::parser::parse;

/// A pattern of more bytes is not narrowed.
const MOST_BYTES: usize = 1 << 16;

/// What is known of the texts that a Regexp matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Narrowing {
    /// They match this pattern.
    Pattern(Pattern),
    /// Nothing.
    Everything,
}

/// A pattern for automata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub(super) hir: Hir,
    /// About how many states an automaton needs for it.
    pub(super) weight: usize,
}

impl Pattern {
    /// The pattern as it is compiled.
    #[must_use]
    pub const fn hir(&self) -> &Hir {
        &self.hir
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hir.fmt(formatter)
    }
}

/// Narrows what a Regexp matches.
///
/// The source is that of a Regexp that Ruby accepts, in UTF-8 or US-ASCII and without the option
/// `n`. The pattern holds for texts in UTF-8, and for those of ASCII characters only in any
/// encoding that has ASCII in it. Takes linear time and memory, and neither fails nor panics,
/// whatever the source.
///
/// ```
/// use ask_permissions_core::regexp::{Flags, Narrowing, translate};
/// let flags = Flags::default();
/// let Narrowing::Pattern(pattern) = translate(r"\Arm (?!-i)(-\w+ )*/", flags) else { panic!() };
/// assert_eq!(pattern.to_string(), r"(?:\A(?:rm )(?:\-[0-9A-Z_a-z]+ )*/)");
/// assert_eq!(translate(r"(?=x)|y*", flags), Narrowing::Everything);
/// ```
#[must_use]
pub fn translate(source: &str, flags: Flags) -> Narrowing {
    narrow(source, flags).map_or(Narrowing::Everything, Narrowing::Pattern)
}

fn narrow(source: &str, flags: Flags) -> Result<Pattern, Unclear> {
    if source.len() > MOST_BYTES {
        return Err(Unclear);
    }
    let piece = emit(&parse(source, flags)?)?;
    let hir = trimmed(piece.hir, End::First);
    let hir = trimmed(hir, End::Last);
    let at_beginning = [Look::Start, Look::StartLF];
    let at_end = [Look::End, Look::EndLF];
    if holds_at(&hir, &at_beginning) || holds_at(&hir, &at_end) {
        return Err(Unclear);
    }
    Ok(Pattern {
        hir,
        weight: piece.weight,
    })
}

/// Whether a pattern matches the empty text at a place where these looks hold.
fn holds_at(hir: &Hir, looks: &[Look]) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Literal(_) | HirKind::Class(_) => false,
        HirKind::Look(look) => looks.contains(look),
        HirKind::Repetition(repetition) => repetition.min == 0 || holds_at(&repetition.sub, looks),
        HirKind::Capture(capture) => holds_at(&capture.sub, looks),
        HirKind::Concat(parts) => parts.iter().all(|part| holds_at(part, looks)),
        HirKind::Alternation(parts) => parts.iter().any(|part| holds_at(part, looks)),
    }
}

#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

/// The pattern without what it only can, but need not match at one of its ends: whether a text
/// matches does not depend on that.
fn trimmed(hir: Hir, end: End) -> Hir {
    match hir.into_kind() {
        HirKind::Repetition(repetition) if repetition.min == 0 => Hir::empty(),
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            max: Some(repetition.min),
            ..repetition
        }),
        HirKind::Concat(mut parts) => {
            let optional = |part: &Hir| match part.kind() {
                HirKind::Repetition(repetition) => repetition.min == 0,
                _ => false,
            };
            match end {
                End::First => {
                    let kept = parts.iter().position(|part| !optional(part));
                    parts.drain(..kept.unwrap_or(parts.len()));
                    if let Some(first) = parts.first_mut() {
                        *first = trimmed(std::mem::replace(first, Hir::empty()), end);
                    }
                }
                End::Last => {
                    let kept = parts.iter().rposition(|part| !optional(part));
                    parts.truncate(kept.map_or(0, |last| last + 1));
                    if let Some(last) = parts.last_mut() {
                        *last = trimmed(std::mem::replace(last, Hir::empty()), end);
                    }
                }
            }
            Hir::concat(parts)
        }
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Look(look) => Hir::look(look),
        HirKind::Capture(capture) => Hir::capture(capture),
        HirKind::Alternation(parts) => Hir::alternation(parts),
    }
}
