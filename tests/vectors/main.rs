//! The recorded vectors in `test/vectors`, as far as they concern the core. The same files are
//! played on the Ruby library by `test/vectors_test.rb`.

mod gate;
mod policy;
mod queue;
mod rules;

use std::error::Error;

use ask_permissions_core::{Decision, ToolPattern};
use serde_json::Value;

type Checked = Result<(), Box<dyn Error>>;

fn read(name: &str) -> Result<Value, Box<dyn Error>> {
    let path = format!("{}/test/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

fn field<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn item(value: &Value, index: usize) -> &Value {
    value.get(index).unwrap_or(&Value::Null)
}

fn cases(vectors: &Value) -> &[Value] {
    list(field(vectors, "cases"))
}

/// The text of a name or a pattern; `None` for what only Ruby can turn into text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.strip_prefix(':').unwrap_or(text).to_owned()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn tool_pattern(value: &Value) -> Option<ToolPattern> {
    if value == ":all" {
        return Some(ToolPattern::Any);
    }
    text(value).map(|name| ToolPattern::Exact(name.as_str().into()))
}

fn decision(name: &Value) -> Option<Decision> {
    Decision::from_name(text(name)?.as_str())
}
