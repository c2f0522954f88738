//! The library predicates written in Prolog, clause by clause as SWI-Prolog counts them. Bounds are inferred from these texts and the
//! machine runs them, so that counts and bounds refer to the same clauses.
//!
//! A library in a searched folder replaces the shipped library.
#![expect(
    missing_docs,
    reason = "salsa's macros write methods without documentation"
)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use costlens_syntax::Parsed;
use salsa::{Durability, Setter as _};
use smol_str::SmolStr;

use super::db::Db;
use super::source_file::{Role, SourceFile};
use super::version::Version;

/// The library texts that ship with Costlens, for the oldest supported version: name and text.
pub const TEXTS: &[(&str, &str)] = &[
    ("lists", include_str!("../../library/lists.pl")),
    ("apply", include_str!("../../library/apply.pl")),
    ("pairs", include_str!("../../library/pairs.pl")),
    ("sort", include_str!("../../library/sort.pl")),
    (
        "solution_sequences",
        include_str!("../../library/solution_sequences.pl"),
    ),
];

/// Additions in later versions: the first version with the addition, the name of the library, and the added clauses.
const ADDED: &[(Version, &str, &str)] = &[(
    Version::numbered(100_110),
    "lists",
    include_str!("../../library/10.1/lists.pl"),
)];

/// The hashes of a library's original texts, in those releases whose clauses behave like the shipped texts.
const RELEASED: &[(&str, u64)] = &[
    ("lists", 0x2594_273c_1d8e_3b8c),
    ("apply", 0x6a10_5a86_34f2_8fbd),
    ("pairs", 0xa611_44cf_6e03_3e12),
    ("sort", 0xea5c_e747_2c5f_2db3),
    ("solution_sequences", 0x0559_15c2_92cd_9cce),
];

/// The hashes of the library texts to which shipped assertions apply.
const STATED: &[(&str, u64)] = &[
    ("assoc", 0x2188_c8b7_cbf5_a2b1),
    ("dcg/basics", 0xc16d_ea0c_c7fa_b67c),
    ("debug", 0x3b5f_a5be_fa70_8f83),
    ("dif", 0x6546_802a_7736_e6e5),
    ("error", 0xf878_d774_abdb_bae7),
    ("gensym", 0xc42f_e827_dd65_d160),
    ("nb_set", 0xc979_b5e5_0c6c_3086),
    ("occurs", 0xee4e_45ae_650e_12e8),
    ("option", 0x0f8c_f7b6_e70e_a89a),
    ("ordsets", 0x6440_2373_3efa_4b32),
    ("random", 0x0003_592c_78f4_6a47),
    ("rbtrees", 0x8243_6f39_a028_addc),
    ("readutil", 0x701a_3f02_a00b_5335),
    ("strings", 0xa3f6_3b5e_d2a0_c153),
    ("terms", 0xb49f_a541_4bd0_5ee0),
];

/// The hashes of the libraries with predicates for which inference has rules by name.
const RULED: &[(&str, u64)] = &[
    ("aggregate", 0xafa8_3e54_94a8_9724),
    ("statistics", 0xf936_e6af_71cf_7cdf),
    ("yall", 0x3b74_9e91_e774_075a),
];

/// Returns the names of the libraries with predicates for which inference has rules.
pub fn ruled_names() -> impl Iterator<Item = &'static str> {
    RULED.iter().map(|(name, _)| *name)
}

/// Returns the names of the libraries with assertions.
pub fn stated_names() -> impl Iterator<Item = &'static str> {
    STATED.iter().map(|(name, _)| *name)
}

/// Returns the names of the libraries that ship with Costlens.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(name, _)| *name)
}

/// Returns the shipped texts for a version: name and text.
pub fn texts(version: Version) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
    TEXTS.iter().map(move |&(name, text)| {
        let added = (ADDED.iter())
            .filter(|(since, of, _)| *since <= version && *of == name)
            .map(|(_, _, text)| *text);
        let added: Vec<&str> = added.collect();
        let text = match added.is_empty() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(format!("{text}\n{}", added.join("\n"))),
        };
        (name, text)
    })
}

