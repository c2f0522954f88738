//! Bindings of a clause's variables during a symbolic run, and unification over them.

use std::sync::Arc;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Rat};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::{SmolStr, format_smolstr};
use std::collections::BTreeSet;

use super::datum::Datum;
use super::size::Size;
use super::weight;
use super::world::{Answer, Question, Split, Truth, World};
use crate::regular::{Regular, constant_key, functor_key};
use crate::types::{Metric, Type};

/// What a clause variable is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Unbound, and reachable from nowhere but this clause's own terms.
    Unbound,
    /// Bound to a term of the clause (another variable included).
    Term(TermId),
    /// A value of which the datum is known.
    Known(Datum),
}

/// Lists written out with more elements than this have no bound on the sizes of their elements.
const MOST_MEASURED: usize = 16;
/// Beyond this nesting a term is taken for anything: the walk must not overflow the stack.
const DEEPEST_TERM: usize = 100;
/// A term of more nodes (bindings followed, so shared parts count each time) is taken for anything.
const LARGEST_TERM: usize = 50_000;

/// The state at a point of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) values: Vec<Value>,
    /// Whether nothing that the caller can see has been bound since the call: then tests on parts of the arguments that may
    /// hold variables have the same answer in every clause.
    pub(crate) pure: bool,
    /// The types that the program defines: what is built of their shapes is of them.
    pub(crate) regulars: Arc<[Arc<Regular>]>,
    /// What relations of the calls so far say about sizes ([`super::facts`]).
    pub(crate) facts: Region,
    /// The symbol that is counted in terms ([`super::weight`]).
    pub(crate) counted: Option<SmolStr>,
}

/// Terms, bindings and the world that they live in.
pub(crate) struct Scope<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) world: &'a World,
    /// Size variables of the entry: tests on them may split the world.
    pub(crate) is_param: &'a dyn Fn(&Expr) -> bool,
}

impl State {
    pub(crate) fn new(terms: &Terms, regulars: Arc<[Arc<Regular>]>) -> Self {
        State {
            counted: None,
            regulars,
            values: vec![Value::Unbound; terms.variables() as usize],
            pure: true,
            facts: Region::default(),
        }
    }

    /// The term behind variables that are bound to terms.
    pub(crate) fn resolve(&self, terms: &Terms, mut t: TermId) -> TermId {
        while let Term::Var(v) = terms.get(t) {
            match &self.values[*v as usize] {
                Value::Term(next) => t = *next,
                _ => break,
            }
        }
        t
    }

    /// The variable that a term is, if it is an unbound one.
    pub(crate) fn unbound(&self, terms: &Terms, t: TermId) -> Option<u32> {
        match terms.get(self.resolve(terms, t)) {
            Term::Var(v) if self.values[*v as usize] == Value::Unbound => Some(*v),
            _ => None,
        }
    }

    /// The unbound variables inside a term, bindings followed; each once.
    pub(crate) fn unbound_inside(&self, terms: &Terms, t: TermId) -> Vec<u32> {
        let (mut found, mut stack) = (Vec::new(), vec![t]);
        let mut seen = vec![false; self.values.len()];
        while let Some(top) = stack.pop() {
            if let Term::Var(v) = terms.get(top) {
                if std::mem::replace(&mut seen[*v as usize], true) {
                    continue;
                }
                match &self.values[*v as usize] {
                    Value::Unbound => found.push(*v),
                    Value::Term(next) => stack.push(*next),
                    Value::Known(_) => {}
                }
            } else {
                stack.extend(terms.args(top));
            }
        }
        found
    }

    /// Forgets that variables are unbound: something that is not followed may bind them.
    pub(crate) fn expose(&mut self, terms: &Terms, t: TermId, as_type: &Type) {
        for v in self.unbound_inside(terms, t) {
            self.values[v as usize] = Value::Known(Datum::of(as_type.clone()));
        }
    }

