//! Sequences of submissions and resolutions, with callbacks that fail and callbacks that use the queue.

use std::collections::{BTreeSet, HashMap};

use ask_permissions_core::Queue;
use serde_json::{Value, json};

use crate::{Checked, cases, field, item, list, read, text};

/// A callback or a clock of the vector failed.
#[derive(Debug)]
struct Failed;

/// The queue of the core with what the binding adds: names, callbacks, the final states.
struct QueuePlay<'a> {
    case: &'a Value,
    queue: Queue,
    names: HashMap<u64, String>,
    auto_approve: HashMap<String, bool>,
    called: HashMap<String, usize>,
    states: Vec<Value>,
    log: Vec<String>,
    ticks: u64,
}

impl<'a> QueuePlay<'a> {
    fn new(case: &'a Value) -> Self {
        let mut play = Self {
            case,
            queue: Queue::default(),
            names: HashMap::new(),
            auto_approve: HashMap::new(),
            called: HashMap::new(),
            states: Vec::new(),
            log: Vec::new(),
            ticks: 0,
        };
        for (name, value) in field(case, "auto_approve")
            .as_object()
            .into_iter()
            .flatten()
        {
            play.auto_approve.insert(name.clone(), value == true);
        }
        play
    }

    fn act(&mut self, operation: &Value) -> Result<Value, Failed> {
        let id = item(operation, 1).as_u64();
        match item(operation, 0).as_str().unwrap_or_default() {
            "submit" => self.submit(operation),
            "approve" => self.resolve_all(ids(operation), "on_approve"),
            "reject" => self.resolve_all(ids(operation), "on_reject"),
            "approve_all" => self.resolve_all(self.queue.pending().collect(), "on_approve"),
            "reject_all" => self.resolve_all(self.queue.pending().collect(), "on_reject"),
            "pending_actions" => Ok(json!(self.queue.pending().collect::<Vec<_>>())),
            "drain" => self.drain().map(|()| json!(true)),
            "any_pending?" => Ok(json!(self.queue.any_pending())),
            "pending?" => Ok(json!(id.is_some_and(|id| self.queue.is_pending(id)))),
            "auto_approve" => {
                let name = text(item(operation, 1)).unwrap_or_default();
                let value = item(operation, 2);
                self.auto_approve.insert(name, value == true);
                Ok(value.clone())
            }
            _ => Ok(Value::Null),
        }
    }

    fn submit(&mut self, operation: &Value) -> Result<Value, Failed> {
        let given = item(operation, 1);
        let (name, flag) = match given {
            Value::Object(_) => (field(given, "tool_name"), field(given, "auto_approvable")),
            _ => (given, item(operation, 2)),
        };
        self.ticks += 1;
        if list(field(self.case, "clock_fails_at")).contains(&json!(self.ticks)) {
            self.queue.skip();
            self.states.push(Value::Null);
            return Err(Failed);
        }
        let id = self
            .queue
            .submit(!matches!(flag, Value::Null | Value::Bool(false)));
        self.names.insert(id, text(name).unwrap_or_default());
        self.states.push(json!("pending"));
        self.call("on_submit", id, "pending")?;
        self.drain()?;
        Ok(json!(id))
    }

    fn resolve_all(&mut self, ids: BTreeSet<u64>, callback: &str) -> Result<Value, Failed> {
        let chosen: Vec<_> = ids
            .into_iter()
            .filter(|id| self.queue.is_pending(*id))
            .collect();
        let mut resolved = Vec::new();
        for id in chosen {
            if self.resolve(id, callback)? {
                resolved.push(id);
            }
        }
        Ok(json!(resolved))
    }

    fn resolve(&mut self, id: u64, callback: &str) -> Result<bool, Failed> {
        let Some(ticket) = self.queue.begin(id) else {
            return Ok(false);
        };
        self.set_state(id, "applying");
        let outcome = self.call(callback, id, "applying");
        if outcome.is_ok() {
            self.queue.commit(ticket);
            let state = if callback == "on_approve" {
                "approved"
            } else {
                "rejected"
            };
            self.set_state(id, state);
        } else {
            self.queue.rollback(ticket);
            self.set_state(id, "pending");
        }
        outcome.map(|()| true)
    }

    fn drain(&mut self) -> Result<(), Failed> {
        if !self.queue.begin_drain() {
            return Ok(());
        }
        loop {
            while let Some(id) = self.eligible_head() {
                if let Err(failed) = self.resolve(id, "on_approve") {
                    self.queue.abandon_drain();
                    return Err(failed);
                }
            }
            if self.queue.finish_drain() {
                return Ok(());
            }
        }
    }

    fn eligible_head(&mut self) -> Option<u64> {
        let head = self.queue.look();
        let agreed = head.filter(|id| {
            let name = self.names.get(id);
            name.and_then(|name| self.auto_approve.get(name)) == Some(&true)
        });
        self.queue.looked();
        agreed
    }

    fn call(&mut self, callback: &str, id: u64, status: &str) -> Result<(), Failed> {
        self.log.push(format!("{callback} {id} {status}"));
        let scripts = field(field(self.case, callback), &id.to_string());
        let times = self.called.entry(format!("{callback} {id}")).or_default();
        let script = item(scripts, *times);
        *times += 1;
        if script == "raise" {
            return Err(Failed);
        }
        for operation in list(script) {
            let answer = self.act(operation)?;
            let words: Vec<_> = list(operation).iter().filter_map(text).collect();
            self.log.push(format!("{} = {answer}", words.join(" ")));
        }
        Ok(())
    }

    fn set_state(&mut self, id: u64, state: &str) {
        let position = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        if let Some(slot) = position.and_then(|position| self.states.get_mut(position)) {
            *slot = json!(state);
        }
    }

    fn states(&self) -> &[Value] {
        let known = self.states.iter().rposition(|state| !state.is_null());
        self.states
            .get(..known.map_or(0, |last| last + 1))
            .unwrap_or_default()
    }
}

/// The Integers among what was given, however nested.
fn ids(operation: &Value) -> BTreeSet<u64> {
    fn collect(value: &Value, found: &mut BTreeSet<u64>) {
        found.extend(value.as_u64());
        for inner in list(value) {
            collect(inner, found);
        }
    }
    let mut found = BTreeSet::new();
    collect(operation, &mut found);
    found
}

#[test]
fn the_queue_takes_every_step() -> Checked {
    for case in cases(&read("queue")?) {
        let mut play = QueuePlay::new(case);
        for step in list(field(case, "steps")) {
            play.log.clear();
            let operation = field(step, "do");
            let answer = play.act(operation);
            assert_eq!(
                answer.is_err(),
                step.get("error").is_some(),
                "{case}: {step}"
            );
            if let (Ok(answer), true) = (answer, item(operation, 0) != "action") {
                assert_eq!(answer, *field(step, "answer"), "{case}: {step}");
            }
            assert_eq!(play.log, *list(field(step, "log")), "{case}: {step}");
            assert_eq!(play.states(), list(field(step, "states")), "{case}: {step}");
        }
    }
    Ok(())
}
