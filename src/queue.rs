//! The approval queue as a state machine over ids.
//!
//! ```text
//!             begin              commit
//!   pending ─────────► applying ─────────► resolved (and forgotten here)
//!      ▲                   │
//!      └───────────────────┘ rollback
//! ```
//!
//! The queue hands out tickets: who begins an action holds its [`Ticket`], and gives it back by
//! `commit` or `rollback`. What was resolved leaves the machine, so nothing it does costs more when
//! many actions were resolved before.

use std::collections::{BTreeMap, HashMap};

/// The right to finish the action that was begun.
///
/// INVARIANT: there is one ticket for each applying action and none for any other, since tickets
/// cannot be copied and only [`Queue::begin`] makes them. So an action is resolved at most once,
/// and two callbacks of one action never overlap.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an action stays applying until its ticket is committed or rolled back"]
pub struct Ticket {
    id: u64,
}

impl Ticket {
    /// The id of the action.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.id
    }
}

/// Whether an automatic approval pass is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drain {
    Idle,
    /// `wanted` again: somebody asked for a pass that the running one may have gone past.
    Running {
        wanted: bool,
    },
}

/// Ids in order of submission, and the state of each that is not resolved.
///
/// ```
/// use ask_permissions_core::Queue;
/// let mut queue = Queue::default();
/// let id = queue.submit(false);
/// let ticket = queue.begin(id).expect("it is pending");
/// assert_eq!(queue.begin(id), None);
/// queue.commit(ticket);
/// assert!(!queue.any_pending());
/// ```
#[derive(Debug)]
pub struct Queue {
    last_id: u64,
    /// How many of the ids up to the last are nobody's.
    skipped: u64,
    /// Whether each may be approved automatically.
    /// INVARIANT: disjoint from `applying`; all ids in either were issued.
    pending: BTreeMap<u64, bool>,
    applying: HashMap<u64, bool>,
    drain: Drain,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            last_id: 0,
            skipped: 0,
            pending: BTreeMap::new(),
            applying: HashMap::new(),
            drain: Drain::Idle,
        }
    }
}

impl Queue {
    /// Issues the next id, pending. `auto_approvable`: an automatic pass may approve it.
    pub fn submit(&mut self, auto_approvable: bool) -> u64 {
        let id = self.next_id();
        self.pending.insert(id, auto_approvable);
        id
    }

    /// Uses up an id for a submission that failed before there was anything to decide.
    pub fn skip(&mut self) -> u64 {
        self.skipped += 1;
        self.next_id()
    }

    fn next_id(&mut self) -> u64 {
        // At a billion submissions a second the largest id is 584 years away.
        self.last_id = self.last_id.saturating_add(1);
        self.last_id
    }

    /// The id that was issued last; 0 before the first.
    #[must_use]
    pub const fn last_id(&self) -> u64 {
        self.last_id
    }

    /// Whether nothing was ever submitted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.last_id == self.skipped
    }

    /// Takes a pending action to be resolved; `None` when it is not pending.
    pub fn begin(&mut self, id: u64) -> Option<Ticket> {
        let auto_approvable = self.pending.remove(&id)?;
        self.applying.insert(id, auto_approvable);
        Some(Ticket { id })
    }

    /// Resolves the action for good.
    #[expect(clippy::needless_pass_by_value, reason = "a ticket is used up")]
    pub fn commit(&mut self, ticket: Ticket) {
        let Ticket { id } = ticket;
        self.applying.remove(&id);
    }

    /// Puts the action back as it was, at its old place in the order.
    #[expect(clippy::needless_pass_by_value, reason = "a ticket is used up")]
    pub fn rollback(&mut self, ticket: Ticket) {
        let Ticket { id } = ticket;
        if let Some(auto_approvable) = self.applying.remove(&id) {
            self.pending.insert(id, auto_approvable);
        }
    }

    /// Whether the action is pending.
    #[must_use]
    pub fn is_pending(&self, id: u64) -> bool {
        self.pending.contains_key(&id)
    }

    /// Whether any action is pending.
    #[must_use]
    pub fn any_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The pending ids, in order of submission.
    #[must_use]
    pub fn pending(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.pending.keys().copied()
    }

    /// The first pending action, if it may be approved automatically. Nothing overtakes it if not.
    #[must_use]
    pub fn auto_head(&self) -> Option<u64> {
        let (id, auto_approvable) = self.pending.first_key_value()?;
        auto_approvable.then_some(*id)
    }

    /// Begins an automatic pass, if there is anything that one might approve. When a pass is
    /// running already, it is told to look again before it ends, and the answer is false.
    pub fn begin_drain(&mut self) -> bool {
        if self.auto_head().is_none() {
            return false;
        }
        let idle = self.drain == Drain::Idle;
        self.drain = Drain::Running { wanted: !idle };
        idle
    }

    /// Ends a pass that found nothing more to do, unless somebody asked for another meanwhile: then
    /// the pass goes on, and the answer is false. So no submission falls between two passes.
    pub const fn finish_drain(&mut self) -> bool {
        let wanted = matches!(self.drain, Drain::Running { wanted: true });
        self.drain = if wanted {
            Drain::Running { wanted: false }
        } else {
            Drain::Idle
        };
        !wanted
    }

    /// Ends a pass that cannot go on, whoever asked for another.
    pub const fn abandon_drain(&mut self) {
        self.drain = Drain::Idle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(queue: &mut Queue, id: u64) -> Ticket {
        queue.begin(id).expect("the action is pending")
    }

    #[test]
    fn ids_count_from_one() {
        let mut queue = Queue::default();
        assert!(queue.is_empty());
        assert_eq!((queue.submit(false), queue.submit(true)), (1, 2));
        assert_eq!(queue.skip(), 3);
        assert!(!queue.is_empty());
        assert_eq!(queue.submit(false), 4);
        assert_eq!(queue.pending().collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(queue.last_id(), 4);
    }

    #[test]
    fn an_action_is_resolved_at_most_once() {
        let mut queue = Queue::default();
        let id = queue.submit(false);
        let ticket = begun(&mut queue, id);
        assert_eq!(ticket.id(), id);
        assert_eq!(queue.begin(id), None);
        assert!(!queue.is_pending(id));
        queue.commit(ticket);
        assert_eq!(queue.begin(id), None);
        assert_eq!(queue.begin(99), None);
    }

    #[test]
    fn a_rolled_back_action_has_its_old_place() {
        let mut queue = Queue::default();
        let first = queue.submit(true);
        let second = queue.submit(true);
        let ticket = begun(&mut queue, first);
        assert_eq!(queue.auto_head(), Some(second));
        queue.rollback(ticket);
        assert_eq!(queue.auto_head(), Some(first));
        assert!(queue.any_pending());
    }

    #[test]
    fn nothing_overtakes_a_manual_action() {
        let mut queue = Queue::default();
        let manual = queue.submit(false);
        let automatic = queue.submit(true);
        assert_eq!(queue.auto_head(), None);
        assert!(!queue.begin_drain());
        let ticket = begun(&mut queue, manual);
        queue.commit(ticket);
        assert_eq!(queue.auto_head(), Some(automatic));
    }

    #[test]
    fn a_pass_looks_again_when_asked_meanwhile() {
        let mut queue = Queue::default();
        queue.submit(true);
        assert!(queue.begin_drain());
        assert!(!queue.begin_drain());
        assert!(!queue.finish_drain());
        assert!(queue.finish_drain());
        assert!(queue.begin_drain());
        queue.abandon_drain();
        assert!(queue.begin_drain());
        assert!(queue.finish_drain());
    }
}
