//! Tests of the checks of single calls and of shares of a run: each cost type, preconditions, sizes, and properties that no run can refute.
#![cfg(test)]

use std::sync::{Arc, Mutex};

use costlens_machine::{Limits, Machine, Plan};
use costlens_profile::Profile;
use costlens_profile::checks::{CallChecks, Check, Seen};
use costlens_syntax::assertions::assertions;

/// Returns the checks of a program's assertions.
fn checks(program: &str) -> Vec<Check> {
    let file = costlens_syntax::read_text(program);
    let stated = assertions(program, &file);
    assert_eq!(stated.errors, [], "{program}");
    let of =
        |a| (0..).map_while(move |n| Some(Check::new(a, n)).filter(|c| !matches!(c, Err(None))));
    stated
        .list
        .iter()
        .flat_map(of)
        .map(Result::unwrap)
        .collect()
}

/// Returns the observations for the properties of a predicate's assertion, after running a goal for all its solutions.
fn seen(clauses: &str, assertion: &str, goal: &str) -> Vec<Seen> {
    let program = format!("{assertion}\n{clauses}");
    let checks = checks(&program);
    let plan = Plan {
        predicates: vec![checks[0].predicate.clone()],
        events: true,
        ..Plan::default()
    };
    let all = (0..checks.len()).collect();
    let calls = Arc::new(Mutex::new(CallChecks::new(checks, vec![all])));
    let mut machine = Machine::counting(Limits::default());
    assert_eq!(machine.load(&program), []);
    let (goal, _) = machine.read_goal(goal).unwrap();
    assert_eq!(machine.profile(&plan, || 0), []);
    machine.observe(calls.clone());
    machine.start(goal);
    while let costlens_machine::Answer::Yes { more: true } = machine.next_answer() {}
    calls.lock().unwrap().seen().to_vec()
}

/// Returns the least and the largest value of a single property.
fn range(clauses: &str, property: &str, goal: &str) -> Option<(f64, f64)> {
    seen(clauses, &format!(":- pred s(X) + {property}."), goal)[0].range
}

/// Three solutions that take 2, 2 and 3 steps, followed by a failing alternative with one more step.
const THREE: &str = "s(X) :- q(X).\nq(a).\nq(b) :- t.\nq(c) :- t, t.\nq(d) :- t, fail.\nt.\n";

#[test]
fn cost_types() {
    let of = |kind: &str| range(THREE, &format!("cost(ub,{kind},steps,100)"), "s(X)");
    let one = |n: f64| Some((n, n));
    assert_eq!(of("call"), one(2.0));
    assert_eq!(of("call_exit"), one(2.0));
    assert_eq!(of("call_fail"), None);
    assert_eq!(of("sol(1)"), one(2.0));
    assert_eq!(of("sol(2)"), one(2.0));
    assert_eq!(of("sol(3)"), one(3.0));
    assert_eq!(of("sol(4)"), None);
    assert_eq!(of("allsols"), one(9.0));
    assert_eq!(of("redo"), one(7.0));
    assert_eq!(of("redo_exit"), one(5.0));
    assert_eq!(of("redo_fail"), one(2.0));
    // Without a choice point after the last solution no work remains.
    let facts = "s(a).\ns(b).\n";
    let all = range(facts, "cost(lb,allsols,steps,2)", "s(X)");
    assert_eq!(all, one(2.0));
    assert_eq!(range(facts, "cost(ub,call_fail,steps,2)", "s(c)"), one(0.0));
    // After a cut at the first solution, the cost of all solutions is unknown.
    let once = range(THREE, "cost(lb,allsols,steps,50)", "once(s(X))");
    assert_eq!(once, None);
}

#[test]
fn both_sides_are_refuted_and_no_more() {
    let violated = |property: &str, goal: &str| {
        let seen = seen(THREE, &format!(":- pred s(X) + {property}."), goal);
        let violation = seen[0].violation.clone();
        violation.map(|v| (v.goal.unwrap(), v.observed, v.asserted))
    };
    let call = || "s(_)".to_owned();
    let without_names =
        |v: Option<(String, f64, f64)>| v.map(|(g, o, a)| (g.starts_with("s(_"), o, a));
    assert_eq!(
        without_names(violated("cost(ub,steps,1)", "s(X)")),
        Some((true, 2.0, 1.0)),
        "{}",
        call()
    );
    assert_eq!(
        without_names(violated("cost(lb,steps,3)", "s(X)")),
        Some((true, 2.0, 3.0))
    );
    assert_eq!(
        without_names(violated("cost(eq,steps,3)", "s(X)")),
        Some((true, 2.0, 3.0))
    );
    assert_eq!(violated("cost(eq,steps,2)", "s(X)"), None);
    assert_eq!(violated("cost(ub,steps,2)", "s(X)"), None);
    // A partial value that already exceeds the bound suffices.
    assert_eq!(
        without_names(violated("cost(ub,allsols,steps,3)", "s(X), X == b, !")),
        Some((true, 4.0, 3.0))
    );
    assert_eq!(
        violated("cost(lb,allsols,steps,30)", "s(X), X == b, !"),
        None
    );
}

