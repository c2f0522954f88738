//! Random assertions with one and two sizes, preconditions and intervals, compared with counted runs and with the known costs.
//!
//! A *checked* assertion must hold for every admitted call that is run, and a *false* one must have a witness that violates it. The reported
//! intervals must agree with the runs. An assertion that no call satisfies must be neither.

use costlens_analysis::verdict::Verdict;
use costlens_ide::diagnostics::verdicts::AssertionCheck;
use costlens_ide::host::Host;
use costlens_machine::{Answer, Limits, Machine};

/// The number of assertions, unless `VERDICTS` sets it.
const ASSERTIONS: usize = 3_000;
/// The number of assertions in one file.
const IN_A_FILE: usize = 100;
/// The maximum size that is run; the minimum is 0.
const MOST: i64 = 9;

/// A predicate whose number of steps depends only on the sizes of its arguments.
struct Subject {
    name: &'static str,
    head: &'static str,
    /// The sizes in the syntax of assertions.
    sizes: &'static [&'static str],
    goal: fn(i64, i64) -> String,
    /// The number of steps to the first solution or failure.
    cost: fn(f64, f64) -> f64,
}

const PROGRAMS: &str = "\
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
nrev([], []).
nrev([X|A], B) :- nrev(A, C), app(C, [X], B).
app([], B, B).
app([X|A], B, [X|C]) :- app(A, B, C).
both(A, B) :- walk(A), walk(B), walk(A).
walk([]).
walk([_|T]) :- walk(T).
grid(0, _).
grid(N, M) :- N > 0, down(M), K is N-1, grid(K, M).
down(0).
down(N) :- N > 0, M is N-1, down(M).
cross([], _).
cross([_|A], B) :- walk(B), cross(A, B).
tri(0, _).
tri(N, B) :- N > 0, walk(B), down(N), K is N-1, tri(K, B).
fails(A, B) :- walk(A), walk(B), fail.
";

const SUBJECTS: [Subject; 7] = [
    Subject {
        name: "len",
        head: "len(+A:list, -B)",
        sizes: &["length(A)"],
        goal: |n, _| format!("len({}, _)", list(n)),
        cost: |n, _| n + 1.0,
    },
    Subject {
        name: "nrev",
        head: "nrev(+A:list, -B)",
        sizes: &["length(A)"],
        goal: |n, _| format!("nrev({}, _)", list(n)),
        cost: |n, _| n * n / 2.0 + 1.5 * n + 1.0,
    },
    Subject {
        name: "both",
        head: "both(+A:list, +B:list)",
        sizes: &["length(A)", "length(B)"],
        goal: |n, m| format!("both({}, {})", list(n), list(m)),
        cost: |n, m| 2.0 * n + m + 4.0,
    },
    Subject {
        name: "grid",
        head: "grid(+A:nat, +B:nat)",
        sizes: &["int(A)", "int(B)"],
        goal: |n, m| format!("grid({n}, {m})"),
        cost: |n, m| n * m + 2.0 * n + 1.0,
    },
    Subject {
        name: "cross",
        head: "cross(+A:list, +B:list)",
        sizes: &["length(A)", "length(B)"],
        goal: |n, m| format!("cross({}, {})", list(n), list(m)),
        cost: |n, m| n * m + 2.0 * n + 1.0,
    },
    Subject {
        name: "tri",
        head: "tri(+A:nat, +B:list)",
        sizes: &["int(A)", "length(B)"],
        goal: |n, m| format!("tri({n}, {})", list(m)),
        cost: |n, m| n * m + n * n / 2.0 + 3.5 * n + 1.0,
    },
    Subject {
        name: "fails",
        head: "fails(+A:list, +B:list)",
        sizes: &["length(A)", "length(B)"],
        goal: |n, m| format!("fails({}, {})", list(n), list(m)),
        cost: |n, m| n + m + 3.0,
    },
];

fn list(n: i64) -> String {
    let elements: Vec<String> = (1..=n).map(|i| i.to_string()).collect();
    format!("[{}]", elements.join(","))
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n.max(1) as u64).unwrap()
    }
}

/// A sum of monomials with coefficients that are multiples of one half: `(2c, k, l)` stands for `c·x^k·y^l`.
type Function = Vec<(i64, u32, u32)>;

fn value(of: &Function, x: f64, y: f64) -> f64 {
    of.iter()
        .map(|&(c, k, l)| c as f64 / 2.0 * x.powi(k as i32) * y.powi(l as i32))
        .sum()
}

fn text(of: &Function, sizes: &[&str]) -> String {
    let terms: Vec<String> = (of.iter())
        .map(|&(c, k, l)| {
            let mut factors = vec![match c % 2 {
                0 => format!("({})", c / 2),
                _ => format!("({c}/2)"),
            }];
            factors.extend((k > 0).then(|| format!("{}**{k}", sizes[0])));
            factors.extend((l > 0).then(|| format!("{}**{l}", sizes[sizes.len() - 1])));
            factors.join("*")
        })
        .collect();
    terms.join("+")
}

