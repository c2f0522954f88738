use super::*;
use crate::read::read_text;

fn read(text: &str) -> Assertions {
    assertions(text, &read_text(text))
}

/// Returns the only assertion in a text without errors.
fn one(text: &str) -> Assertion {
    let found = read(text);
    assert_eq!(found.errors, [], "{text}");
    assert_eq!(found.list.len(), 1, "{text}: {:#?}", found.list);
    found.list.into_iter().next().unwrap()
}

fn costs(assertion: &Assertion) -> Vec<&CostProperty> {
    assertion
        .properties
        .iter()
        .filter_map(|p| match &p.property {
            Property::Cost(c) => Some(c),
            _ => None,
        })
        .collect()
}

/// Returns the texts to which errors refer.
fn offending<'a>(text: &'a str, found: &Assertions) -> Vec<&'a str> {
    found
        .errors
        .iter()
        .map(|e| &text[e.range.0..e.range.1])
        .collect()
}

fn list(of: DeclaredType) -> DeclaredType {
    DeclaredType::List(Box::new(of))
}

#[test]
fn a_pred_assertion_is_read_whole() {
    let a = one(
        ":- pred nrev(A,B) : (list(A), var(B)) => (list(A), list(B, int)) + (cost(ub, steps, 10*length(A)+5), is_det) # \"reverses\".",
    );
    assert_eq!(
        (a.status, a.kind, a.origin),
        (Status::Check, AssertionKind::Pred, Origin::Directive)
    );
    assert_eq!((a.name.as_str(), a.arity), ("nrev", 2));
    assert_eq!(a.arguments[0].call, Some(list(DeclaredType::Any)));
    assert_eq!(a.arguments[1].call, Some(DeclaredType::Var));
    assert_eq!(a.arguments[1].success, Some(list(DeclaredType::Int)));
    assert_eq!(a.arguments[1].name.as_deref(), Some("B"));
    assert_eq!(a.documentation.as_deref(), Some("reverses"));
    let stated: Vec<&str> = a.properties.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(
        stated,
        [
            "=> list(A)",
            "=> list(B,int)",
            "cost(ub,steps,10*length(A)+5)",
            "is_det"
        ]
    );
    assert_eq!(
        a.properties[3].property,
        Property::Solutions(SolutionsClaim::AtMostOne)
    );
    let cost = costs(&a)[0];
    assert_eq!(
        (cost.approximation, cost.cost_type),
        (Approximation::Upper, CostType::Call)
    );
    assert_eq!(cost.resource, "steps");
    assert_eq!(
        cost.expression.nodes.last(),
        Some(&CostNode::Apply(CostFunction::Add, vec![2, 3]))
    );
    assert!(
        cost.expression
            .nodes
            .contains(&CostNode::Size(Some(SizeMetric::Length), 0))
    );
}

#[test]
fn statuses_and_kinds_are_told_apart() {
    for (text, status, kind) in [
        (":- pred p(A) + is_det.", Status::Check, AssertionKind::Pred),
        (
            ":- trust pred p(A) + is_det.",
            Status::Trust,
            AssertionKind::Pred,
        ),
        (
            ":- true pred p(A) + is_det.",
            Status::True,
            AssertionKind::Pred,
        ),
        (
            ":- checked pred p(A) + is_det.",
            Status::Checked,
            AssertionKind::Pred,
        ),
        (
            ":- false pred p(A) + is_det.",
            Status::False,
            AssertionKind::Pred,
        ),
        (
            ":- obs pred p(A) + is_det.",
            Status::Obs,
            AssertionKind::Pred,
        ),
        (
            ":- check comp p(A) + is_det.",
            Status::Check,
            AssertionKind::Comp,
        ),
        (
            ":- entry p(A) : list(A).",
            Status::Check,
            AssertionKind::Entry,
        ),
        (
            ":- calls p(A) : list(A).",
            Status::Check,
            AssertionKind::Calls,
        ),
        (
            ":- success p(A) : list(A) => list(A).",
            Status::Check,
            AssertionKind::Success,
        ),
    ] {
        let a = one(text);
        assert_eq!((a.status, a.kind), (status, kind), "{text}");
    }
}

