//! Generated programs: recursive predicates over lists, integers and trees, from a grammar and a seed.
//!
//! A predicate has inputs and outputs of known kinds and recurses over its first input; its body calls itself, earlier predicates and
//! built-ins, with accumulators, cuts, if-then-else, negation, disjunction and several solutions at random places. The programs need not be
//! sensible. All of them are valid, and their bounds have to hold.

use std::fmt::Write as _;

use crate::generate::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A list of integers.
    List,
    Int,
    /// `leaf` or `t(Tree, Int, Tree)`.
    Tree,
    /// A list of lists of integers.
    Nested,
}

#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) inputs: Vec<Kind>,
    pub(crate) outputs: Vec<Kind>,
}

/// The state of a clause so far: bound variables by kind, and goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clause {
    pub(crate) bound: Vec<(Kind, String)>,
    goals: Vec<String>,
    fresh: usize,
}

impl Clause {
    pub(crate) fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    fn names(&self, kind: Kind) -> Vec<&str> {
        let fitting = self.bound.iter().filter(|(k, _)| *k == kind);
        fitting.map(|(_, name)| name.as_str()).collect()
    }
}

const TREES: &str = "\
:- regtype tree/1.
tree(leaf).
tree(t(L, X, R)) :- tree(L), int(X), tree(R).
";

pub(crate) struct Writer {
    pub(crate) random: Random,
    before: Vec<Signature>,
    /// True if trees are of a declared type, false if they are just ground terms.
    typed: bool,
    /// True if recursion always descends, and the grammar has all of its shapes ([`structural`]).
    structural: bool,
    pub(crate) text: String,
}

/// Returns a program of two to five predicates. The program of a seed never changes: known losses are identified by their seeds.
pub(crate) fn program(seed: u64) -> String {
    written(Random(seed ^ 0x00c0_ffee_0000_0000), false)
}

/// Returns a program in which each predicate walks down a list, a tree or an integer, so that each call ends: in one of many more shapes than
/// [`program`] has, mutual recursion, walks of two lists at once, nested lists, choice of elements, and library predicates in bodies.
pub(crate) fn structural(seed: u64) -> String {
    written(Random(seed ^ 0x5712_0000_0000_0000), true)
}

fn written(mut random: Random, structural: bool) -> String {
    let typed = random.chance(60);
    let mut writer = Writer {
        random,
        before: Vec::new(),
        typed,
        structural,
        text: if typed {
            TREES.to_owned()
        } else {
            String::new()
        },
    };
    for number in 0..2 + writer.random.below(4) {
        writer.predicate(number);
    }
    writer.text
}

impl Writer {
    fn kind(&mut self) -> Kind {
        if self.structural && self.random.chance(12) {
            return Kind::Nested;
        }
        *self
            .random
            .pick(&[Kind::List, Kind::List, Kind::Int, Kind::Int, Kind::Tree])
    }

    fn predicate(&mut self, number: usize) {
        let first = self.kind();
        let mut inputs = vec![first];
        while inputs.len() < 3 && self.random.chance(35) {
            let kind = self.kind();
            inputs.push(kind);
        }
        let mut outputs = Vec::new();
        while outputs.len() < 2 && self.random.chance(45) {
            outputs.push(*self.random.pick(&[Kind::List, Kind::Int]));
        }
        let signature = Signature {
            name: format!("p{number}"),
            inputs,
            outputs,
        };
        self.declare(&signature);
        if self.structural && self.random.chance(25) && self.shape(&signature) {
            self.before.push(signature);
            return;
        }
        if self.random.chance(12) {
            let mut clause = self.head_variables(&signature);
            self.goals(&mut clause, 3);
            self.finish(&signature, clause, None);
        } else {
            self.recursive(&signature);
        }
        self.before.push(signature);
    }

    fn declare(&mut self, signature: &Signature) {
        let mut arguments = Vec::new();
        for kind in &signature.inputs {
            let ty = match kind {
                Kind::List => "list(int)",
                Kind::Int => "int",
                Kind::Tree if self.typed => "tree",
                Kind::Tree => "ground",
                Kind::Nested => "list(list(int))",
            };
            arguments.push(format!("+A{}:{ty}", arguments.len()));
        }
        for _ in &signature.outputs {
            arguments.push(format!("-A{}", arguments.len()));
        }
        let _ = writeln!(
            self.text,
            "\n%! {}({}).",
            signature.name,
            arguments.join(", ")
        );
    }

