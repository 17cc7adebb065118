//! What a backslash begins.

use regex_syntax::hir::Look;

use crate::regexp::ast::Unclear;
use crate::regexp::charset::{CharSet, DIGIT, HEX, SPACE, WORD, class};
use crate::regexp::cursor::Cursor;
use crate::regexp::property::property;

/// An escape sequence.
#[derive(Debug)]
pub(super) enum Escape {
    /// This character.
    Char(char),
    /// These characters, one after the other (in a class: one of them).
    Chars(Vec<char>),
    /// One character of a set.
    Set(CharSet),
    /// One character of a set that case folding applies to.
    Property(CharSet),
    /// `\R`
    LineBreak,
    /// `\X`: at least one character.
    Grapheme,
    /// A place in the text.
    Place(Look),
    /// `\b`
    WordBoundary,
    /// Matches no characters, and may match anywhere.
    Nothing,
    /// Any text: a reference to what a group matched, a call of a group, a byte of a character.
    Anything,
}

/// Where an escape sequence stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// In brackets.
    pub(super) in_class: bool,
    /// Where `\w` and the like are about more than ASCII: after `(?u)`.
    pub(super) unicode: bool,
    /// Where letters fold, perhaps together with those around them.
    pub(super) folds: bool,
}

/// Takes the rest of an escape sequence, after its backslash.
pub(super) fn escape(cursor: &mut Cursor<'_>, context: Context) -> Result<Escape, Unclear> {
    let set = |ranges| {
        if context.unicode {
            CharSet::ascii_and_some(ranges)
        } else {
            CharSet::ascii(ranges)
        }
    };
    let char = cursor.peek().ok_or(Unclear)?;
    if !context.in_class {
        if let Some(escape) = outside_of_class(cursor, char, context.folds)? {
            return Ok(escape);
        }
    }
    if char.is_ascii_digit() {
        return octal(cursor, context.folds);
    }
    cursor.next();
    Ok(match char {
        't' => Escape::Char('\t'),
        'n' => Escape::Char('\n'),
        'r' => Escape::Char('\r'),
        'f' => Escape::Char('\x0c'),
        'v' => Escape::Char('\x0b'),
        'a' => Escape::Char('\x07'),
        'e' => Escape::Char('\x1b'),
        'b' => Escape::Char('\x08'),
        'd' => Escape::Set(set(DIGIT)),
        'D' => Escape::Set(set(DIGIT).negated()),
        'w' => Escape::Set(set(WORD)),
        'W' => Escape::Set(set(WORD).negated()),
        's' => Escape::Set(set(SPACE)),
        'S' => Escape::Set(set(SPACE).negated()),
        'h' => Escape::Set(set(HEX)),
        'H' => Escape::Set(set(HEX).negated()),
        'p' | 'P' if cursor.take("{") => {
            let property = property(cursor.take_name('}').ok_or(Unclear)?);
            Escape::Property(if char == 'P' {
                property.negated()
            } else {
                property
            })
        }
        'x' => byte(cursor.take_digits(16, 2), 16, context.folds)?,
        'u' => code_points(cursor)?,
        'c' => control(cursor)?,
        'C' => {
            if !cursor.take("-") {
                return Err(Unclear);
            }
            control(cursor)?
        }
        // A byte above 127, in one of many ways to write it.
        'M' => return Err(Unclear),
        literal => Escape::Char(literal),
    })
}

/// Escapes that mean something else in brackets.
fn outside_of_class(
    cursor: &mut Cursor<'_>,
    char: char,
    folds: bool,
) -> Result<Option<Escape>, Unclear> {
    if matches!(char, '1'..='9') {
        // A back-reference or, of two digits and more, perhaps an octal number, depending on how
        // many groups there are.
        let digits = cursor.take_digits(10, usize::MAX);
        return if folds && digits.len() > 1 {
            Err(Unclear)
        } else {
            Ok(Some(Escape::Anything))
        };
    }
    for (opening, closing) in [("k<", '>'), ("k'", '\''), ("g<", '>'), ("g'", '\'')] {
        if cursor.take(opening) {
            cursor.take_name(closing).ok_or(Unclear)?;
            return Ok(Some(Escape::Anything));
        }
    }
    let escape = match char {
        'A' | 'G' => Escape::Place(Look::Start),
        'z' => Escape::Place(Look::End),
        // Before a line break at the end, too, which is the end of a line.
        'Z' => Escape::Place(Look::EndLF),
        'b' => Escape::WordBoundary,
        'B' | 'K' => Escape::Nothing,
        'R' => Escape::LineBreak,
        'X' => Escape::Grapheme,
        _ => return Ok(None),
    };
    cursor.next();
    Ok(Some(escape))
}

/// An octal number, or a digit that cannot begin one.
fn octal(cursor: &mut Cursor<'_>, folds: bool) -> Result<Escape, Unclear> {
    let digits = cursor.take_digits(8, 3);
    match (digits, cursor.peek()) {
        ("", Some(digit)) => {
            cursor.next();
            Ok(Escape::Char(digit))
        }
        _ => byte(digits, 8, folds),
    }
}

fn byte(digits: &str, radix: u32, folds: bool) -> Result<Escape, Unclear> {
    match u8::from_str_radix(digits, radix) {
        Ok(byte) if byte.is_ascii() => Ok(Escape::Char(char::from(byte))),
        _ if folds => Err(Unclear),
        // Part of a character, together with its neighbours.
        _ => Ok(Escape::Anything),
    }
}

/// After `\u`: four digits, or a list in braces.
fn code_points(cursor: &mut Cursor<'_>) -> Result<Escape, Unclear> {
    let char = |digits| {
        u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32)
            .ok_or(Unclear)
    };
    if !cursor.take("{") {
        return Ok(Escape::Char(char(cursor.take_digits(16, 4))?));
    }
    let list = cursor.take_until('}').ok_or(Unclear)?;
    let chars: Vec<char> = list
        .split_whitespace()
        .map(char)
        .collect::<Result<_, _>>()?;
    Ok(match *chars.as_slice() {
        [char] => Escape::Char(char),
        _ => Escape::Chars(chars),
    })
}

/// After `\c` and `\C-`.
fn control(cursor: &mut Cursor<'_>) -> Result<Escape, Unclear> {
    match cursor.next() {
        // DEL in some versions of Ruby.
        Some('?') => Ok(Escape::Set(CharSet {
            surely: class(&[]),
            maybe: class(&[('\x1f', '\x1f'), ('\x7f', '\x7f')]),
        })),
        Some(char) if char.is_ascii() && char != '\\' => {
            Ok(Escape::Char(char::from(char as u8 & 0x1f)))
        }
        _ => Err(Unclear),
    }
}
