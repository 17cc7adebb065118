//! Ruby's regular expressions, narrowed: which of many may match a text?
//!
//! A [`Pattern`] matches at least every text that Ruby's `match?` finds the Regexp in, so Ruby
//! needs to be asked only about the others. It is a translation for automata that run in linear
//! time, and drops or widens whatever those cannot do (look-around, back-references, calls of
//! groups) and whatever depends on the version of Ruby (letters and digits beyond ASCII). A
//! [`Prefilter`] looks for many of them at once.

mod ast;
mod charset;
mod chunk;
mod class;
mod cursor;
mod emit;
mod escape;
mod fold;
mod folds;
mod letters;
mod narrowing;
mod needs;
mod parser;
mod piece;
mod property;
mod set;

pub use narrowing::{Narrowing, Pattern, translate};
pub use set::Prefilter;

/// The options of a Regexp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    /// `i`: letters without regard to case.
    pub ignore_case: bool,
    /// `m`: a dot matches a line break, too.
    pub multi_line: bool,
    /// `x`: white space and comments do not count.
    pub extended: bool,
}
