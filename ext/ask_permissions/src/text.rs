//! Ruby Strings as the core sees text.

use ask_permissions_core::{Charset, TextRef};
use magnus::{
    RClass, RString, Ruby, Symbol, Value,
    encoding::Coderange,
    prelude::*,
    rb_sys::{AsRawId, AsRawValue, FromRawValue},
    value::LazyId,
};
use rb_sys::{StableApiDefinition, VALUE, stable_api::get_default};

/// The content of a String.
///
/// # Safety
/// The answer points into the String. It must not be used after the next call of Ruby, which could
/// change or free the String.
pub unsafe fn borrow<'a>(string: RString) -> TextRef<'a> {
    // SAFETY: a live String's pointer and length describe its bytes; the caller keeps the answer
    // no longer than they stay so.
    let bytes = unsafe {
        let raw = string.as_raw();
        std::slice::from_raw_parts(
            rb_sys::RSTRING_PTR(raw).cast::<u8>(),
            usize::try_from(rb_sys::RSTRING_LEN(raw)).unwrap_or_default(),
        )
    };
    TextRef {
        bytes,
        charset: charset(string, bytes.is_empty()),
    }
}

fn charset(string: RString, empty: bool) -> Charset {
    if empty {
        return Charset::Ascii;
    }
    match string.enc_coderange_scan() {
        Coderange::SevenBit => Charset::Ascii,
        Coderange::Valid if is_utf8(string.as_value()) => Charset::Utf8,
        _ => Charset::Other(encoding_index(string.as_value())),
    }
}

/// Whether a String is empty in an encoding that may not go together with ASCII. It equals every
/// other empty String, but a Regexp may refuse it.
pub fn is_odd_empty(string: RString) -> bool {
    // The encodings of these indices, and UTF-8, are known to go together with it.
    const BINARY: i32 = 0;
    const US_ASCII: i32 = 2;
    string.is_empty()
        && !matches!(encoding_index(string.as_value()), BINARY | US_ASCII)
        && !is_utf8(string.as_value())
}

/// Whether the encoding of a String or Regexp is UTF-8.
pub fn is_utf8(value: Value) -> bool {
    // SAFETY: asks for a constant of the running Ruby.
    encoding_index(value) == unsafe { rb_sys::rb_utf8_encindex() }
}

fn encoding_index(value: Value) -> i32 {
    // SAFETY: the value is one of those that have an encoding.
    unsafe { rb_sys::rb_enc_get_index(value.as_raw()) }
}

/// The value as a String that answers `method` as Ruby's own Strings do; `None` for anything else,
/// whose answer only Ruby knows.
pub fn plain_string(ruby: &Ruby, value: Value, method: &'static LazyId) -> Option<RString> {
    RString::from_value(value).filter(|_| answers_as_built_in(ruby, value, method))
}

/// Whether an object answers `method` as it would if nobody had ever defined it anew. Not for
/// immediates.
pub fn answers_as_built_in(ruby: &Ruby, object: Value, method: &'static LazyId) -> bool {
    let method = LazyId::get_inner_with(method, ruby);
    let class = class_of(object);
    // SAFETY: the class of a live object and the id are live.
    class != 0 && unsafe { rb_sys::rb_method_basic_definition_p(class, method.as_raw()) != 0 }
}

/// The class of an object, which is its singleton class if it has one; 0 for an immediate.
pub fn class_of(object: Value) -> VALUE {
    let object = object.as_raw();
    if get_default().special_const_p(object) {
        return 0;
    }
    // SAFETY: the object is no immediate.
    unsafe { get_default().rbasic_class(object) }.map_or(0, |class| class.as_ptr() as VALUE)
}

/// The class that an object was made of, whether or not it has a singleton class by now.
pub fn real_class(object: Value) -> RClass {
    // SAFETY: every object has a class, which lives as long as the object.
    let class = unsafe { Value::from_raw(rb_sys::rb_obj_class(object.as_raw())) };
    // INVARIANT: it is a Class; that of the object stands for the impossible.
    RClass::from_value(class).unwrap_or_else(|| object.class())
}

/// The frozen String of a Symbol's name.
pub fn symbol_name(symbol: Symbol) -> RString {
    // SAFETY: the name of a Symbol is a String, and lives as long as the Symbol does.
    let name = unsafe { Value::from_raw(rb_sys::rb_sym2str(symbol.as_raw())) };
    // INVARIANT: it is a String; an empty one stands for the impossible.
    RString::from_value(name).unwrap_or_else(|| Ruby::get_with(symbol).str_new(""))
}
