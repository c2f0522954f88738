//! Small workspaces for the callers of a rewrite: a predicate that a rewrite applies to, and files that call it in various ways, with
//! arguments as declared or with others.

/// A predicate with a mode line that a rewrite applies to.
pub(crate) struct Template {
    /// The text, with `P` for its name.
    text: &'static str,
    /// Arguments of calls that are as declared. `X` is the variable that the goal asks for.
    right: &'static [&'static [&'static str]],
    /// Those that are not as declared.
    wrong: &'static [&'static [&'static str]],
}

const TEMPLATES: [Template; 7] = [
    Template {
        text: "%! P(+N:nonneg, -Xs:list(integer)) is det.\nP(0, []) :- !.\nP(N, Xs) :- M is N-1, P(M, Ys), append(Ys, [N], Xs).\n",
        right: &[&["3", "X"], &["4", "X"]],
        wrong: &[&["3", "[1]"], &["3", "[x|_]"], &["2", "[X]"], &["_", "[]"]],
    },
    Template {
        text: "%! P(+Xs:list) is semidet.\nP(Xs) :- length(Xs, N), N > 0.\n",
        right: &[&["[a,b]"], &["[]"], &["[[],_]"]],
        wrong: &[&["[_|_]"], &["[a|_]"], &["_"], &["a"]],
    },
    Template {
        text: "%! P(+Xs:list(integer), -S:integer) is det.\nP([], 0).\nP([X|Xs], S) :- P(Xs, T), S is X+T.\n",
        right: &[&["[1,2,3]", "X"], &["[7]", "X"]],
        wrong: &[
            &["[0.1,0.2,0.3]", "X"],
            &["[1,2,a]", "X"],
            &["[1,2,3]", "6.0"],
            &["X", "0"],
        ],
    },
    Template {
        text: "%! P(+Xs:list(atom), -Ys) is det.\nP(Xs, Ys) :- findall(X, member(X, Xs), Ys).\n",
        right: &[&["[a,b]", "X"], &["[c]", "X"]],
        wrong: &[&["[Y,Y]", "X"], &["[f(_),b]", "X"], &["[a|_]", "X"]],
    },
    Template {
        text: "%! P(+Xs:list, -Ys:list) is det.\nP([], []).\nP([X|Xs], Ys) :- P(Xs, Zs), append(Zs, [X], Ys).\n",
        right: &[&["[a,b,c]", "X"], &["[_,b]", "X"]],
        wrong: &[&["_", "[a,b]"], &["[a|_]", "[b,a]"], &["[a,b]", "[X|_]"]],
    },
    Template {
        text: "%! P(+Xs:list(integer), -M:integer) is semidet.\nP(Xs, M) :- append(_, [M], Xs).\n",
        right: &[&["[1,2]", "X"], &["[5]", "X"]],
        wrong: &[&["[1|_]", "X"], &["_", "2"]],
    },
    Template {
        text: "%! P(+Xs:list(integer), +Acc:list(integer), -Ys) is det.\nP([], Acc, Acc).\nP([X|Xs], Acc, Ys) :- Y is X+1, append(Acc, [Y], More), P(Xs, More, Ys).\n",
        right: &[&["[1,2]", "[]", "X"], &["[3]", "[9]", "X"]],
        wrong: &[
            &["[1,2]", "_", "[1,2,3]"],
            &["[1]", "[]", "[X,_|_]"],
            &["[1,2]", "[a|_]", "_"],
        ],
    },
];

/// A way to call: the file that does it, with `GOAL` for the goal, `P` for the name of the predicate, `ARGS` for its arguments, `LISTS` for
/// them in lists of one each, except for the result, `VARS` for as many variables, `N` for their number and `M` for the module; and whether a
/// call with arguments as declared is proved to be one.
const WAYS: [(&str, &str, bool); 25] = [
    ("a goal", "t(X) :- GOAL.", true),
    (
        "a negation",
        "t(A) :- ( \\+ GOAL -> A = no ; A = yes ).",
        true,
    ),
    ("limited", "t(L) :- findall(X, limit(2, GOAL), L).", true),
    (
        "for all",
        "t(A) :- ( forall(GOAL, true) -> A = all ; A = some ).",
        true,
    ),
    ("once", "t(X) :- once(GOAL).", true),
    ("caught", "t(X) :- catch(GOAL, _, true).", true),
    (
        "in a recovery",
        "t(X) :- catch(atom_length(_, _), _, GOAL).",
        true,
    ),
    ("called", "t(X) :- call(GOAL).", true),
    ("called by name", "t(X) :- call(P, ARGS).", true),
    ("for lists", "t(X) :- maplist(P, LISTS).", true),
    ("a lambda", "t(X) :- maplist([VARS]>>P(VARS), LISTS).", true),
    ("in a variable", "t(X) :- G = GOAL, call(G).", true),
    (
        "in a fact",
        "held(GOAL, X).\nt(X) :- held(G, X), call(G).",
        false,
    ),
    ("with its module", "t(X) :- M:GOAL.", true),
    (
        "in a grammar",
        "d(X) --> { GOAL }.\nt(X) :- phrase(d(X), []).",
        true,
    ),
    (
        "at the start",
        ":- dynamic seen/1.\n:- initialization((catch(call_with_inference_limit(findall(X, limit(3, GOAL), L), 1000000, R), _, L = late), ( R == inference_limit_exceeded -> L = late ; true ), assertz(seen(L)))).\nt(L) :- seen(L).",
        false,
    ),
    (
        "counted",
        "t(C) :- aggregate_all(count, limit(3, GOAL), C).",
        true,
    ),
    (
        "in a condition",
        "t(A) :- ( GOAL -> A = yes(X) ; A = no ).",
        true,
    ),
    (
        "through another one",
        "run(VARS) :- P(VARS).\nt(X) :- run(ARGS).",
        true,
    ),
    (
        "by a meta-predicate",
        ":- meta_predicate twice(0).\ntwice(G) :- \\+ \\+ call(G), call(G).\nt(X) :- twice(GOAL).",
        true,
    ),
    ("a bag", "t(L) :- bagof(X, limit(3, GOAL), L).", true),
    (
        "a set",
        "t(L) :- findall(X, limit(3, GOAL), Xs), sort(Xs, L).",
        true,
    ),
    ("ignored", "t(X) :- ignore(GOAL).", true),
    (
        "handed on as data",
        "apply_to(F, As, X) :- G =.. [F|As], call(G), X = As.\nt(X) :- apply_to(P, [ARGS], X).",
        false,
    ),
    ("renamed", "t(X) :- other(ARGS).", true),
];

/// A workspace.
pub(crate) struct Workspace {
    /// Files by name.
    pub(crate) files: Vec<(String, String)>,
    /// The file with the predicate that a rewrite applies to.
    pub(crate) home: String,
    /// The goal to run.
    pub(crate) goal: String,
    /// True if a variant has to be offered.
    pub(crate) is_offered: bool,
    /// The way to call, in words.
    pub(crate) way: &'static str,
}

/// Returns the workspace of a number: another way to call for each, another predicate after all ways, and calls with declared and other
/// arguments alternately.
pub(crate) fn workspace(number: usize) -> Workspace {
    let (way, text, is_proved) = WAYS[number % WAYS.len()];
    let round = number / WAYS.len();
    let template = &TEMPLATES[(number + round) % TEMPLATES.len()];
    let is_right = (number / WAYS.len() + number).is_multiple_of(3);
    let all = if is_right {
        template.right
    } else {
        template.wrong
    };
    let args = all[(round / 2 + number) % all.len()];
    let (p, module) = (format!("p{number}"), format!("m{number}"));
    let variables: Vec<String> = (0..args.len()).map(|i| format!("A{i}")).collect();
    let list = |a: &&str| match *a {
        "X" => "X".to_owned(),
        a => format!("[{a}]"),
    };
    let lists: Vec<String> = args.iter().map(list).collect();
    let filled = |text: &str| {
        let text = text.replace("GOAL", "P(ARGS)");
        let text = text.replace("LISTS", &lists.join(", "));
        let text = text.replace("VARS", &variables.join(","));
        let text = text.replace("ARGS", &args.join(", "));
        words(&text, &p, &module, number)
    };
    let n = args.len();
    // In the module itself, in another one, or in a file without a module.
    let place = number % 4;
    let imports = match way {
        "renamed" => format!(":- use_module({module}, [{p}/{n} as other{number}]).\n"),
        "with its module" => format!(":- use_module({module}, []).\n"),
        _ => format!(":- use_module({module}).\n"),
    };
    let body = filled(text);
    let own = template.text.replace('P', &p);
    let caller = format!("c{number}");
    let is_inside = place == 0 && !matches!(way, "renamed");
    let mut files = Vec::new();
    if is_inside {
        let exports = format!("{p}/{n}, t{number}/1");
        files.push((
            format!("{module}.pl"),
            format!(":- module({module}, [{exports}]).\n\n{own}\n{body}\n"),
        ));
    } else {
        files.push((
            format!("{module}.pl"),
            format!(":- module({module}, [{p}/{n}]).\n\n{own}"),
        ));
        let head = match place {
            1 => String::new(),
            _ => format!(":- module({caller}, [t{number}/1]).\n"),
        };
        files.push((format!("{caller}.pl"), format!("{head}{imports}\n{body}\n")));
    }
    Workspace {
        home: format!("{module}.pl"),
        goal: format!("t{number}"),
        files,
        is_offered: is_right && is_proved,
        way,
    }
}

/// Returns a text with its own names: predicates that a way defines have the number of the workspace in their names, since all are loaded together.
fn words(text: &str, p: &str, module: &str, number: usize) -> String {
    let mut found = String::new();
    let mut rest = text;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        match word {
            "P" => found.push_str(p),
            "M" => found.push_str(module),
            "t" | "held" | "d" | "seen" | "run" | "twice" | "apply_to" | "other" => {
                found.push_str(&format!("{word}{number}"));
            }
            word => found.push_str(word),
        }
        let mut letters = behind.chars();
        found.extend(letters.next());
        rest = letters.as_str();
    }
    found
}
