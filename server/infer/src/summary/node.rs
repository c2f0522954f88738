//! A predicate with a call pattern while its component is being solved.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use smol_str::{SmolStr, format_smolstr};

use super::parameters::least_value;
use super::pieces::Sides;
use super::relation::Relation;
use crate::lattice::datum::Datum;
use crate::lattice::functional::Functional;
use crate::lattice::regular::{Regular, is_constant};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Pattern, Type};
use crate::lattice::weight::{TermWeight, cells_fit};
use crate::report::{Functor, SizeVariable};

/// The maximum number of patterns per predicate within its component; beyond it, patterns are joined.
const MOST_PATTERNS: usize = 4;

/// The maximum number of nodes for calls with particular constants; beyond it, the constants are dropped.
const MOST_CONSTANTS: usize = 48;

/// The argument and the metric that a size variable measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The index of the argument, from 0.
    pub(crate) argument: usize,
    pub(crate) metric: Metric,
    /// True if the size is that of the largest element (or any number that no element exceeds), not of the list.
    pub(crate) element: bool,
    /// True if the variable is a weight counted in addition to the size ([`crate::lattice::weight`]).
    pub(crate) weight: bool,
    /// True if the size is that of a list as a single term, recorded in addition to its length when cells are counted.
    pub(crate) whole: bool,
}

impl Slot {
    pub(crate) fn from_size(size: &SizeVariable) -> Self {
        Slot {
            argument: size.argument - 1,
            metric: size.metric,
            element: size.element,
            weight: false,
            whole: false,
        }
    }

    /// Returns whether the slot is the size of the argument in its type's metric.
    pub(crate) fn is_plain(self) -> bool {
        !self.element && !self.weight && !self.whole
    }
}

/// A size variable of a node.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) var: Var,
    pub(crate) slot: Slot,
}

/// The size of an output, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Output {
    /// The output has no metric, or its size could not be inferred.
    Unsized,
    /// The size is being solved; a variable represents it.
    Symbolic,
    Solved(Sides),
}

/// Returns the index of an output's largest element among the outputs of a call. The indices of weights start at the arity, those of
/// largest elements at twice the arity.
pub(crate) fn element_place(arity: usize, argument: usize) -> usize {
    2 * arity + argument
}

/// The calls that a node of the component covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Called {
    pub(crate) name: Functor,
    pub(crate) pattern: Pattern,
    /// The constants that all these calls pass, by argument: `cmp(X, Y, eq)` matches no clause for `lt`. They are used only between the
    /// predicates of a component, and only if they distinguish clauses.
    pub(crate) constants: BTreeMap<usize, SmolStr>,
}

impl Called {
    /// Returns the maximum number of nodes for calls of this kind: the predicate's calls with particular constants, or those without.
    pub(crate) fn most_beside(&self) -> usize {
        match self.constants.is_empty() {
            true => MOST_PATTERNS,
            false => MOST_CONSTANTS,
        }
    }

    /// Returns all calls that match a pattern.
    pub(crate) fn matching(name: Functor, pattern: Pattern) -> Self {
        Called {
            name,
            pattern,
            constants: BTreeMap::new(),
        }
    }
}

/// The variables for the cost of a successful call and for the weights of its outputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Charged {
    /// An upper bound on all steps of a successful call, over all its solutions.
    pub(crate) cost: Var,
    /// An upper bound on its steps to the first solution.
    pub(crate) first: Var,
    /// The weights of outputs, by argument.
    pub(crate) weights: BTreeMap<usize, Var>,
    /// True if the runs represent cost and weights by variables, because their relations are being inferred.
    pub(crate) is_open: bool,
    /// True if the node belongs to the amortised loop, not to the predicates that compute its state.
    pub(crate) is_loop: bool,
}

/// A (predicate, pattern) pair of the component.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: Functor,
    pub(crate) pattern: Pattern,
    /// The constants that all calls pass, by argument ([`Called`]).
    pub(crate) constants: BTreeMap<usize, SmolStr>,
    pub(crate) params: Vec<Param>,
    /// The variables of the component's parameters, the same for all nodes.
    pub(crate) parameters: Vec<Var>,
    /// The constraints that every admitted size satisfies: lengths are non-negative.
    pub(crate) domain: Region,
    pub(crate) success: Option<Vec<Type>>,
    /// For each argument, the atoms that it may be on success; `None` if it may be any atom.
    pub(crate) leaves: Vec<Option<BTreeSet<SmolStr>>>,
    pub(crate) outputs: Vec<Output>,
    /// For each argument, an upper bound on its element sizes on success; there are no lower bounds.
    pub(crate) elements: Vec<Output>,
    /// For each argument, the variable that represents its size on success in relations.
    pub(crate) output_vars: Vec<Var>,
    pub(crate) relation: Relation,
    /// The variables for amortising: how calls are charged to a state ([`crate::amortised`]).
    pub(crate) charged: Option<Charged>,
    pub(crate) solutions: Option<Sides>,
    /// True if every call has at most one solution, or while this is assumed for a proof by induction ([`crate::component::single`]).
    pub(crate) is_single: bool,
    pub(crate) errors_possible: bool,
    /// Predicates that the node's clauses call in several places, and that have the same answers for the same arguments.
    pub(crate) repeated: BTreeMap<Functor, Functional>,
    /// Sizes that are numbers while the clauses run, if bounds at given sizes are requested ([`crate::readers::tabulated`]).
    pub(crate) given: BTreeMap<Var, i64>,
}

