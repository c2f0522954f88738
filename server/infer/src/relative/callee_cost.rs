//! Callees without an upper bound, in terms of their own cost.
//!
//! ```prolog
//! main(F, V) :- parse(F, T), eval(T, V).      % ≤ eval + 2·n + 3, if no bound is known for eval/2
//! ```
//!
//! The callers of a predicate without a bound have bounds in which its cost is a
//! [parameter](crate::report::Parameter). Such a bound needs no assumption, unless the callee calls goals that are not followed. If the
//! call runs for ever, no number is its cost.

use std::collections::BTreeSet;
use std::sync::Arc;

use costlens_algebra::linear::Constraint;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{SolvedPiece, Value};

use super::everywhere;
use crate::report::{
    Claim, Parameter, ParameterAssumption, ParameterKind, ParameterVariable, Side, Subject, Unknown,
};
use crate::summary::parameters::{least_value, next_parameter};
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::work::{Work, WorkBounds};
use crate::summary::{RunsLater, Summary, diverges_on};

/// The maximum number of parameters that a caller takes over from a callee. A callee with more is a parameter itself, so that bounds stay
/// readable.
const MOST_TAKEN: usize = 6;

/// The maximum number of assumptions that a caller takes over from a callee.
const MOST_ASSUMED: usize = 4;

/// Returns the summary as callers use it: where no upper bound on steps or solutions is known, they are parameters.
#[must_use]
pub fn in_own_terms(known: &Arc<Summary>, of: &Subject) -> Arc<Summary> {
    let mut missing = known.unknown.iter().filter(|u| u.side == Side::Upper);
    // Text that cannot be read may be what runs.
    if missing.clone().any(|u| u.incomplete().is_some()) {
        return Arc::clone(known);
    }
    let is_long = known.parameters.len() > MOST_TAKEN;
    let few = few_assumptions(known, of);
    if !is_long && !lacks_bound(known) {
        return match few {
            Some(assumes) => Arc::new(Summary {
                assumes,
                ..Summary::clone(known)
            }),
            None => Arc::clone(known),
        };
    }
    let own = known.parameters.iter().map(|p| p.var);
    let replaced_vars = match is_long {
        true => own.collect(),
        false => BTreeSet::new(),
    };
    let why = missing.next().cloned();
    let why = why.or_else(|| {
        let mut whys = known.parameters.iter().filter_map(|p| p.why.as_deref());
        whys.next().cloned()
    });
    let mut seen = without_variables(known, of, why, &replaced_vars);
    if known.later == RunsLater::Maybe {
        seen.later = RunsLater::No;
        seen.assumes.push(ParameterAssumption {
            claim: Claim::ChangesNothing,
            of: of.clone(),
        });
    }
    if let Some(assumes) = few {
        seen.assumes = assumes;
    }
    Arc::new(seen)
}

/// Returns fewer assumptions that say the same if a callee has many: that those of its own bounds hold.
fn few_assumptions(known: &Summary, of: &Subject) -> Option<Vec<ParameterAssumption>> {
    if known.assumes.len() <= MOST_ASSUMED {
        return None;
    }
    let is_of_goal = |a: &&ParameterAssumption| !matches!(a.of, Subject::Predicate(..));
    let mut few: Vec<ParameterAssumption> =
        known.assumes.iter().filter(is_of_goal).cloned().collect();
    few.push(ParameterAssumption {
        claim: Claim::OwnAssumptions,
        of: of.clone(),
    });
    Some(few)
}

/// Returns whether the bounds on steps depend on one of these variables.
pub(crate) fn depends_on(known: &Summary, variables: &BTreeSet<Var>) -> bool {
    (known.all.upper.iter().chain(&known.first.upper)).any(|p| {
        matches!(&p.value, Value::Known(e) if e.variables().iter().any(|v| variables.contains(v)))
    })
}

/// Returns the summary for a call in a recursion, where a number of solutions that is a parameter would be multiplied with itself: the call
/// is assumed to have at most one. Returns `None` if no parameter is concerned.
pub(crate) fn with_one_solution(known: &Summary, of: &Subject) -> Option<Summary> {
    let numbers: BTreeSet<Var> = (known.parameters.iter())
        .filter(|p| p.parameter.kind == ParameterKind::Solutions)
        .map(|p| p.var)
        .collect();
    let is_number = |p: &SolvedPiece| matches!(&p.value, Value::Known(e) if e.variables().iter().any(|v| numbers.contains(v)));
    if !known.solutions.upper.iter().any(is_number) {
        return None;
    }
    let mut summary = Summary::clone(known);
    for piece in summary.solutions.upper.iter_mut().filter(|p| is_number(p)) {
        piece.value = Value::Known(Expr::int(1));
    }
    summary.assumes.push(ParameterAssumption {
        claim: Claim::AtMostOneSolution,
        of: of.clone(),
    });
    drop_unused(&mut summary, &numbers);
    Some(summary)
}

