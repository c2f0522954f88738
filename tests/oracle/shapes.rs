//! Further shapes of random programs: predicates with unusual recursion, and goals of the library.

use std::fmt::Write as _;

use crate::programs::{Clause, Kind, Signature, Writer};

impl Writer {
    /// Writes a predicate of a special shape; returns `false`, without writing, if none fits the signature.
    pub(crate) fn shape(&mut self, signature: &Signature) -> bool {
        match (&signature.inputs[..], &signature.outputs[..]) {
            ([Kind::List, Kind::List, ..], _) => self.two_lists(signature),
            ([Kind::List, ..], [Kind::List, ..]) if self.random.chance(40) => {
                self.chosen_elements(signature);
            }
            ([Kind::Nested, ..], _) => self.nested(signature),
            _ => self.mutual(signature),
        }
        true
    }

    /// Returns the inputs after the first ones as they are passed in, and their place in a clause.
    fn others(signature: &Signature, from: usize) -> Vec<String> {
        (from..signature.inputs.len())
            .map(|i| format!("I{i}"))
            .collect()
    }

    fn write_clause(&mut self, name: &str, arguments: &[String], goals: &[String]) {
        let _ = write!(self.text, "{name}({})", arguments.join(", "));
        if !goals.is_empty() {
            let _ = write!(self.text, " :-\n    {}", goals.join(",\n    "));
        }
        self.text.push_str(".\n");
    }

    /// Returns the outputs of a base clause: `[]`, numbers, an input.
    fn ends(&mut self, signature: &Signature) -> Vec<String> {
        (signature.outputs.iter())
            .map(|kind| match kind {
                Kind::List => "[]".to_owned(),
                _ => self.random.below(3).to_string(),
            })
            .collect()
    }

    /// Returns the outputs of a recursive clause, from those of the call: occasionally with one more element or number.
    fn grown(
        &mut self,
        signature: &Signature,
        element: &str,
        goals: &mut Vec<String>,
    ) -> Vec<String> {
        (signature.outputs.iter().enumerate())
            .map(|(i, kind)| match kind {
                Kind::List if self.random.chance(60) => format!("[{element}|R{i}]"),
                Kind::Int if self.random.chance(60) => {
                    goals.push(format!("S{i} is R{i}+1"));
                    format!("S{i}")
                }
                _ => format!("R{i}"),
            })
            .collect()
    }

    fn results(signature: &Signature) -> Vec<String> {
        (0..signature.outputs.len())
            .map(|i| format!("R{i}"))
            .collect()
    }

    /// Writes a walk of two lists at once, to the end of the shorter one or both, or a merge by their heads.
    fn two_lists(&mut self, signature: &Signature) {
        let name = signature.name.clone();
        let (others, merged) = (Self::others(signature, 2), self.random.chance(45));
        let ends = self.ends(signature);
        let clause = |first: &str, second: &str, outputs: &[String]| {
            arguments(&[first, second], &others, outputs)
        };
        self.write_clause(
            &name,
            &clause("[]", if merged { "_" } else { "[]" }, &ends),
            &[],
        );
        if merged || self.random.chance(50) {
            let ends = self.ends(signature);
            self.write_clause(&name, &clause("[_|_]", "[]", &ends), &[]);
        }
        let results = Self::results(signature);
        if !merged {
            let mut goals = Vec::new();
            if self.random.chance(40) {
                goals.push("X =\\= Y".to_owned());
            }
            goals.push(format!(
                "{name}({})",
                clause("Xs", "Ys", &results).join(", ")
            ));
            let outputs = self.grown(signature, "X", &mut goals);
            self.write_clause(&name, &clause("[X|Xs]", "[Y|Ys]", &outputs), &goals);
            return;
        }
        let cut = self.random.chance(40);
        for (test, element, next) in [
            ("X =< Y", "X", ("Xs", "[Y|Ys]")),
            ("X > Y", "Y", ("[X|Xs]", "Ys")),
        ] {
            let mut goals = vec![test.to_owned()];
            if cut {
                goals.push("!".into());
            }
            goals.push(format!(
                "{name}({})",
                clause(next.0, next.1, &results).join(", ")
            ));
            let outputs = self.grown(signature, element, &mut goals);
            self.write_clause(&name, &clause("[X|Xs]", "[Y|Ys]", &outputs), &goals);
        }
    }

