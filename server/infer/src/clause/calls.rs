//! Calls to the program's own predicates and to library predicates.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_syntax::assertions::OpaqueName;
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use smol_str::SmolStr;

use super::Runner;
use super::callee_cost::PredicateCall;
use super::point::{ClauseScope, Point};
use super::same_outputs::name_outputs;
use crate::lattice::datum::Datum;
use crate::lattice::opaque::Opaque;
use crate::lattice::regular::is_constant;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Pattern, TextType, Type};
use crate::report::{Functor, ParameterAssumption, ParameterVariable};
use crate::state::State;
use crate::summary::Summary;
use crate::summary::node::{Called, Node, Output, Slot};
use crate::summary::parameters::Met;
use crate::summary::pieces::{Sides, at_most_one};
use crate::summary::relation::Relation;
use crate::tree::{CallStep, Callee, Step};
use crate::world::lookup::CallArguments;
use crate::world::questions::{Split, Truth};

/// The facts about a callee that a clause run uses.
struct CalleeFacts {
    callee: Callee,
    /// The size parameters of the callee's arguments, with their variables.
    params: Vec<Slot>,
    /// The callee's parameters. All nodes of a component have the same.
    parameters: Vec<ParameterVariable>,
    /// The assumptions of its bounds.
    assumes: Vec<ParameterAssumption>,
    /// The variables for both.
    vars: Vec<Var>,
    /// The types on success; `None` as long as no call is known to succeed.
    success: Option<Vec<Type>>,
    outputs: Vec<Output>,
    /// Bounds on the largest elements of the callee's outputs.
    elements: Vec<Output>,
    relation: Relation,
    solutions: Option<Sides>,
    may_raise: bool,
    /// True if every call has at most one solution.
    is_single: bool,
    /// For each argument, the atom that it is on success, if it is always the same one.
    atoms: Vec<Option<SmolStr>>,
}

impl CalleeFacts {
    fn solved(summary: Arc<Summary>, arity: usize) -> Self {
        CalleeFacts {
            params: summary.params.iter().map(Slot::from_size).collect(),
            parameters: summary.parameters.clone(),
            assumes: summary.assumes.clone(),
            vars: summary.vars(),
            success: summary.success.clone(),
            outputs: (0..arity).map(|i| summary.output(i)).collect(),
            elements: (0..arity).map(|i| summary.element(i)).collect(),
            relation: summary.relation.clone(),
            solutions: Some(summary.solutions.clone()),
            may_raise: summary.errors_possible,
            is_single: at_most_one(&summary.solutions),
            atoms: vec![None; arity],
            callee: Callee::Outside(summary),
        }
    }

    fn in_component(index: usize, node: &Node, met: &Met) -> Self {
        CalleeFacts {
            callee: Callee::Inside(index),
            params: node.slots(),
            parameters: met.all(),
            assumes: met.assumed(),
            vars: node.vars(),
            success: node.success.clone(),
            outputs: node.outputs.clone(),
            elements: node.elements.clone(),
            relation: node.relation.clone(),
            solutions: node.solutions.clone(),
            may_raise: node.errors_possible,
            is_single: node.is_single,
            atoms: node.leaves.iter().map(only).collect(),
        }
    }
}

/// The reason why a call has no target.
enum NoTarget {
    /// The pattern of the call has no node yet.
    Discovered,
    /// The pattern of the call has no node, although the types are already solved.
    Unexpected(Functor),
}

