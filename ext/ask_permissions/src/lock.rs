//! The only lock of the binding.

use parking_lot::Mutex;

/// A value behind a lock that cannot be held while Ruby runs.
///
/// INVARIANT: a thread that waits here keeps Ruby's global lock, so whoever holds this lock must
/// neither run Ruby nor allocate Ruby objects. The closure of [`Lock::with`] is given no Ruby
/// handle, and is kept to a call or two of the core.
#[derive(Debug, Default)]
pub struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.0.lock())
    }
}
