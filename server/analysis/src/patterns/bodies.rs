//! The literals of a body, in the order in which they run.

use costlens_catalog::{counts_nothing, meta_arguments};
use costlens_syntax::term::{TermId, Terms};

/// Literals beyond this number are not looked at.
pub(super) const MOST_LITERALS: usize = 200;

/// A part of a body in the order in which it runs.
pub(super) enum Part {
    Goal(TermId),
    /// The exception `E` of `catch(G, E, R)`. It is bound once `R` runs.
    Caught(TermId),
}

/// The literals of a body in the order of the text, those inside control constructs and called closures included; what a
/// branch binds counts for what follows, which is good enough for a guess.
pub(super) fn parts(terms: &Terms, body: TermId) -> Vec<Part> {
    let (mut found, mut stack) = (Vec::new(), vec![body]);
    while let Some(goal) = stack.pop() {
        if found.len() >= MOST_LITERALS {
            break;
        }
        let Some((name, arity)) = terms.functor(goal) else {
            continue;
        };
        let args = terms.args(goal);
        match (name.as_str(), args) {
            // Predicates of other modules are no callees under their plain names: what is guessed of one of that name here must not be asked for.
            (":", &[module, _]) if terms.as_atom(module).is_some() => continue,
            (":" | "^", &[_, inner]) => {
                stack.push(inner);
                continue;
            }
            _ => {}
        }
        let meta = meta_arguments(name, arity);
        // What is called is a literal of its own.
        let control = arity > 0 && name != "call" && counts_nothing(name, arity);
        if !control {
            found.push(Part::Goal(goal));
        }
        // In the order of the text; the goals of `findall/3` come before its result is there.
        let inner = meta
            .into_iter()
            .filter(|m| m.added == 0)
            .filter_map(|m| args.get(m.argument));
        if control {
            stack.extend(inner.rev());
        } else {
            let nested: Vec<TermId> = inner.copied().collect();
            if !nested.is_empty() {
                found.pop();
                for (i, &inner) in nested.iter().enumerate() {
                    if let Some(catcher) = catcher(terms, goal).filter(|_| i == 1) {
                        found.push(Part::Caught(catcher));
                    }
                    found.extend(terms.chain(inner, ",").into_iter().map(Part::Goal));
                }
                found.push(Part::Goal(goal));
            }
        }
    }
    found
}

/// The term that an exception is unified with before the recovery goal runs.
pub(super) fn catcher(terms: &Terms, goal: TermId) -> Option<TermId> {
    match (terms.functor(goal)?, terms.args(goal)) {
        ((name, 3), &[_, catcher, _])
            if matches!(name.as_str(), "catch" | "catch_with_backtrace") =>
        {
            Some(catcher)
        }
        _ => None,
    }
}
