//! Tests of named recurrences: the expected bounds, and their validity.

use crate::support;

use costlens_recurrences::{Direction, Value, solve};
use support::*;

use Direction::{Lower, Upper};

#[test]
fn append_is_one_more_than_its_length() {
    let s = system(vec![append()]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 0), ["n>=0: n+1"]);
    }
}

#[test]
fn naive_reverse_is_quadratic_in_one_piece() {
    let s = naive_reverse();
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 1), ["n>=0: 1/2*n^2+3/2*n+1"]);
    }
}

#[test]
fn hanoi_is_exponential() {
    let s = system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(
                &["n>=1"],
                vec![alternative("1+r0+r1", &[(0, &["n-1"]), (0, &["n-1"])])],
            ),
        ],
    )]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 0), ["n>=0: 2*2^n-1"]);
    }
}

#[test]
fn fibonacci_is_exact() {
    let s = system(vec![function(
        1,
        vec![
            cell(&["n>=0", "n<=1"], vec![leaf("1")]),
            cell(
                &["n>=2"],
                vec![alternative("1+r0+r1", &[(0, &["n-1"]), (0, &["n-2"])])],
            ),
        ],
    )]);
    for direction in [Upper, Lower] {
        sound(&s, direction, 12);
        assert_eq!(shown(&s, direction, 0), ["n>=0: cfinite([1,1],[2,2],n)-1"]);
    }
}

#[test]
fn counting_up_has_two_pieces() {
    let s = system(vec![function(
        2,
        vec![
            cell(&["n>m"], vec![leaf("1")]),
            cell(&["n<=m"], vec![alternative("1+r0", &[(0, &["n+1", "m"])])]),
        ],
    )]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 0), ["n>=m+1: 1", "n<=m: -n+m+2"],);
    }
}

#[test]
fn merging_two_lists_is_their_sum_if_both_have_elements() {
    let s = system(vec![function(
        2,
        vec![
            cell(&["n=0", "m>=0"], vec![leaf("1")]),
            cell(&["n>=1", "m=0"], vec![leaf("1")]),
            cell(
                &["n>=1", "m>=1"],
                vec![
                    alternative("1+r0", &[(0, &["n-1", "m"])]),
                    alternative("1+r0", &[(0, &["n", "m-1"])]),
                ],
            ),
        ],
    )]);
    assert!(
        shown(&s, Upper, 0).contains(&"n>=1, m>=1: n+m".to_string()),
        "{:?}",
        shown(&s, Upper, 0)
    );
    sound(&s, Upper, 7);
    sound(&s, Lower, 7);
}

#[test]
fn insertion_sort_depends_on_the_data() {
    // insert stops early or continues; sort inserts into the sorted tail.
    let s = system(vec![
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("1")]),
                cell(
                    &["n>=1"],
                    vec![leaf("1"), alternative("1+r0", &[(0, &["n-1"])])],
                ),
            ],
        ),
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("1")]),
                cell(
                    &["n>=1"],
                    vec![alternative("1+r0+r1", &[(1, &["n-1"]), (0, &["n-1"])])],
                ),
            ],
        ),
    ]);
    assert_eq!(shown(&s, Upper, 1), ["n>=0: 1/2*n^2+3/2*n+1"]);
    assert_eq!(shown(&s, Lower, 1), ["n>=0: 2*n+1"]);
}

#[test]
fn a_zip_is_as_long_as_the_shorter_list() {
    let s = system(vec![function(
        2,
        vec![
            cell(&["n=0", "m>=0"], vec![leaf("1")]),
            cell(&["n>=1", "m=0"], vec![leaf("1")]),
            cell(
                &["n>=1", "m>=1"],
                vec![alternative("1+r0", &[(0, &["n-1", "m-1"])])],
            ),
        ],
    )]);
    for direction in [Upper, Lower] {
        assert_eq!(
            shown(&s, direction, 0),
            ["n>=0, n<=m: n+1", "m>=0, n>=m+1: m+1"]
        );
    }
    sound(&s, Upper, 7);
    sound(&s, Lower, 7);
}

