//! Cheaper variants and their callers in other files: small workspaces of [`generated`], each with a predicate that a rewrite applies to and
//! a file that calls it, are edited by `costlens fix --apply`. Answers in SWI-Prolog stay the same, and if calls are as declared there is a
//! variant.
//!
//! `CALLERS=2000` tries that many workspaces, `CALLERS_SEED=N` starts from another seed.

#[path = "../rewrites/callers.rs"]
mod generated;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use generated::{Workspace, workspace};

use crate::project::{folder, run};
use crate::seeds::{self, number};

/// The number of workspaces in one folder.
const TOGETHER: u64 = 10;

#[test]
#[expect(clippy::print_stderr, reason = "prints figures next to the result")]
fn variants_keep_the_answers_of_callers_in_all_files() {
    let is_here = Command::new("swipl").arg("--version").output().is_ok();
    assert!(
        is_here || std::env::var_os("CI").is_none(),
        "swipl is not here, and CI asks for it"
    );
    if !is_here {
        return;
    }
    let (many, from) = (number("CALLERS", 250), number("CALLERS_SEED", 0));
    let problems = Mutex::new(Vec::new());
    let figures = Mutex::new((0, 0, 0));
    seeds::each(many.div_ceil(TOGETHER), from, |group| {
        let first = usize::try_from(group * TOGETHER).unwrap();
        let all: Vec<Workspace> = (first..first + 10).map(workspace).collect();
        let files: Vec<(&str, &str)> = (all.iter().flat_map(|w| &w.files))
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        let folder = folder(&files);
        let before = answers(folder.path(), &all);
        let out = run(folder.path(), &["fix", "--apply", "."]);
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        let after = answers(folder.path(), &all);
        for of in &all {
            let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
            let was = of.files.iter().find(|(name, _)| *name == of.home).unwrap();
            let is_edited = text(&of.home) != was.1;
            let mut figures = figures.lock().unwrap();
            figures.0 += 1;
            figures.1 += usize::from(is_edited);
            figures.2 += usize::from(of.is_offered);
            let tell = |what: String| {
                let shown = of
                    .files
                    .iter()
                    .map(|(name, text)| format!("--- {name}\n{text}"));
                let shown: String = shown.collect();
                problems
                    .lock()
                    .unwrap()
                    .push(format!("{}: {what}\n{shown}", of.way));
            };
            let (old, new) = (before.get(&of.goal), after.get(&of.goal));
            if old.is_none() || old != new {
                tell(format!("{old:?} became {new:?}: {}", text(&of.home)));
            }
            if of.is_offered && !is_edited {
                tell("no variant is offered".to_owned());
            }
        }
    });
    let (all, edited, right) = figures.into_inner().unwrap();
    eprintln!("callers: {all} workspaces, {right} call as declared, {edited} edited");
    let problems = problems.into_inner().unwrap();
    let shown = problems.iter().take(12).cloned().collect::<Vec<_>>();
    assert!(
        problems.is_empty(),
        "{} of {all}:\n{}",
        problems.len(),
        shown.join("\n")
    );
}

/// Returns the answers of each goal in SWI-Prolog.
fn answers(folder: &Path, all: &[Workspace]) -> BTreeMap<String, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rewrites/callers.pl");
    let mut goals = Vec::new();
    for of in all {
        let name = &of.files[of.files.len() - 1].0;
        goals.push(format!(
            "catch(load_files('{name}', [silent(true)]), _, true), ask('{0}', {0}(X), X)",
            of.goal
        ));
    }
    let goal = goals.join(", ");
    let out = Command::new("timeout")
        .args(["-s", "KILL", "60", "swipl", "-q", "-f", "none", "-g"])
        .arg(format!("style_check(-singleton), {goal}, halt"))
        .arg(script)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let found: BTreeMap<String, String> =
        lines.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    assert_eq!(
        found.len(),
        all.len(),
        "{text}{}",
        String::from_utf8_lossy(&out.stderr)
    );
    found
}
