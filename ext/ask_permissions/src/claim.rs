//! `Native::Claim` and `Native::DrainTurn`: rights that only one holder has, and that come back by
//! themselves.
//!
//! Ruby's `ensure` gives them back on every way out. One exit has no `ensure`: a Fiber that is
//! never resumed. Its stack is the only place that knows the claim, so when the Fiber is collected,
//! the claim is too, and being freed returns what it held. That runs no Ruby.

use std::sync::Arc;

use ask_permissions_core::queue::Ticket;
use magnus::{Error, Module, RModule, Ruby, TypedData, method};

use crate::{lock::Lock, queue::Shared};

/// The right to resolve one action.
#[magnus::wrap(class = "Ask::Permissions::Native::Claim", free_immediately, size)]
pub struct Claim {
    shared: Arc<Shared>,
    /// INVARIANT: there until the claim is settled.
    ticket: Lock<Option<Ticket>>,
}

impl Claim {
    pub const fn new(shared: Arc<Shared>, ticket: Ticket) -> Self {
        Self {
            shared,
            ticket: Lock::new(Some(ticket)),
        }
    }

    /// The id of the claimed action; `None` once the claim is settled.
    pub fn id(&self) -> Option<u64> {
        self.ticket.with(|ticket| ticket.as_ref().map(Ticket::id))
    }

    /// Takes the ticket out, once.
    pub fn take(&self) -> Option<Ticket> {
        self.ticket.with(Option::take)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(ticket) = self.take() {
            self.shared.abandon(ticket);
        }
    }
}

/// The right to run the automatic pass of a queue.
#[magnus::wrap(class = "Ask::Permissions::Native::DrainTurn", free_immediately, size)]
pub struct DrainTurn {
    shared: Arc<Shared>,
    /// INVARIANT: true until the turn is over.
    running: Lock<bool>,
}

impl DrainTurn {
    pub const fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            running: Lock::new(true),
        }
    }

    /// Ends the turn when nobody wants another pass; whether it ended.
    fn finish(&self) -> bool {
        let ended = self
            .shared
            .with_queue(ask_permissions_core::Queue::finish_drain);
        if ended {
            self.running.with(|running| *running = false);
        }
        ended
    }

    /// Ends the turn, if it has not ended.
    pub fn abandon(&self) {
        if self.running.with(std::mem::take) {
            self.shared
                .with_queue(ask_permissions_core::Queue::abandon_drain);
        }
    }
}

impl Drop for DrainTurn {
    fn drop(&mut self) {
        self.abandon();
    }
}

pub fn init(ruby: &Ruby, native: RModule) -> Result<(), Error> {
    native.define_class("Claim", ruby.class_object())?;
    <Claim as TypedData>::class(ruby);

    let turn = native.define_class("DrainTurn", ruby.class_object())?;
    <DrainTurn as TypedData>::class(ruby);
    turn.define_method("finish", method!(DrainTurn::finish, 0))
}