#[test]
fn two_phases_add_up() {
    // up: n increases to m, then decreases to 0.
    let s = system(vec![
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("1")]),
                cell(&["n>=1"], vec![alternative("2+r0", &[(0, &["n-1"])])]),
            ],
        ),
        function(
            2,
            vec![
                cell(&["n>=0", "n>=m"], vec![alternative("1+r0", &[(0, &["n"])])]),
                cell(
                    &["n>=0", "n<m"],
                    vec![alternative("1+r0", &[(1, &["n+1", "m"])])],
                ),
            ],
        ),
    ]);
    assert_eq!(
        shown(&s, Upper, 1),
        ["n>=0, n>=m: 2*n+2", "n>=0, n<=m-1: -n+3*m+2"]
    );
    sound(&s, Lower, 6);
}

#[test]
fn no_clause_means_no_step() {
    let s = system(vec![function(
        1,
        vec![
            cell(&["n<0"], vec![]),
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![alternative("1+r0", &[(0, &["n-1"])])]),
        ],
    )]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 0), ["n<=-1: 0", "n>=0: n+1"]);
    }
}

#[test]
fn an_unguarded_countdown_diverges_below_zero() {
    let s = system(vec![function(
        1,
        vec![
            cell(&["n<0"], vec![alternative("1+r0", &[(0, &["n-1"])])]),
            cell(
                &["n=0"],
                vec![leaf("1"), alternative("1+r0", &[(0, &["n-1"])])],
            ),
            cell(&["n>=1"], vec![alternative("1+r0", &[(0, &["n-1"])])]),
        ],
    )]);
    assert_eq!(shown(&s, Lower, 0), ["n<=-1: diverges", "n>=0: n+1"]);
    let upper = solve(&s, Upper, FUEL);
    assert!(
        upper.functions[0]
            .iter()
            .all(|p| matches!(p.value, Value::Unknown(_)))
    );
}

#[test]
fn a_loop_without_cost_is_no_proof_of_anything() {
    // f(n) = f(n+1): the least solution is 0.
    let s = system(vec![function(
        1,
        vec![cell(&["n>=0"], vec![alternative("r0", &[(0, &["n+1"])])])],
    )]);
    for piece in &solve(&s, Lower, FUEL).functions[0] {
        assert!(!matches!(piece.value, Value::Diverges));
    }
    refuses(&s, Lower, 0, "n>=0", "5");
}

#[test]
fn quicksort_splits_at_every_place() {
    let mut split = alternative("n+2+k+r0+r1", &[(0, &["k"]), (0, &["n-1-k"])]);
    split.locals = vec![K];
    split.constraints = region(&["k>=0", "k<=n-1"]);
    let s = system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![split]),
        ],
    )]);
    assert_eq!(shown(&s, Upper, 0), ["n>=0: n^2+3*n+1"]);
    sound(&s, Lower, 12);
}

#[test]
fn a_size_is_a_function_of_its_own_value() {
    // f(0) = 0, f(n) = 1 + f(f(n-1))
    let s = system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("0")]),
            cell(
                &["n>=1"],
                vec![alternative("1+r1", &[(0, &["n-1"]), (0, &["r0"])])],
            ),
        ],
    )]);
    assert_eq!(shown(&s, Upper, 0), ["n>=0: n"]);
    sound(&s, Lower, 8);
}

#[test]
fn output_sizes_feed_later_calls() {
    // double: the output has size 2n, and app traverses it.
    let s = system(vec![
        append(),
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("0")]),
                cell(&["n>=1"], vec![alternative("2+r0", &[(1, &["n-1"])])]),
            ],
        ),
        function(
            1,
            vec![cell(
                &["n>=0"],
                vec![alternative("1+r1", &[(1, &["n"]), (0, &["r0"])])],
            )],
        ),
    ]);
    assert_eq!(shown(&s, Upper, 2), ["n>=0: 2*n+2"]);
    assert_eq!(shown(&s, Lower, 2), ["n>=0: 2*n+2"]);
}

