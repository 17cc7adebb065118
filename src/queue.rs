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

/// An automatic approval pass that is running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pass {
    /// Somebody asked for a pass after this one had looked.
    wanted: bool,
    /// The pass is finding out whether its head may be approved. A request that comes meanwhile can
    /// be the doing of that very question: it has the question asked again once, not for ever.
    looking: bool,
    /// The head about which the question was asked again.
    asked_again: Option<u64>,
    /// The head that the pass looked at last.
    looked_at: Option<u64>,
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
#[derive(Debug, Default)]
pub struct Queue {
    last_id: u64,
    /// How many of the ids up to the last are nobody's.
    skipped: u64,
    /// Whether each may be approved automatically.
    /// INVARIANT: disjoint from `applying`; all ids in either were issued.
    pending: BTreeMap<u64, bool>,
    applying: HashMap<u64, bool>,
    pass: Option<Pass>,
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
    fn auto_head(&self) -> Option<u64> {
        let (id, auto_approvable) = self.pending.first_key_value()?;
        auto_approvable.then_some(*id)
    }

    /// Begins an automatic pass, if there is anything that one might approve. When a pass is
    /// running already, it is told to look again before it ends, and the answer is false.
    pub fn begin_drain(&mut self) -> bool {
        if self.auto_head().is_none() {
            return false;
        }
        if let Some(pass) = &mut self.pass {
            if pass.looking {
                pass.wanted |= pass.asked_again != pass.looked_at;
                pass.asked_again = pass.looked_at;
            } else {
                pass.wanted = true;
            }
            return false;
        }
        self.pass = Some(Pass::default());
        true
    }

    /// The action that the pass is to approve next, if the host agrees. Until [`Self::looked`] it
    /// is making up its mind.
    pub fn look(&mut self) -> Option<u64> {
        let head = self.auto_head();
        if let Some(pass) = &mut self.pass {
            pass.wanted = false;
            pass.looking = head.is_some();
            pass.looked_at = head;
        }
        head
    }

    /// The host has made up its mind.
    pub const fn looked(&mut self) {
        if let Some(pass) = &mut self.pass {
            pass.looking = false;
        }
    }

    /// Ends a pass that found nothing more to do, unless there is another head by now, or somebody
    /// asked for a pass since it looked: then it has to look again, and the answer is false. So no
    /// submission falls between two passes.
    pub fn finish_drain(&mut self) -> bool {
        let head = self.auto_head();
        let again = self
            .pass
            .is_some_and(|pass| head.is_some() && (pass.wanted || head != pass.looked_at));
        if !again {
            self.pass = None;
        }
        !again
    }

    /// Ends a pass that cannot go on, whoever asked for another.
    pub const fn abandon_drain(&mut self) {
        self.pass = None;
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
    fn only_one_pass_runs_at_a_time() {
        let mut queue = Queue::default();
        assert!(!queue.begin_drain());
        queue.submit(true);
        assert!(queue.begin_drain());
        assert!(!queue.begin_drain());
        queue.abandon_drain();
        assert!(queue.begin_drain());
    }

    #[test]
    fn a_pass_looks_again_when_asked_after_it_looked() {
        let mut queue = Queue::default();
        let head = queue.submit(true);
        assert!(queue.begin_drain());
        assert_eq!(queue.look(), Some(head));
        queue.looked();
        assert!(!queue.begin_drain());
        assert!(!queue.finish_drain());
        assert_eq!(queue.look(), Some(head));
        queue.looked();
        assert!(queue.finish_drain());
    }

    #[test]
    fn a_question_that_asks_for_a_pass_is_not_asked_for_ever() {
        let mut queue = Queue::default();
        queue.submit(true);
        assert!(queue.begin_drain());
        for ends in [false, true] {
            queue.look();
            queue.submit(true);
            assert!(!queue.begin_drain());
            queue.looked();
            assert_eq!(queue.finish_drain(), ends);
        }
    }

    #[test]
    fn a_pass_sees_the_submission_that_came_while_it_was_ending() {
        let mut queue = Queue::default();
        let first = queue.submit(true);
        assert!(queue.begin_drain());
        assert_eq!(queue.look(), Some(first));
        queue.looked();
        let ticket = begun(&mut queue, first);
        queue.commit(ticket);
        assert_eq!(queue.look(), None);
        let second = queue.submit(true);
        assert!(!queue.finish_drain());
        assert_eq!(queue.look(), Some(second));
    }
}
