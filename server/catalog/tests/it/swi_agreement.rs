//! Checks the catalogue against an installed SWI-Prolog: the existence of each predicate, its implementation language, its
//! `meta_predicate/1` declaration, and whether clauses for it are rejected. Conversely, every public built-in of SWI-Prolog must be in the
//! catalogue.
//!
//! Without `swipl` the tests print a note and do nothing, unless `CI` is set.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use costlens_catalog::{Home, Language, SystemPredicate, find, is_fixed, system_predicates};

use crate::swi;

/// SWI-Prolog's output for a predicate: words that describe it, and its meta-arguments.
#[derive(Debug)]
struct Said {
    words: Vec<String>,
    meta: String,
}

impl Said {
    fn is(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }
}

/// SWI-Prolog's output by name and arity; `None` if SWI-Prolog is not installed.
static SAID: LazyLock<Option<BTreeMap<(String, usize), Said>>> = LazyLock::new(ask);

fn ask() -> Option<BTreeMap<(String, usize), Said>> {
    let rows: String = system_predicates().iter().map(row).collect();
    let text = swi::printed("properties.pl", &rows)?;
    let said = text.lines().map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[name, arity, words, meta] = columns.as_slice() else {
            panic!("{line}");
        };
        let words = words.split(' ').map(str::to_owned).collect();
        let meta = meta.to_owned();
        (
            (name.to_owned(), arity.parse().unwrap()),
            Said { words, meta },
        )
    });
    Some(said.collect())
}

/// Formats `row('lists', 'append', 3).`
fn row(p: &SystemPredicate) -> String {
    let home = swi::home(p.home);
    let name = p.name.replace('\\', "\\\\").replace('\'', "\\'");
    format!("row('{home}', '{name}', {}).\n", p.arity)
}

/// Returns all predicates, each with SWI-Prolog's output.
fn compared() -> impl Iterator<Item = (&'static SystemPredicate, &'static Said)> {
    let said = SAID.as_ref();
    (system_predicates().iter())
        .filter_map(move |p| Some((p, &said?[&(p.name.to_owned(), p.arity)])))
}

/// Fails with the whole list unless it is empty.
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_predicate_is_there() {
    let mut wrong = Vec::new();
    for (p, said) in compared() {
        let expected = match p.home {
            // The reader turns `(|)/2` in bodies into `;`, and module/2 is a declaration at the beginning of a file.
            Home::System if matches!((p.name, p.arity), ("|" | "module", 2)) => continue,
            Home::System => "built_in",
            Home::Library(_) => "exported",
            Home::User => continue,
        };
        // `:/2` and the internal predicates of tries exist without the property `built_in`.
        let there = said.is(expected) || p.home == Home::System && said.is("defined");
        if there == p.newer {
            wrong.push(format!(
                "{}/{} is not {expected}: {said:?}",
                p.name, p.arity
            ));
        }
    }
    none(&wrong);
}

#[test]
fn every_public_built_in_is_in_the_catalogue() {
    let Some(said) = SAID.as_ref() else { return };
    let missing = said.iter().filter(|(_, said)| said.is("built_in"));
    let missing = missing.filter(|((name, arity), _)| find(name, *arity).is_none());
    none(
        &missing
            .map(|((n, a), _)| format!("{n}/{a}"))
            .collect::<Vec<_>>(),
    );
    assert!(said.values().filter(|s| s.is("built_in")).count() > 600);
}

#[test]
fn predicates_are_in_c_or_in_prolog() {
    let mut wrong = Vec::new();
    for (p, said) in compared().filter(|(p, said)| !p.newer && said.is("defined")) {
        let c = p.language == Some(Language::C);
        if p.language.is_some() && c != said.is("foreign") {
            wrong.push(format!(
                "{}/{}: {:?}, {said:?}",
                p.name, p.arity, p.language
            ));
        }
    }
    none(&wrong);
}

#[test]
fn meta_arguments_are_those_that_are_declared() {
    let mut wrong = Vec::new();
    for (p, said) in compared().filter(|(p, said)| !p.newer && said.is("defined")) {
        // In SWI-Prolog's output, grammar bodies are `/`, and arguments that are neither called nor module-sensitive are `?`.
        let special = |c: char| if "0123456789^/:".contains(c) { c } else { '?' };
        let declared: String = said.meta.chars().map(special).collect();
        let declared = if declared.contains(|c| c != '?') {
            declared
        } else {
            String::new()
        };
        if declared != p.meta {
            wrong.push(format!(
                "{}/{}: `{}`, declared `{declared}`",
                p.name, p.arity, p.meta
            ));
        }
    }
    none(&wrong);
}

#[test]
fn clauses_are_refused_for_locked_predicates_and_no_others() {
    let mut wrong = Vec::new();
    for (p, said) in compared() {
        if p.locked != said.is("refused") {
            wrong.push(format!(
                "{}/{}: locked {}, {said:?}",
                p.name, p.arity, p.locked
            ));
        }
        // SWI-Prolog has the property `iso` for locked predicates.
        if p.locked != said.is("iso") {
            wrong.push(format!("{}/{} and the property iso", p.name, p.arity));
        }
    }
    none(&wrong);
}

#[test]
fn clauses_for_fixed_predicates_are_never_run() {
    let mut wrong = Vec::new();
    for (p, said) in compared().filter(|(p, _)| p.control.is_some()) {
        if !is_fixed(p.name, p.arity) || said.is("own") {
            wrong.push(format!("{}/{}: {said:?}", p.name, p.arity));
        }
    }
    none(&wrong);
}

#[test]
fn predicates_that_do_the_same_in_every_module_do_not_see_the_module_of_their_caller() {
    let mut wrong = Vec::new();
    for (p, said) in compared().filter(|(p, _)| p.ignores_module) {
        if said.is("transparent") || !p.meta.is_empty() {
            wrong.push(format!("{}/{}: {said:?}", p.name, p.arity));
        }
    }
    none(&wrong);
}