impl Runner<'_> {
    /// Runs a call to a predicate of the program.
    pub(super) fn call(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        predicate: Functor,
    ) -> Result<Truth, Split> {
        let terms = scope.terms;
        let args: Vec<TermId> = terms.args(goal).to_vec();
        let qualified = self.program.qualified_arguments(&predicate);
        let mut data = self.passed(&point.state, terms, &args, &qualified);
        self.measure_elements(&point.state, terms, &args, &mut data)?;
        self.raise_leaves(&predicate, &mut data);
        self.measure_atoms(&predicate, &mut data);
        if (self.program).same_component(&self.nodes[self.node].name, &predicate) {
            // When a loop takes a term apart, the term size determines where the loop ends; the lengths of contained lists do not.
            data = data.into_iter().map(Datum::into_whole).collect();
        }
        let named = self.function_key(&point.state, terms, &predicate, &args, &data);
        let mut target = match self.target(predicate.clone(), &data) {
            Ok(target) => target,
            Err(NoTarget::Discovered) => return Ok(Truth::False), // bottom: no call is known to succeed yet
            Err(NoTarget::Unexpected(predicate)) => {
                // The types are already solved, and this pattern appears only now.
                self.not_followed(scope, point, goal, &predicate);
                return Ok(Truth::True);
            }
        };
        if target.may_raise {
            self.errors.set(true);
        }
        let keys = self.keys(&point.state, terms, &args);
        if let Callee::Outside(summary) = &target.callee {
            let called = PredicateCall {
                goal,
                data: &data,
                keys: &keys,
            };
            if let Some(seen) = self.as_seen_here(scope, summary, &called) {
                target = CalleeFacts::solved(seen, data.len());
            }
        }
        let mut step = self.record(
            target.callee.clone(),
            &target.params,
            &data,
            goal,
            Vec::new(),
        );
        let inside = matches!(step.callee, Callee::Inside(_));
        let mut parameters = target.parameters.clone();
        if let Callee::Outside(summary) = &step.callee
            && summary.is_table()
        {
            let why = self.cause(scope, goal, self.why_changing(&predicate), None);
            for parameter in &mut parameters {
                parameter.why = Some(Arc::clone(&why));
            }
        }
        let passed = self.parameters_at(&parameters, &predicate, inside, &keys);
        step.args.extend(passed);
        self.rest_on(&target.assumes, &predicate, inside, &keys);
        let Some(success) = target.success else {
            // No clause of the callee is known to succeed so far, but the cost of the call counts.
            if let Callee::Outside(summary) = &step.callee {
                let here = self.here(&point.state);
                self.split_on_cost(
                    summary,
                    &CallArguments::new(&target.vars, &step.args, &here),
                )?;
            }
            point.steps.push(Step::Call(step));
            return Ok(Truth::False);
        };
        let here = self.here(&point.state);
        let at = CallArguments::new(&target.vars, &step.args, &here);
        if let Callee::Outside(summary) = &step.callee {
            self.split_on_cost(summary, &at)?;
            if self.in_range(scope, point, summary, &data)? == Truth::False {
                point.steps.push(Step::Call(step));
                return Ok(Truth::False);
            }
        }
        // The arguments on success.
        let mut after: Vec<Datum> = success.into_iter().map(Datum::from_type).collect();
        for &i in &qualified {
            // Facts about the term `user:X` are not facts about `X`.
            if let Some(datum) = after.get_mut(i) {
                *datum = Datum::any();
            }
        }
        let known = [&*target.outputs, &*target.elements];
        step.outputs = self.measure(known, &at, here.region(), &data, &mut after)?;
        for ((datum, before), atom) in after.iter_mut().zip(&data).zip(&target.atoms) {
            if before.ty == Type::Free && datum.ty == Type::Atom {
                datum.key.clone_from(atom);
            }
        }
        if let Some(call) = named.filter(|_| target.is_single) {
            name_outputs(&call, &data, &mut after);
        }
        self.open_weights(&mut step, &data, &mut after);
        let succeeds = self.relate(
            &mut point.state,
            &mut step,
            &target.relation,
            &target.vars,
            &mut after,
            &|i| data[i].ty.is_unsized(),
        );
        if !succeeds && self.settled {
            point.steps.push(Step::Call(step));
            return Ok(Truth::False);
        }
        if let Some(sides) = &target.solutions {
            let (count, sure) = self.solutions_at(sides, &at, here.region())?;
            let count = self.of_membership(&point.state, terms, &predicate, &args, &data, count);
            step.sure = sure;
            step.solutions = Some(count);
        }
        let never = step
            .solutions
            .as_ref()
            .and_then(|s| s.upper.as_ref())
            .is_some_and(Expr::is_zero);
        point.sure &= step.sure;
        point.steps.push(Step::Call(step));
        if never || self.is_too_short(point, terms, &args, &data, &after)? {
            return Ok(Truth::False);
        }
        self.after_success(&mut point.state, terms, &args, &data, &after);
        Ok(Truth::True)
    }

    /// Returns whether the callee returns some list shorter than the list written in the call: `reverse(L, [X|T])` fails for an empty `L`.
    /// If that depends on the call, records that the list has these cells: `word([C|Cs], Text, Rest)`.
    fn is_too_short(
        &self,
        point: &mut Point,
        terms: &Terms,
        args: &[TermId],
        before: &[Datum],
        after: &[Datum],
    ) -> Result<bool, Split> {
        for ((&argument, before), after) in args.iter().zip(before).zip(after) {
            let is_list = |of: &Datum| matches!(of.ty, Type::List(_));
            let cells = cells(&point.state, terms, argument);
            if cells == 0 || is_list(before) || !is_list(after) {
                continue;
            }
            let Some(upper) = &after.size.upper else {
                continue;
            };
            if let Some(c) = Constraint::ge(upper, &Expr::int(cells))
                && self.world.sizes(&c, self.is_param(upper))? == Truth::False
            {
                return Ok(true);
            }
            if let Some(length) = after.size.as_exact()
                && let Some(c) = Constraint::ge(length, &Expr::int(cells))
            {
                let is_param = |e: &Expr| self.is_param(e);
                let scope = self.scope(terms, &is_param);
                point.state.passes(&scope, c);
            }
        }
        Ok(false)
    }

    /// Returns the abstract arguments of a call. Arguments that are passed with a module are unknown.
    pub(super) fn passed(
        &self,
        state: &State,
        terms: &Terms,
        args: &[TermId],
        qualified: &[usize],
    ) -> Vec<Datum> {
        let mut data: Vec<Datum> = args
            .iter()
            .map(|&a| state.datum(terms, a).raised(&self.types.defined))
            .collect();
        forget_shared(state, terms, args, &mut data);
        for &i in qualified {
            if let Some(datum) = data.get_mut(i) {
                *datum = Datum::any();
            }
        }
        data
    }

    /// Passes an atom with its number of characters if the callee's clauses take atoms apart: `spell(hello)`.
    fn measure_atoms(&self, predicate: &Functor, data: &mut [Datum]) {
        let is_written = |d: &Datum| d.ty == Type::Atom && d.size.upper.is_some();
        if !data.iter().any(is_written) {
            return;
        }
        let Some(pattern) = self.program.suggested_pattern(predicate) else {
            return;
        };
        for (datum, ty) in data.iter_mut().zip(&pattern.0) {
            if is_written(datum) && matches!(ty, Type::Text(_)) {
                datum.size = datum.measured(Metric::Chars);
                datum.ty = Type::Text(TextType::Atom);
            }
        }
    }

    /// Passes a constant as the leaf of a tree if the callee's clauses use it as one: `grow(L, e, T)`.
    fn raise_leaves(&self, predicate: &Functor, data: &mut [Datum]) {
        if data.iter().any(|d| d.key.as_deref() == Some("'t'"))
            && let Some(pattern) = self.program.suggested_pattern(predicate)
        {
            for (datum, ty) in data.iter_mut().zip(&pattern.0) {
                if let Type::Opaque(of) = ty
                    && of.name == OpaqueName::Assoc
                    && datum.key.as_deref() == Some("'t'")
                {
                    // The empty tree of library(assoc).
                    let empty = Opaque::new(of.name, Type::None, Type::None);
                    *datum = Datum::sized(Type::Opaque(empty.into()), Size::exact(Expr::zero()))
                        .with_key(datum.key.clone());
                }
            }
        }
        let types = &self.types.suggested;
        let is_leaf = |d: &Datum| {
            let mut of = types.iter();
            d.ty == Type::Atom
                && d.key
                    .as_ref()
                    .is_some_and(|k| of.any(|r| r.shape(k).is_some()))
        };
        if !data.iter().any(is_leaf) {
            return;
        }
        let Some(pattern) = self.program.suggested_pattern(predicate) else {
            return;
        };
        for (datum, ty) in data.iter_mut().zip(&pattern.0) {
            if let Type::Tree(regular) = ty
                && types.contains(regular)
                && is_leaf(datum)
            {
                *datum = datum.clone().raised(std::slice::from_ref(regular));
            }
        }
    }

    /// Looks up the callee, either as a node of the component or outside the component.
    fn target(&self, predicate: Functor, data: &[Datum]) -> Result<CalleeFacts, NoTarget> {
        let pattern = Pattern(data.iter().map(|d| d.ty.clone()).collect());
        // A node for a trusted predicate without clauses would contain no facts.
        let inside = self.program.is_defined(&predicate)
            && (self.program).same_component(&self.nodes[self.node].name, &predicate);
        if !inside {
            let summary = self.program.summary(&predicate, &pattern);
            return Ok(CalleeFacts::solved(summary, data.len()));
        }
        let constants = self.constants(&predicate, data);
        let calls = Called {
            name: predicate.clone(),
            pattern,
            constants,
        };
        let node = self.nodes.iter().position(|n| n.is_about(&calls));
        if node.is_none()
            && calls.constants.is_empty()
            && let Some(solved) = self.program.solved(&predicate, &calls.pattern)
        {
            return Ok(CalleeFacts::solved(solved.summary, data.len()));
        }
        let found = node.or_else(|| {
            (self.settled || self.is_crowded(&calls))
                .then(|| self.nodes.iter().position(|n| n.includes(&calls)))?
        });
        let Some(index) = found else {
            self.remembered.met_open();
            if self.settled {
                return Err(NoTarget::Unexpected(predicate));
            }
            self.discovered.borrow_mut().push(calls);
            return Err(NoTarget::Discovered);
        };
        let node = &self.nodes[index];
        self.remembered.told_of(index);
        if !node.is_about(&calls) {
            self.remembered.met_open();
        }
        Ok(CalleeFacts::in_component(index, node, self.met))
    }

    /// Returns the constant arguments of a call that select among the callee's clauses.
    fn constants(&self, predicate: &Functor, data: &[Datum]) -> BTreeMap<usize, SmolStr> {
        let passed = data.iter().enumerate().filter_map(|(i, d)| {
            let key = d.key.as_ref().filter(|key| is_constant(key))?;
            (d.ty == Type::Atom).then(|| (i, key.clone()))
        });
        let passed: BTreeMap<usize, SmolStr> = passed.collect();
        if passed.is_empty() {
            return passed;
        }
        let clauses = self.program.clauses(predicate);
        let clauses = clauses.as_deref().unwrap_or_default();
        let tells_apart = |i: &usize| {
            let mut heads = clauses
                .iter()
                .map(|c| (&c.terms, c.terms.args(c.head).get(*i)));
            heads.any(|(terms, t)| t.is_some_and(|&t| terms.functor(t).is_some()))
                || self.is_looked_up(clauses, *i)
        };
        passed.into_iter().filter(|(i, _)| tells_apart(i)).collect()
    }

    /// Introduces variables for the weights of outputs whose relations are being inferred.
    fn open_weights(&self, step: &mut CallStep, before: &[Datum], after: &mut [Datum]) {
        if let Callee::Inside(index) = step.callee
            && let Some(charged) = &self.nodes[index].charged
            && charged.is_open
        {
            for &i in charged.weights.keys() {
                if before[i].ty == Type::Free {
                    let v = self.fresh();
                    step.outputs.push((before.len() + i, v));
                    after[i].weight = Some(Box::new(Size::exact(Expr::var(v))));
                }
            }
        }
    }

    /// Returns a new variable with no meaning yet.
    pub(super) fn fresh(&self) -> Var {
        let v = Var(self.next_var.get());
        self.next_var.set(v.0 + 1);
        v
    }

    /// Records facts about the arguments after a successful call.
    fn after_success(
        &self,
        state: &mut State,
        terms: &Terms,
        args: &[TermId],
        before: &[Datum],
        after: &[Datum],
    ) {
        let pure = before
            .iter()
            .all(|d| d.ty.is_ground() || d.ty == Type::Free);
        for (i, &argument) in args.iter().enumerate() {
            if after[i].ty == Type::Free && before[i].ty == Type::Free {
                continue; // still unbound
            }
            self.learn(state, terms, argument, &after[i]);
        }
        for &argument in args {
            // The call may have bound or shared variables inside structures.
            if !matches!(terms.get(state.resolve(terms, argument)), Term::Var(_)) {
                state.expose(terms, argument, &Type::Any);
            }
        }
        state.pure &= pure;
    }

    fn not_followed(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
        predicate: &Functor,
    ) {
        let reason = format!(
            "`{predicate}` is called here with other kinds of arguments than its types were worked out for"
        );
        let help = "Declare the types of the arguments, or let each clause make one such call.";
        self.obstacle(scope, point, Some(goal), reason, help);
        point.state.expose(scope.terms, goal, &Type::Any);
        point.state.pure = false;
    }

    /// Returns the number of solutions of a call, and whether the call certainly has one.
    pub(super) fn solutions_at(
        &self,
        sides: &Sides,
        at: &CallArguments<'_>,
        region: &Region,
    ) -> Result<(Size, bool), Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let uppers = at.values(&sides.upper, &is_param)?;
        let lowers = at.values(&sides.lower, &is_param)?;
        if uppers.is_empty() {
            // No piece of the callee covers the arguments, so the number of solutions is unknown.
            return Ok((Size::unknown(), false));
        }
        let at_least_one = |size: &Option<Size>| {
            size.as_ref()
                .and_then(|s| s.lower.as_ref())
                .is_some_and(|l| costlens_algebra::prove::nonnegative(&(l - &Expr::int(1)), region))
        };
        let sure = !lowers.is_empty() && lowers.iter().all(|(_, size)| at_least_one(size));
        let lower = match lowers.as_slice() {
            [(_, Some(size))] => size.lower.clone(),
            _ if sure => Some(Expr::int(1)),
            _ => None,
        };
        let mut upper = Some(Size::exact(Expr::zero()));
        for (_, size) in uppers {
            upper = match (upper, size) {
                (Some(a), Some(b)) => Some(a.hull(&b, region)),
                _ => None,
            };
        }
        let count = Size {
            lower: lower.or_else(|| Some(Expr::zero())),
            upper: upper.and_then(|s| s.upper),
        };
        Ok((count, sure))
    }

    fn is_crowded(&self, calls: &Called) -> bool {
        self.nodes.iter().filter(|n| n.is_beside(calls)).count() >= calls.most_beside()
    }

    /// Returns the sizes of a call's arguments on which the callee's bounds depend.
    pub(super) fn sizes(&self, params: &[Slot], data: &[Datum]) -> Vec<Size> {
        let size = |slot: &Slot| {
            let d = &data[slot.argument];
            if slot.weight {
                return d.weighed();
            }
            if slot.whole {
                return d.measured(Metric::Size);
            }
            if !slot.element {
                return d.measured(slot.metric);
            }
            match d.element_bound(slot.metric) {
                Some(bound) => Size::exact(bound),
                None => Size::unknown(),
            }
        };
        params.iter().map(size).collect()
    }

    pub(super) fn record(
        &self,
        callee: Callee,
        params: &[Slot],
        data: &[Datum],
        literal: TermId,
        outputs: Vec<(usize, Var)>,
    ) -> CallStep {
        CallStep {
            callee,
            args: self.sizes(params, data),
            literal,
            outputs,
            locals: Vec::new(),
            facts: Region::default(),
            distinct: Vec::new(),
            charge: None,
            sure: false,
            solutions: None,
        }
    }

    /// Requests splits of the world until a single piece provides each bound of the callee, as far as sizes can decide.
    pub(super) fn split_on_cost(
        &self,
        summary: &Summary,
        at: &CallArguments<'_>,
    ) -> Result<(), Split> {
        let is_param = |e: &Expr| self.is_param(e);
        for pieces in [
            &summary.all.upper,
            &summary.first.lower,
            &summary.solutions.upper,
        ] {
            at.values(pieces, &is_param)?;
        }
        Ok(())
    }
}

