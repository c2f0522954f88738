//! Bounds in terms of parameters in the output of commands.

use crate::project;

use project::folder;
use serde_json::Value;

const FACTS: &str = "\
:- dynamic par/2.
%! grand(?X, ?Z)
grand(X, Z) :- par(X, Y), par(Y, Z).
%! keep(+P, +Xs:list(int), -Ys)
keep(_, [], []).
keep(P, [X|Xs], Ys) :- ( call(P, X) -> Ys = [X|Zs] ; Ys = Zs ), keep(P, Xs, Zs).
kept(Xs, Ys) :- keep(big, Xs, Ys).
big(X) :- X > 10.
%! handle(+R:int)
handle(R) :- authorised(R, U), render(U).
";

fn json(arguments: &[&str], text: &str) -> Value {
    let folder = folder(&[("p.pl", text)]);
    let arguments = [&["bounds", "p.pl", "--format", "json"], arguments].concat();
    let output = crate::project::run(folder.path(), &arguments);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn pattern<'v>(all: &'v Value, name: &str) -> &'v Value {
    let mut predicates = all["predicates"].as_array().unwrap().iter();
    let found = predicates.find(|p| p["name"] == name).unwrap();
    &found["patterns"][0]
}

#[test]
fn json_lists_parameters_and_assumptions() {
    let all = json(&[], FACTS);
    let grand = pattern(&all, "grand");
    assert_eq!(grand["bounds"]["steps"]["upper"], "par^2+par+1");
    assert_eq!(grand["bounds"]["steps"]["status"], "relative");
    assert_eq!(grand["bounds"]["steps"]["upper_class"], "par^2");
    assert_eq!(grand["parameters"][0]["name"], "par");
    assert_eq!(grand["parameters"][0]["kind"], "facts");
    assert_eq!(grand["parameters"][0]["of"], "par/2");
    assert_eq!(grand["assumes"][0]["kind"], "no-other-clauses");
    let keep = pattern(&all, "keep");
    assert_eq!(keep["parameters"][0]["kind"], "cost");
    assert_eq!(keep["parameters"][0]["argument"], 1);
    let assumed = keep["assumes"].as_array().unwrap();
    // A condition uses the first solution only.
    assert_eq!(assumed.len(), 1, "{assumed:?}");
    assert_eq!(assumed[0]["kind"], "changes-no-term");
    let handle = pattern(&all, "handle");
    assert_eq!(handle["bounds"]["steps"]["upper"], "authorised+render+1");
}

#[test]
fn a_cut_takes_the_first_solution_only() {
    let text = "\
%! search(+X:int, -Q)
search(X, Q) :- find_one(X, Y), !, describe(Y, Q).
%! searched(+Xs:list(int))
searched([]).
searched([X|Xs]) :- find_one(X, _), !, searched(Xs).
";
    let all = json(&[], text);
    for (name, of) in [("search", &["describe/2"][..]), ("searched", &[])] {
        let assumed = pattern(&all, name)["assumes"].as_array().unwrap();
        let single = assumed
            .iter()
            .filter(|a| a["kind"] == "at-most-one-solution");
        let single: Vec<&str> = single.filter_map(|a| a["of"].as_str()).collect();
        assert_eq!(single, of, "{name}: {assumed:?}");
    }
}

#[test]
fn a_known_closure_leaves_no_parameter() {
    let all = json(&[], FACTS);
    let kept = pattern(&all, "kept");
    assert_eq!(kept["bounds"]["steps"]["upper"], "2*n+2");
    assert_eq!(kept["bounds"]["steps"]["status"], "true");
    assert!(kept["parameters"].as_array().unwrap().is_empty());
}

#[test]
fn a_parameter_has_a_value_on_request() {
    for at in ["facts(par/2)=50", "par=50"] {
        let all = json(&["--at", at], FACTS);
        let grand = pattern(&all, "grand");
        assert_eq!(grand["at"]["steps"]["exact_upper"], "2551");
    }
}

