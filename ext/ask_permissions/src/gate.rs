//! The decisions of the mode gate, as functions of `Native`.

use std::sync::atomic::{AtomicU64, Ordering};

use ask_permissions_core::gate::{AccessMode, CHANGE_TOOLS, Record, Verdict, judge};
use magnus::{
    Error, Integer, RArray, RHash, RModule, Ruby, Value, function, prelude::*, rb_sys::AsRawValue,
};

use crate::symbols;

fn change_tools(ruby: &Ruby) -> RArray {
    names(ruby, &CHANGE_TOOLS)
}

/// The tools that each mode blocks, by the mode's name.
fn access_modes(ruby: &Ruby) -> Result<RHash, Error> {
    let modes = ruby.hash_new();
    for mode in AccessMode::ALL {
        modes.aset(
            ruby.to_symbol(mode.name()),
            names(ruby, mode.blocked_tools()),
        )?;
    }
    Ok(modes)
}

fn names(ruby: &Ruby, names: &[&str]) -> RArray {
    ruby.ary_from_iter(names.iter().map(|name| ruby.to_symbol(*name)))
}

/// What happens to a call of a blocked tool, by the status of the record for it: `:proceed` or
/// `:block`. One without a record that counts is remembered.
fn verdicts(ruby: &Ruby) -> Result<RHash, Error> {
    let verdicts = ruby.hash_new();
    for (status, record) in [
        (&symbols::PENDING, Record::Pending),
        (&symbols::APPROVED, Record::Approved),
    ] {
        let verdict = match judge(Some(record), false) {
            Verdict::Proceed => &symbols::PROCEED,
            Verdict::Block => &symbols::BLOCK,
            Verdict::Remember => continue,
        };
        verdicts.aset(
            symbols::symbol(ruby, status),
            symbols::symbol(ruby, verdict),
        )?;
    }
    Ok(verdicts)
}

/// Numbers in ascending order, one for each caller.
fn next_position() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// Puts `new` (or, for nil, nothing) in the place of `expected` in a Hash, if that is what is there;
/// nil stands for nothing. The key is an Integer, so that no Ruby code runs and no thread switches.
fn exchange(hash: RHash, key: Integer, expected: Value, new: Value) -> Result<bool, Error> {
    let present: Value = hash.lookup(key)?;
    if present.as_raw() != expected.as_raw() {
        return Ok(false);
    }
    if new.is_nil() {
        hash.delete::<_, Value>(key)?;
    } else {
        hash.aset(key, new)?;
    }
    Ok(true)
}

pub fn init(native: RModule) -> Result<(), Error> {
    native.define_module_function("change_tools", function!(change_tools, 0))?;
    native.define_module_function("access_modes", function!(access_modes, 0))?;
    native.define_module_function("verdicts", function!(verdicts, 0))?;
    native.define_module_function("next_position", function!(next_position, 0))?;
    native.define_module_function("exchange", function!(exchange, 4))
}
