//! Cached results of earlier runs: a file for each set of paths and options, in the user's cache folder.
//!
//! Each result has the fingerprint of all its dependencies, so a stored result is never outdated. Fingerprints have 128 bits: the
//! probability that any two of a million different inputs collide is below 10⁻²⁶, and only the user writes to this folder.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::user_cache;

/// The format identification at the start of a cache file.
const FORMAT: &str = "costlens answers 1";
/// The number of days without a write after which files are removed.
const DAYS: u64 = 30;

/// A fingerprint of inputs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Fingerprint(String);

impl Fingerprint {
    /// Returns the fingerprint of a sequence of texts.
    pub(crate) fn compute<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        // Hashing the same bytes after different prefixes yields two independent fingerprints of 64 bits.
        let (mut one, mut other) = (DefaultHasher::new(), DefaultHasher::new());
        other.write(FORMAT.as_bytes());
        for text in texts {
            for hasher in [&mut one, &mut other] {
                hasher.write(&text.len().to_le_bytes());
                hasher.write(text);
            }
        }
        Fingerprint(format!("{:016x}{:016x}", one.finish(), other.finish()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Cached results, by the fingerprints of their dependencies.
pub(crate) type Answers<T> = BTreeMap<Fingerprint, T>;

#[derive(Serialize, Deserialize)]
struct Document<T> {
    format: String,
    /// The program that wrote the file.
    program: String,
    answers: Answers<T>,
}

/// The cache file for one request.
pub(crate) struct Cache {
    path: PathBuf,
    program: String,
}

impl Cache {
    /// Opens the cached results of a request in the user's cache folder, or in the given folder. Returns `None` if there is no folder.
    pub(crate) fn open(folder: Option<&Path>, question: &Fingerprint) -> Option<Self> {
        let in_caches = || Some(user_cache()?.join("costlens"));
        let folder = folder.map(Path::to_owned).or_else(in_caches)?;
        Some(Cache {
            path: folder.join(format!("{}.json", question.0)),
            program: program()?,
        })
    }

    /// Reads the stored results. If the file is unusable, sets it aside and returns a sentence about that.
    pub(crate) fn read<T: for<'de> Deserialize<'de>>(&self) -> (Answers<T>, Option<String>) {
        let Ok(text) = std::fs::read(&self.path) else {
            return (Answers::new(), None);
        };
        match serde_json::from_slice::<Document<IgnoredAny>>(&text) {
            Ok(document) if document.format == FORMAT => {}
            _ => {
                return (
                    Answers::new(),
                    Some(put_aside(&self.path, "answers of Costlens")),
                );
            }
        }
        match serde_json::from_slice::<Document<T>>(&text) {
            Ok(document) if document.program == self.program => (document.answers, None),
            // The file is from another version and will be overwritten.
            _ => (Answers::new(), None),
        }
    }

    /// Stores results atomically. If this fails, returns a sentence with the reason.
    pub(crate) fn write<T: Serialize>(&self, answers: Answers<T>) -> Result<(), String> {
        let document = Document {
            format: FORMAT.to_owned(),
            program: self.program.clone(),
            answers,
        };
        self.replace(&document)
            .map_err(|error| format!("cannot keep answers in `{}`: {error}", self.path.display()))
    }

    /// Removes the stored results. Best effort: a file that cannot be removed is overwritten later, or removed when it is old.
    pub(crate) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }

    fn replace<T: Serialize>(&self, document: &T) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder)?;
        remove_old(folder);
        // Two concurrent runs write two files, and the file written last remains. Both are correct.
        let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(std::io::BufWriter::new(&mut fresh), document)?;
        fresh.persist(&self.path)?;
        Ok(())
    }
}

/// Renames a file without usable contents. Returns a sentence about that.
pub(super) fn put_aside(path: &Path, lacks: &str) -> String {
    let aside = path.with_extension("unreadable");
    let name = path.display();
    match std::fs::rename(path, &aside) {
        Ok(()) => format!(
            "`{name}` has no {lacks}; it is put aside as `{}`",
            aside.display()
        ),
        Err(error) => format!("`{name}` has no {lacks}, and cannot be put aside: {error}"),
    }
}

/// Removes files that have not been written to for a long time. Best effort: files that cannot be removed remain.
fn remove_old(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let age = (entry.metadata().and_then(|m| m.modified()).ok()).and_then(|t| t.elapsed().ok());
        if age.is_some_and(|age| age.as_secs() > DAYS * 24 * 60 * 60) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Identifies this program by version, build time and size.
pub(super) fn program() -> Option<String> {
    let file = std::env::current_exe().ok()?;
    let about = std::fs::metadata(file).ok()?;
    let built = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let version = env!("CARGO_PKG_VERSION");
    Some(format!("{version} {} {}", about.len(), built.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(text: &str) -> Fingerprint {
        Fingerprint::compute([text.as_bytes()])
    }

    #[test]
    fn texts_are_told_apart_by_where_they_end() {
        let of = |texts: &[&str]| Fingerprint::compute(texts.iter().map(|t| t.as_bytes()));
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["", "a"]), of(&["a", ""]));
    }

    #[test]
    fn answers_are_read_back_and_what_is_none_is_put_aside() {
        let folder = tempfile::TempDir::new().unwrap();
        let cache = Cache::open(Some(folder.path()), &fingerprint("q")).unwrap();
        assert_eq!(cache.read::<u32>(), (Answers::new(), None));
        let answers = Answers::from([(fingerprint("a"), 1), (fingerprint("b"), 2)]);
        cache.write(answers.clone()).unwrap();
        assert_eq!(cache.read::<u32>(), (answers.clone(), None));

        let other = Cache {
            program: "another version".to_owned(),
            path: cache.path.clone(),
        };
        assert_eq!(other.read::<u32>(), (Answers::new(), None));

        let whole = std::fs::read(&cache.path).unwrap();
        for text in [&whole[..whole.len() / 2], b"{}", b"", b"\xff\xfe"] {
            std::fs::write(&cache.path, text).unwrap();
            let (found, told) = cache.read::<u32>();
            assert_eq!(found, Answers::new());
            assert!(told.is_some_and(|told| told.contains("put aside as")));
            assert!(!cache.path.exists());
        }
        cache.write(answers.clone()).unwrap();
        assert_eq!(cache.read::<u32>().0, answers);
    }
}
