//! A folder with files, and the program run in it.

use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::binary::costlens;

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
    costlens()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}