/// Returns the only element of a set, if there is exactly one.
fn only(atoms: &Option<BTreeSet<SmolStr>>) -> Option<SmolStr> {
    let mut all = atoms.iter().flatten();
    all.next().filter(|_| all.next().is_none()).cloned()
}

/// Drops the fact that an argument is unbound if its variable occurs twice in the call: `p(X, X)`, `p(X, f(X))`.
pub(super) fn forget_shared(state: &State, terms: &Terms, args: &[TermId], data: &mut [Datum]) {
    for (i, &argument) in args.iter().enumerate() {
        if let Some(v) = state.unbound(terms, argument) {
            let mut others = args.iter().enumerate().filter(|(j, _)| *j != i);
            if others.any(|(_, &other)| state.unbound_inside(terms, other).contains(&v)) {
                data[i] = Datum::any();
            }
        }
    }
}

/// The maximum number of list cells that are counted.
const MOST_CELLS: i64 = 64;

/// Returns the number of written or known cells of a list, up to [`MOST_CELLS`].
fn cells(state: &State, terms: &Terms, t: TermId) -> i64 {
    let (mut cells, mut rest) = (0, state.resolve(terms, t));
    while let Some(&[_, tail]) = terms.matches(rest, CONS, 2)
        && cells < MOST_CELLS
    {
        (cells, rest) = (cells + 1, state.resolve(terms, tail));
    }
    cells
}
