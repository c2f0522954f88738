//! Recursions whose termination is not proved.

mod endless;

use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::{Expr, Var};
use costlens_program::CopyName;
use costlens_recurrences::SolvedPiece;
use costlens_syntax::term::CONS;
use num_traits::Signed as _;

use self::endless::endless;
use super::loops::{self, End};
use super::passed::{Origin, origin};
use super::{meets, names, nodes_from};
use crate::component::Component;
use crate::component::costs::{Costs, Rank};
use crate::lattice::types::Type;
use crate::readers::LiteralPlace;
use crate::report::{Functor, Side, Unknown};
use crate::summary::Summary;
use crate::summary::node::Node;
use crate::tree::{CallStep, Callee, Step, Tree, for_each_step};
use crate::world::World;

/// A cause with advice for the user.
pub(super) struct Cause {
    pub(super) reason: String,
    pub(super) help: String,
    /// True if narrower argument types would help.
    pub(super) types_help: bool,
}

impl Cause {
    fn new(reason: String, help: String) -> Self {
        Cause {
            reason,
            help,
            types_help: false,
        }
    }
}

/// Explains a recursion whose termination depends on something other than a size, if that is visible in the clauses.
fn without_size(
    component: &Component<'_>,
    node: &Node,
    LiteralPlace { clause, literal }: LiteralPlace,
    name: &str,
) -> Option<Cause> {
    let (reason, help) = match loops::end(component, node, clause, literal)? {
        End::Input(given) => (
            format!("how often `{name}` calls itself depends on {given}"),
            "If there is a limit, pass it as a number that counts down to 0.",
        ),
        End::Dynamic(facts) => (
            format!(
                "how often `{name}` calls itself depends on the clauses of the dynamic `{facts}`"
            ),
            "If there is a limit, pass it as a number that counts down to 0.",
        ),
        End::Facts(facts) => (
            format!(
                "`{name}` follows the facts of `{facts}`, and nothing shows that these have no circle"
            ),
            "",
        ),
    };
    Some(Cause {
        reason,
        help: help.to_owned(),
        types_help: false,
    })
}

/// Explains a recursion without a measured argument, for a recursive call in a clause of a node.
pub(super) fn unmeasured(
    component: &Component<'_>,
    node: &Node,
    place: LiteralPlace,
    callee: &Node,
) -> (Rank, Cause) {
    let name = names::of_node(component, callee);
    let is_without_arguments = node.pattern.0.is_empty() || callee.pattern.0.is_empty();
    if (node.name == callee.name || is_without_arguments)
        && let Some(cause) = without_size(component, node, place, &name)
    {
        return (Rank::Recursion, cause);
    }
    if let Some(cause) = not_smaller(component, node, place, callee) {
        return (Rank::Unmeasured, cause);
    }
    let types = &callee.pattern.0;
    let calls_itself = calls_itself(component, node, callee);
    let has = |ty: &Type| types.contains(ty);
    if types.is_empty() {
        let cause = Cause {
            reason: format!("{calls_itself}, and has no argument that could get smaller"),
            help: "If there is a limit, pass it as a number that counts down to 0.".to_owned(),
            types_help: false,
        };
        return (Rank::Recursion, cause);
    }
    let number = |i: usize| names::argument(&callee.name, i).unwrap_or(i + 1);
    let unknown = types.iter().enumerate().filter(|(_, ty)| **ty == Type::Any);
    let unknown: Vec<String> = unknown.map(|(i, _)| number(i).to_string()).collect();
    let (why, what) = if has(&Type::Number) {
        (
            "the number that gets smaller is not known to be an integer, and rounding may leave a float as it is"
                .to_owned(),
            "that the number is an integer, if it is one",
        )
    } else if has(&Type::Any) {
        (
            format!(
                "{} may be unbound, so no argument is known to get smaller",
                arguments(&unknown, types.len())
            ),
            "which arguments are bound, and to what",
        )
    } else if has(&Type::Nonvar) {
        (
            "its arguments are only known to be bound, so no argument is known to get smaller"
                .to_owned(),
            "what types they have",
        )
    } else if types.iter().any(|t| t.is_bound()) {
        (
            "none of its arguments has a size that can get smaller: lists, integers and ground terms have one".to_owned(),
            "",
        )
    } else {
        (
            "all its arguments are unbound, so nothing gets smaller".to_owned(),
            "which arguments are bound, and to what",
        )
    };
    // A specialised copy cannot be declared.
    let help = match what.is_empty() || CopyName::read(&callee.name).is_some() {
        true => String::new(),
        false => format!(
            "Declare {what}, in a line `%! {}(…)` above it.",
            callee.name.name
        ),
    };
    let cause = Cause {
        reason: format!("{calls_itself}, and {why}"),
        help,
        types_help: true,
    };
    (Rank::Recursion, cause)
}

