//! Parameters: quantities of something named, other than sizes of arguments, on which bounds may depend.
//!
//! ```prolog
//! :- dynamic par/2.
//! grand(X, Z) :- par(X, Y), par(Y, Z).     % f²+f+1 steps over all solutions, where f is the number of facts of par/2
//!
//! keep(_, [], []).                         % n·(1+c)+1, where c is what one call of P takes
//! keep(P, [X|Xs], Ys) :- ( call(P, X) -> Ys = [X|Zs] ; Ys = Zs ), keep(P, Xs, Zs).
//! ```
//!
//! A parameter is any natural number that its quantity does not exceed while the call runs. Recursion does not change it, and a
//! caller passes its own parameter on, so that a component has one variable for each parameter.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use costlens_algebra::Var;

use super::{RunsLater, Summary};
use crate::report::{
    Functor, Parameter, ParameterAssumption, ParameterKind, ParameterVariable, Subject, Unknown,
};
use crate::tree::locals::NUMBERED;

/// The first variable of a parameter.
const PARAMETERS: u32 = 0x2000_0000;

/// The maximum number of parameters of a component; bounds that need more are unknown.
const MOST_PARAMETERS: usize = 24;

/// Returns whether a variable is that of a parameter.
#[must_use]
pub fn is_parameter(v: Var) -> bool {
    (PARAMETERS..NUMBERED).contains(&v.0)
}

/// The first variable of a cost or a number of solutions of a predicate. Such a parameter is taken to be at least 1, so that bounds need not
/// tell it from the cost of a fact.
const COSTS: u32 = 0x2800_0000;

/// Returns a variable for a further parameter.
#[must_use]
pub fn next_parameter(all: &[ParameterVariable], of: &Parameter) -> Var {
    let is_cost = of.kind != ParameterKind::Facts && matches!(of.of, Subject::Predicate(..));
    let range = match is_cost {
        true => COSTS..NUMBERED,
        false => PARAMETERS..COSTS,
    };
    let taken = all.iter().map(|p| p.var.0).filter(|v| range.contains(v));
    Var(taken.max().map_or(range.start, |v| v + 1))
}

/// Returns the least value of a parameter: 1 for the cost of a predicate and the number of its solutions.
#[must_use]
pub fn least_value(v: Var) -> i64 {
    i64::from(v.0 >= COSTS)
}

/// The parameters and assumptions that the runs of a component have met.
#[derive(Default)]
pub(crate) struct Met {
    parameters: RefCell<Vec<ParameterVariable>>,
    assumed: RefCell<Vec<ParameterAssumption>>,
    is_full: Cell<bool>,
    later: Cell<RunsLater>,
}

impl Met {
    /// Starts with the parameters of a solved summary of a predicate, so that bounds on other events use the same variables.
    pub(crate) fn begin_with(&self, of: &Functor, parameters: &[ParameterVariable]) {
        let mut all = parameters.to_vec();
        for p in &mut all {
            if let Subject::Argument(i) = p.parameter.of {
                p.parameter.of = Subject::Passed(of.clone(), i);
            }
        }
        *self.parameters.borrow_mut() = all;
    }

    /// Records that a goal may run after the call that makes it run.
    pub(crate) fn note_later(&self, later: RunsLater) {
        self.later.set(self.later.get().max(later));
    }

    /// Returns whether goals may run after calls of the component.
    pub(crate) fn later(&self) -> RunsLater {
        self.later.get()
    }

    /// Starts with costs of callees whose bounds cannot be used.
    pub(crate) fn begin_with_costs(&self, of: Vec<(Subject, Unknown)>) {
        for (of, why) in of {
            let kind = ParameterKind::Cost;
            self.variable(&Parameter { kind, of }, Some(&Arc::new(why)));
        }
    }

    /// Returns whether the cost of a predicate is a parameter.
    pub(crate) fn has_cost_of(&self, of: &Subject) -> bool {
        let all = self.parameters.borrow();
        (all.iter()).any(|p| p.parameter.kind == ParameterKind::Cost && p.parameter.of == *of)
    }

    /// Returns the parameters and assumptions as seen from a predicate of the component.
    pub(crate) fn seen_from(
        &self,
        name: &Functor,
    ) -> (Vec<ParameterVariable>, Vec<ParameterAssumption>) {
        let own = |of: &mut Subject| {
            if let Subject::Passed(predicate, i) = of
                && predicate == name
            {
                *of = Subject::Argument(*i);
            }
        };
        let (mut parameters, mut assumed) = (self.all(), self.assumed());
        parameters.iter_mut().for_each(|p| own(&mut p.parameter.of));
        assumed.iter_mut().for_each(|a| own(&mut a.of));
        (parameters, assumed)
    }

    /// Returns the variable of a parameter, which is new if it was not met before; `None` if the component has too many parameters.
    pub(crate) fn variable(
        &self,
        parameter: &Parameter,
        why: Option<&Arc<Unknown>>,
    ) -> Option<Var> {
        let mut all = self.parameters.borrow_mut();
        if let Some(known) = all.iter().find(|p| p.parameter == *parameter) {
            return Some(known.var);
        }
        if all.len() >= MOST_PARAMETERS {
            self.is_full.set(true);
            return None;
        }
        let var = next_parameter(&all, parameter);
        all.push(ParameterVariable {
            var,
            parameter: parameter.clone(),
            name: String::new(),
            why: why.cloned(),
        });
        Some(var)
    }

    /// Returns the reason why bounds are missing, if they depend on too many parameters.
    pub(crate) fn why_full(&self) -> Option<String> {
        self.is_full.get().then(|| {
            format!(
                "the cost depends on more than {MOST_PARAMETERS} numbers of facts, and costs of goals and predicates that are not known"
            )
        })
    }

    /// Returns why nothing is known about the goals whose costs and solutions are parameters.
    pub(crate) fn roots(&self) -> Vec<Arc<Unknown>> {
        let all = self.parameters.borrow();
        let of_goals = (all.iter()).filter(|p| p.parameter.kind != ParameterKind::Facts);
        let mut roots: Vec<Arc<Unknown>> = of_goals.filter_map(|p| p.why.clone()).collect();
        roots.dedup();
        roots
    }

    /// Returns why nothing is known about a goal.
    pub(crate) fn why_unknown(&self, goal: &Summary) -> String {
        let all = self.parameters.borrow();
        let is_it = |p: &&ParameterVariable| {
            goal.parameters
                .iter()
                .any(|own| own.parameter == p.parameter)
        };
        let why = all.iter().filter(is_it).find_map(|p| p.why.as_ref());
        why.map_or_else(
            || "a goal that callers pass is not known from the text of the program".to_owned(),
            |why| why.reason.clone(),
        )
    }

    /// Records an assumption.
    pub(crate) fn assume(&self, assumption: ParameterAssumption) {
        let mut all = self.assumed.borrow_mut();
        if !all.contains(&assumption) {
            all.push(assumption);
        }
    }

    /// Returns whether there are no parameters.
    pub(crate) fn is_empty(&self) -> bool {
        self.parameters.borrow().is_empty()
    }

    pub(crate) fn variables(&self) -> Vec<Var> {
        self.parameters.borrow().iter().map(|p| p.var).collect()
    }

    pub(crate) fn all(&self) -> Vec<ParameterVariable> {
        self.parameters.borrow().clone()
    }

    pub(crate) fn assumed(&self) -> Vec<ParameterAssumption> {
        self.assumed.borrow().clone()
    }
}
