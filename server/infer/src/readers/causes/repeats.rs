//! Recursions that end but make too many calls: one call for each solution of a preceding goal.
//!
//! ```prolog
//! look([K|Ks], Db) :- member(K, Db), look(Ks, Db).          % mⁿ calls
//! g([X|Xs], [[X|A]|Gs]) :- pick(Xs, A, Rest), g(Rest, Gs).  % a sum over the sublists of Xs
//! ```

use costlens_algebra::Expr;
use costlens_algebra::display::display;
use costlens_algebra::linear::Region;
use costlens_algebra::text::Names;
use costlens_catalog::{Relation, relation};
use costlens_recurrences::SolvedPiece;

use super::recursion::{known_sizes, smaller_argument};
use super::{meets, names, nodes_from};
use crate::component::Component;
use crate::component::costs::Costs;
use crate::lattice::size::Size;
use crate::readers::LiteralPlace;
use crate::report::{Functor, Side, Unknown};
use crate::summary::Summary;
use crate::summary::names::names_of;
use crate::tree::{CallStep, Callee, End, Step, Tree};

/// A goal that may have more than one solution.
#[derive(Clone)]
struct Generator {
    predicate: Functor,
    solutions: Size,
}

/// A recursive call after a goal that may have more than one solution.
struct Repeat<'t> {
    generator: Generator,
    call: &'t CallStep,
}

/// Returns the recursive call that runs once for each solution of an earlier goal.
pub(super) fn repeated(
    component: &Component<'_>,
    costs: &Costs,
    summary: &Summary,
    own: usize,
    missing: &[&SolvedPiece],
) -> Option<Unknown> {
    for (i, node) in nodes_from(component, own) {
        let regions = (costs.runs[i].iter())
            .filter(|r| i != own || missing.iter().any(|p| meets(&r.region, &p.region)));
        for world in regions.flat_map(|r| &r.worlds) {
            for run in &world.clauses {
                let Some(Repeat { generator, call }) = behind_generator(&run.tree) else {
                    continue;
                };
                let place = LiteralPlace {
                    clause: run.clause,
                    literal: call.literal,
                };
                let name = names::of_node(component, node);
                return Some(told(
                    name.as_str(),
                    &node.name,
                    &generator,
                    smaller(component, i, &known_sizes(&world.world, &run.tree), call),
                    count(summary, &generator.solutions),
                    place,
                ));
            }
        }
    }
    None
}

fn told(
    name: &str,
    cause: &Functor,
    generator: &Generator,
    smaller: Option<usize>,
    count: Option<String>,
    place: LiteralPlace,
) -> Unknown {
    let of = names::of_functor(&generator.predicate);
    let count = count.map_or_else(String::new, |count| {
        format!(", of which there may be {count}")
    });
    let smaller = smaller.map_or_else(String::new, |argument| {
        format!(", each time with a smaller argument {argument}")
    });
    let instead = match relation(&generator.predicate.name, generator.predicate.arity) {
        Some(Relation::Member) => "`memberchk/2` in place of `member/2`",
        _ => "`once/1`, or a cut",
    };
    Unknown {
        home: None,
        side: Side::Upper,
        fuel: false,
        reason: format!(
            "`{name}` calls itself once for each solution of `{of}`{count}{smaller}, and no formula was found for what these calls take together"
        ),
        cause: cause.clone(),
        literal: Some((place.clause, place.literal)),
        help: format!("If one solution is enough, take the first one only: {instead}."),
        types_help: false,
        declare: None,
        missing: None,
    }
}

/// Returns the first recursive call of a run that follows a goal with more than one solution.
fn behind_generator(tree: &Tree) -> Option<Repeat<'_>> {
    let mut open: Vec<(&Tree, Option<Generator>)> = vec![(tree, None)];
    while let Some((tree, mut last)) = open.pop() {
        for step in &tree.steps {
            match step {
                Step::Solutions(size, Some(goal)) if may_repeat(Some(size)) => {
                    last = Some(Generator {
                        predicate: goal.predicate.clone(),
                        solutions: size.clone(),
                    });
                }
                Step::Call(call) => match &call.callee {
                    Callee::Inside(_) => {
                        if let Some(generator) = last.clone() {
                            return Some(Repeat { generator, call });
                        }
                    }
                    Callee::Outside(summary) if may_repeat(call.solutions.as_ref()) => {
                        last = Some(Generator {
                            predicate: summary.predicate.clone(),
                            solutions: call.solutions.clone().unwrap_or_default(),
                        });
                    }
                    Callee::Outside(_) => {}
                },
                Step::Once(inner, _)
                | Step::Failed(inner)
                | Step::AllOf(inner)
                | Step::PartOf(inner)
                | Step::Goal(inner, _) => open.push((inner, last.clone())),
                _ => {}
            }
        }
        if let End::Either(parts) | End::Each(parts) = &tree.end {
            open.extend(parts.iter().map(|part| (part, last.clone())));
        }
    }
    None
}

/// Returns whether a goal is not proved to have at most one solution.
fn may_repeat(solutions: Option<&Size>) -> bool {
    let upper = solutions.and_then(|size| size.upper.as_ref());
    upper
        .and_then(Expr::as_constant)
        .is_none_or(|most| most > costlens_algebra::rat(1))
}

/// Returns the maximum number of solutions in terms of the reported predicate's sizes.
fn count(summary: &Summary, solutions: &Size) -> Option<String> {
    let most = solutions.upper.as_ref()?;
    let is_named = (most.variables().iter()).all(|v| summary.params.iter().any(|p| p.var == *v));
    is_named.then(|| display(most, &Names::new(names_of(summary))))
}

/// Returns the number (from 1) of an argument that decreases in a call.
fn smaller(
    component: &Component<'_>,
    at: usize,
    region: &Region,
    call: &CallStep,
) -> Option<usize> {
    let node = component.nodes.get(at)?;
    match &call.callee {
        Callee::Inside(callee) if *callee == at => {
            let argument = smaller_argument(node, region, call)?;
            names::argument(&node.name, argument)
        }
        _ => None,
    }
}
