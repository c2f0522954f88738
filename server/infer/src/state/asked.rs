//! Queries of a run during unification and comparison: shapes, sizes, and whether two values are equal.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_algebra::Expr;
use costlens_algebra::linear::Constraint;
use smol_str::SmolStr;

use super::Scope;
use crate::lattice::datum::Datum;
use crate::lattice::regular::{Regular, is_constant};
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::world::questions::{Answer, Question, Split, Truth, ordered};

/// Queries whether a value has the given principal functor. Returns `None` if the query is not allowed.
pub(super) fn ask_shape(
    scope: &Scope<'_>,
    d: &Datum,
    wanted: &SmolStr,
) -> Result<Option<Answer>, Split> {
    let Some(key) = &d.key else {
        return Ok(None);
    };
    let tree = d.ty.shapes();
    let tree = tree.as_ref();
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

/// Returns the cases: the principal functor is the given functor, or none of those queried so far. If the type has no other shape, the
/// second case is omitted.
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

/// Returns whether two integer sizes are equal, or `None` if neither exact sizes nor intervals decide this.
pub(crate) fn sizes_equal(scope: &Scope<'_>, a: &Size, b: &Size) -> Result<Option<Truth>, Split> {
    let (Some(a), Some(b)) = (a.as_exact(), b.as_exact()) else {
        return Ok(None);
    };
    let difference = a - b;
    if let Some(c) = difference.as_constant() {
        return Ok(Some(Truth::from_bool(num_traits::Zero::is_zero(&c))));
    }
    match Constraint::eq(a, b) {
        Some(c) => {
            let truth = scope.world.sizes(&c, (scope.is_param)(&difference))?;
            Ok((truth != Truth::Maybe).then_some(truth))
        }
        None => Ok(None),
    }
}

pub(crate) fn size_is_zero(
    scope: &Scope<'_>,
    size: &Size,
    key: Option<&SmolStr>,
) -> Result<Truth, Split> {
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
    if let Some(upper) = &size.upper
        && let Some(c) = Constraint::le(upper, &Expr::zero())
        && scope.world.region().implies(&c)
    {
        return Ok(Truth::True);
    }
    let Some(key) = key else {
        return Ok(Truth::Maybe);
    };
    // For a list inside an argument (`[Xs|Xss]`), the spine is bound, so every clause sees the same value.
    let question = Question::Shape { key: key.clone() };
    let cases = || vec![Answer::Is("[]".into()), Answer::IsNot(["[]".into()].into())];
    Ok(match scope.world.ask(question, cases)? {
        Some(Answer::Is(f)) if f == "[]" => Truth::True,
        Some(Answer::IsNot(set)) if set.contains("[]") => Truth::False,
        _ => Truth::Maybe,
    })
}

/// Returns whether two values unify. The clause must not have bound them further, so that the query refers to their bindings at the call.
pub(super) fn unifiable(scope: &Scope<'_>, d: &Datum, e: &Datum) -> Result<Truth, Split> {
    let (Some(a), Some(b)) = (&d.key, &e.key) else {
        return Ok(Truth::Maybe);
    };
    if d.ty == Type::Free || e.ty == Type::Free || is_constant(a) || is_constant(b) {
        return Ok(Truth::Maybe);
    }
    let (a, b, _) = ordered(a, b);
    let cases = || vec![Answer::Yes, Answer::No];
    let answer = scope.world.ask(Question::Unifiable { a, b }, cases)?;
    Ok(match answer {
        Some(Answer::Yes) => Truth::True,
        Some(_) => Truth::False,
        None => Truth::Maybe,
    })
}

/// Returns whether two values that no clause has bound further are the same term.
pub(crate) fn identical(scope: &Scope<'_>, d: &Datum, e: &Datum) -> Result<Truth, Split> {
    let (Some(a), Some(b)) = (&d.key, &e.key) else {
        return Ok(Truth::Maybe);
    };
    if a == b {
        return Ok(Truth::True);
    }
    if is_constant(a) && is_constant(b) {
        return Ok(Truth::False);
    }
    // Being a constant is a property of a value's shape, which the heads of clauses also query.
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
            Some(Answer::Is(f)) => Truth::from_bool(f == *constant),
            Some(Answer::IsNot(set)) if set.contains(constant) => Truth::False,
            Some(Answer::Unbound) => Truth::False,
            _ => Truth::Maybe,
        });
    }
    let (a, b, _) = ordered(a, b);
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
