//! Integration tests of the crate in a single executable, because linking one for each topic took longer than running the tests.
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

/// Returns a host whose library contains `sum_list/2`. Without a known library, no predicate is reported as undefined.
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

/// Compares a document in `docs/` with the contents of the table it is generated from. `UPDATE_EXPECT=1` writes the document.
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
