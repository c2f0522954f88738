//! Tests the registry of rules: its document, its examples, and the ids used in documents and fixtures.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use costlens_algebra::rat;
use costlens_ide::diagnostics::Severity;
use costlens_ide::diagnostics::rules::{self, Level, RULES, Rule, Silence};
use costlens_ide::project::{Budget, CostLimit, Project};
use costlens_ide::reports::changes::changes;
use costlens_ide::reports::lock::LockRow;
use costlens_ide::settings::Settings;

use crate::{is_document, with_library};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_document_of_rules_is_that_of_the_registry() {
    is_document("rules.md", &document());
}

fn document() -> String {
    let mut out = String::from(
        "# Rules\n\n\
         Every message of Costlens about a program comes from one of these rules. This page is generated from the registry in\n\
         `server/ide/src/diagnostics/rules.rs`; a test checks that it is up to date.\n\n\
         | rule | level | |\n|---|---|---|\n",
    );
    for rule in RULES {
        let (id, level, summary) = (rule.id(), level(rule.level()), rule.summary());
        let _ = writeln!(out, "| [`{id}`](#{id}) | {level} | {summary} |");
    }
    out.push_str(
        "\nA comment silences a rule for a clause, a line or a file, depending on [its place](assertions.md#silencing-reports):\n\
         `% costlens: ignore[RULE]`, `% costlens: ignore-file[RULE]`. Several rules are separated by commas; a comment without a list silences all rules.\n\
         A [setting](settings.md) disables rules everywhere. Rules about the program itself rather than its costs (`undefined-predicate`,\n\
         `singleton-variable`, `never-succeeds`) are reported in editors; `costlens check` leaves these rules to `swipl`. Hints without an edit have the lowest severity in editors, and\n\
         [`costlens fix`](rewrites.md#costlens-fix) lists them. `costlens.toml` can turn these hints into warnings in editors.\n",
    );
    for rule in RULES {
        let _ = write!(
            out,
            "\n## {}\n\n{} {}\n\nBefore:\n\n```prolog\n{}```\n\nAfter:\n\n```prolog\n{}```\n\n{}\n",
            rule.id(),
            rule.summary(),
            rule.why(),
            rule.before(),
            rule.after(),
            silence(rule)
        );
    }
    out
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Hint => "hint",
        Level::Fix => "quick fix",
    }
}

fn silence(rule: &Rule) -> String {
    let setting = match rule.setting() {
        "" => "it is reported only on request".to_owned(),
        list if list.ends_with(".disabled") => {
            format!("everywhere: `\"{list}\": [\"{}\"]`", rule.id())
        }
        switch => format!("everywhere: `\"{switch}\": false`"),
    };
    match rule.silence() {
        Silence::ById => {
            format!(
                "To silence it here: `% costlens: ignore[{}]`; {setting}.",
                rule.id()
            )
        }
        Silence::With(group) => {
            format!(
                "To silence it here: `% costlens: ignore[{}]`; {setting}.",
                group.id()
            )
        }
        Silence::Never => {
            format!("No comment silences it: correct or remove the comment; {setting}.")
        }
    }
}

/// Returns the rules that a text violates, or the hints and actions of a given rule for the text.
fn shown(text: &str, rule: &Rule) -> Vec<(&'static str, Level)> {
    let mut host = with_library();
    let file = host.open_at("a.pl", "/w/a.pl", text);
    let budget = Budget {
        predicates: None,
        files: None,
        exported: false,
        of_work: false,
        limit: CostLimit::read("O(n)").unwrap(),
        is_strict: false,
        line: 1,
    };
    let project = Project {
        root: "/w".to_owned(),
        budgets: vec![budget],
        ..Project::default()
    };
    let settings = Settings {
        project: Some(project.into()),
        ..Settings::default()
    };
    let snapshot = host.snapshot();
    match rule.level() {
        Level::Error | Level::Warning => (snapshot.diagnostics(file, &settings).unwrap())
            .iter()
            .map(|d| {
                let level = match d.severity {
                    Severity::Error => Level::Error,
                    Severity::Warning => Level::Warning,
                };
                (d.rule.id(), level)
            })
            .collect(),
        Level::Hint if *rule == rules::HINT => (snapshot.hints(file, &settings).unwrap())
            .iter()
            .map(|_| ("hint", Level::Hint))
            .collect(),
        Level::Hint => (snapshot.advice(file, &settings).unwrap())
            .iter()
            .map(|remark| (remark.rule.id(), Level::Hint))
            .collect(),
        Level::Fix => (snapshot.code_actions(file, 0..text.len(), None).unwrap())
            .iter()
            // Inferred bounds can always be asserted, so that this action is not a fix. An action that makes a variant available belongs to a
            // rule of its own.
            .filter(|a| a.is_fix() != (*rule == rules::ASSERT_INFERRED))
            .filter(|a| {
                let missing = [
                    &rules::DECLARE_AND_REWRITE,
                    &rules::DECLARE_FOR_VARIANT,
                    &rules::CONDITION_MISSING,
                ];
                let is_missing = missing.iter().any(|r| r.id() == a.rule.id());
                is_missing == missing.contains(&rule) && (!is_missing || a.rule == rule)
            })
            .flat_map(|a| [(a.rule.id(), Level::Fix), ("fix", Level::Fix)])
            .collect(),
    }
}

/// Returns the rule if a predicate of a text costs more than in the locked version.
fn dearer(text: &str, locked: &str) -> Vec<(&'static str, Level)> {
    let measured = |text: &str, before: &[LockRow]| {
        let mut host = with_library();
        let file = host.open("a.pl", text);
        let before: Vec<&LockRow> = before.iter().collect();
        host.snapshot().measured(file, &before).unwrap()
    };
    let rows = (measured(locked, &[]).into_iter())
        .map(|m| LockRow {
            file: "a.pl".to_owned(),
            ..m.patterns[0].row.clone()
        })
        .collect::<Vec<_>>();
    let now = [("a.pl".to_owned(), measured(text, &rows))];
    let found = changes(&rows, &now, &rat(0)).into_iter();
    found
        .filter(|change| change.kind.is_dearer())
        .map(|_| (rules::REGRESSION.id(), rules::REGRESSION.level()))
        .collect()
}

#[test]
fn examples_break_their_rule_before_and_no_rule_after() {
    for rule in RULES {
        let before = match *rule == rules::REGRESSION {
            true => dearer(rule.before(), rule.after()),
            false => shown(rule.before(), rule),
        };
        assert!(
            before.iter().any(|(id, _)| *id == rule.id()),
            "{rule:?} says nothing of its example: {before:?}"
        );
        // The level of a message may be lower than that of its rule, but not higher.
        for (id, level) in before.iter().filter(|(id, _)| *id == rule.id()) {
            assert!(*level <= rule.level(), "{id}");
        }
        let after = shown(rule.after(), rule);
        assert!(after.is_empty(), "{rule:?}: {after:?}");
    }
}

/// Tests that rules in comments of fixtures and in documents exist in the registry, except in demonstrations of errors.
#[test]
fn fixtures_and_documents_name_rules_that_there_are() {
    let mut texts = Vec::new();
    for folder in ["tests/fixtures", "docs"] {
        for entry in std::fs::read_dir(repository().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "pl" || e == "md")
                && !path.ends_with("rules.md")
            {
                texts.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    for (path, text) in texts {
        for list in text.split("costlens: ignore[").skip(1) {
            let list = list.split(']').next().unwrap_or_default();
            for id in list.split(',') {
                let known = RULES.iter().any(|r| r.id() == id.trim());
                assert!(known, "{}: `{id}`", path.display());
            }
        }
    }
}
