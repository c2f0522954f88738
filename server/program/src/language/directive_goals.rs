//! The goals that a directive runs, including those in control constructs.
//!
//! ```prolog
//! :- ( use_module(fast) -> true ; use_module(slow) ).    % the first always runs, the second may
//! :- user:use_module(tables).                            % in another module
//! :- initialization(consult(extra)).                     % when the file is loaded
//! ```

use costlens_body::{Collector, Goal};
use costlens_syntax::term::{TermId, Terms};
use smol_str::SmolStr;

/// A goal that a directive runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DirectiveGoal {
    /// The goal.
    pub(crate) goal: TermId,
    /// The innermost module that qualifies the goal.
    pub(crate) into: Option<SmolStr>,
    /// True if the goal always runs when the directive runs, except after exceptions.
    pub(crate) certain: bool,
    /// True if the goal runs only after the whole file is loaded.
    pub(crate) at_end: bool,
}

/// The maximum number of goals examined in one directive.
const MOST_GOALS: usize = 10_000;

/// Returns the goals that a directive runs, in text order.
pub(crate) fn goals_run(terms: &Terms, directive: TermId) -> Vec<DirectiveGoal> {
    let mut found = Vec::new();
    let mut stack = vec![DirectiveGoal {
        goal: directive,
        into: None,
        certain: true,
        at_end: false,
    }];
    let mut budget = MOST_GOALS;
    while let Some(run) = stack.pop() {
        budget = budget.saturating_sub(1);
        if budget == 0 {
            break;
        }
        let of = |goal: TermId| DirectiveGoal {
            goal,
            ..run.clone()
        };
        let perhaps = |goal: TermId| DirectiveGoal {
            certain: false,
            ..of(goal)
        };
        let lowered = Goal::lower(terms, run.goal);
        match lowered {
            Goal::Variable(_) | Goal::NotCallable | Goal::Unreadable => {}
            Goal::Conjunction(first, second) => stack.extend([of(second), of(first)]),
            Goal::Forall { condition, action } => {
                stack.extend([perhaps(action), of(condition)]);
            }
            Goal::Cleanup { setup, goal, .. } => {
                stack.push(of(goal));
                stack.extend(setup.map(of));
            }
            Goal::Not(inner)
            | Goal::NotCalled(inner)
            | Goal::Once(inner)
            | Goal::Ignore(inner)
            | Goal::Timed(inner)
            | Goal::Assertion(inner)
            | Goal::Captured { goal: inner, .. }
            | Goal::Catch { goal: inner, .. }
            | Goal::CallN {
                closure: inner,
                added: [],
            }
            | Goal::Collect {
                collector: Collector::FindAll,
                goal: inner,
                ..
            } => stack.push(of(inner)),
            Goal::Qualified { module, goal } | Goal::InContext { goal, module } => {
                stack.push(DirectiveGoal {
                    into: terms.as_atom(module).cloned().or_else(|| run.into.clone()),
                    ..of(goal)
                });
            }
            Goal::Call(call) => match (call.name.as_str(), call.args) {
                ("notrace" | "quietly", &[inner])
                | ("call_cleanup", &[inner, _, _])
                | ("with_output_to", &[_, inner, _]) => stack.push(of(inner)),
                ("initialization", &[inner, when])
                    if terms.as_atom(when).is_some_and(|w| w == "now") =>
                {
                    stack.push(of(inner));
                }
                ("initialization", &[inner, ..]) => stack.push(DirectiveGoal {
                    at_end: true,
                    ..of(inner)
                }),
                _ => found.push(run),
            },
            // The first goal of a disjunction or a conditional always runs.
            _ => match lowered.branches().as_slice() {
                [first, others @ ..] => {
                    stack.extend(others.iter().rev().map(|&goal| perhaps(goal)));
                    stack.push(of(*first));
                }
                [] => found.push(run),
            },
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// Returns the names of the goals that a directive runs.
    fn run(goal: &str) -> Vec<String> {
        let file = read_text(&format!("{goal}.\n"));
        let clause = &file.clauses[0];
        (goals_run(&clause.terms, clause.root).iter())
            .filter_map(|run| clause.terms.functor(run.goal))
            .map(|(name, arity)| format!("{name}/{arity}"))
            .collect()
    }

    #[test]
    fn goals_are_found_through_control_constructs_and_meta_predicates() {
        for (goal, expected) in [
            ("use_module(a), b", "use_module/1 b/0"),
            ("( a -> b ; c )", "a/0 b/0 c/0"),
            ("catch(consult(a), _, b)", "consult/1"),
            ("with_output_to(string(_), consult(a))", "consult/1"),
            // The template is not a goal.
            ("findall(consult(X), use_module(X), _)", "use_module/1"),
            ("findall(x, consult(a), _, [])", "consult/1"),
        ] {
            assert_eq!(run(goal).join(" "), expected, "{goal}");
        }
    }
}
