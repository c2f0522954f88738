//! The standard order of generated terms.

use std::cmp::Ordering;

use costlens_syntax::term::{Term, TermId, Terms};
use num_traits::ToPrimitive as _;

/// Compares two terms in the standard order; numbers by value, where a float comes before an equal integer.
pub(super) fn compare(terms: &Terms, a: TermId, b: TermId) -> Ordering {
    let mut stack = vec![(a, b)];
    while let Some((a, b)) = stack.pop() {
        if a == b {
            continue;
        }
        let (x, y) = (terms.get(a), terms.get(b));
        let order = match (x, y) {
            (Term::Var(v), Term::Var(w)) => v.cmp(w),
            (Term::Integer(n), Term::Integer(m)) => n.cmp(m),
            (Term::Integer(_) | Term::Float(_), Term::Integer(_) | Term::Float(_)) => {
                let is_integer = |t: &Term| matches!(t, Term::Integer(_));
                value(x)
                    .total_cmp(&value(y))
                    .then(is_integer(x).cmp(&is_integer(y)))
            }
            (Term::Atom(n), Term::Atom(m)) | (Term::String(n), Term::String(m)) => n.cmp(m),
            (Term::Compound(n, _), Term::Compound(m, _)) => {
                let (s, t) = (terms.args(a), terms.args(b));
                let order = s.len().cmp(&t.len()).then_with(|| n.cmp(m));
                if order == Ordering::Equal {
                    stack.extend(s.iter().copied().zip(t.iter().copied()).rev());
                }
                order
            }
            _ => rank(x).cmp(&rank(y)),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

fn value(number: &Term) -> f64 {
    match number {
        Term::Integer(n) => n.to_f64().unwrap_or(f64::INFINITY),
        Term::Float(bits) => f64::from_bits(*bits),
        _ => 0.0,
    }
}

fn rank(term: &Term) -> u8 {
    match term {
        Term::Var(_) | Term::Error => 0,
        Term::Integer(_) | Term::Float(_) | Term::Rational(_) => 1,
        Term::String(_) => 2,
        Term::Atom(_) => 3,
        Term::Compound(..) => 4,
    }
}
