//! Many patterns, searched for at once.
//!
//! Most patterns need certain texts to be there, and most texts have none of those. So all of them
//! are looked for first, in one pass, whose cost does not depend on how many they are. A pattern
//! whose needs are met is a candidate. Only patterns that need nothing, and those whose needs are
//! shared by too many others to tell them apart, are looked for as automata, chunk by chunk.
//!
//! Bounds: the texts looked for take [`MOST_LITERAL_BYTES`], patterns in chunks weigh
//! [`MOST_CHUNKED_WEIGHT`] states; patterns past these are candidates for every text.

use std::collections::{BTreeMap, HashMap};

use aho_corasick::AhoCorasick;

use crate::regexp::chunk::{self, Chunk};
use crate::regexp::narrowing::{Narrowing, Pattern};
use crate::regexp::needs::{Need, folded, needs};

/// All literal texts together have so many bytes at the most. An automaton takes some tens of bytes
/// of memory for each.
const MOST_LITERAL_BYTES: usize = 1 << 20;
/// All patterns in chunks weigh at most this, in states of an automaton of some tens of bytes each.
const MOST_CHUNKED_WEIGHT: usize = 1 << 19;
/// Of the needs of a pattern, so many are checked.
const MOST_NEEDS: usize = 3;
/// Patterns with the same need are searched for as automata from this number on. Asking for fewer
/// one by one costs less.
const MANY: usize = 16;

/// Tells which of many patterns may match a text.
///
/// ```
/// use ask_permissions_core::regexp::{Flags, Prefilter, translate};
/// let sources = [r"rm -rf \S+", r"git push.*--force", r"\A\d+\z"];
/// let narrowings = sources.map(|source| translate(source, Flags::default()));
/// let prefilter = Prefilter::new(narrowings.iter().enumerate());
/// assert_eq!(prefilter.candidates(b"git push origin main --force"), [1]);
/// assert!(prefilter.candidates(b"git push origin main").is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Prefilter {
    literals: Option<AhoCorasick>,
    /// What hangs on a literal, by its position in the automaton.
    hanging: Vec<Hanging>,
    single: Vec<Single>,
    groups: Vec<Vec<Chunk>>,
    /// Patterns that need no literal.
    chunks: Vec<Chunk>,
    /// INVARIANT: ascending; patterns about which only Ruby can tell anything.
    always: Vec<usize>,
}

/// What is searched for when a literal is found.
#[derive(Debug, Default)]
struct Hanging {
    single: Vec<usize>,
    groups: Vec<usize>,
}

/// A pattern that is a candidate as soon as its needs are met.
#[derive(Debug)]
struct Single {
    index: usize,
    /// All of these, and one of each.
    needs: Vec<Vec<usize>>,
}

/// A pattern and what it needs.
struct Needy<'a> {
    index: usize,
    pattern: &'a Pattern,
    needs: Vec<Need>,
}

impl Needy<'_> {
    fn texts(&self) -> impl Iterator<Item = &Box<[u8]>> {
        self.needs.iter().flatten()
    }
}

impl Prefilter {
    /// A prefilter for these narrowings, each with an index of the caller's.
    pub fn new<'a>(narrowings: impl Iterator<Item = (usize, &'a Narrowing)>) -> Self {
        let mut plan = Plan::default();
        let mut patterns = Vec::new();
        for (index, narrowing) in narrowings {
            match narrowing {
                Narrowing::Everything => plan.prefilter.always.push(index),
                Narrowing::Pattern(pattern) => {
                    let mut needs = needs(&pattern.hir);
                    needs.truncate(MOST_NEEDS);
                    if needs.is_empty() {
                        plan.needless.push((index, pattern));
                    } else {
                        patterns.push(Needy {
                            index,
                            pattern,
                            needs,
                        });
                    }
                }
            }
        }
        plan.add(patterns);
        plan.finished()
    }

    /// The indices of all patterns that may match this text, ascending.
    #[must_use]
    pub fn candidates(&self, text: &[u8]) -> Vec<usize> {
        let mut candidates = Vec::new();
        let Some(folded) = folded(text) else {
            return self.all();
        };
        if let Some(literals) = &self.literals {
            self.look_for(literals, &folded, text, &mut candidates);
        }
        for chunk in &self.chunks {
            chunk.search(text, &mut candidates);
        }
        if candidates.is_empty() {
            return self.always.clone();
        }
        candidates.extend(&self.always);
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }

    fn look_for(
        &self,
        literals: &AhoCorasick,
        folded: &[u8],
        text: &[u8],
        candidates: &mut Vec<usize>,
    ) {
        if !literals.is_match(folded) {
            return;
        }
        let mut found = vec![false; self.hanging.len()];
        let mut hits = Vec::new();
        for hit in literals.find_overlapping_iter(folded) {
            let literal = hit.pattern().as_usize();
            if let Some(seen @ false) = found.get_mut(literal) {
                *seen = true;
                hits.push(literal);
            }
        }
        let is_there = |literal: &usize| found.get(*literal).is_none_or(|found| *found);
        let mut groups = Vec::new();
        for hanging in hits.iter().filter_map(|literal| self.hanging.get(*literal)) {
            let singles = hanging.single.iter().filter_map(|at| self.single.get(*at));
            for single in singles {
                if single.needs.iter().all(|need| need.iter().any(is_there)) {
                    candidates.push(single.index);
                }
            }
            groups.extend(&hanging.groups);
        }
        groups.sort_unstable();
        groups.dedup();
        for group in groups
            .into_iter()
            .filter_map(|at: usize| self.groups.get(at))
        {
            for chunk in group {
                chunk.search(text, candidates);
            }
        }
    }

    /// All indices.
    fn all(&self) -> Vec<usize> {
        let chunks = self.groups.iter().flatten().chain(&self.chunks);
        let mut all: Vec<usize> = chunks.flat_map(Chunk::indices).copied().collect();
        all.extend(self.single.iter().map(|single| single.index));
        all.extend(&self.always);
        all.sort_unstable();
        all
    }
}

