//! Tests: they bind nothing and take no step, and in front of a body they select the clause.

use costlens_algebra::Expr;
use costlens_catalog::{is_locked, is_type_test};
use costlens_syntax::term::{NIL, Term, TermId, Terms};

use super::Runner;
use crate::lattice::datum::Datum;
use crate::lattice::regular::is_constant;
use crate::lattice::size::Size;
use crate::lattice::types::{Text, Type};
use crate::report::Functor;
use crate::state::arith::{self, Comparison};
use crate::state::asked::{identical, sizes_equal};
use crate::state::{Scope, State, Value};
use crate::world::kinds::decided;
use crate::world::questions::{Answer, Question, Split, Truth, ordered};

impl Runner<'_> {
    /// Tests: they bind nothing and take no step. None if the goal is no test.
    pub(super) fn test(
        &self,
        state: &mut State,
        terms: &Terms,
        goal: TermId,
    ) -> Result<Option<Truth>, Split> {
        let Some((name, _)) = terms.functor(goal) else {
            return Ok(None);
        };
        let is_param = |e: &Expr| self.is_param(e);
        let here = self.known_here(state);
        let s = Scope {
            world: &here,
            ..self.scope(terms, &is_param)
        };
        match *terms.args(goal) {
            [a, b] => {
                if let Some(op) = Comparison::of(name) {
                    let (truth, may_raise) = arith::compare(state, &s, op, a, b)?;
                    if may_raise {
                        self.errors.set(true);
                    }
                    if truth == Truth::Maybe {
                        narrow_integers(state, &s, op, a, b);
                    }
                    if truth == Truth::Maybe
                        && let Some(c) = arith::passed(state, &s, op, a, b)
                    {
                        state.passes(&s, c);
                    }
                    return Ok(Some(truth));
                }
                let truth = match name.as_str() {
                    "==" => self.same(state, &s, a, b)?,
                    "\\==" => match self.same(state, &s, a, b)? {
                        Truth::True => Truth::False,
                        Truth::False => Truth::True,
                        Truth::Maybe => Truth::Maybe,
                    },
                    "@<" | "@=<" | "@>" | "@>=" => self.order(state, &s, name, a, b)?,
                    _ => return Ok(None),
                };
                Ok(Some(truth))
            }
            [a] if is_type_test(name, 1) && !self.is_redefined(name) => {
                self.type_test(state, &s, name, a).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Type tests that are not locked can be defined by the user (`is_list/1` often is).
    pub(super) fn is_redefined(&self, name: &str) -> bool {
        is_type_test(name, 1)
            && !is_locked(name, 1)
            && self.program.may_redefine(&Functor::new(name, 1))
    }

    pub(super) fn same(
        &self,
        state: &State,
        s: &Scope<'_>,
        a: TermId,
        b: TermId,
    ) -> Result<Truth, Split> {
        let (ra, rb) = (state.resolve(s.terms, a), state.resolve(s.terms, b));
        if ra == rb
            || matches!((s.terms.get(ra), s.terms.get(rb)), (Term::Var(v), Term::Var(w)) if v == w)
        {
            return Ok(Truth::True);
        }
        let (d, e) = (state.datum(s.terms, a), state.datum(s.terms, b));
        if d.ty == Type::Free || e.ty == Type::Free {
            // An unbound variable is identical to nothing else; and a term that holds it is not the variable.
            return Ok(Truth::False);
        }
        if d.ty.meet(&e.ty) == Type::None
            && !(matches!(d.ty, Type::List(_)) && matches!(e.ty, Type::List(_)))
        {
            return Ok(Truth::False);
        }
        if d.ty == Type::Int
            && e.ty == Type::Int
            && let Some(truth) = sizes_equal(s, &d.size, &e.size)?
        {
            return Ok(truth);
        }
        let trusted = |d: &Datum| d.ty.is_ground() || state.pure;
        if trusted(&d) && trusted(&e) {
            if let (Some(k), Some(l)) = (&d.key, &e.key) {
                let constants = is_constant(k) && is_constant(l);
                if constants {
                    return Ok(Truth::of(k == l));
                }
            }
            return identical(s, &d, &e);
        }
        Ok(Truth::Maybe)
    }

    pub(super) fn order(
        &self,
        state: &State,
        s: &Scope<'_>,
        name: &str,
        a: TermId,
        b: TermId,
    ) -> Result<Truth, Split> {
        let (d, e) = (state.datum(s.terms, a), state.datum(s.terms, b));
        let trusted = |d: &Datum| d.ty.is_ground() || (state.pure && d.ty != Type::Free);
        let (Some(k), Some(l)) = (&d.key, &e.key) else {
            return Ok(Truth::Maybe);
        };
        if !(trusted(&d) && trusted(&e)) {
            return Ok(Truth::Maybe);
        }
        if k == l {
            return Ok(Truth::of(matches!(name, "@=<" | "@>=")));
        }
        let (k, l, swapped) = ordered(k, l);
        let cases = || vec![Answer::Less, Answer::Same, Answer::Greater];
        let Some(answer) = s.world.ask(Question::Terms { a: k, b: l }, cases)? else {
            return Ok(Truth::Maybe);
        };
        let (less, greater) = if swapped {
            (Answer::Greater, Answer::Less)
        } else {
            (Answer::Less, Answer::Greater)
        };
        Ok(Truth::of(match name {
            "@<" => *answer == less,
            "@>" => *answer == greater,
            "@=<" => *answer != greater,
            _ => *answer != less,
        }))
    }

    pub(super) fn type_test(
        &self,
        state: &mut State,
        s: &Scope<'_>,
        name: &str,
        t: TermId,
    ) -> Result<Truth, Split> {
        let resolved = state.resolve(s.terms, t);
        let d = state.datum(s.terms, resolved);
        if let Some(truth) = type_answer(name, &d.ty, s.terms, resolved) {
            return Ok(truth);
        }
        let learnt = match name {
            "integer" => Some(Type::Int),
            "number" | "float" | "rational" => Some(Type::Number),
            "atom" if d.ty.text().is_some() => Some(Type::Text(Text::Atom)),
            "string" if d.ty.text().is_some() => Some(Type::Text(Text::String)),
            "atom" | "atomic" | "string" | "ground" => Some(Type::Ground),
            "is_list" => Some(Type::list(if d.ty.is_ground() {
                Type::Ground
            } else {
                Type::Any
            })),
            "nonvar" | "compound" | "callable" => Some(Type::Nonvar),
            _ => None,
        };
        let trusted = d.ty.is_ground() || state.pure;
        let mut truth = Truth::Maybe;
        if let (Some(key), true) = (&d.key, trusted) {
            let question = Question::Test {
                name: name.into(),
                key: key.clone(),
            };
            if let Some(known) = decided(name, &d.ty, key, s.world.answers()) {
                truth = Truth::of(known);
            } else if let Some(answer) = s.world.ask(question, || vec![Answer::Yes, Answer::No])? {
                truth = Truth::of(*answer == Answer::Yes);
            }
        }
        if truth != Truth::False
            && let Some(ty) = learnt
            && let Term::Var(v) = s.terms.get(resolved)
            && matches!(state.values[*v as usize], Value::Known(_))
        {
            // A test binds nothing: where the value was untouched before, it still is the one at the call.
            let met = d.ty.meet(&ty);
            if met != Type::None {
                let mut refined = d.narrowed(&met, self.counted);
                refined.key = d.key.filter(|_| trusted);
                state.values[*v as usize] = Value::Known(refined);
            }
        }
        Ok(truth)
    }
}

/// Tells whether a type test such as `var/1` holds for a term `t` of a type; none where the type does not tell, or it is no such test.
#[must_use]
pub fn type_test(name: &str, ty: &Type, terms: &Terms, t: TermId) -> Option<bool> {
    match type_answer(name, ty, terms, t)? {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Maybe => None,
    }
}

/// Decides a type test by the type alone.
fn type_answer(name: &str, ty: &Type, terms: &Terms, t: TermId) -> Option<Truth> {
    let is = |b: bool| Some(Truth::of(b));
    match name {
        "var" => match ty {
            Type::Free => is(true),
            ty if ty.is_bound() => is(false),
            _ => None,
        },
        "nonvar" => match ty {
            Type::Free => is(false),
            ty if ty.is_bound() => is(true),
            _ => None,
        },
        _ if *ty == Type::Free => is(false),
        "integer" => match ty {
            Type::Int => is(true),
            Type::Atom | Type::Text(_) | Type::List(_) => is(false),
            _ => None,
        },
        "number" => match ty {
            Type::Int | Type::Number => is(true),
            Type::Atom | Type::Text(_) | Type::List(_) => is(false),
            _ => None,
        },
        "float" => match ty {
            Type::Int | Type::Atom | Type::Text(_) | Type::List(_) => is(false),
            _ => None,
        },
        "string" => match ty.text() {
            Some(Text::Atom) => is(false),
            Some(Text::String) => is(true),
            Some(Text::Either) => None,
            None if matches!(ty, Type::Int | Type::Number | Type::List(_)) => is(false),
            None => None,
        },
        "atom" => match (ty, ty.text(), terms.get(t)) {
            (_, _, Term::Atom(a)) => is(a != NIL),
            (_, Some(Text::Atom), _) => is(true),
            (_, Some(Text::String), _) => is(false),
            // SWI-Prolog's `[]` is no atom.
            (Type::Int | Type::Number | Type::List(_), ..) => is(false),
            _ => None,
        },
        "atomic" => match ty {
            ty if ty.is_constant() => is(true),
            _ => None,
        },
        "compound" => match ty {
            ty if ty.is_constant() => is(false),
            _ => None,
        },
        "is_list" => match ty {
            Type::List(_) => is(true),
            ty if ty.is_constant() => is(false),
            _ => None,
        },
        "ground" if ty.is_ground() => is(true),
        _ => None,
    }
}

/// Keeps what a comparison that holds tells of an integer of which nothing is known, such as an element of a list: `C > 0`.
fn narrow_integers(state: &mut State, s: &Scope<'_>, op: Comparison, a: TermId, b: TermId) {
    for (one, other, op) in [(a, b, op), (b, a, op.swapped())] {
        let Term::Var(v) = *s.terms.get(state.resolve(s.terms, one)) else {
            continue;
        };
        let is_open = |value: &Value| matches!(value, Value::Known(d) if d.ty == Type::Int && d.size == Size::unknown());
        if !is_open(&state.values[v as usize]) {
            continue;
        }
        let with = arith::evaluate(state, s, other).datum;
        if with.ty != Type::Int {
            continue;
        }
        let one = Expr::int(1);
        let (lower, upper) = (with.size.lower, with.size.upper);
        let size = match op {
            Comparison::Greater => Size {
                lower: lower.map(|e| &e + &one),
                upper: None,
            },
            Comparison::GreaterEqual => Size { lower, upper: None },
            Comparison::Less => Size {
                lower: None,
                upper: upper.map(|e| &e - &one),
            },
            Comparison::LessEqual => Size { lower: None, upper },
            Comparison::Equal => Size { lower, upper },
            Comparison::NotEqual => continue,
        };
        if let Value::Known(datum) = &mut state.values[v as usize] {
            datum.size = size;
        }
    }
}
