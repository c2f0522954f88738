//! Compares the machine with the catalogue: implemented predicates must be marked in the catalogue, and its locked predicates must be
//! locked on the machine.

use costlens_catalog::{Home, find, is_measuring, system_predicates};

use super::answers;
use crate::atoms::Atom;
use crate::control::runs_as_pieces;
use crate::load::LoadError;
use crate::machine::{Limits, Machine};
use crate::predicate::Implementation;

/// Builds a goal with `a` for each argument and a quoted name.
fn goal(name: &str, arity: usize) -> String {
    let name = name.replace('\\', "\\\\").replace('\'', "\\'");
    match arity {
        0 => format!("'{name}'"),
        _ => format!("'{name}'({})", vec!["a"; arity].join(", ")),
    }
}

#[test]
fn what_the_machine_implements_is_marked_in_the_catalogue() {
    let machine = Machine::new(Limits::default());
    let mut wrong = Vec::new();
    let mut implemented = 0;
    for predicate in machine.predicates.iter().filter(|p| p.is_system()) {
        let functor = predicate.functor;
        let name = machine.store.atoms.text(functor.functor_name());
        let arity = functor.functor_arity();
        if name.starts_with('$') {
            continue;
        }
        match find(name, arity) {
            Some(known) if known.on_machine => implemented += 1,
            Some(_) => wrong.push(format!("{name}/{arity} has no mark `machine`")),
            None if is_measuring(name, arity) => {}
            // Clauses of a library text may call helpers.
            None if predicate.kind == Implementation::Static => {}
            None => wrong.push(format!("{name}/{arity} is not in the catalogue")),
        }
    }
    let marked = system_predicates().iter().filter(|p| p.on_machine);
    for known in marked.clone() {
        let atom = machine.store.atoms.find(known.name);
        let there = atom.is_some_and(|name| {
            let functor = crate::cell::Cell::functor(name, known.arity);
            let number = machine.system_names.get(&functor);
            number.is_some_and(|&n| machine.predicates[n as usize].is_system())
        });
        if !there {
            wrong.push(format!("{}/{} is not implemented", known.name, known.arity));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(implemented, marked.count());
}

#[test]
fn helpers_of_built_ins_have_names_of_their_own() {
    let texts = crate::library::SYSTEM;
    for (_, text) in texts {
        for clause in costlens_syntax::read_text(text).clauses {
            let (terms, root) = (&clause.terms, clause.root);
            let head = terms.matches(root, ":-", 2).map_or(root, |args| args[0]);
            let Some((name, arity)) = terms.functor(head) else {
                continue;
            };
            let public = !name.starts_with('$') && !matches!(name.as_str(), ":-" | "-->");
            let public = public && !is_measuring(name, arity);
            assert!(!public || find(name, arity).is_some(), "{name}/{arity}");
        }
    }
}

#[test]
fn clauses_for_locked_predicates_are_refused_and_those_for_others_are_not() {
    let mut machine = Machine::new(Limits::default());
    for known in system_predicates()
        .iter()
        .filter(|p| p.home == Home::System)
    {
        let (name, arity) = (known.name, known.arity);
        if matches!((name, arity), (":" | "[|]" | "module", 2)) {
            continue;
        }
        let errors = machine.load(&format!("{}.\n", goal(name, arity)));
        let refused = matches!(errors.as_slice(), [LoadError::Protected { .. }]);
        assert_eq!(refused, known.locked, "{name}/{arity}: {errors:?}");
    }
}

#[test]
fn locked_predicates_cannot_be_asserted() {
    for known in system_predicates().iter().filter(|p| p.locked) {
        let clause = goal(known.name, known.arity);
        let caught = answers(
            "",
            &format!("E :- catch(assertz(({clause} :- true)), error(E, _), true)"),
        );
        let refused = caught[0].starts_with("permission_error(modify,static_procedure,");
        assert!(refused, "{clause}: {caught:?}");
    }
}

#[test]
fn control_constructs_run_as_pieces_of_code_and_nothing_else_does() {
    let machine = Machine::new(Limits::default());
    let count = u32::try_from(machine.store.atoms.len()).unwrap();
    for atom in (0..count).map(Atom) {
        let name = machine.store.atoms.text(atom);
        for arity in 0..4 {
            let control = find(name, arity).is_some_and(|p| p.control.is_some());
            assert_eq!(runs_as_pieces(atom, arity), control, "{name}/{arity}");
        }
    }
}

/// SWI-Prolog accepts these clauses and never runs them.
#[test]
fn clauses_for_disjunctions_and_soft_cuts_are_never_run() {
    let program = "'|'(_, _) :- throw(own).\n'*->'(_, _) :- throw(own).\n\
                   p(X) :- ( X = a | X = b ).\nq(X) :- p(X) *-> true.\nr(X) :- G = (X = a | X = b), call(G).\n";
    for query in [
        "X :- p(X)",
        "X :- q(X)",
        "X :- r(X)",
        "X :- findall(Y, (p(Y) *-> true), [_, X])",
    ] {
        let found = answers(program, query);
        let expected: &[&str] = if query.contains("findall") {
            &["b"]
        } else {
            &["a", "b"]
        };
        assert_eq!(found, expected, "{query}");
    }
}

#[test]
fn a_number_is_no_goal_in_any_control_construct() {
    for body in [
        "(a | 1)",
        "\\+ 1",
        "(a, 1)",
        "(1 ; a)",
        "(a *-> 1)",
        "(a -> 1)",
    ] {
        let query = format!("E :- catch(assertz((p :- {body})), error(E, _), true)");
        let found = answers("", &query);
        assert!(
            found[0].starts_with("type_error(callable,"),
            "{body}: {found:?}"
        );
    }
}

/// SWI-Prolog has no such predicate that is visible to programs.
#[test]
fn messages_are_not_translated_to_codes() {
    let found = answers(
        "",
        "E :- catch(message_to_codes(a, b, c), error(E, _), true)",
    );
    assert_eq!(found, ["existence_error(procedure,message_to_codes/3)"]);
}