/// A prefilter in the making.
#[derive(Default)]
struct Plan<'a> {
    prefilter: Prefilter,
    /// Patterns that need nothing.
    needless: Vec<(usize, &'a Pattern)>,
    literals: HashMap<Box<[u8]>, usize>,
    texts: Vec<Box<[u8]>>,
    literal_bytes: usize,
    chunked_weight: usize,
}

impl<'a> Plan<'a> {
    /// Lets each pattern hang on the rarest of its needs.
    fn add(&mut self, patterns: Vec<Needy<'a>>) {
        let mut frequency: HashMap<Box<[u8]>, usize> = HashMap::new();
        for text in patterns.iter().flat_map(Needy::texts) {
            *frequency.entry(text.clone()).or_default() += 1;
        }
        let mut groups: BTreeMap<Need, Vec<Needy<'a>>> = BTreeMap::new();
        for mut needy in patterns {
            let sharers =
                |need: &Need| -> usize { need.iter().filter_map(|text| frequency.get(text)).sum() };
            // The sort is stable: of equally rare ones the most telling stays first.
            needy.needs.sort_by_cached_key(sharers);
            if let Some(rarest) = needy.needs.first() {
                groups.entry(rarest.clone()).or_default().push(needy);
            }
        }
        for (need, group) in groups {
            let few = group.len() < MANY;
            let bytes: usize = if few {
                group
                    .iter()
                    .flat_map(Needy::texts)
                    .map(|text| text.len())
                    .sum()
            } else {
                need.iter().map(|text| text.len()).sum()
            };
            if self.literal_bytes + bytes > MOST_LITERAL_BYTES {
                let rest = group.iter().map(|needy| (needy.index, needy.pattern));
                self.needless.extend(rest);
            } else if few {
                for needy in group {
                    self.add_single(&needy);
                }
            } else {
                self.add_group(&need, &group);
            }
        }
    }

    fn add_single(&mut self, pattern: &Needy<'_>) {
        let needs: Vec<_> = pattern.needs.iter().map(|need| self.intern(need)).collect();
        let position = self.prefilter.single.len();
        for literal in needs.first().into_iter().flatten() {
            if let Some(hanging) = self.prefilter.hanging.get_mut(*literal) {
                hanging.single.push(position);
            }
        }
        self.prefilter.single.push(Single {
            index: pattern.index,
            needs,
        });
    }

    fn add_group(&mut self, need: &Need, group: &[Needy<'a>]) {
        let members = group.iter().map(|needy| (needy.index, needy.pattern));
        let members = self.within_weight(members.collect());
        let position = self.prefilter.groups.len();
        for literal in self.intern(need) {
            if let Some(hanging) = self.prefilter.hanging.get_mut(literal) {
                hanging.groups.push(position);
            }
        }
        let chunks = Chunk::divide(members.into_iter());
        self.prefilter.groups.push(chunks);
    }

    /// The patterns that chunks have room for. About the others Ruby will have to be asked.
    fn within_weight(
        &mut self,
        mut patterns: Vec<(usize, &'a Pattern)>,
    ) -> Vec<(usize, &'a Pattern)> {
        patterns.retain(|(index, pattern)| {
            let weight = self.chunked_weight + pattern.weight;
            let fits = pattern.weight <= chunk::MOST_WEIGHT && weight <= MOST_CHUNKED_WEIGHT;
            if fits {
                self.chunked_weight = weight;
            } else {
                self.prefilter.always.push(*index);
            }
            fits
        });
        patterns
    }

    fn intern(&mut self, need: &Need) -> Vec<usize> {
        let mut positions = Vec::with_capacity(need.len());
        for text in need {
            let next = self.texts.len();
            let position = *self.literals.entry(text.clone()).or_insert(next);
            if position == next {
                self.literal_bytes += text.len();
                self.texts.push(text.clone());
                self.prefilter.hanging.push(Hanging::default());
            }
            positions.push(position);
        }
        positions
    }

    fn finished(mut self) -> Prefilter {
        let needless = std::mem::take(&mut self.needless);
        let needless = self.within_weight(needless);
        self.prefilter.chunks = Chunk::divide(needless.into_iter());
        if !self.texts.is_empty() {
            let automaton = AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(&self.texts);
            match automaton {
                Ok(automaton) => self.prefilter.literals = Some(automaton),
                // Without the literals nothing that hangs on them can be told.
                Err(_) => self.prefilter.always = self.prefilter.all(),
            }
        }
        self.prefilter.always.sort_unstable();
        self.prefilter.always.dedup();
        self.prefilter
    }
}
