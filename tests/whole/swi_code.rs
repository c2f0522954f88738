//! The model of SWI-Prolog's code compared with SWI-Prolog: the instructions of each clause of its own library, and of `tests/swi_code/odd.pl`.
//!
//! `tests/swi_code/dump.pl` loads a file and writes the code of its clauses. Two clauses agree if their whole sequences of instructions have
//! the same names; slots, arities and counts among the operands are compared separately.
//!
//! The files of the library are in two halves, by a hash of their names. The model was made with only the first half, so that the second
//! shows how it does on unseen files. `SWI_CODE=first`, `second` or `all` compares all files of a half or of both; a folder compares the
//! files in it; by default a sample of the first half is taken. `SWI_CODE_FILES=200` makes that many files of random clauses.
//! `SWI_CODE_SHOW=20` prints that many clauses of each cause.

#[path = "../swi_code/compare.rs"]
mod compare;

use std::path::{Path, PathBuf};

use crate::seeds::number;
use crate::{clauses, library, project};
use compare::{Tally, compare};

/// Returns the files of the library. Returns `None` without SWI-Prolog in the version of the model, which CI must have.
#[expect(clippy::print_stdout, reason = "reports a skipped test")]
fn library_files() -> Option<Vec<PathBuf>> {
    let files = library::files()?;
    let version = std::process::Command::new("swipl")
        .arg("--version")
        .output()
        .unwrap();
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.contains(" 9.0.4 ") {
        assert!(std::env::var_os("CI").is_none(), "{version}");
        println!("SKIPPED: the model is of SWI-Prolog 9.0.4, and here is {version}");
        return None;
    }
    Some(files)
}

/// Returns whether a file of the library belongs to the first half: by FNV-1a of its name below the library.
fn is_first_half(name: &str) -> bool {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32) & 1 == 0
}

/// The share of clauses that have to agree, of those that are compiled as they were read.
const FLOOR: f64 = 0.95;

#[test]
fn the_library_has_the_code_that_the_model_says() {
    let Some(files) = library_files() else {
        return;
    };
    let root = files
        .iter()
        .map(|file| file.parent().unwrap())
        .min_by_key(|p| p.as_os_str().len())
        .unwrap()
        .to_owned();
    let asked = std::env::var("SWI_CODE").unwrap_or_default();
    let name = |file: &Path| {
        file.strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .into_owned()
    };
    let mut chosen: Vec<PathBuf> = (files.into_iter())
        .filter(|file| asked == "all" || is_first_half(&name(file)) != (asked == "second"))
        .collect();
    if Path::new(&asked).is_dir() {
        let entries = std::fs::read_dir(&asked).unwrap();
        chosen = entries
            .map(|e| e.unwrap().path().canonicalize().unwrap())
            .collect();
        chosen.retain(|path| path.extension().is_some_and(|e| e == "pl"));
        chosen.sort();
    }
    if asked.is_empty() {
        let step = (chosen.len() / 40).max(1);
        chosen = chosen.into_iter().step_by(step).collect();
    }
    assert!(chosen.len() >= 20, "{chosen:?}");
    for optimise in [false, true] {
        let mut tally = Tally::default();
        for file in &chosen {
            compare(file, optimise, &mut tally);
        }
        tally.tell(if optimise { "with -O" } else { "without -O" });
        assert!(tally.unaltered > 500, "{}", tally.unaltered);
        assert!(tally.share() >= FLOOR, "{:.4}", tally.share());
    }
}

#[test]
fn odd_clauses_have_the_code_that_the_model_says() {
    if library_files().is_none() {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/swi_code/odd.pl");
    let file = file.canonicalize().unwrap();
    for optimise in [false, true] {
        let mut tally = Tally::default();
        compare(&file, optimise, &mut tally);
        tally.tell(if optimise {
            "odd, with -O"
        } else {
            "odd, without -O"
        });
        assert!(tally.all >= 500, "{}", tally.all);
        assert_eq!(tally.same_operands, tally.all, "operands, too");
        assert_eq!(tally.more, 0, "clauses that SWI-Prolog refuses");
    }
}

#[test]
fn clauses_by_chance_have_the_code_that_the_model_says() {
    if library_files().is_none() {
        return;
    }
    let (many, from) = (number("SWI_CODE_FILES", 3), number("SWI_CODE_SEED", 0));
    for optimise in [false, true] {
        let mut tally = Tally::default();
        for seed in from..from + many {
            let folder = project::folder(&[("chance.pl", clauses::file(seed, 500))]);
            compare(&folder.path().join("chance.pl"), optimise, &mut tally);
        }
        tally.tell(if optimise {
            "by chance, with -O"
        } else {
            "by chance, without -O"
        });
        assert!(tally.all as u64 >= many * 100, "{}", tally.all);
        assert_eq!(tally.same_operands, tally.all, "operands, too");
        assert_eq!(tally.more, 0, "clauses that SWI-Prolog refuses");
    }
}