#[test]
fn modes_in_heads_and_compact_types_are_read() {
    let a = one(":- pred p(+A, -B, ?C, @D, +E:list(int)).");
    assert_eq!(
        a.arguments.iter().map(|x| x.mode).collect::<Vec<_>>(),
        [Mode::In, Mode::Out, Mode::Either, Mode::Unchanged, Mode::In].map(Some)
    );
    assert_eq!(a.arguments[4].call, Some(list(DeclaredType::Int)));
    let a = one(
        ":- pred app(A,B,C) : list * list(int) * var => list * list * list + steps_ub(length(A)+1).",
    );
    assert_eq!(a.arguments[1].call, Some(list(DeclaredType::Int)));
    assert_eq!(a.arguments[2].call, Some(DeclaredType::Var));
    assert_eq!(a.arguments[2].success, Some(list(DeclaredType::Any)));
    let a = one(":- pred p(+list, -int).");
    assert_eq!(a.arguments[0].call, Some(list(DeclaredType::Any)));
    assert!(one(":- pred p/3 + is_det.").arguments.len() == 3);
}

#[test]
fn every_form_of_cost_is_read() {
    let a = one(
        ":- pred p(N, L) + (cost(lb, allsols, steps, 2**int(N)), costb(steps, 1, N), steps_lb(1), steps(log2(N)/2), \
         steps_o(N*size(L)), cost(oub, exectime, 2.5*ms), cost(ub, sol(2), steps, inf), cost(eq, steps, sum(I, 1, N, I^2))).",
    );
    let found: Vec<_> = costs(&a)
        .iter()
        .map(|c| (c.approximation, c.cost_type, c.resource.as_str()))
        .collect();
    use Approximation as A;
    use CostType as T;
    assert_eq!(
        found,
        [
            (A::Lower, T::AllSolutions, "steps"),
            (A::Lower, T::Call, "steps"),
            (A::Upper, T::Call, "steps"),
            (A::Lower, T::Call, "steps"),
            (A::Exact, T::Call, "steps"),
            (A::Order, T::Call, "steps"),
            (A::OrderUpper, T::Call, "time"),
            (A::Upper, T::Solution(2), "steps"),
            (A::Exact, T::Call, "steps"),
        ]
    );
    let time = &costs(&a)[6].expression.nodes;
    assert_eq!(time[0], CostNode::Number(5.into(), 2.into()));
    assert_eq!(time[1], CostNode::Number(1_000_000.into(), 1.into()));
    assert!(
        costs(&a)[8]
            .expression
            .nodes
            .iter()
            .any(|n| matches!(n, CostNode::Index(_)))
    );
}

#[test]
fn decimals_are_what_was_written() {
    let a = one(":- pred p(N) + cost(ub, steps, 0.1*N).");
    assert_eq!(
        costs(&a)[0].expression.nodes[0],
        CostNode::Number(1.into(), 10.into())
    );
}

#[test]
fn sizes_in_the_precondition_are_limits() {
    let a = one(
        ":- pred p(N,L) : (int(N), N > 0, list(L), length(L) =< 1000, intervals(int(N),[i(1,12)])) + is_det.",
    );
    let limit = |argument, metric, low: Option<i32>, high: Option<i32>| SizeLimit {
        argument,
        metric,
        at_least: low.map(Into::into),
        at_most: high.map(Into::into),
    };
    assert_eq!(
        a.limits,
        [
            limit(0, None, Some(1), None),
            limit(1, Some(SizeMetric::Length), None, Some(1000)),
            limit(0, Some(SizeMetric::Int), Some(1), Some(12)),
        ]
    );
    assert!(!a.unknown_precondition);
}

#[test]
fn forms_of_ciaos_libraries_are_read() {
    for text in [
        ":- pred findnsols(+int,@term,+cgoal,?,?).",
        ":- pred transpose(+list(list), ?list(list)) + is_det.",
        ":- pred test2(-, _B).",
        ":- trust pred sin(in(X),go(Y)) :: c_double * c_double + (foreign,returns(Y)).",
        ":- pred clause(+Head,?Body) : callable(Head) => body(Body) + (iso, native).",
        ":- calls append(A, B, _) : (list(num, A), list(num, B)).",
        ":- pred keys(Ps, Ks) : list(Ps) => list(key, Ks) # \"Gives the keys.\".",
    ] {
        let found = read(text);
        assert_eq!(found.errors, [], "{text}");
        assert_eq!(found.list.len(), 1, "{text}");
    }
    let found = read(":- calls append(A, B, _) : list(num, A).");
    let list = DeclaredType::from_name("list", vec![DeclaredType::from_name("num", Vec::new())]);
    assert_eq!(found.list[0].arguments[0].call, Some(list));
}