    /// The datum of a term. An unbound variable has type [`Type::Free`].
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
            Some(symbol) => datum.with_weight(Some(weight::of_symbol(counted, &symbol))),
            None => datum,
        }
    }

    fn shallow_datum(&self, terms: &Terms, t: TermId, depth: usize, budget: &mut usize) -> Datum {
        match terms.get(t) {
            Term::Var(v) => match &self.values[*v as usize] {
                Value::Known(d) => d.clone(),
                _ => Datum::of(Type::Free),
            },
            Term::Integer(i) => {
                let value = Expr::constant(Rat::from_integer(i.clone()));
                Datum::sized(Type::Int, Size::exact(value)).with_key(Some(format_smolstr!("{i}")))
            }
            Term::Rational(_) | Term::Float(_) => {
                Datum::of(Type::Number).with_key(constant_key(terms, t))
            }
            Term::Atom(a) if a == NIL => {
                Datum::sized(Type::list(Type::None), Size::exact(Expr::zero()))
                    .with_key(Some(SmolStr::new_static("[]")))
            }
            Term::Atom(_) => Datum::of(Type::Atom).with_key(constant_key(terms, t)),
            Term::String(_) => Datum::of(Type::Ground).with_key(constant_key(terms, t)),
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

    /// A compound of parts: of a type that the program defines, or any ground or bound term.
    fn built(&self, terms: &Terms, t: TermId, parts: &[Datum]) -> Datum {
        let ground = parts.iter().all(|p| p.ty.is_ground());
        let of = functor_key(terms, t).and_then(|functor| {
            self.regulars.iter().find_map(|r| {
                let types = r.arguments(&functor)?;
                let fit = types.iter().zip(parts).all(|(t, p)| p.fits(t));
                fit.then(|| (Arc::clone(r), types))
            })
        });
        let sum = |sizes: &mut dyn Iterator<Item = Size>| {
            sizes.fold(Size::exact(Expr::int(1)), |sum, s| sum.plus(&s))
        };
        let weight = || {
            let own = weight::of_symbol(self.counted.as_ref()?, &functor_key(terms, t)?);
            Some(parts.iter().fold(own, |sum, p| sum.plus(&p.weighed())))
        };
        match of {
            Some((r, types)) => {
                let sizes = parts.iter().zip(&types).map(|(p, t)| match t {
                    // Later bindings change nothing of it: its label counts.
                    Type::Any | Type::Nonvar => p.label(),
                    _ => p.measured(Metric::Size),
                });
                Datum::sized(Type::Tree(r), sum(&mut { sizes })).with_weight(weight())
            }
            None if ground => {
                let mut sizes = parts.iter().map(|p| p.measured(Metric::Size));
                Datum::sized(Type::Ground, sum(&mut sizes)).with_weight(weight())
            }
            None => Datum::of(Type::Nonvar),
        }
    }

    /// A list term: its spine is followed in a loop.
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
                let weight = (self.counted.is_some() && heads.len() < MOST_MEASURED).then(|| {
                    heads
                        .iter()
                        .fold(tail.weighed(), |sum, h| sum.plus(&h.weighed()))
                });
                Datum::sized(ty, tail.size.shifted(count))
                    .with_element(bound.flatten())
                    .with_weight(weight)
            }
            ty if ty.is_ground() && element.is_ground() => Datum::of(Type::Ground),
            _ => Datum::of(Type::Nonvar),
        }
    }

    /// Unifies two terms of the clause. On [`Truth::Maybe`] the state is that after success.
    pub(crate) fn unify(
        &mut self,
        scope: &Scope<'_>,
        a: TermId,
        b: TermId,
    ) -> Result<Truth, Split> {
        let mut truth = Truth::True;
        let mut stack = vec![(a, b)];
        let mut budget = LARGEST_TERM;
        while let Some((a, b)) = stack.pop() {
            budget -= 1;
            if budget == 0 {
                self.expose(scope.terms, a, &Type::Any);
                self.expose(scope.terms, b, &Type::Any);
                for (a, b) in stack {
                    self.expose(scope.terms, a, &Type::Any);
                    self.expose(scope.terms, b, &Type::Any);
                }
                self.pure = false;
                return Ok(Truth::Maybe);
            }
            let (a, b) = (self.resolve(scope.terms, a), self.resolve(scope.terms, b));
            if a == b {
                continue;
            }
            let step = match (scope.terms.get(a), scope.terms.get(b)) {
                (Term::Var(v), Term::Var(w)) if v == w => Truth::True,
                (Term::Var(v), _) => self.unify_variable(scope, *v, b)?,
                (_, Term::Var(w)) => self.unify_variable(scope, *w, a)?,
                (Term::Compound(f, _), Term::Compound(g, _)) => {
                    let (xs, ys) = (scope.terms.args(a), scope.terms.args(b));
                    if f != g || xs.len() != ys.len() {
                        Truth::False
                    } else {
                        stack.extend(xs.iter().copied().zip(ys.iter().copied()).rev());
                        Truth::True
                    }
                }
                (Term::Error, _) | (_, Term::Error) => Truth::Maybe,
                (x, y) => Truth::of(x == y),
            };
            truth = truth.and(step);
            if truth == Truth::False {
                return Ok(truth);
            }
        }
        Ok(truth)
    }

    fn unify_variable(&mut self, scope: &Scope<'_>, v: u32, t: TermId) -> Result<Truth, Split> {
        match self.values[v as usize].clone() {
            Value::Unbound => {
                if matches!(scope.terms.get(t), Term::Compound(..))
                    && self.unbound_inside(scope.terms, t).contains(&v)
                {
                    // A cyclic term: nothing is known of it.
                    self.expose(scope.terms, t, &Type::Any);
                    return Ok(Truth::Maybe);
                }
                self.values[v as usize] = Value::Term(t);
                Ok(Truth::True)
            }
            Value::Term(_) => Ok(Truth::Maybe), // resolved before: cannot be
            Value::Known(d) => {
                let (truth, refined) = self.unify_datum(scope, &d, t)?;
                if let Some(ty) = refined {
                    let met = d.ty.meet(&ty);
                    if met != d.ty && matches!(self.values[v as usize], Value::Known(_)) {
                        self.values[v as usize] = Value::Known(d.refined(met));
                    }
                }
                Ok(truth)
            }
        }
    }

    /// Unifies a known value with a term: the heart of clause selection. Also gives a type that the value has on success.
    pub(crate) fn unify_datum(
        &mut self,
        scope: &Scope<'_>,
        d: &Datum,
        t: TermId,
    ) -> Result<(Truth, Option<Type>), Split> {
        let mut truth = Truth::True;
        let mut top_type = None;
        let mut stack = vec![(d.clone(), t, true)];
        let mut budget = LARGEST_TERM;
        while let Some((d, t, top)) = stack.pop() {
            budget -= 1;
            if budget == 0 {
                self.expose(scope.terms, t, &Type::Any);
                for (_, t, _) in stack {
                    self.expose(scope.terms, t, &Type::Any);
                }
                self.pure = false;
                return Ok((Truth::Maybe, None));
            }
            let t = self.resolve(scope.terms, t);
            let step = if let Term::Var(v) = scope.terms.get(t) {
                let v = *v as usize;
                match self.values[v].clone() {
                    Value::Known(e) => self.unify_data(scope, &d, &e, v)?,
                    _ => {
                        self.values[v] = Value::Known(d.clone());
                        Truth::True
                    }
                }
            } else {
                let (step, children) = self.open(scope, &d, t)?;
                stack.extend(children.into_iter().map(|(d, t)| (d, t, false)).rev());
                step
            };
            if top && truth != Truth::False && step != Truth::False {
                top_type = Some(self.datum(scope.terms, t).ty);
            }
            truth = truth.and(step);
            if truth == Truth::False {
                return Ok((truth, None));
            }
        }
        Ok((truth, top_type.filter(|ty| *ty != Type::Free)))
    }

    /// Two values that must be equal: `gcd(A, A, A)`.
    fn unify_data(
        &mut self,
        scope: &Scope<'_>,
        d: &Datum,
        e: &Datum,
        v: usize,
    ) -> Result<Truth, Split> {
        let met = d.ty.meet(&e.ty);
        if met == Type::None && !(matches!(d.ty, Type::List(_)) && matches!(e.ty, Type::List(_))) {
            return Ok(Truth::False);
        }
        let ground = d.ty.is_ground() && e.ty.is_ground();
        let untouched = self.pure;
        self.pure &= ground;
        if d.ty == Type::Int
            && e.ty == Type::Int
            && let Some(truth) = sizes_equal(scope, &d.size, &e.size)?
        {
            return Ok(truth);
        }
        if let (Some(a), Some(b)) = (&d.key, &e.key)
            && a == b
            && d.ty.is_ground()
        {
            return Ok(Truth::True);
        }
        let truth = if ground {
            identical(scope, d, e)?
        } else if untouched {
            unifiable(scope, d, e)?
        } else {
            Truth::Maybe
        };
        if truth != Truth::False {
            // Of a tree with a variable in it and a ground term, the ground one has the size of what both are then.
            let finer = match (d.ty == met, e.ty == met) {
                (true, false) if met.metric() == Some(Metric::Size) => d,
                (false, true) if met.metric() == Some(Metric::Size) => e,
                _ if d.ty.metric() == met.metric() => d,
                _ => e,
            };
            self.values[v] = Value::Known(finer.refined(met));
        }
        Ok(truth)
    }

    /// A value against a constant or compound: the answer, and the parts still to unify.
    fn open(
        &mut self,
        scope: &Scope<'_>,
        d: &Datum,
        t: TermId,
    ) -> Result<(Truth, Vec<(Datum, TermId)>), Split> {
        let no = Ok((Truth::False, Vec::new()));
        let term = scope.terms.get(t);
        let is_nil = matches!(term, Term::Atom(a) if a == NIL);
        let cons = scope.terms.matches(t, CONS, 2);
        match &d.ty {
            Type::None => no,
            Type::Int => match term {
                Term::Integer(i) => {
                    let value = Size::exact(Expr::constant(Rat::from_integer(i.clone())));
                    if let Some(truth) = sizes_equal(scope, &d.size, &value)? {
                        return Ok((truth, Vec::new()));
                    }
                    self.shape(scope, d, t)
                }
                _ => no,
            },
            Type::List(element) => {
                if is_nil || cons.is_some() {
                    let empty = size_is_zero(scope, &d.size, d.key.as_ref())?;
                    if is_nil {
                        return Ok((empty, Vec::new()));
                    }
                    let Some(&[head, tail]) = cons else { return no };
                    if empty == Truth::True || **element == Type::None {
                        return no;
                    }
                    let truth = if empty == Truth::False {
                        Truth::True
                    } else {
                        Truth::Maybe
                    };
                    let part = |name: &str| d.key.as_ref().map(|k| format_smolstr!("{k}.{name}"));
                    let mut first = Datum::of((**element).clone()).with_key(part("h"));
                    if let Some(largest) = &d.element {
                        first.size.upper = Some(largest.clone());
                    }
                    let mut weight = None;
                    if let Some(counted) = &self.counted {
                        let own =
                            weight::of_element(counted, element, first.key.as_ref(), scope.world);
                        first = first.with_weight(own);
                        weight = Some(weight::without(&d.weighed(), &first.weighed()));
                    }
                    let mut length = d.size.shifted(-1);
                    if length
                        .lower
                        .as_ref()
                        .and_then(Expr::as_constant)
                        .is_some_and(|c| num_traits::Signed::is_negative(&c))
                    {
                        length.lower = Some(Expr::zero());
                    }
                    let rest = Datum::sized(d.ty.clone(), length)
                        .with_element(d.element.clone())
                        .with_weight(weight)
                        .with_key(part("t"));
                    return Ok((truth, vec![(first, head), (rest, tail)]));
                }
                no
            }
            Type::Number => match term {
                Term::Integer(_) | Term::Float(_) | Term::Rational(_) => self.shape(scope, d, t),
                _ => no,
            },
            Type::Atom => match term {
                Term::Atom(_) if !is_nil => self.shape(scope, d, t),
                _ => no,
            },
            Type::Itself => self.shape(scope, &Datum::any(), t),
            Type::Tree(_) | Type::Ground | Type::Nonvar | Type::Any => self.shape(scope, d, t),
            // A free argument is handled by the caller; anything else that is free was bound to the term.
            Type::Free => {
                self.expose(scope.terms, t, &Type::Any);
                Ok((Truth::True, Vec::new()))
            }
        }
    }

    /// Asks for the principal functor of a value.
    fn shape(
        &mut self,
        scope: &Scope<'_>,
        d: &Datum,
        t: TermId,
    ) -> Result<(Truth, Vec<(Datum, TermId)>), Split> {
        let Some(wanted) = functor_key(scope.terms, t) else {
            self.expose(scope.terms, t, &Type::Any);
            self.pure = false;
            return Ok((Truth::Maybe, Vec::new()));
        };
        let tree = match &d.ty {
            Type::Tree(r) => Some(r),
            _ => None,
        };
        if let Some(r) = tree
            && r.shape(&wanted).is_none()
            && r.leaf == Type::None
        {
            return Ok((Truth::False, Vec::new()));
        }
        let may_be_unbound = !d.ty.is_bound();
        let trusted = d.ty.is_ground() || self.pure || tree.is_some();
        let answer = if trusted {
            ask_shape(scope, d, &wanted)?
        } else {
            None
        };
        let truth = match answer {
            Some(Answer::Is(f)) if f == wanted => Truth::True,
            Some(Answer::Is(_) | Answer::IsNot(_)) => return Ok((Truth::False, Vec::new())),
            Some(Answer::Unbound) => {
                self.pure = false;
                self.expose(scope.terms, t, &Type::Any);
                return Ok((Truth::True, Vec::new()));
            }
            _ => Truth::Maybe,
        };
        if truth == Truth::Maybe && may_be_unbound {
            self.pure = false;
        }
        let arity = scope.terms.args(t).len();
        let unknown = if d.ty.is_ground() {
            Type::Ground
        } else {
            Type::Any
        };
        let parts = tree
            .and_then(|r| r.arguments(&wanted))
            .unwrap_or_else(|| vec![unknown; arity]);
        let children = scope
            .terms
            .args(t)
            .iter()
            .enumerate()
            .map(|(i, &a)| {
                let key = d.key.as_ref().map(|k| format_smolstr!("{k}.{}", i + 1));
                let mut child = Datum::of(parts[i].clone());
                if d.ty.metric() == Some(Metric::Size) {
                    let size = scope.world.part_size(key.as_ref(), &d.size, arity);
                    match child.ty.metric() {
                        // Of what may be or hold a variable, the label.
                        None if !child.ty.is_ground() => child.size = size,
                        Some(Metric::Size) => child.size = size,
                        _ => {}
                    }
                }
                if self.counted.is_some() && child.ty.is_ground() {
                    let own = scope.world.part_weight(key.as_ref(), &d.weighed());
                    child = child.with_weight(Some(own));
                }
                (child.with_key(key), a)
            })
            .collect();
        Ok((truth, children))
    }

    /// The state that holds after either of two.
    pub(crate) fn join(&self, other: &State, terms: &Terms, world: &World) -> State {
        let mut joined = self.clone();
        joined.pure &= other.pure;
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
                Value::Unbound => Datum::any(),
                Value::Known(d) => d.clone(),
                Value::Term(t) => s.datum(terms, *t),
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
            *value = Value::Known(Datum {
                ty,
                size,
                element,
                weight,
                key,
            });
        }
        // A variable that only one side bound to a term with unbound variables may share with them.
        for (v, mine) in self.values.iter().enumerate() {
            for (state, value) in [(self, mine), (other, &other.values[v])] {
                if let Value::Term(t) = value
                    && !matches!(joined.values[v], Value::Term(_))
                {
                    for w in state.unbound_inside(terms, *t) {
                        joined.values[w as usize] = Value::Known(Datum::any());
                    }
                }
            }
        }
        joined
    }
}

