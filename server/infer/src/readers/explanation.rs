//! Explanations of the derivation of a bound.

use costlens_algebra::text::{Names, to_text};
use costlens_recurrences::Value;

use super::equation_text::equations;
use crate::component::Component;
use crate::component::costs::Costs;
use crate::report::{Explanation, Side, SizeVariable};
use crate::summary::names::{names_of, region_text};
use crate::summary::pieces::{Pieces, Sides};
use crate::summary::{Summary, diverges_on};
use crate::tree::runs::RegionRuns;

/// Explains the derivation of the bounds, for `explain`.
pub(crate) fn explanation(
    component: &Component<'_>,
    costs: &Costs,
    summary: &Summary,
) -> Explanation {
    let names = names_of(summary);
    let mut text = Explanation {
        pattern: summary.params.iter().map(size_text).collect(),
        cases: (costs.runs[0].iter())
            .map(|region| case_text(region, &Names::new(&names)))
            .collect(),
        ..Explanation::default()
    };
    for (argument, sides) in &summary.outputs {
        let what = format!("size of argument {} on success", argument + 1);
        text.sizes
            .extend(both_sides(&what, sides, &Names::new(&names)));
    }
    for (argument, pieces) in &summary.elements {
        let what = format!("largest element of argument {} on success", argument + 1);
        let sides = Sides {
            lower: Pieces::new(),
            upper: pieces.clone(),
        };
        text.sizes
            .extend(both_sides(&what, &sides, &Names::new(&names)));
    }
    let solutions = both_sides("solutions", &summary.solutions, &Names::new(&names));
    text.sizes.extend(solutions);
    text.equations = equations(component, &costs.upper, Side::Upper, summary);
    if summary.first.lower != summary.all.upper {
        text.lower_equations = equations(component, &costs.lower, Side::Lower, summary);
    }
    text.solution = solution_text(summary, &Names::new(&names));
    let said = proof_lines(component, costs);
    text.method = gathered(&said, &|s| s.how.as_deref());
    // A base case is a form fitted to a single point.
    if text.method.iter().any(|m| !m.ends_with(" 1 point")) {
        text.method.retain(|m| !m.ends_with(" 1 point"));
    }
    if let Some(amortised) = costs.amortised.get(&0) {
        text.method.push(amortised.to_text());
    }
    text.verification = gathered(&said, &|s| s.proof.as_deref());
    text
}

/// Returns the meaning of a size variable: `n = length(argument 1)`.
fn size_text(p: &SizeVariable) -> String {
    let of = if p.element {
        "largest element of argument"
    } else {
        "argument"
    };
    format!("{} = {}({of} {})", p.name, p.metric, p.argument)
}

/// Returns the clauses that run in a region.
fn case_text(region: &RegionRuns, names: &Names<'_>) -> String {
    let at = region_text(&region.region, names);
    let mut sets: Vec<String> = region
        .worlds
        .iter()
        .map(|w| {
            let clauses: Vec<String> = w
                .clauses
                .iter()
                .map(|c| (c.clause + 1).to_string())
                .collect();
            match clauses.as_slice() {
                [] => "no clause".to_owned(),
                [one] => format!("clause {one}"),
                many => format!("clauses {}", many.join(", ")),
            }
        })
        .collect();
    sets.sort();
    sets.dedup();
    format!("{at}: {}", sets.join(", or "))
}

/// Returns the bounds on steps, upper ones first.
fn solution_text(summary: &Summary, names: &Names<'_>) -> Vec<String> {
    let upper = summary.all.upper.iter().map(|piece| {
        let at = region_text(&piece.region, names);
        match &piece.value {
            Value::Known(e) => format!("steps <= {} for {at}", to_text(e, names)),
            Value::Diverges => format!("steps are infinite for {at}"),
            Value::Unknown(_) if diverges_on(summary, &piece.region) => {
                format!("steps are infinite for {at}")
            }
            Value::Unknown(_) => format!("no upper bound for {at}"),
        }
    });
    let lower = summary.first.lower.iter().map(|piece| {
        let at = region_text(&piece.region, names);
        match &piece.value {
            Value::Known(e) => format!("steps >= {} for {at}", to_text(e, names)),
            _ => format!(
                "steps are infinite for {at}: every way to go on is a call of the same kind"
            ),
        }
    });
    upper.chain(lower).collect()
}

/// Returns the lines of the solver's proofs; for an amortised bound, the lines of the amortised proof.
fn proof_lines(component: &Component<'_>, costs: &Costs) -> Vec<ProofLine> {
    let mut said: Vec<ProofLine> = Vec::new();
    for (side, solution) in [
        (Side::Upper, &costs.upper_solution),
        (Side::Lower, &costs.lower_solution),
    ] {
        for line in &solution.proof {
            said.extend(proof_line(component, line, side).filter(|l| !said.contains(l)));
        }
    }
    if let Some(amortised) = costs.amortised.get(&0) {
        // The proof of the original bound does not prove the claimed one.
        said.retain(|s| (s.side, s.all, &s.of) != (Side::Upper, true, &component.called(0)));
        let proof = amortised.proof.iter();
        said.extend(proof.filter_map(|line| proof_line(component, line, Side::Upper)));
    }
    said
}

