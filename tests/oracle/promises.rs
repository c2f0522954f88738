//! The annotations of the fixtures compared with the interpreter only: their promises are true, regardless of inference.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde_json::{Value, json};

use crate::annotations::{self, Kind};
use crate::bounds::Claim;
use crate::expressions;
use crate::generate::{self, Generator, Type, Vocabulary};
use crate::heap::Heap;
use crate::program::Program;
use crate::property;

/// Checks the `steps`, `at`, `determinism` and `errors` lines of each predicate that has a `%!` line; returns the number of runs and the
/// contradictions.
pub(crate) fn check(
    file: &Path,
    library: &Rc<Program>,
    per_promise: usize,
) -> Result<(usize, Vec<String>), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let lines: Vec<&str> = text.lines().collect();
    let program = Rc::new(Program::read(&text));
    let vocabulary = Vocabulary::collect(&program);
    let (mut runs, mut violations) = (0, Vec::new());
    let all = annotations::read(&text)?;
    for annotation in &all {
        let Some((name, types)) = declared(&lines, annotation.about) else {
            continue;
        };
        // If the first pattern is stated, its types are used.
        let types = match stated_types(&all, annotation.about) {
            None => types,
            Some(Some(stated)) if stated.len() == types.len() => stated,
            Some(_) => continue,
        };
        let mut claim = Claim {
            name,
            arity: types.len(),
            pattern: 0,
            types: Vec::new(),
            modes: Vec::new(),
            determinism: "nondet".into(),
            errors_excluded: false,
            assumes_single: false,
            ends: true,
            sizes: Vec::new(),
        };
        let (fixed, bounds) = match &annotation.kind {
            Kind::Steps(bounds) => (Vec::new(), bounds.clone()),
            Kind::At(sizes, bounds) => (sizes.clone(), bounds.clone()),
            Kind::Determinism(word) => {
                claim.determinism.clone_from(word);
                (Vec::new(), Vec::new())
            }
            Kind::Errors(word) => {
                claim.errors_excluded = word == "excluded";
                (Vec::new(), Vec::new())
            }
            _ => continue,
        };
        let mut given = vec![None; types.len()];
        for (argument, value) in &fixed {
            let argument: usize = argument
                .parse()
                .map_err(|_| format!("a size of argument `{argument}`"))?;
            let value: BigInt = value.parse().map_err(|_| format!("a size `{value}`"))?;
            given[argument - 1] = Some(value);
        }
        for seed in 0..per_promise as u64 {
            let generator = Generator::new(seed ^ 0x7000_0000, &vocabulary);
            let Some(goal) = generator.goal_of_sizes(&claim.name, &types, &given) else {
                return Err(format!("no input of the sizes of line {}", annotation.line));
            };
            let names = match names(&types, &goal) {
                Some(names) => names,
                None if bounds.is_empty() => BTreeMap::new(),
                None => break,
            };
            let at = match promised(&bounds, &names) {
                Ok(at) => at,
                // It is about a size that the declaration does not determine: the bounds themselves are compared elsewhere.
                Err(why) if why.starts_with("unknown size") => break,
                Err(why) => return Err(why),
            };
            let count = property::run(&program, library, &goal);
            runs += 1;
            let wrong = claim.violations(&at, &count);
            if !wrong.is_empty() {
                violations.push(format!(
                    "{}:{}: `{}`\n    goal: {}\n    {}\n    counted: {count:?}",
                    file.display(),
                    annotation.line,
                    lines[annotation.line - 1],
                    property::goal_text(&goal),
                    wrong.join("\n    "),
                ));
                break;
            }
        }
    }
    Ok((runs, violations))
}

/// Returns the types of a `types:` line about a clause, if there is one; the inner value is `None` if one of them has no generator.
fn stated_types(all: &[annotations::Annotation], clause: usize) -> Option<Option<Vec<Type>>> {
    all.iter().find_map(|a| match &a.kind {
        Kind::Types(text) if a.about == clause => {
            let read = |ty: &str| match ty.trim() {
                "var" => Some(Type::Free),
                ty => pldoc(ty),
            };
            Some(arguments(text).into_iter().map(read).collect())
        }
        _ => None,
    })
}

/// Splits at commas that are outside of parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let mut depth = 0;
    text.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
    .collect()
}