/// An assertion and its meaning.
struct Case {
    subject: &'static Subject,
    side: &'static str,
    function: Function,
    /// The minimum and maximum admitted value of each size, as written.
    limits: Vec<(usize, Option<i64>, Option<i64>)>,
    text: String,
}

impl Case {
    fn by_chance(chance: &mut Chance) -> Self {
        let subject = &SUBJECTS[chance.below(SUBJECTS.len())];
        let two = subject.sizes.len() == 2;
        let side = ["ub", "lb", "eq", "ub", "lb", "o", "olb"][chance.below(7)];
        let is_order = side.starts_with('o');
        let mut function = Function::new();
        for _ in 0..=chance.below(3) {
            let k = chance.below(3) as u32;
            let l = if two { chance.below(3) as u32 } else { 0 };
            let c = match is_order {
                true => 2 * (1 + chance.below(4) as i64),
                false => chance.below(23) as i64 - 6,
            };
            function.push((c, k, l));
        }
        // Sometimes, an exact bound is used.
        if !is_order && chance.below(3) == 0 {
            let at = |x: f64, y: f64| (subject.cost)(x, y);
            let (c, x, y) = (at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0));
            let (xx, xy) = (at(2.0, 0.0), at(1.0, 1.0));
            let square = (xx - 2.0 * x + c) / 2.0;
            let doubled = |v: f64| (2.0 * v).round() as i64;
            let off = [0, 0, 2, -2][chance.below(4)];
            function = vec![
                (doubled(c) + off, 0, 0),
                (doubled(x - c - square), 1, 0),
                (doubled(square), 2, 0),
            ];
            if two {
                function.push((doubled(y - c), 0, 1));
                function.push((doubled(xy - x - y + c), 1, 1));
            }
        }
        let mut limits = Vec::new();
        for place in 0..subject.sizes.len() {
            let number = |chance: &mut Chance| chance.below(8) as i64;
            match chance.below(6) {
                0 => limits.push((place, Some(number(chance)), None)),
                1 => limits.push((place, None, Some(number(chance)))),
                2 => {
                    let (a, b) = (number(chance), number(chance));
                    limits.push((place, Some(a), Some(b)));
                }
                _ => {}
            }
        }
        // Asymptotic orders concern all sizes.
        if is_order {
            limits.clear();
        }
        let mut conditions = Vec::new();
        for &(place, least, most) in &limits {
            let size = subject.sizes[place];
            conditions.extend(least.map(|n| format!("{size} >= {n}")));
            conditions.extend(most.map(|n| format!("{size} =< {n}")));
        }
        let precondition = match conditions.is_empty() {
            true => String::new(),
            false => format!(" : ({})", conditions.join(", ")),
        };
        let expression = text(&function, subject.sizes);
        let text = format!(
            ":- pred {}{precondition} + cost({side},steps,{expression}).\n",
            subject.head
        );
        Case {
            subject,
            side,
            function,
            limits,
            text,
        }
    }

    fn admits(&self, sizes: [i64; 2]) -> bool {
        self.limits.iter().all(|&(place, least, most)| {
            least.is_none_or(|n| sizes[place] >= n) && most.is_none_or(|n| sizes[place] <= n)
        })
    }

    /// Returns whether the assertion holds for a call with this number of steps.
    fn holds(&self, [x, y]: [i64; 2], steps: f64) -> bool {
        let asserted = value(&self.function, x as f64, y as f64);
        match self.side {
            "ub" => steps <= asserted,
            "lb" => steps >= asserted,
            _ => steps == asserted,
        }
    }

    fn contradicts_itself(&self) -> bool {
        (self.limits.iter())
            .any(|&(_, least, most)| least.is_some() && most.is_some() && least > most)
    }

    /// Returns whether cost and assertion agree up to a constant factor along paths on which all sizes grow.
    fn is_of_order(&self) -> bool {
        let ways: &[(f64, f64)] = &[(1.0, 1.0), (1.0, 2.0), (2.0, 1.0), (1.0, 3.0), (3.0, 1.0)];
        ways.iter().all(|&(a, b)| {
            let ratio = |t: f64| {
                let (x, y) = (t.powf(a), t.powf(b));
                let ratio = (self.subject.cost)(x, y) / value(&self.function, x, y);
                if self.side == "olb" {
                    1.0 / ratio
                } else {
                    ratio
                }
            };
            ratio(1e6) <= ratio(1e3) * 10.0
        })
    }

    /// Returns the errors in a verdict.
    fn faults(&self, row: &AssertionCheck, runs: &[(i64, i64, f64)]) -> Vec<String> {
        let judged = &row.judged;
        let mut faults = Vec::new();
        let mut fault = |what: String| faults.push(format!("{}{what}: {}", self.text, row.message));
        if self.contradicts_itself() {
            let is_said = (judged.reason.as_deref())
                .is_some_and(|r| r.starts_with("no call satisfies the precondition"));
            if judged.verdict != Verdict::Check || !is_said {
                fault("no call satisfies it".to_owned());
            }
            return faults;
        }
        if self.side.starts_with('o') {
            match (judged.verdict, self.is_of_order()) {
                (Verdict::Checked, false) => fault("it is of a greater order".to_owned()),
                (Verdict::False, true) => fault("it is of this order".to_owned()),
                _ => {}
            }
            return faults;
        }
        for &(x, y, steps) in runs.iter().filter(|&&(x, y, _)| self.admits([x, y])) {
            let holds = self.holds([x, y], steps);
            if judged.verdict == Verdict::Checked && !holds {
                fault(format!("checked, and {steps} steps at {x}, {y}"));
            }
            if self.subject.sizes.len() > 1 && !judged.intervals.is_empty() {
                continue;
            }
            for i in &judged.intervals {
                let is_in = i.from.as_ref().is_none_or(|from| *from <= x.into())
                    && i.to.as_ref().is_none_or(|to| *to >= x.into());
                let is_wrong = match i.verdict {
                    Verdict::Checked => !holds,
                    Verdict::False => holds,
                    Verdict::Check => false,
                };
                if is_in && is_wrong {
                    fault(format!(
                        "{:?} at {x}, where {steps} steps are counted",
                        i.verdict
                    ));
                }
            }
        }
        if judged.verdict == Verdict::False {
            let Some(witness) = &judged.witness else {
                fault("false without a witness".to_owned());
                return faults;
            };
            // Sizes without a name do not matter.
            let of = |name: &str| {
                let size = witness.sizes.iter().find(|(n, _)| n == name);
                size.and_then(|(_, n)| i64::try_from(n).ok())
            };
            if let (Some(x), y) = (of("n"), of("m")) {
                let sizes = [x, y.unwrap_or(0)];
                let steps = (self.subject.cost)(sizes[0] as f64, sizes[1] as f64);
                let is_named = y.is_some() || self.subject.sizes.len() == 1;
                if is_named && (!self.admits(sizes) || self.holds(sizes, steps)) {
                    fault(format!("the witness {sizes:?} breaks nothing"));
                }
            }
        }
        faults
    }
}

