//! Reads files with the operators of the files that they load.

use std::path::{Path, PathBuf};

use costlens_syntax::{
    Dialect, FileOperators, FileSpec, Parsed, ReadClause, ReadOptions, read, read_directives,
};

/// Returns the clauses of a file, read with the operators that other files export to it.
pub(crate) fn read_with_imports(path: &Path, text: &str) -> Vec<ReadClause> {
    let parsed = Parsed::in_dialect(text, Dialect::Swi);
    let mut options = ReadOptions::default();
    for import in read_directives(&parsed, &options).imports {
        if import.file.alias.is_none() {
            let operators = operators_of(path, &import.file, &mut Vec::new());
            options.files.0.extend(operators.map(|o| (import.file, o)));
        }
    }
    read(&parsed, &options).clauses
}

/// Returns the operators declared by a file next to another file, including those that it re-exports.
fn operators_of(from: &Path, spec: &FileSpec, seen: &mut Vec<PathBuf>) -> Option<FileOperators> {
    if spec.alias.is_some() {
        return None;
    }
    let path = ["", ".pl"]
        .map(|e| from.with_file_name(format!("{}{e}", spec.path)))
        .into_iter()
        .find(|p| p.is_file() && !seen.contains(p))?;
    seen.push(path.clone());
    let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
    let parsed = Parsed::in_dialect(text, Dialect::Swi);
    let mut options = ReadOptions::default();
    for import in read_directives(&parsed, &options).imports {
        if let Some(operators) = operators_of(&path, &import.file, seen) {
            options.files.0.insert(import.file, operators);
        }
    }
    Some(read_directives(&parsed, &options).operators)
}
