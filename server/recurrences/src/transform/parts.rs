//! Independent parts of a system, each with canonical variable names.
//!
//! The steps over all solutions and the steps up to the first solution are two functions, which call each other only for some predicates.
//! Functions that do not call each other are solved separately: a part then more often equals a part of another system, and a caller that
//! caches solutions ([`by_parts`] queries each part) solves less. Equal parts of a system are solved once.

use std::collections::BTreeMap;

use costlens_algebra::Var;
use costlens_algebra::linear::Renaming;

use crate::system::{Alternative, Direction, Solution, SolvedPiece, System, Value, Why};

/// Some functions of a system, with all their direct and indirect callees and callers.
struct Subsystem {
    /// The indices of the functions, in order.
    functions: Vec<usize>,
    system: System,
    /// The renaming of variables to canonical names; `None` if the names are already canonical.
    names: Option<Renaming>,
}

/// Solves the parts of a system, each with the full fuel. The reported fuel used is capped at this amount.
///
/// Lower bounds are solved together: a cell solved separately may be cut although it would not be cut among others, and cut cells yield
/// bounds that grow more slowly.
pub fn by_parts(
    system: &System,
    direction: Direction,
    fuel: u64,
    solve: &mut dyn FnMut(&System) -> Solution,
) -> Solution {
    let mut solved: Vec<(System, Solution)> = Vec::new();
    let mut whole = Solution {
        functions: vec![Vec::new(); system.functions.len()],
        ..Solution::default()
    };
    let mut proof: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for part in parts(system, direction) {
        let known = solved.iter().position(|(of, _)| *of == part.system);
        let at = known.unwrap_or_else(|| {
            let solution = solve(&part.system);
            whole.fuel_used += solution.fuel_used;
            solved.push((part.system.clone(), solution));
            solved.len() - 1
        });
        let solution = &solved[at].1;
        let back = part.names.as_ref().map(Renaming::inverse);
        for (pieces, &f) in solution.functions.iter().zip(&part.functions) {
            whole.functions[f] = match &back {
                Some(back) => pieces.iter().map(|p| renamed_piece(p, back)).collect(),
                None => pieces.clone(),
            };
        }
        for (of, how) in &solution.proof {
            let f = part.functions[*of];
            proof.entry(f).or_default().push(how.clone());
        }
    }
    whole.fuel_used = whole.fuel_used.min(fuel);
    let lines = |(f, all): (usize, Vec<String>)| all.into_iter().map(move |how| (f, how));
    whole.proof = proof.into_iter().flat_map(lines).collect();
    whole
}

fn parts(system: &System, direction: Direction) -> Vec<Subsystem> {
    let group_of = match direction {
        Direction::Upper => group_of(system),
        Direction::Lower => vec![0; system.functions.len()],
    };
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (f, group) in group_of.into_iter().enumerate() {
        groups.entry(group).or_default().push(f);
    }
    let part = |functions: Vec<usize>| {
        let mut system = System {
            functions: functions
                .iter()
                .map(|&f| system.functions[f].clone())
                .collect(),
        };
        let names = names(&system);
        rename(&mut system, &functions, names.as_ref());
        Subsystem {
            functions,
            system,
            names,
        }
    };
    groups.into_values().map(part).collect()
}

/// Returns, for each function, the first function of its part.
fn group_of(system: &System) -> Vec<usize> {
    let mut group: Vec<usize> = (0..system.functions.len()).collect();
    for (f, function) in system.functions.iter().enumerate() {
        let alternatives = function.cells.iter().flat_map(|c| &c.alternatives);
        for call in alternatives.flat_map(|a| &a.results) {
            let Some(&other) = group.get(call.function) else {
                continue;
            };
            let (first, last) = (group[f].min(other), group[f].max(other));
            if first != last {
                for g in group.iter_mut().filter(|g| **g == last) {
                    *g = first;
                }
            }
        }
    }
    group
}

/// Renumbers the size variables of the functions, from 0. Returns `None` if this changes nothing, or if variables of alternatives are
/// interleaved with them, since renaming would then change the order of the variables.
fn names(system: &System) -> Option<Renaming> {
    let params = system.functions.iter().flat_map(|f| &f.params);
    let params: Vec<Var> = params.copied().collect();
    let last = params.iter().max()?;
    let cells = system.functions.iter().flat_map(|f| &f.cells);
    let mut alternatives = cells.flat_map(|c| &c.alternatives);
    let stand_after = |a: &Alternative| {
        let results = a.results.iter().map(|r| r.var);
        a.locals.iter().copied().chain(results).all(|v| v > *last)
    };
    alternatives
        .all(stand_after)
        .then(|| Renaming::numbering(params))?
}

/// Renumbers the functions by their positions in the part, and renames the variables.
fn rename(system: &mut System, functions: &[usize], names: Option<&Renaming>) {
    for function in &mut system.functions {
        for cell in &mut function.cells {
            for a in &mut cell.alternatives {
                for call in &mut a.results {
                    let place = functions.binary_search(&call.function);
                    call.function = place.unwrap_or(usize::MAX);
                }
            }
        }
        let Some(names) = names else { continue };
        for v in &mut function.params {
            *v = names.var(*v);
        }
        for cell in &mut function.cells {
            cell.region = names.region(&cell.region);
            for a in &mut cell.alternatives {
                a.constraints = names.region(&a.constraints);
                a.value = a.value.as_ref().map(|e| names.expr(e));
                for arg in a.results.iter_mut().flat_map(|r| &mut r.args) {
                    *arg = names.expr(arg);
                }
            }
        }
    }
}

fn renamed_piece(piece: &SolvedPiece, names: &Renaming) -> SolvedPiece {
    SolvedPiece {
        region: names.region(&piece.region),
        value: match &piece.value {
            Value::Known(e) => Value::Known(names.expr(e)),
            Value::Unknown(Why::NotProved(e)) => Value::Unknown(Why::NotProved(names.expr(e))),
            other => other.clone(),
        },
    }
}