/// The maximum number of atoms recorded for an output; beyond it, the output may be any atom.
const MOST_LEAVES: usize = 8;

fn is_leaf(datum: &Datum, of: &Regular) -> bool {
    datum
        .key
        .as_ref()
        .is_some_and(|key| of.shape(key).is_some())
}

fn are_leaves(atoms: &Option<BTreeSet<SmolStr>>, of: &Regular) -> bool {
    (atoms.as_ref()).is_some_and(|atoms| atoms.iter().all(|atom| of.shape(atom).is_some()))
}

impl Node {
    /// Creates a node. If a weight is counted, each ground argument has an additional size variable.
    pub(crate) fn new(
        Called {
            name,
            pattern,
            constants,
        }: Called,
        counted: Option<&TermWeight>,
        fresh: &mut dyn FnMut() -> Var,
    ) -> Self {
        let params: Vec<Param> = (pattern.0.iter().enumerate())
            .flat_map(|(argument, ty)| {
                let slot = |metric, element| Slot {
                    argument,
                    metric,
                    element,
                    weight: false,
                    whole: false,
                };
                let own = ty.metric().map(|m| slot(m, false));
                let element = ty.element_metric().map(|m| slot(m, true));
                let weight = counted.is_some_and(|c| c.is_in(ty)).then_some(Slot {
                    weight: true,
                    ..slot(Metric::Length, false)
                });
                let whole = counted
                    .is_some_and(|c| c.goes_with_whole(ty))
                    .then_some(Slot {
                        whole: true,
                        ..slot(Metric::Size, false)
                    });
                let beside = weight.into_iter().chain(whole);
                own.into_iter().chain(element).chain(beside)
            })
            .map(|slot| Param { var: fresh(), slot })
            .collect();
        let least = params.iter().filter_map(|p| {
            let least = match (p.slot.metric, p.slot.is_plain()) {
                (Metric::Size, true) => pattern.0[p.slot.argument].least_size(),
                (metric, _) => metric.least()?,
            };
            Constraint::ge(&Expr::var(p.var), &Expr::int(least))
        });
        let own = |of: &Param| {
            let argument = of.slot.argument;
            let mut own = (params.iter()).filter(|p| p.slot.argument == argument);
            own.find(|p| p.slot.is_plain()).map(|p| p.var)
        };
        let cells = (params.iter()).filter_map(|p| match p.slot {
            Slot { weight: true, .. } if counted == Some(&TermWeight::Cells) => {
                cells_fit(p.var, own(p)?)
            }
            Slot { whole: true, .. } => cells_fit(own(p)?, p.var),
            _ => None,
        });
        let domain = least.chain(cells).fold(Region::default(), |r, c| r.and(c));
        let outputs = vec![Output::Unsized; pattern.0.len()];
        let elements = outputs.clone();
        let leaves = vec![Some(BTreeSet::new()); pattern.0.len()];
        let output_vars = pattern.0.iter().map(|_| fresh()).collect();
        Node {
            name,
            pattern,
            constants,
            params,
            parameters: Vec::new(),
            domain,
            success: None,
            leaves,
            outputs,
            elements,
            output_vars,
            relation: Relation::default(),
            charged: None,
            solutions: None,
            is_single: false,
            errors_possible: false,
            repeated: BTreeMap::new(),
            given: BTreeMap::new(),
        }
    }

    /// Returns the calls that the node covers.
    pub(crate) fn calls(&self) -> Called {
        Called {
            name: self.name.clone(),
            pattern: self.pattern.clone(),
            constants: self.constants.clone(),
        }
    }

    /// Returns whether the node counts towards the limit [`Called::most_beside`] for the given calls.
    pub(crate) fn is_beside(&self, calls: &Called) -> bool {
        self.name == calls.name && self.constants.is_empty() == calls.constants.is_empty()
    }

