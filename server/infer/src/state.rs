//! Bindings of clause variables during a symbolic run, and unification with respect to them.

pub(crate) mod arith;
pub(crate) mod asked;
pub(crate) mod cases;
pub(crate) mod comparisons;
mod numbers;
pub(crate) mod remainders;
mod rounded;
mod unify;

use std::sync::Arc;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat, Var};
use costlens_compile::heap::VariableState;
use costlens_syntax::term::{CONS, NIL, QUOTED_NIL, Term, TermId, Terms};
use smol_str::{SmolStr, format_smolstr};

use crate::lattice::datum::Datum;
use crate::lattice::regular::{Regular, Types, constant_key, functor_key};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, TextType, Type};
use crate::lattice::weight::TermWeight;
use crate::world::World;

/// The binding of a clause variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Unbound, and only reachable from the clause's own terms.
    Unbound,
    /// Bound to a term of the clause, which may be another variable.
    Term(TermId),
    /// A value with a known datum.
    Known(Datum),
}

/// The maximum number of elements of a written list whose element sizes are bounded.
const MOST_MEASURED: usize = 16;
/// The maximum depth of a term. Deeper terms are treated as arbitrary terms, so that the traversal cannot overflow the stack.
const DEEPEST_TERM: usize = 100;
/// The maximum number of nodes of a term after dereferencing, so that shared subterms count each time. Larger terms are treated as
/// arbitrary terms.
const LARGEST_TERM: usize = 50_000;

/// The state at a point of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) values: Vec<Binding>,
    /// True if nothing visible to the caller has been bound since the call, so that tests on subterms of the arguments that may contain
    /// variables have the same result in every clause.
    pub(crate) pure: bool,
    /// The types of terms: a term built from the shapes of a type has that type.
    pub(crate) types: Types,
    /// Facts about sizes from the relations of the calls so far ([`crate::tree::locals`]).
    pub(crate) facts: Region,
    /// The tests on these sizes that hold if the current literal succeeds.
    pub(crate) tested: Vec<Constraint>,
    /// The counted weight of terms ([`crate::lattice::weight`]), if requested.
    pub(crate) counted: Option<TermWeight>,
    /// The variables that have values or cells, if SWI-Prolog's cells are counted.
    pub(crate) met: VariableState,
}

/// The terms of a clause and the world in which it runs.
pub(crate) struct Scope<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) world: &'a World,
    /// Returns whether an expression contains only size variables of the entry, so that tests on it may split the world.
    pub(crate) is_param: &'a dyn Fn(&Expr) -> bool,
}

impl State {
    pub(crate) fn new(terms: &Terms, types: Types) -> Self {
        State {
            counted: None,
            types,
            values: vec![Binding::Unbound; terms.variables() as usize],
            pure: true,
            facts: Region::default(),
            tested: Vec::new(),
            met: VariableState::default(),
        }
    }

    /// Dereferences variables that are bound to terms.
    pub(crate) fn resolve(&self, terms: &Terms, mut t: TermId) -> TermId {
        while let Term::Var(v) = terms.get(t) {
            match &self.values[*v as usize] {
                Binding::Term(next) => t = *next,
                _ => break,
            }
        }
        t
    }

    /// Returns the variable if a term is an unbound variable.
    pub(crate) fn unbound(&self, terms: &Terms, t: TermId) -> Option<u32> {
        match terms.get(self.resolve(terms, t)) {
            Term::Var(v) if self.values[*v as usize] == Binding::Unbound => Some(*v),
            _ => None,
        }
    }

    /// Returns the unbound variables in a term after dereferencing, without duplicates.
    pub(crate) fn unbound_inside(&self, terms: &Terms, t: TermId) -> Vec<u32> {
        let variables = self.variables_inside(terms, t).into_iter();
        let is_unbound = |v: &u32| self.values[*v as usize] == Binding::Unbound;
        variables.map(|(v, _)| v).filter(is_unbound).collect()
    }

    /// Returns the variables in a term that are not bound to clause terms, after dereferencing and without duplicates, each with the term
    /// that represents it.
    pub(crate) fn variables_inside(&self, terms: &Terms, t: TermId) -> Vec<(u32, TermId)> {
        let (mut found, mut stack) = (Vec::new(), vec![t]);
        let mut seen = vec![false; self.values.len()];
        while let Some(top) = stack.pop() {
            if let Term::Var(v) = terms.get(top) {
                if std::mem::replace(&mut seen[*v as usize], true) {
                    continue;
                }
                match &self.values[*v as usize] {
                    Binding::Term(next) => stack.push(*next),
                    Binding::Unbound | Binding::Known(_) => found.push((*v, top)),
                }
            } else {
                stack.extend(terms.args(top));
            }
        }
        found
    }

