//! A predicate under a pattern while its component is being solved.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use smol_str::{SmolStr, format_smolstr};

use super::pieces::Sides;
use super::relation::Relation;
use crate::lattice::datum::Datum;
use crate::lattice::functional::Functional;
use crate::lattice::regular::{Regular, is_constant};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Pattern, Type};
use crate::lattice::weight::{Counted, cells_fit};
use crate::report::{Functor, SizeVariable};

/// The maximum number of patterns of one predicate inside its component; beyond it, they are joined.
const MOST_PATTERNS: usize = 4;

/// The maximum number for calls with certain constants; beyond it, the constants are dropped.
const MOST_CONSTANTS: usize = 48;

/// The argument that a size measures, and the metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The argument, from 0.
    pub(crate) argument: usize,
    pub(crate) metric: Metric,
    /// True if it is the size of the largest element (or any number that no element exceeds), not of the list.
    pub(crate) element: bool,
    /// True if it is not the size but a weight counted in addition to it ([`crate::lattice::weight`]).
    pub(crate) weight: bool,
    /// True if it is the size of a list as one term, in addition to its length, if cells are counted.
    pub(crate) whole: bool,
}

impl Slot {
    pub(crate) fn of(size: &SizeVariable) -> Self {
        Slot {
            argument: size.argument - 1,
            metric: size.metric,
            element: size.element,
            weight: false,
            whole: false,
        }
    }

    /// Returns whether it is the size of the argument under the metric of its type.
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
    /// It has no metric, or its size was not found.
    Unsized,
    /// It is being solved: a variable stands for it.
    Symbolic,
    Solved(Sides),
}

/// Returns the index of the largest element of an output among the outputs of a call. The indices of weights of outputs start at the arity,
/// and these at twice the arity.
pub(crate) fn element_place(arity: usize, argument: usize) -> usize {
    2 * arity + argument
}

/// The calls that a node of the component is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Called {
    pub(crate) name: Functor,
    pub(crate) pattern: Pattern,
    /// The constants that all of them pass, by argument: `cmp(X, Y, eq)` matches no clause for `lt`. They are only used between the
    /// predicates of a component, and only if clauses are distinguished by them.
    pub(crate) constants: BTreeMap<usize, SmolStr>,
}

impl Called {
    /// Returns the maximum number of nodes of the predicate before one for these calls is added.
    pub(crate) fn most_beside(&self) -> usize {
        match self.constants.is_empty() {
            true => MOST_PATTERNS,
            false => MOST_CONSTANTS,
        }
    }

    /// Returns all calls that fit a pattern.
    pub(crate) fn all(name: Functor, pattern: Pattern) -> Self {
        Called {
            name,
            pattern,
            constants: BTreeMap::new(),
        }
    }
}

/// Variables for the cost of a call on success and for the weights of its outputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Charged {
    /// An upper bound on all steps of a successful call, over all its solutions.
    pub(crate) cost: Var,
    /// By argument.
    pub(crate) weights: BTreeMap<usize, Var>,
    /// True if variables stand for them in the runs, because their relations are being inferred.
    pub(crate) is_open: bool,
    /// True if it belongs to the amortised loop, and not to the predicates that compute its state.
    pub(crate) is_loop: bool,
}

