//! `Native::Queue`: the states of one `ApprovalQueue`.
//!
//! The Actions are Ruby objects in the pages that every method is given (see [`crate::store`]).
//! A method changes the state and the Action together, and no Ruby code runs in between, so other
//! threads see both or neither.

use std::sync::Arc;

use ask_permissions_core::{Queue, queue::Ticket};
use magnus::{
    Error, Float, Integer, RArray, RClass, RModule, RString, Ruby, Symbol, TypedData, Value,
    function, method,
    prelude::*,
    value::{LazyId, Qfalse, Qtrue},
};

use crate::{
    claim::{Claim, DrainTurn},
    data,
    lock::Lock,
    store, symbols, text,
};

/// The place of `status` among the members of an `Action`.
const STATUS: usize = 5;

/// What a queue and its claims share.
#[derive(Default)]
pub struct Shared {
    state: Lock<State>,
}

#[derive(Default)]
struct State {
    queue: Queue,
    /// Actions that are pending again because their claim was collected, and whose Ruby object
    /// still says otherwise.
    abandoned: Vec<u64>,
}

impl Shared {
    pub fn with_queue<R>(&self, work: impl FnOnce(&mut Queue) -> R) -> R {
        self.state.with(|state| work(&mut state.queue))
    }

    /// Puts an action back whose claim is gone. Called by the collector: runs no Ruby.
    pub fn abandon(&self, ticket: Ticket) {
        self.state.with(|state| {
            state.abandoned.push(ticket.id());
            state.queue.rollback(ticket);
        });
    }
}

/// The states of a queue's actions.
#[magnus::wrap(class = "Ask::Permissions::Native::Queue", free_immediately, size)]
pub struct QueueHandle {
    shared: Arc<Shared>,
}

impl QueueHandle {
    fn new() -> Self {
        Self {
            shared: Arc::default(),
        }
    }

