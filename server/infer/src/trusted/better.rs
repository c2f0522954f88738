//! Inferred and trusted bounds together: of each bound the better one.

use std::cmp::Ordering;

use costlens_algebra::Expr;
use costlens_algebra::growth::{compare, growth};
use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_recurrences::{SolvedPiece, Value};

use crate::lattice::types::{Metric, Type};
use crate::summary::Summary;
use crate::summary::names::named;
use crate::summary::pieces::{Pieces, Sides, at_most};
use crate::trusted::node_alone;

/// The inferred summary with what is trusted in the place of what is unknown or wider; none where nothing gets better. Both are about the
/// same calls and number their sizes alike. What clauses contradict is not used.
#[must_use]
pub fn better(inferred: &Summary, trusted: &Summary) -> Option<Summary> {
    let mut both = inferred.clone();
    both.all.upper = upper(&inferred.all.upper, &trusted.all.upper, &inferred.all.lower);
    both.all.lower = lower(&inferred.all.lower, &trusted.all.lower, &inferred.all.upper);
    both.first.upper = upper(
        &inferred.first.upper,
        &trusted.first.upper,
        &inferred.first.lower,
    );
    both.first.upper = at_most(both.first.upper, &both.all.upper);
    both.first.lower = lower(
        &inferred.first.lower,
        &trusted.first.lower,
        &inferred.first.upper,
    );
    both.solutions = sides(&inferred.solutions, &trusted.solutions);
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

fn types_and_outputs(both: &mut Summary, inferred: &Summary, trusted: &Summary) {
    let (Some(success), Some(stated)) = (&inferred.success, &trusted.success) else {
        return;
    };
    let met: Vec<Type> = (success.iter().zip(stated))
        .map(|(own, stated)| match own.meet(stated) {
            _ if *own == Type::Free => Type::Free,
            // Of two true types the one that the lines about further calls name: the clause `empty(t)` shows an atom, but whoever is
            // handed it is stated for trees.
            _ if matches!(stated, Type::Tree(_)) && !is_measured_otherwise(own) => stated.clone(),
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
            Some(own) => sides(own, stated),
            None => stated.clone(),
        };
        both.outputs.insert(i, found);
    }
    // A size under another metric than before is no size.
    both.elements
        .retain(|i, _| met[*i].element_metric() == success[*i].element_metric());
    both.outputs
        .retain(|i, _| trusted.outputs.contains_key(i) || met[*i].metric() == success[*i].metric());
    both.success = Some(met);
}

/// Tells whether values of a type have a size that is not that of terms.
fn is_measured_otherwise(of: &Type) -> bool {
    of.metric().is_some_and(|m| m != Metric::Size)
}

fn sides(inferred: &Sides, trusted: &Sides) -> Sides {
    Sides {
        lower: lower(&inferred.lower, &trusted.lower, &inferred.upper),
        upper: upper(&inferred.upper, &trusted.upper, &inferred.lower),
    }
}

fn upper(inferred: &Pieces, trusted: &Pieces, lower: &Pieces) -> Pieces {
    merged(inferred, trusted, &|own, stated, region| {
        let no_more = match own {
            Value::Unknown(_) => true,
            // One that is smaller for small sizes alone is no help.
            Value::Known(own) => {
                own != stated
                    && (nonnegative(&(own - stated), region)
                        || compare(&growth(stated), &growth(own)) == Some(Ordering::Less))
            }
            Value::Diverges => false,
        };
        no_more && !contradicts(lower, region, &|low| low - stated)
    })
}

fn lower(inferred: &Pieces, trusted: &Pieces, upper: &Pieces) -> Pieces {
    merged(inferred, trusted, &|own, stated, region| {
        let no_less = match own {
            Value::Unknown(_) => true,
            Value::Known(own) => own != stated && nonnegative(&(stated - own), region),
            Value::Diverges => false,
        };
        no_less && !contradicts(upper, region, &|high| stated - high)
    })
}

/// Tells whether the other side of what was inferred refutes a trusted function somewhere for certain: by `excess`, which is at least 1 there.
fn contradicts(other: &Pieces, region: &Region, excess: &dyn Fn(&Expr) -> Expr) -> bool {
    other.iter().any(|p| {
        let here = region.and_all(&p.region);
        let Value::Known(e) = &p.value else {
            return false;
        };
        !here.is_empty() && nonnegative(&(&excess(e) - &Expr::int(1)), &here)
    })
}

/// The inferred pieces, those cut where a trusted one is better.
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