#[test]
fn what_is_malformed_is_reported_at_the_sub_term_and_the_rest_is_read() {
    for (text, at) in [
        (":- pred p(A) + cost(ub, steps, 3*foo(A)).", "foo(A)"),
        (":- pred p(A) + cost(ub, steps, length(B)+1).", "B"),
        (":- pred p(A) + cost(upper, steps, 1).", "upper"),
        (":- pred p(A) + cost(ub, often, steps, 1).", "often"),
        (":- pred p(A) + cost(ub, steps, 2*ms).", "ms"),
        (":- pred p(A) + cost(ub, steps).", "cost(ub, steps)"),
        (":- pred p(A) + cost(ub, steps, length([A])).", "[A]"),
        (":- pred p(A, A) + is_det.", "A"),
        (":- pred p(f(A)) + is_det.", "f(A)"),
        (":- pred p(A) + not_a_property(A).", "not_a_property(A)"),
        (":- pred p(A) : (list(A), weird(A)) + is_det.", "weird(A)"),
    ] {
        let text = format!("{text}\n:- pred q(A) + is_det.\n");
        let found = read(&text);
        assert_eq!(offending(&text, &found), [at], "{:?}", found.errors);
        assert!(found.list.iter().any(|a| a.name == "q"), "{text}");
    }
}

#[test]
fn an_unknown_precondition_is_remembered() {
    assert!(read(":- pred p(A) : weird(A,A) + is_det.").list[0].unknown_precondition);
}

#[test]
fn pldoc_modes_and_cost_tags_are_read() {
    let text = "%! nrev(+Xs:list, -Ys:list) is det.\n%\n%  Reverses. Slowly.\n%  @cost steps =< length(Xs)^2 + 2*length(Xs) + 1\n%  @cost steps in O(length(Xs)^2)\nnrev([], []).\n";
    let found = read(text);
    assert_eq!(found.errors, []);
    assert_eq!(found.list.len(), 3);
    assert!(
        found
            .list
            .iter()
            .all(|a| a.name == "nrev" && a.origin == Origin::Comment && a.declares_calls())
    );
    assert_eq!(
        found.list[0].properties[0].property,
        Property::Solutions(SolutionsClaim::ExactlyOne)
    );
    assert_eq!(costs(&found.list[1])[0].approximation, Approximation::Upper);
    assert_eq!(
        found.list[1].properties[0].text,
        "steps=<length(Xs)^2+2*length(Xs)+1"
    );
    assert_eq!(costs(&found.list[2])[0].approximation, Approximation::Order);
    let place = found.places[1].range;
    assert_eq!(
        &text[place.0..place.1],
        "steps =< length(Xs)^2 + 2*length(Xs) + 1"
    );
}

#[test]
fn a_block_comment_may_hold_several_modes_and_a_tag_goes_to_the_one_it_fits() {
    let text = "/** app(-Xs, -Ys, +Zs) is nondet.\n *  app(+Xs:list, +Ys, -Zs) is det.\n *\n *  @cost steps = length(Xs) + 1\n */\napp([], L, L).\n";
    let found = read(text);
    assert_eq!(found.errors, []);
    let cost = found.list.iter().find(|a| !costs(a).is_empty()).unwrap();
    assert_eq!(cost.arguments[0].mode, Some(Mode::In));
    assert_eq!(costs(cost)[0].approximation, Approximation::Exact);
}

