//! Tests hints without edits: the hints for programs in many forms, and programs without hints.
//!
//! `advice/RULE.pl` contains a section for each program: `%%% says: why` followed by `%%% hint`, or `%%% silent: why`. `UPDATE_EXPECT=1`
//! writes the hints for review.

mod oracle;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use costlens_ide::advice::Remark;
use costlens_ide::diagnostics::rules::{Level, RULES, Rule};
use costlens_ide::settings::Settings;

use crate::with_library;

fn path(rule: &Rule) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/advice");
    folder.join(format!("{}.pl", rule.id()))
}

/// Returns the hints for a text.
fn remarks(text: &str) -> Vec<Remark> {
    let mut host = with_library();
    let file = host.open("a.pl", text);
    host.snapshot().advice(file, &Settings::default()).unwrap()
}

/// Returns the hints of one rule, or the titles of the actions of that rule, each with its line.
fn said(rule: &Rule, text: &str) -> Vec<String> {
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    if rule.level() == Level::Hint {
        let all = remarks(text).into_iter().filter(|r| r.rule == rule);
        return all
            .map(|r| format!("{}: {}", line(r.range.start), r.message))
            .collect();
    }
    let mut host = with_library();
    let file = host.open("a.pl", text);
    let snapshot = host.snapshot();
    let all = snapshot.code_actions(file, 0..text.len(), None).unwrap();
    let all = all.into_iter().filter(|a| a.rule == rule);
    all.map(|a| format!("{}: {}", line(a.offset), a.title))
        .collect()
}

/// Returns the titles and texts of the sections in an example file.
fn sections(text: &str) -> Vec<(&str, &str)> {
    let sections = text.split("%%% ").skip(1);
    sections.map(|s| s.split_once('\n').unwrap()).collect()
}

fn check(id: &str) {
    let rule = RULES.into_iter().find(|r| r.id() == id).unwrap();
    let written = std::fs::read_to_string(path(rule)).unwrap_or_default();
    let (mut fresh, mut problems) = (String::new(), Vec::new());
    let mut counts = (0, 0);
    for (title, text) in sections(&written) {
        if title == "hint" {
            continue;
        }
        let _ = write!(fresh, "%%% {title}\n{text}");
        let found = said(rule, text);
        if title.starts_with("says") {
            counts.0 += 1;
            fresh.push_str("%%% hint\n");
            for hint in &found {
                let _ = writeln!(fresh, "% {hint}");
            }
            if found.is_empty() {
                problems.push(format!("{title}: nothing"));
            }
        } else {
            assert!(title.starts_with("silent"), "{title}");
            counts.1 += 1;
            problems.extend(found.iter().map(|hint| format!("{title}: {hint}")));
        }
    }
    assert!(problems.is_empty(), "{id}: {problems:#?}");
    assert!(counts.0 >= 2 && counts.1 >= 3, "{id}: {counts:?}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path(rule), &fresh).unwrap();
    } else {
        assert_eq!(written, fresh, "{id}");
    }
}

/// Generates one test for each rule, so that the tests run in parallel.
macro_rules! checks {
    ($($name:ident: $id:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            check($id);
        })*

        #[test]
        fn all_rules_are_checked() {
            let checked = [$($id),*];
            let hints = RULES.iter().filter(|r| r.level() == Level::Hint && r.id() != "hint");
            for rule in hints {
                assert!(checked.contains(&rule.id()), "{rule:?}");
            }
        }
    };
}

checks! {
    dear_calls: "dominating-call",
    choice_points: "left-choice-point",
    environments: "non-tail-recursion",
    repetitions: "repeated-goal",
    tables: "tabling",
    declarations: "declare-for-variant",
    conditions: "condition-missing",
}

#[test]
fn settings_and_comments_silence_them() {
    let text = "%! down(+N:nat) is det.\ndown(0).\ndown(N) :- N > 0, M is N-1, down(M).\n";
    assert_eq!(remarks(text).len(), 1);
    let silenced = format!("% costlens: ignore[left-choice-point]\n{text}");
    assert_eq!(remarks(&silenced), []);
    let mut host = with_library();
    let file = host.open("a.pl", text);
    let off = Settings {
        disabled_rules: vec!["left-choice-point".to_owned()],
        ..Settings::default()
    };
    assert_eq!(host.snapshot().advice(file, &off).unwrap(), []);
}
