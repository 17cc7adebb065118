//! The Ruby binding of `ask-permissions-core`: conversions between Ruby and the core, and nothing
//! that decides. It defines the private module `Ask::Permissions::Native`, whose classes are the
//! handles that the public Ruby classes own.
//!
//! Walls that everything here keeps:
//! - No lock is held while Ruby runs or allocates: [`lock::Lock`] lends its content to a closure
//!   that has no Ruby handle.
//! - After an error came out of Ruby, no Ruby runs before it is passed on.
//! - Handles hold no Ruby values. Those live in Ruby containers that the methods are given.
//! - Every cached class and symbol is resolved in [`init`], before there can be a second thread.

#![expect(
    missing_docs,
    reason = "the function that `magnus::init` writes has none, and nothing else is public"
)]

mod claim;
mod data;
mod gate;
mod lock;
mod policy;
mod queue;
mod regexp;
mod ruby_host;
mod rule_set;
mod store;
mod symbols;
mod text;

use magnus::{Error, Module, Ruby};

#[magnus::init]
fn init(ruby: &Ruby) -> Result<(), Error> {
    // SAFETY: the extension has no mutable state beside its handles, which lock theirs.
    unsafe { rb_sys::rb_ext_ractor_safe(true) };

    let native = ruby
        .define_module("Ask")?
        .define_module("Permissions")?
        .define_module("Native")?;
    symbols::init(ruby);
    rule_set::init(ruby, native)?;
    claim::init(ruby, native)?;
    queue::init(ruby, native)?;
    gate::init(native)?;
    policy::init(native)
}