    /// Returns variables for all inputs.
    fn head_variables(&mut self, signature: &Signature) -> Clause {
        let mut clause = Clause::default();
        for (i, kind) in signature.inputs.iter().enumerate() {
            clause.bound.push((*kind, format!("I{i}")));
        }
        clause
    }

    /// Writes one or two base clauses and one to three recursive ones.
    fn recursive(&mut self, signature: &Signature) {
        let up = signature.inputs[0] == Kind::Int
            && signature.inputs.get(1) == Some(&Kind::Int)
            && self.random.chance(60);
        let split = *self.random.pick(&[None, None, Some(false), Some(true)]);
        let two = self.random.chance(12);
        let mut clauses = Vec::new();
        clauses.push((self.base(signature, up, 0), None));
        if two || self.random.chance(8) {
            clauses.push((self.base(signature, up, 1), None));
        }
        match split {
            None => clauses.push(self.step(signature, up, two, None)),
            Some(by_cut) => {
                let limit = self.random.below(4);
                let (yes, no) = (format!("> {limit}"), format!("=< {limit}"));
                clauses.push(self.step(signature, up, two, Some((yes, by_cut))));
                let other = (!by_cut).then_some((no, false));
                clauses.push(self.step(signature, up, two, other));
            }
        }
        if self.random.chance(10) {
            clauses.reverse();
        }
        for (clause, head) in clauses {
            self.finish(signature, clause, head);
        }
    }

    fn base(&mut self, signature: &Signature, up: bool, which: usize) -> Clause {
        let mut clause = self.head_variables(signature);
        let pattern = match (signature.inputs[0], which) {
            (Kind::List | Kind::Nested, 0) => "[]".to_string(),
            (Kind::List | Kind::Nested, _) => "[_]".to_string(),
            (Kind::Int, _) if up => {
                clause.goals.push("I0 >= I1".into());
                "I0".into()
            }
            (Kind::Int, n) => n.to_string(),
            (Kind::Tree, 0) => "leaf".to_string(),
            (Kind::Tree, _) => "t(leaf, _, leaf)".to_string(),
        };
        if pattern != "I0" {
            clause.bound[0] = (signature.inputs[0], pattern);
        }
        if self.random.chance(20) {
            clause.goals.push("!".into());
        }
        if self.random.chance(20) {
            self.goals(&mut clause, 1);
        }
        clause
    }

