//! Searches the workspace for files that belong to the same program as known files ([`costlens_ide::host::kin`]).
//!
//! The server starts from the files that documents load, the command line from the given files; both search in the same way. The words of a
//! text are cached until the file changes, so that most texts are read once.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use costlens_ide::host::kin::{FileMentions, Kin};
use costlens_ide::host::{Cancelled, File, Host, Snapshot};
use costlens_ide::sniff::is_no_prolog;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::listing::{Area, IsWanted, Listed, Stamp, list, stamp};
use super::place::slashes;
use super::reader::Reader;
use super::{MOST_FILES, text_of};

/// A file that belongs to the same program as a known file.
#[derive(Debug)]
pub(crate) struct KinFile {
    pub(crate) name: String,
    pub(crate) place: String,
    pub(crate) text: String,
}

/// A cache of facts about the texts of a workspace.
#[derive(Debug, Default)]
pub(crate) struct TextCache(Mutex<HashMap<PathBuf, Remembered>>);

#[derive(Clone, Debug)]
struct Remembered {
    stamp: Stamp,
    /// The sorted hashes of the words.
    words: Arc<[u32]>,
    /// The directives, computed when they are first needed.
    said: Option<Arc<FileMentions>>,
}

impl TextCache {
    /// Returns the files in these areas that mention `kin`, excluding known files. Returns nothing if the answer is no longer wanted.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if a write interrupts the search.
    pub(crate) fn kin(
        &self,
        areas: &[Area],
        kin: &Kin,
        snapshot: &Snapshot,
        is_wanted: IsWanted<'_>,
    ) -> Result<Vec<KinFile>, Cancelled> {
        let names: Vec<Vec<u32>> = kin.names().map(words_of).collect();
        let mut found = Vec::new();
        for Listed { path, place } in list(areas, is_wanted) {
            if !is_wanted() {
                return Ok(Vec::new());
            }
            if snapshot.is_known(&place)? || !self.may_speak_of(&path, &names) {
                continue;
            }
            if kin.has(&place, &self.said(&path))
                && let Some(text) = text_of(&path)
                && !is_no_prolog(&text)
            {
                let name = slashes(&path);
                found.push(KinFile { name, place, text });
            }
        }
        Ok(found)
    }

    /// Returns whether all words of one of the names occur in the text.
    fn may_speak_of(&self, path: &Path, names: &[Vec<u32>]) -> bool {
        let words = self.remembered(path).words;
        (names.iter()).any(|name| name.iter().all(|word| words.binary_search(word).is_ok()))
    }

    fn said(&self, path: &Path) -> Arc<FileMentions> {
        let remembered = self.remembered(path);
        if let Some(said) = remembered.said {
            return said;
        }
        let said = Arc::new(FileMentions::in_text(&text_of(path).unwrap_or_default()));
        let again = Remembered {
            said: Some(Arc::clone(&said)),
            ..remembered
        };
        self.lock().insert(path.to_owned(), again);
        said
    }

    fn remembered(&self, path: &Path) -> Remembered {
        let stamp = stamp(path);
        if let Some(known) = self.lock().get(path).filter(|known| known.stamp == stamp) {
            return known.clone();
        }
        let found = Remembered {
            stamp,
            words: words_of(&text_of(path).unwrap_or_default()).into(),
            said: None,
        };
        self.lock().insert(path.to_owned(), found.clone());
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Remembered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the sorted hashes of the words of a text, except numbers: tables contain millions, and names are found without them.
fn words_of(text: &str) -> Vec<u32> {
    // A set first: most words of a long text are repetitions, which would have to be sorted.
    let mut words = FxHashSet::default();
    let (mut start, mut at) = (0, 0);
    while at <= text.len() {
        // Decoding every character takes twice as long.
        let (is_in_word, width) = match text.as_bytes().get(at) {
            None => (false, 1),
            Some(byte) if byte.is_ascii() => (byte.is_ascii_alphanumeric() || *byte == b'_', 1),
            Some(_) => {
                let c = text[at..].chars().next().unwrap_or_default();
                (c.is_alphanumeric(), c.len_utf8())
            }
        };
        if !is_in_word {
            let word = &text.as_bytes()[start..at];
            if !word.iter().all(u8::is_ascii_digit) {
                words.insert((FxBuildHasher.hash_one(word) >> 32) as u32);
            }
            start = at + width;
        }
        at += width;
    }
    let mut words: Vec<u32> = words.into_iter().collect();
    words.sort_unstable();
    words
}

/// Adds the kin of a command's files to the host, together with the files that they load, named relative to the first of the command's
/// files. Returns the number of files read.
pub(crate) fn read(host: &mut Host, files: &[File], areas: &[Area], reader: &mut Reader) -> usize {
    let Some(&first) = files.first() else {
        return 0;
    };
    let (texts, mut before, mut count) = (TextCache::default(), Kin::default(), 0);
    while count < MOST_FILES {
        let found = {
            let snapshot = host.snapshot();
            // Nothing is written while a command reads.
            let Ok(mut kin) = snapshot.kin() else {
                break;
            };
            kin.drop_all_of(&before);
            let found = match kin.is_empty() {
                true => Vec::new(),
                false => texts
                    .kin(areas, &kin, &snapshot, &|| true)
                    .unwrap_or_default(),
            };
            before.extend(kin);
            found
        };
        if found.is_empty() {
            break;
        }
        let added: Vec<File> = (found.iter())
            .map(|file| {
                let name = reader.name(host, &file.place, first);
                host.add_at(&name, &file.place, &file.text)
            })
            .collect();
        count += added.len() + reader.read(host, &added);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names_are_words_of_texts_that_have_them() {
        let text = words_of("p :- 'my-file':q(X1, _Y), tables:row→été, 'f-12'. end");
        for (name, expected) in [
            ("my-file", true),
            ("tables", true),
            ("table", false),
            ("row", true),
            ("été", true),
            ("f-34", true), // numbers are not distinguished
            ("g-12", false),
            ("end", true),
        ] {
            let all = words_of(name).iter().all(|w| text.binary_search(w).is_ok());
            assert_eq!(all, expected, "{name}");
        }
    }
}
