//! The mode gate: which tools a mode blocks, and what an earlier record means for a call.

/// Tools that change things: what a gate blocks unless told otherwise.
pub const CHANGE_TOOLS: [&str; 4] = ["write", "edit", "bash", "destroy"];

/// How much an agent may do by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessMode {
    /// Nothing is blocked.
    FullAccess,
    /// Changes wait for an approval.
    AskBeforeChanges,
    /// Changes are blocked.
    ReadOnly,
}

impl AccessMode {
    /// All modes, in the order in which they are listed to people.
    pub const ALL: [Self; 3] = [Self::FullAccess, Self::AskBeforeChanges, Self::ReadOnly];

    /// The mode's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FullAccess => "full_access",
            Self::AskBeforeChanges => "ask_before_changes",
            Self::ReadOnly => "read_only",
        }
    }

    /// The tools that the mode blocks until they are approved.
    #[must_use]
    pub const fn blocked_tools(self) -> &'static [&'static str] {
        match self {
            Self::FullAccess => &[],
            Self::AskBeforeChanges | Self::ReadOnly => &CHANGE_TOOLS,
        }
    }
}

/// What a gate has recorded for a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Seen and not approved yet.
    Pending,
    /// Approved.
    Approved,
}

/// What happens to a call of a blocked tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was approved: it proceeds.
    Proceed,
    /// It waits for its approval: it is blocked, silently.
    Block,
    /// Nothing that still counts is on record: it is recorded, announced, and blocked.
    Remember,
}

/// Judges a call of a blocked tool by what is on record for it. A record past the gate's timeout
/// (`expired`) counts no more, approved or not.
///
/// ```
/// use ask_permissions_core::gate::{Record, Verdict, judge};
/// assert_eq!(judge(None, false), Verdict::Remember);
/// assert_eq!(judge(Some(Record::Approved), false), Verdict::Proceed);
/// assert_eq!(judge(Some(Record::Approved), true), Verdict::Remember);
/// ```
#[must_use]
pub const fn judge(record: Option<Record>, expired: bool) -> Verdict {
    match (record, expired) {
        (None, _) | (_, true) => Verdict::Remember,
        (Some(Record::Approved), false) => Verdict::Proceed,
        (Some(Record::Pending), false) => Verdict::Block,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_access_blocks_nothing() {
        for mode in AccessMode::ALL {
            assert_eq!(
                mode.blocked_tools().is_empty(),
                mode == AccessMode::FullAccess
            );
        }
    }

    #[test]
    fn every_record_has_one_verdict() {
        assert_eq!(judge(Some(Record::Pending), false), Verdict::Block);
        assert_eq!(judge(Some(Record::Pending), true), Verdict::Remember);
        assert_eq!(judge(None, true), Verdict::Remember);
    }
}
