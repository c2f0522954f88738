//! Loads a program on the embedded machine, and determines why a program must not be run.

use std::sync::{Arc, LazyLock};

use costlens_catalog::{Effect, is_locked, named_effect};
use costlens_machine::generate::Vocabulary;
use costlens_machine::{Limits, Machine};
use costlens_program::calls::opened;
use costlens_program::definitions::gathered_from;
use costlens_program::language::directive;
use costlens_program::positions::positions;
use costlens_program::workspace::terms;
use costlens_program::{
    Clause, ClauseKind, Functor, Opened, Resolved, SourceFile, callees, find, is_translated,
    resolve,
};
use costlens_syntax::FileTerms;
use costlens_syntax::term::{QUASI_QUOTATION, Terms};
use smol_str::SmolStr;
use std::collections::BTreeSet;

use super::Effort;
use super::reached::{LAMBDA, ReachedCode, reached};
use crate::db::Db;

/// The maximum length in bytes of a file that is loaded for a hover.
const MOST_AT_A_GLANCE: usize = 50_000;
/// The maximum length in bytes of a file that is loaded for an explicit request.
const MOST: usize = 2_000_000;

/// The clauses of a file, loaded on a machine that counts steps.
pub(super) struct MachineProgram {
    /// The machine, forked for each run.
    pub(super) machine: Machine,
    pub(super) vocabulary: Vocabulary,
    /// True if a run may change the machine's state, so that each run needs a new machine.
    pub(super) changes: bool,
}

impl MachineProgram {
    /// Loads the clauses of a text without running directives.
    pub(super) fn load(text: &str, read: &FileTerms) -> Self {
        let mut machine = Machine::counting(Limits {
            steps: Some(0),
            ..limits(Effort::Thorough)
        });
        // Clauses that cannot be loaded are skipped. The clauses were parsed with the operators of the entire program.
        let whole = [(0, 0..read.clauses.len())];
        let _ = machine.load_clauses_in_order(&[(text, read)], &whole);
        // Changes of state survive backtracking.
        let changes = |terms: &Terms| {
            let mut named = terms.ids().filter_map(|id| terms.functor(id));
            named.any(|(name, _)| named_effect(name) == Some(Effect::State))
        };
        Self {
            machine,
            vocabulary: Vocabulary::of_file(read),
            changes: read.clauses.iter().any(|c| changes(&c.terms)),
        }
    }
}

/// Library predicates whose steps the machine does not count.
static UNCOUNTED: LazyLock<BTreeSet<Functor>> = LazyLock::new(|| {
    let machine = Machine::counting(limits(Effort::Glance));
    let all = machine.uncounted();
    all.map(|(name, arity)| Functor::new(name, arity)).collect()
});

/// A [`MachineProgram`] as a query result, equal only to itself.
#[derive(Clone)]
pub(super) struct Loaded(Arc<MachineProgram>);

impl PartialEq for Loaded {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Loaded {}

impl std::ops::Deref for Loaded {
    type Target = MachineProgram;