    /// Writes a clause that calls the predicate again, and builds its outputs.
    fn step(
        &mut self,
        signature: &Signature,
        up: bool,
        two: bool,
        guard: Option<(String, bool)>,
    ) -> (Clause, Option<Vec<String>>) {
        let mut clause = self.head_variables(signature);
        let mut smaller: Vec<String> = Vec::new();
        match signature.inputs[0] {
            Kind::List => {
                let pattern = if two { "[X, Y|Xs]" } else { "[X|Xs]" };
                clause.bound[0].1 = pattern.into();
                clause.bound.push((Kind::Int, "X".into()));
                clause.bound.push((Kind::List, "Xs".into()));
                smaller.push("Xs".into());
            }
            Kind::Nested => {
                let pattern = if two { "[X, Y|Xs]" } else { "[X|Xs]" };
                clause.bound[0].1 = pattern.into();
                clause.bound.push((Kind::List, "X".into()));
                clause.bound.push((Kind::Nested, "Xs".into()));
                smaller.push("Xs".into());
            }
            Kind::Tree => {
                clause.bound[0].1 = "t(L, X, R)".into();
                clause.bound.push((Kind::Int, "X".into()));
                clause.bound.push((Kind::Tree, "L".into()));
                clause.bound.push((Kind::Tree, "R".into()));
                smaller.extend(["L".into(), "R".into()]);
            }
            Kind::Int => {
                let (test, next) = match self.random.below(10) {
                    _ if up => ("I0 < I1", "I0+1"),
                    0 => ("I0 > 1", "I0-2"),
                    1 => ("I0 > 1", "I0//2"),
                    2 if !self.structural => ("I0 =\\= 0", "I0-1"),
                    _ => ("I0 > 0", "I0-1"),
                };
                if self.structural || self.random.chance(92) {
                    clause.goals.push(test.into());
                }
                clause.goals.push(format!("M is {next}"));
                clause.bound.push((Kind::Int, "M".into()));
                smaller.push("M".into());
            }
        }
        if let Some((test, cut)) = guard {
            clause.goals.push(match signature.inputs[0] {
                Kind::Int => format!("I0 mod 5 {test}"),
                // The order between an element and an integer is the same: longer lists are greater.
                Kind::Nested => {
                    let long = "[_, _|_]";
                    if test.starts_with('>') {
                        format!("X = {long}")
                    } else {
                        format!("X \\= {long}")
                    }
                }
                _ => format!("X {test}"),
            });
            if cut {
                clause.goals.push("!".into());
            }
        }
        if self.random.chance(35) {
            self.goals(&mut clause, 2);
        }
        let mut results: Vec<Vec<String>> = Vec::new();
        let again = match signature.inputs[0] {
            Kind::Tree => !self.random.chance(15),
            _ => self.random.chance(8),
        };
        for turn in 0..1 + usize::from(again) {
            let inner = smaller[turn % smaller.len()].clone();
            results.push(self.call_self(signature, &mut clause, inner));
            if self.random.chance(15) {
                self.goals(&mut clause, 1);
            }
        }
        if self.random.chance(6) {
            clause.goals.push("!".into());
        }
        let outputs = (0..signature.outputs.len())
            .map(|i| {
                let found: Vec<String> = results.iter().map(|r| r[i].clone()).collect();
                self.output(signature.outputs[i], &mut clause, &found)
            })
            .collect();
        (clause, Some(outputs))
    }

    fn call_self(
        &mut self,
        signature: &Signature,
        clause: &mut Clause,
        first: String,
    ) -> Vec<String> {
        let mut arguments = vec![first];
        for (i, kind) in signature.inputs.iter().enumerate().skip(1) {
            let same = format!("I{i}");
            let up = signature.inputs[0] == Kind::Int && i == 1;
            arguments.push(if up || self.random.chance(60) {
                same
            } else {
                self.input(*kind, clause)
            });
        }
        let results: Vec<String> = signature.outputs.iter().map(|_| clause.fresh()).collect();
        arguments.extend(results.iter().cloned());
        clause
            .goals
            .push(format!("{}({})", signature.name, arguments.join(", ")));
        for (kind, name) in signature.outputs.iter().zip(&results) {
            clause.bound.push((*kind, name.clone()));
        }
        results
    }

    /// Returns a bound term of a kind.
    pub(crate) fn input(&mut self, kind: Kind, clause: &mut Clause) -> String {
        let known: Vec<String> = clause.names(kind).into_iter().map(str::to_string).collect();
        match kind {
            Kind::Int if self.random.chance(30) => {
                let made = clause.fresh();
                let value = self.expression(clause);
                clause.goals.push(format!("{made} is {value}"));
                clause.bound.push((Kind::Int, made.clone()));
                made
            }
            Kind::Int if known.is_empty() || self.random.chance(15) => {
                self.random.below(4).to_string()
            }
            Kind::Nested if known.is_empty() || self.random.chance(25) => {
                let head = self.input(Kind::List, clause);
                let tail = known.first().map_or("[]", String::as_str);
                format!("[{head}|{tail}]")
            }
            Kind::List if known.is_empty() || self.random.chance(30) => {
                let head = self.input(Kind::Int, clause);
                let tail = known.first().map_or("[]", String::as_str);
                format!("[{head}|{tail}]")
            }
            Kind::Tree if known.is_empty() || self.random.chance(15) => {
                let inner = known.first().map_or("leaf", String::as_str);
                format!("t({inner}, 1, leaf)")
            }
            _ => self.random.pick(&known).clone(),
        }
    }

