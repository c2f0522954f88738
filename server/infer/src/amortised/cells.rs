//! Bounds in terms of both the term size of a list and its number of cells ([`crate::lattice::weight`]).
//!
//! ```text
//! count(T, N) :- T =.. [_|Ts], counts(Ts, N).    counts([T|Ts], N) :- count(T, A), counts(Ts, B), N is A+B.
//! ```
//!
//! The list of the k arguments of a term of size n has size n+k, which is no smaller than n. Both measures together suffice: `counts/2` on
//! a list with k cells and size s costs count(a) + counts(k-1, s-a-1) + 1, and the solver infers a bound linear in s-k. The method also
//! applies to trees with lists of children and additional work on each list: the number of cells bounds the cost of that work.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use costlens_algebra::Var;
use costlens_body::Related;
use costlens_catalog::Relation;
use costlens_program::Clause;
use costlens_recurrences::{Direction, Solution, System};
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use smol_str::format_smolstr;

use super::joined::variables;
use super::{coarse, sizes};
use crate::component::Component;
use crate::component::costs::Costs;
use crate::lattice::regular::CELL_KEY;
use crate::lattice::weight::TermWeight;
use crate::report::Functor;
use crate::summary::amortised_bounds::{Amortised, is_worth_another_measure};
use crate::summary::node::Node;
use crate::tree::runs::RegionRuns;
use crate::world::questions::{Answer, Question};
use crate::written::goals;

/// The fuel for an attempt, including clause runs and the solver.
const ATTEMPT_FUEL: u64 = 8_000;

/// The maximum number of nodes (a predicate with a call pattern), and of clauses per predicate.
const MOST_NODES: usize = 12;
const MOST_CLAUSES: usize = 24;

/// Returns better bounds for nodes of a component with solved costs. Types, sizes and numbers of solutions are recomputed: outputs have as
/// many elements as the lists have cells.
pub(crate) fn by_cells(of: &Component<'_>, costs: &Costs) -> BTreeMap<usize, Arc<Amortised>> {
    let improvable: Vec<usize> = (0..of.nodes.len())
        .filter(|&i| {
            let upper = costs.upper_solution.functions.get(i);
            upper.is_some_and(|pieces| pieces.iter().any(|p| is_worth_another_measure(&p.value)))
        })
        .collect();
    if improvable.is_empty() || !is_promising(of) {
        return BTreeMap::new();
    }
    let program = of.shared.program;
    let mut component = Component::counting(program, ATTEMPT_FUEL, Some(TermWeight::Cells));
    (component.shared.met).begin_with(&of.nodes[0].name, &of.shared.met.all());
    component.add_node(of.nodes[0].calls());
    component.types();
    // If no clause tests whether an argument is a list, all cells would be dropped, leaving the equations that are already solved. The
    // check avoids half of the work.
    if asked(&component, &component.runs()).is_empty() {
        return BTreeMap::new();
    }
    component.sizes_and_solutions();
    let runs = component.runs();
    let all = component.cost_system(&runs, Direction::Upper);
    let Some((places, system)) = coarse::coarser(&all, &unasked(&component, &runs, &all)) else {
        return BTreeMap::new();
    };
    let solution = component.run_solver(&system, Direction::Upper);
    (improvable.into_iter())
        .filter_map(|i| {
            let found = bound(&component, &places, &system, &solution, &of.nodes[i])?;
            let upper = costs.upper_solution.functions.get(i)?;
            (found.better(upper) != *upper).then(|| (i, Arc::new(found)))
        })
        .collect()
}

/// Returns whether a recursion decomposes terms into lists.
fn is_promising(of: &Component<'_>) -> bool {
    if of.nodes.len() > MOST_NODES {
        return false;
    }
    let recursive: Vec<&Functor> = (of.nodes.iter().enumerate())
        .filter(|&(i, _)| !of.is_alone(i) || of.calls.is_to_itself(i))
        .map(|(_, node)| &node.name)
        .collect();
    let may_pay = |clause: &Clause| {
        takes_apart(clause) || walks_children(clause, &recursive) || puts_back(clause, &recursive)
    };
    (recursive.iter())
        .filter_map(|name| of.shared.program.clauses(name))
        .any(|clauses| clauses.len() <= MOST_CLAUSES && clauses.iter().any(may_pay))
}

/// Returns whether a clause recurs on both the first element and the tail of a list.
fn walks_children(clause: &Clause, recursive: &[&Functor]) -> bool {
    let terms = &*clause.terms;
    let again: Vec<TermId> = goals(clause)
        .into_iter()
        .filter(|&goal| {
            Functor::from_term(terms, goal).is_some_and(|name| recursive.contains(&&name))
        })
        .collect();
    let is_passed = |part: TermId| {
        let of = variables(terms, part);
        let mut args = again.iter().flat_map(|&goal| terms.args(goal));
        args.any(|&t| matches!(terms.get(t), Term::Var(v) if of.contains(v)))
    };
    let mut lists = (terms.args(clause.head).iter()).filter_map(|&t| terms.matches(t, CONS, 2));
    again.len() >= 2 && lists.any(|cell| is_passed(cell[0]) && is_passed(cell[1]))
}

