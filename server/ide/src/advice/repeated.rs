//! `repeated-goal`: a goal whose result has already been computed.
//!
//! ```text
//! p(Xs, R) :- weight(Xs, W), ( W > 9 -> weight(Xs, V), … ; … ).     % twice in one clause
//! p([X|Xs], Ds) :- weight(Ds, W), …, p(Xs, Ds).                     % in each iteration of a loop that passes its input on unchanged
//! ```
//!
//! The callee is a function of its arguments with at most one solution. Its inputs are ground, its last argument is unbound, and its cost
//! grows with its inputs. If a quick fix for the repetition is offered, it replaces the hint.

use costlens_algebra::growth::growth;
use costlens_analysis::queries::library_report;
use costlens_analysis::report::{Determinism, LiteralCost, PatternReport};
use costlens_analysis::types::Type;
use costlens_body::{Goal, conjuncts};
use costlens_program::ClauseKind;
use costlens_syntax::term::{TermId, Terms};

use super::told::sizes_told;
use super::{Look, Remark};
use crate::db::reached_report;
use crate::diagnostics::{Related, rules};
use crate::fixes::callers::{has_unknown, is_alone};
use crate::fixes::functions::is_function;
use crate::fixes::goals::{asks_the_same, is_equal, variable};
use crate::present::headline::steps;
use crate::present::{finite, formula, indicator, names, rank};
use crate::settings::Threshold;

/// The maximum number of earlier goals with which a goal is compared.
const MOST_BEFORE: usize = 40;

pub(super) fn remarks(look: &Look<'_>) -> Vec<Remark> {
    let mut found = Vec::new();
    for (number, clause) in look.site.rules() {
        let Some(body) = clause.body else {
            continue;
        };
        for (earlier, goal) in twice(&clause.terms, body) {
            found.extend(twice_remark(look, number, earlier, goal));
        }
        for goal in conjuncts(&clause.terms, body) {
            found.extend(in_each_round(look, number, goal));
        }
    }
    let fixes = [
        &rules::SAME_GOAL_TWICE,
        &rules::COMPUTED_BEFORE_THE_LOOP,
        &rules::COMPUTE_ONCE,
    ];
    if !found.is_empty() && look.has_fix(&fixes) {
        found.clear();
    }
    found
}

/// Returns pairs of goals in which the second repeats the first.
fn twice(terms: &Terms, body: TermId) -> Vec<(TermId, TermId)> {
    let mut found = Vec::new();
    let mut waiting: Vec<(TermId, Vec<TermId>)> = vec![(body, Vec::new())];
    while let Some((at, mut before)) = waiting.pop() {
        for goal in conjuncts(terms, at) {
            let earlier = before.iter().find(|&&b| asks_the_same(terms, b, goal));
            found.extend(earlier.map(|&earlier| (earlier, goal)));
            let of = Goal::lower(terms, goal);
            if let Goal::Not(inner) | Goal::Once(inner) = of {
                waiting.push((inner, before.clone()));
            }
            // The branches exclude each other, and a condition runs before its own branch.
            for (i, branch) in of.branches().into_iter().enumerate() {
                let mut known = before.clone();
                if let (1, Some((_, condition))) = (i, of.condition()) {
                    known.extend(conjuncts(terms, condition));
                }
                waiting.push((branch, known));
            }
            if before.len() < MOST_BEFORE {
                before.push(goal);
            }
        }
    }
    found
}

fn twice_remark(look: &Look<'_>, clause: usize, earlier: TermId, goal: TermId) -> Option<Remark> {
    let terms = &look.site.clauses[clause].terms;
    let (&was, &is) = (terms.args(earlier).last()?, terms.args(goal).last()?);
    let (known, asked) = (variable(terms, was)?, variable(terms, is)?);
    (known != asked).then_some(())?;
    for of in [earlier, goal] {
        function(look, clause, of)?;
    }
    let (cost, sizes) = cost(look, clause, goal)?;
    let site = look.site;
    let message = format!(
        "`{}` computes what `{}` has: use `{}`, and save {cost}{sizes}",
        in_one_line(site.source(clause, goal)?),
        in_one_line(site.source(clause, earlier)?),
        site.source(clause, was)?,
    );
    let mut remark = look.remark(&rules::REPEATED_GOAL, clause, goal, message)?;
    let (from, to) = site.places.get(clause)?.range(earlier)?;
    remark.related.push(Related {
        range: from..to,
        message: "computed here".to_owned(),
    });
    Some(remark)
}