    /// Brings the Ruby objects of abandoned actions up to date.
    fn refresh(&self, ruby: &Ruby, pages: RArray) -> Result<(), Error> {
        let abandoned = self
            .shared
            .state
            .with(|state| std::mem::take(&mut state.abandoned));
        for (done, id) in abandoned.iter().enumerate() {
            if self.shared.with_queue(|queue| queue.is_pending(*id)) {
                if let Err(error) = set_status(ruby, pages, *id, &symbols::PENDING) {
                    let rest = abandoned.get(done..).unwrap_or_default();
                    self.shared.state.with(|state| state.abandoned.extend(rest));
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Issues an id and keeps a pending Action under it: its members in order, where the id is nil
    /// as yet.
    fn submit(
        ruby: &Ruby,
        handle: &Self,
        pages: RArray,
        class: RClass,
        members: RArray,
        auto_approvable: bool,
    ) -> Result<Value, Error> {
        // The Action is made and kept before its id is issued: what fails here leaves no trace.
        let id = handle.shared.with_queue(|queue| queue.last_id()) + 1;
        members.store(0, id)?;
        let action = data::build(class, members)?;
        store::set(ruby, pages, id, action)?;
        handle
            .shared
            .with_queue(|queue| queue.submit(auto_approvable));
        Ok(action)
    }

    /// Uses up an id.
    fn skip(&self) {
        self.shared.with_queue(Queue::skip);
    }

    /// The Action of an id, or nil.
    fn get(ruby: &Ruby, handle: &Self, pages: RArray, id: Value) -> Result<Value, Error> {
        match handle.issued(ruby, id)? {
            Some(id) => handle.action(ruby, pages, id),
            None => Ok(ruby.qnil().as_value()),
        }
    }

    fn action(&self, ruby: &Ruby, pages: RArray, id: u64) -> Result<Value, Error> {
        self.refresh(ruby, pages)?;
        store::get(ruby, pages, id)
    }

    fn is_pending(ruby: &Ruby, handle: &Self, id: Value) -> Result<bool, Error> {
        let id = handle.issued(ruby, id)?;
        Ok(id.is_some_and(|id| handle.shared.with_queue(|queue| queue.is_pending(id))))
    }

    fn any_pending(&self) -> bool {
        self.shared.with_queue(|queue| queue.any_pending())
    }

    /// The pending Actions, in order of submission.
    fn pending_actions(ruby: &Ruby, handle: &Self, pages: RArray) -> Result<RArray, Error> {
        let ids: Vec<u64> = handle.shared.with_queue(|queue| queue.pending().collect());
        handle.actions(ruby, pages, ids)
    }

    /// Those of the Actions with these ids that are pending, in order of submission.
    fn select_pending(
        ruby: &Ruby,
        handle: &Self,
        pages: RArray,
        ids: RArray,
    ) -> Result<RArray, Error> {
        let mut pending = Vec::new();
        for id in ids {
            if let Some(id) = handle.issued(ruby, id)? {
                if handle.shared.with_queue(|queue| queue.is_pending(id)) {
                    pending.push(id);
                }
            }
        }
        pending.sort_unstable();
        handle.actions(ruby, pages, pending)
    }

    fn actions(&self, ruby: &Ruby, pages: RArray, ids: Vec<u64>) -> Result<RArray, Error> {
        self.refresh(ruby, pages)?;
        let actions = ruby.ary_new_capa(ids.len());
        for id in ids {
            actions.push(store::get(ruby, pages, id)?)?;
        }
        Ok(actions)
    }

    /// The Action that an automatic pass is to approve next if it may, or nil.
    fn look(ruby: &Ruby, handle: &Self, pages: RArray) -> Result<Value, Error> {
        match handle.shared.with_queue(Queue::look) {
            Some(id) => handle.action(ruby, pages, id),
            None => Ok(ruby.qnil().as_value()),
        }
    }

    /// It is known by now if it may.
    fn looked(&self) {
        self.shared.with_queue(Queue::looked);
    }

    /// Takes a pending action to resolve it. Its Action is applying from now on. Nil when it is
    /// not pending.
    fn begin(ruby: &Ruby, handle: &Self, pages: RArray, id: Value) -> Result<Option<Claim>, Error> {
        let Some(id) = handle.issued(ruby, id)? else {
            return Ok(None);
        };
        handle.refresh(ruby, pages)?;
        let Some(ticket) = handle.shared.with_queue(|queue| queue.begin(id)) else {
            return Ok(None);
        };
        // From here the claim gives the ticket back if anything fails.
        let claim = Claim::new(Arc::clone(&handle.shared), ticket);
        set_status(ruby, pages, id, &symbols::APPLYING)?;
        Ok(Some(claim))
    }

    /// Resolves the claimed action, and returns its Action with that status.
    fn commit(
        ruby: &Ruby,
        handle: &Self,
        pages: RArray,
        claim: &Claim,
        status: Value,
    ) -> Result<Value, Error> {
        let id = claim.id().ok_or_else(|| {
            Error::new(
                ruby.exception_runtime_error(),
                "the claim was settled before",
            )
        })?;
        // What can fail comes first: the state changes when the Action has.
        let action = data::with(ruby, store::get(ruby, pages, id)?, STATUS, status)?;
        store::set(ruby, pages, id, action)?;
        if let Some(ticket) = claim.take() {
            handle.shared.with_queue(|queue| queue.commit(ticket));
        }
        Ok(action)
    }

    /// Puts the claimed action back, pending, unless it was committed. Takes nil as well, so that
    /// an `ensure` in Ruby needs no branch, where an interrupt could strike.
    fn rollback(
        ruby: &Ruby,
        handle: &Self,
        pages: RArray,
        claim: Option<&Claim>,
    ) -> Result<(), Error> {
        let Some(ticket) = claim.and_then(Claim::take) else {
            return Ok(());
        };
        handle.shared.abandon(ticket);
        handle.refresh(ruby, pages)
    }

    /// Begins the automatic pass; nil when there is nothing for one, or one is running.
    fn begin_drain(&self) -> Option<DrainTurn> {
        self.shared
            .with_queue(Queue::begin_drain)
            .then(|| DrainTurn::new(Arc::clone(&self.shared)))
    }

    /// Ends an automatic pass that has not ended. Takes nil as well, as `rollback` does.
    fn end_drain(_handle: &Self, turn: Option<&DrainTurn>) {
        if let Some(turn) = turn {
            turn.abandon();
        }
    }

    /// The issued id that a value stands for: the one that it is `eql?` to, as for a key of a Hash.
    fn issued(&self, ruby: &Ruby, value: Value) -> Result<Option<u64>, Error> {
        let last = self.shared.with_queue(|queue| queue.last_id());
        if let Some(integer) = Integer::from_value(value) {
            return Ok(integer.to_u64().ok().filter(|id| (1..=last).contains(id)));
        }
        // A Hash without keys asks nothing of the key that it is given.
        if is_never_eql_to_an_integer(value) || self.shared.with_queue(|queue| queue.is_empty()) {
            return Ok(None);
        }
        let hash: Value = value.funcall(*symbols::HASH, ())?;
        if text::answers_as_built_in(ruby, value, &symbols::EQL) {
            return Ok(None);
        }
        for id in 1..=last {
            let candidate = ruby.integer_from_u64(id);
            let same_hash = candidate.funcall::<_, _, Value>(*symbols::HASH, ())?;
            if same_hash.eql(hash)?
                && value
                    .funcall::<_, _, Value>(*symbols::EQL, (candidate,))?
                    .to_bool()
            {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}

/// Values of Ruby's own classes, which need not be asked whether they are `eql?` to an Integer.
fn is_never_eql_to_an_integer(value: Value) -> bool {
    value.is_nil()
        || Qtrue::from_value(value).is_some()
        || Qfalse::from_value(value).is_some()
        || Symbol::from_value(value).is_some()
        || Float::from_value(value).is_some()
        || RString::from_value(value).is_some()
}

fn set_status(ruby: &Ruby, pages: RArray, id: u64, status: &'static LazyId) -> Result<(), Error> {
    let action = store::get(ruby, pages, id)?;
    let status = symbols::symbol(ruby, status).as_value();
    store::set(ruby, pages, id, data::with(ruby, action, STATUS, status)?)
}

pub fn init(ruby: &Ruby, native: RModule) -> Result<(), Error> {
    let class = native.define_class("Queue", ruby.class_object())?;
    <QueueHandle as TypedData>::class(ruby);
    class.define_singleton_method("new", function!(QueueHandle::new, 0))?;
    class.define_method("submit", method!(QueueHandle::submit, 4))?;
    class.define_method("skip", method!(QueueHandle::skip, 0))?;
    class.define_method("get", method!(QueueHandle::get, 2))?;
    class.define_method("pending?", method!(QueueHandle::is_pending, 1))?;
    class.define_method("any_pending?", method!(QueueHandle::any_pending, 0))?;
    class.define_method("pending_actions", method!(QueueHandle::pending_actions, 1))?;
    class.define_method("select_pending", method!(QueueHandle::select_pending, 2))?;
    class.define_method("look", method!(QueueHandle::look, 1))?;
    class.define_method("looked", method!(QueueHandle::looked, 0))?;
    class.define_method("begin", method!(QueueHandle::begin, 2))?;
    class.define_method("commit", method!(QueueHandle::commit, 3))?;
    class.define_method("rollback", method!(QueueHandle::rollback, 2))?;
    class.define_method("begin_drain", method!(QueueHandle::begin_drain, 0))?;
    class.define_method("end_drain", method!(QueueHandle::end_drain, 1))
}
