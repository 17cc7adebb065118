//! The core of ask-permissions: may this tool call proceed?
//!
//! Everything that decides lives here, in Rust without Ruby: ordered rules and the first match
//! ([`rules`], [`plan`], [`engine`]), the approval queue as a state machine ([`queue`]), the mode gate ([`gate`]) and the
//! order in which a policy asks its layers ([`policy`]). What only the host language can do (match
//! its own regular expressions, turn arguments into text, run callbacks) is asked for through
//! [`Host`], or done between two calls of a state machine. Nothing here panics or
//! performs I/O, and no lock is held while the host is asked.

pub mod decision;
pub mod engine;
pub mod gate;
pub mod host;
mod matcher;
pub mod pattern;
pub mod plan;
pub mod policy;
pub mod queue;
pub mod regexp;
pub mod rules;
pub mod text;

pub use decision::Decision;
pub use engine::{Engine, Lookup};
pub use host::Host;
pub use pattern::{ArgumentPattern, ToolPattern};
pub use plan::Plan;
pub use queue::Queue;
pub use rules::{RuleSet, Verdict};
pub use text::{Charset, Text, TextRef};
