//! The contribution of each call in a body to the cost of its predicate. Contributions are computed on request (for a hover or `explain`),
//! never for summaries.
//!
//! Two facts are reported about a call. *One call*: the callee's bounds for its arguments, in terms of the calling predicate's sizes. *All
//! calls*: the part of the predicate's upper bound that is caused by the calls of this literal, over all levels of the recursion. For
//!
//! ```text
//! nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
//! ```
//!
//! one call of `app/3` takes n steps if the list passed to `nrev/2` has length n, and all calls together take n²/2+n/2. The second result
//! comes from the cost equations with everything except the steps of this literal set to zero (the cost centres of PPDP'08 §3, applied to
//! bounds instead of runs): `s(n) = s(n-1) + n`, solved and verified like every bound.

use std::collections::BTreeMap;
use std::rc::Rc;

use costlens_algebra::linear::Region;
use costlens_algebra::prove::zero;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Direction, Value};

use super::LiteralPlace;
use super::explanation::explanation;
use crate::component::Component;
use crate::component::costs::Costs;
use crate::lattice::size::Size;
use crate::lattice::types::Pattern;
use crate::report::{ArgumentSize, Bound, Breakdown, Functor, Interval, LiteralCase, LiteralCost};
use crate::summary::Summary;
use crate::summary::node::Slot;
use crate::summary::pieces::Pieces;
use crate::tree::runs::{RegionRuns, WorldRun};
use crate::tree::{CallStep, Callee, ClauseRun, End, Step, Tree};
use crate::world::World;
use crate::world::lookup::values_at;

/// The maximum number of literals whose contribution is computed; later literals have none.
const MOST_LITERALS: usize = 12;

/// The solver fuel per literal.
const SOLVER_FUEL: u64 = 4_000;

/// The maximum number of parts into which a literal's region is split.
const MOST_CASES: usize = 12;

/// The depth to which nested goals (`\+ \+ …`) are inspected.
const DEEPEST: usize = 200;

/// The part of a run whose cost is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CountedPart {
    /// Only clause entries.
    Entries,
    /// Only the calls of one literal.
    Literal(LiteralPlace),
    /// Only the calls of literals in the component's other predicates.
    Elsewhere,
}

/// Computes the contributions to the upper bound of the component's first node.
pub(crate) fn breakdown(component: &Component<'_>, costs: &Costs, summary: &Summary) -> Breakdown {
    let mut literals: BTreeMap<LiteralPlace, LiteralCost> = BTreeMap::new();
    for region in costs.runs[0].iter() {
        for world in &region.worlds {
            for run in &world.clauses {
                each_call(&run.tree, 0, &mut |call| {
                    let at = literal_at(component, costs, summary, &world.world, call);
                    let Some((callee, pattern, recursive, cases)) = at else {
                        return;
                    };
                    let place = LiteralPlace {
                        clause: run.clause,
                        literal: call.literal,
                    };
                    let literal = literals.entry(place).or_insert_with(|| LiteralCost {
                        clause: run.clause,
                        literal: call.literal,
                        callee,
                        pattern: pattern.clone(),
                        recursive,
                        cases: Vec::new(),
                        total: Vec::new(),
                    });
                    if literal.pattern != pattern {
                        literal.pattern = literal.pattern.join(&pattern);
                    }
                    literal.recursive |= recursive;
                    for case in cases {
                        add_case(&mut literal.cases, case);
                    }
                });
            }
        }
    }
    let mut literals: Vec<LiteralCost> = literals.into_values().collect();
    for literal in &mut literals {
        join_cases(&mut literal.cases);
    }
    // Equations without the state yield less precise contributions than the amortised bound of the whole predicate.
    let others =
        (literals.iter_mut()).filter(|l| !l.recursive && !costs.amortised.contains_key(&0));
    for literal in others.take(MOST_LITERALS) {
        let place = LiteralPlace {
            clause: literal.clause,
            literal: literal.literal,
        };
        literal.total = part(component, costs, CountedPart::Literal(place));
    }
    Breakdown {
        evaluated: None,
        explanation: explanation(component, costs, summary),
        literals,
        entries: part(component, costs, CountedPart::Entries),
        elsewhere: if component
            .nodes
            .iter()
            .all(|n| n.name == component.nodes[0].name)
        {
            vec![(Region::default(), Expr::zero())]
        } else {
            part(component, costs, CountedPart::Elsewhere)
        },
    }
}

