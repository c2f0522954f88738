//! Random control constructs: each body is run as compiled code, as the term of a dynamic clause, and by SWI-Prolog if it is installed. All
//! solutions, their order, and the final exception must be the same.

#![allow(clippy::print_stderr)]

use std::fmt::Write as _;
use std::process::Command;

use costlens_machine::{Answer, Limits, Machine};

/// A random number generator with the same sequence in every run (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn variable(&mut self) -> &'static str {
        ["X", "Y", "Z", "U"][usize::try_from(self.below(4)).unwrap()]
    }

    fn value(&mut self) -> String {
        match self.below(6) {
            0 => "f(1)".into(),
            1 => format!("f({})", self.variable()),
            2 => self.variable().into(),
            n => n.to_string(),
        }
    }

    /// Generates a goal of at most this depth.
    fn goal(&mut self, depth: u64) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(15) {
                0..=2 => format!("p({})", self.variable()),
                3 | 4 => format!("q({})", self.variable()),
                5 => format!("r({}, {})", self.variable(), self.variable()),
                6 | 7 => format!("{} = {}", self.variable(), self.value()),
                8 => format!("{} == {}", self.variable(), self.value()),
                9 => format!("{} < {}", self.variable(), self.below(4)),
                10 => format!("{} is {} + 1", self.variable(), self.variable()),
                11 => format!("var({})", self.variable()),
                12 => "fail".into(),
                13 => format!("throw(b({}))", self.variable()),
                _ => "!".into(),
            };
        }
        let (a, b) = (self.goal(depth - 1), self.goal(depth - 1));
        match self.below(12) {
            0..=3 => format!("({a}, {b})"),
            4 | 5 => format!("({a} ; {b})"),
            6 => format!("({a} -> {b} ; {})", self.goal(depth - 1)),
            7 => format!("({a} *-> {b} ; {})", self.goal(depth - 1)),
            8 => format!("({a} -> {b})"),
            9 => format!("\\+ {a}"),
            10 => format!("call(({a}, {b}))"),
            _ => format!("catch({a}, b({}), {b})", self.variable()),
        }
    }
}

const FACTS: &str = "\
p(1). p(2). p(3).
q(2). q(4).
r(1, a). r(2, X) :- q(X). r(3, f(_)).
";

/// Returns every solution of a goal with variables `X`, `Y`, `Z`, `U`, and its outcome.
pub(crate) fn ours(machine: &mut Machine, goal: &str) -> String {
    let (cell, variables) = machine.read_goal(goal).unwrap();
    machine.start(cell);
    let mut said = String::new();
    for _ in 0..200 {
        match machine.next_answer() {
            Answer::Yes { .. } => {
                let shown: Vec<String> = variables
                    .iter()
                    .map(|(_, cell)| plain(&machine.text_of(*cell, &[])))
                    .collect();
                writeln!(said, "{}", shown.join(" ")).unwrap();
            }
            Answer::No => return said,
            Answer::Error(ball) => {
                writeln!(said, "threw {}", plain(&machine.text_of(ball, &[]))).unwrap();
                return said;
            }
            Answer::Limit(limit) => panic!("{goal}: {limit}"),
        }
    }
    said
}

/// Removes the names of variables from a term, which differ between runs.
fn plain(text: &str) -> String {
    // A cyclic term can be written in several ways.
    if text.contains("@(") {
        return "cyclic".to_owned();
    }
    let mut out = String::new();
    let mut characters = text.chars().filter(|c| *c != ' ').peekable();
    while let Some(c) = characters.next() {
        out.push(c);
        if c == '_' {
            while characters.peek().is_some_and(char::is_ascii_alphanumeric) {
                characters.next();
            }
        }
    }
    out
}

pub(crate) fn program(bodies: &[String]) -> String {
    let mut text = FACTS.to_owned();
    for (n, body) in bodies.iter().enumerate() {
        writeln!(text, "s{n}(X, Y, Z, U) :- {body}.\ns{n}(0, 0, 0, 0).").unwrap();
        writeln!(
            text,
            ":- dynamic(d{n}/4).\nd{n}(X, Y, Z, U) :- {body}.\nd{n}(0, 0, 0, 0)."
        )
        .unwrap();
    }
    text
}

