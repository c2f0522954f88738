//! A folder with files, and the program run in it.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

pub(crate) fn folder<T: AsRef<[u8]>>(files: &[(&str, T)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_costlens"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        // Nothing of the user's is used, nor written over.
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap()
}