/// Returns a hint about a goal that each iteration of a loop repeats, because its arguments are passed on unchanged.
fn in_each_round(look: &Look<'_>, clause: usize, goal: TermId) -> Option<Remark> {
    let site = look.site;
    let of = &site.clauses[clause];
    let terms = &of.terms;
    let (output, inputs) = terms.args(goal).split_last()?;
    variable(terms, *output)?;
    let own = |t: &TermId| {
        terms
            .matches(*t, &site.functor.name, site.functor.arity)
            .is_some()
    };
    let goals = conjuncts(terms, of.body?);
    let at = goals.iter().position(|g| *g == goal)?;
    // The clause must be a loop, not a tree of calls: exactly one recursive call, after the goal.
    let calls: Vec<TermId> = terms.subterms(of.body?).into_iter().filter(own).collect();
    let &[call] = &calls[..] else {
        return None;
    };
    goals.get(at + 1..)?.contains(&call).then_some(())?;
    let heads = terms.args(of.head);
    for &input in inputs {
        for v in terms.variables_of(input) {
            let argument = heads.iter().position(|&h| variable(terms, h) == Some(v))?;
            is_handed_on(look, argument).then_some(())?;
        }
    }
    let varies = inputs
        .iter()
        .any(|&input| !terms.variables_of(input).is_empty());
    let is_first = !goals[..at].iter().any(|&g| asks_the_same(terms, g, goal));
    (varies && is_first).then_some(())?;
    // If the goal is moved before the loop, it runs even if there are no iterations, so it must succeed.
    let (_, report) = function(look, clause, goal)?;
    let is_sure = report.determinism == Determinism::Det && !report.errors_possible;
    // Another clause may iterate without the goal.
    let others = site
        .clauses
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != clause);
    let rounds_alone = others.into_iter().all(|(_, other)| {
        let terms = &other.terms;
        let body = other.body.map_or(Vec::new(), |body| terms.subterms(body));
        let (name, arity) = (&site.functor.name, site.functor.arity);
        body.into_iter()
            .all(|t| terms.matches(t, name, arity).is_none())
    });
    (is_sure && rounds_alone).then_some(())?;
    is_alone(site.db, site.file, site.functor).then_some(())?;
    let (cost, sizes) = cost(look, clause, goal)?;
    let message = format!(
        "`{}` computes the same in each round of `{}`: computed before and handed on it saves {cost} a round{sizes}",
        in_one_line(site.source(clause, goal)?),
        indicator(site.functor),
    );
    look.remark(&rules::REPEATED_GOAL, clause, goal, message)
}

/// Returns true for an argument that every recursive call passes on unchanged from the head.
fn is_handed_on(look: &Look<'_>, argument: usize) -> bool {
    let site = look.site;
    site.clauses.iter().all(|clause| {
        let terms = &clause.terms;
        let plain =
            matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule) && !clause.grammar_rule;
        let head = terms.args(clause.head)[argument];
        let body = clause.body.map_or(Vec::new(), |body| terms.subterms(body));
        let mut calls = body
            .into_iter()
            .filter_map(|t| terms.matches(t, &site.functor.name, site.functor.arity));
        plain && calls.all(|arguments| is_equal(terms, arguments[argument], head))
    })
}

/// Returns the literal and the report of its callee, if the callee is a function whose inputs are known and whose output is unbound.
fn function<'l>(
    look: &'l Look<'_>,
    clause: usize,
    goal: TermId,
) -> Option<(&'l LiteralCost, PatternReport)> {
    let site = look.site;
    let mut here =
        (look.breakdown()?.literals.iter()).filter(|l| (l.clause, l.literal) == (clause, goal));
    let literal = here.next()?;
    here.next().is_none().then_some(())?;
    let (output, inputs) = literal.pattern.0.split_last()?;
    let known = *output == Type::Free && inputs.iter().all(Type::is_ground);
    (known && !literal.recursive && literal.callee != *site.functor).then_some(())?;
    is_function(site, &literal.callee).then_some(())?;
    let (db, file) = (site.db, site.file);
    let own = reached_report(db, file, &literal.callee);
    let mut patterns = own.iter().flat_map(|report| &report.patterns);
    let fits = patterns
        .find(|p| literal.pattern.is_within(&p.pattern))
        .cloned();
    let report = fits.or_else(|| library_report(db, file, &literal.callee, &literal.pattern))?;
    let once = matches!(report.determinism, Determinism::Det | Determinism::Semidet);
    (once && !has_unknown(&report)).then_some((literal, report))
}

/// Formats the steps of a single call, `n + 1 steps`, and the meaning of the sizes, ` (n = length(Ds))`. Returns `None` if the steps are
/// constant.
fn cost(look: &Look<'_>, clause: usize, goal: TermId) -> Option<(String, String)> {
    let (literal, _) = function(look, clause, goal)?;
    let main = look.report.main_piece()?;
    let case = literal
        .cases
        .iter()
        .find(|case| main.when.implies_all(&case.when));
    let case = case.or(match &literal.cases[..] {
        [only] => Some(only),
        _ => None,
    })?;
    let upper = finite(&case.steps.upper)?;
    let sizes = &look.report.sizes;
    let is_named = upper
        .variables()
        .into_iter()
        .all(|v| sizes.iter().any(|s| s.var == v));
    (is_named && rank(&growth(upper)) >= Threshold::Linear).then_some(())?;
    let shown = steps(&formula(upper, &names(sizes)));
    let up_to = if finite(&case.steps.lower) == Some(upper) {
        ""
    } else {
        "up to "
    };
    Some((format!("{up_to}{shown}"), sizes_told(look, [upper])))
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
