//! The call patterns of library predicates, according to shipped assertions, only for guesses.
//!
//! ```prolog
//! :- trust pred put_assoc(?A:K, +B:assoc(K,V), ?C:V, -D:assoc(K,V)) + ….
//! insert([X|Xs], A0, A) :- put_assoc(X, A0, 1, A1), insert(Xs, A1, A).      % so A0 is guessed to be an `assoc(any, int)`
//! ```

use std::collections::BTreeMap;

use costlens_infer::regular::{Regulars, known_type};
use costlens_infer::types::{Pattern, Type};
use costlens_program::Functor;
use costlens_syntax::assertions::{Assertion, DeclaredType, Mode};

use super::KnownCallee;
use super::library::usual_pattern;
use super::shapes::Shapes;

/// Combines all assertions about a predicate, with the modes of the first assertion. Each assertion comes with the types of its file.
pub(crate) fn stated(lines: &[(&Assertion, &Regulars)]) -> Option<KnownCallee> {
    let (first, first_types) = lines.first()?;
    // An assertion about every call reveals nothing about the usual call pattern.
    let usual = usual_pattern(&Functor::new(first.name.clone(), first.arity));
    let mut shapes = Shapes::default();
    let mut parameters = BTreeMap::new();
    let (mut nodes, mut pattern) = (Vec::new(), Vec::new());
    for (i, argument) in first.arguments.iter().enumerate() {
        let types = lines.iter().filter_map(|(assertion, types)| {
            let argument = assertion.arguments.get(i)?;
            let declared = argument.call.as_ref().or(argument.success.as_ref())?;
            known_type(declared, types).filter(Type::is_bound)
        });
        let common = types.reduce(|a, b| a.join(&b));
        let own = argument.call.as_ref().or(argument.success.as_ref());
        nodes.push(match (own, &common) {
            (Some(DeclaredType::Parameter(_)), _) | (_, Some(Type::Opaque(_))) => match own {
                Some(own) => shapes.of_declared(own, first_types, &mut parameters),
                None => shapes.fresh(),
            },
            (_, Some(of)) => shapes.of_type(of),
            (_, None) => shapes.fresh(),
        });
        pattern.push(match argument.mode {
            Some(Mode::Out | Mode::Fresh) => Type::Free,
            Some(Mode::Either) => (usual.as_ref())
                .and_then(|usual| usual.0.get(i).cloned())
                .unwrap_or(Type::Any),
            _ => common.unwrap_or(Type::Nonvar),
        });
    }
    Some(KnownCallee {
        pattern: Some(Pattern(pattern)),
        open: Vec::new(),
        fills: Vec::new(),
        scheme: shapes.scheme(&nodes),
        own: false,
    })
}
