//! Names across files compared with SWI-Prolog: small workspaces are loaded into it, each call has to reach the definition that *go to
//! definition* shows, and the steps of goals have to lie within the bounds of `costlens bounds` over the folder.
//!
//! Definitions of one name have different costs, so that confusing two predicates is detected. Nothing depends on sizes, and nothing is
//! recursive, whatever a name means.
//!
//! - Programs: the folders of `tests/workspaces/programs`. `WORKSPACES_PROGRAMS=FOLDER` takes those of another folder, for a workspace
//!   that was found at random and is being minimised.
//! - Random workspaces, of [`generate`]. `WORKSPACES=20000` tries that many, `WORKSPACES_SEED=N` starts from another seed.

#[path = "../workspaces/compare.rs"]
mod compare;
#[path = "../workspaces/reach.rs"]
mod reach;
use crate::seeds::{self, number};
use crate::{generate, project};

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use compare::{Report, compare};

/// Returns whether SWI-Prolog is installed, which CI must have.
fn is_swi_here() -> bool {
    let is_here = Command::new("swipl").arg("--version").output().is_ok();
    assert!(
        is_here || std::env::var_os("CI").is_none(),
        "swipl is not here, and CI asks for it"
    );
    is_here
}

#[test]
fn programs_have_the_bounds_of_what_they_call() {
    if !is_swi_here() {
        return;
    }
    let given = std::env::var_os("WORKSPACES_PROGRAMS").map(PathBuf::from);
    let ours = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/workspaces/programs");
    let folder = given.clone().unwrap_or_else(ours);
    let mut folders: Vec<_> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    assert!(given.is_some() || folders.len() >= 40, "{folders:?}");
    let mut report = Report::default();
    for folder in folders {
        report.add(compare(&folder));
    }
    report.tell("programs");
    assert!(report.wrong.is_empty(), "{}", report.wrong.join("\n"));
    let is_silent = report.known * 10 < report.compared * 7;
    assert!(given.is_some() || !is_silent, "{report:?}");
}

#[test]
fn workspaces_by_chance_have_the_bounds_of_what_they_call() {
    if !is_swi_here() {
        return;
    }
    let (many, from) = (number("WORKSPACES", 40), number("WORKSPACES_SEED", 0));
    let whole = Mutex::new(Report::default());
    let reached = Mutex::new(Report::default());
    seeds::each(many, from, |seed| {
        let files = generate::workspace(seed);
        let folder = project::folder(&files);
        let mut report = compare(folder.path());
        (reached.lock().unwrap()).add(reach::compare(folder.path(), &files));
        if !report.wrong.is_empty() {
            let shown = files
                .iter()
                .map(|(name, text)| format!("--- {name}\n{text}"));
            report.wrong.insert(0, format!("seed {seed}"));
            report.wrong.extend(shown);
        }
        whole.lock().unwrap().add(report);
    });
    let report = whole.into_inner().unwrap();
    report.tell("workspaces by chance");
    assert!(report.wrong.is_empty(), "{}", report.wrong.join("\n"));
    // A name that is bound before it is defined has no bound, and its definition may be shown as another one.
    let reached = reached.into_inner().unwrap();
    assert!(
        reached.wrong.len() * 100 <= reached.compared,
        "{}",
        reached.wrong.join("\n")
    );
    assert!(
        reached.known * 10 >= reached.compared * 4,
        "silence: {reached:?}"
    );
    assert!(
        report.known * 10 >= report.compared * 4,
        "silence: {report:?}"
    );
}

#[test]
fn a_false_bound_is_noticed() {
    if !is_swi_here() {
        return;
    }
    // A program other than the one that was analysed.
    let files = [("main.pl", "r(_) :- s(_).\ns(_).\n".to_owned())];
    let folder = project::folder(&files);
    let claims = compare::claims(folder.path());
    std::fs::write(
        folder.path().join("main.pl"),
        "r(_) :- s(_), s(_).\ns(_).\n",
    )
    .unwrap();
    let report = compare::judge(folder.path(), &claims);
    assert_eq!(report.wrong.len(), 1, "{report:?}");
}
