//! Finds predicates whose written clauses do not determine how a call runs, with advice for the user.

use std::borrow::Cow;

use costlens_catalog::{is_fixed, is_locked};
use costlens_infer::WhyOpen;
use costlens_infer::report::{self, Claim, ParameterAssumption, Subject};
use costlens_program::calls;
use costlens_program::definitions;
use costlens_program::definitions::Changed;
use costlens_program::graph;
use costlens_program::graph::{Spoilt, spoilt};
use costlens_program::names;
use costlens_program::rewriting;
use costlens_program::workspace::{self, is_installed};
use costlens_program::{
    Functor, Opened, Predicate, Role, SourceFile, advice, expanded_by, expanded_by_library, facts,
    find, is_perhaps_expanded,
};
use smol_str::SmolStr;

use crate::db::Db;

/// Returns whether clauses outside the file may run, or those of the file may run in an unusual way.
pub(crate) fn is_open(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    why_open(db, predicate).is_some()
}

/// Returns the reason why a predicate's clauses do not determine how a call runs.
pub(crate) fn why_open(db: &dyn Db, predicate: Predicate<'_>) -> Option<WhyOpen> {
    openness(db, predicate, false).err()
}

/// Returns the reason why a predicate's clauses are not all known. With `may_change`, clauses may be added and removed at run time.
pub(crate) fn why_open_beside(
    db: &dyn Db,
    predicate: Predicate<'_>,
    may_change: bool,
) -> Option<WhyOpen> {
    openness(db, predicate, may_change).err()
}

/// Returns the assumptions under which a predicate's clauses determine how a call runs.
pub(crate) fn assumed(db: &dyn Db, predicate: Predicate<'_>) -> Vec<ParameterAssumption> {
    openness(db, predicate, false).unwrap_or_default()
}

/// Returns the assumptions under which a predicate's clauses determine how a call runs, or the reason why none would do.
fn openness(
    db: &dyn Db,
    predicate: Predicate<'_>,
    may_change: bool,
) -> Result<Vec<ParameterAssumption>, WhyOpen> {
    let functor = predicate.functor(db);
    let file = predicate.file(db);
    if is_locked(&functor.name, functor.arity) {
        // `redefine_system_predicate/1` unlocks the predicate.
        let altered = calls::altered(db, predicate).as_ref();
        let altered = altered.map(|by| altered_by(db, file, by));
        return Err(altered.unwrap_or_else(|| fixed(LOCKED.0, LOCKED.1)));
    }
    if is_fixed(&functor.name, functor.arity) {
        return Err(fixed(NEVER_RUN.0, NEVER_RUN.1));
    }
    let mut assumed = Vec::new();
    // Users of a library see its cost as a parameter, rather than what its code would have to fulfil.
    let may_assume = !may_change && file.role(db) == Role::User && !is_installed(db, file);
    if let Some(why) = why_of_its_file(db, predicate, may_change) {
        return Err(why);
    }
    if let Some(why) = why_of_other_files(db, predicate) {
        if !may_assume || why.reason != MULTIFILE.0 || predicate.clauses(db).is_empty() {
            return Err(why);
        }
        assumed.push(ParameterAssumption {
            claim: Claim::NoOtherClauses,
            of: Subject::Predicate(file, functor.clone()),
        });
    }
    let by_library = expanded_by_library(db, predicate);
    let by_program = || expanded_by(db, predicate);
    if may_assume && by_library.is_none() && is_perhaps_expanded(db, predicate) {
        assumed.push(ParameterAssumption {
            claim: Claim::AsWritten,
            of: Subject::Predicate(file, functor.clone()),
        });
    } else if let Some(hook) = by_library.or_else(by_program) {
        return Err(WhyOpen {
            reason: Cow::Owned(format!(
                "it may be expanded by {hook}: what runs may not be what is written"
            )),
            help: Cow::Borrowed(advice(hook)),
        });
    }
    if let Some(spoilt) = spoilt(db, file, functor) {
        match changed_by_library(db, file, &spoilt.goal) {
            Some((other, _))
                if may_assume && !constrains(db, other) && !is_assignment(db, other) =>
            {
                assumed.push(changes_nothing(db, file, &spoilt.goal));
            }
            by => {
                let by = by.map(|(other, library)| (other.functor(db).clone(), library));
                return Err(why_spoilt(&spoilt, by));
            }
        }
    }
    if let Some(spec) = names::missing_include(db, file) {
        return Err(WhyOpen {
            reason: Cow::Owned(format!(
                "`:- include({spec})` may bring more clauses of it: that file was not found"
            )),
            help: Cow::Borrowed(
                "Put the file where the directive says that it is, or correct the directive.",
            ),
        });
    }
    if definitions::gathered(db, file, functor).is_some() {
        return Ok(assumed);
    }
    let Some(other) = names::also_defined_in(db, predicate) else {
        return Ok(assumed);
    };
    Err(WhyOpen {
        reason: Cow::Owned(format!(
            "`{}` defines it, too, and belongs to the same module",
            other.path(db)
        )),
        help: Cow::Borrowed(
            "Give one of the two another name, or make a module of one of the files.",
        ),
    })
}

