//! The core of ask-permissions: may this tool call proceed?
//!
//! Everything that decides lives here, in Rust without Ruby: ordered rules and the first match
//! ([`rules`]), the approval queue as a state machine ([`queue`]), the mode gate ([`gate`]) and the
//! order in which a policy asks its layers ([`policy`]). What only the host language can do (match
//! its own regular expressions, turn arguments into text, run callbacks) is asked for through
//! [`rules::Host`], or done between two calls of a state machine. Nothing here blocks, locks,
//! panics or performs I/O.

pub mod decision;
pub mod gate;
pub mod pattern;
pub mod policy;
pub mod queue;
pub mod rules;
pub mod text;

pub use decision::Decision;
pub use pattern::{ArgumentPattern, ToolPattern};
pub use queue::Queue;
pub use rules::{Host, RuleSet, Verdict};
pub use text::{Charset, Text, TextRef};