/// A bound on the sizes of the elements of either of two lists.
fn largest(ty: &Type, of: [&Datum; 2], region: &Region) -> Option<Expr> {
    let metric = ty.element_metric()?;
    let [a, b] = of.map(|d| d.element_bound(metric));
    Some(larger(a?, b?, region))
}

/// The larger of two sizes that are not negative; their sum if it is not known which one that is.
fn larger(a: Expr, b: Expr, region: &Region) -> Expr {
    if a == b || nonnegative(&(&a - &b), region) {
        a
    } else if nonnegative(&(&b - &a), region) {
        b
    } else {
        &a + &b
    }
}

/// What is known of the principal functor of a value, once it is asked whether it is this one; none if it may not be asked.
fn ask_shape(scope: &Scope<'_>, d: &Datum, wanted: &SmolStr) -> Result<Option<Answer>, Split> {
    let Some(key) = &d.key else {
        return Ok(None);
    };
    let tree = match &d.ty {
        Type::Tree(r) => Some(r),
        _ => None,
    };
    let question = Question::Shape { key: key.clone() };
    match scope.world.answer(&question) {
        Some(Answer::IsNot(set)) if !set.contains(wanted) => {
            if scope.world.may_ask() {
                let cases = is_or_not(wanted.clone(), set, tree);
                return Err(Split::Ask(question, cases));
            }
            Ok(None)
        }
        Some(answer) => Ok(Some(answer.clone())),
        None => {
            let cases = || {
                let mut cases = is_or_not(wanted.clone(), &BTreeSet::new(), tree);
                if !d.ty.is_bound() {
                    cases.push(Answer::Unbound);
                }
                cases
            };
            Ok(scope.world.ask(question, cases)?.cloned())
        }
    }
}

