//! The goals of a body, one after the other: each goes to the file of its kind.

use costlens_catalog::{counts_nothing, is_fixed, meta_arguments};
use costlens_events::Vocabulary;
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::point::{BodyPart, ClauseScope, Goal, Point, TRUE, fail, has_cut};
use super::wrapped::runs_once;
use crate::lattice::types::Type;
use crate::report::Functor;
use crate::state::State;
use crate::tree::{End, Exit, Tree};
use crate::world::questions::{Split, Truth};

/// How many cuts the run of one clause may pass: each wraps what stands before it.
const MOST_CUTS: usize = 64;

impl Runner<'_> {
    /// Runs goals (the last one first) to the end of the part. Long, since it is the table of control constructs, most of which take over
    /// the rest of the part.
    pub(super) fn run(
        &self,
        scope: &ClauseScope<'_>,
        mut point: Point,
        mut goals: Vec<Goal>,
        part: BodyPart<'_>,
    ) -> Result<Tree, Split> {
        let terms = scope.terms;
        while let Some(goal) = goals.pop() {
            self.fuel.set(self.fuel.get().saturating_sub(1));
            let goal = match goal {
                // `G` is `call(G)`: a cut in what it holds is local to that.
                Goal::Term(goal) if matches!(terms.get(goal), Term::Var(_)) => {
                    Goal::Opaque(point.state.resolve(terms, goal))
                }
                goal => goal,
            };
            if let Goal::Opaque(goal) = goal {
                self.converted(&mut point, terms, goal);
            }
            let goal = match goal {
                Goal::Term(goal) => goal,
                Goal::Commit => {
                    self.count_cut(&mut point);
                    self.cut(scope, &mut point, part);
                    continue;
                }
                Goal::Fail => {
                    self.machine_fail(scope, &mut point);
                    return Ok(fail(point));
                }
                Goal::Code(spot) => {
                    self.at_spot(scope, &mut point, spot);
                    continue;
                }
                Goal::Not(goal) => {
                    let branches = (goal, None, None);
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                Goal::Once(goal) => {
                    let branches = (goal, Some(TRUE), None);
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                Goal::Cleanup(goal) => {
                    self.cleanup(scope, &mut point, part, goal)?;
                    continue;
                }
                Goal::Caught(sink) => {
                    let truth = self.caught_text(scope, &mut point, sink)?;
                    if self.fails(scope, &mut point, sink, truth)? {
                        return Ok(fail(point));
                    }
                    continue;
                }
                Goal::Opaque(goal) if self.is_plain_goal(&point.state, terms, goal) => goal,
                Goal::Opaque(goal) if self.is_goal(&point.state, terms, goal) => {
                    match self.opaque(scope, &mut point, part, goal)? {
                        Truth::False => return Ok(fail(point)),
                        truth => self.note(&mut point, truth),
                    }
                    continue;
                }
                Goal::Opaque(goal) => goal,
            };
            let text = goal;
            let goal = point.state.resolve(terms, goal);
            let Some((name, _)) = terms.functor(goal) else {
                let reason = "this goal is a variable, and which goal it holds is not to be seen in the program".to_owned();
                self.obstacle(
                    scope,
                    &mut point,
                    Some(goal),
                    reason,
                    "Call a predicate by its name, or choose by the data which one to call.",
                );
                point.state.expose(terms, goal, &Type::Any);
                point.state.pure = false;
                continue;
            };
            let args = terms.args(goal);
            let redefined = self.is_own_control(name, args.len());
            let counts_control = matches!(
                self.counting,
                Some(Vocabulary::Ppdp08 | Vocabulary::Machine | Vocabulary::Heap)
            );
            if redefined || counts_control || !counts_nothing(name, args.len()) {
                self.begin(scope, &mut point, goal, text);
            } else if name == "!" {
                self.count_cut(&mut point);
            }
            if !redefined {
                self.converted_arguments(&mut point, terms, goal);
            }
            match (name.as_str(), args) {
                _ if redefined => {
                    let truth = self.literal(scope, &mut point, goal)?;
                    if self.fails(scope, &mut point, text, truth)? {
                        return Ok(fail(point));
                    }
                }
                (",", &[_, _]) => {
                    goals.extend(terms.chain(goal, ",").into_iter().rev().map(Goal::Term));
                }
                ("true" | "otherwise", []) => {}
                ("!", []) if scope.cuts.get() >= MOST_CUTS => {
                    let reason = "the clause has too many cuts".to_owned();
                    return Ok(self.give_up(scope, point, Some(goal), reason, "Split the clause."));
                }
                ("!", []) => self.cut(scope, &mut point, part),
                (";" | "|", &[left, right]) => {
                    return self.disjunction(scope, point, goals, part, (goal, left, right));
                }
                ("->" | "*->", &[condition, then]) => {
                    let soft = name == "*->";
                    return self.if_then_else(
                        scope,
                        point,
                        goals,
                        part,
                        (condition, Some(then), None),
                        soft,
                    );
                }
                ("\\+" | "not", &[inner]) => {
                    return self.if_then_else(
                        scope,
                        point,
                        goals,
                        part,
                        (inner, None, None),
                        false,
                    );
                }
                ("once", &[inner]) => {
                    let branches = (inner, Some(TRUE), None);
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                ("ignore", &[inner]) => {
                    let branches = (inner, Some(TRUE), Some(TRUE));
                    return self.if_then_else(scope, point, goals, part, branches, false);
                }
                ("call", &[inner]) if self.is_goal(&point.state, terms, inner) => {
                    goals.push(Goal::Opaque(inner));
                }
                ("setup_call_cleanup", &[setup, inner, cleanup]) => {
                    goals.extend([
                        Goal::Opaque(inner),
                        Goal::Cleanup(cleanup),
                        Goal::Once(setup),
                    ]);
                }
                ("call_cleanup", &[inner, cleanup]) => {
                    goals.extend([Goal::Opaque(inner), Goal::Cleanup(cleanup)]);
                }
                // `G`, and a message of how long it took.
                ("time", &[inner]) => match self.hooked(terms, &Functor::new("time", 1), args) {
                    Some((reason, help)) => {
                        self.not_known(scope, &mut point, goal, reason, help);
                    }
                    None => goals.push(Goal::Opaque(inner)),
                },
                (_, &[.., inner]) if runs_once(name, args.len()) => {
                    self.locks(&point, terms, args);
                    goals.push(Goal::Once(inner));
                }
                ("with_output_to", &[sink, inner]) => {
                    goals.extend([Goal::Caught(sink), Goal::Once(inner)]);
                }
                ("catch" | "catch_with_backtrace", &[inner, ball, recovery]) => {
                    return self.catch(scope, point, goals, part, (inner, ball, recovery));
                }
                _ => {
                    if let Some(facts) = self.facts_followed(scope, &point, goal, &goals) {
                        return self.each_fact(scope, point, &goals, part, (goal, &facts));
                    }
                    let truth = match (name.as_str(), args) {
                        ("forall", &[generator, condition]) => {
                            self.forall(scope, &mut point, part, (goal, generator, condition))?
                        }
                        ("findall", &[template, inner, list]) => {
                            let (goal, result) = ((template, inner), (list, None));
                            self.findall(scope, &mut point, part, goal, result)?
                        }
                        ("findall", &[template, inner, list, tail]) => {
                            let (goal, result) = ((template, inner), (list, Some(tail)));
                            self.findall(scope, &mut point, part, goal, result)?
                        }
                        ("bagof" | "setof", &[template, inner, list]) => {
                            let of = (template, inner, list);
                            self.grouped(scope, &mut point, part, of, name == "setof")?
                        }
                        ("assertion", &[inner]) => self.asserted(scope, &mut point, part, inner)?,
                        ("aggregate_all", &[what, inner, result]) => {
                            let of = (what, None, inner);
                            self.aggregate_all(scope, &mut point, part, of, result)?
                        }
                        ("aggregate_all", &[what, discriminator, inner, result]) => {
                            let of = (what, Some(discriminator), inner);
                            self.aggregate_all(scope, &mut point, part, of, result)?
                        }
                        _ => self.literal(scope, &mut point, goal)?,
                    };
                    if self.fails(scope, &mut point, text, truth)? {
                        return Ok(fail(point));
                    }
                }
            }
        }
        Ok(self.end(scope, point, part))
    }

    /// Ends a part whose goals have all succeeded.
    fn end(&self, scope: &ClauseScope<'_>, mut point: Point, part: BodyPart<'_>) -> Tree {
        scope.leaves.set(scope.leaves.get() + 1);
        match part.until {
            Some(place) => self.machine_to(scope, &mut point, place),
            None if part.head.is_some() => self.machine_leave(scope, &mut point),
            None => {}
        }
        if let (Some(_), Some(code)) = (part.head, &scope.code) {
            self.operations(&mut point, &code.end);
        }
        let arguments = part
            .head
            .map(|head| self.arguments(&point.state, scope.terms, head))
            .unwrap_or_default();
        let elements = part
            .head
            .map(|head| self.open_elements(&point.state, scope.terms, head))
            .unwrap_or_default();
        Tree {
            steps: point.steps,
            end: End::Success(Box::new(Exit {
                state: point.state,
                arguments,
                elements,
            })),
            cut_inside: false,
        }
    }

    /// Tells whether the program defines itself what has an arm of its own in [`Runner::run`]: `forall/2`, `findall/4`.
    pub(super) fn is_own_control(&self, name: &str, arity: usize) -> bool {
        let is_special = counts_nothing(name, arity) || !meta_arguments(name, arity).is_empty();
        is_special
            && !is_fixed(name, arity)
            && (self.program).may_redefine(&Functor::new(name, arity))
    }

    pub(super) fn is_goal(&self, state: &State, terms: &Terms, goal: TermId) -> bool {
        terms.functor(state.resolve(terms, goal)).is_some()
    }

    /// A call that can be run in place: no cut inside, and not a variable.
    pub(super) fn is_plain_goal(&self, state: &State, terms: &Terms, goal: TermId) -> bool {
        let goal = state.resolve(terms, goal);
        terms.functor(goal).is_some() && !has_cut(terms, &[goal])
    }
}
