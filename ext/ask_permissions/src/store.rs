//! The Actions of a queue by id, in a Ruby Array of pages.
//!
//! Ids are consecutive, so an Action's place follows from its id. Pages bound what the garbage
//! collector looks at again after a write: one page, however many Actions were resolved before.

use magnus::{Error, RArray, Ruby, Value, prelude::*};

const PAGE: u64 = 128;

/// The Action of this id, or nil.
pub fn get(ruby: &Ruby, pages: RArray, id: u64) -> Result<Value, Error> {
    let (page, slot) = place(id);
    let page: Value = pages.entry(page)?;
    RArray::from_value(page).map_or_else(|| Ok(ruby.qnil().as_value()), |page| page.entry(slot))
}

/// Keeps an Action under its id.
pub fn set(ruby: &Ruby, pages: RArray, id: u64, action: Value) -> Result<(), Error> {
    let (page, slot) = place(id);
    let actions = if let Some(actions) = RArray::from_value(pages.entry(page)?) {
        actions
    } else {
        let actions = ruby.ary_new();
        pages.store(page, actions)?;
        actions
    };
    actions.store(slot, action)
}

/// The page of an id, and its slot in the page.
fn place(id: u64) -> (isize, isize) {
    let position = id.saturating_sub(1);
    let fit = |number| isize::try_from(number).unwrap_or(isize::MAX);
    (fit(position / PAGE), fit(position % PAGE))
}