#[test]
fn solutions_multiply() {
    // sols(n) = 2·sols(n-1); cost(n) = 1 + sols(n)·c(m)
    let s = system(vec![
        append(),
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("1")]),
                cell(&["n>=1"], vec![alternative("2*r0", &[(1, &["n-1"])])]),
            ],
        ),
        function(
            2,
            vec![cell(
                &["n>=0", "m>=0"],
                vec![alternative("1+r0*r1", &[(1, &["n"]), (0, &["m"])])],
            )],
        ),
    ]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 2), ["n>=0, m>=0: m*2^n+2^n+1"]);
    }
}

#[test]
fn even_and_odd_take_turns() {
    let s = system(vec![
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("1")]),
                cell(&["n>=1"], vec![alternative("1+r0", &[(1, &["n-1"])])]),
            ],
        ),
        function(
            1,
            vec![
                cell(&["n=0"], vec![leaf("2")]),
                cell(&["n>=1"], vec![alternative("3+r0", &[(0, &["n-1"])])]),
            ],
        ),
    ]);
    sound(&s, Upper, 12);
    sound(&s, Lower, 12);
}

#[test]
fn an_alternative_without_a_value_makes_the_cell_and_its_callers_unknown() {
    let mut unknown = leaf("0");
    unknown.value = None;
    let s = system(vec![
        function(1, vec![cell(&["n>=0"], vec![leaf("1"), unknown])]),
        function(
            1,
            vec![cell(&["n>=0"], vec![alternative("1+r0", &[(0, &["n"])])])],
        ),
    ]);
    assert_eq!(shown(&s, Upper, 0), ["n>=0: unknown (Unbounded)"]);
    assert_eq!(shown(&s, Upper, 1), ["n>=0: unknown (Callee)"]);
    assert_eq!(shown(&s, Lower, 1), ["n>=0: 1"]);
}

#[test]
fn a_call_outside_every_cell_is_not_bounded() {
    let s = system(vec![
        append(),
        function(
            1,
            vec![cell(&["n>=0"], vec![alternative("1+r0", &[(0, &["n-1"])])])],
        ),
    ]);
    assert_eq!(shown(&s, Upper, 1), ["n>=0: unknown (Callee)"]);
    sound(&s, Lower, 8);
}

#[test]
fn one_less_is_refused() {
    let s = naive_reverse();
    refuses(&s, Upper, 1, "n>=0", "1/2*n^2+3/2*n");
    refuses(&s, Lower, 1, "n>=0", "1/2*n^2+3/2*n+2");
}

#[test]
fn halving_is_a_logarithm_although_the_half_is_only_known_by_inequalities() {
    let mut half = alternative("1+r0", &[(0, &["k"])]);
    half.locals = vec![K];
    half.constraints = region(&["2*k<=n", "2*k>=n-1"]);
    let s = system(vec![function(
        1,
        vec![
            cell(&["n<=1"], vec![leaf("1")]),
            cell(&["n>=2"], vec![half]),
        ],
    )]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 0)[1], "n>=2: flog(2,n)+1");
        sound(&s, direction, 12);
    }
}

#[test]
fn growing_accumulators_and_resets_have_closed_forms() {
    let accumulator = system(vec![function(
        2,
        vec![
            cell(&["n=0", "m>=0"], vec![leaf("1")]),
            cell(
                &["n>=1", "m>=0"],
                vec![alternative("r0+m+1", &[(0, &["n-1", "2*m"])])],
            ),
        ],
    )]);
    let reset = system(vec![function(
        2,
        vec![
            cell(&["n=0", "m>=0"], vec![leaf("1")]),
            cell(
                &["n>=1", "m=0"],
                vec![alternative("1+r0", &[(0, &["n-1", "n"])])],
            ),
            cell(
                &["n>=1", "m>=1"],
                vec![alternative("1+r0", &[(0, &["n", "m-1"])])],
            ),
        ],
    )]);
    for direction in [Upper, Lower] {
        assert_eq!(
            shown(&accumulator, direction, 0),
            ["n>=0, m>=0: m*2^n+n-m+1"]
        );
        assert_eq!(
            shown(&reset, direction, 0),
            ["n=0, m>=0: 1", "n>=1, m>=0: 1/2*n^2+3/2*n+m"]
        );
    }
}

