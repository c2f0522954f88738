//! Calls of predicates that are defined nowhere.

use std::collections::BTreeMap;

use costlens_program::graph::{why_undefined, why_unreached};
use costlens_program::names::declared_in;
use costlens_program::workspace::is_autoloaded;
use costlens_program::{Functor, SourceFile, expanded_by, find, resolve};

use super::{Diagnostic, Severity, rules};
use crate::db::Db;
use crate::navigate::names::{Name, Role, names};
use crate::present::indicator;

/// Clauses that ask whether a predicate is there call it only if it is.
const ASKING: [&str; 4] = [
    "current_predicate",
    "predicate_property",
    "catch",
    "catch_with_backtrace",
];

/// Nothing is reported where the library is not known, or a file that may define the predicate was not found.
pub(super) fn problems(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let names = names(db, file);
    let mut known: BTreeMap<&Functor, bool> = BTreeMap::new();
    let mut found = Vec::new();
    for name in names.iter().filter(|name| name.role == Role::Call) {
        let is_undefined = *known
            .entry(&name.functor)
            .or_insert_with(|| is_undefined(db, file, &name.functor));
        if is_undefined && !is_asked_for(&names, name) && !is_expanded(db, file, name) {
            found.push(Diagnostic {
                range: name.range.clone(),
                severity: Severity::Warning,
                rule: &rules::UNDEFINED,
                message: message(&name.functor),
                related: Vec::new(),
            });
        }
    }
    found
}

fn message(functor: &Functor) -> String {
    format!(
        "`{}` is defined nowhere: define it, or import it with `use_module/1`",
        indicator(functor)
    )
}

fn is_undefined(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    is_autoloaded(db, functor) == Some(false)
        && !functor.name.contains(':')
        && resolve(db, file, functor).is_none()
        && costlens_catalog::find(&functor.name, functor.arity).is_none()
        && declared_in(db, file, functor).is_none()
        && why_unreached(db, file, functor).is_none()
        && why_undefined(db, file, functor).is_none()
}

/// True where the same clause asks whether predicates are there.
fn is_asked_for(names: &[Name], of: &Name) -> bool {
    names
        .iter()
        .any(|name| name.clause == of.clause && ASKING.contains(&name.functor.name.as_str()))
}

/// True where what runs may not be what is written.
fn is_expanded(db: &dyn Db, file: SourceFile, name: &Name) -> bool {
    let owner = name.owner.as_ref().and_then(|owner| find(db, file, owner));
    owner.is_some_and(|owner| expanded_by(db, owner).is_some())
}
