//! Assertions in directives, mode lines and `@cost` tags: any text must give a list with its places, and errors at places of the text.

use costlens_syntax::assertions::{Assertions, Property, assertions};
use costlens_syntax::{pldoc::mode_line, read_text};

/// Reads the text as a file, and as the inside of every construct that asserts.
pub fn holds(bytes: &[u8]) {
    let text = crate::input::text(bytes);
    asserted(&text);
    asserted(&format!(":- pred {text}.\np(a).\n"));
    asserted(&format!(
        ":- pred p(X) : list(X) + cost(ub, steps, {text}).\np([]).\n"
    ));
    let line = text.lines().next().unwrap_or_default();
    asserted(&format!("%! {line}\n%  @cost {line}\np([]).\n"));
    asserted(&format!(
        "%! p(+Xs:list) is det.\n%\n%  {text}\n%  @cost steps =< {line}\np([]).\n"
    ));
    asserted(&format!(
        "/** p(+Xs:list, -N)\n\n{text}\n@cost steps =< {line}\n*/\np([], 0).\n"
    ));
    if let Some(mode) = mode_line(line) {
        assert!(!mode.name.is_empty(), "{line}");
    }
}

fn asserted(text: &str) {
    let found = assertions(text, &read_text(text));
    fits_together(text, &found);
}

fn fits_together(text: &str, found: &Assertions) {
    let inside = |(from, to): (usize, usize)| {
        assert!(text.get(from..to).is_some(), "{from}..{to} of {text:?}");
    };
    assert_eq!(found.list.len(), found.places.len());
    for (assertion, place) in found.list.iter().zip(&found.places) {
        assert_eq!(assertion.arguments.len(), assertion.arity, "{assertion:?}");
        assert_eq!(
            assertion.properties.len(),
            place.properties.len(),
            "{assertion:?}"
        );
        inside(place.range);
        place.properties.iter().copied().for_each(inside);
        for stated in &assertion.properties {
            assert!(!stated.text.is_empty(), "{assertion:?}");
            if let Property::Cost(cost) = &stated.property {
                let arguments = cost.expression.arguments();
                assert!(
                    arguments.iter().all(|&a| a < assertion.arity),
                    "{arguments:?} of {assertion:?}"
                );
            }
        }
    }
    for error in &found.errors {
        inside(error.range);
        assert!(!error.message.is_empty());
    }
}
