//! What the mode gate blocks, and for how long an approval counts.

use std::collections::HashMap;

use ask_permissions_core::gate::{AccessMode, CHANGE_TOOLS, Record, Verdict, judge};
use serde_json::{Value, json};

use crate::{Checked, cases, field, item, list, read, text};

/// What a gate keeps of a call.
struct Entry {
    record: Record,
    created_at: f64,
}

struct GatePlay {
    blocked: Vec<Value>,
    timeout: Option<f64>,
    now: f64,
    entries: HashMap<String, Entry>,
}

impl GatePlay {
    fn verdict(&mut self, id: &Value) -> Verdict {
        let entry = self.entries.get(&id.to_string());
        let age = entry.map_or(0.0, |entry| self.now - entry.created_at);
        let expired = self.timeout.is_some_and(|timeout| age > timeout);
        let verdict = judge(entry.map(|entry| entry.record), expired);
        if verdict == Verdict::Remember {
            self.entries.remove(&id.to_string());
        }
        verdict
    }

    /// The action that is answered, and whether it is announced.
    fn call(&mut self, operation: &Value) -> (&'static str, bool) {
        let name = text(item(operation, 2)).unwrap_or_default();
        if !self.blocked.contains(&json!(format!(":{name}"))) {
            return (":proceed", false);
        }
        let id = item(operation, 1);
        match self.verdict(id) {
            Verdict::Proceed => (":proceed", false),
            Verdict::Block => (":block", false),
            Verdict::Remember => {
                let entry = Entry {
                    record: Record::Pending,
                    created_at: self.now,
                };
                self.entries.insert(id.to_string(), entry);
                (":block", true)
            }
        }
    }

    fn step(&mut self, step: &Value) {
        let operation = field(step, "do");
        let (subject, answer) = (item(operation, 1), field(step, "answer"));
        match item(operation, 0).as_str().unwrap_or_default() {
            "call" => {
                let (action, announced) = self.call(operation);
                assert_eq!(field(answer, ":action"), action, "{step}");
                assert_eq!(step.get("warned").is_some(), announced, "{step}");
            }
            "approve" => {
                let entry = self.entries.get_mut(&subject.to_string());
                assert_eq!(*answer, json!(entry.is_some()), "{step}");
                if let Some(entry) = entry {
                    entry.record = Record::Approved;
                }
            }
            "approved?" => {
                let approved = self.verdict(subject) == Verdict::Proceed;
                assert_eq!(*answer, json!(approved), "{step}");
            }
            "pending" => {
                let pending = |entry: &&Entry| entry.record == Record::Pending;
                assert_eq!(
                    list(answer).len(),
                    self.entries.values().filter(pending).count()
                );
            }
            "tick" => self.now += subject.as_f64().unwrap_or_default(),
            "block" => self.blocked.push(subject.clone()),
            "unblock" => self.blocked.retain(|name| name != subject),
            _ => {}
        }
    }
}

#[test]
fn the_gate_judges_every_call() -> Checked {
    for case in cases(&read("gate")?) {
        let timeout = field(case, "timeout");
        let Some(answered) = field(case, "made").get("answer") else {
            continue;
        };
        if timeout.is_string() {
            continue;
        }
        let name = text(field(case, "mode")).unwrap_or_default();
        let mode = AccessMode::ALL
            .into_iter()
            .find(|known| known.name() == name);
        if mode.is_some() || case.get("blocked_tools").is_none() {
            let names = mode.map_or(&CHANGE_TOOLS[..], AccessMode::blocked_tools);
            let names: Vec<_> = names.iter().map(|name| format!(":{name}")).collect();
            assert_eq!(*item(answered, 1), json!(names), "{case}");
        }
        let mut play = GatePlay {
            blocked: list(item(answered, 1)).to_vec(),
            timeout: timeout.as_f64(),
            now: 0.0,
            entries: HashMap::new(),
        };
        for step in list(field(case, "steps")) {
            play.step(step);
        }
    }
    Ok(())
}