    /// Returns whether the node covers exactly these calls.
    pub(crate) fn is_about(&self, calls: &Called) -> bool {
        self.name == calls.name
            && self.pattern == calls.pattern
            && self.constants == calls.constants
    }

    /// Returns whether the node covers these calls, and possibly other calls.
    pub(crate) fn includes(&self, calls: &Called) -> bool {
        let passed = |(i, constant)| calls.constants.get(i) == Some(constant);
        self.name == calls.name
            && calls.pattern.is_within(&self.pattern)
            && self.constants.iter().all(passed)
    }

    /// Adds the argument values of a successful clause run.
    pub(crate) fn succeeds_with(&mut self, exit: &[Datum]) {
        let success = (self.success).get_or_insert_with(|| vec![Type::None; exit.len()]);
        for ((known, leaves), datum) in success.iter_mut().zip(&mut self.leaves).zip(exit) {
            *known = match (&*known, &datum.ty) {
                (Type::None, ty) => ty.clone(),
                // `grown([], l). grown([X|Xs], t(X, l, T)) :- grown(Xs, T).` returns trees; `l` is one of them.
                (Type::Atom, ty @ Type::Tree(regular)) if are_leaves(leaves, regular) => ty.clone(),
                (Type::Tree(regular), Type::Atom) if is_leaf(datum, regular) => known.clone(),
                (known, ty) => known.join(ty),
            };
            if datum.ty == Type::Atom {
                let constant = datum.key.as_ref().filter(|key| is_constant(key));
                match (&mut *leaves, constant) {
                    (Some(all), Some(constant)) if all.len() < MOST_LEAVES => {
                        all.insert(constant.clone());
                    }
                    (leaves, _) => *leaves = None,
                }
            }
        }
    }

    /// Returns the minimum size of an argument on success.
    pub(crate) fn least(&self, argument: usize) -> Option<i64> {
        let ty = self.success.as_ref()?.get(argument)?;
        ty.metric()?.least()
    }

    /// Returns the variable for an output's size or, for indices that are at least the arity, for its weight.
    pub(crate) fn output_var(&self, output: usize) -> Var {
        let weight = output
            .checked_sub(self.pattern.0.len())
            .and_then(|argument| self.charged.as_ref()?.weights.get(&argument).copied());
        weight.unwrap_or_else(|| self.output_vars[output])
    }

    /// Returns the minimum value of an output variable.
    pub(crate) fn least_output(&self, output: usize) -> Option<i64> {
        if output >= self.pattern.0.len() {
            return Some(0);
        }
        self.least(output)
    }

    /// Returns the variables for sizes, then those for parameters.
    pub(crate) fn vars(&self) -> Vec<Var> {
        let sizes = self.params.iter().map(|p| p.var);
        sizes.chain(self.parameters.iter().copied()).collect()
    }

    /// Lets the node's bounds depend on parameters, which are natural numbers, most of them not 0.
    pub(crate) fn depend_on(&mut self, parameters: &[Var]) {
        for &v in parameters {
            if !self.parameters.contains(&v) {
                self.parameters.push(v);
                let natural = Constraint::ge(&Expr::var(v), &Expr::int(least_value(v)));
                self.domain = (natural.into_iter()).fold(self.domain.clone(), |r, c| r.and(c));
            }
        }
    }

    /// Returns the slots of the node's sizes.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.params.iter().map(|p| p.slot).collect()
    }

    /// Returns the value of an argument at the call.
    pub(crate) fn datum(&self, argument: usize) -> Datum {
        let ty = self.pattern.0[argument].clone();
        let size = |is_it: &dyn Fn(Slot) -> bool| {
            let of = |p: &&Param| p.slot.argument == argument && is_it(p.slot);
            let param = self.params.iter().find(of)?;
            Some(match self.given.get(&param.var) {
                Some(&value) => Expr::int(value),
                None => Expr::var(param.var),
            })
        };
        let own = || (ty != Type::Free).then(|| format_smolstr!("a{}", argument + 1));
        let key = self.constants.get(&argument).cloned().or_else(own);
        let datum = match size(&Slot::is_plain) {
            Some(e) => Datum::sized(ty, Size::exact(e)),
            None => Datum::from_type(ty),
        };
        if let Some(whole) = size(&|slot| slot.whole) {
            // If cells are counted, a list is treated like any other term.
            return Datum::sized(Type::Ground, Size::exact(whole))
                .with_weight(Some(datum.size))
                .with_key(key);
        }
        datum
            .with_element(size(&|slot| slot.element))
            .with_weight(size(&|slot| slot.weight).map(Size::exact))
            .with_key(key)
    }
}