/// Returns three queries for each body: all arguments unbound; the first argument 2; the first two arguments the same variable.
pub(crate) fn queries(n: usize) -> [String; 3] {
    [
        format!("c{n}(X, Y, Z, U)"),
        format!("X = 2, c{n}(X, Y, Z, U)"),
        format!("c{n}(X, X, Z, U)"),
    ]
}

pub(crate) fn bodies(seed: u64, count: usize) -> Vec<String> {
    let mut chance = Chance(seed);
    (0..count).map(|_| chance.goal(4)).collect()
}

#[test]
fn compiled_code_and_terms_agree() {
    for seed in 0..10 {
        let bodies = bodies(seed, 100);
        let text = program(&bodies);
        let mut machine = Machine::new(Limits::default());
        assert_eq!(machine.load(&text), []);
        let mut counting = Machine::counting(Limits::default());
        assert_eq!(counting.load(&text), []);
        for (n, body) in bodies.iter().enumerate() {
            for query in queries(n) {
                let code = ours(
                    &mut machine,
                    &query.replace(&format!("c{n}"), &format!("s{n}")),
                );
                let term = ours(
                    &mut machine,
                    &query.replace(&format!("c{n}"), &format!("d{n}")),
                );
                assert_eq!(code, term, "{query} of {body}");
                let counted = ours(
                    &mut counting,
                    &query.replace(&format!("c{n}"), &format!("s{n}")),
                );
                assert_eq!(code, counted, "{query} of {body}");
            }
        }
    }
}

#[test]
fn answers_are_those_of_swi_prolog() {
    let bodies = bodies(1000, 400);
    let text = program(&bodies);
    let mut machine = Machine::new(Limits::default());
    assert_eq!(machine.load(&text), []);
    let folder = std::env::temp_dir().join(format!("costlens-control-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut script = text;
    script.push_str(
        "
        show(T) :- write_term(T, [quoted(true)]).
        ",
    );
    let mut asked = Vec::new();
    script.push_str("main :- ");
    for n in 0..bodies.len() {
        for query in queries(n) {
            let goal = query.replace(&format!("c{n}"), &format!("s{n}"));
            writeln!(script, "write('# '), nl, \\+ \\+ all(({goal})),").unwrap();
            asked.push((n, goal));
        }
    }
    script.push_str("true.\nall(G) :- term_variables(G, Vs), catch((G, say(Vs), fail ; true), E, (write('threw '), show(E), nl)).\n");
    script.push_str("say(Vs) :- atomic_list_concat_terms(Vs), nl.\natomic_list_concat_terms([]).\natomic_list_concat_terms([V]) :- !, show(V).\natomic_list_concat_terms([V|Vs]) :- show(V), write(' '), atomic_list_concat_terms(Vs).\n");
    let file = folder.join("control.pl");
    std::fs::write(&file, script).unwrap();
    let Ok(out) = Command::new("swipl")
        .args(["-q", "-g", "main", "-t", "halt"])
        .arg(&file)
        .output()
    else {
        eprintln!("SWI-Prolog is not installed");
        return;
    };
    std::fs::remove_dir_all(&folder).unwrap();
    let theirs = String::from_utf8(out.stdout).unwrap();
    let theirs: Vec<&str> = theirs.split("# \n").skip(1).collect();
    assert_eq!(
        theirs.len(),
        asked.len(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    for ((n, goal), theirs) in asked.iter().zip(theirs) {
        let expected: String = theirs
            .lines()
            .map(|line| match line.strip_prefix("threw ") {
                Some(ball) => format!("threw {}\n", plain(ball)),
                None => line.split(' ').map(plain).collect::<Vec<_>>().join(" ") + "\n",
            })
            .collect();
        assert_eq!(
            ours(&mut machine, goal),
            expected,
            "{goal} of {}",
            bodies[*n]
        );
    }
}
