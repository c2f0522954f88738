//! Unification with respect to bindings, the core of clause selection.

use costlens_algebra::linear::Constraint;
use costlens_algebra::{Expr, Rat, rat};
use costlens_syntax::term::{CONS, NIL, Term, TermId};
use smol_str::{SmolStr, format_smolstr};

use super::asked::{ask_shape, identical, size_is_zero, sizes_equal, unifiable};
use super::{Binding, LARGEST_TERM, Scope, State};
use crate::lattice::datum::Datum;
use crate::lattice::regular::{functor_key, is_constant};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, TextType, Type};
use crate::world::questions::{Answer, Question, Split, Truth};
use crate::world::weights::of_element;

impl State {
    /// Unifies two terms of the clause. If the result is [`Truth::Maybe`], the state is the state after success.
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
                (x, y) => Truth::from_bool(x == y),
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
            Binding::Unbound => {
                if matches!(scope.terms.get(t), Term::Compound(..))
                    && self.unbound_inside(scope.terms, t).contains(&v)
                {
                    // A cyclic term is treated as unknown.
                    self.expose(scope.terms, t, &Type::Any);
                    return Ok(Truth::Maybe);
                }
                self.values[v as usize] = Binding::Term(t);
                Ok(Truth::True)
            }
            Binding::Term(_) => Ok(Truth::Maybe), // unreachable: the term has been dereferenced
            Binding::Known(d) => {
                let (truth, refined) = self.unify_datum(scope, &d, t)?;
                if let Some(ty) = refined {
                    let met = d.ty.meet(&ty);
                    if met != d.ty && matches!(self.values[v as usize], Binding::Known(_)) {
                        self.values[v as usize] = Binding::Known(d.refined(met));
                    }
                }
                Ok(truth)
            }
        }
    }

    /// Unifies a known value with a term, the core of clause selection. Also returns a type of the value on success.
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
                    Binding::Known(e) => self.unify_data(scope, &d, &e, v)?,
                    _ => {
                        self.values[v] = Binding::Known(d.clone());
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

    /// Unifies two values, as in `gcd(A, A, A)`.
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
        if d.ty == Type::Int && e.ty == Type::Int {
            self.passes_equal(scope, &d.size, &e.size);
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
            // If a tree contains a variable and the other term is ground, both have the ground term's size after unification.
            let finer = match (d.ty == met, e.ty == met) {
                (true, false) if met.metric() == Some(Metric::Size) => d,
                (false, true) if met.metric() == Some(Metric::Size) => e,
                _ if d.ty.metric() == met.metric() => d,
                _ => e,
            };
            self.values[v] = Binding::Known(finer.refined(met));
        }
        Ok(truth)
    }

    /// Records that two integers are equal if the literal succeeds. One of the two must be a constant: tracking two values that depend on
    /// the call would require too many regions.
    fn passes_equal(&mut self, scope: &Scope<'_>, a: &Size, b: &Size) {
        if let (Some(a), Some(b)) = (a.as_exact(), b.as_exact())
            && (a.as_constant().is_some() || b.as_constant().is_some())
            && let Some(c) = Constraint::eq(a, b)
        {
            self.passes(scope, c);
        }
    }

    /// Unifies a value with a constant or compound. Returns the outcome, and the arguments that remain to be unified.
    fn open(
        &mut self,
        scope: &Scope<'_>,
        d: &Datum,
        t: TermId,
    ) -> Result<(Truth, Vec<(Datum, TermId)>), Split> {
        let no = Ok((Truth::False, Vec::new()));
        let term = scope.terms.get(t);
        let is_nil = matches!(term, Term::Atom(a) if a == NIL);
        match &d.ty {
            Type::None => no,
            Type::Int => match term {
                Term::Integer(i) => {
                    let value = Size::exact(Expr::constant(Rat::from_integer(i.to_big())));
                    if let Some(truth) = sizes_equal(scope, &d.size, &value)? {
                        return Ok((truth, Vec::new()));
                    }
                    self.passes_equal(scope, &d.size, &value);
                    self.shape(scope, d, t)
                }
                _ => no,
            },
            Type::List(element) => self.open_list(scope, d, element, t),
            Type::Number => match term {
                Term::Integer(_) | Term::Float(_) | Term::Rational(_) => self.shape(scope, d, t),
                _ => no,
            },
            Type::Atom => match term {
                Term::Atom(_) if !is_nil => self.shape(scope, d, t),
                _ => no,
            },
            Type::Text(kind) => {
                let (written, of) = match term {
                    Term::Atom(a) if !is_nil => (a, TextType::Atom),
                    Term::String(s) => (s, TextType::String),
                    _ => return no,
                };
                match *kind {
                    TextType::Either => self.shape(scope, d, t),
                    kind if kind != of => no,
                    // There is exactly one empty atom, and one empty string.
                    _ if written.is_empty() => {
                        let empty = size_is_zero(scope, &d.size, d.key.as_ref())?;
                        Ok((empty, Vec::new()))
                    }
                    _ => self.shape(scope, d, t),
                }
            }
            Type::Itself => self.shape(scope, &Datum::any(), t),
            Type::Opaque(opaque) if opaque.shapes().is_some() => self.shape(scope, d, t),
            // Nothing is known about its parts.
            Type::Opaque(opaque) => {
                let whole = match opaque.is_ground() {
                    true => Type::Ground,
                    false => Type::Nonvar,
                };
                let whole = Datum::from_type(whole).with_key(d.key.clone());
                self.shape(scope, &whole, t)
            }
            Type::Tree(_) | Type::Ground | Type::Nonvar | Type::Any => self.shape(scope, d, t),
            // The caller handles a free argument. Any other free value is bound to the term.
            Type::Free => {
                self.expose(scope.terms, t, &Type::Any);
                Ok((Truth::True, Vec::new()))
            }
        }
    }

    /// Unifies a list with `[]` or a list cell. Returns the outcome, and the arguments that remain to be unified.
    fn open_list(
        &mut self,
        scope: &Scope<'_>,
        d: &Datum,
        element: &Type,
        t: TermId,
    ) -> Result<(Truth, Vec<(Datum, TermId)>), Split> {
        let no = Ok((Truth::False, Vec::new()));
        let is_nil = matches!(scope.terms.get(t), Term::Atom(a) if a == NIL);
        let cons = scope.terms.matches(t, CONS, 2);
        if !is_nil && cons.is_none() {
            return no;
        }
        let empty = size_is_zero(scope, &d.size, d.key.as_ref())?;
        if empty == Truth::Maybe
            && let Some(length) = d.size.as_exact()
        {
            let c = match is_nil {
                true => Constraint::eq(length, &Expr::zero()),
                false => Constraint::ge(length, &Expr::int(1)),
            };
            c.into_iter().for_each(|c| self.passes(scope, c));
        }
        if is_nil {
            return Ok((empty, Vec::new()));
        }
        let Some(&[head, tail]) = cons else { return no };
        if empty == Truth::True || *element == Type::None {
            return no;
        }
        let truth = if empty == Truth::False {
            Truth::True
        } else {
            Truth::Maybe
        };
        let part = |name: &str| d.key.as_ref().map(|k| format_smolstr!("{k}.{name}"));
        let mut first = Datum::from_type(element.clone()).with_key(part("h"));
        if let Some(largest) = &d.element {
            first.size.upper = Some(largest.clone());
        }
        let mut weight = None;
        if let Some(counted) = &self.counted {
            let shape = (first.key.clone()).map(|key| Question::Shape { key });
            let answer = shape.and_then(|asked| scope.world.answer(&asked));
            let own = of_element(counted, element, answer);
            first = first.with_weight(own);
            weight = Some(counted.of_rest(d, &first));
        }
        let whole = d.whole.as_ref().filter(|_| d.ty.is_ground());
        if let Some(whole) = whole
            && first.ty.metric() == Some(Metric::Size)
            && first.size.upper.is_none()
        {
            // Each of the other elements has a cell, and a size of at least 1.
            first.size.upper = whole.plus(&d.size.scaled(&rat(-2))).upper;
        }
        let whole = whole.map(|whole| Size {
            upper: whole.shifted(-2).upper,
            ..Size::at_least(1)
        });
        let mut length = d.size.shifted(-1);
        if length
            .lower
            .as_ref()
            .and_then(Expr::as_constant)
            .is_some_and(|c| num_traits::Signed::is_negative(&c))
        {
            length.lower = Some(Expr::zero());
        }
        let rest = Datum {
            whole: whole.map(Box::new),
            ..Datum::sized(d.ty.clone(), length)
                .with_element(d.element.clone())
                .with_weight(weight)
                .with_key(part("t"))
        };
        Ok((truth, vec![(first, head), (rest, tail)]))
    }

    /// Queries the principal functor of a value.
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
        self.has_functor(scope, d, &wanted, scope.terms.args(t))
    }

    /// Queries a functor, or a constant without arguments, by its key.
    pub(crate) fn has_functor(
        &mut self,
        scope: &Scope<'_>,
        d: &Datum,
        wanted: &SmolStr,
        args: &[TermId],
    ) -> Result<(Truth, Vec<(Datum, TermId)>), Split> {
        if let Some(constant) = d.key.as_ref().filter(|key| is_constant(key)) {
            return Ok((Truth::from_bool(constant == wanted), Vec::new()));
        }
        let tree = d.ty.shapes();
        let tree = tree.as_ref();
        if let Some(r) = tree
            && r.shape(wanted).is_none()
            && r.leaf == Type::None
        {
            return Ok((Truth::False, Vec::new()));
        }
        let may_be_unbound = !d.ty.is_bound();
        let trusted = d.ty.is_ground() || self.pure || tree.is_some();
        let answer = if trusted {
            ask_shape(scope, d, wanted)?
        } else {
            None
        };
        let truth = match answer {
            Some(Answer::Is(f)) if f == *wanted => Truth::True,
            Some(Answer::Is(_) | Answer::IsNot(_)) => return Ok((Truth::False, Vec::new())),
            Some(Answer::Unbound) => {
                self.pure = false;
                for &arg in args {
                    self.expose(scope.terms, arg, &Type::Any);
                }
                return Ok((Truth::True, Vec::new()));
            }
            _ => Truth::Maybe,
        };
        if truth == Truth::Maybe && may_be_unbound {
            self.pure = false;
        }
        let arity = args.len();
        let unknown = if d.ty.is_ground() {
            Type::Ground
        } else {
            Type::Any
        };
        let parts = tree
            .and_then(|r| r.arguments(wanted))
            .unwrap_or_else(|| vec![unknown; arity]);
        let children = (args.iter().enumerate())
            .map(|(i, &a)| {
                let key = d.key.as_ref().map(|k| format_smolstr!("{k}.{}", i + 1));
                let mut child = Datum::from_type(parts[i].clone());
                if d.ty.metric() == Some(Metric::Size) {
                    let size = scope.world.part_size(key.as_ref(), &d.size, arity);
                    match child.ty.metric() {
                        // For a value that may be or contain a variable, the size is the label.
                        None if !child.ty.is_ground() => child.size = size,
                        Some(Metric::Size) => child.size = size,
                        Some(Metric::Length) => child = child.list_of_size(&size),
                        _ => {}
                    }
                }
                if d.ty.metric() == Some(Metric::Keys) && child.ty.metric() == Some(Metric::Keys) {
                    child.size = scope.world.branch_keys(key.as_ref(), &d.size);
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
}