    /// Writes a reordering or selection of a list, by `select/3` or its own choice predicate.
    fn chosen_elements(&mut self, signature: &Signature) {
        let name = signature.name.clone();
        let others = Self::others(signature, 1);
        let clause = |first: &str, outputs: &[String]| arguments(&[first], &others, outputs);
        let ends = self.ends(signature);
        self.write_clause(&name, &clause("[]", &ends), &[]);
        let results = Self::results(signature);
        let mut goals = match self.random.below(3) {
            0 => vec!["select(X, [Y|Ys], Xs)".to_owned()],
            1 => vec!["Xs = Ys".to_owned(), "( X = Y ; X is Y+1 )".to_owned()],
            _ => vec!["Xs = Ys".to_owned(), "member(X, [Y|Ys])".to_owned()],
        };
        if self.random.chance(30) {
            goals.push("X > 0".into());
        }
        goals.push(format!("{name}({})", clause("Xs", &results).join(", ")));
        let mut outputs = self.grown(signature, "X", &mut goals);
        outputs[0] = "[X|R0]".into();
        self.write_clause(&name, &clause("[Y|Ys]", &outputs), &goals);
        if self.random.chance(40) {
            let goals = vec![format!("{name}({})", clause("Ys", &results).join(", "))];
            self.write_clause(&name, &clause("[_|Ys]", &results), &goals);
        }
    }

    /// Writes a walk of a list of lists, element by element: inner lists by a separate predicate or in place.
    fn nested(&mut self, signature: &Signature) {
        let name = signature.name.clone();
        let others = Self::others(signature, 1);
        let clause = |first: &str, outputs: &[String]| arguments(&[first], &others, outputs);
        let ends = self.ends(signature);
        self.write_clause(&name, &clause("[]", &ends), &[]);
        let results = Self::results(signature);
        if self.random.chance(50) {
            let goals = vec![format!("{name}({})", clause("Ls", &results).join(", "))];
            self.write_clause(&name, &clause("[[]|Ls]", &results), &goals);
            let mut goals = vec![format!(
                "{name}({})",
                clause("[Xs|Ls]", &results).join(", ")
            )];
            let outputs = self.grown(signature, "X", &mut goals);
            self.write_clause(&name, &clause("[[X|Xs]|Ls]", &outputs), &goals);
            return;
        }
        let inner = format!("{name}_each");
        let mut goals = vec![
            format!("{inner}(L, N)"),
            format!("{name}({})", clause("Ls", &results).join(", ")),
        ];
        let outputs = self.grown(signature, "N", &mut goals);
        self.write_clause(&name, &clause("[L|Ls]", &outputs), &goals);
        let _ = write!(
            self.text,
            "\n%! {inner}(+L:list(int), -N).\n{inner}([], 0).\n{inner}([X|Xs], N) :- {inner}(Xs, M), N is M+X.\n"
        );
    }

    /// Writes two predicates that call each other; the second one does not count as a further predicate of the program.
    fn mutual(&mut self, signature: &Signature) {
        let (name, other) = (signature.name.clone(), format!("{}_other", signature.name));
        let others = Self::others(signature, 1);
        let clause = |first: &str, outputs: &[String]| arguments(&[first], &others, outputs);
        for (this, next) in [(&name, &other), (&other, &name)] {
            let ends = self.ends(signature);
            let (end, step, smaller): (&str, &str, &[&str]) = match signature.inputs[0] {
                Kind::Int => ("0", "N", &["M"]),
                Kind::Tree => ("leaf", "t(L, X, T)", &["L", "T"]),
                _ => ("[]", "[X|Xs]", &["Xs"]),
            };
            self.write_clause(this, &clause(end, &ends), &[]);
            let mut goals = Vec::new();
            if signature.inputs[0] == Kind::Int {
                goals.extend(["N > 0".to_owned(), "M is N-1".to_owned()]);
            }
            let twice = smaller.len() > 1 && self.random.chance(70);
            let results = Self::results(signature);
            if twice {
                let unused: Vec<String> = results.iter().map(|r| format!("{r}a")).collect();
                goals.push(format!(
                    "{this}({})",
                    clause(smaller[1], &unused).join(", ")
                ));
            }
            goals.push(format!(
                "{next}({})",
                clause(smaller[0], &results).join(", ")
            ));
            let element = if signature.inputs[0] == Kind::Int {
                "N"
            } else {
                "X"
            };
            let outputs = self.grown(signature, element, &mut goals);
            self.write_clause(this, &clause(step, &outputs), &goals);
        }
    }