    /// Returns whether a term is a list, or a partial list whose tail variable occurs nowhere else in it. Built-ins that create a list
    /// raise an exception for other terms.
    pub(crate) fn takes_list(&self, terms: &Terms, t: TermId) -> bool {
        let mut elements = Vec::new();
        let mut rest = self.resolve(terms, t);
        while let Some(&[head, tail]) = terms.matches(rest, CONS, 2) {
            elements.push(head);
            rest = self.resolve(terms, tail);
        }
        if let Some(end) = self.unbound(terms, rest) {
            let mut elements = elements.into_iter();
            return elements.all(|e| !self.unbound_inside(terms, e).contains(&end));
        }
        matches!(self.datum(terms, rest).ty, Type::List(_) | Type::Free)
    }

    /// Records that goals that are not followed may bind variables.
    pub(crate) fn expose(&mut self, terms: &Terms, t: TermId, as_type: &Type) {
        for v in self.unbound_inside(terms, t) {
            self.values[v as usize] = Binding::Known(Datum::from_type(as_type.clone()));
        }
    }

    /// Returns the datum of a term. An unbound variable has type [`Type::Free`].
    pub(crate) fn datum(&self, terms: &Terms, t: TermId) -> Datum {
        self.datum_at(terms, t, DEEPEST_TERM, &mut LARGEST_TERM.clone())
    }

    fn datum_at(&self, terms: &Terms, t: TermId, depth: usize, budget: &mut usize) -> Datum {
        let t = self.resolve(terms, t);
        *budget = budget.saturating_sub(1);
        if depth == 0 || *budget == 0 {
            return Datum::any();
        }
        let datum = self.shallow_datum(terms, t, depth, budget);
        let Some(counted) = &self.counted else {
            return datum;
        };
        match constant_key(terms, t) {
            Some(symbol) => datum.with_weight(Some(counted.of_constant(&symbol))),
            None => datum,
        }
    }

    fn shallow_datum(&self, terms: &Terms, t: TermId, depth: usize, budget: &mut usize) -> Datum {
        match terms.get(t) {
            Term::Var(v) => match &self.values[*v as usize] {
                Binding::Known(d) => d.clone(),
                _ => Datum::from_type(Type::Free),
            },
            Term::Integer(i) => {
                let value = Expr::constant(Rat::from_integer(i.to_big()));
                Datum::sized(Type::Int, Size::exact(value)).with_key(Some(format_smolstr!("{i}")))
            }
            Term::Rational(_) | Term::Float(_) => {
                Datum::from_type(Type::Number).with_key(constant_key(terms, t))
            }
            Term::Atom(a) if a == NIL => {
                Datum::sized(Type::list(Type::None), Size::exact(Expr::zero()))
                    .with_key(Some(SmolStr::new_static("[]")))
            }
            Term::Atom(a) => {
                Datum::sized(Type::Atom, atom_chars(a)).with_key(constant_key(terms, t))
            }
            Term::String(s) => Datum::sized(Type::Text(TextType::String), chars(s))
                .with_key(constant_key(terms, t)),
            Term::Error => Datum::any(),
            Term::Compound(name, _) if name == CONS && terms.args(t).len() == 2 => {
                self.list_datum(terms, t, depth, budget)
            }
            Term::Compound(..) => {
                let parts: Vec<Datum> = terms
                    .args(t)
                    .iter()
                    .map(|&a| self.datum_at(terms, a, depth - 1, budget))
                    .collect();
                self.built(terms, t, &parts)
            }
        }
    }

