//! Tests programs without their declarations: the shown patterns should be those that were declared.
//!
//! Equal patterns yield equal bounds, because a summary depends only on the predicate, the pattern and its callees. These tests therefore
//! only compare patterns. `COSTLENS_UNDECLARED=FILE` selects another file, in which at least `COSTLENS_UNDECLARED_FLOOR` patterns must be
//! equal; `--nocapture` lists the others.

#![allow(
    clippy::print_stdout,
    reason = "differences are listed with --nocapture"
)]

use std::path::{Path, PathBuf};

use costlens_analysis::queries::{Database, file_patterns};
use costlens_analysis::report::Origin;
use costlens_analysis::types::Pattern;
use costlens_program::{Functor, Role, SourceFile};
use costlens_syntax::Parsed;

fn shown(text: &str) -> Vec<(Functor, Vec<(Pattern, Origin)>)> {
    let db = Database::new();
    let file = SourceFile::new(&db, "test.pl".into(), Parsed::new(text), Role::User);
    file_patterns(&db, file)
}

/// Returns the text without its mode lines and without the directives that declare calls or assert properties. In the compared files, each
/// of them is on one line.
fn undeclared(text: &str) -> String {
    let declares = |line: &&str| {
        [
            ":- entry ",
            ":- pred ",
            ":- calls ",
            ":- check ",
            "%! ",
            "%% ",
        ]
        .iter()
        .any(|start| line.starts_with(start))
    };
    text.lines()
        .map(|line| if declares(&line) { "" } else { line })
        .collect::<Vec<_>>()
        .join("\n")
}

#[derive(Debug, Default)]
struct Count {
    declared: usize,
    equal: usize,
    /// The number of predicates whose declared calls are all covered by the shown pattern.
    general: usize,
    modes: usize,
}

/// Compares the first patterns of declared predicates with those that are shown without declarations.
fn compare(text: &str, name: &str, count: &mut Count) {
    let bare = shown(&undeclared(text));
    for (functor, patterns) in shown(text) {
        let Some((declared, Origin::Declared | Origin::Entry)) = patterns.first() else {
            continue;
        };
        let found = bare.iter().find(|(f, _)| *f == functor);
        let (found, origin) = &found.unwrap().1[0];
        assert!(
            !matches!(origin, Origin::Declared | Origin::Entry),
            "{functor}"
        );
        count.declared += 1;
        count.equal += usize::from(found == declared);
        count.general += usize::from(declared.is_within(found));
        count.modes += usize::from(found.modes() == declared.modes());
        if found != declared {
            println!("{name}: {functor} declared {declared}, shown {found}");
        }
    }
}

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .collect();
    // Trusted assertions also declare calls, and so do block comments, whose lines are not removed.
    files.retain(|f| {
        let name = f.file_name().unwrap_or_default().to_string_lossy();
        !name.starts_with("trust_") && name != "mode_line_forms.pl"
    });
    files.sort();
    files
}

#[test]
fn programs_without_their_declarations_are_shown_for_the_same_calls() {
    let mut count = Count::default();
    for file in fixtures() {
        let text = std::fs::read_to_string(&file).unwrap();
        compare(
            &text,
            &file.file_stem().unwrap().to_string_lossy(),
            &mut count,
        );
    }
    println!("{count:?}");
    assert!(count.declared > 100, "{count:?}");
    // Many declarations cannot be guessed: elements of one type where the clauses accept any type, tests of bound outputs.
    assert!(
        count.modes * 100 >= count.declared * FLOOR_MODES,
        "{count:?}"
    );
    assert!(
        count.general * 100 >= count.declared * FLOOR_GENERAL,
        "{count:?}"
    );
}

/// The minimum percentage of the fixtures' declared predicates.
const FLOOR_MODES: usize = 70;
const FLOOR_GENERAL: usize = 65;

#[test]
fn a_suite_without_its_declarations_is_shown_for_the_same_calls() {
    let Ok(path) = std::env::var("COSTLENS_UNDECLARED") else {
        return;
    };
    let floor = std::env::var("COSTLENS_UNDECLARED_FLOOR").map_or(0, |n| n.parse().unwrap());
    let mut count = Count::default();
    compare(&std::fs::read_to_string(&path).unwrap(), &path, &mut count);
    println!("{count:?}");
    assert!(count.equal >= floor, "{count:?}");
}

#[test]
fn a_chain_of_callers_is_gone_through_with_little_stack() {
    // Each predicate passes its arguments on, and only the first one is called with bound arguments.
    let length = 20_000;
    let mut text = String::from(":- p0([1,2]).\n");
    for i in 0..length {
        text.push_str(&format!("p{i}(X) :- p{}(X).\n", i + 1));
    }
    text.push_str(&format!("p{length}(_).\n"));
    let run = move || {
        let shown = shown(&text);
        let (_, last) = shown.last().unwrap();
        assert_eq!(last[0].0.to_string(), "(list(int))");
        assert_eq!(last[0].1, Origin::Called);
    };
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}