/// Returns an upper bound on the counted cost, if one is inferred.
fn part(component: &Component<'_>, costs: &Costs, counted: CountedPart) -> Vec<(Region, Expr)> {
    let name = &component.nodes[0].name;
    let runs: Vec<Rc<[RegionRuns]>> = (component.nodes.iter().zip(&costs.runs))
        .map(|(node, runs)| {
            let here = match counted {
                CountedPart::Literal(_) if node.name != *name => None,
                CountedPart::Elsewhere if node.name == *name => None,
                other => Some(other),
            };
            runs.iter().map(|r| only(r, here)).collect()
        })
        .collect();
    let system = component.cost_system(&runs, Direction::Upper);
    let program = component.shared.program;
    let solution = program.solve(&system, Direction::Upper, SOLVER_FUEL);
    let pieces = solution.functions.into_iter().next().unwrap_or_default();
    (pieces.into_iter())
        .filter_map(|p| match p.value {
            Value::Known(e) => Some((p.region, e)),
            Value::Diverges | Value::Unknown(_) => None,
        })
        .collect()
}

/// Returns the runs with the cost of everything that is not counted set to zero. Repetition and recursion are kept.
fn only(runs: &RegionRuns, counted: Option<CountedPart>) -> RegionRuns {
    let world = |w: &WorldRun| WorldRun {
        world: w.world.clone(),
        clauses: (w.clauses.iter())
            .map(|run| ClauseRun {
                clause: run.clause,
                tree: Rc::new(thinned(&run.tree, run.clause, counted, 0)),
                may_cut: run.may_cut,
                raises: run.raises,
            })
            .collect(),
    };
    RegionRuns {
        region: runs.region.clone(),
        worlds: runs.worlds.iter().map(world).collect(),
    }
}

fn thinned(tree: &Tree, clause: usize, counted: Option<CountedPart>, depth: usize) -> Tree {
    if depth > DEEPEST {
        return tree.clone(); // counts too much, which is sound for an upper bound
    }
    let inner = |t: &Tree| Box::new(thinned(t, clause, counted, depth + 1));
    let steps = (tree.steps.iter())
        .filter_map(|step| {
            Some(match step {
                Step::Enter if counted != Some(CountedPart::Entries) => return None,
                Step::Call(call) => match &call.callee {
                    Callee::Outside(_) => match counted {
                        Some(CountedPart::Elsewhere) => step.clone(),
                        Some(CountedPart::Literal(at))
                            if (at.clause, at.literal) == (clause, call.literal) =>
                        {
                            step.clone()
                        }
                        _ => Step::Solutions(solutions_of(call), None),
                    },
                    Callee::Inside(_) => step.clone(),
                },
                Step::Once(t, sure) => Step::Once(inner(t), *sure),
                Step::Failed(t) => Step::Failed(inner(t)),
                Step::AllOf(t) => Step::AllOf(inner(t)),
                Step::PartOf(t) => Step::PartOf(inner(t)),
                Step::Goal(t, succeeds) => Step::Goal(inner(t), *succeeds),
                // An unknown literal may do anything, including calling the predicate again, so no contribution has a bound.
                Step::Unknown(_)
                | Step::Enter
                | Step::Adds(_)
                | Step::Count(_)
                | Step::Work(_)
                | Step::BuiltIn(_)
                | Step::Integers(_)
                | Step::Test(_)
                | Step::Maybe
                | Step::Sizes(..)
                | Step::Tested(_)
                | Step::Solutions(..) => step.clone(),
            })
        })
        .collect();
    let parts = |all: &[Tree]| {
        all.iter()
            .map(|t| thinned(t, clause, counted, depth + 1))
            .collect()
    };
    Tree {
        steps,
        end: match &tree.end {
            End::Either(all) => End::Either(parts(all)),
            End::Each(all) => End::Each(parts(all)),
            end => end.clone(),
        },
        cut_inside: tree.cut_inside,
    }
}

fn solutions_of(call: &CallStep) -> Size {
    let mut size = call.solutions.clone().unwrap_or_default();
    if call.sure && size.as_exact().is_none() {
        size.lower = Some(Expr::int(1));
    }
    size
}

fn each_call(tree: &Tree, depth: usize, f: &mut dyn FnMut(&CallStep)) {
    if depth > DEEPEST {
        return;
    }
    for step in &tree.steps {
        match step {
            Step::Call(call) => f(call),
            Step::Once(t, _)
            | Step::Failed(t)
            | Step::AllOf(t)
            | Step::PartOf(t)
            | Step::Goal(t, _) => {
                each_call(t, depth + 1, f);
            }
            _ => {}
        }
    }
    if let End::Either(parts) | End::Each(parts) = &tree.end {
        for part in parts {
            each_call(part, depth + 1, f);
        }
    }
}

