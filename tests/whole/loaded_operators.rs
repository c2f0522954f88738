//! Files of a program under the operators in force for them, compared with SWI-Prolog: a random program of modules and parts that declare,
//! export and use a few operators is loaded, and SWI-Prolog and `costlens check` have to reject the same clauses.
//!
//! `OPERATORS=500` tries that many programs, `OPERATORS_SEED=N` starts from another seed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;

use crate::generate::Random;
use crate::project::{folder, run};
use crate::seeds::{self, number};

const NAMES: [&str; 5] = ["main", "a", "b", "c", "d"];
const OPERATORS: [&str; 3] = ["===>", "~~~", "is_like"];

/// Returns the text of a file; it loads others that come later, and sometimes earlier ones.
fn text(random: &mut Random, own: usize, modules: &[bool]) -> String {
    let mut text = String::new();
    let name = NAMES[own];
    if modules[own] {
        let exported = match random.chance(40) {
            true => format!("op(700, xfx, {})", random.pick(&OPERATORS)),
            false => String::new(),
        };
        writeln!(text, ":- module({name}, [{exported}]).").unwrap();
    }
    for number in 0..2 + random.below(6) {
        let operator = random.pick(&OPERATORS);
        let number_of_other = own + random.below(NAMES.len() - own);
        let other = NAMES[number_of_other];
        let is_module = modules[number_of_other];
        let kind = match random.below(11) {
            // SWI-Prolog searches for the header of a module, and complains about each clause before it.
            3 | 6 | 8 if !is_module => 4,
            5 if is_module => 7,
            kind => kind,
        };
        match kind {
            0 => writeln!(text, ":- op(700, xfx, {operator})."),
            1 => writeln!(text, ":- op(700, xfx, user:({operator}))."),
            // In a module it would hide the operator of `user`, including in its parts: that is not modelled.
            2 if own == 0 => writeln!(text, ":- op(0, xfx, {operator})."),
            2 => writeln!(text, ":- op(700, xfx, {operator})."),
            _ if other == name => writeln!(text, "f{own}_{number}(x {operator} y)."),
            3 => writeln!(text, ":- use_module({other})."),
            4 => writeln!(text, ":- ensure_loaded({other})."),
            5 => writeln!(text, ":- include({other})."),
            6 if random.chance(50) => writeln!(
                text,
                ":- use_module({other}, except([op(_, _, {operator})]))."
            ),
            6 => writeln!(text, ":- use_module({other}, [op(_, _, {operator})])."),
            7 => writeln!(text, ":- [{other}]."),
            8 => writeln!(text, ":- reexport({other})."),
            _ => writeln!(text, "f{own}_{number}(x {operator} y)."),
        }
        .unwrap();
    }
    // A file without clauses is loaded repeatedly.
    writeln!(text, "k{own}.").unwrap();
    text
}

type Place = (String, u64);

fn refused_by_swi(folder: &Path) -> BTreeSet<Place> {
    let out = Command::new("swipl")
        .args(["-g", "halt", "main.pl"])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    let place = |line: &str| {
        let (place, _) = line.split_once(": Syntax error")?;
        let mut parts = place.rsplit(':');
        let (_, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        let name = file.rsplit('/').next()?;
        Some((name.trim().to_owned(), line.parse().ok()?))
    };
    text.lines().filter_map(place).collect()
}

fn refused_by_us(folder: &Path) -> BTreeSet<Place> {
    let out = run(folder, &["check", "--format", "json", "main.pl", "."]);
    let all: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let of = |d: &Value| {
        let name = d["file"].as_str()?.rsplit('/').next()?.to_owned();
        (d["code"] == "syntax").then_some((name, d["line"].as_u64()?))
    };
    all["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(of)
        .collect()
}

#[test]
fn what_cannot_be_read_is_what_swi_prolog_cannot_read() {
    if Command::new("swipl").arg("--version").output().is_err() {
        assert!(
            std::env::var_os("CI").is_none(),
            "swipl is not here, and CI asks for it"
        );
        return;
    }
    let wrong: Mutex<Vec<String>> = Mutex::default();
    seeds::each(
        number("OPERATORS", 20),
        number("OPERATORS_SEED", 1),
        |seed| {
            let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9) ^ 17);
            let names = ["main.pl", "a.pl", "b.pl", "c.pl", "d.pl"];
            let modules: Vec<bool> = (0..names.len())
                .map(|own| own > 0 && random.chance(50))
                .collect();
            let files: Vec<(&str, String)> = (names.into_iter().enumerate())
                .map(|(own, name)| (name, text(&mut random, own, &modules)))
                .collect();
            // Only files loaded by the program are compared.
            let folder = folder(&files);
            let loaded = loaded_from(&files);
            for (name, _) in files.iter().filter(|(name, _)| !loaded.contains(name)) {
                std::fs::remove_file(folder.path().join(name)).unwrap();
            }
            let (swi, ours) = (refused_by_swi(folder.path()), refused_by_us(folder.path()));
            if swi != ours {
                let mut told = format!("seed {seed}: SWI-Prolog {swi:?}, here {ours:?}\n");
                for (name, text) in files.iter().filter(|(name, _)| loaded.contains(name)) {
                    writeln!(told, "% {name}\n{text}").unwrap();
                }
                wrong.lock().unwrap().push(told);
            }
        },
    );
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the files that `main.pl` loads, directly or through others.
fn loaded_from<'a>(files: &[(&'a str, String)]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::from(["main.pl"]);
    loop {
        let before = found.len();
        for (name, text) in files {
            if !found.contains(name) {
                continue;
            }
            let loads = text.lines().filter(|l| {
                l.starts_with(":- ") && !l.contains("op(") || l.contains("use_module(")
            });
            for line in loads {
                let inside = line.split(['(', ')', '[', ']', ',']);
                for part in inside {
                    let named = files
                        .iter()
                        .find(|(n, _)| n.strip_suffix(".pl") == Some(part));
                    found.extend(named.map(|(n, _)| *n));
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
