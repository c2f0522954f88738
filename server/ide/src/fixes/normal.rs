//! A normal form of clauses under which equivalent programs become equal. Each path through a body becomes a clause; unifications are
//! performed, and tests of a list's form are moved into the head.
//!
//! ```text
//! app(Xs, Ys, Zs) :-                             app([], Ys, Ys).
//!     (   Xs = []                                app([X|T], Ys, [X|R]) :- app(T, Ys, R).
//!     ->  Zs = Ys                          →
//!     ;   Xs = [X|T], Zs = [X|R],
//!         app(T, Ys, R)
//!     ).
//! ```
//!
//! The normal form is valid for calls in which the tested arguments are proper lists, and the arguments that are only unified are outputs.
//! Then `[]` and `[_|_]` exclude each other, so that a condition, its failure, and a following cut select the same clauses as heads would.
//! The normal form is never used for edits; it serves to [recognise](super::copies) definitions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_body::{Comparison, Goal, build};
use costlens_program::{Clause, ClauseKind, Closures};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::goals::{Equality, equality, variable};
use super::oriented::oriented;
use super::ways::{ClausePath, GoalRole, ways};

/// The maximum number of term nodes of a clause. Textbook definitions are short.
const MOST_NODES: usize = 200;

/// Clauses in normal form.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    pub(super) clauses: Vec<Clause>,
    /// The arguments that are assumed to be proper lists.
    pub(super) lists: BTreeSet<usize>,
}

/// Returns the normal form of a predicate's clauses. Returns `None` if a clause does anything other than call predicates, unify terms, and
/// test lists.
pub(super) fn normal(clauses: &[Clause]) -> Option<Normal> {
    let mut found = Normal {
        clauses: Vec::new(),
        lists: BTreeSet::new(),
    };
    let mut cuts = false;
    for (number, clause) in clauses.iter().enumerate() {
        (clause.terms.len() <= MOST_NODES).then_some(())?;
        for way in ways(number, clause)? {
            let mut building = Building::new(&way);
            building.follow(&way, &mut found.lists)?;
            cuts |= building.cuts;
            found.clauses.push(building.clause()?);
        }
    }
    found.clauses = oriented(&found.clauses).into_owned();
    (!cuts || found.exclude_each_other()).then_some(found)
}

impl Normal {
    /// Returns true if no list matches the heads of two clauses, so that a cut after either head excludes nothing.
    fn exclude_each_other(&self) -> bool {
        let form = |clause: &Clause, i: usize| {
            let argument = *clause.terms.args(clause.head).get(i)?;
            let (name, arity) = clause.terms.functor(argument)?;
            Some((name.clone(), arity))
        };
        let differ = |a: &Clause, b: &Clause| {
            let mut lists = self.lists.iter();
            lists.any(|&i| matches!((form(a, i), form(b, i)), (Some(a), Some(b)) if a != b))
        };
        let all = &self.clauses;
        (0..all.len()).all(|i| (0..i).all(|j| differ(&all[i], &all[j])))
    }
}

/// A clause under construction.
struct Building {
    terms: Terms,
    head: TermId,
    /// The values of bound variables.
    values: BTreeMap<u32, TermId>,
    /// Variables that are known not to be the empty list.
    cells: BTreeSet<u32>,
    goals: Vec<TermId>,
    /// True if a cut was omitted.
    cuts: bool,
}

impl Building {
    fn new(way: &ClausePath<'_>) -> Self {
        Self {
            terms: (*way.clause.terms).clone(),
            head: way.clause.head,
            values: BTreeMap::new(),
            cells: BTreeSet::new(),
            goals: Vec::new(),
            cuts: false,
        }
    }

    fn follow(&mut self, way: &ClausePath<'_>, lists: &mut BTreeSet<usize>) -> Option<()> {
        for reached in &way.reached {
            let goal = reached.goal;
            match (Goal::lower(&way.clause.terms, goal), reached.role) {
                (Goal::True, _) => {}
                // A cut that follows only tests makes the same choice as the tests.
                (Goal::Cut, GoalRole::Goal) if self.goals.is_empty() => {
                    lists.insert(self.tested()?);
                    self.cuts = true;
                }
                (Goal::Unify(a, b), GoalRole::Goal) => self.unite(a, b)?,
                (Goal::CompareTerms(Comparison::Equal, ..), GoalRole::Goal) => {
                    self.goals.push(goal)
                }
                (Goal::Variable(_) | Goal::NotCallable | Goal::Unreadable, _) => return None,
                (_, role) => match equality(&way.clause.terms, goal) {
                    Some(equality) => self.test(way, &equality, role, lists)?,
                    None if role == GoalRole::Goal => self.goals.push(goal),
                    None => return None,
                },
            }
        }
        // Nonempty lists that are not decomposed.
        for v in std::mem::take(&mut self.cells) {
            match self.values.get(&v) {
                Some(&value) => self.is_cell(self.value(value)).then_some(())?,
                None => {
                    let next = self.terms.variables();
                    let element = self.terms.push(Term::Var(next));
                    let rest = self.terms.push(Term::Var(next + 1));
                    let cell = self.terms.compound(CONS, &[element, rest]);
                    self.bind(v, cell)?;
                }
            }
        }
        Some(())
    }

