//! The files of SWI-Prolog's library folder.

use std::path::PathBuf;
use std::process::Command;

/// Returns the files, sorted. If `swipl` is not installed, prints a note and returns `None`, or fails in continuous integration (`CI` is
/// set).
#[expect(clippy::print_stdout, reason = "reports a skipped test")]
pub(crate) fn files() -> Option<Vec<PathBuf>> {
    let goal = "absolute_file_name(swi(library), D, [file_type(directory)]), write(D)";
    let home = Command::new("swipl")
        .args(["-g", goal, "-t", "halt"])
        .output();
    let home = match home {
        Ok(output) if output.status.success() => String::from_utf8(output.stdout).unwrap(),
        _ => {
            assert!(std::env::var_os("CI").is_none(), "swipl is not installed");
            println!("SKIPPED: swipl is not installed, nothing was compared");
            return None;
        }
    };
    Some(prolog_files(PathBuf::from(home.trim())))
}

/// Returns the Prolog files in a folder and its subfolders, sorted.
pub(crate) fn prolog_files(folder: PathBuf) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
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
    files
}
