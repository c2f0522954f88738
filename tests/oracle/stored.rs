//! The interpreter compared with answers of SWI-Prolog that are stored for the machine: every function of `is/2` over pairs of operands, and
//! goals of built-ins. Anything unsupported by the interpreter is skipped and counted: it has to support most.

use std::rc::Rc;

use crate::machine::{Machine, Outcome};
use crate::program::Program;
use crate::property;
use crate::selfcheck::parse_goal;

/// Returns a value or error in the format of the stored answers, except for the last digits of a float.
fn evaluated(expression: &str) -> Option<String> {
    let limits = crate::machine::Limits::default();
    let mut machine = Machine::new(&Rc::default(), &Rc::default(), limits);
    let goal = parse_goal(&mut machine.heap, &format!("'$value' is {expression}"));
    let crate::heap::Cell::Compound(_, start, _) = *machine.heap.value(goal) else {
        return None;
    };
    let value = machine.evaluate(start + 1);
    let text = match value {
        Ok(at) => crate::write::text(&mut machine.heap, at),
        Err(crate::machine::Stop::Throw(ball)) => {
            let ball = crate::write::text(&mut machine.heap, ball);
            format!("throws {}", kind_of_error(&ball)?)
        }
        Err(_) => return None,
    };
    Some(text)
}

/// Returns `evaluation_error` of `error(evaluation_error(undefined),_)`.
fn kind_of_error(ball: &str) -> Option<&str> {
    let formal = ball.strip_prefix("error(").unwrap_or(ball);
    formal.split(['(', ',', ')', ' ']).next()
}

fn same_number(ours: &str, theirs: &str) -> bool {
    if ours == theirs {
        return true;
    }
    let is_float = |t: &str| t.contains(['.', 'e', 'I', 'N']);
    let read = |t: &str| t.replace("Inf", "").replace("NaN", "").parse::<f64>().ok();
    match (is_float(ours), is_float(theirs), read(ours), read(theirs)) {
        (true, true, Some(a), Some(b)) => {
            (a - b).abs() <= 1e-12 * a.abs().max(b.abs()) || a.to_bits() == b.to_bits()
        }
        _ => false,
    }
}

/// Compares every function over stored operands: the same value, or the same kind of error.
pub(crate) fn arithmetic() -> Result<(), String> {
    let file = property::root().join("server/machine/tests/arithmetic/answers.tsv");
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let (mut compared, mut left, mut wrong) = (0, 0, Vec::new());
    for line in text.lines() {
        let line = line.replace("\\", "\\\\");
        let columns: Vec<&str> = line.split('\t').collect();
        let (expression, theirs) = match columns[..] {
            ["is", expression, answer] => (expression.to_owned(), answer),
            [name, x, answer] => (format!("'{name}'({x})"), answer),
            [name, _, _, "true" | "false"] if !name.is_empty() => continue,
            [name, x, y, answer] => (format!("'{name}'({x}, {y})"), answer),
            _ => continue,
        };
        // The oracle supports neither rational numbers nor infinite ones.
        let digits = |t: &str| {
            t.trim_start_matches('-')
                .bytes()
                .all(|c| c.is_ascii_digit())
        };
        let rational = |t: &str| {
            (t.split_once('r')).is_some_and(|(n, d)| digits(n) && digits(d)) || t.contains("1r3")
        };
        if columns[1..]
            .iter()
            .any(|t| rational(t) || matches!(*t, "inf" | "-inf" | "nan"))
        {
            continue;
        }
        let Some(ours) = evaluated(&expression) else {
            left += 1;
            continue;
        };
        compared += 1;
        let same = match (ours.strip_prefix("throws "), theirs.strip_prefix("throws ")) {
            (Some(a), Some(b)) => Some(a) == kind_of_error(b),
            (None, None) => same_number(&ours, theirs),
            _ => false,
        };
        if !same {
            wrong.push(format!("{expression}: oracle {ours}, swipl {theirs}"));
        }
    }
    verdict(compared, left, &wrong)
}

/// Compares goals of built-ins: success, failure, or the same kind of error.
pub(crate) fn built_ins() -> Result<(), String> {
    let folder = property::root().join("server/machine/tests/builtins");
    let library = property::library();
    let (mut compared, mut left, mut wrong) = (0, 0, Vec::new());
    for name in ["types", "text", "libraries"] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.tsv")))
            .map_err(|e| e.to_string())?;
        for line in text.lines() {
            let Some((goal, theirs)) = line.split_once('\t') else {
                continue;
            };
            let read = costlens_syntax::read_text(&format!("{goal}."));
            if read.clauses.len() != 1
                || read.clauses[0].error.is_some()
                || !Program::read(&format!("x :- {goal}."))
                    .unsupported
                    .is_empty()
            {
                continue;
            }
            let limits = crate::machine::Limits::default();
            let mut machine = Machine::new(&Rc::default(), &library, limits);
            let goal_term = parse_goal(&mut machine.heap, goal);
            let ours = match machine.count(goal_term, |_| {}).first {
                Outcome::Success => "yes".to_owned(),
                Outcome::Failure => "no".to_owned(),
                Outcome::Exception(ball) => {
                    format!("throws {}", kind_of_error(&ball).unwrap_or("?"))
                }
                Outcome::Limit | Outcome::Unsupported(_) => {
                    left += 1;
                    continue;
                }
            };
            // Shipped clauses of these cover only proper lists.
            if theirs.contains("matching_rule") || goal == "append(a, X)" {
                left += 1;
                continue;
            }
            if ours == "throws existence_error" && !theirs.contains("existence_error") {
                left += 1;
                continue;
            }
            compared += 1;
            let same = match (ours.strip_prefix("throws "), theirs.strip_prefix("throws ")) {
                (Some(a), Some(b)) => Some(a) == kind_of_error(b),
                (None, None) => theirs.split(' ').next() == Some(ours.as_str()),
                _ => false,
            };
            if !same {
                wrong.push(format!("{goal}: oracle {ours}, swipl {theirs}"));
            }
        }
    }
    verdict(compared, left, &wrong)
}

fn verdict(compared: usize, left: usize, wrong: &[String]) -> Result<(), String> {
    if !wrong.is_empty() {
        let many = wrong.len();
        return Err(format!(
            "{many} of {compared} differ ({left} left out):\n{}",
            wrong.join("\n")
        ));
    }
    if compared < left {
        return Err(format!("only {compared} compared, {left} left out"));
    }
    Ok(())
}