    fn expression(&mut self, clause: &Clause) -> String {
        let known = clause.names(Kind::Int);
        let one = if known.is_empty() {
            "2".to_string()
        } else {
            (*self.random.pick(&known)).to_string()
        };
        let operator = *self
            .random
            .pick(&["+", "-", "+", "-", "*", "//", "mod", "max", "min"]);
        let two = if known.is_empty() || self.random.chance(60) {
            (1 + self.random.below(3)).to_string()
        } else {
            (*self.random.pick(&known)).to_string()
        };
        if operator == "max" || operator == "min" {
            format!("{operator}({one}, {two})")
        } else {
            format!("{one} {operator} {two}")
        }
    }

    fn output(&mut self, kind: Kind, clause: &mut Clause, found: &[String]) -> String {
        let last = found.last().cloned();
        match kind {
            Kind::List => {
                let tail = last.unwrap_or_else(|| self.input(Kind::List, clause));
                if self.random.chance(55) {
                    let head = self.input(Kind::Int, clause);
                    format!("[{head}|{tail}]")
                } else {
                    tail
                }
            }
            _ => {
                let Some(last) = last else {
                    return self.input(Kind::Int, clause);
                };
                if self.random.chance(25) {
                    return last;
                }
                let made = clause.fresh();
                let goal = match (found, self.random.below(4)) {
                    ([a, b, ..], _) => format!("{made} is {a}+{b}"),
                    (_, 0) => format!("{made} is {last}-1"),
                    (_, 1) => format!("( {last} > 2 -> {made} = {last} ; {made} is {last}+1 )"),
                    _ => format!("{made} is {last}+1"),
                };
                clause.goals.push(goal);
                made
            }
        }
    }

    pub(crate) fn test(&mut self, clause: &mut Clause) -> String {
        let known: Vec<String> = clause
            .names(Kind::Int)
            .into_iter()
            .map(str::to_string)
            .collect();
        let limit = self.random.below(4);
        match (known.is_empty(), self.random.below(8)) {
            (true, _) | (_, 0) => {
                let list = self.input(Kind::List, clause);
                (*self.random.pick(&[
                    format!("{list} = [_|_]"),
                    format!("{list} \\= []"),
                    format!("{list} == []"),
                    format!("memberchk(1, {list})"),
                ]))
                .clone()
            }
            (_, 1) => {
                let (a, b) = (
                    self.random.pick(&known).clone(),
                    self.random.pick(&known).clone(),
                );
                let operator = *self.random.pick(&["<", ">=", "=:=", "@>", "\\=="]);
                format!("{a} {operator} {b}")
            }
            (_, _) => {
                let operator = *self.random.pick(&["<", ">", "=<", ">=", "=:=", "=\\="]);
                let one = self.random.pick(&known).clone();
                format!("{one} {operator} {limit}")
            }
        }
    }

    fn goals(&mut self, clause: &mut Clause, most: usize) {
        for _ in 0..1 + self.random.below(most) {
            let goal = self.goal(clause, 0);
            clause.goals.push(goal);
        }
    }

    /// Returns a goal of any kind; goals that it needs first are added to the clause.
    fn goal(&mut self, clause: &mut Clause, depth: usize) -> String {
        if self.structural && self.random.chance(35) {
            return self.library_goal(clause, depth);
        }
        match self.random.below(if depth > 1 { 4 } else { 14 }) {
            0 | 1 => self.test(clause),
            2..5 if !self.before.is_empty() => self.call(clause),
            2..5 => self.test(clause),
            5 => {
                let (test, yes, no) = (
                    self.test(clause),
                    self.local(clause, depth),
                    self.local(clause, depth),
                );
                format!("( {test} -> {yes} ; {no} )")
            }
            6 => {
                let (test, yes) = (self.test(clause), self.local(clause, depth));
                format!("( {test} -> {yes} )")
            }
            7 => format!("\\+ {}", self.local(clause, depth)),
            8 => {
                let (a, b) = (self.local(clause, depth), self.local(clause, depth));
                format!("( {a} ; {b} )")
            }
            9 => {
                let made = clause.fresh();
                let to = self.input(Kind::Int, clause);
                clause.bound.push((Kind::Int, made.clone()));
                format!("between(1, {to}, {made})")
            }
            10 => {
                let made = clause.fresh();
                let inner = self.local(clause, depth);
                clause.bound.push((Kind::List, made.clone()));
                format!("findall(1, {inner}, {made})")
            }
            11 => {
                let made = clause.fresh();
                let list = self.input(Kind::List, clause);
                clause.bound.push((Kind::Int, made.clone()));
                let library = *self.random.pick(&["member", "length", "nth0(0,"]);
                match library {
                    "length" => format!("length({list}, {made})"),
                    "member" => format!("member({made}, {list})"),
                    _ => format!("nth0(0, {list}, {made})"),
                }
            }
            12 => "!".into(),
            _ => format!("once({})", self.local(clause, depth)),
        }
    }

