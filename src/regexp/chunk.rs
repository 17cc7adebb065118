//! Some patterns as one automaton.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use regex_automata::hybrid::dfa::{Cache, DFA, OverlappingState};
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_automata::util::pool::Pool;
use regex_automata::{Input, MatchError, MatchKind, PatternSet};
use regex_syntax::hir::Hir;

use crate::regexp::narrowing::Pattern;

/// Patterns of one chunk are so many at the most, and
const MOST_PATTERNS: usize = 128;
/// weigh so much.
pub(super) const MOST_WEIGHT: usize = 4096;
/// An automaton is made of at most so many bytes when it is compiled,
const MOST_BYTES: usize = 2 << 20;
/// and fills at most so many with states while it is used, for each thread that uses it.
const MOST_CACHED_BYTES: usize = 1 << 20;
/// An automaton that had to give up so often is not used any more: its states are too many.
const MOST_FAILURES: u32 = 4;

/// Some patterns, compiled when they are searched for the first time.
#[derive(Debug)]
pub(super) struct Chunk {
    indices: Vec<usize>,
    patterns: Vec<Hir>,
    weight: usize,
    automaton: OnceLock<Option<Automaton>>,
}

#[derive(Debug)]
struct Automaton {
    dfa: DFA,
    pool: Pool<Scratch, Box<dyn Fn() -> Scratch + Send + Sync>>,
    failures: AtomicU32,
}

#[derive(Debug)]
struct Scratch {
    cache: Cache,
    found: PatternSet,
}

impl Chunk {
    /// Divides patterns, given with their indices, into chunks.
    pub(super) fn divide<'a>(patterns: impl Iterator<Item = (usize, &'a Pattern)>) -> Vec<Self> {
        let mut chunks: Vec<Self> = Vec::new();
        for (index, pattern) in patterns {
            let fits = |chunk: &&mut Self| {
                chunk.indices.len() < MOST_PATTERNS && chunk.weight + pattern.weight <= MOST_WEIGHT
            };
            if let Some(chunk) = chunks.last_mut().filter(fits) {
                chunk.add(index, pattern);
            } else {
                let mut chunk = Self {
                    indices: Vec::new(),
                    patterns: Vec::new(),
                    weight: 0,
                    automaton: OnceLock::new(),
                };
                chunk.add(index, pattern);
                chunks.push(chunk);
            }
        }
        chunks
    }

    fn add(&mut self, index: usize, pattern: &Pattern) {
        self.indices.push(index);
        self.patterns.push(pattern.hir.clone());
        self.weight += pattern.weight;
    }

    /// The indices of all its patterns.
    pub(super) fn indices(&self) -> &[usize] {
        &self.indices
    }

    /// Adds the indices of at least all patterns that match a text.
    pub(super) fn search(&self, text: &[u8], candidates: &mut Vec<usize>) {
        let automaton = self
            .automaton
            .get_or_init(|| Automaton::new(&self.patterns))
            .as_ref()
            .filter(|automaton| automaton.failures.load(Ordering::Relaxed) < MOST_FAILURES);
        let Some(automaton) = automaton else {
            candidates.extend(&self.indices);
            return;
        };
        let mut scratch = automaton.pool.get();
        let Scratch { cache, found } = &mut *scratch;
        found.clear();
        match search(&automaton.dfa, cache, found, text) {
            Ok(true) => {
                let index = |id: regex_automata::PatternID| self.indices.get(id.as_usize());
                candidates.extend(found.iter().filter_map(index));
            }
            Ok(false) => candidates.extend(&self.indices),
            Err(_) => {
                automaton.failures.fetch_add(1, Ordering::Relaxed);
                candidates.extend(&self.indices);
            }
        }
    }
}

impl Automaton {
    /// `None` when the patterns are too large together.
    fn new(patterns: &[Hir]) -> Option<Self> {
        let config = Config::new()
            .utf8(false)
            .nfa_size_limit(Some(MOST_BYTES))
            .which_captures(WhichCaptures::None);
        let nfa = Compiler::new()
            .configure(config)
            .build_many_from_hir(patterns)
            .ok()?;
        let config = DFA::config()
            .match_kind(MatchKind::All)
            .cache_capacity(MOST_CACHED_BYTES)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(1))
            .minimum_bytes_per_state(Some(10));
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        let prototype = dfa.clone();
        let create = move || Scratch {
            cache: prototype.create_cache(),
            found: PatternSet::new(prototype.pattern_len()),
        };
        Some(Self {
            dfa,
            pool: Pool::new(Box::new(create)),
            failures: AtomicU32::new(0),
        })
    }
}

/// Finds all patterns that match; false if there are so many matches that it is not worth it.
fn search(
    dfa: &DFA,
    cache: &mut Cache,
    found: &mut PatternSet,
    text: &[u8],
) -> Result<bool, MatchError> {
    let input = Input::new(text);
    let mut state = OverlappingState::start();
    // A pattern is found wherever it matches. Text by text this is no more work than reading it.
    for _ in 0..text.len() + MOST_PATTERNS {
        dfa.try_search_overlapping_fwd(cache, &input, &mut state)?;
        let Some(matched) = state.get_match() else {
            return Ok(true);
        };
        // A pattern is in its own set.
        let _ = found.try_insert(matched.pattern());
        if found.is_full() {
            return Ok(true);
        }
    }
    Ok(false)
}
