//! Text as Ruby compares it: bytes, and what kind of characters they are.

use foldhash::HashMap;

/// Which characters the bytes of a [`Text`] can be compared with.
///
/// Two Ruby Strings are equal when their bytes are and their encodings can be compared: ASCII text
/// in any ASCII-compatible encoding is the same text, while the same non-ASCII bytes in two
/// encodings are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// Only ASCII characters in an ASCII-compatible encoding, or no characters at all.
    Ascii,
    /// Well-formed UTF-8 with at least one character beyond ASCII.
    Utf8,
    /// Anything else, by the host's number of the encoding: comparable to itself alone.
    Other(i32),
}

/// A borrowed [`Text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextRef<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// What they are.
    pub charset: Charset,
}

impl<'a> TextRef<'a> {
    /// Text from a Rust string.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        let charset = if text.is_ascii() {
            Charset::Ascii
        } else {
            Charset::Utf8
        };
        Self {
            bytes: text.as_bytes(),
            charset,
        }
    }

    /// Whether the core can search in it and for it: its bytes say all about its characters.
    #[must_use]
    pub const fn is_comparable(self) -> bool {
        matches!(self.charset, Charset::Ascii | Charset::Utf8)
    }

    /// An owned copy.
    #[must_use]
    pub fn to_text(self) -> Text {
        Text {
            bytes: self.bytes.into(),
            charset: self.charset,
        }
    }
}

/// Owned text: a pattern as it was when its rule was declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    bytes: Box<[u8]>,
    charset: Charset,
}

impl Text {
    /// This text, borrowed.
    #[must_use]
    pub const fn as_ref(&self) -> TextRef<'_> {
        TextRef {
            bytes: &self.bytes,
            charset: self.charset,
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        TextRef::new(text).to_text()
    }
}

/// A map keyed by text that can be asked with borrowed text.
#[derive(Clone, Debug)]
pub struct TextMap<V> {
    ascii: HashMap<Box<[u8]>, V>,
    others: HashMap<Charset, HashMap<Box<[u8]>, V>>,
}

impl<V> Default for TextMap<V> {
    fn default() -> Self {
        Self {
            ascii: HashMap::default(),
            others: HashMap::default(),
        }
    }
}

impl<V> TextMap<V> {
    /// How many texts have a value.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ascii.len() + self.others.values().map(HashMap::len).sum::<usize>()
    }

    /// Whether no text has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ascii.is_empty() && self.others.is_empty()
    }

    /// Stores a value under this text.
    pub fn insert(&mut self, text: TextRef<'_>, value: V) {
        self.of(text.charset).insert(text.bytes.into(), value);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.ascii.clear();
        self.others.clear();
    }

    fn of(&mut self, charset: Charset) -> &mut HashMap<Box<[u8]>, V> {
        match charset {
            Charset::Ascii => &mut self.ascii,
            charset => self.others.entry(charset).or_default(),
        }
    }

    /// The value stored under this text.
    #[must_use]
    pub fn get(&self, text: TextRef<'_>) -> Option<&V> {
        match text.charset {
            Charset::Ascii => self.ascii.get(text.bytes),
            charset => self.others.get(&charset)?.get(text.bytes),
        }
    }
}

impl<V: Default> TextMap<V> {
    /// The value stored under this text, made if there is none.
    pub fn entry(&mut self, text: &Text) -> &mut V {
        self.of(text.charset).entry(text.bytes.clone()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_of_two_encodings_are_two_keys() {
        let mut map = TextMap::<Vec<u8>>::default();
        map.entry(&"é".into()).push(1);
        let latin = TextRef {
            bytes: "é".as_bytes(),
            charset: Charset::Other(7),
        };
        assert_eq!(map.get(TextRef::new("é")), Some(&vec![1]));
        assert_eq!(map.get(latin), None);
        map.entry(&latin.to_text()).push(2);
        assert_eq!(map.get(latin), Some(&vec![2]));
        assert_eq!(map.get(TextRef::new("e")), None);
    }
}