/// Returns ``` `p/1` calls itself```, directly or through the predicate whose clause contains the call.
fn calls_itself(component: &Component<'_>, node: &Node, callee: &Node) -> String {
    let name = names::of_node(component, callee);
    match node.name == callee.name {
        true => format!("`{name}` calls itself"),
        false => format!(
            "`{name}` calls itself through `{}`",
            names::of_node(component, node)
        ),
    }
}

/// Explains a recursion whose argument has a size in the first call, because of a declaration or a caller, but not in the recursive call.
/// Further declarations would not help.
fn not_smaller(
    component: &Component<'_>,
    node: &Node,
    place: LiteralPlace,
    callee: &Node,
) -> Option<Cause> {
    let patterns = || {
        let same = |of: &&Node| of.name == callee.name;
        component.nodes.iter().filter(same).map(|of| &of.pattern.0)
    };
    let is_known = |i: usize, ty: &Type| match ty {
        Type::Any => patterns().any(|types| types[i].is_ground()),
        Type::Number => patterns().any(|types| types[i] == Type::Int),
        _ => false,
    };
    let types = callee.pattern.0.iter().enumerate();
    let origins: Vec<(usize, bool, Option<Origin>)> = types
        .filter(|(_, ty)| matches!(ty, Type::Any | Type::Number))
        .map(|(i, ty)| (i, is_known(i, ty), self::origin(component, node, place, i)))
        .collect();
    let name = names::of_node(component, callee);
    let calls_itself = calls_itself(component, node, callee);
    let number = |i: usize| names::argument(&callee.name, i).unwrap_or(i + 1);
    let is_division =
        |(_, _, from): &&(usize, bool, Option<Origin>)| matches!(from, Some(Origin::Division));
    if let Some((argument, _, _)) = origins.iter().find(is_division) {
        return Some(Cause {
            reason: format!(
                "{calls_itself} with a number that `/` gives as argument {}, which may be a float",
                number(*argument)
            ),
            help: "Use `//` where integers are meant.".to_owned(),
            types_help: false,
        });
    }
    let known = || origins.iter().filter(|(_, is_known, _)| *is_known);
    let given = known().find_map(|(i, _, from)| match from {
        Some(Origin::Goal(goal)) => Some((*i, goal)),
        _ => None,
    });
    let reason = match given {
        Some((i, goal)) => format!(
            "{calls_itself} with what `{goal}` gives as argument {}, which is not known to be smaller",
            number(i)
        ),
        None => {
            let numbers: Vec<String> = known().map(|(i, _, _)| number(*i).to_string()).collect();
            let verb = match numbers.as_slice() {
                [] => return None,
                [_] => "is",
                _ => "are",
            };
            let which = arguments(&numbers, callee.pattern.0.len());
            format!("{calls_itself}, and {which} {verb} not known to get smaller")
        }
    };
    Some(Cause {
        reason,
        help: if_it_falls(&callee.name, &name),
        types_help: false,
    })
}

/// Returns advice on a recursion whose reason for termination is not visible in the clauses. The advice is empty for a specialised copy, to
/// which assertions cannot refer.
fn if_it_falls(predicate: &Functor, name: &str) -> String {
    match CopyName::read(predicate) {
        Some(_) => String::new(),
        None => {
            format!("If it does get smaller, state what `{name}` costs in a `trust` assertion.")
        }
    }
}

