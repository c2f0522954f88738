//! Tests: they bind nothing and take no resolution step; before a body they select the clause.

use costlens_algebra::Expr;
use costlens_body::{Comparison, Goal, TypeTest};
use costlens_catalog::is_locked;
use costlens_syntax::term::{NIL, Term, TermId, Terms};

use super::Runner;
use crate::lattice::datum::Datum;
use crate::lattice::regular::is_constant;
use crate::lattice::size::Size;
use crate::lattice::types::{TextType, Type};
use crate::report::Functor;
use crate::state::asked::{identical, size_is_zero, sizes_equal};
use crate::state::{Binding, Scope, State};
use crate::state::{arith, comparisons};
use crate::world::kinds::decided;
use crate::world::questions::{Answer, Question, Split, Truth, ordered};

impl Runner<'_> {
    /// Runs a test, which binds nothing and takes no resolution step. Returns `None` if the goal is not a test.
    pub(super) fn test(
        &self,
        state: &mut State,
        terms: &Terms,
        goal: Goal<'_>,
    ) -> Result<Option<Truth>, Split> {
        let is_test = match goal {
            Goal::Compare(..) | Goal::CompareTerms(..) => true,
            Goal::Type(test, _) => !self.is_redefined(test),
            _ => false,
        };
        if !is_test {
            return Ok(None);
        }
        let is_param = |e: &Expr| self.is_param(e);
        let here = self.known_here(state);
        let s = Scope {
            world: &here,
            ..self.scope(terms, &is_param)
        };
        Ok(Some(match goal {
            Goal::Compare(op, a, b) => {
                let (truth, may_raise) = comparisons::compare(state, &s, op, a, b)?;
                if may_raise {
                    self.errors.set(true);
                }
                if truth == Truth::Maybe {
                    narrow_integers(state, &s, op, a, b);
                }
                if truth == Truth::Maybe
                    && let Some(c) = comparisons::passed(state, &s, op, a, b)
                {
                    state.passes(&s, c);
                }
                truth
            }
            Goal::CompareTerms(Comparison::Equal, a, b) => self.same(state, &s, a, b)?,
            Goal::CompareTerms(Comparison::NotEqual, a, b) => {
                let truth = self.same(state, &s, a, b)?.negated();
                if truth != Truth::False {
                    state.passes_different(&s, a, b);
                }
                truth
            }
            Goal::CompareTerms(op, a, b) => self.order(state, &s, op, a, b)?,
            Goal::Type(test, t) => self.type_test(state, &s, test, t)?,
            _ => return Ok(None),
        }))
    }

    /// Returns whether the program redefines a type test. Users can redefine unlocked predicates, and often define `is_list/1`.
    pub(super) fn is_redefined(&self, test: TypeTest) -> bool {
        let name = test.predicate();
        !is_locked(name, 1) && self.program.may_redefine(&Functor::new(name, 1))
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
        if let Some(list) = state.compared_with_nil(s.terms, a, b) {
            return size_is_zero(s, &list.size, list.key.as_ref());
        }
        let (d, e) = (state.datum(s.terms, a), state.datum(s.terms, b));
        if d.ty == Type::Free || e.ty == Type::Free {
            // An unbound variable is identical to no other term, not even to a term that contains it.
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
                    return Ok(Truth::from_bool(k == l));
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
        op: Comparison,
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
            let holds = matches!(op, Comparison::LessOrEqual | Comparison::GreaterOrEqual);
            return Ok(Truth::from_bool(holds));
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
        Ok(Truth::from_bool(match op {
            Comparison::Less => *answer == less,
            Comparison::Greater => *answer == greater,
            Comparison::LessOrEqual => *answer != greater,
            _ => *answer != less,
        }))
    }

    pub(super) fn type_test(
        &self,
        state: &mut State,
        s: &Scope<'_>,
        test: TypeTest,
        t: TermId,
    ) -> Result<Truth, Split> {
        let resolved = state.resolve(s.terms, t);
        let d = state.datum(s.terms, resolved);
        if let Some(truth) = type_answer(test, &d.ty, s.terms, resolved) {
            return Ok(truth);
        }
        let learnt = match test {
            TypeTest::Integer => Some(Type::Int),
            TypeTest::Number | TypeTest::Float | TypeTest::Rational => Some(Type::Number),
            TypeTest::Atom if d.ty.text().is_some() => Some(Type::Text(TextType::Atom)),
            TypeTest::String if d.ty.text().is_some() => Some(Type::Text(TextType::String)),
            TypeTest::Atom | TypeTest::Atomic | TypeTest::String | TypeTest::Ground => {
                Some(Type::Ground)
            }
            TypeTest::IsList => Some(Type::list(if d.ty.is_ground() {
                Type::Ground
            } else {
                Type::Any
            })),
            TypeTest::Nonvar | TypeTest::Compound | TypeTest::Callable => Some(Type::Nonvar),
            TypeTest::Var => None,
        };
        let trusted = d.ty.is_ground() || state.pure;
        let mut truth = Truth::Maybe;
        if let (Some(key), true) = (&d.key, trusted) {
            let question = Question::Test {
                test,
                key: key.clone(),
            };
            if let Some(known) = decided(test, &d.ty, key, s.world.answers()) {
                truth = Truth::from_bool(known);
            } else if let Some(answer) = s.world.ask(question, || vec![Answer::Yes, Answer::No])? {
                truth = Truth::from_bool(*answer == Answer::Yes);
            }
        }
        if truth != Truth::False
            && let Some(ty) = learnt
            && let Term::Var(v) = s.terms.get(resolved)
            && matches!(state.values[*v as usize], Binding::Known(_))
        {
            // A test binds nothing, so a value that was unchanged before the test is still the one at the call.
            let met = d.ty.meet(&ty);
            if met != Type::None {
                let mut refined = d.narrowed(&met, self.counted);
                refined.key = d.key.filter(|_| trusted);
                state.values[*v as usize] = Binding::Known(refined);
            }
        }
        Ok(truth)
    }
}