/// Returns name and argument types of the `%!` line in the comment above a line.
fn declared(lines: &[&str], clause: usize) -> Option<(String, Vec<Type>)> {
    let above = lines[..clause - 1].iter().rev();
    let declaration = above
        .take_while(|l| l.starts_with('%'))
        .find_map(|l| l.strip_prefix("%! "))?;
    let (name, rest) = declaration.split_once('(')?;
    let (written, _) = rest.rsplit_once(')')?;
    let mut types = Vec::new();
    for argument in arguments(written) {
        let argument = argument.trim();
        types.push(if argument.starts_with('-') {
            Type::Free
        } else {
            match argument.split_once(':').map(|(_, ty)| ty.trim()) {
                None => {
                    if argument.starts_with('+') {
                        Type::Nonvar
                    } else {
                        Type::Any
                    }
                }
                Some(ty) => pldoc(ty)?,
            }
        });
    }
    // Another predicate's declaration would not fit the clause.
    lines[clause - 1]
        .starts_with(name)
        .then(|| (name.to_string(), types))
}

fn pldoc(ty: &str) -> Option<Type> {
    Some(match ty {
        "list" => Type::List(Box::new(Type::Any)),
        "list(list)" => Type::List(Box::new(Type::List(Box::new(Type::Any)))),
        "atom" => Type::Atom,
        other => Type::read(other, &Default::default())?,
    })
}

/// Returns the sizes of a goal under the names used by bounds: n, m, k, … for the arguments with a metric, in order. Returns `None` if there
/// are ground terms in addition to other arguments with sizes: the assignment of names is then unknown here.
fn names(types: &[Type], goal: &crate::heap::Record) -> Option<BTreeMap<String, f64>> {
    let mut heap = Heap {
        work: u64::MAX,
        ..Heap::default()
    };
    let at = heap.restore(goal);
    let mut free = ["n", "m", "k", "l", "p"].into_iter();
    let mut found = BTreeMap::new();
    let Some((_, start, _)) = heap.callable(at) else {
        return Some(found);
    };
    let metric = |ty: &Type| match ty {
        Type::Int => Some("int"),
        Type::List(_) => Some("length"),
        _ => None,
    };
    let mut measured: Vec<(usize, &str)> = (types.iter().enumerate())
        .filter_map(|(i, ty)| Some((i, metric(ty)?)))
        .collect();
    if !measured.is_empty() && types.contains(&Type::Ground) {
        return None;
    }
    if measured.is_empty() {
        // If there is nothing else, the size of a term counts.
        let ground = types
            .iter()
            .enumerate()
            .filter(|(_, ty)| **ty == Type::Ground);
        measured.extend(ground.map(|(i, _)| (i, "size")));
    }
    for (i, metric) in measured {
        let size = generate::size(&mut heap, metric, start + i).and_then(|s| s.to_f64());
        if let (Some(name), Some(size)) = (free.next(), size) {
            found.insert(name.to_string(), size);
        }
    }
    Some(found)
}

/// Returns the promised bounds in the shape of `at`.
fn promised(bounds: &[(String, String)], names: &BTreeMap<String, f64>) -> Result<Value, String> {
    let mut at = json!({"first": {"lower": 0, "upper": null}, "all": {"lower": 0, "upper": null}});
    for (name, text) in bounds {
        let value = match text.as_str() {
            "?" => continue,
            "inf" => json!("inf"),
            // `2/3*n+1/3` is exactly an integer, but not quite in floating point.
            text => {
                let value = expressions::evaluate(text, names)?;
                let near = (value - value.round()).abs() <= 1e-9 * value.abs();
                json!(if near { value.round() } else { value })
            }
        };
        match name.as_str() {
            // The envelope: from the first solution's lower bound to the upper bound of all.
            "lower" => {
                at["first"]["lower"] = value.clone();
                at["all"]["lower"] = value;
            }
            "upper" => {
                at["first"]["upper"] = value.clone();
                at["all"]["upper"] = value;
            }
            _ => {
                let (phase, side) = name
                    .split_once('.')
                    .ok_or_else(|| format!("no bound is called `{name}`"))?;
                at[phase][side] = value;
            }
        }
    }
    Ok(json!({ "steps": at }))
}
