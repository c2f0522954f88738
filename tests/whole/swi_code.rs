//! The model of SWI-Prolog's code against SWI-Prolog: the instructions of each clause of its own library, and of `tests/swi_code/odd.pl`.
//!
//! `tests/swi_code/dump.pl` loads a file and writes the code of its clauses. Agreement is that of the whole sequence of a clause, by
//! name; slots, arities and counts among the operands are compared beside it.
//!
//! The files of the library are in two halves, by a hash of their names. The model was made with the first half alone, so that the
//! second says how it does on files that nobody looked at. `SWI_CODE=first`, `second` or `all` compares all files of a half or of both;
//! without it a sample of the first half is taken. `SWI_CODE_SHOW=20` prints so many clauses of each cause.

#[path = "../swi_code/compare.rs"]
mod compare;

use std::path::{Path, PathBuf};

use compare::{Tally, compare};

/// The library of the SWI-Prolog that is here, and the file in it; none without SWI-Prolog, which CI has to have.
fn library() -> Option<(PathBuf, Vec<PathBuf>)> {
    let goal = "absolute_file_name(swi(library), D, [file_type(directory)]), current_prolog_flag(version, V), format('~w ~w', [V, D])";
    let output = std::process::Command::new("swipl")
        .args(["-f", "none", "-g", goal, "-t", "halt"])
        .output();
    let Some(output) = output.ok().filter(|o| o.status.success()) else {
        assert!(
            std::env::var_os("CI").is_none(),
            "swipl is not here, and CI asks for it"
        );
        return None;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let (version, root) = text.trim().split_once(' ').unwrap();
    if version != "90004" {
        return None;
    }
    let root = PathBuf::from(root);
    let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "pl") {
                files.push(path);
            }
        }
    }
    files.sort();
    Some((root, files))
}

/// The half of the library that a file belongs to: by FNV-1a of its name below the library.
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
    let Some((root, files)) = library() else {
        return;
    };
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
    if library().is_none() {
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
        assert!(tally.all >= 100, "{}", tally.all);
        assert_eq!(tally.same_operands, tally.all, "operands, too");
        assert_eq!(tally.more, 0, "clauses that SWI-Prolog refuses");
    }
}
