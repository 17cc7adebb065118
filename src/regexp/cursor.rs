//! A place in the source of a pattern.

/// What is left of a source.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(source: &'a str) -> Self {
        Self { rest: source }
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Whether this comes next.
    pub(super) fn is_at(&self, expected: &str) -> bool {
        self.rest.starts_with(expected)
    }

    /// Takes this if it comes next.
    pub(super) fn take(&mut self, expected: &str) -> bool {
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes everything before the first `end`, and `end`; nothing if there is none.
    pub(super) fn take_until(&mut self, end: char) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(taken)
    }

    /// Takes a name and the character that ends it. What looks like a group or a comment in a name
    /// may be one to some versions of Ruby.
    pub(super) fn take_name(&mut self, end: char) -> Option<&'a str> {
        self.take_until(end)
            .filter(|name| !name.contains(['#', '(']))
    }

    /// Takes the next characters as long as they are digits of this radix, `most` at the most.
    pub(super) fn take_digits(&mut self, radix: u32, most: usize) -> &'a str {
        let digits = self
            .rest
            .bytes()
            .take(most)
            .take_while(|byte| char::from(*byte).is_digit(radix))
            .count();
        // INVARIANT: digits are of ASCII, so this is between two characters.
        let (taken, rest) = self
            .rest
            .split_at_checked(digits)
            .unwrap_or(("", self.rest));
        self.rest = rest;
        taken
    }

    /// How many bytes are left.
    pub(super) const fn len(&self) -> usize {
        self.rest.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_taken_as_far_as_they_go() {
        let mut cursor = Cursor::new("017é9");
        assert_eq!(cursor.take_digits(8, 2), "01");
        assert_eq!(cursor.take_digits(16, 9), "7");
        assert_eq!(cursor.take_digits(16, 9), "");
        assert_eq!(cursor.next(), Some('é'));
        assert_eq!(cursor.take_digits(10, 9), "9");
        assert_eq!(cursor.next(), None);
    }

    #[test]
    fn nothing_is_taken_when_the_end_is_missing() {
        let mut cursor = Cursor::new("name>rest");
        assert_eq!(cursor.take_until('}'), None);
        assert_eq!(cursor.take_until('>'), Some("name"));
        assert!(cursor.is_at("re"));
        assert!(!cursor.take("x"));
        assert!(cursor.take("rest"));
        assert_eq!(cursor.len(), 0);
    }
}
