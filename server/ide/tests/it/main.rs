//! The promises of the room to its users, in one executable: linking one for each subject took longer than running them.
#![cfg(test)] // so that clippy takes helpers here for test code (`allow-unwrap-in-tests`)

mod advice;
mod asserted;
mod attained;
mod events;
mod fixes;
mod heap;
mod hints;
mod learned;
mod padl07;
mod parts;
mod ppdp08;
mod prepared;
mod problems;
mod rules;
mod tables;
mod verdict_random;
mod verdict_table;

use std::path::Path;

use costlens_ide::host::Host;
use costlens_ide::host::files::LibraryFolders;

/// Returns a host with a library that has `sum_list/2`. Nothing is reported as undefined if no library is known.
fn with_library() -> Host {
    let mut host = Host::new();
    host.set_libraries(&LibraryFolders {
        version: Some(costlens_ide::host::files::Version::default()),
        folders: vec!["/lib".to_owned()],
        indices: vec![(
            "/lib".to_owned(),
            "index((sum_list), 2, lists, lists).".to_owned(),
        )],
        ..LibraryFolders::default()
    });
    host
}

/// Compares a document of `docs/` that is generated from a table with the table's contents; `UPDATE_EXPECT=1` writes it.
fn is_document(name: &str, fresh: &str) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let path = docs.join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, fresh).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == fresh,
        "docs/{name} is not what its table says; UPDATE_EXPECT=1 writes it"
    );
}
