//! The assertions in the records, as text in the assertion language: solutions, types and sizes of calls, and the growth of their running
//! time.

use std::fmt::Write as _;

use crate::lookup::system_predicates;
use crate::predicate::SystemPredicate;

/// Returns the solutions, types, sizes and exceptions stated in the records, as `trust` assertions about predicates without steps.
#[must_use]
pub fn trust_assertions() -> String {
    let mut text = ":- trust_default + cost(exact, allsols, steps, 0).\n".to_owned();
    for predicate in system_predicates() {
        for statement in &predicate.statements {
            let (head, properties) = split(statement);
            add(&mut text, predicate, head, properties);
        }
    }
    text
}

/// Returns the orders of running times stated in the records, as `trust` assertions with a property `cost(o, time, E)`.
#[must_use]
pub fn time_assertions() -> String {
    let mut text = String::new();
    for predicate in system_predicates() {
        for time in &predicate.times {
            let (calls, order) = time.split_once("= ").unwrap_or(("", time));
            let (head, condition) = split(calls.trim_end());
            let properties = format!("{condition} + cost(o, time, {order})");
            add(&mut text, predicate, head, &properties);
        }
    }
    text
}

/// Splits `(?A, -B:int) + det` after the arguments.
fn split(statement: &str) -> (&str, &str) {
    let mut depth = 0_u32;
    for (at, c) in statement.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if at == 0 => return ("", statement),
            _ => {}
        }
        if depth == 0 {
            return statement.split_at(at + 1);
        }
    }
    (statement, "")
}

/// Adds an assertion about a predicate with these arguments.
fn add(text: &mut String, predicate: &SystemPredicate, arguments: &str, properties: &str) {
    let name = predicate.name.replace('\\', "\\\\").replace('\'', "\\'");
    // Some names are operators.
    let head = match arguments {
        "" => format!("('{name}')"),
        arguments => format!("'{name}'{arguments}"),
    };
    let properties = match properties.trim_start() {
        "" => String::new(),
        properties => format!(" {properties}"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, ":- trust pred {head}{properties}.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_assertions_about_their_record() {
        let text = trust_assertions();
        for line in [
            ":- trust pred 'atom_length'(?A, -B:int).",
            ":- trust pred ('false') + (fails, no_exception).",
            ":- trust pred '=..'(?A, ?B) + is_det.",
        ] {
            assert!(text.contains(line), "{line}");
        }
        let text = time_assertions();
        for line in [
            ":- trust pred 'format'(?A) : written_format(A) + cost(o, time, length(A)).",
            ":- trust pred ('false') + cost(o, time, 1).",
        ] {
            assert!(text.contains(line), "{line}");
        }
    }
}
