//! Properties of calls that assertions mention: preconditions, argument sizes, and the call as text.

use costlens_machine::{Cell, Store, View};
use costlens_syntax::assertions::{
    Argument, DeclaredType, Mode, OpaqueName, SizeLimit, SizeMetric,
};

/// The maximum number of subterms that are visited to compute a size.
const MOST_SUBTERMS: usize = 10_000_000;
/// The maximum number of subterms of an argument that is printed in full.
const SHOWN_SUBTERMS: usize = 60;

/// Returns whether a call is known to fit a precondition.
pub(super) fn fits(
    store: &Store,
    arguments: &[Cell],
    declared: &[Argument],
    limits: &[SizeLimit],
) -> bool {
    let of_type = |(cell, argument): (&Cell, &Argument)| {
        let by_mode = match argument.mode {
            Some(Mode::In | Mode::Meta | Mode::Mutable) => {
                is_of(store, *cell, &DeclaredType::Nonvar)
            }
            Some(Mode::GroundIn) => is_of(store, *cell, &DeclaredType::Ground),
            Some(Mode::Out | Mode::Fresh) => is_of(store, *cell, &DeclaredType::Var),
            Some(Mode::Either | Mode::Unchanged) | None => true,
        };
        by_mode && (argument.call.as_ref()).is_none_or(|t| is_of(store, *cell, t))
    };
    let within = |limit: &SizeLimit| {
        let size = arguments.get(limit.argument);
        let size = size.and_then(|&cell| size_of(store, cell, limit.metric));
        size.is_some_and(|size| {
            let number = |n: &dyn ToString| n.to_string().parse::<f64>().ok();
            let least = limit.at_least.as_ref().map(|n| number(n));
            let most = limit.at_most.as_ref().map(|n| number(n));
            least.is_none_or(|n| n.is_some_and(|n| size >= n))
                && most.is_none_or(|n| n.is_some_and(|n| size <= n))
        })
    };
    arguments.iter().zip(declared).all(of_type) && limits.iter().all(within)
}

/// Returns whether a term has a type. The recursion is no deeper than the nesting of the type.
fn is_of(store: &Store, cell: Cell, declared: &DeclaredType) -> bool {
    let negative = |view: &View| match view {
        View::Integer(n) => *n < 0,
        View::Big(n) => n.to_string().starts_with('-'),
        _ => true,
    };
    let view = store.view(cell);
    match declared {
        DeclaredType::Any => true,
        DeclaredType::Var => matches!(view, View::Variable(_)),
        DeclaredType::Nonvar => !matches!(view, View::Variable(_)),
        DeclaredType::Ground => store.is_ground(cell),
        DeclaredType::String => matches!(view, View::String(_)),
        DeclaredType::AtomOrString => matches!(view, View::String(_) | View::Atom(_)),
        DeclaredType::Int => matches!(view, View::Integer(_) | View::Big(_)),
        DeclaredType::NonNegative => !negative(&view),
        DeclaredType::Positive => !negative(&view) && !matches!(view, View::Integer(0)),
        DeclaredType::Number => matches!(
            view,
            View::Integer(_) | View::Big(_) | View::Rational(_) | View::Float(_)
        ),
        DeclaredType::Atom => matches!(view, View::Atom(_)),
        DeclaredType::List(element) => {
            store.is_proper_list(cell)
                && store.list(cell).0.iter().all(|&e| is_of(store, e, element))
        }
        DeclaredType::Opaque(name, types) => contents(store, cell, *name).is_some_and(|all| {
            let (key, value) = &**types;
            (all.iter()).all(|(k, v)| is_of(store, *k, key) && is_of(store, *v, value))
        }),
        DeclaredType::Parameter(_) => true,
        // The type is not interpreted.
        DeclaredType::Named(_) => false,
    }
}

/// Returns the keys and values of a term of an opaque type.
fn contents(store: &Store, cell: Cell, name: OpaqueName) -> Option<Vec<(Cell, Cell)>> {
    name.contents(cell, &|cell: Cell| match store.view(cell) {
        View::Atom(atom) => Some((store.atoms.characters(atom).into(), Vec::new())),
        View::Compound(name, arity, first) => {
            let arguments = (first..first + arity).map(|at| store.cell(at)).collect();
            Some((store.atoms.characters(name).into(), arguments))
        }
        _ => None,
    })
}

/// Returns the size of a term. Without a metric, only integers and lists have a size, since their metric is unambiguous.
#[expect(clippy::cast_precision_loss, reason = "sizes of terms in memory")]
pub(super) fn size_of(store: &Store, cell: Cell, metric: Option<SizeMetric>) -> Option<f64> {
    let length = || {
        let proper = store.is_proper_list(cell);
        proper.then(|| store.list(cell).0.len() as f64)
    };
    let int = || match store.view(cell) {
        View::Integer(n) => Some(n as f64),
        View::Big(n) => n.to_string().parse().ok(),
        _ => None,
    };
    match metric {
        None => int().or_else(length),
        Some(SizeMetric::Int) => int(),
        Some(SizeMetric::Length) => length(),
        Some(SizeMetric::Size) => {
            let (size, _) = measured(store, cell, MOST_SUBTERMS)?;
            store.is_ground(cell).then_some(size as f64)
        }
        Some(SizeMetric::Keys) => {
            let mut names = OpaqueName::ALL.into_iter();
            let found = names.find_map(|name| contents(store, cell, name))?;
            Some(found.len() as f64)
        }
        Some(SizeMetric::Depth) => {
            let (_, depth) = measured(store, cell, MOST_SUBTERMS)?;
            store.is_ground(cell).then_some(depth as f64)
        }
        Some(SizeMetric::Chars) => match store.view(cell) {
            View::Atom(atom) => Some(store.atoms.characters(atom).chars().count() as f64),
            View::String(text) => Some(text.chars().count() as f64),
            _ => None,
        },
    }
}

/// Returns the number of subterms and the depth of a term, or `None` if there are more than `most` subterms.
pub(crate) fn measured(store: &Store, cell: Cell, most: usize) -> Option<(usize, usize)> {
    let (mut size, mut deepest) = (0, 0);
    let mut stack = vec![(cell, 0)];
    while let Some((top, depth)) = stack.pop() {
        size += 1;
        if size > most {
            return None;
        }
        deepest = deepest.max(depth);
        if let Some((first, arity)) = store.arguments(store.deref(top)) {
            stack.extend((first..first + arity).map(|at| (store.cell(at), depth + 1)));
        }
    }
    Some((size, deepest))
}

/// Returns a call as text, with the sizes of abbreviated arguments.
pub(super) fn text(
    store: &Store,
    name: &str,
    arguments: &[Cell],
    write: &dyn Fn(Cell) -> String,
) -> String {
    let argument = |&cell: &Cell| {
        if measured(store, cell, SHOWN_SUBTERMS).is_some() {
            return write(cell);
        }
        match size_of(store, cell, Some(SizeMetric::Length)) {
            Some(length) => format!("<a list of {length}>"),
            None => "<a large term>".to_owned(),
        }
    };
    let shown: Vec<String> = arguments.iter().map(argument).collect();
    match shown.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", shown.join(",")),
    }
}
