//! Unread workspace files: the files related to a predicate, and the predicates that files contain.
//!
//! Texts are searched on demand, so that no index has to be maintained, and no file is read before it is needed. The facts about a text
//! (the files that it loads, and its predicates) are cached until the file changes.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use costlens_ide::document::symbols::outline;
use costlens_ide::navigate::beyond::{Load, Sought, loads};
use costlens_ide::sniff::is_no_prolog;
use tower_lsp::ls_types as lsp;

use crate::disk::listing::{Area, IsWanted, Listed, Stamp, list, stamp};
use crate::disk::place::slashes;
use crate::disk::text_of;
use crate::lines::{Encoding, LineIndex};
use crate::lsp::document::DocumentView;
use crate::lsp::views::uri_of;

/// The maximum number of files that are followed to determine whether a file indirectly loads another file.
const MOST_FOLLOWED: usize = 500;

/// A cache of facts about texts on disk.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Disk {
    texts: Mutex<HashMap<PathBuf, TextFacts>>,
}

/// Facts about a text.
#[derive(Debug)]
struct TextFacts {
    stamp: Stamp,
    loads: Option<Arc<[Load]>>,
    symbols: Option<Arc<[DiskSymbol]>>,
}

/// A predicate of an unread file.
#[derive(Clone, Debug)]
pub(in crate::lsp) struct DiskSymbol {
    /// `nrev/2`.
    pub(in crate::lsp) name: String,
    pub(in crate::lsp) location: lsp::Location,
}

/// A file that is related to a predicate.
#[derive(Debug)]
pub(in crate::lsp) struct RelatedFile {
    pub(in crate::lsp) name: String,
    pub(in crate::lsp) place: String,
    pub(in crate::lsp) text: String,
}

impl Disk {
    /// Returns the files of these folders that may name a predicate, or that load its file, excluding known files. Returns nothing if the
    /// answer is no longer wanted.
    pub(in crate::lsp) fn related(
        &self,
        areas: &[Area],
        sought: &Sought,
        known: &BTreeSet<String>,
        is_wanted: IsWanted<'_>,
    ) -> Vec<RelatedFile> {
        let files = list(areas, is_wanted);
        let paths: HashMap<&str, &Path> = (files.iter())
            .map(|file| (file.place.as_str(), file.path.as_path()))
            .collect();
        let mut found = Vec::new();
        for file in files.iter().filter(|file| !known.contains(&file.place)) {
            if !is_wanted() {
                return Vec::new();
            }
            let Some(text) = text_of(&file.path) else {
                continue;
            };
            let is_related = sought.is_named_in(&text) && self.leads_to(file, sought, &paths)
                || sought.may_be_part_of(&text)
                    && (self.loads(&file.path).iter())
                        .any(|load| load.takes_in && sought.is_file_of(load));
            if is_related && !is_no_prolog(&text) {
                found.push(RelatedFile {
                    name: slashes(&file.path),
                    place: file.place.clone(),
                    text,
                });
            }
        }
        found
    }

    /// Returns whether a file loads the predicate's file, directly or indirectly.
    fn leads_to(&self, from: &Listed, sought: &Sought, paths: &HashMap<&str, &Path>) -> bool {
        let mut seen = HashSet::from([from.place.clone()]);
        let mut waiting = VecDeque::from([(from.path.as_path(), from.place.clone())]);
        while let Some((path, place)) = waiting.pop_front() {
            for load in self.loads(path).iter() {
                if sought.is_file_of(load) {
                    return true;
                }
                let there = load.places(&place).into_iter();
                for at in there.filter(|at| paths.contains_key(at.as_str())) {
                    if seen.len() < MOST_FOLLOWED && seen.insert(at.to_string()) {
                        waiting.push_back((paths[at.as_str()], at.to_string()));
                    }
                }
            }
        }
        false
    }

    /// Returns the files that a file loads.
    fn loads(&self, path: &Path) -> Arc<[Load]> {
        let read = |text: &str| loads(text).into();
        self.cached(path, |known| &mut known.loads, read)
    }

    /// Returns the predicates of the files of these folders, excluding known files.
    pub(in crate::lsp) fn symbols(
        &self,
        areas: &[Area],
        known: &BTreeSet<String>,
        encoding: Encoding,
        is_wanted: IsWanted<'_>,
    ) -> Vec<Arc<[DiskSymbol]>> {
        let files = list(areas, is_wanted);
        let mut found = Vec::new();
        for file in files.iter().filter(|file| !known.contains(&file.place)) {
            if !is_wanted() {
                return Vec::new();
            }
            let read = |text: &str| symbols_of(&file.path, text, encoding).into();
            found.push(self.cached(&file.path, |known| &mut known.symbols, read));
        }
        found
    }

    /// Returns a cached fact about the current text of a file.
    fn cached<T>(
        &self,
        path: &Path,
        part: impl Fn(&mut TextFacts) -> &mut Option<Arc<[T]>>,
        read: impl FnOnce(&str) -> Arc<[T]>,
    ) -> Arc<[T]> {
        let stamp = stamp(path);
        let texts = || self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = texts().get_mut(path)
            && known.stamp == stamp
            && let Some(found) = part(known)
        {
            return Arc::clone(found);
        }
        let found = read(&text_of(path).unwrap_or_default());
        let mut texts = texts();
        let known = texts.entry(path.to_owned()).or_insert_with(|| TextFacts {
            stamp,
            loads: None,
            symbols: None,
        });
        if known.stamp != stamp {
            *known = TextFacts {
                stamp,
                loads: None,
                symbols: None,
            };
        }
        *part(known) = Some(Arc::clone(&found));
        found
    }
}

fn symbols_of(path: &Path, text: &str, encoding: Encoding) -> Vec<DiskSymbol> {
    let Some(uri) = uri_of(&slashes(path)).filter(|_| !is_no_prolog(text)) else {
        return Vec::new();
    };
    let view = DocumentView {
        uri,
        version: 0,
        lines: LineIndex::new(text),
        text: text.to_owned(),
        encoding,
        serial: 0,
    };
    (outline(text).into_iter())
        .map(|(name, range)| DiskSymbol {
            name,
            location: lsp::Location::new(view.uri.clone(), view.range(&range)),
        })
        .collect()
}