/// Returns whether a clause contains `T =.. [_|Ts]`.
fn takes_apart(clause: &Clause) -> bool {
    let terms = &*clause.terms;
    let is_univ = |goal: TermId| {
        Related::arguments(terms, goal, Relation::Parts)
            .is_some_and(|[_, list]| is_cell(terms, list))
    };
    goals(clause).into_iter().any(is_univ)
}

/// Returns whether a recursive call receives a list that contains parts of another list's first element:
/// `walk([node(L, R)|Ts]) :- walk([L, R|Ts])`.
fn puts_back(clause: &Clause, recursive: &[&Functor]) -> bool {
    let terms = &*clause.terms;
    let is_opened = |&t: &TermId| {
        let first = terms.matches(t, CONS, 2).map(|cell| terms.get(cell[0]));
        matches!(first, Some(Term::Compound(..)))
    };
    terms.args(clause.head).iter().any(is_opened)
        && goals(clause).into_iter().any(|goal| {
            Functor::from_term(terms, goal).is_some_and(|name| recursive.contains(&&name))
                && terms.args(goal).iter().any(|&t| is_cell(terms, t))
        })
}

fn is_cell(terms: &Terms, t: TermId) -> bool {
    terms.matches(t, CONS, 2).is_some()
}

/// Returns the cell counts of arguments that some clause tests for being a list.
fn asked(component: &Component<'_>, runs: &[Rc<[RegionRuns]>]) -> BTreeSet<Var> {
    let mut asked = BTreeSet::new();
    for (node, runs) in component.nodes.iter().zip(runs) {
        let worlds = || runs.iter().flat_map(|region| &region.worlds);
        for param in node.params.iter().filter(|p| p.slot.weight) {
            let key = format_smolstr!("a{}", param.slot.argument + 1);
            let is_list = (Question::Shape { key }, Answer::Is(CELL_KEY.into()));
            if worlds().any(|run| run.world.answers().get(&is_list.0) == Some(&is_list.1)) {
                asked.insert(param.var);
            }
        }
    }
    asked
}

/// Returns the cell counts of arguments that no clause tests for being a list, neither directly nor after passing them on. Terms other than
/// lists have no cells, and the equations do not constrain these counts.
fn unasked(component: &Component<'_>, runs: &[Rc<[RegionRuns]>], system: &System) -> BTreeSet<Var> {
    let asked = asked(component, runs);
    let params = component.nodes.iter().flat_map(|node| &node.params);
    let mut unasked: BTreeSet<Var> = params
        .filter(|p| p.slot.weight && !asked.contains(&p.var))
        .map(|p| p.var)
        .collect();
    let functions = &system.functions;
    let alternatives =
        || (functions.iter()).flat_map(|f| f.cells.iter().flat_map(|c| &c.alternatives));
    loop {
        let passed_on: Vec<Var> = alternatives()
            .flat_map(|alternative| &alternative.results)
            .flat_map(|result| functions[result.function].params.iter().zip(&result.args))
            .filter(|(param, _)| !unasked.contains(param))
            .flat_map(|(_, arg)| arg.variables())
            .filter(|v| unasked.contains(v))
            .collect();
        if passed_on.is_empty() {
            return unasked;
        }
        unasked.retain(|v| !passed_on.contains(v));
    }
}

/// Returns the bound for calls of a node whose sizes do not include cell counts.
fn bound(
    component: &Component<'_>,
    places: &[usize],
    system: &System,
    solution: &Solution,
    of: &Node,
) -> Option<Amortised> {
    let n = component.nodes.len();
    let own = (component.nodes.iter()).position(|node| node.is_about(&of.calls()))?;
    let at = places.iter().position(|&f| f == own)?;
    let bound = sizes::in_sizes(solution.functions.get(at)?, &component.nodes[own], of)?;
    let name = |f: &usize| match (f / n, f % n) {
        (0, node) => format!("steps over all solutions of {}", component.called(node)),
        (1, node) => format!("steps to the first solution of {}", component.called(node)),
        _ => "a function that is infinite".to_owned(),
    };
    let proof = (solution.proof.iter())
        .filter(|&&(f, _)| f == at)
        .map(|(_, how)| (0, how.clone()))
        .collect();
    Some(Amortised {
        counted: Some(TermWeight::Cells),
        names: places.iter().map(name).collect(),
        system: system.clone(),
        pieces: solution.functions.clone(),
        proof,
        bound,
    })
}
