//! The predicates for which inference has its own rules. Predicates written in C take no resolution steps; relevant are their numbers of
//! solutions and the arguments that they bind ([`shipped`]).

pub(crate) mod shipped;
pub mod time_shapes;

pub(crate) use shipped::is_shipped;

use costlens_catalog::{Unfollowed, find, meta_arguments, unfollowed};
use costlens_syntax::term::{Term, TermId, Terms};

/// Effects of `format` other than writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Formatting {
    /// `~p` prints a term, which may call `portray/1`.
    pub(crate) prints: bool,
    /// `~@` calls a goal.
    pub(crate) calls: bool,
    /// `~*c` takes the repeat count from the arguments; `~1000c` contains a count that is much larger than the format.
    pub(crate) repeats: bool,
}

impl Formatting {
    /// Returns whether the format and its arguments bound the output and the goals that run.
    pub(crate) fn is_plain(self) -> bool {
        !(self.prints || self.calls || self.repeats)
    }
}

/// Returns the effects of a literal format: `"~t~w~20|~p"`. Returns `None` if the format is not a literal.
pub(crate) fn formatting(terms: &Terms, format: TermId) -> Option<Formatting> {
    match terms.get(format) {
        Term::Atom(text) | Term::String(text) => Some(directives(text)),
        _ => None,
    }
}

/// Parses the directives of a format.
fn directives(text: &str) -> Formatting {
    let mut found = Formatting {
        prints: false,
        calls: false,
        repeats: false,
    };
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '~' {
            continue;
        }
        // A directive may start with a number, `*`, or a quoted character: "~`-t~30|".
        let mut directive = rest.next();
        let mut digits = 0;
        while let Some(c) = directive {
            match c {
                '`' => {
                    rest.next();
                }
                '*' => found.repeats = true,
                '0'..='9' => {
                    digits += 1;
                    found.repeats |= digits > 2;
                }
                ':' => {}
                _ => break,
            }
            directive = rest.next();
        }
        found.prints |= directive == Some('p');
        found.calls |= directive == Some('@');
    }
    found
}

/// Returns whether inference has its own rules for a predicate: a built-in, or a meta-predicate.
#[must_use]
pub fn has_rules(name: &str, arity: usize) -> bool {
    is_shipped(name, arity)
        || find(name, arity).is_some_and(|p| p.has_rules)
        || !meta_arguments(name, arity).is_empty()
}

/// Returns whether a call makes goals run after it, so that its cost does not end with it.
pub(crate) fn runs_later(name: &str, arity: usize) -> bool {
    matches!(
        unfollowed(name.trim_start_matches('$'), arity),
        Some(Unfollowed::Attributes | Unfollowed::Continues | Unfollowed::Wakes)
    )
}

/// Returns the reason why the analysis does not follow a call to a meta-predicate, or to a predicate that changes the program's execution
/// (`{}` is the predicate), and advice for the user.
pub(crate) fn not_analysed(name: &str, arity: usize) -> Option<(&'static str, &'static str)> {
    const IN_SIGHT: &str = "Name the predicate in the call, or choose by the data which one to call: `run(double, X, Y) :- double(X, Y).`";
    Some(match unfollowed(name, arity)? {
        Unfollowed::Data => (
            "the goal that `{}` runs is not known from the text of the program, since it comes from data",
            IN_SIGHT,
        ),
        Unfollowed::Goal => (
            "the goal that `{}` runs is not known from the text of the program",
            IN_SIGHT,
        ),
        Unfollowed::Module => (
            "the work of `{}` in the module that it names is not followed here",
            "Call the goal without it, where it does not look at the module that it is called from.",
        ),
        Unfollowed::Altered => (
            "`{}` changes how its goal runs, which is not followed",
            "Call the goal itself.",
        ),
        Unfollowed::Attributes => (
            "`{}` gives a variable an attribute: `attr_unify_hook/2` of its module runs when the variable is bound later, which is not followed",
            "Keep what belongs to the variable in an argument of its own: `p(X, Domain)`.",
        ),
        Unfollowed::Continues => (
            "`{}` goes on elsewhere than behind its call (delimited continuations), which is not followed",
            "Hand the values over in arguments, or call the goal that takes them.",
        ),
        Unfollowed::Type => (
            "the type that `{}` tests is not to be seen, or no library defines it",
            "Name a type of library(error) where it is called: `must_be(list, Xs)`.",
        ),
        Unfollowed::Wakes => (
            "`{}` wakes a goal when variables are bound later, which is not followed",
            "Test when the variables are bound: `X \\== Y` in place of `dif(X, Y)`.",
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_looked_through() {
        for (text, prints, calls, repeats) in [
            ("plain p@*", false, false, false),
            ("~w~n", false, false, false),
            ("~p", true, false, false),
            ("~t~w~20|~p", true, false, false),
            ("~`pt~30|", false, false, false),
            ("~`*t~30|", false, false, false),
            ("~99c", false, false, false),
            ("~1000c", false, false, true),
            ("~*c~@", false, true, true),
            ("~~p", false, false, false),
            ("~", false, false, false),
        ] {
            let expected = Formatting {
                prints,
                calls,
                repeats,
            };
            assert_eq!(directives(text), expected, "{text}");
        }
    }
}
