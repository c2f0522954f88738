//! The parts of a program that `term_expansion/2,4` and `goal_expansion/2,4` may change. Hooks are never run, so these parts are not
//! trusted as written.
//!
//! ```prolog
//! term_expansion(rows(N), Clauses) :- findall(row(I), between(1, N, I), Clauses).   % facts of rows/1, and any clauses of row/1
//! goal_expansion(twice(G), (G, G)).                                                % clauses that call twice/1
//! ```
//!
//! A hook succeeds only for instances of its first argument. A hook with a principal functor in this argument, or whose body determines
//! one, therefore affects only terms with that functor (see `TermForm`). Hooks of a module apply to the files of the module; hooks of
//! `user` and `system`, and of files without a module, apply to all files that are loaded together with them.

pub mod arithmetic;
mod chr;
pub(super) mod clpfd;
pub(super) mod dicts;
pub(super) mod lambdas;
pub(super) mod macros;
mod names_made;
pub(super) mod rdf_meta;

pub use self::clpfd::CONSTRAINS;
pub use self::macros::PERHAPS_ENTERED;
pub use self::rdf_meta::is_translated;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_catalog::is_fixed;
use costlens_syntax::ReadClause;
use costlens_syntax::term::{TermId, Terms};
use smol_str::{SmolStr, format_smolstr};

use self::names_made::{add_names, may_direct, names_reached};
use crate::calls::callees;
use crate::definitions::{
    Guard, Hook, Predicate, RECORD_LIBRARY, TermForm, Unexpanded, WholeTerm, chooses_dialect,
    clauses_in_order, expanded_terms, find_written, form_of, hooks_of,
};
use crate::directives::loads;
use crate::language::{
    Clause, EXPANSION_HOOKS, Functor, directive, in_order, is_expansion_hook, split,
};
use crate::loading::{home_module, is_home, loaded_with, unit};
use crate::names::{Reach, inherits, reach_written, refused};
use crate::workspace::{Db, Role, SourceFile, installed_as, is_installed, terms};

/// Libraries of SWI-Prolog with hooks whose form does not show which goals they change.
const KNOWN: [&str; 8] = [
    // Affects only the text between `:- begin_tests` and `:- end_tests`, where a test runs as a clause.
    "plunit",
    // `swipl -O` removes `debug/3` and `assertion/1`; this hook ignores that mode.
    "debug",
    // A lambda expression becomes a predicate with one clause, and its calls are counted this way in any case.
    "yall",
    // See the submodule `macros`.
    macros::LIBRARY,
    // Its declarations generate the predicates of `definitions::records`.
    RECORD_LIBRARY,
    // Affects only expressions with functions defined by the program: see the submodule `arithmetic`.
    "arithmetic",
    // Affects only files with constraint handling rules.
    chr::LIBRARY,
    // Affects only clauses and calls of predicates that an `rdf_meta` declaration names: see the submodule `rdf_meta`.
    rdf_meta::LIBRARY,
];

/// The words between a hook and its library, in descriptions.
const OF_LIBRARY: &str = " of `library(";

/// The terms and goals that the hooks of a file may change, each with a description of the hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Touched {
    /// All clauses.
    everything: Option<SmolStr>,
    /// All goals.
    goals: Option<SmolStr>,
    /// Clauses of these predicates.
    heads: BTreeMap<Functor, SmolStr>,
    /// Goals of these predicates.
    calls: BTreeMap<Functor, SmolStr>,
    /// Clauses and goals of predicates of these names.
    names: BTreeMap<SmolStr, SmolStr>,
    /// True if calls of `maplist` may be compiled to separate loop predicates.
    has_macros: bool,
    /// True if lambda expressions may be compiled to separate predicates.
    has_lambdas: bool,
    /// True if constraints on integers are compiled to arithmetic.
    has_constraints: bool,
    /// True if `rdf_meta` declarations may translate arguments.
    has_declarations: bool,
    /// The assumptions on which the rest depends.
    assumed: BTreeSet<Unexpanded>,
}

