//! Control constructs: cut, disjunction, if-then-else and negation.

use costlens_body::{Arrow, Goal, cuts_clause};
use costlens_compile::code::ConstructPart;
use costlens_compile::ppdp08::AlternativeKey;
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::point::model::Sections;
use super::point::{BodyPart, ClauseScope, DEEPEST_CONTROL, PendingGoal, Point};
use crate::tree::{End, Exit, Step, Tree};
use crate::world::questions::{Split, Truth};

/// The maximum number of leaves in the run of one clause.
const MOST_LEAVES: usize = 64;
/// The maximum number of branches of disjunctions and conditions in the run of one clause, including branches that fail.
const MOST_BRANCHES: usize = 4096;

/// A condition and its branches: `once(G)` is `( G -> true ; fail )`.
#[derive(Clone, Copy)]
pub(super) struct Condition {
    arrow: Arrow,
    condition: TermId,
    then: Branch,
    otherwise: Branch,
}

/// The goals that run after a condition, before the remaining goals of the part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    Goal(TermId),
    True,
    Fail,
}

impl Condition {
    /// Lowers a goal to a condition. Returns `None` for any other goal.
    pub(super) fn lower(goal: Goal<'_>) -> Option<Self> {
        let (arrow, condition, then, otherwise) = match goal {
            Goal::IfThenElse {
                arrow,
                condition,
                then,
                otherwise,
            } => (arrow, condition, then, Branch::Goal(otherwise)),
            Goal::IfThen {
                arrow,
                condition,
                then,
            } => (arrow, condition, then, Branch::Fail),
            Goal::Not(goal) | Goal::NotCalled(goal) => return Some(Self::negation(goal)),
            Goal::Once(goal) => return Some(Self::once(goal)),
            Goal::Ignore(goal) => {
                return Some(Condition {
                    otherwise: Branch::True,
                    ..Self::once(goal)
                });
            }
            _ => return None,
        };
        Some(Condition {
            arrow,
            condition,
            then: Branch::Goal(then),
            otherwise,
        })
    }

    /// Makes the condition of `once(G)`.
    pub(super) fn once(goal: TermId) -> Self {
        Condition {
            arrow: Arrow::Hard,
            condition: goal,
            then: Branch::True,
            otherwise: Branch::Fail,
        }
    }

    /// Makes the condition of `\+ G`.
    pub(super) fn negation(goal: TermId) -> Self {
        Condition {
            then: Branch::Fail,
            otherwise: Branch::True,
            ..Self::once(goal)
        }
    }

    /// Returns true for `\+ G`, which binds nothing.
    fn is_negation(&self) -> bool {
        self.then == Branch::Fail
    }
}

/// The continuations after a condition.
struct Outcomes {
    /// The goals that run if the condition succeeds, in reverse order.
    on_true: Vec<PendingGoal>,
    /// The goals that run if the condition fails, in reverse order.
    on_false: Vec<PendingGoal>,
    /// True if the condition's bindings are kept.
    binds: bool,
    /// True if all solutions of the condition are used.
    soft: bool,
    sections: Sections,
}

