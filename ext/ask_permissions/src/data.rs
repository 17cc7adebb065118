//! Ruby `Data` objects, made and read without a call of Ruby code.

use magnus::{
    Error, RArray, RClass, RStruct, Ruby, Value,
    rb_sys::{AsRawValue, FromRawValue, protect},
};

use crate::text;

/// A frozen object of the `Data` class with these members, in their order of definition.
pub fn build(class: RClass, members: RArray) -> Result<Value, Error> {
    let object = protect(|| {
        // SAFETY: both are live values; an exception ends the closure, which owns nothing.
        unsafe {
            let object = rb_sys::rb_obj_alloc(class.as_raw());
            rb_sys::rb_struct_initialize(object, members.as_raw());
            rb_sys::rb_obj_freeze(object)
        }
    })?;
    // SAFETY: `protect` gave back what the closure made.
    Ok(unsafe { Value::from_raw(object) })
}

/// The member at this place.
pub fn member(data: Value, index: usize) -> Result<Value, Error> {
    fields(data)?.aref(index)
}

/// A copy of the object in which the member at this place is another.
pub fn with(ruby: &Ruby, data: Value, index: usize, value: Value) -> Result<Value, Error> {
    let fields = fields(data)?;
    let members = ruby.ary_new_capa(fields.size());
    for position in 0..fields.size() {
        if position == index {
            members.push(value)?;
        } else {
            members.push(fields.aref::<_, Value>(position)?)?;
        }
    }
    build(text::real_class(data), members)
}

fn fields(data: Value) -> Result<RStruct, Error> {
    RStruct::from_value(data).ok_or_else(|| {
        Error::new(
            Ruby::get_with(data).exception_type_error(),
            "not an object of a Data class",
        )
    })
}