/// Returns the assumptions about hooks on which the bounds of a file's predicates depend.
#[must_use]
pub fn unexpanded(db: &dyn Db, file: SourceFile) -> &BTreeSet<Unexpanded> {
    &touched(db, file).assumed
}

/// Returns a description of the hook that may have changed the written clauses of a predicate: "`goal_expansion/2` (clause 2,
/// `macros.pl`)".
pub fn expanded_by<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    (hook_of(db, predicate)).or_else(|| expanded_by_library(db, predicate))
}

/// Returns a description of the library's expansion that may have changed the written clauses of a predicate, in a way that is not followed.
pub fn expanded_by_library<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
) -> Option<&'db SmolStr> {
    (rdf_meta::expanded(db, predicate))
        .or_else(|| clpfd::expanded(db, predicate))
        .or_else(|| arithmetic::expanded(db, predicate))
        .or_else(|| macros::unrolled(db, predicate))
        .or_else(|| lambdas::compiled(db, predicate))
        .or_else(|| dicts::functional(db, predicate))
}

/// Returns true if a hook that applies to a file may change the file's calls of a predicate, or define that predicate.
#[must_use]
pub fn may_be_expanded(db: &dyn Db, file: SourceFile, called: &Functor) -> bool {
    expanded_in(db, file, called, std::slice::from_ref(called)).is_some()
        || rdf_meta::is_declared(db, file, called)
}

/// Returns the clauses of a predicate after the supported expansions. Returns `None` if the expansions change nothing.
pub(super) fn expanded_clauses<'db>(
    db: &'db dyn Db,
    predicate: Predicate<'db>,
) -> Option<Arc<[Clause]>> {
    clpfd::clauses(db, predicate)
        .or_else(|| dicts::clauses(db, predicate))
        .or_else(|| rdf_meta::clauses(db, predicate))
}

/// Returns the clauses from which the call pattern of a predicate is guessed. Supported expansions are applied, and the arguments of each
/// term precede the term in the arena.
#[must_use]
pub fn telling_clauses<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Arc<[Clause]> {
    match expanded_clauses(db, predicate) {
        Some(clauses) => clauses.iter().cloned().map(in_order).collect(),
        None => clauses_in_order(db, predicate),
    }
}

fn hook_of<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    let file = predicate.file(db);
    if file.role(db) == Role::Library {
        return None;
    }
    // The calls are queried only if hooks may change goals: for most predicates, only the predicate's name matters.
    let touched = touched(db, file);
    let calls = match touched.has_goals() {
        true => callees(db, predicate),
        false => &[][..],
    };
    let functor = predicate.functor(db);
    match clpfd::is_followed_in(db, predicate) {
        true => expanded_in(db, file, functor, &clpfd::called_after_expansion(calls)),
        false => expanded_in(db, file, functor, calls),
    }
}

/// Returns whether a predicate's clauses may be changed only by hooks of the program whose terms are not known, so that these may also leave
/// the clauses as they are.
///
/// ```prolog
/// goal_expansion(G, H) :- is_to_expand(G), expand(G, H).      % any goal, if it is not known what is_to_expand/1 accepts
/// goal_expansion(twice(G), (G, G)).                           % goals of twice/1
/// ```
#[must_use]
pub fn is_perhaps_expanded<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let file = predicate.file(db);
    let touched = touched(db, file);
    let functor = predicate.functor(db);
    let is_of_program = |hook: &SmolStr| *hook != *chr::HOOK && !hook.contains(OF_LIBRARY);
    let is_taken = |name: &Functor| touched.takes(name);
    let takes_call = |c: &Functor| {
        is_taken(c) || touched.calls.contains_key(c) || split(c).is_some_and(|(_, c)| is_taken(&c))
    };
    hook_of(db, predicate).is_some_and(is_of_program)
        && !is_taken(functor)
        && !callees(db, predicate).iter().any(takes_call)
}

