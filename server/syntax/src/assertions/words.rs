//! The words of the assertion language, for messages, completion and hovers. `properties` and `cost` parse them; a test parses every form.

use crate::nearest::nearest;

/// A word of the assertion language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as written.
    pub name: &'static str,
    /// An example form, for a predicate with arguments `A` and `B`.
    pub form: &'static str,
    /// The meaning of the word.
    pub meaning: &'static str,
}

const fn word(name: &'static str, form: &'static str, meaning: &'static str) -> Word {
    Word {
        name,
        form,
        meaning,
    }
}

/// The properties that may follow `+`.
pub const PROPERTIES: [Word; 23] = [
    word(
        "cost",
        "cost(ub, steps, length(A) + 1)",
        "A bound on what a call costs up to its first solution: its side, the resource, and a function of sizes. With four arguments the second says of which \
         part of the call: `cost(ub, allsols, steps, length(A) + 1)`.",
    ),
    word(
        "costb",
        "costb(steps, 1, length(A) + 1)",
        "A lower and an upper bound on a resource.",
    ),
    word(
        "rel_cost",
        "rel_cost(ub, steps, 55)",
        "A share of what the whole program costs, in percent. Only a profiler can judge it.",
    ),
    word(
        "steps",
        "steps(length(A) + 1)",
        "The number of resolution steps up to the first solution.",
    ),
    word(
        "steps_ub",
        "steps_ub(length(A) + 1)",
        "An upper bound on resolution steps.",
    ),
    word(
        "steps_lb",
        "steps_lb(length(A) + 1)",
        "A lower bound on resolution steps.",
    ),
    word(
        "steps_o",
        "steps_o(length(A))",
        "The order of an upper bound on resolution steps.",
    ),
    word(
        "size",
        "size(ub, B, length(A))",
        "The size of an argument on success. With two arguments the exact size.",
    ),
    word(
        "size_ub",
        "size_ub(B, length(A))",
        "An upper bound on the size of an argument on success.",
    ),
    word(
        "size_lb",
        "size_lb(B, length(A))",
        "A lower bound on the size of an argument on success.",
    ),
    word(
        "size_o",
        "size_o(B, length(A))",
        "The order of the size of an argument on success.",
    ),
    word(
        "size_metric",
        "size_metric(B, length)",
        "The metric that an argument is measured by.",
    ),
    word(
        "solutions",
        "solutions(ub, length(A))",
        "A bound on the number of solutions. With one argument their exact number.",
    ),
    word("is_det", "is_det", "There is at most one solution."),
    word("det", "det", "There is exactly one solution."),
    word("semidet", "semidet", "There is at most one solution."),
    word("multi", "multi", "There is at least one solution."),
    word("not_fails", "not_fails", "There is at least one solution."),
    word("fails", "fails", "There is no solution."),
    word(
        "non_det",
        "non_det",
        "There may be any number of solutions.",
    ),
    word(
        "possibly_fails",
        "possibly_fails",
        "There may be no solution.",
    ),
    word(
        "terminates",
        "terminates",
        "A call ends, however many solutions are asked for.",
    ),
    word(
        "no_exception",
        "no_exception",
        "No call raises an exception.",
    ),
];

/// The sizes and functions that may occur in costs, in addition to operators.
pub const FUNCTIONS: [Word; 18] = [
    word("length", "length(A)", "The length of a list."),
    word("int", "int(A)", "The value of an integer."),
    word(
        "size",
        "size(A)",
        "The number of constants and function symbols in a term.",
    ),
    word(
        "depth",
        "depth(A)",
        "The depth of a term; of a constant it is 0.",
    ),
    word(
        "chars",
        "chars(A)",
        "The number of characters of an atom or string.",
    ),
    word(
        "facts",
        "facts(p/2)",
        "The number of clauses of a dynamic predicate when the call begins.",
    ),
    word(
        "cost",
        "cost(p/2)",
        "The most steps of any call of a predicate, or of the goal in an argument.",
    ),
    word(
        "solutions",
        "solutions(p/2)",
        "The most solutions of any call of a predicate, or of the goal in an argument.",
    ),
    word(
        "exp",
        "exp(length(A))",
        "The natural exponential function. `exp(B, E)` is a power.",
    ),
    word(
        "log",
        "log(length(A))",
        "The natural logarithm. `log(B, E)` is that to the base B.",
    ),
    word("log2", "log2(length(A))", "The logarithm to the base 2."),
    word("log10", "log10(length(A))", "The logarithm to the base 10."),
    word("sqrt", "sqrt(length(A))", "The square root."),
    word("fact", "fact(length(A))", "The factorial."),
    word("max", "max(length(A), 1)", "The larger of two."),
    word("min", "min(length(A), 1)", "The smaller of two."),
    word(
        "sum",
        "sum(I, 1, length(A), I)",
        "A sum over the integers of an interval.",
    ),
    word(
        "prod",
        "prod(I, 1, length(A), I)",
        "A product over the integers of an interval.",
    ),
];