    fn deref(&self) -> &MachineProgram {
        &self.0
    }
}

/// Returns the limits for one run.
pub(super) fn limits(effort: Effort) -> Limits {
    let (steps, cells) = match effort {
        Effort::Glance => (2_000, 1 << 18),
        Effort::Thorough => (50_000, 1 << 22),
    };
    Limits {
        steps: Some(steps),
        // In addition to the cells of the library and the program.
        cells: cells + (1 << 20),
        output: 1 << 16,
    }
}

/// Loads a file on a machine. *Invalidated* by every edit of the file. Two programs are cached, at a few megabytes each.
#[salsa::tracked(returns(clone), no_eq, lru = 2)]
pub(super) fn loaded(db: &dyn Db, file: SourceFile) -> Loaded {
    let text = &file.parsed(db).text;
    Loaded(Arc::new(MachineProgram::load(text, &terms(db, file))))
}

/// Returns the clauses that a call may run, and all directives, as text. The text stays equal while they are unchanged.
pub(super) fn text_reached(db: &dyn Db, file: SourceFile, functor: &Functor) -> Arc<str> {
    let reached = reached(db, &[file], functor).predicates.into_iter();
    let reached: BTreeSet<Functor> = reached.map(|(_, f)| f).collect();
    let positions = positions(db, file);
    let clauses = positions.iter().filter(|p| reached.contains(&p.functor));
    let mut ranges: Vec<(usize, usize)> = clauses
        .flat_map(|p| p.clauses.iter().map(|c| c.range))
        .collect();
    let read = terms(db, file);
    let directives = read
        .clauses
        .iter()
        .filter(|c| directive(&c.terms, c.root).is_some());
    ranges.extend(directives.map(|c| c.range));
    ranges.sort_unstable();
    let text = &file.parsed(db).text;
    let parts = ranges
        .into_iter()
        .filter_map(|(from, to)| text.get(from..to));
    let mut all = String::new();
    parts.for_each(|part| {
        all.push_str(part);
        all.push('\n');
    });
    all.into()
}

/// Returns the reason why a predicate must not be run to count its steps. Returns `None` if it may be run.
pub(super) fn refused(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    effort: Effort,
) -> Option<String> {
    refused_for_answers(db, file, functor, effort)
        .or_else(|| uncounted(db, &[file], &reached(db, &[file], functor)))
}

/// Returns the reason why runs are not comparable with bounds even if every file of the program is loaded, and separately the reason why only
/// the counts are not comparable.
pub(crate) fn not_comparable(
    db: &dyn Db,
    files: &[SourceFile],
    functor: &Functor,
) -> (Option<String>, Option<String>) {
    let reached = reached(db, files, functor);
    let runs = runs_otherwise(db, &reached).or_else(|| otherwise_defined(db, &reached));
    (runs, uncounted(db, files, &reached))
}

/// Returns the reason why the machine counts steps differently from bounds: lambda expressions, or libraries whose steps it does not count.
fn uncounted(db: &dyn Db, files: &[SourceFile], reached: &ReachedCode) -> Option<String> {
    let name = match reached.has_lambda {
        true => LAMBDA.to_owned(),
        false => reached.calls_any(db, files, &UNCOUNTED)?.to_string(),
    };
    Some(format!("the machine does not count `{name}` as bounds do"))
}

/// Returns the reason why the program runs differently on the machine: dicts and prefixes of URIs, which the machine lacks, or single-sided
/// unification rules, which it counts differently.
fn runs_otherwise(db: &dyn Db, reached: &ReachedCode) -> Option<String> {
    if reached.has_dicts {
        return Some("the machine has no dicts".to_owned());
    }
    let is_abbreviated = |(file, f): &(SourceFile, Functor)| {
        find(db, *file, f).is_some_and(|predicate| is_translated(db, predicate))
    };
    if reached.predicates.iter().any(is_abbreviated) {
        return Some("the machine does not expand prefixes of URIs".to_owned());
    }
    let written = (reached.predicates.iter()).filter_map(|(file, f)| find(db, *file, f));
    let mut clauses = written.flat_map(|p| p.clauses(db).iter());
    let is_quasi_quotation = |c: &Clause| {
        let mut atoms = c.terms.ids().filter_map(|id| c.terms.as_atom(id));
        atoms.any(|a| a == QUASI_QUOTATION)
    };
    if { clauses.clone() }.any(is_quasi_quotation) {
        return Some("syntaxes of quasi-quotations are not run".to_owned());
    }
    clauses
        .any(|c| c.kind == ClauseKind::SingleSided)
        .then(|| "the machine counts a single-sided rule before its guard".to_owned())
}

/// Returns the reason why a predicate does not run as its clauses state: it is tabled, or it belongs to the system.
fn otherwise_defined(db: &dyn Db, reached: &ReachedCode) -> Option<String> {
    let is_tabled = |(file, f): &&(SourceFile, Functor)| {
        opened(db, *file, f).is_some_and(|(_, how)| how == Opened::Tabled)
    };
    if let Some((_, f)) = reached.predicates.iter().find(is_tabled) {
        return Some(format!("`{}/{}` is tabled", f.name, f.arity));
    }
    let own = |(_, f): &&(SourceFile, Functor)| is_locked(&f.name, f.arity);
    (reached.predicates.iter().find(own)).map(|(_, f)| {
        format!(
            "`{}/{}` is a predicate of the system that the file cannot define",
            f.name, f.arity
        )
    })
}

/// Returns the reason why a predicate must not be run at all, not even for its answers.
pub(super) fn refused_for_answers(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    effort: Effort,
) -> Option<String> {
    let most = match effort {
        Effort::Glance => MOST_AT_A_GLANCE,
        Effort::Thorough => MOST,
    };
    if file.parsed(db).text.len() > most {
        return Some("the file is too long".to_owned());
    }
    let conditional = (terms(db, file).clauses.iter()).any(|c| {
        let directive = c.terms.matches(c.root, ":-", 1).and_then(|d| d.first());
        directive.is_some_and(|&d| c.terms.matches(d, "if", 1).is_some())
    });
    if conditional {
        return Some("which clauses there are depends on `:- if`".to_owned());
    }
    let reached = reached(db, &[file], functor);
    if let Some(why) = runs_otherwise(db, &reached) {
        return Some(why);
    }
    let own = reached.predicates.iter().map(|(_, f)| f);
    let beyond = called_by_reached(db, file, &reached);
    let several = { own.clone() }
        .chain(&beyond)
        .find(|f| !gathered_from(db, file, f).is_empty())
        .cloned();
    if let Some(functor) = several {
        return Some(format!(
            "`{functor}` has clauses in other files, which the machine does not load"
        ));
    }
    let elsewhere = |functor: &&Functor| match resolve(db, file, functor) {
        Some(Resolved::Other(_)) => true,
        Some(Resolved::Own(_) | Resolved::Library(_)) | None => false,
    };
    let called = { own }
        .filter_map(|f| find(db, file, f))
        .flat_map(|p| callees(db, p));
    if let Some(functor) = { called }.find(elsewhere) {
        return Some(format!(
            "`{functor}` stands in another file, which the machine does not load"
        ));
    }
    // Output has no effect on the machine. Still, a hover runs only pure code, because the user did not request a run.
    if effort == Effort::Glance
        && let Some(name) = &reached.effect
    {
        return Some(format!("`{name}` may have an effect"));
    }
    otherwise_defined(db, &reached)
}

/// Returns the name of a built-in with a side effect that a call may run: a built-in that writes, or changes more than bindings. `append/3`
/// is distinguished from `append/1`, which opens a file, and writing to a term (`format(atom(A), …)`) is not a side effect. If all goals
/// appear as goals in the text, atoms in terms are ignored: `state(open)` opens nothing.
pub(crate) fn effect_of(db: &dyn Db, files: &[SourceFile], functor: &Functor) -> Option<SmolStr> {
    reached(db, files, functor).effect
}

/// Returns the callees of the reached predicates.
fn called_by_reached(db: &dyn Db, file: SourceFile, reached: &ReachedCode) -> BTreeSet<Functor> {
    let all = (reached.predicates.iter()).filter_map(|(_, f)| find(db, file, f));
    all.flat_map(|p| callees(db, p)).cloned().collect()
}