/// An exception ends the call, so its use is only a lower bound.
#[test]
fn exceptions() {
    let program = "s(X) :- t, t, throw(X).\nt.\n";
    let goal = "catch(s(a), _, true)";
    let of = |property: &str| seen(program, &format!(":- pred s(X) + {property}."), goal);
    assert!(of("cost(ub,steps,2)")[0].violation.is_some());
    assert!(of("cost(lb,steps,9)")[0].violation.is_none());
    assert!(of("cost(ub,call_exit,steps,2)")[0].violation.is_none());
}

#[test]
fn calls_outside_of_the_precondition_are_left_out() {
    let program = "l([]).\nl([_|Xs]) :- l(Xs).\n";
    let of = |assertion: &str, goal: &str| {
        let seen = &seen(program, assertion, goal)[0];
        (seen.judged, seen.left_out, seen.violation.is_some())
    };
    let lists = ":- pred l(X) : list(X) + cost(ub,steps,length(X)).";
    assert_eq!(of(lists, "l([a,b])"), (1, 0, true));
    assert_eq!(of(lists, "( l([a|_]), ! ; true )"), (0, 1, false));
    assert_eq!(of(lists, "\\+ l(a)"), (0, 1, false));
    let numbers = ":- pred l(X) : list(X,int) + cost(ub,steps,length(X)).";
    assert_eq!(of(numbers, "l([a])"), (0, 1, false));
    assert_eq!(of(numbers, "l([-1, 100000000000000000000])"), (1, 0, true));
    let free = ":- pred l(X) : var(X) + cost(ub,steps,0).";
    assert_eq!(of(free, "( l(_), ! )"), (1, 0, true));
    assert_eq!(of(free, "l([])"), (0, 1, false));
    let bound = ":- pred l(+X) + cost(lb,steps,5).";
    assert_eq!(of(bound, "( l(_), ! )"), (0, 1, false));
    // A logarithm of 0 asserts nothing.
    let log = ":- pred l(X) : list(X) + cost(ub,steps,log(length(X))).";
    assert_eq!(of(log, "l([])"), (0, 1, false));
    let sum = ":- pred l(X) : list(X) + cost(eq,steps,1+sum(I,1,length(X),1)).";
    assert_eq!(of(sum, "l([a,b,c])"), (1, 0, false));
    // Without a metric, only integers and lists have a known size.
    let bare = ":- pred l(X) + cost(ub,steps,X).";
    assert_eq!(of(bare, "\\+ l(f(a))"), (0, 1, false));
    assert_eq!(of(bare, "l([a])"), (1, 0, true));
}

#[test]
fn what_runs_cannot_refute() {
    let refused = |assertion: &str| {
        let program = format!("{assertion}\np(_).\n");
        let stated = assertions(&program, &costlens_syntax::read_text(&program)).list;
        Check::new(&stated[0], 0).err()
    };
    assert!(matches!(
        refused(":- pred p(X) + cost(o,steps,X)."),
        Some(Some(_))
    ));
    assert!(matches!(
        refused(":- pred p(X) + cost(ub,money,X)."),
        Some(Some(_))
    ));
    assert!(matches!(
        refused(":- pred p(X) : list(X) + rel_cost(ub,steps,5)."),
        Some(Some(_))
    ));
    assert!(matches!(
        refused(":- pred p(X) + rel_cost(ub,sol(2),steps,5)."),
        Some(Some(_))
    ));
    assert!(matches!(refused(":- pred p(X) + not_fails."), Some(None)));
    assert!(refused(":- pred p(X) + rel_cost(ub,call,steps,5).").is_none());
}

#[test]
fn shares_of_a_run() {
    let program = ":- pred p(X) + (rel_cost(ub,steps,50), rel_cost(lb,steps,70), rel_cost(ub,redo_exit,steps,24), rel_cost(eq,call,steps,50)).\nm :- p(_), fail.\nm.\np(1).\np(2).\n";
    let mut machine = Machine::counting(Limits::default());
    assert_eq!(machine.load(program), []);
    let (goal, _) = machine.read_goal("m").unwrap();
    let plan = Plan {
        predicates: vec![("p".into(), 1)],
        events: true,
        ..Plan::default()
    };
    machine.profile(&plan, || 0);
    machine.start(goal);
    machine.next_answer();
    let profile = Profile::new(machine.measured().unwrap(), &[]);
    // Two of four steps: one by the call, one by the redo.
    let seen: Vec<Seen> = checks(program).iter().map(|c| c.of_run(&profile)).collect();
    let shares: Vec<f64> = seen.iter().map(|s| s.range.unwrap().0).collect();
    assert_eq!(shares, [50.0, 50.0, 25.0, 25.0]);
    let violated: Vec<bool> = seen.iter().map(|s| s.violation.is_some()).collect();
    assert_eq!(violated, [false, true, true, true]);
    let observed = checks(program)[0].observed(&seen[0]).unwrap();
    assert_eq!(observed, ":- obs pred p(A) + rel_cost(eq,steps,50.00).");
}