#[test]
fn a_bound_that_was_found_by_cutting_a_cell_is_verified_without_the_cut() {
    let with_local = |mut a: costlens_recurrences::Alternative, on: &[&str]| {
        a.locals = vec![K];
        a.constraints = region(on);
        a
    };
    let s = system(vec![
        function(
            2,
            vec![
                cell(&["n>=0", "n<m"], vec![]),
                cell(&["n>=0", "n=m"], vec![alternative("r0+1", &[(1, &["m"])])]),
                cell(&["n>=0", "n>m"], vec![]),
            ],
        ),
        function(
            1,
            vec![
                cell(
                    &["n<0"],
                    vec![
                        with_local(alternative("r0+1", &[(1, &["n+1"])]), &["k>=0", "k<=n-1"]),
                        alternative("2*n+r0+r1-1", &[(1, &["n-1"]), (0, &["n-2", "n-1"])]),
                    ],
                ),
                cell(
                    &["n=0"],
                    vec![
                        with_local(
                            alternative("r0+r1+1", &[(1, &["n"]), (1, &["n-1"])]),
                            &["k>=0", "k<=3", "k<=n-1"],
                        ),
                        alternative("r1+1", &[(0, &["n-1", "0"]), (1, &["n-1"])]),
                    ],
                ),
                cell(
                    &["n>=1"],
                    vec![
                        with_local(leaf("-1"), &["k>=0", "k<=n-1"]),
                        with_local(
                            alternative("r0", &[(0, &["n-2", "k"])]),
                            &["k>=0", "k<=n-1"],
                        ),
                    ],
                ),
            ],
        ),
    ]);
    sound(&s, Lower, 5);
    sound(&s, Upper, 5);
}

#[test]
fn a_predicate_without_sizes_has_a_constant() {
    let s = system(vec![
        append(),
        function(
            0,
            vec![cell(&[], vec![alternative("2+r0", &[(0, &["7"])])])],
        ),
    ]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&s, direction, 1), [": 10"]);
    }
}

#[test]
fn hostile_systems_end_in_bounded_time() {
    let begin = std::time::Instant::now();
    // Five thousand different facts.
    let facts = system(vec![function(
        1,
        vec![cell(
            &["n>=0"],
            (0..5_000).map(|i| leaf(&i.to_string())).collect(),
        )],
    )]);
    assert_eq!(shown(&facts, Lower, 0), ["n>=0: 0"]);
    // A clause with ten thousand calls to itself.
    let calls: Vec<(usize, &[&str])> = vec![(0, &["n-1"][..]); 10_000];
    let long = system(vec![function(
        1,
        vec![
            cell(&["n=0"], vec![leaf("1")]),
            cell(&["n>=1"], vec![alternative("1+r0", &calls)]),
        ],
    )]);
    for direction in [Upper, Lower] {
        let _ = shown(&long, direction, 0);
    }
    // Numbers beyond machine words.
    let big = "1".repeat(60);
    let mut huge = leaf("1");
    huge.value = Some(costlens_algebra::Expr::constant(
        costlens_algebra::Rat::from_integer(big.parse().unwrap()),
    ));
    let huge = system(vec![function(1, vec![cell(&["n>=0"], vec![huge])])]);
    for direction in [Upper, Lower] {
        assert_eq!(shown(&huge, direction, 0), [format!("n>=0: {big}")]);
    }
    // Sixty cells that call each other.
    let many = system(vec![function(
        1,
        (0..60)
            .map(|i| {
                cell(
                    &[&format!("n={i}")],
                    vec![
                        alternative("1+r0", &[(0, &["n-1"])]),
                        alternative("1+r0", &[(0, &["n+1"])]),
                    ],
                )
            })
            .collect(),
    )]);
    for direction in [Upper, Lower] {
        let _ = shown(&many, direction, 0);
    }
    // A function that outgrows every form, with products of eight parameters.
    let ackermann = system(vec![function(
        2,
        vec![
            cell(&["n=0", "m>=0"], vec![leaf("m+1")]),
            cell(
                &["n>=1", "m=0"],
                vec![alternative("r0", &[(0, &["n-1", "1"])])],
            ),
            cell(
                &["n>=1", "m>=1"],
                vec![alternative(
                    "r1",
                    &[(0, &["n", "m-1"]), (0, &["n-1", "r0"])],
                )],
            ),
        ],
    )]);
    for direction in [Upper, Lower] {
        let _ = shown(&ackermann, direction, 0);
    }
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
}