/// The principal functor is this one, or none of those asked so far; a type with no other shape left leaves no other case.
fn is_or_not(
    wanted: SmolStr,
    asked: &BTreeSet<SmolStr>,
    tree: Option<&Arc<Regular>>,
) -> Vec<Answer> {
    let mut not = asked.clone();
    not.insert(wanted.clone());
    let rest: Option<Vec<&SmolStr>> = tree.filter(|r| r.leaf == Type::None).map(|r| {
        let all = r.shapes.iter().map(|s| &s.functor);
        all.filter(|f| !not.contains(*f)).collect()
    });
    let other = match rest.as_deref() {
        Some([]) => None,
        Some([last]) => Some(Answer::Is((*last).clone())),
        _ => Some(Answer::IsNot(not)),
    };
    [Some(Answer::Is(wanted)), other]
        .into_iter()
        .flatten()
        .collect()
}

/// Whether two integer sizes are equal; none where neither sizes nor intervals tell.
pub(crate) fn sizes_equal(scope: &Scope<'_>, a: &Size, b: &Size) -> Result<Option<Truth>, Split> {
    let (Some(a), Some(b)) = (a.as_exact(), b.as_exact()) else {
        return Ok(None);
    };
    let difference = a - b;
    if let Some(c) = difference.as_constant() {
        return Ok(Some(Truth::of(num_traits::Zero::is_zero(&c))));
    }
    match Constraint::eq(a, b) {
        Some(c) => {
            let truth = scope.world.sizes(&c, (scope.is_param)(&difference))?;
            Ok((truth != Truth::Maybe).then_some(truth))
        }
        None => Ok(None),
    }
}

