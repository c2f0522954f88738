//! Merging of functions with the same equations, so that these equations are solved only once.
//!
//! The steps up to the first solution and the steps over all solutions are two functions. For a predicate with one solution they are equal,
//! as are the sizes of outputs that are built in the same way. Functions are alike if their cells are alike, where calls are compared up to
//! likeness; the greatest such relation is computed by partition refinement, as in the minimisation of automata (Hopcroft 1971). Functions
//! that are alike have the same least solution.

use std::collections::HashMap;

use crate::system::{Function, System};

/// A system with one function per class.
pub(crate) struct Classes {
    pub(crate) system: System,
    /// For each original function, the function that represents its class.
    pub(crate) of: Vec<usize>,
}

/// Returns the classes of the functions, or `None` if no two functions are alike.
pub(crate) fn classes(system: &System) -> Option<Classes> {
    let mut of = vec![0; system.functions.len()];
    let mut count = 1;
    loop {
        let mut found: HashMap<(usize, Function), usize> = HashMap::new();
        let next: Vec<usize> = (system.functions.iter().zip(&of))
            .map(|(function, &before)| {
                let number = found.len();
                let key = (before, calling(function, &of));
                *found.entry(key).or_insert(number)
            })
            .collect();
        let classes = found.len();
        of = next;
        if classes == system.functions.len() {
            return None;
        }
        if classes == count {
            break;
        }
        count = classes;
    }
    let functions = (0..count)
        .filter_map(|class| {
            let first = of.iter().position(|&c| c == class)?;
            Some(calling(&system.functions[first], &of))
        })
        .collect();
    Some(Classes {
        system: System { functions },
        of,
    })
}

/// Returns the function with calls redirected to class representatives; an invalid function index remains invalid.
fn calling(function: &Function, of: &[usize]) -> Function {
    let mut function = function.clone();
    let alternatives = function.cells.iter_mut().flat_map(|c| &mut c.alternatives);
    for call in alternatives.flat_map(|a| &mut a.results) {
        call.function = of.get(call.function).copied().unwrap_or(usize::MAX);
    }
    function
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Alternative, CallResult, Cell};
    use costlens_algebra::{Constraint, Region};
    use costlens_algebra::{Expr, Var};

    const N: Var = Var(0);
    const R: Var = Var(1);

    /// Returns the function `f(0) = 1` and `f(n) = callee(n-1) + cost`.
    fn function(callee: usize, cost: i64) -> Function {
        let n = Expr::var(N);
        let zero = Constraint::eq(&n, &Expr::int(0)).unwrap();
        let more = Constraint::ge(&n, &Expr::int(1)).unwrap();
        let call = CallResult {
            var: R,
            function: callee,
            args: vec![&n - &Expr::int(1)],
        };
        let cell = |on, results, value| Cell {
            region: Region::everything().and(on),
            alternatives: vec![Alternative {
                results,
                value: Some(value),
                ..Alternative::default()
            }],
            exhaustive: true,
        };
        Function {
            params: vec![N],
            cells: vec![
                cell(zero, Vec::new(), Expr::int(1)),
                cell(more, vec![call], &Expr::var(R) + &Expr::int(cost)),
            ],
        }
    }

    fn class_indices(functions: Vec<Function>) -> Option<Vec<usize>> {
        classes(&System { functions }).map(|c| c.of)
    }

    #[test]
    fn calls_of_one_or_the_other_are_the_same() {
        assert_eq!(
            class_indices(vec![function(0, 1), function(0, 1)]),
            Some(vec![0, 0])
        );
        assert_eq!(
            class_indices(vec![function(1, 1), function(0, 1)]),
            Some(vec![0, 0])
        );
        let system = System {
            functions: vec![function(2, 2), function(1, 1), function(2, 1)],
        };
        let found = classes(&system).unwrap();
        assert_eq!(found.of, [0, 1, 1]);
        assert_eq!(found.system.functions, [function(1, 2), function(1, 1)]);
    }

    #[test]
    fn callees_tell_functions_apart() {
        assert_eq!(class_indices(vec![function(0, 1), function(1, 2)]), None);
        // The functions differ only three calls away.
        let chain = vec![
            function(2, 1),
            function(3, 1),
            function(4, 1),
            function(5, 1),
            function(4, 3),
            function(5, 2),
        ];
        assert_eq!(class_indices(chain), None);
    }

    #[test]
    fn calls_of_nothing_stay() {
        assert_eq!(
            class_indices(vec![function(7, 1), function(9, 1)]),
            Some(vec![0, 0])
        );
        assert_eq!(class_indices(vec![function(7, 1), function(1, 1)]), None);
    }
}