fn steps(machine: &Machine, goal: &str) -> f64 {
    let mut machine = machine.fork();
    let (goal, _) = machine.read_goal(goal).unwrap();
    machine.forget_counts();
    machine.start(goal);
    let answer = machine.next_answer();
    assert!(matches!(answer, Answer::Yes { .. } | Answer::No));
    machine.steps() as f64
}

#[test]
fn assertions_by_chance_are_judged_as_runs_show() {
    let mut machine = Machine::counting(Limits::default());
    machine.load_clauses(PROGRAMS);
    let counted = |subject: &Subject| {
        let others = if subject.sizes.len() == 1 { 0 } else { MOST };
        let mut runs = Vec::new();
        for x in 0..=MOST {
            for y in 0..=others {
                let steps = steps(&machine, &(subject.goal)(x, y));
                let known = (subject.cost)(x as f64, y as f64);
                assert_eq!(steps, known, "{} {x} {y}", subject.name);
                runs.push((x, y, steps));
            }
        }
        runs
    };
    let runs: Vec<Vec<(i64, i64, f64)>> = SUBJECTS.iter().map(counted).collect();
    let number = std::env::var("VERDICTS").ok().and_then(|n| n.parse().ok());
    let seed = std::env::var("VERDICTS_SEED")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut chance = Chance(seed.unwrap_or(0x2545_f491_4f6c_dd1d));
    let mut left = number.unwrap_or(ASSERTIONS);
    let (mut faults, mut decided, mut all) = (Vec::new(), 0, 0);
    while left > 0 {
        let count = left.min(IN_A_FILE);
        left -= count;
        let cases: Vec<Case> = (0..count).map(|_| Case::by_chance(&mut chance)).collect();
        let assertions: String = cases.iter().map(|case| case.text.as_str()).collect();
        let mut host = Host::new();
        let file = host.open("a.pl", &format!("{assertions}{PROGRAMS}"));
        let found = host.snapshot().check(file, None, None).unwrap();
        for (number, case) in cases.iter().enumerate() {
            let own: Vec<_> = (found.assertions.iter())
                .filter(|row| row.judged.assertion == number)
                .collect();
            let [row] = own[..] else {
                panic!("{}: {} rows", case.text, own.len());
            };
            let place = SUBJECTS.iter().position(|s| s.name == case.subject.name);
            faults.extend(case.faults(row, &runs[place.unwrap()]));
            if !case.contradicts_itself() {
                all += 1;
                decided += usize::from(row.judged.verdict != Verdict::Check);
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults[..faults.len().min(20)].join("\n")
    );
    // The proportion of undecided verdicts is limited.
    assert!(decided * 100 >= all * 90, "{decided} of {all} decided");
}
