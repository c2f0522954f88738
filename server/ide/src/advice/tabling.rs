//! `tabling`: a recursion that is exponential because it repeats the same calls.
//!
//! ```text
//! fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.     2·fib(n+1)-1 steps; n+1 distinct calls
//! ```
//!
//! With `:- table fib/2.`, each distinct call enters its clauses once; a repeated call is answered from the table and enters none. The
//! bound with tabling is therefore the number of [distinct calls](super::distinct) times the steps of the clauses without the recursive
//! calls. To compute these steps, the analysis runs on a text in which the recursive calls are replaced by calls of a predicate that is
//! trusted to take no steps.
//!
//! The predicate must have ground inputs, unbound outputs and at most one solution, and must not be mutually recursive.

use costlens_algebra::Expr;
use costlens_algebra::growth::growth;
use costlens_analysis::report::{
    Determinism, Origin, PatternReport, PredicateReport, SizeVariable,
};
use costlens_analysis::types::{Metric, Pattern, Type};
use costlens_program::{ClauseKind, Role, SourceFile};
use costlens_syntax::term::TermId;
use costlens_syntax::{Dialect, Parsed};
use num_traits::Signed as _;

use super::distinct::calls;
use super::told::sizes_told;
use super::{Look, Remark};
use crate::db::{Database, reached_report};
use crate::diagnostics::rules;
use crate::file::Edit;
use crate::fixes::callers::is_alone;
use crate::fixes::functions::is_function;
use crate::fixes::goals::rows;
use crate::fixes::variant::edited;
use crate::predicate::arguments::argument_names;
use crate::predicate::mode_line::{is_declarable, mode_line};
use crate::present::headline::{only_for, steps};
use crate::present::{finite, formula, headline, indicator, is_exponential, names_in, rank};
use crate::settings::Threshold;

/// The quoted name of the predicate that replaces recursive calls.
const ANSWERED: &str = "'costlens answers from the table'";

pub(super) fn remarks(look: &Look<'_>) -> Vec<Remark> {
    let headline = &look.report.headline;
    match is_exponential(headline.where_bounded().1) && headline.loose.is_none() {
        true => remark(look).into_iter().collect(),
        false => Vec::new(),
    }
}

fn remark(look: &Look<'_>) -> Option<Remark> {
    let (site, report) = (look.site, look.report);
    let dialect = site.file.parsed(site.db).dialect();
    // These dialects lack tabling.
    (!matches!(dialect, Dialect::Gnu | Dialect::Iso)).then_some(())?;
    let once = matches!(report.determinism, Determinism::Det | Determinism::Semidet);
    (once && is_alone(site.db, site.file, site.functor)).then_some(())?;
    is_function(site, site.functor).then_some(())?;
    let calls = calls(look)?;
    let (local_sizes, local) = local(look)?;
    let local = renamed(&local, &local_sizes, report)?;
    let tabled = &calls * &local;
    (rank(&growth(&tabled)) < Threshold::Exponential).then_some(())?;
    let sizes = names_in(report);
    let of = indicator(site.functor);
    let (was, is) = (
        headline::bounds_alone(report, &sizes),
        formula(&tabled, &sizes),
    );
    let only = only_for(report, &sizes);
    let only = match only.is_empty() {
        true => only,
        false => format!(",{only}"),
    };
    let message = format!(
        "with a table (`:- table {of}.`) `{of}` takes at most {} in place of {was}{only}: below a call are at most {} different ones, each of which takes at most {} of its own{}",
        steps(&is),
        formula(&calls, &sizes),
        steps(&formula(&local, &sizes)),
        sizes_told(look, [&tabled]),
    );
    let head = site.clauses.first()?.head;
    let mut remark = look.remark(&rules::TABLING, 0, head, message)?;
    remark.cost = Some((was, format!("≤ {is}")));
    Some(remark)
}

/// Translates a bound in the sizes of another report into the sizes of this report. Returns `None` if a size has no counterpart in this
/// report.
fn renamed(e: &Expr, sizes: &[SizeVariable], report: &PatternReport) -> Option<Expr> {
    let mut by = std::collections::BTreeMap::new();
    for v in e.variables() {
        let size = sizes.iter().find(|s| s.var == v)?;
        let same = report.sizes.iter().find(|s| {
            (s.argument, s.metric, s.element) == (size.argument, size.metric, size.element)
        })?;
        by.insert(v, Expr::var(same.var));
    }
    e.substitute(&by)
}