/// Decides whether a type test such as `var/1` holds for a term `t` of the given type. Returns `None` if the type does not decide the test,
/// or if the name is not a type test.
#[must_use]
pub fn type_test(name: &str, ty: &Type, terms: &Terms, t: TermId) -> Option<bool> {
    match type_answer(TypeTest::from_predicate(name)?, ty, terms, t)? {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Maybe => None,
    }
}

/// Decides a type test from the type alone.
fn type_answer(test: TypeTest, ty: &Type, terms: &Terms, t: TermId) -> Option<Truth> {
    let is = |b: bool| Some(Truth::from_bool(b));
    match test {
        TypeTest::Var => match ty {
            Type::Free => is(true),
            ty if ty.is_bound() => is(false),
            _ => None,
        },
        TypeTest::Nonvar => match ty {
            Type::Free => is(false),
            ty if ty.is_bound() => is(true),
            _ => None,
        },
        _ if *ty == Type::Free => is(false),
        TypeTest::Integer => match ty {
            Type::Int => is(true),
            Type::Atom | Type::Text(_) | Type::List(_) => is(false),
            _ => None,
        },
        TypeTest::Number => match ty {
            Type::Int | Type::Number => is(true),
            Type::Atom | Type::Text(_) | Type::List(_) => is(false),
            _ => None,
        },
        TypeTest::Float => match ty {
            Type::Int | Type::Atom | Type::Text(_) | Type::List(_) => is(false),
            _ => None,
        },
        TypeTest::String => match ty.text() {
            Some(TextType::Atom) => is(false),
            Some(TextType::String) => is(true),
            Some(TextType::Either) => None,
            None if matches!(ty, Type::Int | Type::Number | Type::List(_)) => is(false),
            None => None,
        },
        TypeTest::Atom => match (ty, ty.text(), terms.get(t)) {
            (_, _, Term::Atom(a)) => is(a != NIL),
            (_, Some(TextType::Atom), _) => is(true),
            (_, Some(TextType::String), _) => is(false),
            // SWI-Prolog's `[]` is not an atom.
            (Type::Int | Type::Number | Type::List(_), ..) => is(false),
            _ => None,
        },
        TypeTest::Atomic => match ty {
            ty if ty.is_constant() => is(true),
            _ => None,
        },
        TypeTest::Compound => match ty {
            ty if ty.is_constant() => is(false),
            _ => None,
        },
        TypeTest::IsList => match ty {
            Type::List(_) => is(true),
            ty if ty.is_constant() => is(false),
            _ => None,
        },
        TypeTest::Ground if ty.is_ground() => is(true),
        TypeTest::Ground | TypeTest::Rational | TypeTest::Callable => None,
    }
}

/// Applies the range that a successful comparison implies to an unknown integer, such as a list element: `C > 0`.
fn narrow_integers(state: &mut State, s: &Scope<'_>, op: Comparison, a: TermId, b: TermId) {
    for (one, other, op) in [(a, b, op), (b, a, op.turned())] {
        let Term::Var(v) = *s.terms.get(state.resolve(s.terms, one)) else {
            continue;
        };
        let is_open = |value: &Binding| matches!(value, Binding::Known(d) if d.ty == Type::Int && d.size == Size::unknown());
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
            Comparison::GreaterOrEqual => Size { lower, upper: None },
            Comparison::Less => Size {
                lower: None,
                upper: upper.map(|e| &e - &one),
            },
            Comparison::LessOrEqual => Size { lower: None, upper },
            Comparison::Equal => Size { lower, upper },
            Comparison::NotEqual => continue,
        };
        if let Binding::Known(datum) = &mut state.values[v as usize] {
            datum.size = size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `p(X) :- fill(X).` with an unbound `X`: a unary predicate that is not a type test is not taken for a failing test.
    #[test]
    fn other_predicates_are_no_tests() {
        let mut terms = Terms::default();
        let x = terms.push(Term::Var(0));
        let of = |name| type_test(name, &Type::Free, &terms, x);
        assert_eq!(of("fill"), None);
        assert_eq!(of("integer"), Some(false));
        assert_eq!(of("var"), Some(true));
    }
}
