//! Built-ins with known sizes: a [`Relation`] between the arguments determines the result sizes and the conditions under which no exception
//! is raised.

mod lists;
mod numbers;
mod parts;
mod typed;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_body::Related;
use costlens_catalog::Relation;
use costlens_program::PHRASE_CHECK;
use costlens_syntax::term::{TermId, Terms};

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::lattice::datum::Datum;
use crate::lattice::types::Type;
use crate::state::{Scope, State};
use crate::tree::Step;
use crate::world::questions::{Split, Truth};

/// The results of a built-in whose inputs have the right types.
struct Results {
    truth: Truth,
    may_raise: bool,
    /// Arguments with the values that they are unified with.
    unified: Vec<(TermId, Datum)>,
    /// An argument that the built-in does not bind, with the value inferred for it.
    learnt: Option<(TermId, Datum)>,
    /// An argument whose subterms occur in the results.
    shares: Option<TermId>,
    /// A size that is known only through its relation to others.
    local: Option<(Var, Region)>,
}

impl Results {
    fn new(unified: Vec<(TermId, Datum)>) -> Self {
        Results {
            truth: Truth::True,
            may_raise: false,
            unified,
            learnt: None,
            shares: None,
            local: None,
        }
    }

    /// Records that elements of the argument are elements of the result.
    fn sharing(self, from: TermId) -> Self {
        Results {
            shares: Some(from),
            ..self
        }
    }

    fn maybe(self) -> Self {
        Results {
            truth: Truth::Maybe,
            ..self
        }
    }

    fn raising(self, may_raise: bool) -> Self {
        Results { may_raise, ..self }
    }
}

impl Runner<'_> {
    /// Runs a built-in whose arguments satisfy a known relation. Returns `None` for other built-ins, or for inputs of other types.
    pub(super) fn related(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
    ) -> Result<Option<Truth>, Split> {
        let terms = scope.terms;
        if let Some(&[list]) = terms.matches(goal, PHRASE_CHECK, 1) {
            return self.checked_list(point, terms, list).map(Some);
        }
        let Some(Related { relation, args }) = Related::lookup(terms, goal) else {
            return Ok(None);
        };
        match (relation, &args[..]) {
            (Relation::Length, &[list, length]) => {
                self.length(scope, point, goal, list, length).map(Some)
            }
            (Relation::Between, &[low, high, value]) => {
                (self.run_between(scope, point, goal, [low, high, value])).map(Some)
            }
            (
                Relation::Split
                | Relation::Joined
                | Relation::JoinedBy
                | Relation::AtomPart
                | Relation::StringPart,
                args,
            ) => self.text_builtin(point, terms, goal, relation, args),
            (_, args) => self.sized_builtin(point, terms, relation, args),
        }
    }

    /// Runs a built-in whose results have known sizes. Returns `None` for other built-ins, or for inputs of other types.
    fn sized_builtin(
        &self,
        point: &mut Point,
        terms: &Terms,
        relation: Relation,
        args: &[TermId],
    ) -> Result<Option<Truth>, Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let here = self.known_here(&point.state);
        let s = Scope {
            world: &here,
            ..self.scope(terms, &is_param)
        };
        let early = match (relation, args) {
            (Relation::Successor, &[before, after]) => {
                self.without_predecessor(point, &s, before, after)?
            }
            (Relation::Parts, &[t, parts]) => self.of_written_functor(point, &s, t, parts)?,
            _ => None,
        };
        if early.is_some() {
            return Ok(early);
        }
        match self.results(&point.state, terms, relation, args) {
            Some(results) => self.give(point, &s, results).map(Some),
            None => Ok(None),
        }
    }

    /// Unifies the arguments of a built-in with its results.
    fn give(&self, point: &mut Point, s: &Scope<'_>, results: Results) -> Result<Truth, Split> {
        let terms = s.terms;
        if results.may_raise {
            self.errors.set(true);
        }
        let mut truth = results.truth;
        if let Some(from) = results.shares {
            point.state.expose(terms, from, &Type::Any);
        }
        if let Some((local, facts)) = results.local {
            point.state.facts = point.state.facts.and_all(&facts);
            point.steps.push(Step::Sizes(vec![local], facts));
        }
        if let Some((argument, datum)) = results.learnt {
            self.learn(&mut point.state, terms, argument, &datum);
        }
        for (argument, datum) in results.unified {
            let before = point.state.datum(terms, argument).ty;
            if datum.ty == Type::Free {
                // A variable that occurs only once binds nothing.
                continue;
            }
            truth = truth.and(point.state.unify_datum(s, &datum, argument)?.0);
            if truth == Truth::False {
                break;
            }
            point.state.pure &= before.is_ground() || before == Type::Free;
        }
        Ok(truth)
    }

    /// Returns the results of a built-in for its inputs. Returns `None` if its trust lines are more precise.
    fn results(
        &self,
        state: &State,
        terms: &Terms,
        relation: Relation,
        args: &[TermId],
    ) -> Option<Results> {
        let region = self.world.region();
        match (relation, args) {
            (Relation::Seek, &[index, list, left, rest]) => {
                lists::sought(state, terms, region, [index, list, left, rest])
            }
            (Relation::Spine, &[list, length, tail]) => {
                Some(lists::spine(state, terms, [list, length, tail]))
            }
            (Relation::Sorted | Relation::SortedSet | Relation::SortedPairs, &[list, to]) => {
                lists::sorted(state, terms, region, relation, [list, to])
            }
            (Relation::SortedBy, &[key, order, list, to]) => {
                lists::sorted_by(state, terms, region, [key, order, list, to])
            }
            (Relation::OfType, &[kind, t]) => typed::must_be(state, terms, region, [kind, t]),
            (Relation::Copy, &[from, to]) => Some(parts::copied(state, terms, [from, to])),
            (Relation::Functor, &[t, name, arity]) => {
                parts::functor(state, terms, [t, name, arity])
            }
            (Relation::Parts, &[t, parts]) => self.parts(state, terms, [t, parts]),
            (Relation::Argument, &[place, t, argument]) => {
                parts::argument(state, terms, [place, t, argument])
            }
            (Relation::Characters, &[text, length]) => {
                numbers::characters(state, terms, [text, length])
            }
            (Relation::Code, &[char, code]) => numbers::character(state, terms, [char, code]),
            (Relation::Successor, &[a, b]) => numbers::successor(state, terms, region, [a, b]),
            (Relation::Sum, &[a, b, c]) => numbers::sum(state, terms, [a, b, c]),
            _ => None,
        }
    }
}