/// A line of the solver's proof.
#[derive(PartialEq, Eq)]
struct ProofLine {
    side: Side,
    /// True for bounds over all solutions, false for bounds up to the first solution.
    all: bool,
    /// The predicate to which the function belongs.
    of: String,
    how: Option<String>,
    proof: Option<String>,
}

/// Splits a line into its parts. Returns `None` for auxiliary functions.
fn proof_line(
    component: &Component<'_>,
    (index, rest): &(usize, String),
    side: Side,
) -> Option<ProofLine> {
    let n = component.nodes.len();
    let index = *index;
    let node = component.nodes.get(index % n).filter(|_| index < 2 * n)?;
    let (how, proof) = match rest.rsplit_once("; ") {
        Some((how, proof)) => (Some(how).filter(|h| !h.is_empty()), Some(proof)),
        None => (None, Some(rest.as_str())),
    };
    Some(ProofLine {
        side,
        all: index < n,
        of: format!("{} {}", node.name, node.pattern),
        how: how.map(method_text),
        proof: proof.map(str::to_owned),
    })
}

/// Merges proof lines, so that each fact shared by several bounds of a predicate has one line:
/// `upper and lower bounds of nrev/2 (list, var): …`.
fn gathered(said: &[ProofLine], what: &dyn Fn(&ProofLine) -> Option<&str>) -> Vec<String> {
    // For upper bounds, the line states `one unfolding is at most the bound`; for lower bounds, it states `at least`. The rest is
    // identical.
    let common = |text: &str| text.replace("at least the bound", "at most the bound");
    /// The subject of the bounds, the statement about the bounds, and the bounds themselves.
    type Line = (String, String, Vec<(Side, bool)>);
    let mut lines: Vec<Line> = Vec::new();
    for s in said {
        let Some(text) = what(s) else {
            continue;
        };
        let of = (s.side, s.all);
        let alike = |l: &&mut Line| l.0 == s.of && common(&l.1) == common(text);
        match lines.iter_mut().find(alike) {
            Some((_, _, bounds)) if bounds.contains(&of) => {}
            Some((_, _, bounds)) => bounds.push(of),
            None => lines.push((s.of.clone(), text.to_owned(), vec![of])),
        }
    }
    (lines.into_iter())
        .map(|(of, text, bounds)| {
            let both = |side| bounds.contains(&(side, true)) && bounds.contains(&(side, false));
            let sides = match (both(Side::Upper), both(Side::Lower), bounds.len()) {
                (true, true, 4) => "upper and lower bounds".to_owned(),
                (true, _, 2) => "upper bounds".to_owned(),
                (_, true, 2) => "lower bounds".to_owned(),
                _ => bounds
                    .iter()
                    .map(|(side, all)| {
                        let side = match side {
                            Side::Upper => "upper",
                            Side::Lower => "lower",
                        };
                        let all = if *all {
                            "all solutions"
                        } else {
                            "first solution"
                        };
                        format!("{side} bound, {all}")
                    })
                    .collect::<Vec<_>>()
                    .join("; "),
            };
            let sides_differ = bounds.iter().any(|(s, _)| *s != bounds[0].0);
            let text = if sides_differ {
                text.replace("is at most the bound", "is at most (at least) the bound")
            } else {
                text
            };
            let text = text.replace("over 1 call landings", "over 1 call landing");
            format!("{sides} of {of}: {text}")
        })
        .collect()
}

/// Describes how the solver inferred a bound.
fn method_text(how: &str) -> String {
    if let Some(points) = how.strip_prefix("exact at ") {
        let points = points.replace("1 points", "1 point");
        format!("the simplest form through the exact values at {points}")
    } else if let Some(rest) = how.strip_prefix("linear program") {
        format!("the least coefficients that a linear program finds{rest}")
    } else {
        how.to_owned()
    }
}

/// Returns the lower and upper bounds on a size, on one line if they are equal.
fn both_sides(what: &str, sides: &Sides, names: &Names<'_>) -> Vec<String> {
    let lines = |word: &str, pieces: &Pieces| {
        pieces
            .iter()
            .filter_map(|piece| match &piece.value {
                Value::Known(e) => {
                    let at = region_text(&piece.region, names);
                    Some(format!("{what}: {word}{} for {at}", to_text(e, names)))
                }
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    if sides.lower == sides.upper {
        return lines("", &sides.lower);
    }
    let mut all = lines("at least ", &sides.lower);
    all.extend(lines("at most ", &sides.upper));
    all
}
