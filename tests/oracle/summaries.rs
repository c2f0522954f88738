//! Every summary that inference computes for a program, the ones that only callers see included.
//!
//! What a report shows are the patterns of the user's predicates, on the main piece. A wrong number of solutions under a
//! pattern that only a caller needs would show itself as a wrong bound of that caller, if at all: so summaries are judged
//! themselves, on all their pieces.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use costlens_analysis::infer::{Program, Summary, infer};
use costlens_analysis::queries::{Database, LIBRARY, file_report};
use costlens_analysis::report::PredicateName;
use costlens_analysis::types::Pattern;
use costlens_program::{Role, SourceFile};
use costlens_syntax::Parsed;

thread_local! {
    static SEEN: RefCell<Vec<Summary>> = const { RefCell::new(Vec::new()) };
}

/// Inference with a witness.
fn watched(
    predicate: &PredicateName,
    pattern: &Pattern,
    program: &dyn Program,
    fuel: u64,
) -> Summary {
    let summary = infer(predicate, pattern, program, fuel);
    SEEN.with_borrow_mut(|seen| seen.push(summary.clone()));
    summary
}

/// The summaries of a program text, each predicate and pattern once, in an order that depends on the text alone.
pub(crate) fn of_text(text: &str) -> Result<Vec<Summary>, String> {
    SEEN.take();
    let analysed = catch_unwind(AssertUnwindSafe(|| {
        let db = Database::with(watched, LIBRARY, None);
        let parsed = Parsed::new(text);
        let file = SourceFile::new(&db, "program.pl".to_owned(), parsed, Role::User);
        file_report(&db, file);
    }));
    let mut found: Vec<Summary> = Vec::new();
    for summary in SEEN.take() {
        let same =
            |f: &&mut Summary| f.predicate == summary.predicate && f.pattern == summary.pattern;
        match found.iter_mut().find(same) {
            Some(before) => *before = summary,
            None => found.push(summary),
        }
    }
    match analysed {
        Ok(()) => Ok(found),
        Err(panic) => {
            let said = (panic.downcast_ref::<String>().map(String::as_str))
                .or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("inference panics: {}", said.unwrap_or("?")))
        }
    }
}
