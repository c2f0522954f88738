//! Tests that precomputation on several threads gives the same results as on one.

use std::path::Path;

use costlens_ide::host::{File, Host};

fn fixtures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pl"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    // Only every fifth file is tested, because all of them take too long in an unoptimised build.
    files.into_iter().step_by(5).collect()
}

#[test]
fn several_threads_change_no_answer() {
    let texts = fixtures();
    let answers = |threads: usize, together: bool| -> Vec<String> {
        let mut host = Host::new();
        let files: Vec<File> = texts
            .iter()
            .map(|(name, text)| host.open(name, text))
            .collect();
        let snapshot = host.snapshot();
        if together {
            snapshot.prepare(&files, threads).unwrap();
        } else if threads > 0 {
            for &file in &files {
                snapshot.prepare(&[file], threads).unwrap();
            }
        }
        let bounds = files.iter().map(|&file| snapshot.bounds(file).unwrap());
        bounds
            .map(|b| {
                format!(
                    "{:?}",
                    b.predicates.iter().map(|p| &p.report).collect::<Vec<_>>()
                )
            })
            .collect()
    };
    let alone = answers(0, false);
    assert!(alone.iter().any(|a| a.len() > 1_000));
    for (threads, together) in [(4, true), (3, false)] {
        for ((one, other), (name, _)) in alone.iter().zip(answers(threads, together)).zip(&texts) {
            assert_eq!(*one, other, "{name} with {threads} threads");
        }
    }
}