#[test]
fn products_in_arguments_of_different_calls_are_kept_apart() {
    // g(0) = 10, g(x) = 1 for x >= 1; h = g(n·m) + g(n·n) is 11 where m = 0.
    let s = system(vec![
        function(
            1,
            vec![
                cell(&["n<0"], vec![]),
                cell(&["n=0"], vec![leaf("10")]),
                cell(&["n>=1"], vec![leaf("1")]),
            ],
        ),
        function(
            2,
            vec![cell(
                &["n>=1", "m>=0"],
                vec![alternative("r0+r1", &[(0, &["n*m"]), (0, &["n^2"])])],
            )],
        ),
    ]);
    sound(&s, Upper, 5);
    sound(&s, Lower, 5);
    refuses(&s, Upper, 1, "n>=1", "2");
    let mut table = solve(&s, Upper, FUEL).functions;
    for (bound, accepted) in [("2", false), ("10", false), ("11", true)] {
        table[1] = vec![costlens_recurrences::SolvedPiece {
            region: region(&["n>=1", "m>=0"]),
            value: Value::Known(expr(bound)),
        }];
        let verdict = costlens_recurrences::verify(&s, &table, Upper);
        assert_eq!(verdict.is_ok(), accepted, "{bound}");
    }
}

#[test]
fn a_loop_over_four_sizes_costs_its_turns() {
    // mm([R|Rs], Cols, [O|Os]) :- mv(Cols, R, O), mm(Rs, Cols, Os). In mv either list may end first.
    let mut s = system(vec![function(
        3,
        vec![
            cell(&["n=0", "m>=0", "p>=0"], vec![leaf("1")]),
            cell(
                &["n>=1", "m>=1", "p>=0"],
                vec![
                    alternative("r0+2*m+2", &[(0, &["n-1", "m", "p", "q"])]),
                    alternative("r0+p*m+m+2", &[(0, &["n-1", "m", "p", "q"])]),
                    alternative("r0+m*q+2*m+2", &[(0, &["n-1", "m", "p", "q"])]),
                ],
            ),
        ],
    )]);
    s.functions[0].params.push(Q);
    for cell in &mut s.functions[0].cells {
        cell.region = cell.region.and_all(&region(&["q>=0"]));
    }
    let bound = shown(&s, Upper, 0).join("; ");
    assert!(!bound.contains("unknown"), "{bound}");
}

/// The value is the maximum of numbers up to `m-1`, or 0 if there are none. A cubic passes through the values 0, 0, 1, 2.
#[test]
fn a_form_with_as_many_terms_as_a_size_has_values_is_no_reason_not_to_cut() {
    let mut own = leaf("k");
    own.locals = vec![K];
    own.constraints = region(&["m-k-1>=0", "k>=0"]);
    let rest = alternative("r0", &[(0, &["n-1", "m", "p"])]);
    let mut s = system(vec![function(
        3,
        vec![
            cell(&["n=1", "m>=0", "p>=1"], vec![own.clone(), rest.clone()]),
            cell(&["n>=2", "m>=0", "p>=1"], vec![own, rest]),
            cell(&["n>=1", "m>=0", "p=0"], vec![]),
            cell(&["n=0", "m>=0", "p>=0"], vec![leaf("0")]),
        ],
    )]);
    for cell in &mut s.functions[0].cells {
        cell.exhaustive = true;
    }
    assert!(shown(&s, Upper, 0).contains(&"n>=1, m>=1, p>=1: m-1".to_owned()));
    sound(&s, Upper, 4);
}
