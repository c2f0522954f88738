//! Compares built-ins with SWI-Prolog: the goals are in `builtins/*.txt`, the answers in `builtins/*.tsv`, written by `builtins/generate.pl`.

#![allow(clippy::unwrap_used)]

#[path = "support/context.rs"]
mod context;

use costlens_machine::{Answer, Cell, Limits, Machine};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builtins");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "tsv"))
        .collect();
    files.sort();
    assert!(files.len() >= 4, "the answers are gone");
    let trials = files
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            Trial::test(name, move || file(&path))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// Returns whether a goal is a known difference: its answer in SWI-Prolog reveals internals.
fn excepted(goal: &str, expected: &str) -> bool {
    const CONTAINS: &[&str] = &[
        // SWI-Prolog's stacks and frames.
        "stack_overflow",
        // Missing predicates, and internal predicates in error contexts.
        "tnot(",
        "term_subsumer",
        "'$c_call_prolog'",
        "listing(foo/0)",
        "catch(foo, E, true)",
        "put_byte(",
        // Cyclic terms, written canonically.
        "X = f(X), write_canonical(X)",
    ];
    CONTAINS
        .iter()
        .any(|c| goal.contains(c) || expected.contains(c))
}

fn file(path: &std::path::Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut machine = Machine::new(Limits::default());
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in text.lines() {
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        let Some((goal, expected)) = line.split_once('\t') else {
            continue;
        };
        if excepted(goal, expected) {
            continue;
        }
        count += 1;
        let (mut got, mut expected) = (normal(&answer(&mut machine, goal)), normal(expected));
        // Error contexts are compared if both name a predicate of module `system` that both systems have. Contexts of non-matching rules
        // are not compared.
        let in_system = |t: &str| {
            t.contains("context(system:")
                && [
                    "<meta-call>",
                    "system:call/",
                    "system:once/",
                    "system:ignore/",
                    "system:not/",
                    "$btree",
                ]
                .iter()
                .all(|c| !t.contains(c))
        };
        if expected.contains("matching_rule") && got.contains("matching_rule") {
            continue;
        }
        if !(in_system(&expected) && in_system(&got)) && expected.starts_with("throws error(") {
            (got, expected) = (
                context::without_context(&got),
                context::without_context(&expected),
            );
        }
        if got != expected {
            wrong.push(format!("{goal}\n    swipl: {expected}\n    here:  {got}"));
        }
    }
    assert!(count > 20, "{} has only {count} goals", path.display());
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{} of {count} differ:\n{}", wrong.len(), wrong.join("\n")).into())
    }
}

/// Replaces variables written by address (`_123`) by numbers in order of first occurrence, and `\u00AD` by `\xAD\`.
fn normal(text: &str) -> String {
    let mut plain = String::new();
    let mut from = text;
    while let Some(at) = from.find("\\u") {
        let code = from
            .get(at + 2..at + 6)
            .and_then(|c| u32::from_str_radix(c, 16).ok());
        plain.push_str(&from[..at]);
        match code {
            Some(code) => plain.push_str(&format!("\\x{code:X}\\")),
            None => plain.push_str("\\u"),
        }
        from = &from[at + if code.is_some() { 6 } else { 2 }..];
    }
    plain.push_str(from);
    let text = plain.as_str();
    let mut out = String::new();
    let mut names: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('_') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let digits = from[1..].bytes().take_while(u8::is_ascii_digit).count();
        let alone = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if digits == 0 || !alone {
            out.push('_');
            rest = &from[1..];
            continue;
        }
        let name = &from[..=digits];
        let number = names.iter().position(|n| *n == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        out.push_str(&format!("_v{number}"));
        rest = &from[digits + 1..];
    }
    out.push_str(rest);
    out
}

/// Formats an answer like `generate.pl`.
fn answer(machine: &mut Machine, goal: &str) -> String {
    let read = machine
        .read_term(goal)
        .unwrap_or_else(|_| panic!("{goal}: not read"));
    machine.output.clear();
    machine.start(read.term);
    let outcome = match machine.next_answer() {
        Answer::Yes { .. } => {
            let mut pairs = Vec::new();
            for (name, cell) in read.names {
                let name = machine.store.atom(&name);
                let functor = machine.store.atoms.intern("=");
                pairs.push(machine.store.compound(functor, &[name, cell]));
            }
            let pairs = machine.store.list_of(&pairs);
            format!("yes {}", shown(machine, pairs))
        }
        Answer::No => "no".to_owned(),
        Answer::Error(ball) => format!("throws {}", shown(machine, ball)),
        Answer::Limit(limit) => limit.to_string(),
    };
    if machine.output.is_empty() {
        outcome
    } else {
        let output = machine.output.clone();
        let string = machine.store.string(&output);
        format!("{outcome} writes {}", machine.quoted_text(string).unwrap())
    }
}

fn shown(machine: &mut Machine, term: Cell) -> String {
    if !machine.store.is_acyclic(term) {
        return "cyclic".to_owned();
    }
    let copy = machine.store.copy(term);
    let name = machine.store.atoms.intern("$VAR");
    for (i, variable) in machine.store.variables(copy).into_iter().enumerate() {
        let number = machine.store.integer(i64::try_from(i).unwrap());
        let named = machine.store.compound(name, &[number]);
        machine.store.unify(variable, named);
    }
    machine.quoted_text(copy).unwrap()
}
