//! Combines inferred and trusted bounds: of each pair of bounds, the better bound is used.

use std::cmp::Ordering;

use costlens_algebra::Expr;
use costlens_algebra::compare::{Approx, Bound, Piece, Verdict, judge};
use costlens_algebra::growth::{compare, growth};
use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_recurrences::{SolvedPiece, Value};

use crate::lattice::types::{Metric, Type};
use crate::summary::Summary;
use crate::summary::names::named;
use crate::summary::pieces::{Pieces, Sides, at_most};
use crate::summary::work::{Work, WorkBounds};
use crate::trusted::node_alone;

/// Returns the inferred summary with trusted bounds in place of unknown or weaker bounds, or `None` if no bound improves. Both summaries
/// must cover the same calls and use the same variables for sizes. If the clauses refute a trusted bound for some sizes of a piece, the
/// bound is not used for the piece.
#[must_use]
pub fn better(inferred: &Summary, trusted: &Summary) -> Option<Summary> {
    let mut both = inferred.clone();
    let domain = &inferred.domain;
    both.all = sides(&inferred.all, &trusted.all, domain);
    both.first = sides(&inferred.first, &trusted.first, domain);
    both.first.upper = at_most(both.first.upper, &both.all.upper);
    both.solutions = sides(&inferred.solutions, &trusted.solutions, domain);
    both.work = work(inferred, trusted, both.all.upper != inferred.all.upper);
    both.errors_possible &= trusted.errors_possible;
    types_and_outputs(&mut both, inferred, trusted);
    if both == *inferred {
        return None;
    }
    let unknown = |p: &SolvedPiece| matches!(p.value, Value::Unknown(_));
    if !both.all.upper.iter().any(unknown) {
        both.unknown.clear();
    }
    let node = node_alone(&both.predicate, &both.pattern);
    both.params = named(&node, &both);
    for id in &trusted.rests_on {
        if !both.rests_on.contains(id) {
            both.rests_on.push(id.clone());
        }
    }
    Some(both)
}

/// Returns the better work. Stated work is preferred: the source of a library may call C code whose work is not known. Work that is bounded
/// by the inferred steps is no longer bounded by trusted steps.
fn work(inferred: &Summary, trusted: &Summary, are_other_steps: bool) -> Work {
    let is_known = match &inferred.work {
        Work::OfSteps(_) => true,
        Work::OfBound(_) => !are_other_steps,
        Work::Bounds(bounds) => {
            let mut upper = bounds.all.upper.iter();
            !upper.any(|p| matches!(p.value, Value::Unknown(_)))
        }
        Work::Unknown => false,
    };
    let is_whole = |bounds: &WorkBounds| {
        let mut upper = bounds.all.upper.iter();
        !upper.any(|p| matches!(p.value, Value::Unknown(_)))
    };
    match (&trusted.work, &inferred.work) {
        (Work::Bounds(stated), _) if is_whole(stated) || !is_known => trusted.work.clone(),
        // The work of other calls is stated.
        (Work::Unknown, _) => Work::Unknown,
        (_, Work::OfBound(_)) if !is_known => Work::Unknown,
        (_, own) => own.clone(),
    }
}

fn types_and_outputs(both: &mut Summary, inferred: &Summary, trusted: &Summary) {
    let (Some(success), Some(stated)) = (&inferred.success, &trusted.success) else {
        return;
    };
    let met: Vec<Type> = (success.iter().zip(stated))
        .map(|(own, stated)| match own.meet(stated) {
            _ if *own == Type::Free => Type::Free,
            // If both types are correct, prefer the type that the lines about other calls use: the clause `empty(t)` proves an atom, but
            // the predicates that receive the result have assertions about trees.
            _ if matches!(stated, Type::Tree(_) | Type::Opaque(_))
                && !is_measured_otherwise(own) =>
            {
                stated.clone()
            }
            Type::None => own.clone(),
            met => met,
        })
        .collect();
    for (i, ty) in met.iter().enumerate() {
        let Some(stated) = trusted.outputs.get(&i).filter(|_| ty.metric().is_some()) else {
            continue;
        };
        let of_one_metric = |t: &Type| t.metric() == ty.metric();
        if !trusted
            .success
            .as_ref()
            .is_some_and(|s| of_one_metric(&s[i]))
        {
            continue;
        }
        let found = match inferred
            .outputs
            .get(&i)
            .filter(|_| of_one_metric(&success[i]))
        {
            Some(own) if is_one_function(stated) && !is_one_function(own) => stated.clone(),
            Some(own) => sides(own, stated, &inferred.domain),
            None => stated.clone(),
        };
        both.outputs.insert(i, found);
    }
    // A size in a different metric is not usable.
    both.elements
        .retain(|i, _| met[*i].element_metric() == success[*i].element_metric());
    both.outputs
        .retain(|i, _| trusted.outputs.contains_key(i) || met[*i].metric() == success[*i].metric());
    both.success = Some(met);
}

