//! Counts the cells that a clause's text allocates on SWI-Prolog's global stack, for version 9.0 on 64-bit machines.
//!
//! ```prolog
//! app([H|T], L, [H|R]) :- app(T, L, R).        % 3 where the third argument is unbound: a list cell
//! nrev([H|T], R) :- nrev(T, S), app(S, [H], R).   % 1 for S, which is passed before it has a value, and 3 for [H]
//! ```
//!
//! | term | cells |
//! |---|---|
//! | a compound | its arity plus one |
//! | a float, an integer of more than 57 bits | 3 |
//! | a string | 2, plus one for each eight bytes |
//! | a variable inside a compound | none of its own |
//! | a variable that a goal passes before it has a value | 1, except that the callee may allocate the one for `_` |
//!
//! Comparisons and `is/2` build their expressions as terms unless the flag `optimise` is set; `Y is X+1` never does.

use std::collections::BTreeSet;

use costlens_body::Goal as Lowered;
use costlens_catalog::{counts_nothing, is_control_construct};
use costlens_events::{Count, Counts, Event};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::code::{Modes, TermState};
use crate::occurrences::Occurrences;
use crate::swi::{integer_sums, is_small};

/// An unknown number of cells, without an upper bound.
pub const UNKNOWN: Count = Count {
    least: 0,
    most: u64::MAX,
};

/// The cells of a float, and of a 64-bit integer that does not fit one cell.
pub const BOXED: u64 = 3;

/// Returns true for control constructs that are compiled inline: their subgoals belong to the clause.
#[must_use]
pub fn is_in_place(name: &str, arity: usize) -> bool {
    is_control_construct(name, arity) || arity == 0 && counts_nothing(name, 0)
}

/// The variables of a clause, with their first occurrences.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// The variable occurrences in the head.
    head: Occurrences,
    /// The variable occurrences in the body, by goal, in text order.
    body: Occurrences<TermId>,
    /// The body goals other than control constructs.
    goals: BTreeSet<TermId>,
}

impl Variables {
    /// Collects the variables of a clause. `goals` contains its guard and its body.
    #[must_use]
    pub fn collect(terms: &Terms, head: TermId, goals: &[TermId]) -> Self {
        let mut variables = Variables {
            head: Occurrences::count(terms, [head]),
            ..Variables::default()
        };
        let mut waiting: Vec<TermId> = goals.iter().rev().copied().collect();
        while let Some(goal) = waiting.pop() {
            let lowered = Lowered::lower(terms, goal);
            if let Lowered::Not(inner) = lowered {
                waiting.push(inner);
                continue;
            }
            let branches = lowered.branches();
            if !branches.is_empty() {
                waiting.extend(branches.into_iter().rev());
                continue;
            }
            variables.goals.insert(goal);
            variables.body.meet_all(terms, goal, goal);
        }
        variables
    }

    /// Returns the variables that have a value, or a cell of the caller, once the clause is called.
    #[must_use]
    pub fn met(&self) -> VariableState {
        VariableState {
            surely: self.head.iter().map(|(v, _)| v).collect(),
            ..VariableState::default()
        }
    }

    /// Returns whether a term is a goal of the body.
    #[must_use]
    pub fn has_goal(&self, goal: TermId) -> bool {
        self.goals.contains(&goal)
    }

    fn is_void(&self, v: u32) -> bool {
        self.head.times(v) + self.body.times(v) == 1
    }

    fn is_first(&self, v: u32, goal: TermId) -> bool {
        self.body.get(v).is_some_and(|o| o.first == goal)
    }
}

/// The state of a clause's variables at one point of its execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariableState {
    /// The variables that have a value or a cell.
    surely: BTreeSet<u32>,
    /// The variables that may have a value or a cell.
    perhaps: BTreeSet<u32>,
    /// True after a goal whose allocations are unknown.
    pub is_lost: bool,
}

