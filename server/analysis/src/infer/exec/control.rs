//! Control constructs: cut, disjunction, conditions, negation.

use super::*;

impl Runner<'_> {
    pub(super) fn cut(&self, scope: &ClauseScope<'_>, point: &mut Point, part: Part<'_>) {
        scope.cuts.set(scope.cuts.get() + 1);
        if !part.local_cut {
            if part.certain && point.sure {
                scope.sure_cut.set(true);
            } else if !scope.sure_cut.get() {
                scope.may_cut.set(true);
            }
        }
        // What stands before is used for its first solution only.
        let before = Tree {
            steps: std::mem::take(&mut point.steps),
            end: End::Success(Box::new(Exit {
                state: point.state.clone(),
                arguments: Vec::new(),
            })),
            cut_inside: false,
        };
        point.steps.push(Step::Once(Box::new(before), false));
    }

    pub(super) fn disjunction(
        &self,
        scope: &ClauseScope<'_>,
        point: Point,
        goals: Vec<Goal>,
        part: Part<'_>,
        (whole, left, right): (TermId, TermId, TermId),
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        for (arrow, soft) in [("->", false), ("*->", true)] {
            if let Some(&[condition, then]) = terms.matches(left, arrow, 2) {
                return self.if_then_else(
                    scope,
                    point,
                    goals,
                    part,
                    (condition, Some(then), Some(right)),
                    soft,
                );
            }
        }
        let mut point = point;
        let extent = self.machine_section(scope, &mut point, Section::Left(whole));
        let steps = point.steps.clone();
        let mut trees = Vec::new();
        for branch in [left, right] {
            let mut rest = goals.clone();
            rest.push(Goal::Term(branch));
            trees.push(self.branch(scope, &point, rest, part)?);
            point.at = extent.and_then(|e| e.next);
        }
        let cut_inside = trees.iter().any(|t| t.cut_inside)
            || has_cut(terms, &[left, right])
            || goals.iter().any(|g| g.may_cut(terms));
        Ok(Tree {
            steps,
            end: End::Each(trees),
            cut_inside,
        })
    }

    /// Continues in one of several branches: the steps so far stay with the caller.
    pub(super) fn branch(
        &self,
        scope: &ClauseScope<'_>,
        point: &Point,
        goals: Vec<Goal>,
        part: Part<'_>,
    ) -> Result<Tree, Split> {
        let inner = Point {
            state: point.state.clone(),
            steps: Vec::new(),
            sure: point.sure,
            at: point.at,
            begun: None,
        };
        if part.depth >= DEEPEST_CONTROL || scope.leaves.get() >= MOST_LEAVES {
            let reason = "the clause has too many branches".to_owned();
            return Ok(self.give_up(
                scope,
                inner,
                None,
                reason,
                "Split the clause into several predicates.",
            ));
        }
        let deeper = Part {
            depth: part.depth + 1,
            certain: false,
            ..part
        };
        self.run(scope, inner, goals, deeper)
    }

    /// `(C -> T ; E)`, `(C -> T)`, `\+ C` (no then), `once(C)`, `ignore(C)`. `None` stands for failure.
    pub(super) fn if_then_else(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        goals: Vec<Goal>,
        part: Part<'_>,
        (condition, then, otherwise): (TermId, Option<TermId>, Option<TermId>),
        soft: bool,
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        let negated = then.is_none();
        let continue_with = |mut rest: Vec<Goal>, branch: Option<TermId>| {
            match branch {
                Some(TRUE) => {}
                Some(t) => rest.push(Goal::Term(t)),
                None => rest.push(Goal::Fail),
            }
            rest
        };
        // \+ C: fails where C succeeds, goes on where C fails.
        let (on_true, on_false) = if negated {
            (None, Some(TRUE))
        } else {
            (then, otherwise)
        };
        // Where instructions are counted, the `else` goes on at its place, and so does what follows the condition.
        let extent = self.machine_section(scope, &mut point, Section::Condition(condition));
        let (then_at, else_at) = (extent.map(|e| e.end), extent.and_then(|e| e.next));
        let inside = vec![Goal::Term(condition)];
        let code = extent.map(|e| (e.start, Some(e.end)));
        let Some(tree) = self.inner(scope, &point, part, inside, code)? else {
            let reason = "conditions are nested too deeply".to_owned();
            return Ok(self.give_up(scope, point, Some(condition), reason, "Split the clause."));
        };
        let exits = tree.exits();
        let after = exits
            .iter()
            .map(|e| e.state.clone())
            .reduce(|a, b| a.join(&b, terms, self.world));
        let surely = tree.cannot_fail();
        let Some(after) = after else {
            self.push_condition(&mut point, tree, false, soft);
            point.at = else_at;
            let rest = continue_with(goals, on_false);
            return self.run(scope, point, rest, part);
        };
        if surely {
            self.push_condition(&mut point, tree, true, soft);
            if !negated {
                point.state = after;
            }
            point.at = then_at;
            let rest = continue_with(goals, on_true);
            return self.run(scope, point, rest, part);
        }
        // Both outcomes are possible.
        let cut_in_branches = [then, otherwise]
            .into_iter()
            .flatten()
            .any(|t| t != TRUE && has_cut(terms, &[t]))
            || goals.iter().any(|g| g.may_cut(terms));
        let steps = std::mem::take(&mut point.steps);
        let mut success = point.clone();
        if !negated {
            success.state = after;
        }
        success.at = then_at;
        point.at = else_at;
        let mut taken =
            self.branch(scope, &success, continue_with(goals.clone(), on_true), part)?;
        let mut skipped = self.branch(scope, &point, continue_with(goals, on_false), part)?;
        let mut before = Point::new(point.state.clone());
        self.push_condition(&mut before, tree.clone(), true, soft);
        taken.steps.splice(0..0, before.steps);
        let mut before = Point::new(point.state.clone());
        self.push_condition(&mut before, tree, false, soft);
        skipped.steps.splice(0..0, before.steps);
        let cut_inside = taken.cut_inside || skipped.cut_inside || cut_in_branches;
        Ok(Tree {
            steps,
            end: End::Either(vec![taken, skipped]),
            cut_inside,
        })
    }

    /// Records a condition that succeeded or failed.
    fn push_condition(&self, point: &mut Point, mut tree: Tree, succeeded: bool, soft: bool) {
        if tree.steps.is_empty() && matches!(tree.end, End::Success(_) | End::Fail) {
            return;
        }
        if self.counts_machine() && !(soft && succeeded) {
            tree = machine::sharpened(tree, succeeded);
        }
        match (succeeded, soft) {
            (true, true) => {
                // `*->`: all solutions of the condition are used, at least the first. Their bindings are joined already.
                point.steps.push(Step::Goal(Box::new(tree), true));
            }
            (true, false) => point.steps.push(Step::Once(Box::new(tree), true)),
            (false, _) => point.steps.push(Step::Failed(Box::new(tree))),
        }
    }
}

/// Whether a cut that is not inside a condition or negation occurs.
pub(super) fn has_cut(terms: &Terms, goals: &[TermId]) -> bool {
    let mut stack = goals.to_vec();
    while let Some(t) = stack.pop() {
        if t == TRUE {
            continue;
        }
        match (
            terms.functor(t).map(|(n, a)| (n.as_str(), a)),
            terms.args(t),
        ) {
            (Some(("!", 0)), _) => return true,
            (Some(("," | ";" | "|", 2)), args) => stack.extend(args),
            (Some(("->" | "*->", 2)), &[_, then]) => stack.push(then),
            _ => {}
        }
    }
    false
}