/// The callee of a call, with its bounds.
struct CalleeBounds {
    name: Functor,
    pattern: Pattern,
    slots: Vec<Slot>,
    vars: Vec<Var>,
    lower: Pieces,
    upper: Pieces,
}

impl CalleeBounds {
    fn called(
        component: &Component<'_>,
        costs: &Costs,
        own: &Summary,
        call: &CallStep,
    ) -> Option<Self> {
        let of = |all: &[Pieces], f: usize| all.get(f).cloned().unwrap_or_default();
        Some(match &call.callee {
            Callee::Outside(summary) => CalleeBounds {
                name: summary.predicate.clone(),
                pattern: summary.pattern.clone(),
                slots: (summary.params.iter()).map(Slot::from_size).collect(),
                vars: summary.vars(),
                lower: summary.first.lower.clone(),
                upper: summary.all.upper.clone(),
            },
            Callee::Inside(i) => {
                let node = component.nodes.get(*i)?;
                let n = component.nodes.len();
                CalleeBounds {
                    name: node.name.clone(),
                    pattern: node.pattern.clone(),
                    slots: node.slots(),
                    vars: node.vars(),
                    lower: of(&costs.lower_solution.functions, n + i),
                    upper: match costs.amortised.get(&0) {
                        Some(_) if *i == 0 => own.all.upper.clone(),
                        _ => of(&costs.upper_solution.functions, *i),
                    },
                }
            }
        })
    }
}

/// Describes a call in a world: its callee, whether the callee belongs to the component, and the callee's bounds at the sizes of the call.
fn literal_at(
    component: &Component<'_>,
    costs: &Costs,
    own: &Summary,
    world: &World,
    call: &CallStep,
) -> Option<(Functor, Pattern, bool, Vec<LiteralCase>)> {
    let none = Pieces::new();
    let callee = CalleeBounds::called(component, costs, own, call)?;
    let vars = &callee.vars;
    let recursive = matches!(call.callee, Callee::Inside(_));
    let known = |e: &Expr| e.variables().iter().all(|v| own.vars().contains(v));
    let fits = vars.len() == call.args.len();
    let pieces = |all| if fits { all } else { &none };
    let regions = landings(
        world.region(),
        vars,
        call,
        [pieces(&callee.upper), pieces(&callee.lower)],
    );
    let sizes: Vec<ArgumentSize> = (callee.slots.iter().zip(&call.args))
        .filter(|(slot, _)| !slot.element)
        .map(|(slot, size)| ArgumentSize {
            argument: slot.argument + 1,
            metric: slot.metric,
            lower: size.lower.clone().filter(known),
            upper: size.upper.clone().filter(known),
        })
        .collect();
    let cases = (regions.into_iter())
        .map(|when| {
            let world = world.restricted(when.clone()).unsplit();
            let value = |side: &Pieces, low| bound_at(side, vars, call, &world, low, &known);
            let steps = Interval {
                lower: match value(pieces(&callee.lower), true) {
                    Bound::Unknown => Bound::Finite(Expr::zero()),
                    found => found,
                },
                upper: value(pieces(&callee.upper), false),
            };
            LiteralCase {
                when,
                sizes: sizes.clone(),
                steps,
            }
        })
        .collect();
    Some((callee.name, callee.pattern, recursive, cases))
}

/// Splits a region by the pieces of the callee's bounds, if the argument sizes are exact and linear, so that in each part the call falls
/// into a single piece.
fn landings(region: &Region, vars: &[Var], call: &CallStep, sides: [&Pieces; 2]) -> Vec<Region> {
    let exact: Option<BTreeMap<Var, Expr>> = (vars.iter().zip(&call.args))
        .map(|(&v, size)| Some((v, size.as_exact().filter(|e| e.is_linear())?.clone())))
        .collect();
    let mut regions = vec![region.simplified()];
    let Some(by) = exact else {
        return regions;
    };
    for pieces in sides {
        let mut finer = Vec::new();
        for region in &regions {
            let parts: Vec<Region> = (pieces.iter())
                .filter_map(|piece| Some(region.and_all(&piece.region.substitute(&by)?)))
                .filter(|both| !both.is_empty())
                .map(|both| both.simplified())
                .collect();
            if parts.is_empty() {
                finer.push(region.clone());
            }
            finer.extend(parts);
        }
        if finer.len() > regions.len() && finer.len() <= MOST_CASES {
            regions = finer;
        }
    }
    regions
}