/// Returns advice on a predicate that the given hook may have changed.
#[must_use]
pub fn advice(hook: &SmolStr) -> &'static str {
    match hook {
        hook if *hook == dicts::NOTATION => {
            "Call `get_dict/3` and `put_dict/4`, and predicates by their names."
        }
        hook if *hook == dicts::QUASI => {
            "Move the quasi-quotation into an argument of a goal of the body: `X = {|html||<p>|}`."
        }
        hook if *hook == lambdas::HOOK => {
            "Name the variables that the lambda expression shares: `{K}/[X,Y]>>(Y is X+K)`."
        }
        // Users of a library cannot change it.
        hook if hook.contains(OF_LIBRARY) => {
            "Write what it gives, or state what the predicate costs in a `trust` assertion."
        }
        _ => {
            "Give the expansion's first argument the form of the terms that it is meant for, or write what it gives."
        }
    }
}

/// Returns the hook that may have changed the clauses of a predicate in one file, given their calls.
pub(super) fn expanded_in<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
    called: &[Functor],
) -> Option<&'db SmolStr> {
    let touched = touched(db, file);
    let of_head = (touched.everything.as_ref())
        .or_else(|| touched.heads.get(functor))
        .or_else(|| touched.names.get(&functor.name));
    if of_head.is_some() || !touched.has_goals() {
        return of_head;
    }
    let mut called = called.iter();
    // A predicate generated by a hook may replace the predicate that this name would otherwise reach.
    called.find_map(|c| {
        // A fixed predicate cannot be defined.
        let by_any_arity = |c: &Functor| match is_fixed(&c.name, c.arity) {
            true => None,
            false => touched.names.get(&c.name),
        };
        let by_name = |c: &Functor| {
            (touched.calls.get(c))
                .or_else(|| touched.heads.get(c))
                .or_else(|| by_any_arity(c))
        };
        let plain = || by_name(&split(c)?.1);
        (touched.goals.as_ref())
            .or_else(|| by_name(c))
            .or_else(plain)
    })
}

/// *Invalidated* by every edit if hooks apply to the file, though the result is usually equal; otherwise by directives.
#[salsa::tracked(returns(ref))]
fn touched(db: &dyn Db, file: SourceFile) -> Touched {
    let mut touched = Touched::default();
    let (own, libraries) = reaching(db, file);
    for (home, hook) in own {
        touched.add(db, file, home, hook);
    }
    if libraries.contains(&chr::LIBRARY) {
        let is_made = touched.heads.keys().any(chr::is_own_term);
        if is_made || chr::has_rules(db, file) {
            touched.everything.get_or_insert(chr::HOOK.clone());
        }
    }
    if libraries.contains(&rdf_meta::LIBRARY) {
        touched.has_declarations = true;
        if rdf_meta::is_unreadable(db, file) {
            touched.everything.get_or_insert(rdf_meta::TERMS.clone());
        }
    }
    if libraries.contains(&clpfd::LIBRARY) {
        touched.has_constraints = true;
        for name in clpfd::GOALS {
            let calls = touched.calls.entry(Functor::new(name, 2));
            calls.or_insert(clpfd::HOOK.clone());
        }
    }
    touched.has_macros = libraries.contains(&macros::LIBRARY);
    touched.has_lambdas = lambdas::reach(db, file);
    touched
}

/// The terms in a file that a hook takes as input.
struct ReadByHook {
    /// True if the hook matches a term.
    matched: bool,
    /// True if all matching terms are directives.
    directives_only: bool,
    /// The names in these terms.
    names: BTreeSet<SmolStr>,
    /// The names of their predicates; for directives, all names.
    heads: BTreeSet<SmolStr>,
}

impl Touched {
    /// Returns whether a hook is known to take clauses of a predicate.
    fn takes(&self, predicate: &Functor) -> bool {
        self.heads.contains_key(predicate) || self.names.contains_key(&predicate.name)
    }

    /// Returns whether the calls of a clause determine whether hooks affect it.
    fn has_goals(&self) -> bool {
        self.goals.is_some()
            || !(self.calls.is_empty() && self.heads.is_empty() && self.names.is_empty())
    }

