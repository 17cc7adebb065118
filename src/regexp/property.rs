//! Named sets of characters: `[[:alpha:]]`, `\p{Alpha}`.

use crate::regexp::charset::{CharSet, DIGIT, HEX, SPACE, WORD};

type Ranges = &'static [(char, char)];

const LETTER: Ranges = &[('A', 'Z'), ('a', 'z')];
const CONTROL: Ranges = &[('\0', '\x1f'), ('\x7f', '\x7f')];
/// Punctuation in the narrow sense of Unicode, and with the symbols that POSIX counts in.
const PUNCTUATION: Ranges = &[
    ('!', '#'),
    ('%', '*'),
    (',', '/'),
    (':', ';'),
    ('?', '@'),
    ('[', ']'),
    ('_', '_'),
    ('{', '{'),
    ('}', '}'),
];
const PUNCTUATION_AND_SYMBOLS: Ranges = &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')];
const ASCII: Ranges = &[('\0', '\x7f')];

/// What a name means in ASCII. Names are as they are compared: in lower case, without ` `, `-` and
/// `_`. The set of an unknown name is unknown, so this needs only what people use.
const MEANINGS: &[(&[&str], Ranges)] = &[
    (&["alnum"], &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    (
        &["alpha", "alphabetic", "l", "lc", "letter", "latin"],
        LETTER,
    ),
    (&["blank"], &[('\t', '\t'), (' ', ' ')]),
    (&["cntrl", "c", "cc", "other"], CONTROL),
    (&["digit", "n", "nd", "number", "decimalnumber"], DIGIT),
    (&["graph"], &[('!', '~')]),
    (
        &["lower", "ll", "lowercase", "lowercaseletter"],
        &[('a', 'z')],
    ),
    (&["print"], &[(' ', '~')]),
    (&["space", "whitespace"], SPACE),
    (
        &["upper", "lu", "uppercase", "uppercaseletter"],
        &[('A', 'Z')],
    ),
    (&["xdigit", "hexdigit"], HEX),
    (&["word"], WORD),
    (&["any", "assigned"], ASCII),
    (&["z", "zs", "separator", "spaceseparator"], &[(' ', ' ')]),
    (
        &["s", "symbol"],
        &[
            ('$', '$'),
            ('+', '+'),
            ('<', '>'),
            ('^', '^'),
            ('`', '`'),
            ('|', '|'),
            ('~', '~'),
        ],
    ),
    (&["emoji"], &[('#', '#'), ('*', '*'), ('0', '9')]),
    (
        &[
            "arabic",
            "armenian",
            "cyrillic",
            "devanagari",
            "georgian",
            "greek",
            "han",
            "hangul",
            "hebrew",
            "hiragana",
            "katakana",
            "thai",
            "m",
            "mark",
        ],
        &[],
    ),
];

/// The characters of the POSIX bracket of this name, or `None` when there is no such bracket.
pub(super) fn posix(name: &str) -> Option<CharSet> {
    const NAMES: [&str; 14] = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
        "space", "upper", "word", "xdigit",
    ];
    NAMES.contains(&name).then(|| named(name))
}

/// The characters of the property of this name, with or without a `^` before it.
pub(super) fn property(name: &str) -> CharSet {
    match name.strip_prefix('^') {
        Some(name) => named(name).negated(),
        None => named(name),
    }
}

fn named(name: &str) -> CharSet {
    let name: String = name
        .chars()
        .filter(|char| !matches!(char, ' ' | '-' | '_'))
        .map(|char| char.to_ascii_lowercase())
        .collect();
    match name.as_str() {
        "ascii" => return CharSet::ascii(ASCII),
        // Which of the two it is depends on the version of Ruby and on how it is asked for.
        "punct" | "punctuation" | "p" => {
            return CharSet {
                surely: CharSet::ascii(PUNCTUATION).surely,
                maybe: CharSet::ascii_and_some(PUNCTUATION_AND_SYMBOLS).maybe,
            };
        }
        _ => {}
    }
    MEANINGS
        .iter()
        .find(|(names, _)| names.contains(&name.as_str()))
        .map_or_else(CharSet::unknown, |(_, ranges)| {
            CharSet::ascii_and_some(ranges)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascii_of(set: &CharSet) -> String {
        let holds = |char: &char| {
            let within = |range: &&regex_syntax::hir::ClassUnicodeRange| {
                (range.start()..=range.end()).contains(char)
            };
            set.maybe.ranges().iter().find(within).is_some()
        };
        ('\0'..='\x7f').filter(holds).collect()
    }

    #[test]
    fn names_are_compared_as_ruby_does() {
        assert_eq!(ascii_of(&property("digit")), "0123456789");
        assert_eq!(ascii_of(&property(" DI_git- ")), "0123456789");
        assert_eq!(ascii_of(&property("Decimal_Number")), "0123456789");
        assert!(posix("DIGIT").is_none());
        assert!(posix("letter").is_none());
    }

    #[test]
    fn a_negated_name_holds_the_rest() {
        assert_eq!(ascii_of(&property("^print")).len(), 33);
        assert_eq!(ascii_of(&property("^Greek")).len(), 128);
    }

    #[test]
    fn an_unknown_name_may_hold_anything() {
        assert_eq!(ascii_of(&property("Age=6.0")).len(), 128);
        assert_eq!(ascii_of(&property("^Age=6.0")).len(), 128);
    }
}