/// The approximations of a bound.
pub const APPROXIMATIONS: [Word; 7] = [
    word("ub", "ub", "An upper bound."),
    word("lb", "lb", "A lower bound."),
    word("eq", "eq", "Exactly that much."),
    word("exact", "exact", "Exactly that much."),
    word("o", "o", "The order of an upper bound."),
    word("oub", "oub", "The order of an upper bound."),
    word("olb", "olb", "The order of a lower bound."),
];

/// The parts of a call to which a cost may apply.
pub const COST_TYPES: [Word; 8] = [
    word(
        "call",
        "call",
        "Up to the first solution, the failure or the exception.",
    ),
    word(
        "sol",
        "sol(2)",
        "From one solution to the next, up to this one.",
    ),
    word("allsols", "allsols", "Over all solutions."),
    word(
        "call_exit",
        "call_exit",
        "Up to the first solution, if there is one.",
    ),
    word(
        "call_fail",
        "call_fail",
        "Up to the failure, if there is no solution.",
    ),
    word("redo", "redo", "From a solution on."),
    word("redo_exit", "redo_exit", "From a solution to the next."),
    word(
        "redo_fail",
        "redo_fail",
        "From the last solution to the failure.",
    ),
];

/// The units of the resource `time`.
pub const UNITS: [Word; 4] = [
    word("ns", "ns", "Nanoseconds."),
    word("us", "us", "Microseconds."),
    word("ms", "ms", "Milliseconds."),
    word("s", "s", "Seconds."),
];

/// Common type names.
pub const TYPES: [&str; 23] = [
    "atom", "atm", "atomic", "any", "boolean", "callable", "codes", "compound", "float", "ground",
    "gnd", "int", "integer", "list", "nat", "nonneg", "nonvar", "num", "number", "rational",
    "string", "term", "var",
];

/// The tags in comments: the tags of PlDoc, and `@cost` and `@sizes`.
pub const TAGS: [&str; 19] = [
    "cost",
    "sizes",
    "arg",
    "author",
    "bug",
    "compat",
    "copyright",
    "deprecated",
    "error",
    "example",
    "license",
    "param",
    "private",
    "public",
    "see",
    "since",
    "tbd",
    "throws",
    "version",
];

/// Returns `; did you mean \`length\`?` for a typo, otherwise an empty string.
pub(super) fn did_you_mean<'w>(written: &str, words: impl IntoIterator<Item = &'w Word>) -> String {
    let names: Vec<&str> = words.into_iter().map(|w| w.name).collect();
    match nearest(written, &names) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}

/// Lists words: `ub, lb, eq`.
pub(super) fn listed(words: &[Word]) -> String {
    let all: Vec<&str> = words.iter().map(|w| w.name).collect();
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assertions::{Property, assertions};
    use crate::read::read_text;

    /// Returns the properties in a line, and its errors.
    fn read(property: &str) -> (Vec<Property>, Vec<String>) {
        let text = format!(":- pred p(A, B) + {property}.\n");
        let found = assertions(&text, &read_text(&text));
        let stated = found.list.iter().flat_map(|a| &a.properties);
        (
            stated.map(|s| s.property.clone()).collect(),
            found.errors.iter().map(|e| e.message.clone()).collect(),
        )
    }

    #[test]
    fn all_words_are_read() {
        for word in PROPERTIES {
            let (stated, errors) = read(word.form);
            assert!(errors.is_empty(), "{}: {errors:?}", word.form);
            assert!(!stated.is_empty(), "{}", word.form);
            assert!(word.form.starts_with(word.name), "{}", word.form);
        }
        for word in FUNCTIONS {
            let (_, errors) = read(&format!("cost(ub, steps, {})", word.form));
            assert!(errors.is_empty(), "{}: {errors:?}", word.form);
        }
        for word in APPROXIMATIONS {
            let (_, errors) = read(&format!("cost({}, steps, 1)", word.form));
            assert!(errors.is_empty(), "{}: {errors:?}", word.form);
        }
        for word in COST_TYPES {
            let (_, errors) = read(&format!("cost(ub, {}, steps, 1)", word.form));
            assert!(errors.is_empty(), "{}: {errors:?}", word.form);
        }
        for word in UNITS {
            let (_, errors) = read(&format!("cost(ub, time, 3*{})", word.form));
            assert!(errors.is_empty(), "{}: {errors:?}", word.form);
        }
    }

    #[test]
    fn slips_of_the_pen_are_told() {
        for (written, near) in [
            ("cost(ub, steps, lenght(A))", "length"),
            ("cost(ub, steps, log22(length(A)))", "log2"),
            ("cost(oubb, steps, 1)", "oub"),
            ("cost(ub, alsols, steps, 1)", "allsols"),
            ("not_fail", "not_fails"),
            ("steps_up(1)", "steps_ub"),
            ("cost(ub, time, 3*uss)", "us"),
        ] {
            let (_, errors) = read(written);
            let told = errors
                .iter()
                .any(|e| e.ends_with(&format!("did you mean `{near}`?")));
            assert!(told, "{written}: {errors:?}");
        }
    }
}