    /// Returns the datum of a compound with the given arguments. Its type is one of the program's regular types, or that of an arbitrary
    /// ground or bound term.
    fn built(&self, terms: &Terms, t: TermId, parts: &[Datum]) -> Datum {
        let ground = parts.iter().all(|p| p.ty.is_ground());
        let made_of = |types: &[Arc<Regular>]| {
            let functor = functor_key(terms, t)?;
            types.iter().find_map(|r| {
                let types = r.arguments(&functor)?;
                let fit = types.iter().zip(parts).all(|(t, p)| p.fits(t));
                fit.then(|| (Arc::clone(r), types))
            })
        };
        let suggested = || (!ground).then(|| made_of(&self.types.suggested)).flatten();
        let of = made_of(&self.types.defined).or_else(suggested);
        let sum = |sizes: &mut dyn Iterator<Item = Size>| {
            sizes.fold(Size::exact(Expr::int(1)), |sum, s| sum.plus(&s))
        };
        let weight = || {
            let functor = functor_key(terms, t)?;
            Some(self.counted.as_ref()?.of_compound(&functor, parts))
        };
        match of {
            Some((r, types)) => {
                let sizes = parts.iter().zip(&types).map(|(p, t)| match t {
                    // Later bindings do not change the size: the variable is measured by its label.
                    Type::Any | Type::Nonvar => p.label(),
                    Type::List(e) if matches!(**e, Type::Any | Type::Nonvar) => p.spine(),
                    _ => p.measured(Metric::Size),
                });
                Datum::sized(Type::Tree(r), sum(&mut { sizes })).with_weight(weight())
            }
            None if ground => {
                let mut sizes = parts.iter().map(|p| p.measured(Metric::Size));
                Datum::sized(Type::Ground, sum(&mut sizes)).with_weight(weight())
            }
            None => Datum::from_type(Type::Nonvar),
        }
    }

    /// Returns the datum of a list term, following its spine in a loop.
    fn list_datum(&self, terms: &Terms, t: TermId, depth: usize, budget: &mut usize) -> Datum {
        let (mut element, mut count, mut rest) = (Type::None, 0i64, t);
        let mut heads: Vec<Datum> = Vec::new();
        while let Some(&[head, tail]) = terms.matches(rest, CONS, 2) {
            let head = self.datum_at(terms, head, depth - 1, budget);
            element = element.join(match head.ty {
                Type::Free => &Type::Any,
                ref ty => ty,
            });
            if heads.len() < MOST_MEASURED {
                heads.push(head);
            }
            count += 1;
            rest = self.resolve(terms, tail);
            if *budget == 0 {
                return Datum::any();
            }
        }
        let tail = self.datum_at(terms, rest, depth - 1, budget);
        let are_all = heads.len() < MOST_MEASURED;
        // The size as a single term.
        let whole = || {
            let with = |sum: Size, head: &Datum| sum.plus(&head.measured(Metric::Size)).shifted(1);
            are_all.then(|| heads.iter().fold(tail.measured(Metric::Size), with))
        };
        let weight = || {
            let counted = self.counted.as_ref().filter(|_| are_all)?;
            Some(counted.of_cells(&heads, &tail))
        };
        match tail.ty {
            Type::List(ref e) => {
                let ty = Type::list(element.join(e));
                let bound = if heads.len() < MOST_MEASURED {
                    let least = ty.element_metric().and_then(|m| tail.element_bound(m));
                    heads.iter().try_fold(least, |bound, head| {
                        let size = head.measured(ty.element_metric()?).upper?;
                        Some(Some(larger(bound?, size, &Region::default())))
                    })
                } else {
                    None
                };
                let whole = (self.counted == Some(TermWeight::Cells) && ty.is_ground())
                    .then(whole)
                    .flatten();
                Datum {
                    whole: whole.map(Box::new),
                    ..Datum::sized(ty, tail.size.shifted(count))
                        .with_element(bound.flatten())
                        .with_weight(weight())
                }
            }
            ref ty if ty.is_ground() && element.is_ground() => match whole() {
                Some(size) => Datum::sized(Type::Ground, size).with_weight(weight()),
                None => Datum::from_type(Type::Ground),
            },
            _ => Datum::from_type(Type::Nonvar),
        }
    }

    /// Returns sizes such that each element of a list is bounded by one of them, or `None` if an element has no bound.
    pub(crate) fn element_sizes(
        &self,
        terms: &Terms,
        t: TermId,
        metric: Metric,
    ) -> Option<Vec<Expr>> {
        let (mut sizes, mut rest) = (Vec::new(), self.resolve(terms, t));
        while let Some(&[head, tail]) = terms.matches(rest, CONS, 2) {
            if sizes.len() >= MOST_MEASURED {
                return None;
            }
            sizes.push(self.datum(terms, head).measured(metric).upper?);
            rest = self.resolve(terms, tail);
        }
        sizes.push(self.datum(terms, rest).element_bound(metric)?);
        Some(sizes)
    }

    /// Records that a test holds if the literal succeeds. The test compares sizes that no single call determines ([`crate::tree::locals`]).
    pub(crate) fn passes(&mut self, scope: &Scope<'_>, c: Constraint) {
        let known = self.facts.variables();
        let is_local = |v: &Var| known.contains(v) && !(scope.is_param)(&Expr::var(*v));
        let (mut locals, mut others) = (0, 0);
        for v in c.variables() {
            if is_local(&v) {
                locals += 1;
            } else if !(scope.is_param)(&Expr::var(v)) {
                others += 1;
            }
        }
        if locals > 0 && others == 0 {
            self.tested.push(c);
        }
    }