/// Returns whether each side is one function for all sizes, which callers use more easily than several cases.
fn is_one_function(of: &Sides) -> bool {
    let is_one =
        |pieces: &Pieces| matches!(&pieces[..], [piece] if matches!(piece.value, Value::Known(_)));
    is_one(&of.lower) && is_one(&of.upper)
}

/// Returns whether values of a type have a metric other than term size.
fn is_measured_otherwise(of: &Type) -> bool {
    of.metric().is_some_and(|m| m != Metric::Size)
}

fn sides(inferred: &Sides, trusted: &Sides, domain: &Region) -> Sides {
    let lower = lower(&inferred.lower, &trusted.lower, &inferred.upper, domain);
    let upper = upper(&inferred.upper, &trusted.upper, &inferred.lower, domain);
    Sides {
        lower: joined(lower, domain),
        upper: joined(upper, domain),
    }
}

/// Joins pieces with one value: callers distinguish the cases of their callees.
fn joined(pieces: Pieces, domain: &Region) -> Pieces {
    match pieces.split_first() {
        Some((first, others)) if others.iter().all(|p| p.value == first.value) => {
            vec![SolvedPiece {
                region: domain.clone(),
                value: first.value.clone(),
            }]
        }
        _ => pieces,
    }
}

fn upper(inferred: &Pieces, trusted: &Pieces, lower: &Pieces, domain: &Region) -> Pieces {
    let is_refuted = |stated: &Expr, region: &Region| {
        lower.iter().any(|p| match &p.value {
            Value::Known(low) => is_exceeded(stated, low, &region.and_all(&p.region)),
            Value::Diverges => !region.and_all(&p.region).is_empty(),
            Value::Unknown(_) => false,
        })
    };
    // Callers use one function for all sizes more easily than several cases.
    if let [
        SolvedPiece {
            value: Value::Known(stated),
            region,
        },
    ] = &trusted[..]
        && region == domain
        && (inferred.iter()).any(|p| matches!(p.value, Value::Unknown(_)))
        && !is_refuted(stated, domain)
    {
        return trusted.clone();
    }
    merged(inferred, trusted, &|own, stated, region| {
        let no_more = match own {
            Value::Unknown(_) => true,
            // A bound that is smaller only for small sizes does not help.
            Value::Known(own) => {
                own != stated
                    && (nonnegative(&(own - stated), region)
                        || compare(&growth(stated), &growth(own)) == Some(Ordering::Less))
            }
            Value::Diverges => false,
        };
        let region = region.and_all(domain);
        no_more && !is_refuted(stated, &region)
    })
}

fn lower(inferred: &Pieces, trusted: &Pieces, upper: &Pieces, domain: &Region) -> Pieces {
    merged(inferred, trusted, &|own, stated, region| {
        let no_less = match own {
            Value::Unknown(_) => true,
            Value::Known(own) => own != stated && nonnegative(&(stated - own), region),
            Value::Diverges => false,
        };
        let region = region.and_all(domain);
        no_less
            && !upper.iter().any(|p| match &p.value {
                Value::Known(high) => is_exceeded(high, stated, &region.and_all(&p.region)),
                Value::Diverges | Value::Unknown(_) => false,
            })
    })
}

/// Returns whether a function exceeds `limit` for some sizes in a region: 2ⁿ⁺¹ - 1 exceeds n + 1 for n >= 1, although not for n = 0.
fn is_exceeded(limit: &Expr, function: &Expr, region: &Region) -> bool {
    if region.is_empty() || nonnegative(&(limit - function), region) {
        return false;
    }
    let exact = || Bound::Finite(function.clone());
    let piece = Piece {
        region: region.clone(),
        lower: exact(),
        upper: exact(),
    };
    judge(Approx::Ub, limit, &[piece], region).overall == Verdict::False
        || nonnegative(&(&(function - limit) - &Expr::int(1)), region)
}

/// Returns the inferred pieces, split where a trusted piece is better.
fn merged(
    inferred: &Pieces,
    trusted: &Pieces,
    is_better: &dyn Fn(&Value, &Expr, &Region) -> bool,
) -> Pieces {
    let mut found = Vec::new();
    for own in inferred {
        let mut rest = vec![own.region.clone()];
        for stated in trusted {
            let Value::Known(e) = &stated.value else {
                continue;
            };
            let region = own.region.and_all(&stated.region);
            if region.is_empty() || !is_better(&own.value, e, &region) {
                continue;
            }
            rest = (rest.iter())
                .flat_map(|r| r.difference(&stated.region))
                .collect();
            found.push(SolvedPiece {
                region,
                value: stated.value.clone(),
            });
        }
        found.extend(
            rest.into_iter()
                .filter(|r| !r.is_empty())
                .map(|region| SolvedPiece {
                    region,
                    value: own.value.clone(),
                }),
        );
    }
    found
}
