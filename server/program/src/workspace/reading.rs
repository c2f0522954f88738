//! The clauses and comments of a file, read with the operators that other files declare for it.

use std::sync::Arc;

use costlens_syntax::{FileTerms, KnownFiles, ReadOptions, Surroundings, agreed, read};

use super::candidates::candidates;
use super::db::Db;
use super::folder_names::folders;
use super::loaded_operators::{LoadedBy, loaded_by};
use super::places::{place_of, workspace};
use super::said_of_files::said_of_files;
use super::source_file::SourceFile;
use crate::language::is_library;

/// Collects the operators of the files that a file names. The reader itself knows the operators of libraries.
///
/// *Invalidated* when a file is added or removed; the result is nearly always equal. Without a separate query, a caller that reads a
/// program file by file, such as the command line, would read the clauses of all files again after each file. This would take two thirds of
/// the time for files that load many other files.
#[salsa::tracked(returns(ref))]
fn known_files(db: &dyn Db, file: SourceFile) -> KnownFiles {
    let mut known = KnownFiles::default();
    let (Some(workspace), Some(from)) = (workspace(db), place_of(db, file)) else {
        return known;
    };
    if workspace.files(db).len() < 2 {
        return known;
    }
    for import in &said_of_files(db, file).0 {
        // The reader has its own tables for libraries.
        if is_library(&import.file) {
            continue;
        }
        let named = match import.file.alias {
            Some(_) => folders(db, file),
            None => &[],
        };
        let mut places = candidates(from, &import.file, &[], named).into_iter();
        if let Some(other) = places.find_map(|p| workspace.file_at(db, &p))
            && other != file
        {
            let operators = said_of_files(db, other).1.clone();
            known.0.insert(import.file.clone(), operators);
        }
    }
    known
}

/// Returns the clauses and comments of a file, including positions. If files that load it declare different operators, the parts that are
/// read differently count as syntax errors.
///
/// *Invalidated* by every edit; only the queries that remove positions and [`crate::positions`] may read it.
#[salsa::tracked(returns(clone), no_eq)]
pub fn terms(db: &dyn Db, file: SourceFile) -> Arc<FileTerms> {
    let parsed = file.parsed(db);
    let under = |surroundings: Surroundings| {
        let options = ReadOptions {
            files: known_files(db, file).clone(),
            surroundings,
            ..ReadOptions::default()
        };
        read(parsed, &options)
    };
    let all = different(loaded_by(db, file), &parsed.text);
    let Some((first, others)) = all.split_first() else {
        return Arc::new(under(Surroundings::default()));
    };
    let mut found = under(Surroundings::clone(&first.surroundings));
    let name = |by: &LoadedBy| by.loader.unwrap_or(file).path(db).to_owned();
    for other in others {
        let reading = under(Surroundings::clone(&other.surroundings));
        let (one, two) = (name(first), name(other));
        let message = match one == two {
            true => format!(
                "read differently each time that `{one}` loads this file: declare the operators in this file"
            ),
            false => format!(
                "read differently under the operators of `{one}` and of `{two}`, which both load this file: declare them in this file"
            ),
        };
        found = agreed(found, &reading, &parsed.text, &message);
    }
    Arc::new(found)
}

/// Returns the first surroundings, and all surroundings that differ from them in an item that occurs in the text.
fn different<'a>(all: &'a [LoadedBy], text: &str) -> Vec<&'a LoadedBy> {
    let Some((first, others)) = all.split_first() else {
        return Vec::new();
    };
    let mut found = vec![first];
    for other in others {
        if found
            .iter()
            .all(|known| known.surroundings.differ_in(&other.surroundings, text))
        {
            found.push(other);
        }
    }
    found
}