    /// Adds the goals or clauses that a hook may expand.
    fn add(&mut self, db: &dyn Db, file: SourceFile, home: SourceFile, hook: &Hook) {
        let words = || match installed_as(db, home) {
            Some(library) => format_smolstr!("`{}`{OF_LIBRARY}{library})`", hook.of),
            None => format_smolstr!(
                "`{}` (clause {}, `{}`)",
                hook.of,
                hook.number,
                home.path(db)
            ),
        };
        // `known(G)` in `goal_expansion(G, H) :- known(G), …` raises an error where SWI-Prolog does not keep the clauses of known/1.
        let is_kept = |of: &Functor| !refused(db, home, of);
        let keys = hook.keys.as_ref();
        let Some(keys) = keys.filter(|_| hook.asked.iter().all(is_kept)) else {
            self.add_unknown(db, file, home, hook, &words);
            return;
        };
        if hook.is_of_grammar {
            if reads_any(db, file, keys) {
                self.assumed.insert(Unexpanded::TranslatesGrammar(words()));
            }
            return;
        }
        if !hook.is_of_terms {
            for functor in keys.iter().filter_map(TermForm::principal) {
                self.calls.entry(functor).or_insert_with(words);
            }
            return;
        }
        let is_always_read = keys.iter().any(TermForm::is_always_read);
        let read = self.add_read(db, file, keys, &words);
        let directives_only = !is_always_read && read.directives_only;
        let known = known_heads(hook);
        if !is_always_read && !read.matched {
            // The hooks that are made of a term in another file apply to this file as well.
            let mut others = loaded_with(db, file).into_iter();
            if makes_hooks(db, home, hook, known.as_deref())
                && others.any(|other| reads_any(db, other, keys))
            {
                self.everything.get_or_insert_with(words);
            }
            return;
        }
        if let Some(heads) = known {
            if heads.iter().any(is_expansion_hook) {
                self.everything.get_or_insert_with(words);
            }
            for head in heads {
                self.heads.entry(head).or_insert_with(words);
            }
            return;
        }
        // Declarations for installed libraries (`:- record point(x, y)`) define only predicates with new names.
        if hook.outputs.is_none() && directives_only && is_installed(db, home) {
            return;
        }
        self.add_names_made(db, home, hook, read, &words);
    }

    /// Adds a hook whose input is not known.
    fn add_unknown(
        &mut self,
        db: &dyn Db,
        file: SourceFile,
        home: SourceFile,
        hook: &Hook,
        words: &dyn Fn() -> SmolStr,
    ) {
        if let Some(goal) = &hook.added_by {
            let path = home.path(db).to_string().into();
            (self.assumed).insert(Unexpanded::IsNotAdded(goal.clone(), path));
            return;
        }
        if let Some(guard) = &hook.guard
            && !is_triggered(db, file, guard)
        {
            let path = home.path(db).to_string().into();
            let assumption = Unexpanded::HasNoClauses(guard.of.clone(), path);
            self.assumed.insert(assumption);
            return;
        }
        // An undefined predicate raises an error.
        let is_defined = |of: &Functor| {
            find_written(db, home, of).is_some()
                || matches!(reach_written(db, home, of), Reach::Other(_))
        };
        if let Some(of) = &hook.may_fail_in
            && !refused(db, home, of)
            && is_defined(of)
        {
            self.assumed.insert(Unexpanded::ChangesNothing(words()));
            return;
        }
        let of = match hook.is_of_terms {
            true => &mut self.everything,
            false => &mut self.goals,
        };
        of.get_or_insert_with(words);
    }

