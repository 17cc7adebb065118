//! Ruby Regexps as the core sees them.

use ask_permissions_core::{Charset, pattern::RegexpSource, regexp::Flags};
use magnus::{Error, RRegexp, RString, Ruby, Value, prelude::*, rb_sys::AsRawValue};

use crate::{symbols, text};

/// The bits of `Regexp#options`.
const IGNORE_CASE: i32 = 1;
const EXTENDED: i32 = 2;
const MULTI_LINE: i32 = 4;
const FIXED_ENCODING: i32 = 16;
const NO_ENCODING: i32 = 32;

/// Whether the value is a Regexp that matches as Ruby's own do, and so gives the same answer for
/// the same text.
pub fn is_plain(ruby: &Ruby, value: Value) -> bool {
    RRegexp::from_value(value).is_some() && text::answers_as_built_in(ruby, value, &symbols::MATCH)
}

/// Whether a Regexp can be asked about any text ahead of its turn: it is plain, takes linear time
/// and no timeout.
pub fn is_quick(ruby: &Ruby, regexp: Value) -> Result<bool, Error> {
    if !is_plain(ruby, regexp) {
        return Ok(false);
    }
    let linear = ruby
        .class_regexp()
        .funcall::<_, _, bool>(*symbols::LINEAR_TIME, (regexp,));
    if initialized(ruby, linear)? != Some(true) {
        return Ok(false);
    }
    let timeout: Value = regexp.funcall(*symbols::TIMEOUT, ())?;
    Ok(timeout.is_nil())
}

/// What a Regexp answered; `None` when it was allocated and never initialized, which is an error
/// when it is asked to match, and not before.
fn initialized<T>(ruby: &Ruby, answer: Result<T, Error>) -> Result<Option<T>, Error> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.is_kind_of(ruby.exception_type_error()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The source of a Regexp that the core can look into: a plain one over ASCII or UTF-8 text.
pub fn source(ruby: &Ruby, value: Value) -> Result<Option<RegexpSource>, Error> {
    if !is_plain(ruby, value) {
        return Ok(None);
    }
    let source = value.funcall::<_, _, RString>(*symbols::SOURCE, ());
    let Some(source) = initialized(ruby, source)? else {
        return Ok(None);
    };
    // SAFETY: the value is a Regexp.
    let options = unsafe { rb_sys::rb_reg_options(value.as_raw()) };
    // SAFETY: the text is copied before Ruby runs again.
    let text = unsafe { text::borrow(source) };
    let over_utf8 = options & NO_ENCODING == 0
        && match text.charset {
            // Without an encoding of its own, it takes that of the text it is matched with.
            Charset::Ascii => options & FIXED_ENCODING == 0 || text::is_utf8(value),
            Charset::Utf8 => true,
            Charset::Other(_) => false,
        };
    Ok(std::str::from_utf8(text.bytes)
        .ok()
        .filter(|_| over_utf8)
        .map(|source| RegexpSource {
            source: source.into(),
            flags: Flags {
                ignore_case: options & IGNORE_CASE != 0,
                multi_line: options & MULTI_LINE != 0,
                extended: options & EXTENDED != 0,
            },
        }))
}

/// Whether an error says that a Regexp and a text do not go together, or take too long, and not
/// that something came from outside, like an interrupt.
pub fn is_about_matching(ruby: &Ruby, error: &Error) -> bool {
    error.is_kind_of(ruby.exception_regexp_error())
        || error.is_kind_of(ruby.exception_encoding_error())
}
