//! Narrows Regexps and says which texts they may match: one question a line, one answer a line.
//!
//! Question: `{"patterns": [{"source": "a.c", "flags": "im"}, …], "texts": ["abc", …]}`.
//! Answer: `{"narrowed": […], "alone": [[…]], "together": [[…]]}`: of each pattern its translation
//! or null, and whether each text may match according to it; then the same according to one
//! prefilter made of all the patterns.

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

use ask_permissions_core::regexp::{Flags, Narrowing, Prefilter, translate};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{Compiler, Config};
use regex_automata::{Anchored, Input};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut output = stdout().lock();
    for line in stdin().lock().lines() {
        let answer = answer(&serde_json::from_str(&line?)?)?;
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(question: &Value) -> Result<Value, Box<dyn Error>> {
    let texts = strings(question.get("texts"))?;
    let patterns = question
        .get("patterns")
        .and_then(Value::as_array)
        .ok_or("no patterns")?;
    let narrowings = patterns
        .iter()
        .map(narrowing)
        .collect::<Result<Vec<_>, _>>()?;
    let narrowed: Vec<Option<String>> = narrowings.iter().map(shown).collect();
    let alone = narrowings
        .iter()
        .map(|narrowing| alone(narrowing, &texts))
        .collect::<Result<Vec<_>, _>>()?;
    let mut together = vec![vec![0; texts.len()]; narrowings.len()];
    let prefilter = Prefilter::new(narrowings.iter().enumerate());
    for (position, text) in texts.iter().enumerate() {
        for candidate in prefilter.candidates(text.as_bytes()) {
            let row = together.get_mut(candidate).ok_or("no such pattern")?;
            *row.get_mut(position).ok_or("no such text")? = 1;
        }
    }
    Ok(json!({"narrowed": narrowed, "alone": alone, "together": together}))
}

fn strings(list: Option<&Value>) -> Result<Vec<&str>, &'static str> {
    let list = list.and_then(Value::as_array).ok_or("no list")?;
    list.iter()
        .map(|item| item.as_str().ok_or("no String"))
        .collect()
}

fn narrowing(pattern: &Value) -> Result<Narrowing, Box<dyn Error>> {
    let field = |name: &str| pattern.get(name).and_then(Value::as_str).ok_or("no String");
    let source = field("source")?;
    let flags = field("flags")?;
    let flags = Flags {
        ignore_case: flags.contains('i'),
        multi_line: flags.contains('m'),
        extended: flags.contains('x'),
    };
    Ok(translate(source, flags))
}

fn shown(narrowing: &Narrowing) -> Option<String> {
    match narrowing {
        Narrowing::Pattern(pattern) => Some(pattern.to_string()),
        Narrowing::Everything => None,
    }
}

/// Which texts the translation matches, according to an automaton of its own.
fn alone(narrowing: &Narrowing, texts: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
    let Narrowing::Pattern(pattern) = narrowing else {
        return Ok(vec![1; texts.len()]);
    };
    let nfa = Compiler::new()
        .configure(Config::new().utf8(false))
        .build_from_hir(pattern.hir())?;
    let config = DFA::config().skip_cache_capacity_check(true);
    let dfa = DFA::builder().configure(config).build_from_nfa(nfa)?;
    let mut cache = Cache::new(&dfa);
    texts
        .iter()
        .map(|text| {
            let input = Input::new(text).anchored(Anchored::No).earliest(true);
            let found = dfa.try_search_fwd(&mut cache, &input)?;
            Ok(u8::from(found.is_some()))
        })
        .collect()
}
