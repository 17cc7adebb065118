//! The questions that the core asks of the language it is embedded in.

use crate::text::TextRef;

/// What only the host language can answer while a call is classified.
///
/// Every question may run the host's code, which may do anything, declare rules included; the
/// classification goes on with the rules it began with. An error ends it and is passed on as it is.
pub trait Host {
    /// The host's error.
    type Error;

    /// Whether the tool pattern of the rule at `index` matches the tool of this call.
    ///
    /// # Errors
    /// Whatever the host raises.
    fn tool_matches(&mut self, index: usize) -> Result<bool, Self::Error>;

    /// The same for a [`ToolPattern::Regexp`](crate::ToolPattern::Regexp), whose answer depends on nothing but the name; `None`
    /// when there is none to remember (an error that may come or not), so that the question is
    /// asked again whenever it matters.
    ///
    /// # Errors
    /// What has nothing to do with the question: an interrupt.
    fn lasting_tool_match(&mut self, index: usize) -> Result<Option<bool>, Self::Error>;

    /// The text of the arguments, made at the first question and kept; `None` when the arguments
    /// have no text of a kind that the core can compare.
    ///
    /// # Errors
    /// Whatever the host raises while it serializes.
    fn argument_text(&mut self) -> Result<Option<TextRef<'_>>, Self::Error>;

    /// Whether the argument pattern of the rule at `index` matches the text of the arguments.
    ///
    /// # Errors
    /// Whatever the host raises.
    fn argument_matches(&mut self, index: usize) -> Result<bool, Self::Error>;
}
