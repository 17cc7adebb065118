//! The patterns of a rule, as far as the core can match them itself.

use memchr::memmem;

use crate::regexp::Flags;
use crate::text::{Text, TextRef};

/// Which tools a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolPattern {
    /// Every tool.
    Any,
    /// The tool of exactly this name.
    Exact(Text),
    /// A regular expression of the host's, whose answer for a name never changes.
    Regexp,
    /// Only the host can tell, and its answer can change.
    Host,
}

/// A regular expression as it was written, in the host's syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexpSource {
    /// The pattern, without delimiters.
    pub source: Box<str>,
    /// Its options.
    pub flags: Flags,
}

/// Which arguments a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentPattern {
    /// Arguments whose text contains this one.
    Substring(Text),
    /// Arguments whose text matches a regular expression of the host's, which is of this source.
    Regexp(RegexpSource),
    /// Only the host can tell, by looking at the text.
    Host,
    /// Only the host can tell, and it may do so, or fail, before there is a text.
    Object,
}

/// Whether `text` contains `needle`; `None` when only the host can tell, because the two are in
/// encodings whose mixture has rules of its own.
///
/// ```
/// use ask_permissions_core::{TextRef, pattern::contains};
/// let text = TextRef::new("{\"command\":\"rm -rf /\"}");
/// assert_eq!(contains(text, TextRef::new("rm -rf")), Some(true));
/// assert_eq!(contains(text, TextRef::new("é")), Some(false));
/// ```
#[must_use]
pub fn contains(text: TextRef<'_>, needle: TextRef<'_>) -> Option<bool> {
    // A well-formed UTF-8 needle begins at a character of well-formed UTF-8 text wherever its
    // bytes stand in it, so searching bytes is searching characters.
    (text.is_comparable() && needle.is_comparable())
        .then(|| memmem::find(text.bytes, needle.bytes).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Charset;

    #[test]
    fn an_empty_needle_is_in_every_text() {
        assert_eq!(contains(TextRef::new(""), TextRef::new("")), Some(true));
        assert_eq!(contains(TextRef::new("é"), TextRef::new("")), Some(true));
        assert_eq!(contains(TextRef::new(""), TextRef::new("a")), Some(false));
    }

    #[test]
    fn other_encodings_are_the_hosts_business() {
        let other = TextRef {
            bytes: b"\xff",
            charset: Charset::Other(1),
        };
        assert_eq!(contains(other, TextRef::new("a")), None);
        assert_eq!(contains(TextRef::new("a"), other), None);
    }
}
