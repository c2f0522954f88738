//! Every summary that inference computes for a program, including those visible only to callers.
//!
//! A report shows the patterns of the user's predicates, on the main piece. A wrong number of solutions under a pattern that only a caller
//! needs would appear, if at all, as a wrong bound of that caller: so summaries themselves are judged, on all their pieces.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use costlens_analysis::queries::{Database, Inference, LIBRARY, file_report};
use costlens_analysis::report::Functor;
use costlens_analysis::types::Pattern;
use costlens_infer::{Program, Summary, infer};
use costlens_program::{Role, SourceFile};
use costlens_syntax::Parsed;

use crate::containment;

type Summaries = Option<Rc<Vec<Summary>>>;

thread_local! {
    static LAST: RefCell<Option<(String, Summaries)>> = const { RefCell::new(None) };
    static PAIRS: RefCell<Vec<(Summary, Summary)>> = const { RefCell::new(Vec::new()) };
    static SEEN: RefCell<Vec<Summary>> = const { RefCell::new(Vec::new()) };
}

/// Runs inference, recording its summaries.
fn watched(predicate: &Functor, pattern: &Pattern, program: &dyn Program, fuel: u64) -> Summary {
    let summary = infer(predicate, pattern, program, fuel);
    SEEN.with_borrow_mut(|seen| seen.push(summary.clone()));
    summary
}

/// Runs inference, recording its summaries, and again for narrower patterns.
fn watched_narrower(
    predicate: &Functor,
    pattern: &Pattern,
    program: &dyn Program,
    fuel: u64,
) -> Summary {
    let summary = infer(predicate, pattern, program, fuel);
    let mut pairs = Vec::new();
    for narrower in containment::narrower_patterns(pattern) {
        // If this needs a callee's summary that was not visited yet, all of it is computed again later.
        pairs.push(infer(predicate, &narrower, program, fuel));
    }
    PAIRS.with_borrow_mut(|seen| seen.extend(pairs.into_iter().map(|n| (summary.clone(), n))));
    summary
}

pub(crate) fn analyse(text: &str, inference: Inference) -> Result<(), String> {
    let analysed = catch_unwind(AssertUnwindSafe(|| {
        let db = Database::with_library(inference, LIBRARY, None);
        let parsed = Parsed::new(text);
        let file = SourceFile::new(&db, "program.pl".to_owned(), parsed, Role::User);
        file_report(&db, file);
    }));
    analysed.map_err(|panic| {
        let said = (panic.downcast_ref::<String>().map(String::as_str))
            .or_else(|| panic.downcast_ref::<&str>().copied());
        format!("inference panics: {}", said.unwrap_or("?"))
    })
}

/// Returns the summaries of a program text, each predicate and pattern once, in an order that depends only on the text.
pub(crate) fn of_text(text: &str) -> Result<Vec<Summary>, String> {
    SEEN.take();
    analyse(text, watched)?;
    let mut found: Vec<Summary> = Vec::new();
    for summary in SEEN.take() {
        let same =
            |f: &&mut Summary| f.predicate == summary.predicate && f.pattern == summary.pattern;
        match found.iter_mut().find(same) {
            Some(before) => *before = summary,
            None => found.push(summary),
        }
    }
    Ok(found)
}

/// The same for a text that is requested many times in a row.
pub(crate) fn of_text_again(text: &str) -> Option<Rc<Vec<Summary>>> {
    let known = LAST.with_borrow(|last| {
        let (known, summaries) = last.as_ref()?;
        (known == text).then(|| summaries.clone())
    });
    if let Some(known) = known {
        return known;
    }
    let summaries = of_text(text).ok().map(Rc::new);
    LAST.set(Some((text.to_owned(), summaries.clone())));
    summaries
}

/// Returns the summaries of a program text, each with those of narrower patterns.
pub(crate) fn with_narrower(text: &str) -> Result<Vec<(Summary, Summary)>, String> {
    PAIRS.take();
    analyse(text, watched_narrower)?;
    Ok(PAIRS.take())
}
