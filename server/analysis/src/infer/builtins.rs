//! Built-ins: which predicates inference has rules of its own for. Those that are written in C take no resolution step; what matters is how
//! often they succeed and what they bind ([`shipped`]).

pub(crate) mod shipped;

pub(crate) use shipped::is_shipped;

/// The predicate that a program may define for a built-in to call: name and arity.
pub(crate) fn hook(name: &str) -> Option<(&'static str, usize)> {
    Some(match name {
        "print" | "portray_clause" | "write_term" | "listing" | "format" => ("portray", 1),
        "print_message" | "print_message_lines" | "debug" => ("message_hook", 3),
        "absolute_file_name" | "exists_source" => ("file_search_path", 2),
        "nb_getval" | "b_getval" => ("exception", 3),
        _ => return None,
    })
}

/// What `format` does beside writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Formatting {
    /// `~p` prints a term, which may call `portray/1`.
    pub(crate) prints: bool,
    /// `~@` calls a goal.
    pub(crate) calls: bool,
}

/// What the directives of a format say: `"~t~w~20|~p"`.
pub(crate) fn formatting(text: &str) -> Formatting {
    let mut found = Formatting {
        prints: false,
        calls: false,
    };
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '~' {
            continue;
        }
        // A number, `*`, or a character in a quote may come first: "~`-t~30|".
        let mut directive = rest.next();
        while let Some(c) = directive {
            match c {
                '`' => {
                    rest.next();
                }
                '0'..='9' | '*' | ':' => {}
                _ => break,
            }
            directive = rest.next();
        }
        found.prints |= directive == Some('p');
        found.calls |= directive == Some('@');
    }
    found
}

/// Whether inference has rules of its own for a predicate: a built-in, or one that calls goals.
pub(crate) fn has_rules(name: &str, arity: usize) -> bool {
    is_shipped(name, arity)
        || (name, arity) == ("must_be", 2)
        || !costlens_program::language::meta_arguments(name, arity).is_empty()
}

/// Predicates that call goals or change how the program runs, with the reason why such a call is not followed (`{}` is the predicate)
/// and what the user can do.
pub(crate) fn not_analysed(name: &str, arity: usize) -> Option<(&'static str, &'static str)> {
    const IN_SIGHT: &str = "Name the predicate where it is called, as in `maplist(double, Xs, Ys)`, or choose by the data which one to call: \
         `run(double, X, Y) :- double(X, Y).`";
    Some(match (name, arity) {
        ("call", 1..) | ("apply", 2) => (
            "which goal `{}` runs is not to be seen in the program: it comes from data",
            IN_SIGHT,
        ),
        ("catch" | "catch_with_backtrace", 3) => (
            "which goal `{}` runs is not to be seen in the program",
            IN_SIGHT,
        ),
        ("setup_call_cleanup", 3) | ("call_cleanup", 2) => (
            "when the cleanup goal of `{}` runs is not followed",
            "Call the goal and then the cleanup, one after the other, where the goal cannot fail or raise an exception.",
        ),
        ("@", 2) => (
            "what `{}` does in the module that it names is not followed here",
            "Call the goal without it, where it does not look at the module that it is called from.",
        ),
        ("bagof" | "setof", 3) => (
            "solutions that `{}` groups by free variables are not followed",
            "Collect them with `findall/3`, and order them with `sort/2`.",
        ),
        ("maplist" | "$maplist", 2..)
        | ("foldl", 4..=7)
        | ("include" | "exclude", 3)
        | ("partition", 4 | 6)
        | ("predsort", 3)
        | ("convlist", 3)
        | ("foldr", 4)
        | ("aggregate_all", 3 | 4)
        | ("findall", 4)
        | ("phrase", 2 | 3)
        | ("call_dcg", 3) => (
            "which goal `{}` runs is not to be seen in the program",
            IN_SIGHT,
        ),
        ("limit" | "call_nth" | "offset", 2) | ("time" | "thread_create", 1..) => (
            "what `{}` makes of the goal is not followed",
            "Call the goal itself.",
        ),
        ("must_be", 2) => (
            "which type `{}` tests is not to be seen, or no library defines it",
            "Name a type of library(error) where it is called: `must_be(list, Xs)`.",
        ),
        ("assertion", 1) => (
            "which goal `{}` tests is not followed",
            "Call the goal itself.",
        ),
        ("freeze" | "when" | "dif", 2) => (
            "`{}` wakes a goal when variables are bound later, which is not followed",
            "Test when the variables are bound: `X \\== Y` in place of `dif(X, Y)`.",
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_looked_through() {
        for (text, prints, calls) in [
            ("plain p@", false, false),
            ("~w~n", false, false),
            ("~p", true, false),
            ("~t~w~20|~p", true, false),
            ("~`pt~30|", false, false),
            ("~*c~@", false, true),
            ("~~p", false, false),
            ("~", false, false),
        ] {
            assert_eq!(formatting(text), Formatting { prints, calls }, "{text}");
        }
    }
}
