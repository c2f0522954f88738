//! Tests of classes of recurrences that must be solved exactly: random instances agree with iteration, and VERIFY rejects bounds that are
//! off by one.

use crate::support;

use std::collections::BTreeMap;

use costlens_algebra::{Expr, Rat, Var, rat};
use costlens_recurrences::{Alternative, Direction, SolvedPiece, System, Value, solve, verify};
use proptest::prelude::*;
use support::*;

use Direction::{Lower, Upper};

/// Checks that the only (or first) function has the values of `iterate`, and that VERIFY rejects bounds that are off by one.
fn exact(s: &System, reach: i64, iterate: &dyn Fn(i64) -> Rat) {
    for direction in [Upper, Lower] {
        let found = solve(s, direction, FUEL).functions;
        for n in 0..reach {
            let at = |_: Var| Some(n.into());
            let piece = found[0].iter().find(|p| p.region.contains(&at));
            let Some(Value::Known(bound)) = piece.map(|p| &p.value) else {
                panic!("{direction:?} at {n}: {}", show(s, &found));
            };
            let value = bound.eval(&at);
            assert_eq!(
                value,
                Some(iterate(n)),
                "{direction:?} at {n}: {}",
                show(s, &found)
            );
        }
        let worse = Expr::int(if direction == Upper { -1 } else { 1 });
        for i in 0..found[0].len() {
            let mut table = found.clone();
            let Value::Known(bound) = &found[0][i].value else {
                continue;
            };
            table[0][i].value = Value::Known(bound + &worse);
            assert!(
                verify(s, &table, direction).is_err(),
                "{direction:?} piece {i} off by one: {}",
                show(s, &found)
            );
        }
    }
}

fn show(s: &System, found: &[Vec<SolvedPiece>]) -> String {
    let pieces: Vec<String> = found[0].iter().map(show_piece).collect();
    format!("{} in\n{}", pieces.join("; "), show_system(s))
}

/// Returns a table of values computed by memoised iteration.
fn table(reach: i64, step: impl Fn(i64, &dyn Fn(i64) -> Rat) -> Rat) -> BTreeMap<i64, Rat> {
    let mut values: BTreeMap<i64, Rat> = BTreeMap::new();
    for n in 0..reach {
        let value = step(n, &|i| values[&i].clone());
        values.insert(n, value);
    }
    values
}

/// Returns an alternative with a call at the quotient of n by `base`, as in clauses with `M is N // base`.
fn quotient(base: i64, value: &str, function: usize) -> Alternative {
    let mut a = alternative(value, &[(function, &["k"])]);
    a.locals = vec![K];
    a.constraints = region(&[
        &format!("n>={base}*k"),
        &format!("n<={base}*k+{}", base - 1),
    ]);
    a
}

