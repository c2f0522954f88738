//! Facts that hold for every call of a run and reduce the necessary instrumentation (Mera et al. 2010, Fig. 5).
//!
//! The goal is appended to the program as a clause, and its calls are followed. A fact is used if it holds for all calls.

use costlens_analysis::report::Functor;
use costlens_engines::profiled::KnownFact;
use costlens_ide::host::File;
use costlens_ide::present::indicator;

use super::interrupted;
use super::running::Read;

/// The predicate whose clause is the goal. No program can have a predicate with this name.
const ENTRY: &str = "$costlens goal";

/// Proves facts about the predicates of a program for all calls that a goal reaches. Returns the reason if some calls cannot be followed.
///
/// # Errors
/// Fails if the analysis was interrupted.
pub(super) fn proved(
    read: &mut Read,
    goal: &str,
) -> anyhow::Result<Result<Vec<KnownFact>, String>> {
    let Some(part) = read.program.parts.last() else {
        return Ok(Err(NO_GOAL.to_owned()));
    };
    let (name, text, clauses) = (
        part.name.clone(),
        part.text.clone(),
        part.terms.clauses.len(),
    );
    let goal = goal.trim().trim_end_matches('.');
    let with_goal = format!("{text}\n'{ENTRY}' :- (\n{goal}\n).\n");
    let file = read.host.open(&name, &with_goal);
    let found = followed(read, file, clauses);
    read.host.open(&name, &text);
    found
}

/// The reason if the goal cannot be appended to the program as a clause.
const NO_GOAL: &str = "the goal cannot be put behind the program";

/// Returns the facts if the text now has exactly one clause more, which is then the goal, read with the program's operators.
fn followed(
    read: &Read,
    file: File,
    clauses: usize,
) -> anyhow::Result<Result<Vec<KnownFact>, String>> {
    let snapshot = read.host.snapshot();
    let terms = snapshot.terms(file).map_err(interrupted)?;
    if terms.clauses.len() != clauses + 1 {
        return Ok(Err(NO_GOAL.to_owned()));
    }
    let entry = Functor::new(ENTRY, 0);
    let found = match snapshot.followed(file, &entry).map_err(interrupted)? {
        Ok(found) => found,
        Err(not) if not.predicate == entry => {
            return Ok(Err(format!("the goal: {}", not.reason)));
        }
        Err(not) => {
            return Ok(Err(format!(
                "`{}`: {}",
                indicator(&not.predicate),
                not.reason
            )));
        }
    };
    let mut facts = Vec::new();
    for (predicate, every) in found {
        let of = [
            (every.never_fails, "not_fails"),
            (every.binds_first, "binds_first"),
        ];
        for (_, fact) in of.into_iter().filter(|(holds, _)| *holds) {
            facts.push(KnownFact {
                name: predicate.name.to_string(),
                arity: predicate.arity,
                fact,
            });
        }
    }
    Ok(Ok(facts))
}