/// Returns an upper bound on the steps of a call without its recursive calls, and the sizes on which the bound depends. The bound of a call
/// is at least the bound of every call to which it leads.
fn local(look: &Look<'_>) -> Option<(Vec<SizeVariable>, Expr)> {
    let (site, pattern) = (look.site, &look.report.pattern);
    let text = with_answers(look)?;
    let dialect = site.file.parsed(site.db).dialect();
    let key = format!("{} {pattern:?} {dialect:?}", site.functor);
    look.known.local.get_or_compute((text.clone(), key), || {
        let variants = Database::new();
        let parsed = Parsed::in_dialect(text, dialect);
        let variant = SourceFile::new(&variants, String::new(), parsed, Role::User);
        local_of(&*reached_report(&variants, variant, site.functor)?, pattern)
    })
}

fn local_of(report: &PredicateReport, pattern: &Pattern) -> Option<(Vec<SizeVariable>, Expr)> {
    let report = report.patterns.iter().find(|p| p.pattern == *pattern)?;
    let uppers: Vec<&Expr> = (report.steps.iter())
        .map(|piece| finite(&piece.all.upper))
        .collect::<Option<_>>()?;
    let most = most(&uppers)?;
    // Integers may be negative, and their powers need not be monotonic.
    let grows = |v| {
        report
            .sizes
            .iter()
            .any(|s| s.var == v && s.metric != Metric::Int)
    };
    (most.variables().into_iter().all(grows)).then(|| (report.sizes.clone(), most))
}

/// Returns a bound that is monotonic in each size and at least as large as each given bound. Returns `None` if the given bounds are not
/// sums of products of sizes.
fn most(uppers: &[&Expr]) -> Option<Expr> {
    let constants: Option<Vec<_>> = uppers.iter().map(|e| e.as_constant()).collect();
    if let Some(constants) = constants {
        return constants.into_iter().max().map(Expr::constant);
    }
    let mut sum = Expr::zero();
    for upper in uppers {
        upper.is_polynomial().then_some(())?;
        for (monomial, coefficient) in upper.terms() {
            // Subtracted terms are dropped.
            if coefficient.is_positive() && coefficient > &sum.coefficient(monomial) {
                let missing = coefficient - sum.coefficient(monomial);
                sum.add_monomial(monomial.clone(), missing);
            }
        }
    }
    Some(sum)
}

/// Returns the text with recursive calls replaced by a predicate that takes no steps. Returns `None` if some recursive calls do not appear as
/// goals.
fn with_answers(look: &Look<'_>) -> Option<String> {
    let (site, pattern) = (look.site, &look.report.pattern);
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let mut edits: Vec<Edit> = Vec::new();
    for (number, clause) in site.clauses.iter().enumerate() {
        let plain = matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule);
        (plain && !clause.grammar_rule).then_some(())?;
        let is_call = |t: &TermId| clause.terms.matches(*t, name, arity).is_some();
        let body = clause
            .body
            .map_or(Vec::new(), |body| clause.terms.subterms(body));
        let goals: Vec<TermId> = (rows(clause).into_iter())
            .flat_map(|row| row.goals)
            .filter(is_call)
            .collect();
        (body.iter().filter(|t| is_call(t)).count() == goals.len()).then_some(())?;
        for goal in goals {
            let (from, _) = site.places.get(number)?.range(goal)?;
            let written = site.source(number, goal)?;
            let length = written.find('(')?;
            edits.push(Edit {
                range: from..from + length,
                text: ANSWERED.to_owned(),
            });
        }
    }
    // The recursive calls may be the only calls from which the predicate's patterns are inferred.
    if look.report.origin == Origin::Inferred {
        pattern.0.iter().all(is_declarable).then_some(())?;
        let (from, _) = site.places.first()?.range;
        let names = argument_names(site.db, site.file, site.functor);
        edits.push(Edit {
            range: from..from,
            text: format!("%! {}.\n", mode_line(site.functor, pattern, &names)),
        });
    }
    edits.sort_by_key(|e| e.range.start);
    let mut text = edited(site.db, site.file, site.functor, &edits);
    let arguments = pattern.0.iter().map(|ty| match ty {
        Type::Free => "-",
        _ => "+",
    });
    let arguments: Vec<&str> = arguments.collect();
    text.push_str(&format!(
        "\n:- trust pred {ANSWERED}({}) + (cost(ub, steps, 0), semidet).\n",
        arguments.join(", ")
    ));
    Some(text)
}