#[test]
fn a_tag_is_about_every_mode_line_that_it_fits() {
    let text = "%! app(+Xs:list, +Ys:list, -Zs) is det.\n%! app(-Xs, -Ys, +Zs:list) is multi.\n%  @cost steps in Ω(1)\napp([], L, L).\n";
    let found = read(text);
    assert_eq!(found.errors, []);
    let stated = found.list.iter().filter(|a| !costs(a).is_empty());
    let modes: Vec<_> = stated.clone().map(|a| a.arguments[0].mode).collect();
    assert_eq!(modes, [Some(Mode::In), Some(Mode::Out)]);
    for assertion in stated {
        assert_eq!(costs(assertion)[0].approximation, Approximation::OrderLower);
    }
}

#[test]
fn sizes_limit_a_cost_tag() {
    let text = "%! nrev(+Xs:list, -Ys) is det.\n%  @cost time =< 2*ms            (at the sizes given by) @sizes length(Xs) =< 1000\n";
    let found = read(text);
    assert_eq!(found.errors, []);
    let cost = found.list.iter().find(|a| !costs(a).is_empty()).unwrap();
    assert_eq!(cost.limits[0].at_most, Some(1000.into()));
    assert_eq!(costs(cost)[0].resource, "time");
}

#[test]
fn a_plain_comment_before_a_clause_takes_the_names_of_its_arguments() {
    let text = "% Adds up.\n% @cost steps =< 2*length(Xs)+N\nsum([], N, N).\nsum(Xs, N, S) :- foo(Xs, N, S).\n";
    let a = read(text);
    // `N` is both the second and the third argument.
    assert_eq!(offending(text, &a), ["N"]);
    let text = "% @cost steps =< 2*length(Xs)+1\nlast(Xs, L) :- foo(Xs, L).\n";
    let a = one(text);
    assert_eq!((a.name.as_str(), a.arity), ("last", 2));
    assert!(!a.declares_calls());
    assert_eq!(costs(&a)[0].expression.arguments(), [0]);
}

#[test]
fn what_is_malformed_in_a_comment_has_exact_places() {
    for (line, at) in [
        ("@cost steps =< 3*foo(Xs)", "foo(Xs)"),
        ("@cost steps =< length(Zs)", "Zs"),
        ("@cost steps <= 3", "<= 3"),
        ("@cost =< 3", "=< 3"),
        (
            "@cost steps =< 1 @sizes length(Xs) is big",
            "length(Xs) is big",
        ),
    ] {
        let text = format!("%! nrev(+Xs:list, -Ys) is det.\n%  {line}\nnrev([], []).\n");
        let found = read(&text);
        assert_eq!(offending(&text, &found), [at], "{:?}", found.errors);
    }
    let text = "% @cost steps =< 1\n\nfoo.\n\n% @cost steps =< 1\n";
    let found = read(text);
    assert_eq!(found.list.len(), 1);
    assert_eq!(offending(text, &found), ["@cost steps =< 1"]);
}

#[test]
fn damaged_expressions_in_comments_are_errors_inside_the_comment() {
    for expression in [
        "",
        "(",
        ")",
        "length(Xs",
        "a. b",
        "'",
        "1 +",
        "0'",
        "/*",
        "%",
        "length(Xs))) . foo((",
    ] {
        let text = format!("%! p(+Xs, -Ys) is det.\n% @cost steps =< {expression}\np([], []).\n");
        let found = read(&text);
        assert_eq!(found.errors.len(), 1, "{expression:?}");
        for error in &found.errors {
            assert!(
                text.get(error.range.0..error.range.1).is_some(),
                "{expression:?} {error:?}"
            );
        }
    }
}

#[test]
fn ordinary_programs_assert_nothing() {
    let text = "% A comment.\n%% p is a predicate\np(X) :- q(X) : r, X + 1.\n:- dynamic q/1.\n:- check(foo).\n:- true.\npred(a, b).\n";
    let found = read(text);
    assert_eq!((found.list.len(), found.errors.len()), (0, 0), "{found:#?}");
}

#[test]
fn deep_and_long_assertions_do_not_overflow() {
    let deep = format!(
        ":- pred p(A) + cost(ub, steps, {}1{}).",
        "(1+".repeat(50_000),
        ")".repeat(50_000)
    );
    read(&deep);
    let long = format!(":- pred p(A) + ({}is_det).", "is_det, ".repeat(20_000));
    assert_eq!(one(&long).properties.len(), 20_001);
    let types = format!(
        ":- pred p(A) : list(A, {}int{}).",
        "list(".repeat(50_000),
        ")".repeat(50_000)
    );
    read(&types);
    let fields = format!(":- pred p(A) {}.", "+ is_det ".repeat(20_000));
    read(&fields);
}

