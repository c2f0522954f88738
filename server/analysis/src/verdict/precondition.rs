//! Detects contradictory preconditions. No call satisfies them, so no property of such calls is proved or refuted.

use costlens_infer::regular::known_type;
use costlens_infer::types::{TextType, Type};
use costlens_program::{Functor, SourceFile, resolve, stated};
use costlens_syntax::Dialect;
use costlens_syntax::assertions::{
    Argument, Assertion, DeclaredType, Mode, Property, SizeLimit, SizeMetric,
};
use num_bigint::BigInt;
use smol_str::SmolStr;

use super::message::argument_name;
use crate::db::Db;
use crate::regular_queries::regulars;

/// Returns the assertions of a file whose preconditions no call satisfies, by their indices in [`stated`], each with its contradiction.
pub fn contradictions(db: &dyn Db, file: SourceFile) -> Vec<(usize, String)> {
    let all = stated(db, file).iter().enumerate();
    all.filter_map(|(index, assertion)| Some((index, contradiction(db, file, assertion)?)))
        .collect()
}

/// Returns the contradiction in an assertion's precondition: `A is list and var`.
pub(super) fn contradiction(
    db: &dyn Db,
    file: SourceFile,
    assertion: &Assertion,
) -> Option<String> {
    let types = regulars(db, file);
    let is_swi = file.parsed(db).dialect() == Dialect::Swi;
    let known = |declared: &DeclaredType| known_type(declared, types);
    let arguments = assertion.arguments.iter().enumerate();
    let by_type = { arguments }.find_map(|(place, argument)| {
        let declared = declared(argument);
        let pairs = declared.iter().enumerate();
        let mut pairs = { pairs }.flat_map(|(i, a)| declared[..i].iter().map(move |b| (b, a)));
        let (a, b) = pairs.find(|(a, b)| {
            let (Some(a), Some(b)) = (known(a), known(b)) else {
                return false;
            };
            are_disjoint(&a, &b, is_swi)
        })?;
        let name = argument_name(assertion, place);
        Some(format!("{name} is {} and {}", word(a), word(b)))
    });
    by_type.or_else(|| by_size(assertion))
}

/// Returns the reason why it is unknown whether any call satisfies the precondition: two conditions on one argument that may exclude each
/// other.
pub(super) fn doubt(assertion: &Assertion) -> Option<String> {
    let mut arguments = assertion.arguments.iter().enumerate();
    arguments.find_map(|(place, argument)| {
        let all: Vec<&DeclaredType> = argument.also.iter().chain(&argument.call).collect();
        let pairs = all.iter().enumerate();
        let mut pairs = pairs.flat_map(|(i, a)| all[..i].iter().map(move |b| (*a, *b)));
        let is_doubtful = pairs.any(|(a, b)| match (a, b) {
            (DeclaredType::Any | DeclaredType::Parameter(_), _)
            | (_, DeclaredType::Any | DeclaredType::Parameter(_)) => false,
            (a, b) => argument.inexact || !(have_common_terms(a, b) || have_common_terms(b, a)),
        });
        is_doubtful.then(|| {
            let name = argument_name(assertion, place);
            format!(
                "the precondition has two conditions on {name}, and no call may satisfy both: state one type"
            )
        })
    })
}

/// Returns whether some term is known to have both types. For two list types, the term must be a nonempty list.
fn have_common_terms(a: &DeclaredType, b: &DeclaredType) -> bool {
    use DeclaredType as D;
    match (a, b) {
        (D::Any, _) => true,
        (D::Nonvar, other) => *other != D::Var,
        (D::Ground, D::List(element)) => {
            have_common_terms(&D::Ground, element) || **element == D::Any
        }
        (D::Ground, other) => !matches!(other, D::Var | D::Named(_) | D::Opaque(..)),
        (D::Number | D::Int | D::NonNegative, D::Int | D::NonNegative | D::Positive) => true,
        (D::AtomOrString, D::Atom | D::String) => true,
        (D::List(a), D::List(b)) => have_common_terms(a, b) || have_common_terms(b, a),
        (a, b) => a == b,
    }
}

/// Returns the smallest integer that an argument's declared call types allow.
pub(super) fn least_integer(argument: &Argument) -> Option<i64> {
    let least = |declared: DeclaredType| match declared {
        DeclaredType::NonNegative => Some(0),
        DeclaredType::Positive => Some(1),
        _ => None,
    };
    declared(argument).into_iter().filter_map(least).max()
}

/// Returns the declared call types of an argument, including the type implied by its mode.
fn declared(argument: &Argument) -> Vec<DeclaredType> {
    let mut all = Vec::new();
    match argument.mode {
        Some(Mode::GroundIn) => all.push(DeclaredType::Ground),
        Some(Mode::In) => all.push(DeclaredType::Nonvar),
        _ => {}
    }
    all.extend(argument.also.iter().cloned());
    // In `-A:list`, the type applies on success.
    if !matches!(argument.mode, Some(Mode::Out | Mode::Fresh)) {
        all.extend(argument.call.clone());
    }
    all
}

