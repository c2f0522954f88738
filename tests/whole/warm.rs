//! Answers and summaries that are kept from one run to the next: after random edits of random workspaces, `costlens check --against` and
//! `costlens bounds` print the same with them, byte for byte, as without.
//!
//! `WARM=500` tries that many workspaces, `WARM_SEED=N` starts from another seed.

use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::generate::{self, Random};
use crate::project::{folder, run};
use crate::seeds::{self, number};

/// The number of edits of each workspace.
const EDITS: usize = 6;

/// A file with assertions that no other file loads, so that its findings can be kept whatever changes elsewhere.
const ALONE: &str = "\
%! nrev(+Xs:list, -Ys:list) is det.
%  @cost steps =< 10*length(Xs) + 5
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).
";

fn check(folder: &Path, cache: &[&str]) -> Output {
    let command = ["check", "--no-library", "-v", "--against", "costlens.lock"];
    run(
        folder,
        &[&command[..], cache, &["--format", "json", "."]].concat(),
    )
}

fn bounds(folder: &Path, cache: &[&str]) -> Output {
    let command = ["bounds", "--no-library", "--format", "json", "."];
    run(folder, &[&command[..], cache].concat())
}

/// Returns the number of files that were found unchanged.
fn kept(of: &Output) -> usize {
    let told = String::from_utf8_lossy(&of.stderr);
    let line = told
        .lines()
        .find(|line| line.ends_with("files are as they were"));
    let words = line.and_then(|line| line.split_whitespace().nth(2));
    words
        .and_then(|n| n.parse().ok())
        .unwrap_or_else(|| panic!("{told}"))
}

/// Changes a file in a typical way.
fn edit(folder: &Path, files: &[String], random: &mut Random) -> String {
    let name = random.pick(files);
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let mut lines: Vec<&str> = text.lines().collect();
    let (at, other) = match lines.len() {
        0 => return add(&path, "u(1).\n", name),
        many => (random.below(many), random.below(many)),
    };
    let what = random.below(7);
    match what {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[other]),
        2 => lines.swap(at, other),
        3 => lines.insert(at, ":- multifile u/1.\nu(0) :- v(_)."),
        4 => lines.insert(at, "% a comment"),
        5 => lines.insert(at, "user:portray(x) :- v(_)."),
        _ => {
            std::fs::remove_file(&path).unwrap();
            return format!("{name} removed");
        }
    }
    let changed = format!("{}\n", lines.join("\n"));
    add(&path, &changed, &format!("{name} edited in way {what}"))
}

fn add(path: &Path, text: &str, told: &str) -> String {
    std::fs::write(path, text).unwrap();
    told.to_owned()
}

#[test]
fn a_warm_answer_is_the_cold_one() {
    let (many, from) = (number("WARM", 12), number("WARM_SEED", 0));
    let (reused, looked_at) = (AtomicUsize::new(0), AtomicUsize::new(0));
    seeds::each(many, from, |seed| {
        let parts = [
            ("one", generate::workspace(seed)),
            ("two", generate::workspace(!seed)),
        ];
        let files = parts.iter().flat_map(|(part, files)| {
            files
                .iter()
                .map(move |(name, text)| (format!("{part}/{name}"), text.as_str()))
        });
        let mut files: Vec<(String, &str)> = files.collect();
        files.push(("alone.pl".to_owned(), ALONE));
        let given: Vec<(&str, &str)> = files
            .iter()
            .map(|(name, text)| (name.as_str(), *text))
            .collect();
        let here = folder(&given);
        let names: Vec<String> = files.into_iter().map(|(name, _)| name).collect();
        let cache = folder::<&str>(&[]);
        let warm = ["--cache", cache.path().to_str().unwrap()];
        assert!(
            run(here.path(), &["snapshot", "--no-library", "."])
                .status
                .success()
        );
        let mut random = Random::new(seed);
        let mut told = vec![format!("seed {seed}")];
        for _ in 0..EDITS {
            let cold = check(here.path(), &["--no-cache"]);
            let cold_bounds = bounds(here.path(), &["--no-cache"]);
            // First with the answers from before the edit, then with those just stored.
            for again in [false, true] {
                let warm_bounds = bounds(here.path(), &warm);
                assert_eq!(
                    String::from_utf8_lossy(&warm_bounds.stdout),
                    String::from_utf8_lossy(&cold_bounds.stdout),
                    "{told:?}"
                );
                let warm = check(here.path(), &warm);
                assert_eq!(
                    String::from_utf8_lossy(&warm.stdout),
                    String::from_utf8_lossy(&cold.stdout),
                    "{told:?}"
                );
                assert_eq!(warm.status.code(), cold.status.code(), "{told:?}");
                if !again {
                    reused.fetch_add(kept(&warm), Ordering::Relaxed);
                    looked_at.fetch_add(names.len(), Ordering::Relaxed);
                }
            }
            told.push(edit(here.path(), &names, &mut random));
        }
    });
    let (reused, looked_at) = (reused.into_inner(), looked_at.into_inner());
    // A change of a directive or a name affects the dependencies of all answers.
    assert!(
        reused * 10 > looked_at,
        "{reused} of {looked_at} answers were kept"
    );
}