/// Returns the value of a solved function at a call, in terms of the caller's sizes: the greatest upper (or least lower) value among the
/// pieces that may contain the arguments, if one of these values bounds the other values on the whole region.
fn bound_at(
    pieces: &Pieces,
    vars: &[Var],
    call: &CallStep,
    world: &World,
    low: bool,
    known: &dyn Fn(&Expr) -> bool,
) -> Bound {
    let Ok(values) = values_at(pieces, vars, &call.args, world, &|_| false) else {
        return Bound::Unknown;
    };
    let mut hull: Option<Size> = None;
    let diverges = !values.is_empty() && values.iter().all(|(v, _)| matches!(v, Value::Diverges));
    if diverges {
        return Bound::Infinite;
    }
    for (value, size) in values {
        let Some(size) = size.filter(|_| matches!(value, Value::Known(_))) else {
            return Bound::Unknown;
        };
        hull = Some(match hull {
            None => size,
            Some(other) => other.hull(&size, world.region()),
        });
    }
    let found = hull.and_then(|s| if low { s.lower } else { s.upper });
    found.filter(known).map_or(Bound::Unknown, Bound::Finite)
}

/// Adds a case from another world; worlds of the same region form one case.
fn add_case(cases: &mut Vec<LiteralCase>, new: LiteralCase) {
    let Some(old) = cases.iter_mut().find(|c| c.when == new.when) else {
        cases.push(new);
        return;
    };
    let region = &old.when;
    for (a, b) in old.sizes.iter_mut().zip(&new.sizes) {
        let hull = Size {
            lower: a.lower.clone(),
            upper: a.upper.clone(),
        }
        .hull(
            &Size {
                lower: b.lower.clone(),
                upper: b.upper.clone(),
            },
            region,
        );
        (a.lower, a.upper) = (hull.lower, hull.upper);
    }
    let finite = |b: &Bound| match b {
        Bound::Finite(e) => Some(e.clone()),
        _ => None,
    };
    let side = |a: &Bound, b: &Bound, low: bool| {
        if a == b {
            return a.clone();
        }
        let one = |e: &Bound| Size {
            lower: finite(e),
            upper: finite(e),
        };
        let hull = one(a).hull(&one(b), region);
        let found = if low { hull.lower } else { hull.upper };
        match found {
            Some(e) => Bound::Finite(e),
            None if low => Bound::Finite(Expr::zero()),
            None => Bound::Unknown,
        }
    };
    old.steps = Interval {
        lower: side(&old.steps.lower, &new.steps.lower, true),
        upper: side(&old.steps.upper, &new.steps.upper, false),
    };
}

/// Joins cases of neighbouring regions if the facts of one also hold in the other: at n = 1, `2ⁿ⁻¹` is 1.
fn join_cases(cases: &mut Vec<LiteralCase>) {
    'again: loop {
        for i in 0..cases.len() {
            for j in 0..cases.len() {
                if i != j
                    && holds_on(&cases[i], &cases[j])
                    && let Some(union) = cases[i].when.union_if_convex(&cases[j].when)
                {
                    cases[i].when = union.simplified();
                    cases.remove(j);
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// Returns whether, on the region of the narrow case, the facts of the wide case agree with those of the narrow one.
fn holds_on(wide: &LiteralCase, narrow: &LiteralCase) -> bool {
    let equal = |a: &Expr, b: &Expr| a == b || zero(&(a - b), &narrow.when);
    let same = |a: &Bound, b: &Bound| match (a, b) {
        (Bound::Finite(a), Bound::Finite(b)) => equal(a, b),
        (a, b) => a == b,
    };
    let alike = |a: &Option<Expr>, b: &Option<Expr>| match (a, b) {
        (Some(a), Some(b)) => equal(a, b),
        (a, b) => a == b,
    };
    same(&wide.steps.lower, &narrow.steps.lower)
        && same(&wide.steps.upper, &narrow.steps.upper)
        && wide.sizes.len() == narrow.sizes.len()
        && (wide.sizes.iter().zip(&narrow.sizes))
            .all(|(a, b)| alike(&a.lower, &b.lower) && alike(&a.upper, &b.upper))
}
