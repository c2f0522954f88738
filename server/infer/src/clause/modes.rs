//! Unification modes of the positions in a clause: whether instructions read terms or build them, and how many variables they bind.
//!
//! If `app([X|Xs], Ys, [X|Zs]) :- …` is called with a list and an unbound variable, it reads the first argument and builds the third.

use std::collections::BTreeMap;

use costlens_body::Goal;
use costlens_compile::code::{Modes, TermState};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use super::Runner;
use crate::lattice::regular::functor_key;
use crate::lattice::types::Type;
use crate::state::{Binding, State};

/// The maximum number of nodes that are visited; the modes of further nodes are unknown.
const LARGEST: usize = 20_000;

/// The counterpart of a clause term in a unification.
#[derive(Clone, Debug)]
enum Counterpart {
    /// An unbound variable without other references.
    Free,
    /// A variable that the same unification creates.
    New,
    /// An arbitrary term of a type.
    Of(Type),
    /// A bound term of the clause.
    Term(TermId),
}

/// Collects [`Modes`].
struct Collector<'a> {
    terms: &'a Terms,
    state: &'a State,
    modes: Modes,
    /// The values of the clause's variables.
    occurrences: BTreeMap<u32, Vec<(Option<TermId>, Counterpart)>>,
    /// The number of occurrences of each unbound variable in the unified terms after dereferencing.
    unbound: BTreeMap<u32, usize>,
    budget: usize,
}

impl Runner<'_> {
    /// Returns the modes of a head for the arguments of the call. `trails` is true if the call has left a choice point younger than these
    /// arguments.
    pub(super) fn head_modes(&self, terms: &Terms, head: TermId, trails: bool) -> Modes {
        let state = State::new(terms, self.types.clone());
        let mut collector = Collector::new(terms, &state);
        let types = &self.nodes[self.node].pattern.0;
        for (&argument, ty) in terms.args(head).iter().zip(types) {
            let seen = match ty {
                Type::Free => Counterpart::Free,
                ty => Counterpart::Of(ty.clone()),
            };
            collector.unify(seen, argument);
        }
        let mut modes = collector.finish();
        modes.trails = trails;
        modes
    }

    /// Returns the modes of a goal that compiles to inline code.
    pub(super) fn goal_modes(&self, state: &State, terms: &Terms, goal: TermId) -> Modes {
        let mut collector = Collector::new(terms, state);
        match Goal::lower(terms, goal) {
            Goal::Unify(a, b) => {
                collector.count_unbound(&[a, b]);
                collector.equation(a, b);
            }
            Goal::Is { result: left, .. } => match terms.get(left) {
                Term::Var(_) => {
                    let bound = state.datum(terms, left).ty.is_bound();
                    collector.modes.add_bindings(left, u64::from(!bound));
                }
                _ => collector.unify(Counterpart::Of(Type::Number), left),
            },
            _ => return Modes::default(),
        }
        collector.finish()
    }
}

impl<'a> Collector<'a> {
    fn new(terms: &'a Terms, state: &'a State) -> Self {
        Collector {
            terms,
            state,
            modes: Modes::default(),
            occurrences: BTreeMap::new(),
            unbound: BTreeMap::new(),
            budget: LARGEST,
        }
    }

    /// Counts the unbound variables in terms after dereferencing.
    fn count_unbound(&mut self, of: &[TermId]) {
        let mut stack = of.to_vec();
        while let Some(top) = stack.pop() {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let top = self.state.resolve(self.terms, top);
            match self.state.unbound(self.terms, top) {
                Some(v) => *self.unbound.entry(v).or_default() += 1,
                None => stack.extend(self.terms.args(top)),
            }
        }
    }

    /// Returns the value of a clause term before the goal runs. A variable that occurs twice may be bound while the goal runs.
    fn value(&self, t: TermId) -> Counterpart {
        let t = self.state.resolve(self.terms, t);
        let Term::Var(v) = self.terms.get(t) else {
            return Counterpart::Term(t);
        };
        match &self.state.values[*v as usize] {
            Binding::Known(d) => Counterpart::Of(d.ty.clone()),
            _ if self.budget > 0 && self.unbound.get(v) == Some(&1) => Counterpart::Free,
            _ => Counterpart::Of(Type::Any),
        }
    }