impl VariableState {
    /// Returns the state after a join of two branches.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let differ = &self.surely ^ &other.surely;
        VariableState {
            surely: &self.surely & &other.surely,
            perhaps: &(&self.perhaps | &other.perhaps) | &differ,
            is_lost: self.is_lost || other.is_lost,
        }
    }

    fn has(&self, v: u32) -> bool {
        self.surely.contains(&v)
    }

    fn may_have(&self, v: u32) -> bool {
        self.has(v) || self.perhaps.contains(&v)
    }

    fn meet(&mut self, v: u32) {
        self.surely.insert(v);
        self.perhaps.remove(&v);
    }

    fn meet_all(&mut self, terms: &Terms, term: TermId) {
        for v in terms.variables_of(term) {
            self.meet(v);
        }
    }
}

/// A goal of a body.
#[derive(Clone, Copy)]
pub struct HeapGoal<'a> {
    /// The terms of the goal's clause.
    pub terms: &'a Terms,
    /// The goal.
    pub goal: TermId,
    /// The clause's variables.
    pub variables: &'a Variables,
    /// True if the goal is the last goal that the clause runs.
    pub is_last: bool,
}

/// Counts for both kinds of code: without the flag `optimise`, and with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The count without the flag.
    pub plain: Count,
    /// The count with the flag.
    pub optimised: Count,
}

impl Built {
    /// Uses the same count for both kinds of code.
    #[must_use]
    pub fn both(count: Count) -> Self {
        Built {
            plain: count,
            optimised: count,
        }
    }

    /// Returns the counts of the events for both kinds of code.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (optimised, count) in [(false, self.plain), (true, self.optimised)] {
            let event = Event::GlobalCells { optimised };
            counts.add_between(event, count.least, count.most);
        }
        counts
    }

    /// Returns the counts for code that may not run.
    #[must_use]
    pub fn perhaps(mut self) -> Self {
        self.plain.least = 0;
        self.optimised.least = 0;
        self
    }
}

/// Counts the cells that a matching head builds, or the cells for a term that is unified with a value.
#[must_use]
pub fn unified(terms: &Terms, term: TermId, modes: &Modes) -> Built {
    let parts = terms.subterms(term).into_iter();
    let built = parts.map(|part| {
        let count = alone(terms, part);
        match modes.mode(Some(part)) {
            TermState::Bound => Count::default(),
            TermState::Unbound | TermState::New => count,
            TermState::Either => Count { least: 0, ..count },
        }
    });
    Built::both(sum(built))
}

/// Counts the cells that a goal builds before it runs, and marks its variables as met.
#[must_use]
pub fn goal(of: HeapGoal<'_>, modes: &Modes, met: &mut VariableState) -> Built {
    let (terms, arguments) = (of.terms, of.terms.args(of.goal));
    match Lowered::lower(terms, of.goal) {
        Lowered::Unify(left, right) => Built::both(equation(of, left, right, modes, met)),
        Lowered::Is { result, expression } => evaluation(of, result, expression, met),
        Lowered::Compare(..) => Built {
            plain: passed(of, arguments, met),
            optimised: Count::default(),
        },
        _ => Built::both(passed(of, arguments, met)),
    }
}

/// Counts the arguments of a call, from left to right.
fn passed(of: HeapGoal<'_>, arguments: &[TermId], met: &mut VariableState) -> Count {
    let counts = arguments.iter().map(|&argument| {
        let Term::Var(v) = *of.terms.get(argument) else {
            met.meet_all(of.terms, argument);
            return whole(of.terms, argument);
        };
        if of.variables.is_void(v) {
            return Count { least: 0, most: 1 };
        }
        if met.has(v) {
            return Count::default();
        }
        // The variable's cell must be created, unless another branch may have given it a value, or a last call passes an old variable as it
        // is.
        let is_made = !met.may_have(v) && (of.variables.is_first(v, of.goal) || !of.is_last);
        met.meet(v);
        Count {
            least: u64::from(is_made),
            most: 1,
        }
    });
    sum(counts)
}