    /// Applies a test of a list's form.
    fn test(
        &mut self,
        way: &ClausePath<'_>,
        test: &Equality,
        role: GoalRole,
        lists: &mut BTreeSet<usize>,
    ) -> Option<()> {
        let [a, b] = test.sides;
        let (v, other) = self.sides(a, b)?;
        lists.insert(self.argument(v)?);
        let is_nil = self.is_nil(other);
        (is_nil || test.unifies).then_some(())?;
        match (test.holds, role) {
            (true, GoalRole::Passed) => self.unite(a, b),
            (false, GoalRole::Failed) => None,
            _ if is_nil => {
                self.cells.insert(v);
                Some(())
            }
            _ => {
                self.is_any_cell(way, other).then_some(())?;
                let nil = self.terms.atom(NIL);
                self.bind(v, nil)
            }
        }
    }

    /// Returns the index of the head argument that distinguishes the clause: the first argument that is a list.
    fn tested(&self) -> Option<usize> {
        let args = self.terms.args(self.head);
        (0..args.len()).find(|&i| {
            let value = self.value(args[i]);
            self.is_nil(value) || self.is_cell(value)
        })
    }

    /// Returns the index of the head argument that is this variable.
    fn argument(&self, v: u32) -> Option<usize> {
        let args = self.terms.args(self.head);
        (0..args.len()).find(|&i| variable(&self.terms, args[i]) == Some(v))
    }

    /// Returns the unbound variable of a test and the term with which it is compared.
    fn sides(&self, left: TermId, right: TermId) -> Option<(u32, TermId)> {
        let free = |id: TermId| variable(&self.terms, id).filter(|v| !self.values.contains_key(v));
        match (free(left), free(right)) {
            (Some(v), _) if self.is_nil(right) || self.is_cell(right) => Some((v, right)),
            (_, Some(v)) if self.is_nil(left) || self.is_cell(left) => Some((v, left)),
            _ => None,
        }
    }

    fn is_nil(&self, id: TermId) -> bool {
        self.terms.as_atom(id).is_some_and(|name| name == NIL)
    }

    fn is_cell(&self, id: TermId) -> bool {
        self.terms.matches(id, CONS, 2).is_some()
    }

    /// Returns true for a list cell whose two arguments are variables that occur nowhere else on a path.
    fn is_any_cell(&self, way: &ClausePath<'_>, id: TermId) -> bool {
        let Some(&[element, rest]) = self.terms.matches(id, CONS, 2) else {
            return false;
        };
        let single = |part| variable(&self.terms, part).is_some_and(|v| way.occurrences(v) == 1);
        single(element) && single(rest)
    }

    /// Returns the term, or its value if it is a variable.
    fn value(&self, mut id: TermId) -> TermId {
        for _ in 0..=self.values.len() {
            match variable(&self.terms, id).and_then(|v| self.values.get(&v)) {
                Some(&value) => id = value,
                None => break,
            }
        }
        id
    }

    fn unite(&mut self, left: TermId, right: TermId) -> Option<()> {
        let (left, right) = (self.value(left), self.value(right));
        match (variable(&self.terms, left), variable(&self.terms, right)) {
            (Some(a), Some(b)) if a == b => Some(()),
            // A variable that is a head argument keeps its name.
            (Some(a), Some(_)) if self.argument(a).is_none() => self.bind(a, right),
            (_, Some(b)) => self.bind(b, left),
            (Some(a), None) => self.bind(a, right),
            (None, None) => None,
        }
    }

    /// Binds a variable to a value. Returns `None` if the value contains the variable.
    fn bind(&mut self, v: u32, value: TermId) -> Option<()> {
        let mut waiting = vec![value];
        let mut steps = 0;
        while let Some(at) = waiting.pop() {
            steps += 1;
            (steps <= MOST_NODES).then_some(())?;
            for &inside in &self.terms.subterms(at) {
                match variable(&self.terms, inside) {
                    Some(w) if w == v => return None,
                    Some(w) => waiting.extend(self.values.get(&w)),
                    None => {}
                }
            }
        }
        self.values.insert(v, value);
        Some(())
    }

    fn clause(mut self) -> Option<Clause> {
        // Substitutes repeatedly until no bound variable is left. This terminates, because no variable occurs in its own value.
        for _ in 0..=self.values.len() {
            for (&v, &value) in &self.values {
                self.terms.bind(v, value);
            }
        }
        let goals = std::mem::take(&mut self.goals);
        let body = (!goals.is_empty()).then(|| build::conjunction_of(&mut self.terms, &goals));
        Some(Clause {
            terms: Arc::new(self.terms),
            head: self.head,
            guard: None,
            body,
            kind: match body {
                None => ClauseKind::Fact,
                Some(_) => ClauseKind::Rule,
            },
            grammar_rule: false,
            closures: Closures::default(),
        })
    }
}