impl Runner<'_> {
    pub(super) fn cut(&self, scope: &ClauseScope<'_>, point: &mut Point, part: BodyPart<'_>) {
        scope.cuts.set(scope.cuts.get() + 1);
        if !part.local_cut {
            scope.model.cuts(point);
            if part.certain && point.sure {
                scope.sure_cut.set(true);
            } else if !scope.sure_cut.get() {
                scope.may_cut.set(true);
            }
        }
        // Only the first solution of the preceding goals is used.
        let before = Tree {
            steps: std::mem::take(&mut point.steps),
            end: End::Success(Box::new(Exit {
                state: point.state.clone(),
                arguments: Vec::new(),
                elements: Vec::new(),
            })),
            cut_inside: false,
        };
        point.steps.push(Step::Once(Box::new(before), false));
    }

    pub(super) fn disjunction(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        goals: Vec<PendingGoal>,
        part: BodyPart<'_>,
        whole: TermId,
        [left, right]: [TermId; 2],
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        scope.model.disjunction(&mut point);
        // The code of the clause does not contain this condition.
        if !scope.model.follows_code()
            && !cuts_clause(terms, &[left, right])
            && let Some(cut) = next_cut(&goals, terms)
        {
            return self.up_to_cut(scope, point, goals, part, (whole, [left, right]), cut);
        }
        let sections = (scope.model).section(scope, &mut point, ConstructPart::Left(whole));
        let mut trees = Vec::new();
        for (branch, key) in [
            (left, AlternativeKey::Left(whole)),
            (right, AlternativeKey::Otherwise(whole)),
        ] {
            let goal = Some(PendingGoal::Term(branch));
            let rest = scope.model.alternative(goals.clone(), key, goal);
            trees.push(self.branch(scope, &point, rest, part)?);
            point.model = sections.otherwise.clone();
        }
        let cut_inside = trees.iter().any(|t| t.cut_inside)
            || cuts_clause(terms, &[left, right])
            || goals.iter().any(|g| g.may_cut(terms));
        Ok(Tree {
            steps: point.steps,
            end: End::Each(trees),
            cut_inside,
        })
    }

    /// Runs `(A ; B), G, !, R` as `(A, G -> !, R ; B, G, !, R)`, so that there is one continuation after the cut instead of one per branch.
    fn up_to_cut(
        &self,
        scope: &ClauseScope<'_>,
        point: Point,
        goals: Vec<PendingGoal>,
        part: BodyPart<'_>,
        (whole, [left, right]): (TermId, [TermId; 2]),
        cut: usize,
    ) -> Result<Tree, Split> {
        let mut inside = goals[cut + 1..].to_vec();
        inside.push(PendingGoal::Term(left));
        let on_true = goals[..=cut].to_vec();
        let key = AlternativeKey::Otherwise(whole);
        let on_false = (scope.model).alternative(goals, key, Some(PendingGoal::Term(right)));
        let outcomes = Outcomes {
            on_true,
            on_false,
            binds: true,
            soft: false,
            sections: Sections::around_construct(scope.model.start(), &point),
        };
        self.either(scope, point, part, left, inside, outcomes)
    }

    /// Continues in each of several branches; the caller keeps the preceding steps.
    pub(super) fn branch(
        &self,
        scope: &ClauseScope<'_>,
        point: &Point,
        goals: Vec<PendingGoal>,
        part: BodyPart<'_>,
    ) -> Result<Tree, Split> {
        let inner = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: point.sure,
            model: point.model.clone(),
        };
        scope.branches.set(scope.branches.get() + 1);
        if part.depth >= DEEPEST_CONTROL
            || scope.leaves.get() >= MOST_LEAVES
            || scope.branches.get() > MOST_BRANCHES
        {
            let reason = "the clause has too many branches".to_owned();
            return Ok(self.give_up(
                scope,
                inner,
                None,
                reason,
                "Split the clause into several predicates.",
            ));
        }
        let deeper = BodyPart {
            depth: part.depth + 1,
            certain: false,
            ..part
        };
        self.run(scope, inner, goals, deeper)
    }

    /// Runs `(C -> T ; E)`, `(C -> T)`, `\+ C`, `once(C)`, `ignore(C)`.
    pub(super) fn condition(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        goals: Vec<PendingGoal>,
        part: BodyPart<'_>,
        of: Condition,
    ) -> Result<Tree, Split> {
        let (condition, negated) = (of.condition, of.is_negation());
        let model = &scope.model;
        let continue_with = |rest: Vec<PendingGoal>, key: AlternativeKey, branch: Branch| {
            let goal = match branch {
                Branch::True => None,
                Branch::Goal(t) => Some(PendingGoal::Term(t)),
                Branch::Fail => Some(PendingGoal::Fail),
            };
            model.alternative(rest, key, goal)
        };
        model.condition(scope, &mut point, condition, negated);
        let (key, otherwise) = (
            AlternativeKey::Condition(condition),
            AlternativeKey::Otherwise(condition),
        );
        let outcomes = Outcomes {
            sections: model.section(scope, &mut point, ConstructPart::Condition(condition)),
            on_true: continue_with(goals.clone(), key, of.then),
            on_false: continue_with(goals, otherwise, of.otherwise),
            binds: !negated,
            soft: of.arrow.is_soft(),
        };
        if !of.arrow.is_soft() {
            self.run_once.set(Some(condition));
        }
        let inside = vec![PendingGoal::Term(condition)];
        self.either(scope, point, part, condition, inside, outcomes)
    }

    /// Runs goals (in reverse order), with one continuation for their success (for the first solution, or for each one if `soft`) and
    /// another for their failure. If the goals cannot be run, the report names `written`.
    fn either(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        part: BodyPart<'_>,
        written: TermId,
        inside: Vec<PendingGoal>,
        outcomes: Outcomes,
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        let Outcomes {
            on_true,
            on_false,
            binds,
            soft,
            sections,
        } = outcomes;
        let inside = self.inner(scope, &point, part, inside, Some(sections.inside))?;
        let Some(tree) = inside else {
            let reason = "conditions are nested too deeply".to_owned();
            return Ok(self.give_up(scope, point, Some(written), reason, "Split the clause."));
        };
        let surely = tree.cannot_fail();
        let Some(after) = self.exit_state(terms, &tree) else {
            push_condition(scope, &mut point, tree, Tested::Failed, soft);
            point.model = sections.otherwise;
            return self.run(scope, point, on_false, part);
        };
        if surely {
            push_condition(scope, &mut point, tree, Tested::Succeeded, soft);
            if binds {
                point.state = after;
            }
            point.model = sections.then;
            return self.run(scope, point, on_true, part);
        }
        if !binds && !scope.model.follows_code() {
            // `\+ G` binds nothing and leaves no choice point, so both outcomes share one continuation.
            push_condition(scope, &mut point, tree, Tested::Failed, soft);
            point.note(Truth::Maybe);
            return self.run(scope, point, on_false, part);
        }
        // Both outcomes are possible.
        let cut_in_branches = (on_true.iter().chain(&on_false)).any(|g| g.may_cut(terms));
        let steps = std::mem::take(&mut point.steps);
        let mut success = point.clone();
        if binds {
            success.state = after;
        }
        success.model = sections.then;
        point.model = sections.otherwise;
        let mut taken = self.branch(scope, &success, on_true, part)?;
        let mut skipped = self.branch(scope, &point, on_false, part)?;
        let mut before = Point::new(point.state.clone());
        push_condition(scope, &mut before, tree.clone(), Tested::Succeeded, soft);
        taken.steps.splice(0..0, before.steps);
        let mut before = Point::new(point.state.clone());
        push_condition(scope, &mut before, tree, Tested::Failed, soft);
        skipped.steps.splice(0..0, before.steps);
        let cut_inside = taken.cut_inside || skipped.cut_inside || cut_in_branches;
        Ok(Tree {
            steps,
            end: End::Either(vec![taken, skipped]),
            cut_inside,
        })
    }
}