    /// Adds the heads of the terms that a term hook takes as input, in a file and in the files that it includes. The expansion of an
    /// included file may produce clauses for this file's predicates.
    fn add_read(
        &mut self,
        db: &dyn Db,
        file: SourceFile,
        keys: &[TermForm],
        words: &dyn Fn() -> SmolStr,
    ) -> ReadByHook {
        let is_own = |m: &str| is_home(db, file, m);
        let mut found = ReadByHook {
            matched: false,
            directives_only: true,
            names: BTreeSet::new(),
            heads: BTreeSet::new(),
        };
        let parts = parts_of_module(db, file);
        let read: Vec<_> = parts.iter().map(|&part| (part, terms(db, part))).collect();
        let expanded = &expanded_terms(db, file).clauses;
        let mut all: Vec<(&Arc<Terms>, TermId, &[WholeTerm])> = Vec::new();
        for (part, read) in &read {
            for (number, read) in read.clauses.iter().enumerate() {
                let given = expanded.get(&number).filter(|_| *part == file);
                let given = given.map_or(&[][..], Vec::as_slice);
                all.push((&read.terms, read.root, given));
                // Includes the results of the file's own hooks.
                all.extend(given.iter().map(|(terms, root)| (terms, *root, &[][..])));
            }
        }
        for (terms, root, given) in all {
            let form = form_of(terms, root, &is_own);
            let Some(form) = form.filter(|form| keys.iter().any(|key| key.fits(form))) else {
                continue;
            };
            found.matched = true;
            // The hook may take the term before the file's own hook does.
            for (terms, root) in given {
                let head = form_of(terms, *root, &is_own).and_then(|form| form.head());
                if let Some(head) = head {
                    self.heads.entry(head).or_insert_with(words);
                }
            }
            found.directives_only &= matches!(form, TermForm::Directive(_));
            // The names in a directive are those in its goal.
            let goal = directive(terms, root);
            add_names(terms, goal.unwrap_or(root), &mut found.names);
            let head = form.head().map(|head| head.name);
            match goal {
                Some(goal) => add_names(terms, goal, &mut found.heads),
                None => found.heads.extend(head),
            }
            if let Some(head) = form.head() {
                self.heads.entry(head).or_insert_with(words);
            }
        }
        found
    }

    /// Adds the names of the clauses that a hook may generate. That it generates no clauses of other names is an assumption if these names are
    /// unknown.
    fn add_names_made(
        &mut self,
        db: &dyn Db,
        home: SourceFile,
        hook: &Hook,
        read: ReadByHook,
        words: &dyn Fn() -> SmolStr,
    ) {
        let reached = names_of_hook(db, home, hook);
        let names: BTreeSet<SmolStr> = match reached {
            Some(reached) => reached.iter().cloned().chain(read.names).collect(),
            None => read.heads,
        };
        let makes_hooks = has_name_of_hook(&names);
        if reached.is_none() {
            self.assumed.insert(Unexpanded::MakesNoOthers(words()));
        } else if may_direct(&names) || makes_hooks {
            self.everything.get_or_insert_with(words);
        }
        for name in names {
            self.names.entry(name).or_insert_with(words);
        }
    }
}

/// Returns the heads of the clauses that a hook makes for its module, if all are known.
fn known_heads(hook: &Hook) -> Option<Vec<Functor>> {
    let heads = hook.outputs.as_ref()?.iter().filter_map(|form| match form {
        TermForm::Elsewhere(..) => None,
        form => Some(form.head()),
    });
    heads.collect()
}

/// Returns whether a hook may make clauses of hooks: `term_expansion(inline, [goal_expansion(area(X), X)])`.
fn makes_hooks(db: &dyn Db, home: SourceFile, hook: &Hook, known: Option<&[Functor]>) -> bool {
    match known {
        Some(heads) => heads.iter().any(is_expansion_hook),
        None => {
            !is_installed(db, home) && names_of_hook(db, home, hook).is_some_and(has_name_of_hook)
        }
    }
}

fn has_name_of_hook(names: &BTreeSet<SmolStr>) -> bool {
    (EXPANSION_HOOKS.iter()).any(|(name, _)| names.contains(*name))
}

/// Returns the names that occur in the clauses that a hook reaches, if these are known.
fn names_of_hook<'db>(
    db: &'db dyn Db,
    home: SourceFile,
    hook: &Hook,
) -> Option<&'db BTreeSet<SmolStr>> {
    let mut reached = names_reached(db, home).iter();
    let reached = reached.find(|(of, n, _)| *of == hook.of && *n == hook.number);
    reached.and_then(|(_, _, reached)| reached.as_ref())
}

/// Returns whether a term that adds clauses to a guard may be read before a file.
fn is_triggered(db: &dyn Db, file: SourceFile, guard: &Guard) -> bool {
    let of_others = || loaded_with(db, file).into_iter();
    reads_any(db, file, &guard.triggers)
        || !guard.is_of_file && of_others().any(|other| reads_any(db, other, &guard.triggers))
}

