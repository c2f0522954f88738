//! Predicates of `user` that SWI-Prolog itself calls: `portray/1` when it prints a term, `message_hook/3` when it prints a message.

use std::collections::BTreeMap;
use std::sync::Arc;

use costlens_catalog::system_hooks;
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::extensions::given_elsewhere;
use super::find::find_written;
use crate::directives::{Declared, facts};
use crate::language::{Functor, split};
use crate::loading::{USER, home_module, program, roots};
use crate::workspace::{Db, SourceFile, Workspace, is_installed, terms};

/// Returns, for each of these predicates, the files that contain clauses for it or declare it open; the files of libraries count as parts
/// of the system.
///
/// *Invalidated* when a clause of these predicates, a declaration for them, or a file is added or removed.
#[salsa::tracked(returns(ref))]
fn hooked(db: &dyn Db, workspace: Workspace) -> BTreeMap<Functor, Vec<SourceFile>> {
    let mut found: BTreeMap<Functor, Vec<SourceFile>> = BTreeMap::new();
    for &file in workspace.files(db).values() {
        if is_installed(db, file) {
            continue;
        }
        let given = given_elsewhere(db, file);
        let own = home_module(db, file).as_ref();
        for hook in system_hooks() {
            let hook = Functor::new(hook.name, hook.arity);
            // `prolog:message/3`
            let (module, there) = split(&hook).unwrap_or((USER, hook.clone()));
            let has_clauses = || find_written(db, file, &there).is_some();
            let is_declared = || facts(db, file).is_open(&there);
            if own.is_some_and(|own| own == module) && (has_clauses() || is_declared())
                || given.iter().any(|(m, f)| *m == module && *f == there)
            {
                found.entry(hook).or_default().push(file);
            }
        }
    }
    found
}

/// Returns a file that adds clauses to a predicate called by the system, in the programs that contain the given file: clauses whose head may
/// match a call, or clauses that are added at run time.
pub fn hooked_in(
    db: &dyn Db,
    file: SourceFile,
    hook: &Functor,
    may_match: &dyn Fn(&Terms, TermId) -> bool,
) -> Option<SourceFile> {
    let workspace = Workspace::try_get(db)?;
    let by = hooked(db, workspace).get(hook)?;
    by.iter().copied().find(|&other| {
        let is_together = other == file
            || roots(db, file).iter().any(|&root| {
                let program = program(db, root);
                program.stretches.iter().any(|s| s.file == other) || program.later.contains(&other)
            });
        is_together && hooks_here(db, other, hook, may_match)
    })
}

/// Returns whether a file adds clauses to a predicate called by the system: clauses whose head may match a call, or clauses from expansions
/// or added at run time.
pub fn hooks_here(
    db: &dyn Db,
    file: SourceFile,
    hook: &Functor,
    may_match: &dyn Fn(&Terms, TermId) -> bool,
) -> bool {
    let heads = hook_heads(db, file);
    let mut own = heads.iter().filter(|head| head.hook == *hook).peekable();
    let (module, there) = split(hook).unwrap_or((USER, hook.clone()));
    let is_made = || {
        let mut given = given_elsewhere(db, file).iter();
        given.any(|(m, f)| *m == module && *f == there)
    };
    match own.peek() {
        None => is_added_to(db, file, &there) || is_made(),
        Some(_) => {
            is_added_to(db, file, &there) || own.any(|head| may_match(&head.terms, head.head))
        }
    }
}

/// Returns whether a file declares clauses of a hook to be added at run time.
fn is_added_to(db: &dyn Db, file: SourceFile, there: &Functor) -> bool {
    let facts = facts(db, file);
    let mut elsewhere = facts.elsewhere.iter();
    facts.dynamic.contains(there)
        || elsewhere.any(|(declared, _, of)| matches!(declared, Declared::Open(_)) && of == there)
}

/// A clause of a predicate that the system calls.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HookHead {
    hook: Functor,
    terms: Arc<Terms>,
    /// The head, without its module; for a grammar rule, the nonterminal.
    head: TermId,
}

/// Returns the heads of a file's clauses for predicates that the system calls.
///
/// *Invalidated* by every edit; equal as long as these clauses do not change.
#[salsa::tracked(returns(deref))]
fn hook_heads(db: &dyn Db, file: SourceFile) -> Vec<HookHead> {
    let own = home_module(db, file).as_ref();
    let names: FxHashSet<&str> = system_hooks()
        .map(|hook| {
            hook.name
                .rsplit_once(':')
                .map_or(hook.name, |(_, name)| name)
        })
        .collect();
    let mut found = Vec::new();
    for read in &terms(db, file).clauses {
        let terms = &read.terms;
        let Some((module, head, hidden)) = head_of(terms, read.root) else {
            continue;
        };
        let Some(functor) =
            Functor::from_term(terms, head).filter(|f| names.contains(f.name.as_str()))
        else {
            continue;
        };
        let there = Functor::new(functor.name, functor.arity + hidden);
        let hook = match module.as_ref().or(own).map(SmolStr::as_str) {
            Some(USER) | None => there,
            Some(module) => Functor::new(format_smolstr!("{module}:{}", there.name), there.arity),
        };
        found.push(HookHead {
            hook,
            terms: Arc::clone(terms),
            head,
        });
    }
    found
}

/// Returns the module that qualifies a clause's head, the head without it, and the number of arguments that a grammar rule adds.
fn head_of(terms: &Terms, root: TermId) -> Option<(Option<SmolStr>, TermId, usize)> {
    let (mut module, mut hidden, mut at) = (None, 0, root);
    loop {
        let (name, _) = terms.functor(at)?;
        at = match (name.as_str(), terms.args(at)) {
            (":", &[of, inner]) => {
                module = Some(terms.as_atom(of)?.clone());
                inner
            }
            (":-" | "=>", &[head, _]) => head,
            ("-->", &[head, _]) => {
                hidden = 2;
                match terms.matches(head, ",", 2) {
                    Some(&[first, _]) => first,
                    _ => head,
                }
            }
            _ => return Some((module, at, hidden)),
        };
    }
}