/// Returns the reason, if any, in the predicate's own file: a declaration, an error, a flag.
fn why_of_its_file(db: &dyn Db, predicate: Predicate<'_>, may_change: bool) -> Option<WhyOpen> {
    let functor = predicate.functor(db);
    let file = predicate.file(db);
    if let Some((by, how)) = calls::opened(db, file, functor)
        && !(may_change && how == Opened::Dynamic)
    {
        return Some(opened_by(db, file, functor, by, how));
    }
    if let Some((at, line)) = definitions::damaged(db, predicate) {
        return Some(incomplete(db, file, at, line));
    }
    if let Some(altered) = calls::altered(db, predicate) {
        return Some(altered_by(db, file, altered));
    }
    if let Some(altered) = calls::assertions_left_out(db, predicate) {
        return Some(altered_by(db, file, altered));
    }
    if let Some((reason, help)) = why_its_file_says_so(db, predicate) {
        return Some(fixed(reason, help));
    }
    if names::refused(db, file, functor) {
        return Some(fixed(REFUSED.0, REFUSED.1));
    }
    names::is_in_a_circle(db, file).then(|| fixed(CIRCLE.0, CIRCLE.1))
}

/// Returns the reason, if any, why other files may contain clauses of a predicate.
fn why_of_other_files(db: &dyn Db, predicate: Predicate<'_>) -> Option<WhyOpen> {
    let functor = predicate.functor(db);
    let file = predicate.file(db);
    let extended = |other: SourceFile| WhyOpen {
        reason: Cow::Owned(format!("`{}` adds clauses to it", other.path(db))),
        help: Cow::Borrowed(
            "Put its clauses into one file, or call a predicate of the other file from here.",
        ),
    };
    if let Some(other) = definitions::made_in(db, file, functor) {
        return Some(extended(other));
    }
    let Some(gathered) = definitions::gathered(db, file, functor) else {
        if let Some(other) = definitions::extended_in(db, file, functor) {
            return Some(extended(other));
        }
        let is_open = facts(db, file).multifile.contains(functor)
            && !graph::is_multifile_of_library(db, predicate);
        return is_open.then(|| fixed(MULTIFILE.0, MULTIFILE.1));
    };
    let apart = match gathered {
        Err(apart) => Some(apart.clone()),
        Ok(_) => rewriting::misunderstood(db, predicate),
    };
    if let Some(apart) = apart {
        return Some(WhyOpen {
            reason: Cow::Owned(apart.reason),
            help: Cow::Borrowed(apart.help),
        });
    }
    let other = calls::loads_while_running(db, file)?;
    Some(WhyOpen {
        reason: Cow::Owned(format!(
            "it is multifile: `{}` loads files while the program runs, which may add clauses",
            other.path(db)
        )),
        help: Cow::Borrowed(MULTIFILE.1),
    })
}