/// Returns argument numbers as words: `its arguments 1 and 2`.
fn arguments(numbers: &[String], of: usize) -> String {
    match numbers {
        [_] if of == 1 => "its argument".to_owned(),
        [one] => format!("its argument {one}"),
        [all @ .., last] => format!("its arguments {} and {last}", all.join(", ")),
        [] => "its arguments".to_owned(),
    }
}

/// Returns the recursive call that is not proved to end: none of its arguments decreases towards a limit.
pub(super) fn recursion(
    component: &Component<'_>,
    costs: &Costs,
    summary: &Summary,
    own: usize,
    missing: &[&SolvedPiece],
) -> Option<Unknown> {
    let mut best: Option<(u8, Unknown)> = None;
    for (i, node) in nodes_from(component, own) {
        let regions = (costs.runs[i].iter())
            .filter(|r| i != own || missing.iter().any(|p| meets(&r.region, &p.region)));
        for world in regions.flat_map(|r| &r.worlds) {
            for run in &world.clauses {
                let here = known_sizes(&world.world, &run.tree);
                for_each_step(&run.tree, &mut |step| {
                    if let Step::Call(call) = step
                        && matches!(call.callee, Callee::Inside(callee) if callee == i)
                        && let Some((rank, cause)) =
                            endless(component, node, run.clause, &here, call, summary)
                        && best.as_ref().is_none_or(|(b, _)| rank < *b)
                    {
                        let cause = Unknown {
                            home: None,
                            side: Side::Upper,
                            fuel: false,
                            reason: cause.reason,
                            cause: node.name.clone(),
                            literal: Some((run.clause, call.literal)),
                            help: cause.help,
                            types_help: cause.types_help,
                            declare: None,
                            missing: None,
                        };
                        best = Some((rank, cause));
                    }
                });
            }
        }
    }
    best.map(|(_, cause)| cause)
}

/// Returns the facts about sizes in a run, including those from its goals.
pub(super) fn known_sizes(world: &World, tree: &Tree) -> Region {
    let mut here = world.region().clone();
    for_each_step(tree, &mut |step| match step {
        Step::Call(call) => here = here.and_all(&call.facts),
        Step::Sizes(_, facts) => here = here.and_all(facts),
        _ => {}
    });
    here
}

/// Returns the index (from 0) of an argument that decreases in a recursive call and is bounded below.
pub(super) fn smaller_argument(node: &Node, region: &Region, call: &CallStep) -> Option<usize> {
    let one = Expr::int(1);
    let falls = node.params.iter().zip(&call.args).find(|(param, size)| {
        let v = Expr::var(param.var);
        let down = |upper: &Expr| nonnegative(&(&(&v - upper) - &one), region);
        param.slot.metric.least().is_some() && size.upper.as_ref().is_some_and(down)
    });
    falls.map(|(param, _)| param.slot.argument)
}

/// Returns the index (from 0) of an argument whose first element a clause takes, although it is not known to be a proper list.
fn taken_apart_unsized(component: &Component<'_>, node: &Node, clause: usize) -> Option<usize> {
    let clauses = component.shared.program.clauses(&node.name)?;
    let clause = clauses.get(clause)?;
    let terms = &*clause.terms;
    let arguments = terms.args(clause.head).iter().zip(&node.pattern.0);
    arguments
        .enumerate()
        .find(|(_, (term, ty))| {
            terms.matches(**term, CONS, 2).is_some() && matches!(ty, Type::Any | Type::Nonvar)
        })
        .map(|(i, _)| i)
}

/// Returns whether the region bounds a variable on one side, possibly in terms of other sizes.
fn is_limited(v: Var, region: &Region, side: Side) -> bool {
    let (low, high) = region.bounds(&Expr::var(v));
    let limit = match side {
        Side::Lower => low,
        Side::Upper => high,
    };
    if limit.is_some() {
        return true;
    }
    region.constraints().iter().any(|c| {
        let e = c.expr();
        let mut m = costlens_algebra::Monomial::one();
        m.powers.insert(v, 1);
        let a = e.coefficient(&m);
        match side {
            Side::Lower => a.is_positive(),
            Side::Upper => a.is_negative(),
        }
    })
}
