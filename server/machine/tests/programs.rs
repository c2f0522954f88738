//! Compares whole programs (`tests/machine/programs`) with SWI-Prolog: all solutions in order, output, errors, as written by
//! `tests/machine/generate.pl`. If swipl is installed, its current answers are also compared.

#![allow(clippy::unwrap_used)]

#[path = "support/context.rs"]
mod context;

use std::path::{Path, PathBuf};
use std::process::Command;

use costlens_machine::{
    Amounts, Answer, Cell, Collection, Indexing, Limits, Machine, Plan, Resource,
};
use costlens_program::language::{Clause, directive};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/machine");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("programs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    files.sort();
    assert!(files.len() >= 60, "only {} programs", files.len());
    let installed = Command::new("swipl").arg("--version").output().is_ok();
    let mut trials = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let path = file.clone();
        trials.push(Trial::test(name.clone(), move || stored(&path)));
        let path = file.clone();
        trials.push(Trial::test(
            format!("{name}, by all arguments"),
            move || by_all_arguments(&path),
        ));
        let path = file.clone();
        trials.push(Trial::test(format!("{name}, counting"), move || {
            counting(&path)
        }));
        let path = file.clone();
        trials.push(Trial::test(format!("{name}, collecting"), move || {
            collecting(&path)
        }));
        let path = file.clone();
        trials.push(Trial::test(format!("{name}, profiled"), move || {
            profiled(&path)
        }));
        let generator = folder.join("generate.pl");
        trials.push(
            Trial::test(format!("{name} in SWI-Prolog"), move || {
                live(&generator, &file)
            })
            .with_ignored_flag(!installed),
        );
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Checks the machine's answers against the stored ones.
fn stored(program: &Path) -> Result<(), Failed> {
    let expected = std::fs::read_to_string(program.with_extension("answers")).unwrap();
    let got = answers(&std::fs::read_to_string(program).unwrap());
    compare(&expected, &got)
}

/// Checks that answers and steps do not depend on the arguments that select clauses.
fn by_all_arguments(program: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(program).unwrap();
    let run = |indexing| {
        let mut machine = Machine::counting(Limits::default());
        machine.set_indexing(indexing);
        let answers = answers_of(&mut machine, &text);
        (answers, machine.steps())
    };
    let (first, steps_of_first) = run(Indexing::FirstArgument);
    let (all, steps_of_all) = run(Indexing::AllArguments);
    compare(&first, &all)?;
    // Clauses that the index skips would fail in the head, which is not a step.
    assert_eq!(steps_of_first, steps_of_all);
    Ok(())
}

/// Checks that counting ports and collecting garbage change no answer, and that no box is left more often than it is entered. (In debug
/// builds the machine also checks its instruction counts.)
fn counting(program: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(program).unwrap();
    let mut machine = Machine::counting(Limits::default());
    machine.count_ports();
    machine.set_collection(Collection::Eager);
    let got = answers_of(&mut machine, &text);
    compare(&answers(&text), &got)?;
    assert!(machine.steps() > 0);
    for p in machine.ports() {
        if p.exit + p.fail > p.call + p.redo {
            return Err(format!("{p:?}").into());
        }
    }
    Ok(())
}

/// Checks that answers and counts do not depend on the times at which garbage is collected.
fn collecting(program: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(program).unwrap();
    let run = |collection| {
        let mut machine = Machine::counting(Limits::default());
        machine.set_collection(collection);
        let answers = answers_of(&mut machine, &text);
        (answers, machine.events())
    };
    let (never, events_of_never) = run(Collection::Never);
    let (eager, events_of_eager) = run(Collection::Eager);
    compare(&never, &eager)?;
    assert_eq!(events_of_never, events_of_eager);
    Ok(())
}

/// Checks that answers do not change if each predicate is a cost centre and garbage is collected, and that the steps add up to those of a
/// counting run.
fn profiled(program: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(program).unwrap();
    let mut counting = Machine::counting(Limits::default());
    let load = |machine: &mut Machine| assert_eq!(machine.load(&text), []);
    load(&mut counting);
    counting.forget_counts();
    let expected = answers_to(&mut counting, &text);
    let clauses = costlens_syntax::read_text(&text).clauses;
    let mut predicates: Vec<_> = (clauses.iter())
        .filter(|clause| directive(&clause.terms, clause.root).is_none())
        .filter_map(|clause| Clause::from_term(&clause.terms, clause.root))
        .map(|(functor, _)| (functor.name, functor.arity))
        .collect();
    predicates.sort();
    predicates.dedup();
    for every_call in [false, true] {
        let plan = Plan {
            predicates: predicates.clone(),
            literals: true,
            events: true,
            low_level: every_call,
            every_call,
        };
        let mut machine = Machine::counting(Limits::default());
        load(&mut machine);
        machine.set_collection(Collection::Eager);
        machine.profile(&plan, || 0);
        compare(&expected, &answers_to(&mut machine, &text))?;
        let measured = machine.measured().unwrap();
        let steps = |used: &Amounts| used.amount(Resource::Steps);
        let of_edges: u64 = measured.edges.iter().map(|e| steps(&e.ports.used())).sum();
        assert_eq!(of_edges, steps(&measured.total));
        assert_eq!(of_edges, counting.steps());
    }
    Ok(())
}

