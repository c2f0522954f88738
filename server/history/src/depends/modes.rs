//! The modes of calls, as inferred by analysis: how arguments are bound before and after a call, and how many solutions it has.

use costlens_analysis::call_modes::{CallModes, Modes};
use costlens_analysis::report::Determinism;
use costlens_analysis::types::Type;
use costlens_program::Functor;

use super::ArgumentBinding;

/// The modes after a call.
pub(super) struct Exit {
    /// The arguments that are ground.
    pub(super) ground: Vec<bool>,
    /// The number of solutions, if it is known.
    pub(super) determinism: Option<Determinism>,
}

/// Returns how every call of a predicate binds its arguments.
pub(super) fn on_entry(modes: &Modes, functor: &Functor) -> Vec<ArgumentBinding> {
    let known = modes.get(functor).filter(|known| known.are_all);
    let calls = known.map_or(&[][..], |known| &known.modes);
    let of_argument = |j: usize| {
        let bounds = calls.iter().map(|call| bound(call, j));
        bounds
            .reduce(ArgumentBinding::join)
            .unwrap_or(ArgumentBinding::Partly)
    };
    (0..functor.arity).map(of_argument).collect()
}

/// Returns the modes after a call whose arguments are bound in this way.
pub(super) fn on_exit(modes: &Modes, functor: &Functor, call: &[ArgumentBinding]) -> Exit {
    let calls = fitting(modes, functor, call);
    let is_ground = |j: usize, modes: &CallModes| modes.success.get(j).is_some_and(Type::is_ground);
    Exit {
        ground: (0..functor.arity)
            .map(|j| !calls.is_empty() && calls.iter().all(|modes| is_ground(j, modes)))
            .collect(),
        determinism: { calls.iter() }
            .map(|modes| Some(modes.determinism))
            .reduce(common)
            .flatten(),
    }
}

/// Returns the known call patterns that may cover a call. Among the patterns that require no more than is known about the call, these are
/// the most demanding patterns. If every pattern requires more, all patterns are returned, because analysis has more information about the
/// call.
fn fitting<'m>(
    modes: &'m Modes,
    functor: &Functor,
    call: &[ArgumentBinding],
) -> Vec<&'m CallModes> {
    let Some(known) = modes.get(functor) else {
        return Vec::new();
    };
    let fits = |modes: &CallModes, demand: ArgumentBinding| {
        let mut arguments = call.iter().enumerate();
        arguments.all(|(j, given)| bound(modes, j) != demand || *given == demand)
    };
    let demands = |modes: &CallModes| {
        let arguments = 0..call.len();
        arguments
            .filter(|&j| bound(modes, j) != ArgumentBinding::Partly)
            .count()
    };
    let free = known
        .modes
        .iter()
        .filter(|m| fits(m, ArgumentBinding::Free));
    let free: Vec<&CallModes> = free.collect();
    let certain = free
        .iter()
        .copied()
        .filter(|m| fits(m, ArgumentBinding::Ground));
    let certain: Vec<&CallModes> = certain.collect();
    match certain.iter().map(|m| demands(m)).max() {
        Some(most) => { certain.into_iter() }
            .filter(|m| demands(m) == most)
            .collect(),
        None if free.is_empty() && known.are_all => known.modes.iter().collect(),
        None => free,
    }
}

fn bound(modes: &CallModes, argument: usize) -> ArgumentBinding {
    let known = modes.pattern.0.get(argument);
    known.map_or(ArgumentBinding::Partly, ArgumentBinding::of_type)
}

/// Returns the determinism that holds for both kinds of calls.
fn common(a: Option<Determinism>, b: Option<Determinism>) -> Option<Determinism> {
    match (a?, b?) {
        (a, b) if a == b => Some(a),
        (Determinism::Det | Determinism::Multi, Determinism::Det | Determinism::Multi) => {
            Some(Determinism::Multi)
        }
        _ => None,
    }
}
