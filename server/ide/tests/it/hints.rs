//! Tests which pattern a hint describes.

use costlens_ide::hints::Arrived;
use costlens_ide::host::Host;
use costlens_ide::settings::Settings;

fn hints(text: &str) -> Vec<String> {
    let mut host = Host::new();
    let file = host.open("a.pl", text);
    let hints = host.snapshot().hints(file, &Settings::default()).unwrap();
    hints.into_iter().map(|hint| hint.label).collect()
}

#[test]
fn a_mode_line_without_types_is_told_of_where_it_has_a_bound() {
    let first = "%! first(+Xs, -X) is semidet.\nfirst([X|_], X).\n";
    assert_eq!(hints(first), ["O(1)  ≤ 1"]);
}

#[test]
fn where_a_mode_line_without_types_has_no_bound_the_guess_is_told_of_as_one() {
    let len = "%! len(+Xs, -N) is det.\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";
    assert_eq!(hints(len), ["~O(n)  n+1"]);
    // If no guessed pattern leads to a bound, the hint describes the declared calls.
    let endless = "%! p(+X) is det.\np(X) :- q(X).\n:- dynamic q/1.\n";
    assert_eq!(hints(endless), ["O(q)  ≤ q+1"]);
}

#[test]
fn the_only_predicate_without_a_bound_is_named() {
    // `render//1` is not defined.
    let page =
        "page(X) --> head(X), render(X).\nhead(_) --> [].\nshow(X, Xs) :- page(X, Xs, []).\n";
    assert_eq!(
        hints(page),
        [
            "~O(render)  ≤ render+2",
            "~O(1)  1",
            "~O(render)  ≤ render+3"
        ]
    );
    // No formula in the costs of what is not defined.
    let loops = "p(X) :- q(X, Y), p(Y).\nr(X) :- p(X).\n";
    assert_eq!(hints(loops), ["cost ? ← q/2", "~O(p)  ≤ p+1"]);
}

#[test]
fn an_unknown_cost_of_data_and_hooks_is_not_told_of() {
    let text = ":- dynamic colour/2.\n:- multifile user:portray/1.\ncolour(sky, blue).\n\
        user:portray(T) :- short(T).\nlook(X) :- colour(X, _).\n";
    let mut host = Host::new();
    let file = host.open("a.pl", text);
    let mut settings = Settings::default();
    let labels = |settings: &Settings| -> Vec<String> {
        let hints = host.snapshot().hints(file, settings).unwrap();
        hints.into_iter().map(|hint| hint.label).collect()
    };
    assert_eq!(labels(&settings), ["~O(colour)  ≤ colour+1"]);
    settings.hints.data = true;
    assert_eq!(labels(&settings).len(), 3);
}

#[test]
fn tests_and_descriptions_of_packs_have_no_hints() {
    for (path, text) in [
        ("pack.pl", "name(a). title(b).\n"),
        (
            "a.plt",
            "helper([]).\n:- begin_tests(a).\ntest(a) :- helper([]).\n:- end_tests(a).\n",
        ),
    ] {
        let mut host = Host::new();
        let file = host.open(path, text);
        let hints = host.snapshot().hints(file, &Settings::default()).unwrap();
        assert_eq!(hints, [], "{path}");
    }
}

#[test]
fn a_type_that_is_declared_is_never_set_aside_for_a_guess() {
    let ground = "%! len(++Xs, -N) is det.\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M+1.\n";
    let told = hints(ground);
    assert!(told[0].starts_with("O(n)"), "{told:?}");
}

/// Returns chains of ten predicates. Each predicate is linear in the length of a list.
fn chains() -> String {
    let chain = |c: usize| -> String {
        (0..10)
            .map(|i| {
                let next = if i == 9 { "true".to_owned() } else { format!("p{c}_{}(T)", i + 1) };
                format!("%! p{c}_{i}(+L:list) is det.\np{c}_{i}([]).\np{c}_{i}([_|T]) :- {next}, p{c}_{i}(T).\n")
            })
            .collect()
    };
    (0..10).map(chain).collect()
}

#[test]
fn hints_come_one_after_the_other_and_begin_on_the_screen() {
    let text = chains();
    let mut host = Host::new();
    let file = host.open("a.pl", &text);
    let settings = Settings::default();
    let from = text.find("%! p7_8").unwrap();
    for threads in [1, 3] {
        let arrived = std::cell::RefCell::new(Vec::new());
        let all = host
            .snapshot()
            .hints_as_they_come(file, &settings, &(from..from + 60), threads, &|hint| {
                arrived.borrow_mut().push(hint);
            })
            .unwrap();
        let arrived = arrived.into_inner();
        // The predicate on the screen comes as soon as its own bounds are there, then everything on the screen.
        let Arrived::One { predicate, .. } = &arrived[0] else {
            panic!("{:?} came first", arrived[0]);
        };
        assert_eq!(predicate.name.to_string(), "p7_8");
        let Arrived::Shown(shown) = &arrived[1] else {
            panic!("{:?} came second", arrived[1]);
        };
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].predicate.name.to_string(), "p7_8");
        assert!(all.contains(&shown[0]));
        let one = |arrived| match arrived {
            Arrived::One { hint, .. } => hint,
            Arrived::Shown(_) => None,
        };
        let mut came: Vec<_> = arrived.into_iter().filter_map(one).collect();
        came.sort_by_key(|h| h.offset);
        came.dedup();
        assert_eq!(came, all);
        assert_eq!(all.len(), 100);
        // A new revision, so that results must be recomputed.
        let text = format!("{text}\n");
        host.edit(
            file,
            &[costlens_ide::host::Edit {
                range: 0..text.len() - 1,
                text,
            }],
        );
    }
}