/// One (predicate, pattern) of the component.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: Functor,
    pub(crate) pattern: Pattern,
    /// The constants that all calls pass, by argument ([`Called`]).
    pub(crate) constants: BTreeMap<usize, SmolStr>,
    pub(crate) params: Vec<Param>,
    /// Constraints on every admitted size: lengths are not negative.
    pub(crate) domain: Region,
    pub(crate) success: Option<Vec<Type>>,
    /// For each argument, the atoms that it may be on success; `None` if there may be others.
    pub(crate) leaves: Vec<Option<BTreeSet<SmolStr>>>,
    pub(crate) outputs: Vec<Output>,
    /// For each argument, an upper bound on the sizes of its elements on success; there are no lower bounds.
    pub(crate) elements: Vec<Output>,
    /// For each argument, the variable that stands for its size on success in relations.
    pub(crate) output_vars: Vec<Var>,
    pub(crate) relation: Relation,
    /// The variables for amortising: how calls charge a state ([`crate::amortised`]).
    pub(crate) charged: Option<Charged>,
    pub(crate) solutions: Option<Sides>,
    /// True if no call has more than one solution, or while that is being proved by induction ([`crate::component::single`]).
    pub(crate) is_single: bool,
    pub(crate) errors_possible: bool,
    /// Predicates that its clauses call in several places and that give the same answers for the same arguments.
    pub(crate) repeated: BTreeMap<Functor, Functional>,
    /// Sizes that are numbers while its clauses run, if bounds at given sizes are requested ([`crate::readers::tabulated`]).
    pub(crate) given: BTreeMap<Var, i64>,
}

/// The maximum number of atoms that are recorded for an output; beyond it, the output may be any atom.
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
    /// Creates a node. If a weight is counted, each ground argument has one more size.
    pub(crate) fn new(
        Called {
            name,
            pattern,
            constants,
        }: Called,
        counted: Option<&Counted>,
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
            Slot { weight: true, .. } if counted == Some(&Counted::Cells) => {
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

    /// Returns the calls that it is about.
    pub(crate) fn calls(&self) -> Called {
        Called {
            name: self.name.clone(),
            pattern: self.pattern.clone(),
            constants: self.constants.clone(),
        }
    }

    /// Returns whether it counts as another node of the same predicate.
    pub(crate) fn is_beside(&self, calls: &Called) -> bool {
        self.name == calls.name && self.constants.is_empty() == calls.constants.is_empty()
    }

    /// Returns whether it is about exactly these calls.
    pub(crate) fn is_about(&self, calls: &Called) -> bool {
        self.name == calls.name
            && self.pattern == calls.pattern
            && self.constants == calls.constants
    }

    /// Returns whether it is about these calls, and possibly others.
    pub(crate) fn includes(&self, calls: &Called) -> bool {
        let passed = |(i, constant)| calls.constants.get(i) == Some(constant);
        self.name == calls.name
            && calls.pattern.is_within(&self.pattern)
            && self.constants.iter().all(passed)
    }

    /// Adds the values of the arguments at a success of a clause.
    pub(crate) fn succeeds_with(&mut self, exit: &[Datum]) {
        let success = (self.success).get_or_insert_with(|| vec![Type::None; exit.len()]);
        for ((known, leaves), datum) in success.iter_mut().zip(&mut self.leaves).zip(exit) {
            *known = match (&*known, &datum.ty) {
                (Type::None, ty) => ty.clone(),
                // `grown([], l). grown([X|Xs], t(X, l, T)) :- grown(Xs, T).` gives trees; `l` is one of them.
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

    /// Returns the least size of an argument on success.
    pub(crate) fn least(&self, argument: usize) -> Option<i64> {
        let ty = self.success.as_ref()?.get(argument)?;
        ty.metric()?.least()
    }

    /// Returns the variable of an output's size or, for indices from the arity on, of its weight.
    pub(crate) fn output_var(&self, output: usize) -> Var {
        let weight = output
            .checked_sub(self.pattern.0.len())
            .and_then(|argument| self.charged.as_ref()?.weights.get(&argument).copied());
        weight.unwrap_or_else(|| self.output_vars[output])
    }

    /// Returns the least value of that variable.
    pub(crate) fn least_output(&self, output: usize) -> Option<i64> {
        if output >= self.pattern.0.len() {
            return Some(0);
        }
        self.least(output)
    }

    pub(crate) fn vars(&self) -> Vec<Var> {
        self.params.iter().map(|p| p.var).collect()
    }

    /// Returns the slots of its sizes.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.params.iter().map(|p| p.slot).collect()
    }

    /// Returns the argument's value at the call.
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
            None => Datum::of(ty),
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
