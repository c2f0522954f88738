//! Generates proposals and edits for data-driven rewrites.

use costlens_body::Goal;
use costlens_syntax::term::TermId;

use super::checks::About;
use super::matching::{Matched, MatchedGoal};
use super::{Layout, RelativePlace, Rewriting};
use crate::file::Edit;
use crate::fixes::conditions::Condition;
use crate::fixes::goals::is_equal;
use crate::fixes::proposal::Proposal;

impl Rewriting {
    /// Returns the proposal for matched goals. Returns `None` if a condition on their form does not hold.
    pub(super) fn proposal(&self, matched: Matched<'_>) -> Option<Proposal> {
        let needs = matched.needs()?;
        let library = matched.library();
        let mut library = library.iter();
        let mut edits = matched.edits(self.layout)?;
        if self.is_det {
            edits.extend(matched.without_once());
        }
        library
            .all(|functor| matched.site.means_library(functor))
            .then_some(())?;
        Some(Proposal {
            what: self.what,
            edits,
            needs,
            beside: String::new(),
            short_runs: self.short_runs,
            seen_by: None,
        })
    }
}

impl Matched<'_> {
    /// Returns the conditions that remain to be proved.
    fn needs(&self) -> Option<Vec<Condition>> {
        let mut needs = Vec::new();
        for requirement in &self.alternative.conditions {
            let about = About {
                matched: self,
                goal: self.goals.get(requirement.goal)?.goal,
                patterns: &requirement.arguments,
            };
            needs.extend((requirement.check)(&about)?);
        }
        Some(needs)
    }

    fn edits(&self, layout: Layout) -> Option<Vec<Edit>> {
        let is_inside = self.alternative.before.last()?.place == RelativePlace::Inside;
        match layout {
            _ if is_inside => self.replace_each(),
            Layout::Arguments if self.are_neighbours() => self.replace_arguments(),
            Layout::Neighbours => self.remove_others(),
            _ => self.replace_all(),
        }
    }

    /// Returns the edits that remove `once(` and `)` around the only goal.
    fn without_once(&self) -> Vec<Edit> {
        let [only] = &self.goals[..] else {
            return Vec::new();
        };
        let (site, clause) = (self.site, &self.site.clauses[self.clause]);
        let body = clause
            .body
            .map_or(Vec::new(), |body| self.terms.subterms(body));
        let is_around = |&id: &TermId| Goal::lower(self.terms, id) == Goal::Once(only.goal);
        let place = &site.places[self.clause];
        let around = body
            .into_iter()
            .find(is_around)
            .and_then(|id| place.range(id));
        let Some(((from, to), (start, end))) = around.zip(place.range(only.goal)) else {
            return Vec::new();
        };
        let is_plain =
            site.text.get(from..start) == Some("once(") && site.text.get(end..to) == Some(")");
        let removed = [from..start, end..to].map(|range| Edit {
            range,
            text: String::new(),
        });
        is_plain.then_some(removed).into_iter().flatten().collect()
    }

    fn are_neighbours(&self) -> bool {
        let mut pairs = self.goals.windows(2);
        let follows = |pair: &[MatchedGoal]| Some(pair[0].place? + 1 == pair[1].place?);
        pairs.all(|pair| follows(pair) == Some(true))
    }

    /// Returns the edits that replace each old goal by the corresponding new goal.
    fn replace_each(&self) -> Option<Vec<Edit>> {
        let pairs = self.goals.iter().zip(&self.alternative.after);
        pairs
            .map(|(before, &after)| {
                (self.site).replace(self.clause, before.goal, self.goal(after)?)
            })
            .collect()
    }

    /// Returns the edits that replace the old goals by the new goals.
    fn replace_all(&self) -> Option<Vec<Edit>> {
        let after = self.alternative.after.iter().map(|&goal| self.goal(goal));
        let text = after.collect::<Option<Vec<_>>>()?.join(", ");
        match &self.goals[..] {
            [only] => Some(vec![self.site.replace(self.clause, only.goal, text)?]),
            [first, second] => (self.site).replace_both(self.clause, first.goal, second.goal, text),
            _ => None,
        }
    }

    /// Returns the edits that remove all goals except the last, which is kept if it equals the new goal.
    fn remove_others(&self) -> Option<Vec<Edit>> {
        let pairs = self.goals.windows(2);
        let edits = pairs.map(|pair| self.site.remove(self.clause, pair[0].goal, pair[1].goal));
        let mut edits: Vec<Edit> = edits.collect::<Option<_>>()?;
        let (last, step) = (self.goals.last()?, self.alternative.before.last()?);
        let &[after] = &self.alternative.after[..] else {
            return None;
        };
        if !is_equal(&self.alternative.terms, step.goal, after) {
            edits.push(
                self.site
                    .replace(self.clause, last.goal, self.goal(after)?)?,
            );
        }
        Some(edits)
    }

    /// Returns the edits that replace differing names and arguments, and remove goals that have no counterpart among the new goals.
    fn replace_arguments(&self) -> Option<Vec<Edit>> {
        let mut edits = Vec::new();
        let steps = self.alternative.before.iter().zip(&self.goals);
        for ((step, before), &after) in steps.zip(&self.alternative.after) {
            edits.extend(self.renamed(before.goal, step.goal, after)?);
            edits.extend(self.changed_arguments(before, step.goal, after)?);
        }
        let kept = self.alternative.after.len();
        for pair in self.goals.get(kept - 1..)?.windows(2) {
            let place = &self.site.places[self.clause];
            let (_, from) = place.range(pair[0].goal)?;
            let (next, to) = place.range(pair[1].goal)?;
            (self.site.text.get(from..next)?.trim() == ",").then_some(())?;
            edits.push(Edit {
                range: from..to,
                text: String::new(),
            });
        }
        Some(edits)
    }

    /// Returns the edit that replaces the name of a goal by the name in the new goal, if the names differ.
    fn renamed(&self, goal: TermId, step: TermId, after: TermId) -> Option<Option<Edit>> {
        let terms = &*self.alternative.terms;
        let ((before, _), (name, _)) = (terms.functor(step)?, terms.functor(after)?);
        if before == name {
            return Some(None);
        }
        let (from, _) = self.site.places[self.clause].range(goal)?;
        let end = self.site.source(self.clause, goal)?.find('(')?;
        Some(Some(Edit {
            range: from..from + end,
            text: name.to_string(),
        }))
    }

    fn changed_arguments(
        &self,
        before: &MatchedGoal,
        step: TermId,
        after: TermId,
    ) -> Option<Vec<Edit>> {
        let terms = &*self.alternative.terms;
        let patterns = terms.args(step).iter().zip(terms.args(after));
        let changed = (before.arguments.iter().zip(patterns))
            .filter(|(_, (old, new))| !is_equal(terms, **old, **new));
        changed
            .map(|(&argument, (_, &new))| {
                (self.site).replace(self.clause, argument, self.argument(new)?)
            })
            .collect()
    }
}