/// Returns the hash of a text, independent of its line ends (FNV-1a).
fn hash(text: &str) -> u64 {
    let bytes = text.bytes().filter(|byte| *byte != b'\r');
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns true for the text of a library in a release that behaves like the shipped text, or to which shipped assertions apply.
#[must_use]
pub fn is_released(name: &str, text: &str) -> bool {
    let text = (name, hash(text));
    [RELEASED, STATED, RULED]
        .iter()
        .any(|known| known.contains(&text))
}

/// A library in a searched folder that replaces the shipped library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderLibrary {
    /// The name of the library.
    pub name: String,
    /// The path of its text.
    pub path: String,
    pub text: String,
}

/// Returns the file of a shipped library with this name.
pub(crate) fn shipped_library(db: &dyn Db, name: &str) -> Option<SourceFile> {
    let mut files = Library::try_get(db)?.files(db).iter().copied();
    files.find(|file| file.path(db) == name)
}

/// The library files that every file sees, in the order in which they are searched.
#[salsa::input(singleton)]
pub struct Library {
    /// The files.
    #[returns(deref)]
    pub files: Vec<SourceFile>,
    /// The SWI-Prolog version of the texts; `None` if they are in a folder that does not state its version.
    #[returns(copy)]
    pub version: Option<Version>,
    /// The paths of the texts found in folders, by library name.
    #[returns(deref)]
    pub places: Vec<(SmolStr, SmolStr)>,
}

/// Returns a library text. All databases of the process share its tree and its clauses, since parsing the library takes half the time of
/// analysing a small program.
pub(super) fn parsed_once(text: &str) -> Parsed {
    static TEXTS: Mutex<BTreeMap<String, Parsed>> = Mutex::new(BTreeMap::new());
    let mut known = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    match known.get(text) {
        Some(parsed) => parsed.clone(),
        None => {
            let parsed = Parsed::new(text);
            known.insert(text.to_owned(), parsed.clone());
            parsed
        }
    }
}

/// Creates the library from names and texts, with high durability: edits of a user's file never re-validate it.
///
/// Must be called once, before the first query.
pub fn install_library(db: &mut dyn Db, texts: &[(&str, &str)]) -> Vec<SourceFile> {
    let files: Vec<SourceFile> = texts
        .iter()
        .map(|&(path, text)| {
            SourceFile::builder(path.to_owned(), parsed_once(text), Role::Library)
                .durability(Durability::HIGH)
                .new(db)
        })
        .collect();
    let _: Library = Library::builder(files.clone(), Some(Version::default()), Vec::new())
        .durability(Durability::HIGH)
        .new(db);
    files
}

/// Sets the library to that of a version, with the texts found in folders. The version is `None` if the folders do not state it.
///
/// If a text in a folder equals a release's text, it behaves like the shipped text. The shipped text is then used, because it is written
/// for analysis.
pub fn set_library(db: &mut dyn Db, version: Option<Version>, found: &[FolderLibrary]) {
    let Some(library) = Library::try_get(db) else {
        return;
    };
    let mut places = Vec::new();
    let shipped: Vec<(&str, Cow<'_, str>)> = texts(version.unwrap_or_default().nearest()).collect();
    for file in library.files(db).to_vec() {
        let name = file.path(db).to_owned();
        let there = found.iter().find(|f| f.name == name);
        let ships = shipped.iter().find(|(known, _)| *known == name);
        let text: &str = match (there, ships) {
            (Some(there), _) if !is_released(&name, &there.text) => {
                places.push((SmolStr::new(&name), SmolStr::new(&there.path)));
                &there.text
            }
            (_, Some((_, text))) => text,
            _ => continue,
        };
        if *file.parsed(db).text != *text {
            file.set_parsed(db)
                .with_durability(Durability::HIGH)
                .to(parsed_once(text));
        }
    }
    library
        .set_version(db)
        .with_durability(Durability::HIGH)
        .to(version);
    library
        .set_places(db)
        .with_durability(Durability::HIGH)
        .to(places);
}

#[cfg(test)]
mod tests {
    use super::{TEXTS, Version, texts};

    #[test]
    fn later_versions_have_more() {
        let [old, new] = Version::COMPARED;
        let length = |version| texts(version).map(|(_, text)| text.len()).sum::<usize>();
        assert_eq!(
            length(old),
            TEXTS.iter().map(|(_, text)| text.len()).sum::<usize>()
        );
        assert!(texts(new).any(|(_, text)| text.contains("subseq(")));
        assert!(length(new) > length(old));
    }
}