fn word(declared: &DeclaredType) -> String {
    match declared {
        DeclaredType::Any => "any".to_owned(),
        DeclaredType::Var => "var".to_owned(),
        DeclaredType::Nonvar => "nonvar".to_owned(),
        DeclaredType::Ground => "ground".to_owned(),
        DeclaredType::String => "string".to_owned(),
        DeclaredType::AtomOrString => "atom_or_string".to_owned(),
        DeclaredType::Int => "int".to_owned(),
        DeclaredType::NonNegative => "nat".to_owned(),
        DeclaredType::Positive => "positive_integer".to_owned(),
        DeclaredType::Number => "num".to_owned(),
        DeclaredType::Atom => "atm".to_owned(),
        DeclaredType::List(_) => "list".to_owned(),
        DeclaredType::Opaque(name, _) => name.name().to_owned(),
        DeclaredType::Parameter(_) => "any".to_owned(),
        DeclaredType::Named(name) => name.to_string(),
    }
}

/// Returns whether no term has both types. In dialects other than SWI-Prolog's, `[]` is an atom and a string is a list.
pub(super) fn are_disjoint(a: &Type, b: &Type, is_swi: bool) -> bool {
    let is_atom = |t: &Type| {
        matches!(
            t,
            Type::Atom | Type::Text(TextType::Atom | TextType::Either)
        )
    };
    match (a, b) {
        (Type::None, _) | (_, Type::None) | (Type::Any, _) | (_, Type::Any) => false,
        (Type::Free, other) | (other, Type::Free) => other.is_bound(),
        (Type::Tree(_), _) | (_, Type::Tree(_)) | (Type::List(_), Type::List(_)) => false,
        (Type::List(_), other) | (other, Type::List(_))
            if is_atom(other) || *other == Type::Text(TextType::String) =>
        {
            is_swi
        }
        (a, b) => a.meet(b) == Type::None,
    }
}

/// Returns a description of a size limit that excludes another limit, or every size of the type.
fn by_size(assertion: &Assertion) -> Option<String> {
    let limits = &assertion.limits;
    let meets = |a: &SizeLimit, b: &SizeLimit| {
        let same = a.metric.is_none() || b.metric.is_none() || a.metric == b.metric;
        a.argument == b.argument && same
    };
    for limit in limits {
        let of = |metric: Option<SizeMetric>| {
            let name = argument_name(assertion, limit.argument);
            match metric {
                Some(metric) => format!("{}({name})", metric.name()),
                None => name,
            }
        };
        let Some(most) = &limit.at_most else { continue };
        let least = (limits.iter().filter(|other| meets(limit, other)))
            .filter_map(|other| other.at_least.as_ref())
            .max();
        if let Some(least) = least.filter(|least| *least > most) {
            return Some(format!(
                "{} is at least {least} and at most {most}",
                of(limit.metric)
            ));
        }
        let argument = assertion.arguments.get(limit.argument);
        let least = match (limit.metric, argument.and_then(|a| a.call.as_ref())) {
            (
                Some(SizeMetric::Length | SizeMetric::Chars | SizeMetric::Depth | SizeMetric::Keys),
                _,
            ) => Some(0),
            (None, Some(DeclaredType::List(_))) => Some(0),
            (Some(SizeMetric::Size), _) => Some(1),
            _ => argument.and_then(least_integer),
        };
        if let Some(least) = least.filter(|&least| BigInt::from(least) > *most) {
            return Some(format!(
                "{} is at most {most}, and never below {least}",
                of(limit.metric)
            ));
        }
    }
    None
}

/// Returns the unknown types in a file's assertions, each with the assertion's index in [`stated`].
pub fn unknown_types(db: &dyn Db, file: SourceFile) -> Vec<(usize, SmolStr)> {
    let types = regulars(db, file);
    let mut found = Vec::new();
    for (index, assertion) in stated(db, file).iter().enumerate() {
        let of_arguments = assertion.arguments.iter().flat_map(|a| {
            let on_call = a.also.iter().chain(&a.call);
            on_call.chain(&a.success)
        });
        let of_success = assertion
            .properties
            .iter()
            .filter_map(|p| match &p.property {
                Property::Success(_, declared, _) => Some(declared),
                _ => None,
            });
        for mut declared in of_arguments.chain(of_success) {
            while let DeclaredType::List(element) = declared {
                declared = element;
            }
            let DeclaredType::Named(name) = declared else {
                continue;
            };
            let is_known =
                types.is_named(name) || resolve(db, file, &Functor::new(name.clone(), 1)).is_some();
            if !is_known && !found.contains(&(index, name.clone())) {
                found.push((index, name.clone()));
            }
        }
    }
    found
}
