//! Cargo and rustc do not discover tests by themselves here: every file is a declared target, or a module of one.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rust_files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".rs")).collect()
}

#[test]
fn every_test_file_is_declared() {
    let manifest = std::fs::read_to_string(root().join("server/costlens/Cargo.toml")).unwrap();
    let files = rust_files(&root().join("tests"));
    assert!(!files.is_empty());
    for name in files {
        assert!(
            manifest.contains(&format!("path = \"../../tests/{name}\"")),
            "tests/{name} is not declared in server/costlens/Cargo.toml"
        );
    }
}

#[test]
fn every_file_of_an_executable_is_a_module_of_it() {
    let mut folders: Vec<PathBuf> = ["cli", "lsp", "whole"]
        .map(|name| root().join("tests").join(name))
        .to_vec();
    for room in std::fs::read_dir(root().join("server")).unwrap() {
        let folder = room.unwrap().path().join("tests/it");
        folders.extend(folder.is_dir().then_some(folder));
    }
    assert!(folders.len() > 5, "{folders:?}");
    for folder in folders {
        let main = std::fs::read_to_string(folder.join("main.rs")).unwrap();
        for name in rust_files(&folder) {
            let stem = name.trim_end_matches(".rs");
            assert!(
                stem == "main" || main.contains(&format!("mod {stem};")),
                "{} is no module of main.rs",
                folder.join(name).display()
            );
        }
    }
}
