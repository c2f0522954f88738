//! Which cells call which, and the components of that graph.

pub(crate) mod relevance;

use std::collections::BTreeMap;

use costlens_algebra::linear::Substitution;
use costlens_algebra::prove::RESERVED_VARIABLES;
use costlens_algebra::{Atom, Constraint, Expr, Monomial, Rat, Region, Var, prove, rat};
use num_traits::Zero;

use crate::system::{Alternative, CallResult, Cell, Function, System};

/// A cell by function and position.
pub(crate) type CellId = (usize, usize);

/// Clauses with more calls than this are not looked at.
pub(crate) const RESULT_LIMIT: usize = 200;

/// Calls with more arguments are not looked at.
const ARITY_LIMIT: usize = 32;

/// The parameters of a callee in terms of the caller, ready for substitution into regions.
pub(crate) struct Arguments {
    /// Exact.
    pub(crate) values: BTreeMap<Var, Expr>,
    /// The same with an integer variable in place of each argument that is not linear.
    pub(crate) linear: BTreeMap<Var, Expr>,
    /// What is known about those variables.
    pub(crate) facts: Vec<Constraint>,
    /// Whether `linear` says the same as `values`: what is not linear there are floors.
    pub(crate) is_flat: bool,
}

impl Arguments {
    /// A bound of the callee in terms of the caller. Of half a list's length a logarithm is known; of what is left, only where the half
    /// is a variable.
    pub(crate) fn bound(&self, of: &Expr) -> Option<Expr> {
        let flat = || self.is_flat.then(|| of.substitute(&self.linear))?;
        of.substitute(&self.values).or_else(flat)
    }
}

/// None if the number of arguments is wrong or an argument is not integer-valued.
///
/// `position` of the call in its alternative keeps the stand-ins of different calls apart.
pub(crate) fn arguments(
    call: &CallResult,
    position: usize,
    callee: &Function,
    on: &Region,
) -> Option<Arguments> {
    if call.args.len() != callee.params.len() || call.args.len() > ARITY_LIMIT {
        return None;
    }
    let mut arguments = Arguments {
        values: BTreeMap::new(),
        linear: BTreeMap::new(),
        facts: Vec::new(),
        is_flat: true,
    };
    let mut on = on.clone();
    for (i, (&param, arg)) in callee.params.iter().zip(&call.args).enumerate() {
        if !integer_valued(arg, &on) {
            return None;
        }
        arguments.values.insert(param, arg.clone());
        if arg.is_linear() {
            arguments.linear.insert(param, arg.clone());
            continue;
        }
        if let Some((flat, facts)) = prove::without_floors(arg, &on) {
            arguments.linear.insert(param, flat);
            for fact in facts {
                on = on.and(fact.clone());
                arguments.facts.push(fact);
            }
            continue;
        }
        arguments.is_flat = false;
        let number = u32::try_from(position * ARITY_LIMIT + i).ok()?;
        let stand_in = Expr::var(Var(RESERVED_VARIABLES + 0x100 + number));
        for bound in [1, 0] {
            let bound = Expr::int(bound);
            if prove::nonnegative(&(arg - &bound), &on) {
                arguments.facts.extend(Constraint::ge(&stand_in, &bound));
                break;
            }
        }
        arguments.linear.insert(param, stand_in);
    }
    Some(arguments)
}

/// Whether the values at the integer points of a region are integers. For a polynomial it suffices to look at 0..=degree in
/// each variable (Pólya). Otherwise coefficients and bases must be integers and exponents at least 0.
pub(crate) fn integer_valued(e: &Expr, on: &Region) -> bool {
    let natural = |v: Var| {
        on.bounds(&Expr::var(v))
            .0
            .is_some_and(|low| low >= Rat::zero())
    };
    if e.terms().all(|(m, c)| {
        c.is_integer()
            && m.atoms.keys().all(Atom::is_integer_valued)
            && m.atom_exponentials
                .iter()
                .all(|(atom, b)| b.is_integer() && matches!(atom, Atom::Log { .. }))
            && m.exponentials
                .iter()
                .all(|(&v, b)| b.is_integer() && natural(v))
    }) {
        return true;
    }
    if !e.is_polynomial() {
        return false;
    }
    let vars = e.variables();
    let degree = e.terms().map(|(m, _)| m.degree()).max().unwrap_or(0);
    let Some(points) =
        (u64::from(degree) + 1).checked_pow(u32::try_from(vars.len()).unwrap_or(u32::MAX))
    else {
        return false;
    };
    if points > 256 {
        return false;
    }
    (0..points).all(|mut code| {
        let mut at = BTreeMap::new();
        for &v in &vars {
            at.insert(v, code % (u64::from(degree) + 1));
            code /= u64::from(degree) + 1;
        }
        e.eval(&|v| at.get(&v).map(|&k| k.into()))
            .is_some_and(|r| r.is_integer())
    })
}

