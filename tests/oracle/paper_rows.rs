//! Rows 8 to 11 of PPDP'08's Tables 8 to 10: the times of the instructions that a run counts lie within the bounds on time, for the cheapest
//! and the most expensive input of the sizes of Table 7, written with cuts and with conditions. docs/papers.md compares the numbers with the
//! printed ones.

use std::rc::Rc;

use costlens_platform::{find, stored};
use num_traits::ToPrimitive as _;
use serde_json::Value;

use crate::conditions::without_conditions;
use crate::heap::{Heap, Ref};
use crate::instructions::Counter;
use crate::machine::{Limits, Machine, Outcome};
use crate::program::Program;
use crate::property;

/// A program, its predicate, the sizes of its arguments, and the generators of its cheapest and most expensive goals.
type Row = (&'static str, &'static str, [(usize, i64); 2], Inputs);

/// The two arguments of a goal before the result.
type Inputs = [fn(&mut Heap) -> [Ref; 2]; 2];

const ROWS: [Row; 4] = [
    (
        "list_diff",
        "list_diff",
        [(1, 65), (2, 65)],
        [at_once, nowhere],
    ),
    (
        "list_inters",
        "list_inters",
        [(1, 65), (2, 65)],
        [at_once, nowhere],
    ),
    (
        "substitute",
        "substitute",
        [(1, 67), (2, 40)],
        [named, unnamed],
    ),
    ("derive", "derive", [(1, 75), (1, 75)], [sums, quotients]),
];

fn numbers(heap: &mut Heap, from: i64, n: i64) -> Ref {
    let all: Vec<Ref> = (from..from + n).map(|i| heap.int(i)).collect();
    heap.list(&all, None)
}

/// Builds arguments such that every element is the first of the second list.
fn at_once(heap: &mut Heap) -> [Ref; 2] {
    let ones: Vec<Ref> = (0..65).map(|_| heap.int(1)).collect();
    [heap.list(&ones, None), numbers(heap, 1, 65)]
}

/// Builds arguments such that no element is in the second list.
fn nowhere(heap: &mut Heap) -> [Ref; 2] {
    [numbers(heap, 1, 65), numbers(heap, 1001, 65)]
}

/// Returns an expression of that many operations on one more name.
fn expression(heap: &mut Heap, operator: &str, n: usize) -> Ref {
    let mut all = heap.atom("x");
    for _ in 0..n {
        let name = heap.atom("x");
        all = heap.compound(operator, &[name, all]);
    }
    all
}

/// Returns a list of forty pairs of this name and a number.
fn pairs(heap: &mut Heap, name: &str) -> Ref {
    let pair = |heap: &mut Heap| {
        let of = [heap.atom(name), heap.int(1)];
        heap.compound("s", &of)
    };
    let all: Vec<Ref> = (0..40).map(|_| pair(heap)).collect();
    heap.list(&all, None)
}

fn named(heap: &mut Heap) -> [Ref; 2] {
    [expression(heap, "op", 33), pairs(heap, "x")]
}

fn unnamed(heap: &mut Heap) -> [Ref; 2] {
    [expression(heap, "op", 33), pairs(heap, "y")]
}

fn sums(heap: &mut Heap) -> [Ref; 2] {
    [expression(heap, "+", 37), heap.atom("x")]
}

fn quotients(heap: &mut Heap) -> [Ref; 2] {
    [expression(heap, "/", 37), heap.atom("x")]
}

/// Compares all rows on all machines, and prints them.
pub(crate) fn rows_8_to_11() -> Result<(), String> {
    let platforms = stored().map_err(|e| e.to_string())?;
    let library = property::library();
    let library = Rc::new(without_conditions(&library));
    let machines = ["intel", "n810", "sparc"];
    let dresses = machines.map(|m| ["cuts", "conditions"].map(|dress| (m, dress)));
    for (machine_name, dress) in dresses.into_iter().flatten() {
        let platform = format!("ppdp08-{machine_name}");
        let constants = find(&platforms, &platform).map_err(|e| e.to_string())?;
        for (name, predicate, sizes, inputs) in ROWS {
            let file = property::root().join(format!("tests/papers/ppdp08/{dress}/{name}.pl"));
            let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
            let program = Rc::new(without_conditions(&Program::read(&text)));
            let at = sizes.map(|(argument, size)| format!("{argument}={size}"));
            let at = if at[0] == at[1] {
                at[0].clone()
            } else {
                at.join(",")
            };
            let indicator = format!("{predicate}/3");
            let file = file.display().to_string();
            let arguments = [
                "bounds",
                "--platform",
                &platform,
                "--resource",
                "time",
                "--format",
                "json",
                "--predicate",
                &indicator,
                "--at",
                &at,
                &file,
            ];
            let json = property::costlens(&arguments.map(std::ffi::OsStr::new))?;
            let json: Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
            let first = &json["predicates"][0]["patterns"][0]["at"]["time"]["first"];
            let bound = |side: &str| {
                first[side]
                    .as_f64()
                    .ok_or(format!("{name}: no {side} bound"))
            };
            let (lower, upper) = (bound("lower")?, bound("upper")?);
            let mut counted = Vec::new();
            for input in inputs {
                let mut machine = Machine::new(&program, &library, Limits::default());
                machine.counter = Some(Counter::default());
                let [a, b] = input(&mut machine.heap);
                let result = machine.heap.var();
                let goal = machine.heap.compound(predicate, &[a, b, result]);
                let run = machine.count(goal, |_| {});
                if run.all != Outcome::Success {
                    return Err(format!("{name}: {:?}", run.all));
                }
                let ns = (machine.first_instructions.iter()).map(|(event, n)| {
                    let constant = constants.constants.get(event).map(|c| &c.ns);
                    let ns = constant.and_then(|ns| ns.to_f64()).unwrap_or(0.0);
                    ns * *n as f64
                });
                counted.push(ns.sum::<f64>());
            }
            let [cheap, dear] = [counted[0], counted[1]];
            crate::tell(&format!(
                "{name} with {dress} on {machine_name}: {:.0} to {:.0}, counted {:.0} and {:.0} µs",
                lower / 1e3,
                upper / 1e3,
                cheap / 1e3,
                dear / 1e3
            ));
            if cheap < lower * (1.0 - 1e-9) || dear > upper * (1.0 + 1e-9) || cheap > dear {
                return Err(format!(
                    "{name}: {cheap} and {dear} beside {lower} to {upper} ns"
                ));
            }
        }
    }
    Ok(())
}
