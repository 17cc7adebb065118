//! What a Ruby pattern says, as far as a translation needs it.

use regex_syntax::hir::{ClassUnicode, Look};

/// A part of a pattern. What matches no characters and restricts little (a look-around, `\K`) is
/// [`Node::nothing`] already; captures are only what is inside of them.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Any text of any length: a part that is not translated.
    Anything,
    /// One character, or what it folds to.
    Letter(Letter),
    /// One character of a set.
    Set(ClassUnicode),
    /// One character of a set, or two or three that one of its characters folds to.
    FoldedSet(ClassUnicode),
    /// A line break: `\R`.
    LineBreak,
    /// A place in the text.
    Place(Look),
    /// The beginning or the end of a word.
    WordBoundary,
    /// One after the other.
    Sequence(Vec<Node>),
    /// One of them.
    Either(Vec<Node>),
    /// The same again and again.
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
    },
}

/// A literal character of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) char: char,
    /// Whether it stands for everything with the same case folding, too.
    pub(super) folds: bool,
}

impl Node {
    /// Matches the empty text everywhere.
    pub(super) const fn nothing() -> Self {
        Self::Sequence(Vec::new())
    }
}

/// The pattern is not understood well enough to narrow anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclear;
