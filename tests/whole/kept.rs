//! Kept summaries: the bounds of the fixtures are the same, byte for byte, without them, when they are first written, and when they are read.

use std::path::Path;
use std::process::Output;

use crate::project::{folder, run};

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