    /// Returns the list that is compared with `[]`: in `Cs \== []`, `Cs`.
    pub(crate) fn compared_with_nil(&self, terms: &Terms, a: TermId, b: TermId) -> Option<Datum> {
        let is_nil = |t: TermId| matches!(terms.get(self.resolve(terms, t)), Term::Atom(name) if name == NIL);
        let other = match (is_nil(a), is_nil(b)) {
            (true, false) => b,
            (false, true) => a,
            _ => return None,
        };
        let list = self.datum(terms, other);
        matches!(list.ty, Type::List(_)).then_some(list)
    }

    /// Records that a list is not empty if the literal succeeds: `Cs \== []`, `[] \= Cs`.
    pub(crate) fn passes_different(&mut self, scope: &Scope<'_>, a: TermId, b: TermId) {
        if let Some(list) = self.compared_with_nil(scope.terms, a, b)
            && let Some(length) = list.size.as_exact()
            && let Some(c) = Constraint::ge(length, &Expr::int(1))
        {
            self.passes(scope, c);
        }
    }

    /// Returns the state that holds after either of the two states.
    pub(crate) fn join(&self, other: &State, terms: &Terms, world: &World) -> State {
        let mut joined = self.clone();
        joined.pure &= other.pure;
        joined.met = self.met.join(&other.met);
        let common = |c: &&Constraint| other.facts.constraints().contains(*c);
        joined.facts = self
            .facts
            .constraints()
            .iter()
            .filter(common)
            .cloned()
            .collect();
        for (v, value) in joined.values.iter_mut().enumerate() {
            if *value == other.values[v] {
                continue;
            }
            let side = |s: &State| match &s.values[v] {
                Binding::Unbound => Datum::any(),
                Binding::Known(d) => d.clone(),
                Binding::Term(t) => s.datum(terms, *t),
            };
            let (a, b) = (side(self), side(other));
            let ty = match (&a.ty, &b.ty) {
                (Type::Free, _) | (_, Type::Free) => Type::Any,
                (a, b) => a.join(b),
            };
            let size = match ty.metric() {
                Some(metric) => a.measured(metric).hull(&b.measured(metric), world.region()),
                None => Size::unknown(),
            };
            let element = largest(&ty, [&a, &b], world.region());
            let weight = (self.counted.is_some())
                .then(|| Box::new(a.weighed().hull(&b.weighed(), world.region())));
            let key = if a.key == b.key { a.key } else { None };
            *value = Binding::Known(Datum {
                ty,
                size,
                element,
                weight,
                whole: None,
                key,
            });
        }
        // If only one state binds a variable, to a term with unbound variables, the variable may share them.
        for (v, mine) in self.values.iter().enumerate() {
            for (state, value) in [(self, mine), (other, &other.values[v])] {
                if let Binding::Term(t) = value
                    && !matches!(joined.values[v], Binding::Term(_))
                {
                    for w in state.unbound_inside(terms, *t) {
                        joined.values[w as usize] = Binding::Known(Datum::any());
                    }
                }
            }
        }
        joined
    }
}

/// Returns a bound on the element sizes of either of two lists.
fn largest(ty: &Type, of: [&Datum; 2], region: &Region) -> Option<Expr> {
    let metric = ty.element_metric()?;
    let [a, b] = of.map(|d| d.element_bound(metric));
    Some(larger(a?, b?, region))
}

/// Returns the larger of two non-negative sizes, or their sum if their order is unknown.
fn larger(a: Expr, b: Expr, region: &Region) -> Expr {
    if a == b || nonnegative(&(&a - &b), region) {
        a
    } else if nonnegative(&(&b - &a), region) {
        b
    } else {
        &a + &b
    }
}

/// Returns the number of characters of an atom in the clause. In terms, the name of the atom `'[]'` includes the quotes.
fn atom_chars(name: &str) -> Size {
    match name {
        QUOTED_NIL => Size {
            lower: Some(Expr::int(2)),
            upper: Some(Expr::int(4)),
        },
        name => chars(name),
    }
}

/// Returns the number of characters of a string in the clause.
fn chars(text: &str) -> Size {
    Size::exact(Expr::int(
        i64::try_from(text.chars().count()).unwrap_or(i64::MAX),
    ))
}
