//! Kept summaries: the bounds of the fixtures are the same, byte for byte, without them, when they are first written, and when they are read;
//! several processes that share them, and processes that are killed, change no answer.
//!
//! `KILLS=100` kills that many processes, `KILLS_SEED=N` at other moments.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::binary::costlens;
use crate::generate::Random;
use crate::project::{folder, run};
use crate::seeds::number;

fn bounds(of: &Path, cache: &[&str]) -> Output {
    let command = ["bounds", "--format", "json", "."];
    run(of, &[&command[..], cache].concat())
}

#[test]
fn bounds_of_the_fixtures_are_the_same_when_they_are_read() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let cache = folder::<&str>(&[]);
    let warm = ["--cache", cache.path().to_str().unwrap()];
    let cold = bounds(&fixtures, &["--no-cache"]);
    assert!(cold.stdout.len() > 1_000_000, "{cold:?}");
    for time in ["written", "read"] {
        let warm = bounds(&fixtures, &warm);
        assert_eq!(warm.status.code(), cold.status.code());
        // A difference of megabytes is no message.
        let (warm, cold) = (
            String::from_utf8_lossy(&warm.stdout),
            String::from_utf8_lossy(&cold.stdout),
        );
        for (line, (warm, cold)) in warm.lines().zip(cold.lines()).enumerate() {
            assert_eq!(warm, cold, "line {line} where summaries are {time}");
        }
        assert_eq!(warm.len(), cold.len());
    }
}

/// A file that is no database, and an entry whose bytes were changed, do not change an answer.
#[test]
fn damaged_summaries_are_not_used() {
    let program = [(
        "app.pl",
        "app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\n",
    )];
    let here = folder(&program);
    let cache = folder::<&str>(&[]);
    let warm = ["--cache", cache.path().to_str().unwrap()];
    let cold = bounds(here.path(), &["--no-cache"]);
    let same = |told: &str| {
        let warm = bounds(here.path(), &warm);
        assert_eq!(warm.stdout, cold.stdout, "{told}");
        String::from_utf8_lossy(&warm.stderr).into_owned()
    };
    assert_eq!(same("written"), "");
    let database = cache.path().join("summaries.db");
    let whole = std::fs::read(&database).unwrap();
    // Every page but the first is damaged in turn.
    for at in (4096..whole.len()).step_by(512) {
        let mut damaged = whole.clone();
        for byte in &mut damaged[at..(at + 64).min(whole.len())] {
            *byte ^= 0x55;
        }
        std::fs::write(&database, damaged).unwrap();
        same(&format!("damaged at {at}"));
    }
    std::fs::write(&database, &whole[..whole.len() / 2]).unwrap();
    same("cut in half");
    std::fs::write(
        &database,
        "no database, but a text that is long enough to be looked at as one",
    )
    .unwrap();
    let told = same("a text");
    assert!(told.contains("put aside as"), "{told}");
    assert_eq!(same("written again"), "");
}

/// Returns a folder with some of the fixtures.
fn some_fixtures() -> TempDir {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let names = [
        "amortised.pl",
        "euclid.pl",
        "hanoi.pl",
        "quick_sort.pl",
        "walked_terms.pl",
    ];
    let texts = names.map(|name| std::fs::read_to_string(fixtures.join(name)).unwrap());
    let files: Vec<(&str, String)> = names.into_iter().zip(texts).collect();
    folder(&files)
}

#[test]
fn processes_that_share_summaries_have_the_same_answers() {
    let here = some_fixtures();
    let cache = folder::<&str>(&[]);
    let warm = ["--cache", cache.path().to_str().unwrap()];
    let cold = bounds(here.path(), &["--no-cache"]);
    for _ in 0..2 {
        let found: Vec<Output> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| bounds(here.path(), &warm)))
                .collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        for found in found {
            assert_eq!(found.stdout, cold.stdout);
            assert_eq!(String::from_utf8_lossy(&found.stderr), "");
        }
    }
}

#[test]
fn a_killed_process_leaves_no_wrong_answer() {
    let here = some_fixtures();
    let cold = bounds(here.path(), &["--no-cache"]);
    let (many, seed) = (number("KILLS", 6), number("KILLS_SEED", 0));
    let mut random = Random::new(seed);
    let mut cache = folder::<&str>(&[]);
    for kill in 0..many {
        if kill % 2 == 0 {
            cache = folder::<&str>(&[]);
        }
        let warm = ["--cache", cache.path().to_str().unwrap()];
        let mut command = costlens();
        command.args(["bounds", "--format", "json", "."]).args(warm);
        command
            .current_dir(here.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.below(1_200) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = bounds(here.path(), &warm);
        assert_eq!(found.stdout, cold.stdout, "seed {seed}, kill {kill}");
    }
}