/// Returns whether there are calls without an upper bound on their steps, apart from those that run for ever.
fn lacks_bound(known: &Summary) -> bool {
    let upper = &known.all.upper;
    upper.is_empty() || (upper.iter()).any(|p| is_open(known, p))
}

fn is_open(known: &Summary, piece: &SolvedPiece) -> bool {
    matches!(piece.value, Value::Unknown(_)) && !diverges_on(known, &piece.region)
}

/// Puts the cost and the number of solutions in the place of unknown bounds, and of bounds in terms of some sizes or parameters, since the
/// caller does not know them.
pub(crate) fn without_variables(
    known: &Summary,
    of: &Subject,
    why: Option<Unknown>,
    variables: &BTreeSet<Var>,
) -> Summary {
    let mut summary = Summary::clone(known);
    let own: BTreeSet<Var> = known.parameters.iter().map(|p| p.var).collect();
    let why = why.map(Arc::new);
    let added = |kind: ParameterKind, summary: &mut Summary| {
        let parameter = Parameter {
            kind,
            of: of.clone(),
        };
        let mut same = summary.parameters.iter();
        if let Some(same) = same.find(|p| p.parameter == parameter) {
            return Expr::var(same.var);
        }
        let var = next_parameter(&summary.parameters, &parameter);
        summary.parameters.push(ParameterVariable {
            var,
            parameter,
            name: String::new(),
            why: why.clone(),
        });
        let natural = Constraint::ge(&Expr::var(var), &Expr::int(least_value(var)));
        summary.domain = summary.domain.and_all(&natural.into_iter().collect());
        Expr::var(var)
    };
    let is_replaced = |p: &SolvedPiece| match &p.value {
        Value::Known(e) => e.variables().iter().any(|v| variables.contains(v)),
        Value::Unknown(_) => is_open(known, p),
        Value::Diverges => false,
    };
    let needs = |pieces: &Pieces| pieces.is_empty() || pieces.iter().any(is_replaced);
    let put = |pieces: &Pieces, by: &Expr| -> Pieces {
        if pieces.is_empty() {
            return everywhere(by.clone());
        }
        let piece = |p: &SolvedPiece| SolvedPiece {
            region: p.region.clone(),
            value: match is_replaced(p) {
                true => Value::Known(by.clone()),
                false => p.value.clone(),
            },
        };
        pieces.iter().map(piece).collect()
    };
    if needs(&known.all.upper) || needs(&known.first.upper) {
        let cost = added(ParameterKind::Cost, &mut summary);
        summary.all.upper = put(&known.all.upper, &cost);
        summary.first.upper = put(&known.first.upper, &cost);
        // The cost of a goal includes its work.
        let sides = |sides: &Sides, steps: &Sides| match known.work {
            Work::Unknown => Sides {
                lower: steps.lower.clone(),
                upper: everywhere(cost.clone()),
            },
            _ => Sides {
                lower: sides.lower.clone(),
                upper: put(&sides.upper, &cost),
            },
        };
        let bounds = match &known.work {
            Work::OfSteps(_) | Work::OfBound(_) => None,
            Work::Unknown => Some(WorkBounds {
                first: sides(&known.first, &known.first),
                all: sides(&known.all, &known.all),
                by: Vec::new(),
            }),
            Work::Bounds(bounds) => Some(WorkBounds {
                first: sides(&bounds.first, &known.first),
                all: sides(&bounds.all, &known.all),
                by: bounds.by.clone(),
            }),
        };
        if let Some(bounds) = bounds {
            summary.work = Work::Bounds(Arc::new(bounds));
        }
    }
    if needs(&known.solutions.upper) {
        let solutions = added(ParameterKind::Solutions, &mut summary);
        summary.solutions.upper = put(&known.solutions.upper, &solutions);
    }
    summary.amortised = None;
    summary.unknown.retain(|u| u.side == Side::Lower);
    drop_unused(&mut summary, &own);
    summary
}

/// Drops parameters on which nothing depends any more.
fn drop_unused(summary: &mut Summary, own: &BTreeSet<Var>) {
    let mut used = BTreeSet::new();
    {
        let work: Vec<&Sides> = summary.work.own_sides().collect();
        let sides = [&summary.first, &summary.all, &summary.solutions];
        let sides = sides
            .into_iter()
            .chain(summary.outputs.values())
            .chain(work);
        let pieces = sides.flat_map(|s| s.lower.iter().chain(&s.upper));
        let others = summary.elements.values().chain(summary.added.of.values());
        for piece in pieces.chain(others.flatten()) {
            if let Value::Known(e) = &piece.value {
                used.extend(e.variables());
            }
            used.extend(piece.region.variables());
        }
        used.extend(summary.relation.constraints.variables());
    }
    let is_gone = |v: Var| own.contains(&v) && !used.contains(&v);
    summary.parameters.retain(|p| !is_gone(p.var));
    let kept = (summary.domain.constraints().iter()).filter(|c| !c.variables().any(is_gone));
    summary.domain = kept.cloned().collect();
}