/// Returns the cells of `log2(1, 0). log2(N, L) :- N > 1, H is N//2, log2(H, L0), L is L0+1.`
fn logarithm() -> Vec<costlens_recurrences::Cell> {
    vec![
        cell(&["n=1"], vec![leaf("1")]),
        cell(&["n>=2"], vec![quotient(2, "1+r0", 1)]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// T(n) = a·T(n-c) + b + d·n, where each residue has its own initial values.
    #[test]
    fn steps_of_two_and_three(
        c in 2i64..=3, a in 1i64..=3, b in 0i64..5, d in 0i64..3,
        start in proptest::collection::vec(0i64..6, 3),
    ) {
        let mut cells: Vec<_> = (0..c)
            .map(|r| cell(&[&format!("n={r}")], vec![leaf(&start[r as usize].to_string())]))
            .collect();
        let value = format!("{a}*r0+{b}+{d}*n");
        cells.push(cell(&[&format!("n>={c}")], vec![alternative(&value, &[(0, &[&format!("n-{c}")])])]));
        let s = system(vec![function(1, cells)]);
        let values = table(30, |n, t| {
            if n < c { rat(start[n as usize]) } else { t(n - c) * rat(a) + rat(b + d * n) }
        });
        exact(&s, 30, &|n| values[&n].clone());
    }

    /// T(n) = a₁·T(n-1) + a₂·T(n-2) + a₃·T(n-3) + b + d·n.
    #[test]
    fn several_steps_at_once(
        a in proptest::collection::vec(0i64..=2, 2..=3), b in 0i64..5, d in 0i64..2,
        start in proptest::collection::vec(0i64..6, 3),
    ) {
        let steps = a.len() as i64;
        prop_assume!(a.iter().filter(|a| **a > 0).count() > 1 && a[a.len() - 1] > 0);
        let mut cells: Vec<_> = (0..steps)
            .map(|r| cell(&[&format!("n={r}")], vec![leaf(&start[r as usize].to_string())]))
            .collect();
        let used: Vec<i64> = (1..=steps).filter(|&i| a[i as usize - 1] > 0).collect();
        let terms: Vec<String> = used
            .iter()
            .enumerate()
            .map(|(r, &i)| format!("{}*r{r}", a[i as usize - 1]))
            .collect();
        let args: Vec<String> = used.iter().map(|i| format!("n-{i}")).collect();
        let args: Vec<[&str; 1]> = args.iter().map(|a| [a.as_str()]).collect();
        let calls: Vec<(usize, &[&str])> = args.iter().map(|a| (0, &a[..])).collect();
        let value = format!("{}+{b}+{d}*n", terms.join("+"));
        cells.push(cell(&[&format!("n>={steps}")], vec![alternative(&value, &calls)]));
        let s = system(vec![function(1, cells)]);
        let values = table(24, |n, t| {
            if n < steps {
                return rat(start[n as usize]);
            }
            let sum: Rat = (1..=steps).map(|i| t(n - i) * rat(a[i as usize - 1])).sum();
            sum + rat(b + d * n)
        });
        exact(&s, 24, &|n| values[&n].clone());
    }

    /// T(n) = a·T(⌊n/b⌋) + c.
    #[test]
    fn quotients(base in prop_oneof![2i64..=4, Just(10)], a in 1i64..=3, c in 1i64..5, start in 0i64..4) {
        let s = system(vec![function(1, vec![
            cell(&["n=0"], vec![leaf(&start.to_string())]),
            cell(&["n>=1"], vec![quotient(base, &format!("{a}*r0+{c}"), 0)]),
        ])]);
        let values = table(140, |n, t| {
            if n == 0 { rat(start) } else { t(n / base) * rat(a) + rat(c) }
        });
        exact(&s, 140, &|n| values[&n].clone());
    }

    /// T(n) = T(n-1) + a·⌊log₂ n⌋ + b + d·n, where another predicate computes the logarithm.
    #[test]
    fn sums_of_logarithms(a in 1i64..4, b in 0i64..5, d in 0i64..3, start in 0i64..4) {
        let value = format!("r0+{a}*r1+{b}+{d}*n");
        let s = system(vec![
            function(1, vec![
                cell(&["n=0"], vec![leaf(&start.to_string())]),
                cell(&["n>=1"], vec![alternative(&value, &[(0, &["n-1"]), (1, &["n"])])]),
            ]),
            function(1, logarithm()),
        ]);
        let values = table(140, |n, t| {
            if n == 0 { return rat(start); }
            t(n - 1) + rat(a * (i64::from(n.ilog2()) + 1) + b + d * n)
        });
        exact(&s, 140, &|n| values[&n].clone());
    }

    /// Two or three functions that call each other in a cycle, each with its own cost and initial value.
    #[test]
    fn circles(costs in proptest::collection::vec((0i64..5, 0i64..5), 2..=3)) {
        let k = costs.len();
        let s = system(costs.iter().enumerate().map(|(i, (cost, start))| {
            function(1, vec![
                cell(&["n=0"], vec![leaf(&start.to_string())]),
                cell(&["n>=1"], vec![alternative(&format!("r0+{cost}"), &[((i + 1) % k, &["n-1"])])]),
            ])
        }).collect());
        let value = |n: i64| {
            let passed: i64 = (0..n).map(|i| costs[i as usize % k].0).sum();
            rat(passed + costs[n as usize % k].1)
        };
        exact(&s, 30, &value);
    }

    /// T(n) = T(⌊n/2⌋) + one of two costs, and two calls, one of them optional, with lower and upper bounds.
    #[test]
    fn costs_that_depend_on_data(a in 1i64..4, b in 1i64..6, base in 2i64..=3) {
        let s = system(vec![function(1, vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![
                quotient(base, &format!("r0+{a}"), 0),
                quotient(base, &format!("r0+{b}"), 0),
            ]),
        ])]);
        let depth = |n: i64| if n == 0 { 0 } else { n.ilog(base) + 1 };
        for (direction, cost) in [(Upper, a.max(b)), (Lower, a.min(b))] {
            let found = solve(&s, direction, FUEL).functions;
            for n in 0..100i64 {
                let at = |_: Var| Some(n.into());
                let piece = found[0].iter().find(|p| p.region.contains(&at));
                let Some(Value::Known(bound)) = piece.map(|p| &p.value) else {
                    panic!("{direction:?} at {n}: {}", show(&s, &found));
                };
                prop_assert_eq!(bound.eval(&at).unwrap(), rat(cost * i64::from(depth(n)) + 1));
            }
        }
    }
}