fn size_is_zero(scope: &Scope<'_>, size: &Size, key: Option<&SmolStr>) -> Result<Truth, Split> {
    if let Some(e) = size.as_exact()
        && let Some(c) = Constraint::eq(e, &Expr::zero())
    {
        let truth = scope.world.sizes(&c, (scope.is_param)(e))?;
        if truth != Truth::Maybe {
            return Ok(truth);
        }
    }
    if let Some(lower) = &size.lower
        && let Some(c) = Constraint::ge(lower, &Expr::int(1))
        && scope.world.region().implies(&c)
    {
        return Ok(Truth::False);
    }
    let Some(key) = key else {
        return Ok(Truth::Maybe);
    };
    // A list inside an argument (`[Xs|Xss]`): its spine is bound, so every clause sees the same.
    let question = Question::Shape { key: key.clone() };
    let cases = || vec![Answer::Is("[]".into()), Answer::IsNot(["[]".into()].into())];
    Ok(match scope.world.ask(question, cases)? {
        Some(Answer::Is(f)) if f == "[]" => Truth::True,
        Some(Answer::IsNot(set)) if set.contains("[]") => Truth::False,
        _ => Truth::Maybe,
    })
}

/// Whether a key is that of a constant.
pub(crate) fn is_constant(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'' || c == '"' || c == '[')
        || key.starts_with("float:")
}

