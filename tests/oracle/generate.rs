//! Generated calls on the heap of the interpreter, and the sizes of terms there.
//!
//! The calls are those of `costlens_machine::generate`. Types and sizes of terms are checked here independently, on the interpreter's own
//! heap: the judge shares no code with its subject.

use std::sync::Arc;

use costlens_machine::generate::{self, ClauseTerms, SizeRequest};
pub(crate) use costlens_machine::generate::{Random, Type, Types};
use costlens_syntax::term::NIL;
use num_bigint::BigInt;

use crate::heap::{Cell, Heap, Record, Ref};
use crate::program::Program;
pub(crate) use crate::types::fits;

/// The constants and functors in a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    pub(crate) words: generate::Vocabulary,
    pub(crate) types: Arc<Types>,
}

impl Vocabulary {
    pub(crate) fn collect(program: &Program) -> Self {
        let mut keys: Vec<_> = program.predicates.keys().collect();
        keys.sort();
        let clauses: Vec<ClauseTerms<'_>> = (keys.into_iter())
            .flat_map(|k| program.predicates[k].iter())
            .map(|clause| ClauseTerms {
                terms: &clause.terms,
                head: clause.head,
                goals: clause.goals_and_tests(),
            })
            .collect();
        let words = generate::Vocabulary::collect(&clauses, &program.regtypes);
        Self {
            types: Arc::clone(&words.types),
            words,
        }
    }
}

/// Makes one call.
pub(crate) struct Generator<'a>(generate::Generator<'a>);

impl<'a> Generator<'a> {
    pub(crate) fn new(seed: u64, vocabulary: &'a Vocabulary) -> Self {
        Self(generate::Generator::new(seed, &vocabulary.words))
    }

    /// Returns a goal for a pattern, independent of the heap.
    pub(crate) fn goal(self, name: &str, types: &[Type]) -> Record {
        record(&self.0.goal(name, types))
    }

    /// Returns a goal whose arguments have the given sizes, if any. Returns `None` if a type has no terms of a size.
    pub(crate) fn goal_of_sizes(
        self,
        name: &str,
        types: &[Type],
        sizes: &[Option<BigInt>],
    ) -> Option<Record> {
        let wanted: Vec<SizeRequest> = (sizes.iter())
            .map(|size| {
                size.clone()
                    .map_or_else(SizeRequest::default, SizeRequest::new)
            })
            .collect();
        Some(record(&self.0.goal_of_sizes(name, types, &wanted).ok()?))
    }
}

/// Returns a generated call, independent of any heap.
pub(crate) fn record(input: &generate::Input) -> Record {
    let mut heap = Heap {
        work: u64::MAX,
        ..Heap::default()
    };
    let mut bindings = vec![None; input.terms.variables() as usize];
    let goal = heap.instantiate(&input.terms, input.goal, &mut bindings);
    heap.record(goal.unwrap()).unwrap()
}

/// Returns the size of a term under a metric; `None` if the metric does not measure it.
pub(crate) fn size(heap: &mut Heap, metric: &str, term: Ref) -> Option<BigInt> {
    match metric {
        "length" => {
            let (elements, rest) = heap.elements(term).unwrap();
            heap.is_atom(rest, NIL)
                .then(|| BigInt::from(elements.len()))
        }
        "int" => match heap.value(term) {
            Cell::Int(n) => Some(n.clone()),
            _ => None,
        },
        "chars" => match heap.value(term) {
            Cell::Atom(text) | Cell::Str(text) => Some(BigInt::from(text.chars().count())),
            _ => None,
        },
        "size" | "depth" => {
            let (mut nodes, mut deepest, mut stack) = (0_usize, 0, vec![(term, 0)]);
            while let Some((at, depth)) = stack.pop() {
                nodes += 1;
                deepest = deepest.max(depth);
                if let Cell::Compound(_, start, arity) = *heap.value(at) {
                    stack.extend((start..start + arity).map(|a| (a, depth + 1)));
                }
            }
            Some(BigInt::from(if metric == "size" { nodes } else { deepest }))
        }
        _ => None,
    }
}

/// Returns the largest element of a proper list under a metric; `None` if there is none.
pub(crate) fn element_size(heap: &mut Heap, metric: &str, list: Ref) -> Option<BigInt> {
    let (elements, rest) = heap.elements(list).unwrap();
    if !heap.is_atom(rest, NIL) {
        return None;
    }
    let sizes: Option<Vec<BigInt>> = elements
        .into_iter()
        .map(|e| size(heap, metric, e))
        .collect();
    sizes?.into_iter().max()
}