    /// Unifies both sides of `A = B`, decomposed as in the compiled code.
    fn equation(&mut self, a: TermId, b: TermId) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            match (self.terms.get(a), self.terms.get(b)) {
                (Term::Var(_), Term::Var(_)) => {
                    let sides = [self.value(a), self.value(b)];
                    let most = self.bindings(&sides[0], &sides[1..]);
                    self.modes.add_bindings(a, most);
                }
                (Term::Var(v), _) => {
                    self.constant_test(*v, a);
                    self.unify(self.value(a), b);
                }
                (_, Term::Var(v)) => {
                    self.constant_test(*v, b);
                    self.unify(self.value(b), a);
                }
                (Term::Compound(..), Term::Compound(..))
                    if self.terms.functor(a) == self.terms.functor(b) =>
                {
                    let pairs = self.terms.args(a).iter().zip(self.terms.args(b));
                    work.extend(pairs.map(|(&a, &b)| (a, b)).rev());
                }
                _ => {}
            }
        }
        // The variable's value before the goal is a further term in the unification.
        for (v, seen) in &mut self.occurrences {
            let before = match &self.state.values[*v as usize] {
                Binding::Known(d) => Counterpart::Of(d.ty.clone()),
                Binding::Term(t) => Counterpart::Term(*t),
                Binding::Unbound if self.unbound.get(v) == Some(&1) => Counterpart::Free,
                Binding::Unbound => Counterpart::Of(Type::Any),
            };
            seen.push((None, before));
        }
    }

    /// Counts the test of a variable in `X = a` as the condition of an `->`.
    fn constant_test(&mut self, v: u32, variable: TermId) {
        let mode = match &self.state.values[v as usize] {
            Binding::Unbound => TermState::Unbound,
            Binding::Known(d) if d.ty.is_bound() => TermState::Bound,
            _ => TermState::Either,
        };
        self.modes.add(variable, mode);
    }

    /// Unifies an existing value with a clause term.
    fn unify(&mut self, seen: Counterpart, term: TermId) {
        let mut stack = vec![(seen, term)];
        while let Some((seen, term)) = stack.pop() {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            if let Term::Var(v) = self.terms.get(term) {
                (self.occurrences.entry(*v).or_default()).push((Some(term), seen));
                continue;
            }
            let mode = match &seen {
                Counterpart::Free => TermState::Unbound,
                Counterpart::New => TermState::New,
                Counterpart::Term(_) => TermState::Bound,
                Counterpart::Of(ty) if ty.is_bound() => TermState::Bound,
                Counterpart::Of(_) => TermState::Either,
            };
            self.modes.add(term, mode);
            let arguments = self.terms.args(term);
            let parts = self.parts(&seen, term, arguments.len());
            stack.extend(parts.into_iter().zip(arguments.iter().copied()));
        }
    }

    /// Returns the values with which the arguments of a compound are unified.
    fn parts(&self, seen: &Counterpart, term: TermId, arity: usize) -> Vec<Counterpart> {
        let all = |ty: Type| vec![Counterpart::Of(ty); arity];
        match seen {
            Counterpart::Free | Counterpart::New => vec![Counterpart::New; arity],
            Counterpart::Term(other) => {
                if self.terms.functor(*other) == self.terms.functor(term) {
                    let arguments = self.terms.args(*other).iter();
                    arguments.map(|&a| self.value(a)).collect()
                } else {
                    all(Type::Any)
                }
            }
            Counterpart::Of(Type::List(element)) if self.terms.matches(term, CONS, 2).is_some() => {
                vec![
                    Counterpart::Of(subterm_type(element)),
                    Counterpart::Of(Type::List(element.clone())),
                ]
            }
            Counterpart::Of(Type::Tree(r)) => functor_key(self.terms, term)
                .and_then(|key| r.arguments(&key))
                .filter(|types| types.len() == arity)
                .map_or_else(
                    || all(Type::Any),
                    |types| {
                        types
                            .iter()
                            .map(|t| Counterpart::Of(subterm_type(t)))
                            .collect()
                    },
                ),
            Counterpart::Of(ty) if ty.is_ground() => all(Type::Ground),
            Counterpart::Of(_) => all(Type::Any),
        }
    }

    /// Returns the maximum number of bindings when a variable that has already been unified with other values is unified with one more.
    fn bindings(&self, own: &Counterpart, others: &[Counterpart]) -> u64 {
        let is_ground = |s: &Counterpart| match s {
            Counterpart::Of(ty) => ty.is_ground() && *ty != Type::Itself,
            Counterpart::Term(t) => self.state.datum(self.terms, *t).ty.is_ground(),
            Counterpart::Free | Counterpart::New => false,
        };
        let is_variable = |s: &Counterpart| matches!(s, Counterpart::Free | Counterpart::New);
        let simple = |s: &Counterpart| is_ground(s) || is_variable(s);
        if is_ground(own) && others.iter().all(is_ground) {
            0
        } else if is_variable(own)
            || others.iter().all(is_variable)
            || simple(own) && others.iter().all(simple)
        {
            1
        } else {
            u64::MAX
        }
    }

    fn finish(mut self) -> Modes {
        for occurrences in std::mem::take(&mut self.occurrences).into_values() {
            for (i, (term, own)) in occurrences.iter().enumerate() {
                let Some(term) = term else { continue };
                let others: Vec<Counterpart> = (occurrences.iter().enumerate())
                    .filter(|(j, _)| *j != i)
                    .map(|(_, (_, seen))| seen.clone())
                    .collect();
                let most = if self.budget > 0 {
                    self.bindings(own, &others)
                } else {
                    u64::MAX
                };
                self.modes.add_bindings(*term, most);
            }
        }
        if self.budget == 0 {
            return Modes::default();
        }
        self.modes
    }
}

/// Returns the type of a subterm, where a variable may be shared and the value's own type is no longer known.
fn subterm_type(ty: &Type) -> Type {
    match ty {
        Type::Free | Type::Itself => Type::Any,
        other => other.clone(),
    }
}