/// Whether two values unify in which the clause has bound nothing: then the question is about the call.
fn unifiable(scope: &Scope<'_>, d: &Datum, e: &Datum) -> Result<Truth, Split> {
    let (Some(a), Some(b)) = (&d.key, &e.key) else {
        return Ok(Truth::Maybe);
    };
    if d.ty == Type::Free || e.ty == Type::Free || is_constant(a) || is_constant(b) {
        return Ok(Truth::Maybe);
    }
    let (a, b, _) = super::world::ordered(a, b);
    let cases = || vec![Answer::Yes, Answer::No];
    let answer = scope.world.ask(Question::Unifiable { a, b }, cases)?;
    Ok(match answer {
        Some(Answer::Yes) => Truth::True,
        Some(_) => Truth::False,
        None => Truth::Maybe,
    })
}

/// Whether two values that no clause has bound are the same term.
pub(crate) fn identical(scope: &Scope<'_>, d: &Datum, e: &Datum) -> Result<Truth, Split> {
    let (Some(a), Some(b)) = (&d.key, &e.key) else {
        return Ok(Truth::Maybe);
    };
    if a == b {
        return Ok(Truth::True);
    }
    // Whether a value is a constant is a matter of its shape, which the heads of clauses ask for, too.
    let integers = d.ty == Type::Int && e.ty == Type::Int;
    let (value, constant) = if is_constant(a) { (e, a) } else { (d, b) };
    if !integers && is_constant(constant) && value.key.as_ref().is_some_and(|k| !is_constant(k)) {
        if matches!(value.ty, Type::List(_)) {
            return if *constant == "[]" {
                size_is_zero(scope, &value.size, value.key.as_ref())
            } else {
                Ok(Truth::False)
            };
        }
        return Ok(match ask_shape(scope, value, constant)? {
            Some(Answer::Is(f)) => Truth::of(f == *constant),
            Some(Answer::IsNot(set)) if set.contains(constant) => Truth::False,
            Some(Answer::Unbound) => Truth::False,
            _ => Truth::Maybe,
        });
    }
    let (a, b, _) = super::world::ordered(a, b);
    if integers {
        let cases = || vec![Answer::Less, Answer::Same, Answer::Greater];
        let answer = scope
            .world
            .ask(Question::Numbers { a, b, total: true }, cases)?;
        return Ok(match answer {
            Some(Answer::Same) => Truth::True,
            Some(_) => Truth::False,
            None => Truth::Maybe,
        });
    }
    let answer = scope.world.ask(Question::Identical { a, b }, || {
        vec![Answer::Yes, Answer::No]
    })?;
    Ok(match answer {
        Some(Answer::Yes) => Truth::True,
        Some(_) => Truth::False,
        None => Truth::Maybe,
    })
}
