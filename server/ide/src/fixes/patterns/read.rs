//! Parses the files of data-driven rewrites.

use std::sync::Arc;

use costlens_syntax::read_text;
use costlens_syntax::term::{ReadClause, Term, TermId, Terms};

use super::checks::check_named;
use super::matching::is_literal;
use super::texts::is_text;
use super::{GoalRewrite, Layout, OldGoal, RelativePlace, Requirement, Rewriting};
use crate::fixes::goals::small;
use crate::fixes::malformed::{DataFile, FileError};
use crate::fixes::proposal::ShortRuns;

impl Rewriting {
    /// Parses the file of a rewrite.
    pub(in crate::fixes) fn read(
        name: &'static str,
        text: &'static str,
    ) -> Result<Self, FileError> {
        let file = DataFile { name, text };
        let mut rewriting = Self {
            what: "",
            conditions: "",
            short_runs: ShortRuns::Open,
            layout: Layout::Terms,
            is_det: false,
            any_order: false,
            alternatives: Vec::new(),
        };
        for clause in &read_text(text).clauses {
            (rewriting.add(file, clause)).map_err(|why| file.malformed(clause, why))?;
        }
        let is_complete = !rewriting.what.is_empty()
            && !rewriting.conditions.is_empty()
            && !rewriting.alternatives.is_empty();
        match is_complete {
            true => Ok(rewriting),
            false => Err(file.incomplete("`what`, `conditions` or `rewrite` is missing")),
        }
    }

    /// Adds a clause to a rewrite.
    fn add(&mut self, file: DataFile, clause: &ReadClause) -> Result<(), String> {
        if let Some(error) = &clause.error {
            return Err(error.message.clone());
        }
        let (terms, root) = (&*clause.terms, clause.root);
        let is_rewrite = [":-", ";", "rewrite"].map(|name| terms.matches(root, name, 2).is_some());
        if is_rewrite.contains(&true) {
            self.alternatives.extend(alternatives(clause)?);
            return Ok(());
        }
        let (name, arguments) = (terms.functor(root), terms.args(root));
        match (name.map(|(name, _)| name.as_str()), arguments) {
            (Some("what"), &[words]) => self.what = file.words(clause, words)?,
            (Some("conditions"), &[words]) => self.conditions = file.words(clause, words)?,
            (Some("short_runs"), &[runs]) => self.short_runs = short_runs(file, clause, runs)?,
            (Some("layout"), &[kept]) => {
                self.layout = match terms.as_atom(kept).map(|name| name.as_str()) {
                    Some("neighbours") => Layout::Neighbours,
                    Some("arguments") => Layout::Arguments,
                    _ => return Err("the layout must be `neighbours` or `arguments`".to_owned()),
                }
            }
            (Some("det"), []) => self.is_det = true,
            (Some("any_order"), []) => self.any_order = true,
            _ => return Err("this clause does not belong to a rewrite".to_owned()),
        }
        Ok(())
    }
}

impl DataFile {
    /// Returns the text of a string. The string must not contain escapes.
    fn words(self, clause: &ReadClause, id: TermId) -> Result<&'static str, String> {
        let (from, to) = clause.spans.range(id);
        let text = self.text.get(clause.range.0 + from..clause.range.0 + to);
        let words = text.and_then(|text| text.strip_prefix('"')?.strip_suffix('"'));
        words
            .filter(|words| !words.contains(['\\', '\n', '"']))
            .ok_or_else(|| "a string without escapes was expected".to_owned())
    }
}

fn short_runs(file: DataFile, clause: &ReadClause, id: TermId) -> Result<ShortRuns, String> {
    let terms = &clause.terms;
    let name = terms.functor(id).map(|(name, _)| name.as_str());
    match (name, terms.args(id)) {
        (Some("open"), []) => Ok(ShortRuns::Open),
        (Some("not_dearer"), []) => Ok(ShortRuns::NotDearer),
        (Some("local"), &[gain]) => Ok(ShortRuns::Local(file.words(clause, gain)?)),
        (Some("not_dearer_where"), &[runs, least]) => Ok(ShortRuns::NotDearerWhere {
            runs: file.words(clause, runs)?,
            least: small(terms, least).ok_or("the minimum must be an integer")?,
        }),
        _ => Err(
            "`short_runs` must be `open`, `not_dearer`, `not_dearer_where` or `local`".to_owned(),
        ),
    }
}

/// Parses `rewrite(Before, After) :- Conditions`. Several rewrites may share the same conditions.
fn alternatives(clause: &ReadClause) -> Result<Vec<GoalRewrite>, String> {
    let (head, body) = match clause.terms.matches(clause.root, ":-", 2) {
        Some(&[head, body]) => (head, Some(body)),
        _ => (clause.root, None),
    };
    let heads = clause.terms.chain(head, ";").into_iter();
    heads.map(|head| alternative(clause, head, body)).collect()
}