    /// Returns a goal whose bindings are not used afterwards: a goal in a branch may not have run.
    pub(crate) fn local(&mut self, clause: &mut Clause, depth: usize) -> String {
        let mut inside = clause.clone();
        let from = inside.goals.len();
        let goal = self.goal(&mut inside, depth + 1);
        inside.goals.push(goal);
        clause.fresh = inside.fresh;
        match &inside.goals[from..] {
            [one] => one.clone(),
            several => format!("( {} )", several.join(", ")),
        }
    }

    /// Returns `maplist(p(A), Xs, Ys)`: a predicate over all elements of a list, if it takes an element last and returns at most a number.
    fn over_a_list(&mut self, signature: &Signature, clause: &mut Clause) -> Option<String> {
        let (last, before) = signature.inputs.split_last()?;
        if *last != Kind::Int || !matches!(signature.outputs[..], [] | [Kind::Int]) {
            return None;
        }
        let given: Vec<String> = before.iter().map(|k| self.input(*k, clause)).collect();
        let closure = if given.is_empty() {
            signature.name.clone()
        } else {
            format!("{}({})", signature.name, given.join(", "))
        };
        let list = self.input(Kind::List, clause);
        if signature.outputs.is_empty() {
            let name = *self.random.pick(&["maplist", "include", "exclude"]);
            if name == "maplist" {
                return Some(format!("maplist({closure}, {list})"));
            }
            let made = clause.fresh();
            clause.bound.push((Kind::List, made.clone()));
            return Some(format!("{name}({closure}, {list}, {made})"));
        }
        let made = clause.fresh();
        clause.bound.push((Kind::List, made.clone()));
        Some(format!("maplist({closure}, {list}, {made})"))
    }

    fn call(&mut self, clause: &mut Clause) -> String {
        let signature = self.random.pick(&self.before).clone();
        if self.random.chance(40)
            && let Some(goal) = self.over_a_list(&signature, clause)
        {
            return goal;
        }
        let mut arguments: Vec<String> = Vec::new();
        for kind in &signature.inputs {
            let argument = self.input(*kind, clause);
            arguments.push(argument);
        }
        for kind in &signature.outputs {
            // Occasionally a call that tests: the output is given.
            if self.random.chance(8) {
                let given = self.input(*kind, clause);
                arguments.push(given);
            } else {
                let made = clause.fresh();
                arguments.push(made.clone());
                clause.bound.push((*kind, made));
            }
        }
        format!("{}({})", signature.name, arguments.join(", "))
    }

    /// Writes a clause; outputs that have not been built become some bound term.
    fn finish(&mut self, signature: &Signature, mut clause: Clause, outputs: Option<Vec<String>>) {
        let mut arguments: Vec<String> = (signature.inputs.iter().enumerate())
            .map(|(i, _)| clause.bound[i].1.clone())
            .collect();
        let outputs = outputs.unwrap_or_else(|| {
            let kinds = signature.outputs.clone();
            kinds
                .into_iter()
                .map(|kind| self.base_output(kind, &mut clause))
                .collect()
        });
        arguments.extend(outputs);
        let _ = write!(self.text, "{}({})", signature.name, arguments.join(", "));
        if !clause.goals.is_empty() {
            let _ = write!(self.text, " :-\n    {}", clause.goals.join(",\n    "));
        }
        self.text.push_str(".\n");
    }

    fn base_output(&mut self, kind: Kind, clause: &mut Clause) -> String {
        match kind {
            Kind::List if self.random.chance(60) => "[]".into(),
            Kind::Int if self.random.chance(60) => self.random.below(3).to_string(),
            _ => self.input(kind, clause),
        }
    }
}
