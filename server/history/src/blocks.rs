//! The blocks of a program, and which inputs of a call each depends on: as annotated, else as inferred.

use costlens_analysis::report::PatternReport;
use costlens_machine::{Block, Place};
use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::annotations::Annotations;
use crate::depends::{Arguments, Bound, Dependences, Solutions};
use crate::program::Program;
use crate::run::{InputName, Runs};
use crate::shape::input_of;

/// The blocks of a program in a call.
pub struct Blocks {
    places: FxHashMap<SmolStr, Place>,
    /// The number of clauses that the machine has of each predicate.
    clauses: FxHashMap<Functor, usize>,
    dependences: Dependences,
    annotations: Annotations,
}

impl Blocks {
    /// Infers what the blocks of a machine's program depend on in a call, of which there are past runs.
    #[must_use]
    pub fn new(
        (blocks, runs): (Vec<Block>, &Runs),
        program: &Program,
        (terms, goal): (&Terms, TermId),
        solutions: &Solutions<'_>,
        annotations: Annotations,
    ) -> Self {
        let single = once(&blocks, runs);
        let once = |functor: &Functor, clause: usize, goal: TermId| {
            single.contains(&(functor.clone(), clause, goal))
        };
        let mut clauses: FxHashMap<Functor, usize> = FxHashMap::default();
        let mut places = FxHashMap::default();
        for block in blocks {
            let place = &block.place;
            if let Place::Clause {
                name,
                arity,
                clause,
                ..
            } = place
            {
                let most = clauses
                    .entry(Functor::new(name.clone(), *arity))
                    .or_default();
                *most = (*most).max(*clause);
            }
            places.insert(block.name, block.place);
        }
        let bound: Vec<Bound> = (terms.args(goal).iter())
            .map(|&argument| match terms.get(argument) {
                Term::Var(_) => Bound::Free,
                _ if terms.variables_of(argument).is_empty() => Bound::Ground,
                _ => Bound::Partly,
            })
            .collect();
        let dependences = match Functor::of(terms, goal) {
            Some(predicate) => Dependences::infer(program, &predicate, &bound, solutions, &once),
            None => Dependences::default(),
        };
        Blocks {
            places,
            clauses,
            dependences,
            annotations,
        }
    }

    /// The arguments that the counts of a block can depend on, and whether somebody has said so. None for a block that the program does not have.
    #[must_use]
    pub fn depends(&self, block: &str) -> Option<(Arguments, bool)> {
        let place = self.places.get(block)?;
        let functor = match place {
            Place::Clause { name, arity, .. } | Place::Predicate { name, arity } => {
                Functor::new(name.clone(), *arity)
            }
            Place::Machine => return Some((self.dependences.of(place, 0), false)),
        };
        if let Some(set) = self.annotations.depends.get(&functor) {
            return Some((*set, true));
        }
        let clauses = self.clauses.get(&functor).copied().unwrap_or(0);
        Some((self.dependences.of(place, clauses), false))
    }

    /// True where an input may be used.
    #[must_use]
    pub fn allows(&self, input: &InputName) -> bool {
        self.annotations.allows(input)
    }

    /// The inputs that a call is measured by: those that annotations name, else those of its bounds.
    #[must_use]
    pub fn sizes(&self, pattern: Option<&PatternReport>) -> Vec<InputName> {
        let mut found: Vec<InputName> = Vec::new();
        for &(argument, measure) in self.annotations.inputs.iter().flatten() {
            found.extend(measure.map(|measure| InputName { argument, measure }));
        }
        for size in pattern.iter().flat_map(|p| &p.sizes).map(input_of) {
            if self.annotations.measures_of(size.argument).is_empty() {
                found.push(size);
            }
        }
        found
    }
}

/// The literals behind which the code has run as often as in front of them, in each run: they have succeeded exactly once whenever they were reached. Of the
/// last literal of a clause nothing is known: there is no code behind it.
fn once(blocks: &[Block], runs: &Runs) -> FxHashSet<(Functor, usize, TermId)> {
    let counts: FxHashMap<&str, Vec<u64>> = (runs.blocks.iter().enumerate())
        .map(|(at, block)| {
            let reached = runs.runs.iter().map(|run| run.counts[at].0);
            (block.name.as_str(), reached.collect())
        })
        .collect();
    let of = |block: &Block| counts.get(block.name.as_str());
    let mut found = FxHashSet::default();
    let clause_of = |block: &Block| match &block.place {
        Place::Clause {
            name,
            arity,
            clause,
            goal,
        } => Some(((Functor::new(name.clone(), *arity), *clause), *goal)),
        _ => None,
    };
    let mut at = 0;
    while let Some(first) = blocks.get(at) {
        // All blocks of one literal follow each other.
        let own = clause_of(first);
        let same = blocks[at..]
            .iter()
            .take_while(|b| clause_of(b) == own)
            .count();
        let next = blocks.get(at + same);
        if let (Some(((functor, clause), Some(goal))), Some(next)) = (own, next)
            && let Some(((other, number), _)) = clause_of(next)
            && (&other, number) == (&functor, clause)
            && let Some(reached) = of(first)
            && (blocks[at..=at + same].iter()).all(|block| of(block) == Some(reached))
        {
            found.insert((functor, clause, goal));
        }
        at += same.max(1);
    }
    found
}