/// Returns whether one of the terms of a file's module has one of these forms.
fn reads_any(db: &dyn Db, file: SourceFile, forms: &[TermForm]) -> bool {
    let is_own = |m: &str| is_home(db, file, m);
    let is_one = |read: &ReadClause| {
        let form = form_of(&read.terms, read.root, &is_own);
        form.is_some_and(|form| forms.iter().any(|key| key.fits(&form)))
    };
    (parts_of_module(db, file).into_iter()).any(|part| terms(db, part).clauses.iter().any(is_one))
}

/// Returns a file and the files that belong to its module.
fn parts_of_module(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let home = home_module(db, file);
    let same = |f: &SourceFile| home.is_some() && home_module(db, *f) == home;
    let others = unit(db, file).iter().copied().filter(same);
    std::iter::once(file).chain(others).collect()
}

/// Returns whether a hook applies to the terms and goals of a file: those of its own module, and goals that name the hook's module.
fn applies_to(db: &dyn Db, file: SourceFile, hook: &Hook) -> bool {
    let names = |m: &SmolStr| file.parsed(db).text.contains(&format!("{m}:"));
    (hook.module.as_ref()).is_none_or(|m| inherits(db, file, m) || names(m))
}

/// The hooks that apply to a file, with the files that define them; and the libraries whose hooks are modelled.
type Reaching<'db> = (Vec<(SourceFile, &'db Hook)>, Vec<&'static str>);

/// Returns the hooks that apply to a file.
fn reaching(db: &dyn Db, file: SourceFile) -> Reaching<'_> {
    let (mut found, mut libraries) = (Vec::new(), Vec::new());
    // The module's own hooks: in this file, in the files that belong to the module, and imported.
    let mut own = parts_of_module(db, file);
    for (name, arity) in EXPANSION_HOOKS {
        if let Reach::Other(p) = reach_written(db, file, &Functor::new(name, arity))
            && !own.contains(&p.file(db))
        {
            own.push(p.file(db));
        }
    }
    let run = &expanded_terms(db, file).hooks;
    let is_alone = parts_of_module(db, file).len() == 1;
    for &f in &own {
        let is_run = |h: &&Hook| {
            let is_hook = h.is_of_terms && h.of.arity == 2 && h.added_by.is_none();
            f == file && is_alone && is_hook && run.contains(&h.number)
        };
        let applies = |h: &&Hook| !is_run(h) && applies_to(db, file, h);
        found.extend(hooks_of(db, f).iter().filter(applies).map(|h| (f, h)));
    }
    for f in loaded_with(db, file) {
        for load in &loads(db, f).loads {
            let known = KNOWN.iter().find(|name| {
                load.spec.alias.as_deref() == Some("library") && load.spec.path == **name
                    || **name == rdf_meta::LIBRARY && rdf_meta::is_loaded_by(load)
            });
            if let Some(&known) = known
                && !libraries.contains(&known)
            {
                libraries.push(known);
            }
        }
        let known = installed_as(db, f).and_then(|m| KNOWN.iter().find(|name| **name == m));
        if let Some(&known) = known
            && !libraries.contains(&known)
        {
            libraries.push(known);
        }
        let is_followed = clpfd::is_followed(db, f);
        if is_followed {
            libraries.push(clpfd::LIBRARY);
        }
        if !own.contains(&f) && known.is_none() {
            let reaches =
                |h: &&Hook| applies_to(db, file, h) && !(is_followed && h.module.is_none());
            found.extend(hooks_of(db, f).iter().filter(reaches).map(|h| (f, h)));
        }
    }
    // The dialect is that of the file, or of a file that loads it.
    let is_swi = || {
        !chooses_dialect(db, file)
            && !loaded_with(db, file)
                .into_iter()
                .any(|f| chooses_dialect(db, f))
    };
    if found.iter().any(|(_, hook)| hook.dialect.is_some()) && is_swi() {
        found.retain(|(_, hook)| hook.dialect.is_none());
    }
    (found, libraries)
}