/// The outcome of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tested {
    Succeeded,
    Failed,
}

/// Records a condition that has succeeded or failed.
fn push_condition(
    scope: &ClauseScope<'_>,
    point: &mut Point,
    mut tree: Tree,
    tested: Tested,
    soft: bool,
) {
    let succeeded = tested == Tested::Succeeded;
    if tree.steps.is_empty() && matches!(tree.end, End::Success(_) | End::Fail) {
        return;
    }
    if !(soft && succeeded) {
        tree = scope.model.sharpened(tree, succeeded);
    }
    match (succeeded, soft) {
        (true, true) => {
            // `*->`: all solutions of the condition are used, at least the first one. Their bindings are already joined.
            point.steps.push(Step::Goal(Box::new(tree), true));
        }
        (true, false) => point.steps.push(Step::Once(Box::new(tree), true)),
        (false, _) => point.steps.push(Step::Failed(Box::new(tree))),
    }
}

/// Returns the position of the next cut among goals in reverse order. Returns `None` if an earlier goal may cut.
fn next_cut(goals: &[PendingGoal], terms: &Terms) -> Option<usize> {
    let next = goals.iter().rposition(|g| g.may_cut(terms))?;
    let is_plain =
        matches!(goals[next], PendingGoal::Term(t) if Goal::lower(terms, t) == Goal::Cut);
    is_plain.then_some(next)
}
