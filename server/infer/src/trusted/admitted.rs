//! The calls to which a `trust` assertion applies.
//!
//! In other contexts it is sound to widen a type, since bounds are then proved for more calls than declared. For preconditions the opposite
//! holds: an assertion about `boolean(X)` does not apply to other atoms. A type that is not represented exactly therefore admits no calls.

use costlens_algebra::linear::Constraint;
use costlens_algebra::{Expr, Rat};
use costlens_syntax::assertions::{Argument, DeclaredType, Mode};
use num_bigint::BigInt;

use super::TrustedAssertion;
use crate::lattice::regular::{Regulars, known_type};
use crate::lattice::types::{Metric, Type};
use crate::summary::node::Node;

/// Returns the limits on a call's sizes within which a line applies, or `None` if the line does not apply to calls of this pattern.
pub(super) fn limits(line: &TrustedAssertion<'_>, node: &Node) -> Option<Vec<Constraint>> {
    let assertion = line.assertion;
    if assertion.unknown_precondition || assertion.arguments.len() != node.pattern.0.len() {
        return None;
    }
    let mut limits = Vec::new();
    let mut at_least = |argument: usize, least: i64| {
        let v = node.params.iter().find(|p| {
            p.slot.argument == argument && p.slot.metric == Metric::Int && !p.slot.element
        })?;
        limits.push(Constraint::ge(&Expr::var(v.var), &Expr::int(least))?);
        Some(())
    };
    for (i, (argument, of)) in assertion.arguments.iter().zip(&node.pattern.0).enumerate() {
        if !of.is_within(&required(argument, line.types)?) {
            return None;
        }
        if is_input(argument) {
            match argument.call {
                Some(DeclaredType::NonNegative) => at_least(i, 0)?,
                Some(DeclaredType::Positive) => at_least(i, 1)?,
                _ => {}
            }
        }
    }
    for limit in &assertion.limits {
        let v = Expr::var(node.measure(limit.metric, limit.argument)?);
        let number = |n: &BigInt| Expr::constant(Rat::from_integer(n.clone()));
        if let Some(least) = &limit.at_least {
            limits.push(Constraint::ge(&v, &number(least))?);
        }
        if let Some(most) = &limit.at_most {
            limits.push(Constraint::le(&v, &number(most))?);
        }
    }
    Some(limits)
}

/// Returns whether an argument's type is a precondition; in `-Xs:list` it describes success.
pub(super) fn is_input(argument: &Argument) -> bool {
    !matches!(argument.mode, Some(Mode::Out | Mode::Fresh))
}

/// Returns the type that an argument must have, or `None` if it is not represented exactly.
fn required(argument: &Argument, types: &Regulars) -> Option<Type> {
    if !is_input(argument) {
        return Some(Type::Free);
    }
    let declared = match &argument.call {
        Some(_) if argument.narrower => return None,
        Some(declared) => exact(declared, types)?,
        None => Type::Any,
    };
    Some(match argument.mode {
        Some(Mode::GroundIn) if declared == Type::Any => Type::Ground,
        Some(Mode::GroundIn) if declared.is_ground() => declared,
        Some(Mode::GroundIn) => return None,
        Some(Mode::In) if declared == Type::Any => Type::Nonvar,
        Some(Mode::In) if declared == Type::Free => return None,
        // `:G` and `!T`: the analysis does not follow closures or mutable terms.
        Some(Mode::Meta | Mode::Mutable) => return None,
        _ => declared,
    })
}

/// Checks that the analysis represents the type of an element, key or value exactly.
fn exact_inside(declared: &DeclaredType, types: &Regulars) -> Option<()> {
    match declared {
        DeclaredType::NonNegative | DeclaredType::Positive | DeclaredType::Var => None,
        declared => exact(declared, types).map(|_| ()),
    }
}

/// Returns a declared type, if the analysis represents it exactly.
fn exact(declared: &DeclaredType, types: &Regulars) -> Option<Type> {
    match declared {
        DeclaredType::Named(name) if !types.is_exact(name) => return None,
        DeclaredType::List(element) => exact_inside(element, types)?,
        DeclaredType::Opaque(_, contents) => {
            exact_inside(&contents.0, types)?;
            exact_inside(&contents.1, types)?;
        }
        _ => {}
    }
    let known = known_type(declared, types)?;
    // If the program defines a type with the name of a predefined one, the name is ambiguous.
    let alone = !types.has_own(declared);
    // Lists nested too deeply are represented by a wider type.
    let whole = !matches!(
        (declared, &known),
        (DeclaredType::List(_), Type::Nonvar | Type::Ground)
    );
    (alone && whole).then_some(known)
}
