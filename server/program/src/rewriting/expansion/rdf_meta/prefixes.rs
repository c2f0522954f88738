//! The URIs of prefixes.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::directives::{Effects, Scope, file_declarations};
use super::loading_goals::may_start;
use super::loading_order::{FileTerm, is_before, is_library_loaded};
use crate::language::Functor;
use crate::loading::{USER, home_module, loaded_with};
use crate::names::inherits;
use crate::workspace::{Db, SourceFile};

/// The prefixes that the library itself registers (`rdf_db:ns/2`).
const REGISTERED: [(&str, &str); 11] = [
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("eor", "http://dublincore.org/2000/03/13/eor#"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("serql", "http://www.openrdf.org/schema/serql#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("void", "http://rdfs.org/ns/void#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// A prefix in one of the files of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Registration {
    uri: Option<SmolStr>,
    /// The module that sees the prefix; the inner `None` if it is unknown. `None` for a prefix of all modules.
    module: Option<Option<SmolStr>>,
    at: FileTerm,
    certain: bool,
}

/// The prefixes of the files that are loaded with a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Registrations {
    by_prefix: BTreeMap<SmolStr, Vec<Registration>>,
    /// The other effects of goals that may run while the files are loaded.
    effects: Effects,
}

/// Returns the prefixes of the files that are loaded with a file.
///
/// *Invalidated* when a directive changes its position, a file is added or removed, or a directive calls other predicates.
#[salsa::tracked(returns(ref))]
fn registrations(db: &dyn Db, file: SourceFile) -> Registrations {
    let mut result = Registrations::default();
    let mut predicates: FxHashSet<(SourceFile, Functor)> = FxHashSet::default();
    let mut of_clauses = Effects::default();
    let files = loaded_with(db, file);
    for &f in &files {
        let declared = file_declarations(db, f);
        result.effects.add(declared.effects);
        for (functor, effects) in &declared.effects_of_clauses {
            predicates.insert((f, functor.clone()));
            of_clauses.add(*effects);
        }
        for prefix in &declared.prefixes {
            let module = match &prefix.scope {
                Scope::Global => None,
                Scope::Own => Some(home_module(db, f).clone()),
                Scope::Module(module) => Some(Some(module.clone())),
            };
            let all = result.by_prefix.entry(prefix.alias.clone()).or_default();
            all.push(Registration {
                uri: prefix.uri.clone(),
                module,
                at: FileTerm {
                    file: f,
                    place: prefix.place,
                },
                certain: prefix.certain,
            });
        }
    }
    if !predicates.is_empty() && may_start(db, &files, &predicates) {
        result.effects.add(of_clauses);
    }
    result
}

/// Returns the URI of a prefix when a term of a module is loaded. Returns `None` if it may be another one, or if the prefix may not be
/// registered at that time.
pub(super) fn uri<'db>(
    db: &'db dyn Db,
    prefix: &str,
    home: &str,
    at: FileTerm,
) -> Option<&'db str> {
    let registrations = registrations(db, at.file);
    if registrations.effects.replaces {
        return None;
    }
    let all = registrations.by_prefix.get(prefix);
    let all = all.map_or(&[][..], Vec::as_slice);
    let registered = REGISTERED.iter().find(|(known, _)| *known == prefix);
    let registered = registered.map(|(_, uri)| *uri);
    let uri = match registered {
        Some(uri) => uri,
        None => all.first()?.uri.as_deref()?,
    };
    if all.iter().any(|r| r.uri.as_deref() != Some(uri)) {
        return None;
    }
    let is_seen = |r: &Registration| match &r.module {
        // Another goal may have registered the prefix before.
        None => !registrations.effects.registers_others,
        Some(Some(module)) => module == home || module == USER && inherits(db, at.file, USER),
        Some(None) => false,
    };
    let is_known = |r: &Registration| {
        r.certain && is_seen(r) && is_before(db, r.at, at) && is_library_loaded(db, r.at)
    };
    (registered.is_some() || all.iter().any(is_known)).then_some(uri)
}