/// Returns the reason for a goal elsewhere that changes how a predicate is read or run.
fn altered_by(db: &dyn Db, file: SourceFile, altered: &definitions::Alteration) -> WhyOpen {
    let there = match altered.file == file {
        true => String::new(),
        false => format!(" in `{}`", altered.file.path(db)),
    };
    let by = &altered.by;
    WhyOpen {
        reason: Cow::Owned(match altered.changes {
            Changed::Program => {
                format!("`{by}`{there} changes how the whole program is read or run")
            }
            Changed::Text | Changed::Quotes => {
                format!("`{by}`{there} changes how its clauses are read")
            }
            Changed::Predicate => format!("`{by}`{there} changes how calls of it run"),
            Changed::BuiltIn => format!("`{by}`{there} changes a predicate that it calls"),
        }),
        help: Cow::Borrowed(match altered.changes {
            Changed::Quotes => "Put the same directive at the top of this file.",
            Changed::Text => "Write it as a directive of its own, with all arguments.",
            _ => "Remove it, or move it into a file that this program does not load.",
        }),
    }
}

/// The maximum number of calls followed in the search for the library that modifies a term.
const MOST_FOLLOWED: usize = 16;

/// Returns the assumption that a goal changes none of the terms that its caller uses.
fn changes_nothing(db: &dyn Db, file: SourceFile, goal: &Functor) -> ParameterAssumption {
    let of = match graph::reach(db, file, goal).predicate() {
        Some(found) => Subject::Predicate(found.file(db), found.functor(db).clone()),
        None => Subject::Predicate(file, goal.clone()),
    };
    let claim = Claim::KeepsTerms;
    ParameterAssumption { claim, of }
}

fn why_spoilt(by: &Spoilt, library: Option<(Functor, SmolStr)>) -> WhyOpen {
    let (goal, clause) = (&by.goal, by.clause + 1);
    match library {
        // `X #> Y`, `http_server(G, Options)`: the library's implementation does not concern its users.
        Some((other, library)) => WhyOpen {
            reason: Cow::Owned(match other == *goal {
                true => format!(
                    "`{goal}` of `library({library})` in clause {clause} may put constraints on variables or change terms in place that are used here"
                ),
                false => format!(
                    "`{goal}` in clause {clause} calls `{other}` of `library({library})`, which may put constraints on variables or change terms that are used here"
                ),
            }),
            help: Cow::Borrowed("State what the predicate costs in a `trust` assertion."),
        },
        None => WhyOpen {
            reason: Cow::Owned(format!(
                "`{goal}` in clause {clause} may change a term in place, and the analysis relies on facts about that term"
            )),
            help: Cow::Borrowed("Build a new term, or read the changed one with `arg/3` alone."),
        },
    }
}

/// Returns the predicate of an installed library through which a goal modifies a term, with the library.
fn changed_by_library<'db>(
    db: &'db dyn Db,
    mut file: SourceFile,
    goal: &Functor,
) -> Option<(Predicate<'db>, SmolStr)> {
    let mut goal = goal.clone();
    for _ in 0..MOST_FOLLOWED {
        let callee = graph::reach(db, file, &goal).predicate()?;
        file = callee.file(db);
        if let Some(library) = workspace::installed_as(db, file) {
            return Some((callee, graph::library_name(library).into()));
        }
        goal = graph::modifies_through(db, file, callee.functor(db))?;
    }
    None
}

/// Returns whether a predicate's own clauses call a built-in that changes terms in place, which then is what it is for.
fn is_assignment(db: &dyn Db, of: Predicate<'_>) -> bool {
    let through = graph::modifies_through(db, of.file(db), of.functor(db));
    through.is_some_and(|goal| graph::reach(db, of.file(db), &goal).predicate().is_none())
}

/// Returns whether an installed library defines a predicate and puts constraints on variables, which wake goals when the variables are
/// bound later.
pub(crate) fn constrains(db: &dyn Db, of: Predicate<'_>) -> bool {
    let Some(library) = workspace::installed_as(db, of.file(db)) else {
        return false;
    };
    let library = graph::library_name(library);
    library.starts_with("clp")
        || library.starts_with("chr")
        || graph::gives_attributes(db, of.file(db))
}

