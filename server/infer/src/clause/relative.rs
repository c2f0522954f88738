//! Calls whose cost is a parameter: facts that change, goals that callers pass, predicates without known clauses.

use std::sync::Arc;

use costlens_algebra::Expr;
use costlens_catalog::{ClauseChange, Shown, clause_change, shows};
use costlens_program::language::AddedClause;
use costlens_syntax::term::{TermId, Terms};
use smol_str::{SmolStr, format_smolstr};

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Pattern, Type};
use crate::relative::{UnknownCallee, of_unknown};
use crate::report::{
    Claim, Functor, Parameter, ParameterAssumption, ParameterKind, ParameterVariable, Side,
    Subject, Unknown,
};
use crate::state::State;
use crate::tree::{Callee, Step};
use crate::world::questions::Truth;

impl Runner<'_> {
    /// Returns the values that a call passes for the callee's parameters, in terms of this predicate's own. A callee inside the component
    /// (`inside`) has the component's parameters: the goals that its arguments hold are those that the call passes, and may be others than
    /// those of this predicate.
    ///
    /// ```prolog
    /// turns(P, Q, [X|Xs]) :- call(P, X), turns(Q, P, Xs).     % passes cost(Q) for cost(P)
    /// ```
    pub(super) fn parameters_at(
        &self,
        of: &[ParameterVariable],
        callee: &Functor,
        inside: bool,
        keys: &[Option<SmolStr>],
    ) -> Vec<Size> {
        let value = |p: &ParameterVariable| match self.subject_here(
            &p.parameter.of,
            callee,
            inside,
            keys,
        ) {
            Some(of) => {
                let kind = p.parameter.kind;
                self.own_parameter(&Parameter { kind, of }, p.why.as_ref())
            }
            None => no_limit(),
        };
        of.iter().map(value).collect()
    }

    /// Records the assumptions of a callee, as far as they are about goals that the call passes.
    pub(super) fn rest_on(
        &self,
        assumed: &[ParameterAssumption],
        callee: &Functor,
        inside: bool,
        keys: &[Option<SmolStr>],
    ) {
        for assumption in assumed {
            let of = self.subject_here(&assumption.of, callee, inside, keys);
            let of = of.unwrap_or_else(|| match &assumption.of {
                Subject::Argument(i) => Subject::Passed(callee.clone(), *i),
                of => of.clone(),
            });
            self.met.assume(ParameterAssumption {
                claim: assumption.claim,
                of,
            });
        }
    }

    /// Returns the names of the arguments of a call, if they are values of this predicate's arguments.
    pub(super) fn keys(
        &self,
        state: &State,
        terms: &Terms,
        args: &[TermId],
    ) -> Vec<Option<SmolStr>> {
        args.iter().map(|&t| state.datum(terms, t).key).collect()
    }

    /// Runs a call of a goal that an argument of this predicate holds, possibly with further arguments. Returns `None` for other goals.
    pub(super) fn argument_called(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        closure: TermId,
    ) -> Option<Truth> {
        if !scope.model.counts_steps_only() {
            return None;
        }
        let key = point.state.datum(scope.terms, closure).key?;
        let callee = UnknownCallee {
            of: self.argument_with(&key)?,
            is_many: self.collecting.get() > 0,
        };
        let functor = scope.terms.functor(goal);
        let name = functor.map_or_else(
            || self.nodes[self.node].name.clone(),
            |(name, arity)| Functor::new(name.clone(), arity),
        );
        Some(self.unknown_called(scope, point, goal, &name, &callee, None))
    }

    /// Returns the cause for a goal of the running clause.
    pub(super) fn cause(
        &self,
        scope: &ClauseScope<'_>,
        goal: TermId,
        (reason, help): (String, String),
        missing: Option<Functor>,
    ) -> Arc<Unknown> {
        Arc::new(Unknown {
            side: Side::Upper,
            fuel: false,
            reason,
            cause: self.nodes[self.node].name.clone(),
            home: None,
            literal: Some((scope.clause, goal)),
            help,
            types_help: false,
            declare: None,
            missing,
        })
    }

    /// Runs a call of a predicate about which nothing is known, in terms of its cost.
    pub(super) fn unknown_called(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        name: &Functor,
        callee: &UnknownCallee,
        why: Option<&Arc<Unknown>>,
    ) -> Truth {
        let terms = scope.terms;
        let callee = UnknownCallee {
            of: callee.of.clone(),
            is_many: callee.is_many || self.collecting.get() > 0,
        };
        let summary = Arc::new(of_unknown(name, &callee));
        let runs_once = self.is_once.get();
        for assumption in &summary.assumes {
            if !runs_once || assumption.claim != Claim::AtMostOneSolution {
                self.met.assume(assumption.clone());
            }
        }
        let args = (summary.parameters.iter())
            .map(|p| self.own_parameter(&p.parameter, why))
            .collect();
        let most = match callee.is_many {
            true => {
                let (kind, of) = (ParameterKind::Solutions, callee.of);
                self.own_parameter(&Parameter { kind, of }, why).upper
            }
            false => Some(Expr::int(1)),
        };
        let mut step = self.record(Callee::Outside(summary), &[], &[], goal, Vec::new());
        step.args = args;
        step.solutions = Some(Size {
            lower: Some(Expr::zero()),
            upper: most,
        });
        self.errors.set(true);
        point.sure = false;
        point.steps.push(Step::Call(step));
        point.state.expose(terms, goal, &Type::Any);
        point.state.pure = false;
        Truth::True
    }

    /// Returns why the clauses of a table of facts are not known, and advice.
    pub(super) fn why_changing(&self, table: &Functor) -> (String, String) {
        match self.program.why_dynamic(table) {
            Some(why) => (why.describe(table), why.help.into_owned()),
            None => (
                format!("the clauses of `{table}` may change"),
                String::new(),
            ),
        }
    }

    /// Records that a goal adds a clause. If it is not known to which predicate, it may be any.
    pub(super) fn adds_clause(&self, scope: &ClauseScope<'_>, point: &mut Point, goal: TermId) {
        let terms = scope.terms;
        let adds = (terms.functor(goal))
            .is_some_and(|(name, arity)| clause_change(name, arity) == Some(ClauseChange::Add));
        let Some(&clause) = terms.args(goal).first().filter(|_| adds) else {
            return;
        };
        let added = AddedClause::read(terms, clause, &|t| point.state.resolve(terms, t));
        let functor = added.predicate(terms);
        point.steps.push(Step::Adds(functor));
    }

    /// Returns the number of solutions of a goal that goes through the clauses of a table of facts, and the types of what it finds.
    ///
    /// ```prolog
    /// next(N) :- retract(counter(N0)), N is N0+1, assertz(counter(N)).     % at most as many solutions as counter/1 has facts
    /// ```
    pub(super) fn clauses_met(
        &self,
        scope: &ClauseScope<'_>,
        state: &State,
        goal: TermId,
    ) -> Option<MetClauses> {
        let terms = scope.terms;
        let (name, arity) = terms.functor(goal)?;
        let is_meant = clause_change(name, arity) == Some(ClauseChange::Remove)
            || shows(name, arity) == Some(Shown::Clauses);
        let clause = *terms.args(goal).first().filter(|_| is_meant)?;
        // `retract((p(X) :- B))` finds facts with any body.
        let met = AddedClause::read(terms, clause, &|t| state.resolve(terms, t));
        // A name means something else in another module.
        let table = met.predicate(terms).filter(|_| met.module.is_none())?;
        if !self.program.is_relative(&table) {
            return None;
        }
        let pattern = Pattern(vec![Type::Free; arity]);
        let summary = self.program.summary(&table, &pattern);
        if !summary.is_table() {
            return None;
        }
        self.rest_on(&summary.assumes, &table, false, &[]);
        let why = self.cause(scope, goal, self.why_changing(&table), None);
        let stored = summary.success.clone()?.into_iter().map(Datum::from_type);
        Some(MetClauses {
            number: (self.own_parameter(&summary.parameters.first()?.parameter, Some(&why))).upper,
            arguments: terms.args(met.head).iter().copied().zip(stored).collect(),
        })
    }

    /// Returns the value of a parameter of this component.
    fn own_parameter(&self, parameter: &Parameter, why: Option<&Arc<Unknown>>) -> Size {
        let own = &self.nodes[self.node].parameters;
        let var = self
            .met
            .variable(parameter, why)
            .filter(|v| own.contains(v));
        match var {
            Some(v) => Size::exact(Expr::var(v)),
            None => no_limit(),
        }
    }

    /// Returns the subject of a callee's parameter as the caller names it. A goal that the caller passes on is one of its own arguments;
    /// other goals have no name. Within a component, the argument of a predicate is named together with the predicate.
    fn subject_here(
        &self,
        of: &Subject,
        callee: &Functor,
        inside: bool,
        keys: &[Option<SmolStr>],
    ) -> Option<Subject> {
        match of {
            Subject::Predicate(..) => Some(of.clone()),
            Subject::Argument(i) if !inside => self.argument_with(keys.get(*i)?.as_ref()?),
            Subject::Passed(name, i) if inside && name == callee => {
                self.argument_with(keys.get(*i)?.as_ref()?)
            }
            Subject::Argument(_) | Subject::Passed(..) => None,
        }
    }

    /// Returns the argument of this predicate whose value has a name.
    fn argument_with(&self, key: &SmolStr) -> Option<Subject> {
        let node = &self.nodes[self.node];
        (0..node.pattern.0.len())
            .find(|j| *key == format_smolstr!("a{}", j + 1))
            .map(|j| Subject::Passed(node.name.clone(), j))
    }
}

/// Returns an unknown size.
fn no_limit() -> Size {
    Size {
        lower: Some(Expr::zero()),
        upper: None,
    }
}

/// The clauses that a goal such as `retract/1` goes through.
pub(super) struct MetClauses {
    /// An upper bound on their number.
    pub(super) number: Option<Expr>,
    /// The arguments of the written head, with the types of what the clauses hold there.
    pub(super) arguments: Vec<(TermId, Datum)>,
}
