//! Determines nonnegative arguments. Since the types of the analysis do not distinguish `nat` from `int`, declarations and clauses are
//! examined.
//!
//! ```text
//! %! ways(+N:nat, -W) is det.
//! ```

use costlens_analysis::report::Functor;
use costlens_program::calls::calls_in;
use costlens_program::language::BodyCall;
use costlens_program::{Clause, SourceFile, facts, file_assertions, find};
use costlens_syntax::assertions::{
    Argument, Assertion, DeclaredType, Mode, SizeLimit, SizeMetric, Status,
};
use costlens_syntax::term::{Term, TermId, Terms};
use num_traits::Signed as _;

use crate::db::Db;
use crate::fixes::callers::{all_callers, files, means, others};
use crate::fixes::goals::variable;
use crate::fixes::site::Site;

/// The maximum number of callers' arguments that are examined.
const MOST_ARGUMENTS: usize = 16;

/// An argument of a predicate, with the predicate's file.
type FileArgument = (SourceFile, Functor, usize);

/// Returns true if each declaration of the predicate's calls requires a nonnegative argument, and no clause or directive of the workspace is
/// known to violate this. A call may pass an integer literal, or an argument of the caller that is either declared nonnegative or
/// unrestricted, since a declaration also binds callers. Recursive calls are not examined.
pub(super) fn is_never_negative(site: &Site<'_>, argument: usize) -> bool {
    let own = (site.file, site.functor.clone(), argument);
    if declared(site.db, &own) != Some(true) {
        return false;
    }
    let mut arguments = vec![own];
    let mut next = 0;
    while let Some(at) = arguments.get(next).cloned() {
        next += 1;
        let Some(handed_on) = handed_on(site, &at) else {
            return false;
        };
        for of in handed_on {
            match declared(site.db, &of) {
                _ if arguments.contains(&of) => {}
                Some(true) => {}
                Some(false) => return false,
                None => arguments.push(of),
            }
        }
        if arguments.len() > MOST_ARGUMENTS {
            return false;
        }
    }
    true
}

/// Returns true if each declaration of a predicate's calls requires a nonnegative argument. Returns `None` if there are no declarations.
fn declared(db: &dyn Db, (file, functor, argument): &FileArgument) -> Option<bool> {
    let is_own =
        |f: &Functor| f.arity == 1 && is_natural(&DeclaredType::from_name(&f.name, vec![]));
    let means_another = facts(db, *file).regtypes.iter().any(is_own);
    let assertions = file_assertions(db, *file);
    let is_about = |a: &&Assertion| {
        (a.name.as_str(), a.arity) == (functor.name.as_str(), functor.arity)
            && a.declares_calls()
            && a.status != Status::False
    };
    let says = |a: &Assertion| {
        let of = a.arguments.get(*argument);
        let limits = a.limits.iter().any(|limit| limits(limit, *argument));
        limits || of.is_some_and(|of| is_input(of) && of.call.as_ref().is_some_and(is_natural))
    };
    let mut lines = assertions.list.iter().filter(is_about).peekable();
    lines.peek()?;
    Some(!means_another && lines.all(says))
}

fn is_natural(ty: &DeclaredType) -> bool {
    matches!(ty, DeclaredType::NonNegative | DeclaredType::Positive)
}

/// Returns true for an input argument.
fn is_input(argument: &Argument) -> bool {
    !matches!(argument.mode, Some(Mode::Out | Mode::Fresh))
}

/// Returns true for the constraint `N >= 0`.
fn limits(limit: &SizeLimit, argument: usize) -> bool {
    limit.argument == argument
        && matches!(limit.metric, None | Some(SizeMetric::Int))
        && limit.at_least.as_ref().is_some_and(|k| !k.is_negative())
}

/// Returns the arguments of other predicates that are passed on as this argument. Returns `None` if a term other than these and nonnegative
/// integer literals is passed.
fn handed_on(
    site: &Site<'_>,
    (home, functor, argument): &FileArgument,
) -> Option<Vec<FileArgument>> {
    let db = site.db;
    let place = (*home, functor.clone());
    let is_it =
        |file: SourceFile, call: &BodyCall| means(db, file, &call.callee).as_ref() == Some(&place);
    let mut found = Vec::new();
    for (file, of) in all_callers(db, &place) {
        if (file, &of) == (site.file, site.functor) {
            continue;
        }
        for clause in find(db, file, &of)?.clauses(db).iter() {
            for body in clause.guard.into_iter().chain(clause.body) {
                for call in calls_in(db, file, &clause.terms, body) {
                    if !is_it(file, &call) {
                        continue;
                    }
                    let passed = passed(&clause.terms, &call, *argument)?;
                    if !is_written(&clause.terms, passed) {
                        found.push((file, of.clone(), place_in_head(clause, passed)?));
                    }
                }
            }
        }
    }
    for file in files(db, *home) {
        for (_, goal, terms) in others(db, file) {
            let mut all = calls_in(db, file, &terms, goal).into_iter();
            let fits = |call: BodyCall| {
                !is_it(file, &call)
                    || passed(&terms, &call, *argument)
                        .is_some_and(|passed| is_written(&terms, passed))
            };
            all.all(fits).then_some(())?;
        }
    }
    Some(found)
}

/// Returns the argument of a call if it appears in the text.
fn passed(terms: &Terms, call: &BodyCall, argument: usize) -> Option<TermId> {
    (call.added == 0).then(|| terms.args(call.goal).get(argument).copied())?
}

fn is_written(terms: &Terms, passed: TermId) -> bool {
    matches!(terms.get(passed), Term::Integer(k) if !k.is_negative())
}

/// Returns the index of the head argument that is this variable.
fn place_in_head(clause: &Clause, passed: TermId) -> Option<usize> {
    let v = variable(&clause.terms, passed)?;
    let mut head = clause.terms.args(clause.head).iter();
    head.position(|&id| variable(&clause.terms, id) == Some(v))
}