    /// Returns a goal of the library, a meta-call, an exception, or a nonsensical call.
    pub(crate) fn library_goal(&mut self, clause: &mut Clause, depth: usize) -> String {
        let list = self.input(Kind::List, clause);
        let made = clause.fresh();
        let mut bind = |kind| clause.bound.push((kind, made.clone()));
        match self.random.below(22) {
            0 => {
                bind(Kind::Int);
                format!("sum_list({list}, {made})")
            }
            1 => {
                bind(Kind::Int);
                format!("max_list({list}, {made})")
            }
            2 => {
                bind(Kind::List);
                format!("reverse({list}, {made})")
            }
            3 => {
                bind(Kind::List);
                let other = self.input(Kind::List, clause);
                format!("append({list}, {other}, {made})")
            }
            4 => {
                bind(Kind::List);
                format!("append(_, {made}, {list})")
            }
            5 => {
                bind(Kind::List);
                format!("msort({list}, {made})")
            }
            6 => {
                bind(Kind::List);
                let name = *self.random.pick(&["sort", "list_to_set", "permutation"]);
                format!("{name}({list}, {made})")
            }
            7 => {
                bind(Kind::List);
                format!("select(_, {list}, {made})")
            }
            8 => {
                bind(Kind::Int);
                format!("aggregate_all(count, member(_, {list}), {made})")
            }
            9 => {
                bind(Kind::Int);
                let inner = format!("E{made}");
                format!("aggregate_all(max({inner}), member({inner}, {list}), {made})")
            }
            10 => {
                let inner = format!("E{made}");
                format!("forall(member({inner}, {list}), {inner} >= 0)")
            }
            11 => {
                bind(Kind::List);
                let inner = format!("E{made}");
                format!("findall({inner}, ( member({inner}, {list}), {inner} > 1 ), {made})")
            }
            12 => {
                bind(Kind::List);
                let inner = format!("E{made}");
                let name = *self.random.pick(&["bagof", "setof"]);
                format!("{name}({inner}, member({inner}, {list}), {made})")
            }
            13 => {
                bind(Kind::Int);
                let start = self.random.below(3);
                format!(
                    "foldl([E{made}, A{made}, B{made}]>>(B{made} is A{made}+E{made}), {list}, {start}, {made})"
                )
            }
            14 => format!("catch({}, _, true)", self.local(clause, depth)),
            15 => {
                let (test, what) = (self.test(clause), self.local(clause, depth));
                format!("( {test} *-> {what} ; true )")
            }
            16 => format!("ignore({})", self.local(clause, depth)),
            17 => {
                let test = self.test(clause);
                format!("( {test} -> true ; throw(stop) )")
            }
            18 => {
                bind(Kind::Int);
                let name = *self.random.pick(&["nth0", "nth1"]);
                let place = self.random.below(3);
                format!("{name}({place}, {list}, {made})")
            }
            19 => {
                bind(Kind::List);
                let to = self.random.below(5);
                format!("numlist(1, {to}, {made})")
            }
            // Nonsensical calls: a list in arithmetic, a term that is not a valid argument, an unbound term.
            20 => (*self.random.pick(&[
                format!("{made} is {list}+1"),
                format!("atom_length({list}, {made})"),
                format!("functor({made}, _, _)"),
                format!("arg(1, {list}, {made})"),
            ]))
            .clone(),
            _ => {
                bind(Kind::List);
                let test = *self.random.pick(&["include", "exclude"]);
                format!("{test}([E{made}]>>(E{made} mod 2 =:= 0), {list}, {made})")
            }
        }
    }
}

/// Returns the arguments of a head or a call: those that the shape is about, those that are passed on, and the outputs.
fn arguments(firsts: &[&str], others: &[String], outputs: &[String]) -> Vec<String> {
    let firsts = firsts.iter().map(|first| (*first).to_owned());
    firsts
        .chain(others.iter().cloned())
        .chain(outputs.iter().cloned())
        .collect()
}
