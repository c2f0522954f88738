//! Reports variables that occur once in their clause.

use costlens_program::SourceFile;
use costlens_program::language::directive;
use costlens_program::workspace::terms;
use costlens_syntax::term::{ReadClause, Term, TermId, Terms};
use smol_str::SmolStr;

use super::{Diagnostic, Severity, rules};
use crate::db::Db;

/// Reports singleton variables like SWI-Prolog: names that start with `_` are exempt, and `:- style_check(-singleton)` disables the check.
pub(super) fn problems(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut is_on = true;
    for read in &terms(db, file).clauses {
        if let Some(goal) = directive(&read.terms, read.root) {
            is_on = style(&read.terms, goal).unwrap_or(is_on);
        } else if is_on && read.error.is_none() {
            in_clause(read, &mut found);
        }
    }
    found
}

/// Parses `:- style_check(-singleton)`. Returns whether singletons are reported after the directive.
fn style(terms: &Terms, goal: TermId) -> Option<bool> {
    let &[option] = terms.matches(goal, "style_check", 1)? else {
        return None;
    };
    [("+", true), ("-", false)]
        .into_iter()
        .find_map(|(sign, is_on)| {
            let &[what] = terms.matches(option, sign, 1)? else {
                return None;
            };
            (terms.as_atom(what)? == "singleton").then_some(is_on)
        })
}

fn in_clause(read: &ReadClause, found: &mut Vec<Diagnostic>) {
    let names = &read.spans.variables;
    let mut seen: Vec<(usize, Option<TermId>)> = vec![(0, None); names.len()];
    for id in read.terms.subterms(read.root) {
        if let Term::Var(v) = read.terms.get(id)
            && let Some(place) = seen.get_mut(*v as usize)
        {
            *place = (place.0 + 1, Some(id));
        }
    }
    for (name, once) in names.iter().zip(seen) {
        let (1, Some(id)) = once else { continue };
        let range = read.spans.ranges.get(id.index()).filter(|(a, b)| a < b);
        if let Some(&(from, to)) = range.filter(|_| is_named(name)) {
            found.push(Diagnostic {
                range: read.range.0 + from as usize..read.range.0 + to as usize,
                severity: Severity::Warning,
                rule: &rules::SINGLETON,
                message: format!(
                    "`{name}` occurs once in this clause: write `_{name}` if that is meant"
                ),
                related: Vec::new(),
            });
        }
    }
}

fn is_named(name: &SmolStr) -> bool {
    !name.is_empty() && !name.starts_with('_')
}