/// Returns the reason for a predicate that is declared in the file but has no clauses in it.
pub(crate) fn why_declared_open(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<WhyOpen> {
    if let Some((by, how)) = calls::opened(db, file, functor) {
        return Some(opened_by(db, file, functor, by, how));
    }
    let is_multifile = facts(db, file).multifile.contains(functor);
    is_multifile.then(|| fixed(MULTIFILE.0, MULTIFILE.1))
}

/// Returns the reason for a predicate that is opened by another file, or by a clause that runs.
fn opened_by(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    by: SourceFile,
    how: Opened,
) -> WhyOpen {
    let (reason, help) = match how {
        Opened::Dynamic => {
            if let Some(changer) = calls::changed_by(db, file, functor) {
                // The program needs this declaration, so it is not a mistake and there is no advice to give.
                return WhyOpen {
                    reason: Cow::Owned(format!(
                        "it is dynamic, and `{changer}` changes its clauses"
                    )),
                    help: Cow::Borrowed(""),
                };
            }
            match find(db, file, functor).is_some_and(|p| !p.clauses(db).is_empty()) {
                true => DYNAMIC,
                false => (DYNAMIC.0, ""),
            }
        }
        Opened::Tabled => TABLED,
    };
    match by == file {
        true => fixed(reason, help),
        false => WhyOpen {
            reason: Cow::Owned(format!("`{}` says that {reason}", by.path(db))),
            help: Cow::Borrowed(help),
        },
    }
}

/// Describes text with a syntax error that may be a clause of a predicate.
fn incomplete(db: &dyn Db, file: SourceFile, at: SourceFile, line: usize) -> WhyOpen {
    let of = match at == file {
        true => String::new(),
        false => format!(" of `{}`", at.path(db)),
    };
    WhyOpen {
        reason: Cow::Owned(report::incomplete(line, &of)),
        help: Cow::Owned(format!("Fix the clause in line {line}{of}.")),
    }
}

fn fixed(reason: &'static str, help: &'static str) -> WhyOpen {
    WhyOpen {
        reason: Cow::Borrowed(reason),
        help: Cow::Borrowed(help),
    }
}

const DYNAMIC: (&str, &str) = (
    "it is dynamic, so its clauses may change while the program runs",
    "Remove `:- dynamic` if no clause is added or removed while the program runs.",
);

const TABLED: (&str, &str) = (
    "it is tabled, so its answers are remembered and its clauses do not run at every call",
    "Remove `:- table` where the recursion ends without it.",
);

const LOCKED: (&str, &str) = (
    "it is a built-in that SWI-Prolog does not let a program define: these clauses are skipped",
    "Give the predicate another name.",
);

const NEVER_RUN: (&str, &str) = (
    "it is a control construct: SWI-Prolog accepts these clauses and never runs them",
    "Give the predicate another name.",
);

const REFUSED: (&str, &str) = (
    "a directive imports this name, or loads again what declares it, so that SWI-Prolog may not keep these clauses",
    "Give the predicate another name, or take the name out of the import list.",
);

const CIRCLE: (&str, &str) = (
    "a module of its program may inherit from itself, where SWI-Prolog stops reading with an error",
    "Leave out the `set_module/1` that closes the circle.",
);

const MULTIFILE: (&str, &str) = (
    "it is multifile: other files may add clauses",
    "Remove `:- multifile` if no other file adds clauses.",
);

/// Returns the reason why the clauses do not determine how a call runs, if the predicate's own file contains it, with advice.
fn why_its_file_says_so(
    db: &dyn Db,
    predicate: Predicate<'_>,
) -> Option<(&'static str, &'static str)> {
    Some(
        if predicate.conditional(db) && !rewriting::has_alternatives(db, predicate) {
            (
                "some of its clauses stand between `:- if` and `:- endif`, in too many combinations, or in place of a predicate of SWI-Prolog",
                "Move its clauses out of `:- if`, and the difference into a predicate of its own.",
            )
        } else if predicate.of_several_units(db) {
            (
                "some of its clauses stand in a unit of tests, which is a module of its own, and others do not",
                "Give the predicates of the unit names of their own.",
            )
        } else {
            return None;
        },
    )
}