/// Counts `A = B`, which is compiled inline if one side is a variable.
fn equation(
    of: HeapGoal<'_>,
    left: TermId,
    right: TermId,
    modes: &Modes,
    met: &mut VariableState,
) -> Count {
    let terms = of.terms;
    let variable = |t| match *terms.get(t) {
        Term::Var(v) => Some(v),
        _ => None,
    };
    let count = match (variable(left), variable(right)) {
        (Some(a), Some(b)) => {
            let without: Vec<u32> = [a, b].into_iter().filter(|&v| !met.has(v)).collect();
            let new = |v: &u32| !met.may_have(*v) && of.variables.is_first(*v, of.goal);
            let exactly = |n| Count { least: n, most: n };
            match without.as_slice() {
                _ if a == b || of.variables.is_void(a) || of.variables.is_void(b) => {
                    Count { least: 0, most: 1 }
                }
                [] => exactly(0),
                // The variable takes the value of the other side.
                [v] if new(v) => exactly(0),
                [v, w] if new(v) && new(w) => exactly(1),
                _ => Count { least: 0, most: 1 },
            }
        }
        (Some(v), None) | (None, Some(v)) => {
            let term = if variable(left).is_some() {
                right
            } else {
                left
            };
            let whole = whole(terms, term);
            let occurs = terms.variables_of(term).contains(&v);
            let is_doubtful = !met.has(v) && met.may_have(v);
            if of.variables.is_void(v) || occurs || is_doubtful {
                Count { least: 0, ..whole }
            } else if met.has(v) {
                unified(terms, term, modes).plain
            } else {
                whole
            }
        }
        (None, None) => {
            // This unification is compiled as a call.
            let both = sum([left, right].into_iter().map(|t| whole(terms, t)));
            Count { least: 0, ..both }
        }
    };
    met.meet_all(terms, of.goal);
    count
}

/// Counts the cells of `X is E`, except for its value.
fn evaluation(of: HeapGoal<'_>, to: TermId, expression: TermId, met: &mut VariableState) -> Built {
    let before = met.clone();
    let plain = passed(of, of.terms.args(of.goal), met);
    let optimised = match *of.terms.get(to) {
        // A new variable takes the value directly.
        Term::Var(v) if before.has(v) || of.variables.is_first(v, of.goal) => Count::default(),
        Term::Var(_) => Count { least: 0, most: 1 },
        _ => whole(of.terms, to),
    };
    if !adds_integer(of.terms, to, expression, &before) {
        return Built { plain, optimised };
    }
    let Term::Var(v) = *of.terms.get(to) else {
        return Built { plain, optimised };
    };
    let doubtful = before.may_have(v) || !of.variables.is_first(v, of.goal);
    let plain = match doubtful {
        // The variable is not new if another branch has met it.
        true => Count { least: 0, ..plain },
        false => Count::default(),
    };
    Built { plain, optimised }
}

/// Returns true for `Y is X+1`, `Y is 1+X` and `Y is X-1` with a new `Y`, which compile to a single instruction.
fn adds_integer(terms: &Terms, to: TermId, expression: TermId, met: &VariableState) -> bool {
    let Term::Var(to) = *terms.get(to) else {
        return false;
    };
    let has_value =
        |from: TermId| matches!(*terms.get(from), Term::Var(v) if v != to && met.may_have(v));
    !met.has(to) && integer_sums(terms, expression).any(|(from, _)| has_value(from))
}

/// Counts the cells of a whole term.
fn whole(terms: &Terms, term: TermId) -> Count {
    let parts = terms.subterms(term).into_iter();
    sum(parts.map(|part| alone(terms, part)))
}

/// Counts the cells of a compound or constant without its arguments.
#[must_use]
pub fn alone(terms: &Terms, term: TermId) -> Count {
    let exactly = |n| Count { least: n, most: n };
    match terms.get(term) {
        Term::Compound(..) => exactly(terms.args(term).len() as u64 + 1),
        Term::Float(_) => exactly(BOXED),
        Term::Integer(n) if is_small(n) => exactly(0),
        Term::Integer(n) if i64::try_from(n).is_ok() => exactly(BOXED),
        // One byte for the kind and one byte per character, plus at least one for the number of unused bytes in the last word.
        Term::String(text) if text.chars().all(|c| u32::from(c) < 256) => {
            exactly(2 + (text.chars().count() as u64 + 1) / 8 + 1)
        }
        Term::Var(_) | Term::Atom(_) => exactly(0),
        Term::Integer(_) | Term::Rational(_) | Term::String(_) | Term::Error => UNKNOWN,
    }
}

fn sum(counts: impl IntoIterator<Item = Count>) -> Count {
    counts
        .into_iter()
        .fold(Count::default(), |total, count| Count {
            least: total.least.saturating_add(count.least),
            most: total.most.saturating_add(count.most),
        })
}