/// The results that later arguments of the same alternative mention.
pub(crate) fn nested_results(alternative: &Alternative) -> Vec<Var> {
    if alternative.results.len() > RESULT_LIMIT {
        return Vec::new();
    }
    let used: Vec<Var> = alternative
        .results
        .iter()
        .flat_map(|r| r.args.iter().flat_map(Expr::variables))
        .collect();
    alternative
        .results
        .iter()
        .map(|r| r.var)
        .filter(|v| used.contains(v))
        .collect()
}

/// The points at which an alternative of a cell may be used; results in arguments are at least 0.
pub(crate) fn enabled(cell: &Region, alternative: &Alternative) -> Region {
    let mut region = cell.and_all(&alternative.constraints);
    for v in nested_results(alternative) {
        if let Some(c) = Constraint::ge(&Expr::var(v), &Expr::zero()) {
            region = region.and(c);
        }
    }
    region
}

/// The coefficient of the result in the value, if it occurs linearly and in no product with other results.
pub(crate) fn linear_coefficient(value: &Expr, result: Var, results: &[Var]) -> Option<Expr> {
    let mut coefficient = Expr::zero();
    for (m, c) in value.terms() {
        if m.exponentials.contains_key(&result) || in_atoms(m, &[result]) {
            return None;
        }
        let Some(&k) = m.powers.get(&result) else {
            continue;
        };
        if k != 1 || m.variables().any(|v| v != result && results.contains(&v)) {
            continue; // a further non-negative summand
        }
        let mut rest = m.clone();
        rest.powers.remove(&result);
        coefficient.add_monomial(rest, c.clone());
    }
    (!coefficient.is_zero()).then_some(coefficient)
}

/// Whether a result occurs inside an atom.
pub(crate) fn in_atoms(m: &Monomial, results: &[Var]) -> bool {
    m.all_atoms()
        .any(|a| a.argument().variables().iter().any(|v| results.contains(v)))
}

/// Where a call may land.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    /// Cells that some argument may fall into.
    pub(crate) cells: Vec<CellId>,
    /// Whether some argument may fall outside every cell.
    pub(crate) outside: bool,
}

/// The graph of cells.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// Per function and cell, per alternative: none if it can never be used, else the landings of its calls.
    pub(crate) landings: Vec<Vec<Vec<Option<Vec<Landing>>>>>,
    /// Components, callees first.
    pub(crate) components: Vec<Vec<CellId>>,
    /// The component of each cell.
    pub(crate) component_of: BTreeMap<CellId, usize>,
}

impl Graph {
    pub(crate) fn new(system: &System) -> Self {
        Self::after(system, None)
    }

    /// The graph of a system that is another one with some cells cut: where a call of the others lands is known from before.
    pub(crate) fn after(system: &System, before: Option<(&System, &Self)>) -> Self {
        let is_same: Vec<bool> = (0..system.functions.len())
            .map(|f| before.is_some_and(|(s, _)| s.functions.get(f) == system.functions.get(f)))
            .collect();
        let known = |f: usize, c: usize| {
            let (other, graph) = before?;
            let cell = &system.functions[f].cells[c];
            let mut calls = cell.alternatives.iter().flat_map(|a| &a.results);
            let stays = other.functions.get(f)?.cells.get(c) == Some(cell)
                && calls.all(|call| is_same.get(call.function).is_some_and(|&same| same));
            stays.then(|| graph.landings[f][c].clone())
        };
        let landings: Vec<Vec<Vec<Option<Vec<Landing>>>>> = (system.functions.iter().enumerate())
            .map(|(f, function)| {
                let cells = function.cells.iter().enumerate();
                let landings = |(c, cell): (usize, &Cell)| {
                    let found = || {
                        cell.alternatives
                            .iter()
                            .map(|a| landings_of(system, cell, a))
                    };
                    known(f, c).unwrap_or_else(|| found().collect())
                };
                cells.map(landings).collect()
            })
            .collect();
        let nodes: Vec<CellId> = system
            .functions
            .iter()
            .enumerate()
            .flat_map(|(f, function)| (0..function.cells.len()).map(move |c| (f, c)))
            .collect();
        let number: BTreeMap<CellId, usize> =
            nodes.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let edges: Vec<Vec<usize>> = nodes
            .iter()
            .map(|&(f, c)| {
                let mut targets: Vec<usize> = landings[f][c]
                    .iter()
                    .flatten()
                    .flatten()
                    .flat_map(|l| l.cells.iter().map(|id| number[id]))
                    .collect();
                targets.sort_unstable();
                targets.dedup();
                targets
            })
            .collect();
        let components: Vec<Vec<CellId>> = components(&edges)
            .into_iter()
            .map(|c| {
                let mut ids: Vec<CellId> = c.into_iter().map(|i| nodes[i]).collect();
                ids.sort_unstable();
                ids
            })
            .collect();
        let component_of = components
            .iter()
            .enumerate()
            .flat_map(|(i, c)| c.iter().map(move |&id| (id, i)))
            .collect();
        Self {
            landings,
            components,
            component_of,
        }
    }
}

