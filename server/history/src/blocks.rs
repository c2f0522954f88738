//! The blocks of a program, with the inputs of a call on which each block depends, annotated or inferred.

use costlens_analysis::call_modes::{Modes, bindings};
use costlens_analysis::report::PatternReport;
use costlens_machine::{Block, BlockOrigin};
use costlens_program::Functor;
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::annotations::Annotations;
use crate::depends::{ArgumentBinding, ArgumentSet, Dependences};
use crate::program::Program;
use crate::run::{InputName, Runs};
use crate::shape::input_of;
use crate::shown;

/// The blocks of a program in a call.
pub struct Blocks {
    places: FxHashMap<SmolStr, BlockOrigin>,
    /// The number of clauses of each predicate in the machine.
    clauses: FxHashMap<Functor, usize>,
    dependences: Dependences,
    annotations: Annotations,
}

impl Blocks {
    /// Infers the dependences of the blocks of a machine's program in a call that has past runs.
    #[must_use]
    pub fn new(
        blocks: Vec<Block>,
        runs: &Runs,
        program: &Program,
        terms: &Terms,
        goal: TermId,
        modes: &Modes,
        annotations: Annotations,
    ) -> Self {
        let shown = shown::once(&blocks, runs, program);
        let once = |functor: &Functor, clause: usize, goal: TermId| {
            shown.contains(&(functor.clone(), clause, goal))
        };
        let mut clauses: FxHashMap<Functor, usize> = FxHashMap::default();
        let mut places = FxHashMap::default();
        for block in blocks {
            let place = &block.place;
            if let BlockOrigin::Clause {
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
        let pattern = bindings(terms, goal).0;
        let bound: Vec<ArgumentBinding> = pattern.iter().map(ArgumentBinding::of_type).collect();
        let dependences = match Functor::from_term(terms, goal) {
            Some(predicate) => Dependences::infer(program, &predicate, &bound, modes, &once),
            None => Dependences::default(),
        };
        Blocks {
            places,
            clauses,
            dependences,
            annotations,
        }
    }

    /// Returns the arguments on which the counts of a block can depend, and whether they are annotated. Returns `None` for an unknown
    /// block.
    #[must_use]
    pub fn depends(&self, block: &str) -> Option<(ArgumentSet, bool)> {
        let place = self.places.get(block)?;
        let functor = match place {
            BlockOrigin::Clause { name, arity, .. } | BlockOrigin::Predicate { name, arity } => {
                Functor::new(name.clone(), *arity)
            }
            BlockOrigin::Machine => return Some((self.dependences.arguments(place, 0), false)),
        };
        if let Some(set) = self.annotations.depends.get(&functor) {
            return Some((*set, true));
        }
        let clauses = self.clauses.get(&functor).copied().unwrap_or(0);
        Some((self.dependences.arguments(place, clauses), false))
    }

    /// Returns whether an input may be used.
    #[must_use]
    pub fn allows(&self, input: &InputName) -> bool {
        self.annotations.allows(input)
    }

    /// Returns the inputs that measure a call: annotated inputs, or otherwise the sizes in the predicate's bounds.
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