/// Parses a single `rewrite(Before, After)` with its conditions.
fn alternative(
    clause: &ReadClause,
    head: TermId,
    body: Option<TermId>,
) -> Result<GoalRewrite, String> {
    let terms = &clause.terms;
    let Some(&[before, after]) = terms.matches(head, "rewrite", 2) else {
        return Err("`rewrite(Before, After)` was expected".to_owned());
    };
    let requirements = body.map_or(Vec::new(), |body| terms.chain(body, ","));
    let alternative = GoalRewrite {
        terms: Arc::clone(terms),
        names: clause.spans.variables.clone(),
        before: steps(terms, before)?,
        after: terms.chain(after, ","),
        conditions: (requirements.into_iter())
            .map(|goal| requirement(terms, goal))
            .collect::<Result<_, _>>()?,
    };
    let goals = alternative.before.len();
    if (alternative.conditions.iter()).any(|condition| condition.goal >= goals) {
        return Err(format!("there are only {goals} goals to match"));
    }
    (alternative.after.iter()).try_for_each(|&goal| is_text(terms, goal))?;
    match alternative.unknown(before, std::iter::once(after).chain(body)) {
        Some(name) => Err(format!("`{name}` does not occur in the goals to match")),
        None => Ok(alternative),
    }
}

impl GoalRewrite {
    /// Returns the name of a variable that does not occur in the old goals.
    fn unknown(&self, before: TermId, uses: impl Iterator<Item = TermId>) -> Option<&str> {
        let known = self.terms.variables_of(before);
        let mut used = uses.flat_map(|id| self.terms.variables_of(id));
        let unknown = used.find(|v| !known.contains(v) && !self.is_anonymous(*v))?;
        self.names.get(unknown as usize).map(|name| name.as_str())
    }
}

/// Parses a sequence of goals. The word `goals` between two goals represents any intermediate goals.
fn steps(terms: &Terms, before: TermId) -> Result<Vec<OldGoal>, String> {
    let mut steps = Vec::new();
    let mut place = RelativePlace::Next;
    for part in terms.chain(before, ",") {
        if terms.as_atom(part).is_some_and(|name| name == "goals") {
            place = RelativePlace::Later;
            continue;
        }
        let step = match terms.matches(part, "generator", 1) {
            Some(&[goal]) => OldGoal {
                place: RelativePlace::Inside,
                goal,
            },
            _ => OldGoal { place, goal: part },
        };
        is_literal(terms, step.goal)?;
        steps.push(step);
        place = RelativePlace::Next;
    }
    match (steps.first(), place) {
        (Some(first), RelativePlace::Next) if first.place == RelativePlace::Next => Ok(steps),
        _ => Err("`goals` must be between two other goals".to_owned()),
    }
}

/// Parses a condition: `list(Xs)`, or `at(2, list(Xs))` for a condition that must hold before the second goal.
fn requirement(terms: &Terms, id: TermId) -> Result<Requirement, String> {
    let (goal, condition) = match terms.matches(id, "at", 2) {
        Some(&[number, condition]) => {
            let number = small(terms, number).and_then(|number| usize::try_from(number - 1).ok());
            let number = number.ok_or("goals are numbered from 1")?;
            (number, condition)
        }
        _ => (0, id),
    };
    let Some((name, arity)) = terms.functor(condition) else {
        return Err("a condition must have a name".to_owned());
    };
    let arguments = terms.args(condition).to_vec();
    if let Some(&other) = (arguments.iter()).find(|&&id| !matches!(terms.get(id), Term::Var(_))) {
        return Err(format!(
            "a condition applies to variables, not to {:?}",
            terms.get(other)
        ));
    }
    Ok(Requirement {
        check: check_named(name, arity)
            .ok_or_else(|| format!("there is no condition `{name}/{arity}`"))?,
        goal,
        arguments,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error that is reported for a text with one alternative.
    fn mistake(alternative: &'static str) -> Option<String> {
        let text = format!("what(\"A\").\nconditions(\"B\").\n{alternative}");
        let text: &'static str = text.leak();
        Rewriting::read("a.pl", text).err().map(|e| e.to_string())
    }

    #[test]
    fn mistakes_are_reported_with_their_lines() {
        for (alternative, expected) in [
            ("rewrite(reverse(Xs, Ys), Ys = Xs) :- list(Xs).", None),
            (
                "rewrite(reverse(Xs, Ys), Ys = Zs).",
                Some("a.pl:3: `Zs` does not occur in the goals to match"),
            ),
            (
                "rewrite(reverse(Xs, Ys), Ys = Xs) :- lists_of(Xs).",
                Some("a.pl:3: there is no condition `lists_of/1`"),
            ),
            (
                "rewrite(Goal, true).",
                Some("a.pl:3: a goal to match must have a name"),
            ),
            (
                "\ntitle(x).",
                Some("a.pl:4: this clause does not belong to a rewrite"),
            ),
            (
                "",
                Some("a.pl:1: `what`, `conditions` or `rewrite` is missing"),
            ),
        ] {
            assert_eq!(mistake(alternative).as_deref(), expected, "{alternative}");
        }
    }
}