#[test]
fn every_damaged_text_gives_an_answer_with_places_inside_it() {
    let text = ":- check pred p(+A,B) : (list(A), length(A) =< 9) => list(B) + (cost(ub,steps,2*length(A)^2), is_det) # \"é\".\n\
                %! q(+Xs:list(int), ?Ys) is semidet.\n%  @cost steps =< 3*length(Xs) @sizes length(Xs) =< 4\nq([], _).\n\
                /** r(-A)// is det.\n *  @cost steps in O(1)\n */\nr(x) --> [].\n% @cost steps = 1+é\ns(X) :- q(X, X).\n";
    let check = |damaged: &str| {
        let found = read(damaged);
        let inside = |range: Range| damaged.get(range.0..range.1).is_some();
        for place in &found.places {
            assert!(inside(place.range), "{damaged:?} {place:?}");
            assert!(
                place.properties.iter().all(|&p| inside(p)),
                "{damaged:?} {place:?}"
            );
        }
        for error in &found.errors {
            assert!(inside(error.range), "{damaged:?} {error:?}");
        }
        assert_eq!(found.list.len(), found.places.len());
        for (assertion, place) in found.list.iter().zip(&found.places) {
            assert_eq!(assertion.properties.len(), place.properties.len());
            assert_eq!(assertion.arguments.len(), assertion.arity);
        }
    };
    for (at, _) in text.char_indices() {
        check(&text[..at]);
        check(&text[at..]);
        // One character is deleted.
        let mut rest = text[at..].chars();
        rest.next();
        check(&format!("{}{}", &text[..at], rest.as_str()));
        check(&format!("{}({}", &text[..at], &text[at..]));
    }
}

#[test]
fn a_type_that_is_read_as_a_wider_one_is_marked() {
    let narrower =
        |text: &str| -> Vec<bool> { one(text).arguments.iter().map(|a| a.narrower).collect() };
    for (text, expected) in [
        (
            ":- trust pred p(A,B) : (boolean(A), atm(B)).",
            [true, false],
        ),
        (
            ":- trust pred p(A,B) : (list(A, text), list(B, string)).",
            [true, false],
        ),
        (":- trust pred p(A,B) : ordset * list(int).", [true, false]),
        (":- trust pred p(+A:callable, +B:nonvar).", [true, false]),
        (":- trust pred p(+text, +string).", [true, false]),
        // If an argument has two conditions, only one is kept.
        (
            ":- trust pred p(A,B) : (list(A), ground(A), nat(B)).",
            [true, false],
        ),
    ] {
        assert_eq!(narrower(text), expected, "{text}");
    }
}

#[test]
fn defaults_add_the_costs_that_are_not_stated() {
    let found = read(
        ":- trust pred a(X). :- trust_default + (cost(exact,steps,0), is_det). :- trust pred b(X). :- trust pred c(X) + steps_ub(X). :- pred d(X).",
    );
    let numbers: Vec<usize> = found.list.iter().map(|a| a.properties.len()).collect();
    assert_eq!(numbers, [0, 1, 1, 0]);
    assert!(
        found
            .places
            .iter()
            .zip(&numbers)
            .all(|(p, &n)| p.properties.len() == n)
    );
    assert_eq!(found.errors, []);
}

#[test]
fn sizes_and_numbers_of_solutions_are_read() {
    let a = one(
        ":- trust pred p(A,B) : list(A) + (size(B, length(A)), size(ub, B, 3), size_lb(B, 1), solutions(length(A)), exact(solutions(2))).",
    );
    let sides: Vec<Approximation> = (a.properties.iter())
        .filter_map(|p| match &p.property {
            Property::Size(side, 1, _) | Property::SolutionCount(side, _) => Some(*side),
            _ => None,
        })
        .collect();
    use Approximation::{Exact, Lower, Upper};
    assert_eq!(sides, [Exact, Upper, Lower, Exact, Exact]);
}
