//! The patterns of a rule, as far as the core can match them itself.

use memchr::memmem;

use crate::text::{Charset, Text, TextRef};

/// Which tools a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolPattern {
    /// Every tool.
    Any,
    /// The tool of exactly this name.
    Exact(Text),
    /// Only the host can tell (a regular expression, an object with a changing name).
    Host,
}

/// Which arguments a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentPattern {
    /// Arguments whose text contains this one.
    Substring(Text),
    /// Only the host can tell.
    Host,
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
    let comparable = |charset| matches!(charset, Charset::Ascii | Charset::Utf8);
    (comparable(text.charset) && comparable(needle.charset))
        .then(|| memmem::find(text.bytes, needle.bytes).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

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