#[test]
fn an_assertion_that_needs_an_assumption_is_not_checked() {
    let text = ":- dynamic par/2.\n\
        :- check pred one(X, Y) + is_semidet.\n\
        :- check pred first(X) + cost(ub, steps, 2).\n\
        first(X) :- ( par(X, _) -> true ; true ).\n\
        :- check pred all(X) + cost(lb, steps, 1).\n\
        all(X) :- par(X, _).\n\
        one(X, Y) :- ( par(X, Y) -> true ).\n";
    let folder = folder(&[("p.pl", text)]);
    let output = crate::project::run(folder.path(), &["check", "p.pl"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("assumptions about `par/2`"), "{said}");
    let mut checked = said.lines().filter(|line| line.starts_with("checked"));
    assert!(checked.all(|line| line.contains("all/1")), "{said}");
}

#[test]
fn assertions_are_stated_in_parameters() {
    let text = ":- dynamic par/2.\n\
        :- pred grand(X, Z) : var * var + cost(ub, steps, facts(par/2)**2 + facts(par/2) + 1).\n\
        grand(X, Z) :- par(X, Y), par(Y, Z).\n\
        :- pred all(L) : var + cost(ub, steps, facts(par/2)).\n\
        all(L) :- findall(X-Z, grand(X, Z), L).\n\
        :- pred keep(P, Xs, Ys) : term * list(int) * var + cost(ub, steps, length(Xs)*cost(P) + length(Xs) + 1).\n\
        keep(_, [], []).\n\
        keep(P, [X|Xs], Ys) :- ( call(P, X) -> Ys = [X|Zs] ; Ys = Zs ), keep(P, Xs, Zs).\n\
        :- pred one(X) : int + cost(ub, steps, facts(par/2) + 1).\n\
        one(_).\n\
        :- pred two(X) : int + cost(ub, steps, facts(nothing/7) + 2).\n\
        two(_).\n";
    let folder = folder(&[("p.pl", text)]);
    let output = crate::project::run(folder.path(), &["check", "p.pl", "--format", "json"]);
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = all["assertions"].as_array().unwrap();
    let row = |name: &str| {
        let mut found = rows.iter().filter(|row| row["predicate"] == name);
        found.next().unwrap_or_else(|| panic!("{name}: {all}"))
    };
    let says = |name: &str, verdict: &str, part: &str| {
        let row = row(name);
        assert_eq!(row["verdict"], verdict, "{row}");
        assert!(row.to_string().contains(part), "{part}: {row}");
    };
    // Proved, if no other clauses are added.
    says("grand/2", "check", "assumptions about `par/2`");
    says(
        "keep/3",
        "check",
        "assumptions about the goal in argument 1",
    );
    // At least two steps, and there may be no facts.
    says("all/1", "false", "\"par\":0");
    // No bound depends on the number of facts.
    says("one/1", "checked", "");
    says("two/1", "check", "no predicate nothing/7 is known here");
}

#[test]
fn a_parameter_of_an_assertion_names_a_predicate_or_an_argument() {
    for (cost, part) in [
        ("facts(X)", "facts is of a predicate: facts(par/2)"),
        ("cost(7)", "cost is of a predicate: cost(par/2)"),
        ("solutions(Y)", "Y names no argument of the predicate"),
    ] {
        let text = format!(":- pred p(X) : int + cost(ub, steps, {cost}).\np(_).\n");
        let folder = folder(&[("p.pl", &text)]);
        let output = crate::project::run(folder.path(), &["check", "p.pl"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(part), "{cost}: {said}");
    }
}

#[test]
fn predictions_take_the_facts_of_the_file_or_a_given_number() {
    let text = format!("{FACTS}par(a, b). par(b, c). par(c, d).\n");
    let folder = folder(&[("p.pl", &text)]);
    let predicted = |arguments: &[&str]| {
        let common = [
            "predict",
            "p.pl",
            "--goal",
            "grand(X, Y)",
            "--all",
            "--format",
            "json",
        ];
        let output = crate::project::run(folder.path(), &[&common, arguments].concat());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let found = predicted(&[]);
    assert_eq!(found["events"]["steps"]["upper"], 13.0);
    assert_eq!(found["parameters"]["par"], 3);
    let assumed = found["assumes"][0].as_str().unwrap();
    assert!(
        assumed.contains("no clauses are added to `par/2`"),
        "{assumed}"
    );
    let found = predicted(&["--at", "facts(par/2)=50"]);
    assert_eq!(found["events"]["steps"]["upper"], 2551.0);
    let output = crate::project::run(
        folder.path(),
        &["predict", "p.pl", "--goal", "grand(X, Y)", "--at", "pra=5"],
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("`pra`"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
