//! The call patterns of library predicates, according to shipped assertions, only for guesses.
//!
//! ```prolog
//! :- trust pred put_assoc(+A:num, +B:assoc, +C:num, -D:assoc) + ….
//! insert([X|Xs], A0, A) :- put_assoc(X, A0, 1, A1), insert(Xs, A1, A).      % so A0 is guessed to be an `assoc`
//! ```

use costlens_infer::regular::{Regulars, known_type};
use costlens_infer::types::{Pattern, Type};
use costlens_program::Functor;
use costlens_syntax::assertions::{Assertion, Mode};

use super::KnownCallee;
use super::library::usual_pattern;
use super::shapes::Shapes;

/// Combines all assertions about a predicate, with the modes of the first assertion. Each assertion comes with the types of its file.
pub(crate) fn stated(lines: &[(&Assertion, &Regulars)]) -> Option<KnownCallee> {
    let (first, _) = lines.first()?;
    // An assertion about every call reveals nothing about the usual call pattern.
    let usual = usual_pattern(&Functor::new(first.name.clone(), first.arity));
    let mut shapes = Shapes::default();
    let (mut nodes, mut pattern) = (Vec::new(), Vec::new());
    for (i, argument) in first.arguments.iter().enumerate() {
        let types = lines.iter().filter_map(|(assertion, types)| {
            let argument = assertion.arguments.get(i)?;
            let declared = argument.call.as_ref().or(argument.success.as_ref())?;
            known_type(declared, types).filter(Type::is_bound)
        });
        let common = types.reduce(|a, b| a.join(&b));
        nodes.push(match &common {
            Some(of) => shapes.of_type(of),
            None => shapes.fresh(),
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
