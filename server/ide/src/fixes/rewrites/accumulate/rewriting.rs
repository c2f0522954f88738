//! Rewrites clauses to use an accumulator.

use costlens_body::{Arrow, Goal};
use costlens_syntax::term::{TermId, Terms};

use super::{Update, ValuePath, ValueSource, updated_goal};
use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{pure_test, rows, variable, whole};
use crate::fixes::rewrites::extended::Extended;
use crate::fixes::site::Site;
use crate::fixes::variant::applied;
use crate::fixes::ways::Replaced;

/// A clause to which an accumulator is added.
pub(super) struct Rewriting<'a> {
    pub(super) site: &'a Site<'a>,
    pub(super) number: usize,
    pub(super) result: usize,
    pub(super) extended: &'a Extended<'a>,
    pub(super) ways: Vec<&'a ValuePath<'a>>,
}

impl Rewriting<'_> {
    pub(super) fn edits(&self, needs: &mut Vec<Condition>) -> Option<Vec<Edit>> {
        let (site, number) = (self.site, self.number);
        let clause = &site.clauses[number];
        let head = *clause.terms.args(clause.head).get(self.result)?;
        let accumulator = site.new_variable(number, &["Acc", "Acc0", "Sofar", "Sofar0"])?;
        let result = site.source(number, head)?;
        let mut replaced = Replaced::default();
        let mut gone = Vec::new();
        let mut moved: Vec<TermId> = Vec::new();
        let mut named = result;
        let mut edits: Vec<Edit> = Vec::new();
        for taken in &self.ways {
            match &taken.part {
                ValueSource::End { goal: None, .. } => named = accumulator,
                ValueSource::End {
                    goal: Some(goal), ..
                } => replaced.set(*goal, format!("{result} = {accumulator}"))?,
                ValueSource::Step(step) => {
                    let with = self
                        .ways
                        .iter()
                        .filter(|t| t.way.place(step.call).is_some());
                    match &step.update {
                        _ if moved.contains(&step.call) => {}
                        Update::None => {
                            let text = self.goal(step.call, accumulator, result)?;
                            replaced.set(step.call, text)?;
                        }
                        _ if with.clone().count() > 1 => {
                            moved.push(step.call);
                            let all: Vec<&ValuePath<'_>> = with.copied().collect();
                            edits.extend(self.choice(&all, step.call, accumulator, needs)?);
                        }
                        Update::Same(goal) => {
                            let text = self.goal(step.call, accumulator, result)?;
                            replaced.set(step.call, text)?;
                            gone.push(*goal);
                        }
                        Update::Is { goal, value, .. } => {
                            let next = self.next()?;
                            let update = self.update(*goal, *value, accumulator, next)?;
                            let call = self.goal(step.call, next, result)?;
                            // All goals must be in one sequence, since the call follows the update in the variant.
                            let all = rows(clause);
                            let row = all.iter().find(|row| row.goals.contains(&step.call))?;
                            let mut behind = step.between.iter().chain([goal]);
                            let is_one_row = behind.all(|g| row.goals.contains(g));
                            (is_one_row && !step.is_chosen).then_some(())?;
                            if step.between.is_empty() {
                                replaced.set(step.call, update)?;
                                replaced.set(*goal, call)?;
                            } else {
                                gone.push(step.call);
                                replaced.set(*goal, format!("{update}, {call}"))?;
                            }
                        }
                    }
                }
            }
        }
        edits.extend(site.take_out(number, &|g| gone.contains(&g))?);
        let place = &site.places[number];
        edits.push(Edit {
            range: place.head.0..place.head.1,
            text: self.goal(clause.head, accumulator, named)?,
        });
        edits.extend(replaced.edits(site, number)?);
        Some(edits)
    }

    fn next(&self) -> Option<&'static str> {
        let names = ["Acc1", "Acc2", "Sofar1", "Sofar2"];
        self.site.new_variable(self.number, &names)
    }

    /// Returns the text of the head or a call, with an accumulator added.
    fn goal(&self, goal: TermId, accumulator: &str, value: &str) -> Option<String> {
        (self.extended).changed(self.number, goal, self.result, value, accumulator)
    }

    /// Returns `Acc1 is Acc+X` for `S is S0+X` and for `plus(S0, X, S)`.
    fn update(&self, goal: TermId, value: TermId, accumulator: &str, next: &str) -> Option<String> {
        updated_goal(self.site, self.number, goal, value, accumulator, next)
    }

    /// Returns the edits that swap an if-then-else and the preceding call.
    fn choice(
        &self,
        ways: &[&ValuePath<'_>],
        call: TermId,
        accumulator: &str,
        needs: &mut Vec<Condition>,
    ) -> Option<Vec<Edit>> {
        let (site, number) = (self.site, self.number);
        let clause = &site.clauses[number];
        let terms = &clause.terms;
        let head = *terms.args(clause.head).get(self.result)?;
        let all = rows(clause);
        let row = all.iter().find(|row| row.goals.contains(&call))?;
        let &[.., before, choice] = &row.goals[..] else {
            return None;
        };
        (before == call).then_some(())?;
        let mut edits: Vec<Edit> = Vec::new();
        let range = site.in_brackets(number, choice)?;
        let (from, to) = (range.start, range.end);
        let next = self.next()?;
        let mut updates = Vec::new();
        for taken in ways {
            let ValueSource::Step(step) = &taken.part else {
                return None;
            };
            let goal = step.update.goal()?;
            let text = match &step.update {
                Update::Is { goal, value, .. } => self.update(*goal, *value, accumulator, next)?,
                _ => format!("{next} = {accumulator}"),
            };
            if !updates.contains(&goal) {
                updates.push(goal);
                updates.extend(&step.between);
                let whole = whole(site, number, goal)?;
                edits.push(Edit {
                    range: whole.start.checked_sub(from)?..whole.end.checked_sub(from)?,
                    text,
                });
            }
        }
        for (term, is) in always_succeeds(terms, choice, &updates)? {
            let v = variable(terms, term)?;
            // The value of a variable that a condition binds is unknown outside.
            let inside = terms.variables_of(choice);
            let own = inside.iter().filter(|&&w| w == v).count();
            if is == Shape::Integer || own < site.occurrences(number, v) {
                needs.push(Condition::before_goal(number, call, term, is));
            }
        }
        edits.sort_by_key(|e| e.range.start);
        let text = applied(site.text.get(from..to)?, &edits);
        let call_text = self.goal(call, next, site.source(number, head)?)?;
        Some(vec![
            site.replace(number, call, text)?,
            Edit {
                range,
                text: call_text,
            },
        ])
    }
}

/// Returns conditions on variables under which an if-then-else succeeds exactly once and raises no exception. Its branches must end with the
/// given goals. Returns `None` if it may behave otherwise.
fn always_succeeds(
    terms: &Terms,
    choice: TermId,
    goals: &[TermId],
) -> Option<Vec<(TermId, Shape)>> {
    let (mut needs, mut waiting) = (Vec::new(), vec![choice]);
    while let Some(at) = waiting.pop() {
        if goals.contains(&at) {
            continue;
        }
        match Goal::lower(terms, at) {
            Goal::Conjunction(left, right) => waiting.extend([left, right]),
            Goal::IfThenElse {
                arrow: Arrow::Hard,
                condition,
                then,
                otherwise,
            } => {
                needs.extend(pure_test(terms, condition)?);
                waiting.extend([then, otherwise]);
            }
            _ => return None,
        }
    }
    Some(needs)
}