fn landings_of(system: &System, cell: &Cell, alternative: &Alternative) -> Option<Vec<Landing>> {
    let on = enabled(&cell.region, alternative);
    if on.is_empty() {
        return None;
    }
    if alternative.results.len() > RESULT_LIMIT {
        return Some(vec![Landing {
            cells: Vec::new(),
            outside: true,
        }]);
    }
    let landings = alternative
        .results
        .iter()
        .enumerate()
        .map(|(position, call)| {
            let nowhere = Landing {
                cells: Vec::new(),
                outside: true,
            };
            let Some(callee) = system.functions.get(call.function) else {
                return nowhere;
            };
            let Some(args) = arguments(call, position, callee, &on) else {
                return nowhere;
            };
            let on: Region = args.facts.iter().fold(on.clone(), |r, c| r.and(c.clone()));
            let mut landing = Landing {
                cells: Vec::new(),
                outside: false,
            };
            let mut targets = Vec::new();
            let by = Substitution::new(args.linear);
            for (i, target) in callee.cells.iter().enumerate() {
                let Some(target) = by.region(&target.region) else {
                    landing.cells.push((call.function, i));
                    landing.outside = true;
                    continue;
                };
                if !on.and_all(&target).is_empty() {
                    landing.cells.push((call.function, i));
                    targets.push(target);
                }
            }
            landing.outside = landing.outside || !on.covered_by(&targets);
            landing
        })
        .collect();
    Some(landings)
}

/// Strongly connected components, callees first (Tarjan 1972, with an explicit stack).
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = edges.len();
    let (mut index, mut low) = (vec![NEW; n], vec![0; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut found) = (Vec::new(), Vec::new());
    let mut counter = 0;
    for root in 0..n {
        if index[root] != NEW {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some(&mut (v, ref mut next)) = work.last_mut() {
            if *next == 0 {
                index[v] = counter;
                low[v] = counter;
                counter += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(&w) = edges[v].get(*next) {
                *next += 1;
                if index[w] == NEW {
                    work.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[v]);
            }
            if low[v] == index[v] {
                let mut component = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w] = false;
                    component.push(w);
                    if w == v {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

/// `value` with every result replaced by 0; less than 0 where a result is in an atom.
pub(crate) fn own_cost(value: &Expr, results: &[Var]) -> Expr {
    let mut own = Expr::zero();
    for (m, c) in value.terms() {
        if in_atoms(m, results) {
            return Expr::int(-1); // nothing is known of it
        }
        if m.powers.keys().any(|v| results.contains(v)) {
            continue;
        }
        let mut rest = m.clone();
        rest.exponentials.retain(|v, _| !results.contains(v)); // b^0
        own.add_monomial(rest, c.clone());
    }
    own
}

/// The coefficients of products of results in a value, in the order of these.
pub(crate) fn factors_of_results(value: &Expr, results: &[Var]) -> BTreeMap<Monomial, Expr> {
    let mut factors: BTreeMap<Monomial, Expr> = BTreeMap::new();
    for (m, c) in value.terms() {
        if !m.variables().any(|v| results.contains(&v)) {
            continue;
        }
        let (mut of_results, mut rest) = (m.clone(), m.clone());
        of_results.atoms.clear();
        of_results.atom_exponentials.clear();
        of_results.powers.retain(|v, _| results.contains(v));
        of_results.exponentials.retain(|v, _| results.contains(v));
        rest.powers.retain(|v, _| !results.contains(v));
        rest.exponentials.retain(|v, _| !results.contains(v));
        (factors.entry(of_results).or_default()).add_monomial(rest, c.clone());
    }
    factors
}

/// The degree of a monomial in the results; exponentials and atoms count as more than 1.
pub(crate) fn degree_in_results(m: &Monomial, results: &[Var]) -> u32 {
    let inside = m.powers.iter().filter(|(v, _)| results.contains(v));
    let powers: u32 = inside.map(|(_, &k)| k).sum();
    let more = m.exponentials.keys().any(|v| results.contains(v)) || in_atoms(m, results);
    powers + 2 * u32::from(more)
}

/// Whether the value is non-decreasing in every result, on non-negative results: each product of results has a non-negative
/// factor, and exponentials of results have bases above 1.
pub(crate) fn monotone(value: &Expr, results: &[Var], on: &Region) -> bool {
    if value.terms().any(|(m, _)| in_atoms(m, results)) {
        return false;
    }
    factors_of_results(value, results)
        .iter()
        .all(|(of_results, factor)| {
            let falls = |b: &Rat| *b < rat(1);
            !of_results.exponentials.values().any(falls)
                && match factor.as_constant() {
                    Some(c) => c >= Rat::zero(),
                    None => prove::nonnegative(factor, on),
                }
        })
}