/// Checks the stored answers against the installed SWI-Prolog.
fn live(generator: &Path, program: &Path) -> Result<(), Failed> {
    let output = Command::new("swipl")
        .arg(generator)
        .arg("-")
        .arg(program)
        .output()?;
    let expected = std::fs::read_to_string(program.with_extension("answers")).unwrap();
    compare(&expected, &String::from_utf8_lossy(&output.stdout))
}

fn compare(expected: &str, got: &str) -> Result<(), Failed> {
    let (mut wrong, mut query) = (Vec::new(), "");
    let (mut there, mut here) = (blocks(expected), blocks(got));
    if there.len() != here.len() {
        return Err(format!("{} queries there, {} here", there.len(), here.len()).into());
    }
    for (a, b) in there.drain(..).zip(here.drain(..)) {
        if a[0].starts_with("?-") {
            query = a[0];
        }
        // Compare the context if both name a predicate of module `system`.
        let contexts = a
            .iter()
            .chain(&b)
            .all(|l| !l.starts_with("  throws error(") || in_system(l));
        let lines = |block: &[&str]| {
            block
                .iter()
                .map(|l| normal(l, contexts))
                .collect::<Vec<_>>()
        };
        let (a, b) = (lines(&a), lines(&b));
        if a != b {
            wrong.push(format!(
                "{query}\n   there:\n{}\n   here:\n{}",
                a[1..].join("\n"),
                b[1..].join("\n")
            ));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{} queries differ\n{}", wrong.len(), wrong.join("\n")).into())
    }
}

/// Splits a text into the lines of each query.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        if line.starts_with("?- ") {
            blocks.push(Vec::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks
}

/// Returns whether the context of an error names a predicate that both systems have.
fn in_system(line: &str) -> bool {
    line.contains("context(system:")
        && !line.contains("<meta-call>")
        && !line.contains("'$c")
        && !line.contains("system:catch/3")
}

/// Reduces errors to the formal term unless the context is compared; numbers variables written by address (`_123`) by first occurrence.
fn normal(line: &str, context: bool) -> String {
    let mut line = line.to_owned();
    if line.starts_with("  throws error(") && !context {
        line = context::without_context(&line);
    }
    let mut out = String::new();
    let mut names: Vec<String> = Vec::new();
    let mut characters = line.chars().peekable();
    let mut before = ' ';
    while let Some(c) = characters.next() {
        let digits = characters.peek().is_some_and(char::is_ascii_digit);
        if c == '_' && digits && !before.is_alphanumeric() {
            let mut name = String::new();
            while let Some(d) = characters.next_if(char::is_ascii_digit) {
                name.push(d);
            }
            let number = names.iter().position(|n| *n == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            out.push_str(&format!("_v{number}"));
            before = '0';
        } else {
            out.push(c);
            before = c;
        }
    }
    out
}

/// Formats answers like `generate.pl`.
fn answers(program: &str) -> String {
    answers_of(&mut Machine::new(Limits::default()), program)
}

fn answers_of(machine: &mut Machine, program: &str) -> String {
    let errors = machine.load(program);
    assert!(errors.is_empty(), "{errors:?}");
    answers_to(machine, program)
}

/// Returns the answers to the queries of a loaded program.
fn answers_to(machine: &mut Machine, program: &str) -> String {
    let mut out = String::new();
    for line in program.lines() {
        let Some(query) = line.strip_prefix("% ?- ").and_then(|q| q.strip_suffix('.')) else {
            continue;
        };
        out.push_str(&format!("?- {query}.\n"));
        run(machine, query, &mut out);
    }
    out
}

fn run(machine: &mut Machine, query: &str, out: &mut String) {
    let Ok(read) = machine.read_term(query) else {
        out.push_str("  not read\n");
        return;
    };
    machine.output.clear();
    machine.start(read.term);
    let mut solutions = 0;
    loop {
        let answer = machine.next_answer();
        if !machine.output.is_empty() {
            let written = std::mem::take(&mut machine.output);
            let string = machine.store.string(&written);
            out.push_str(&format!(
                "  writes {}\n",
                machine.quoted_text(string).unwrap()
            ));
        }
        match answer {
            Answer::Yes { .. } => {
                let mut pairs = Vec::new();
                for (name, cell) in &read.names {
                    let name = machine.store.atom(name);
                    let functor = machine.store.atoms.intern("=");
                    pairs.push(machine.store.compound(functor, &[name, *cell]));
                }
                let pairs = machine.store.list_of(&pairs);
                out.push_str(&format!("  yes {}\n", shown(machine, pairs)));
                solutions += 1;
                if solutions == 30 {
                    out.push_str("  more\n");
                    return;
                }
            }
            Answer::No => {
                out.push_str("  no\n");
                return;
            }
            Answer::Error(ball) => {
                out.push_str(&format!("  throws {}\n", shown(machine, ball)));
                return;
            }
            Answer::Limit(limit) => {
                out.push_str(&format!("  {limit}\n"));
                return;
            }
        }
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
