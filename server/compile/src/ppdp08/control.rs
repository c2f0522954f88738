//! Code for conditions, negations and disjunctions.
//!
//! Table 1 contains no instructions for control constructs. Their alternatives are the clauses of a separate predicate, which a plain
//! Warren machine calls with the variables that also occur outside:
//!
//! ```prolog
//! p(X, Y) :- ( X > 0 -> q(X, Y) ; r(Y) ), s.     % p(X, Y) :- 'p/2#1'(X, Y), s.
//!                                                % 'p/2#1'(X, Y) :- X > 0, !, q(X, Y).
//!                                                % 'p/2#1'(_, Y) :- r(Y).
//! ```

use costlens_body::{Arrow, Goal, conjuncts};
use costlens_syntax::term::{TermId, Terms};

use super::Instruction;
use super::alternative::{Alternative, AlternativeKey};
use super::code::{Callee, ChainPosition, Code, Unsupported};
use super::compile::{Body, Compiler, DEEPEST, SHARED};
use crate::occurrences::Occurrences;

/// An alternative as written.
struct Written {
    key: AlternativeKey,
    condition: Option<TermId>,
    then: Then,
}

#[derive(Clone, Copy)]
enum Then {
    Goal(TermId),
    Nothing,
    Fail,
}

impl Written {
    fn condition(condition: TermId, then: Then) -> Self {
        Written {
            key: AlternativeKey::Condition(condition),
            condition: Some(condition),
            then,
        }
    }

    /// Creates an alternative without a condition.
    fn plain(key: AlternativeKey, then: Then) -> Self {
        Written {
            key,
            condition: None,
            then,
        }
    }
}

/// Returns the alternatives of a control construct, or `None` for other goals.
fn alternatives(terms: &Terms, goal: TermId) -> Result<Option<Vec<Written>>, &'static str> {
    let otherwise = |c: TermId| Written::plain(AlternativeKey::Otherwise(c), Then::Nothing);
    Ok(Some(match Goal::lower(terms, goal) {
        Goal::Not(c) | Goal::NotCalled(c) => {
            vec![Written::condition(c, Then::Fail), otherwise(c)]
        }
        Goal::Once(c) => vec![Written::condition(c, Then::Nothing)],
        Goal::Ignore(c) => vec![Written::condition(c, Then::Nothing), otherwise(c)],
        Goal::Disjunction(..) | Goal::Bar(..) | Goal::IfThen { .. } | Goal::IfThenElse { .. } => {
            chain(terms, goal)?
        }
        _ => return Ok(None),
    }))
}

/// Returns the alternatives of `A ; B ; C`, or of a condition alone.
fn chain(terms: &Terms, goal: TermId) -> Result<Vec<Written>, &'static str> {
    let (mut all, mut rest, mut before) = (Vec::new(), goal, goal);
    loop {
        match Goal::lower(terms, rest) {
            Goal::IfThen {
                arrow: Arrow::Soft, ..
            }
            | Goal::IfThenElse {
                arrow: Arrow::Soft, ..
            } => return Err("soft conditions"),
            Goal::IfThenElse {
                condition,
                then,
                otherwise,
                ..
            } => {
                all.push(Written::condition(condition, Then::Goal(then)));
                (before, rest) = (condition, otherwise);
            }
            Goal::Disjunction(left, right) | Goal::Bar(left, right) => {
                all.push(Written::plain(AlternativeKey::Left(rest), Then::Goal(left)));
                (before, rest) = (rest, right);
            }
            Goal::IfThen {
                condition, then, ..
            } => {
                all.push(Written::condition(condition, Then::Goal(then)));
                return Ok(all);
            }
            _ => {
                all.push(Written::plain(
                    AlternativeKey::Otherwise(before),
                    Then::Goal(rest),
                ));
                return Ok(all);
            }
        }
    }
}

impl Compiler<'_> {
    /// Emits a control construct as the call of its predicate. Returns false if the goal is not a control construct.
    pub(super) fn control(
        &mut self,
        code: &mut Code,
        goal: TermId,
        body: Body<'_>,
        is_last: bool,
    ) -> Result<bool, Unsupported> {
        let terms = self.terms;
        let functor = terms.functor(goal);
        if functor.is_none_or(|(name, arity)| (body.callee)(name, arity) == Callee::Program) {
            return Ok(false);
        }
        let Some(all) = alternatives(terms, goal).map_err(|what| self.unsupported(what))? else {
            return Ok(false);
        };
        if functor.is_some_and(|(name, arity)| (body.callee)(name, arity) == Callee::Unknown) {
            return Err(self.unsupported("predicates that are not known"));
        }
        if body.depth > DEEPEST {
            return Err(self.unsupported("goals nested so deeply"));
        }
        let is_cut = |&t: &TermId| Goal::lower(terms, t) == Goal::Cut;
        if terms.subterms(goal).iter().any(is_cut) {
            return Err(self.unsupported("cuts inside control constructs"));
        }
        let inside = Occurrences::count(terms, [goal]);
        let variables: Vec<u32> = (inside.iter().map(|(v, _)| v))
            .filter(|&v| body.occurrences.is_outside(v, &inside))
            .collect();
        self.predicates += 1;
        let name = format!("{}#{}", self.name, self.predicates);
        for (i, &v) in variables.iter().enumerate() {
            let argument = self.variable(v);
            self.emit(Instruction::PutValue, format!("V{argument},A{i}"));
        }
        self.call(name.clone(), is_last, body.environment);
        let before = self.taken();
        if !code.add(goal, before, None) {
            return Err(self.unsupported(SHARED));
        }
        code.controls.insert(goal);
        // The clauses of this predicate have separate variables.
        let names = std::mem::take(&mut self.names);
        let next = std::mem::replace(&mut self.next, 0);
        let text = std::mem::take(&mut self.text);
        let count = all.len();
        code.written.extend(all.iter().map(|written| written.key));
        for (i, written) in all.into_iter().enumerate() {
            let position = ChainPosition::new(i, count);
            self.names.clear();
            self.next = 0;
            let key = written.key;
            let made = self.alternative(code, &name, &variables, &written, position, body)?;
            if code.alternatives.insert(key, made).is_some() {
                return Err(self.unsupported(SHARED));
            }
        }
        (self.names, self.next, self.text) = (names, next, text);
        Ok(true)
    }

    fn alternative(
        &mut self,
        code: &mut Code,
        name: &str,
        arguments: &[u32],
        written: &Written,
        position: ChainPosition,
        body: Body<'_>,
    ) -> Result<Alternative, Unsupported> {
        let terms = self.terms;
        let mut made = Alternative::default();
        let goals = |then: Then| match then {
            Then::Goal(t) => conjuncts(terms, t),
            Then::Nothing | Then::Fail => Vec::new(),
        };
        let condition = written.condition.map(|c| conjuncts(terms, c));
        let then = goals(written.then);
        let all: Vec<TermId> = condition.iter().flatten().chain(&then).copied().collect();
        let mut occurrences = Occurrences::count(terms, all.iter().copied());
        for &argument in arguments {
            occurrences.meet(argument, ());
        }
        let environment = !occurrences.is_empty() || condition.is_some() || all.len() > 1;
        self.choice_point(name, position);
        if environment {
            self.emit(Instruction::Allocate, String::new());
        }
        for (i, &v) in arguments.iter().enumerate() {
            let name = self.fresh();
            self.names.insert(v, name);
            self.emit(Instruction::GetVariable, format!("V{name},A{i}"));
        }
        if condition.is_some() {
            self.emit(Instruction::GetLevel, String::new());
        }
        made.entry = self.taken();
        let body = Body {
            environment,
            depth: body.depth + 1,
            occurrences: &occurrences,
            is_end: false,
            ..body
        };
        if let Some(condition) = &condition {
            self.goals(code, condition, body)?;
            self.emit(Instruction::Cut, String::new());
            if let Then::Fail = written.then {
                self.emit(Instruction::Fail, String::new());
            }
            made.taken = self.taken();
        }
        let executed = self.goals(
            code,
            &then,
            Body {
                is_end: true,
                ..body
            },
        )?;
        if !executed {
            self.leave(environment);
            made.end = self.taken();
        }
        made.text = std::mem::take(&mut self.text);
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::super::{Operation, compile};
    use super::*;

    /// Returns the code of the clauses in a text, each followed by the code of its alternatives.
    fn code(text: &str) -> Vec<String> {
        let file = read_text(text);
        let count = file.clauses.len();
        let callee = |name: &str, _: usize| match name {
            "!" | ";" | "->" | "*->" | "\\+" | "once" | "ignore" | "<" | ">" | "fail" | "true" => {
                Callee::BuiltIn
            }
            _ => Callee::Program,
        };
        let line = |ops: &mut dyn Iterator<Item = &Operation>| {
            ops.map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        let mut all = Vec::new();
        for (i, clause) in file.clauses.iter().enumerate() {
            let terms = &clause.terms;
            let &[head, body] = terms.matches(clause.root, ":-", 2).unwrap() else {
                unreachable!()
            };
            let position = ChainPosition::new(i, count);
            let code = compile(terms, head, &terms.chain(body, ","), position, &callee).unwrap();
            all.push(line(&mut code.segments().into_iter().flatten()));
            let alternatives = code.written.iter().map(|key| &code.alternatives[key]);
            all.extend(alternatives.map(|a| line(&mut a.text.iter())));
        }
        all
    }

    /// Checks that the code of a text equals that of another text without control constructs, in which the clauses of each predicate are
    /// consecutive.
    #[track_caller]
    fn same(text: &str, predicates: &[&str]) {
        let expected: Vec<String> = predicates.iter().flat_map(|p| code(p)).collect();
        let numbered = |s: &String| s.replace("a1/", "p/2#1").replace("a2/", "p/2#2");
        let cut_arity = |s: String| {
            let mut out = String::new();
            let mut rest = s.as_str();
            while let Some(at) = rest.find("#") {
                let (before, after) = rest.split_at(at + 2);
                out.push_str(before);
                rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
            }
            out + rest
        };
        let expected: Vec<String> = expected.iter().map(|s| cut_arity(numbered(s))).collect();
        assert_eq!(code(text).join("\n"), expected.join("\n"));
    }

    #[test]
    fn a_condition_is_a_predicate_with_a_cut() {
        same(
            "p(X, Y) :- ( X > 0 -> q(X, Z), r(Z, Y) ; r(Y) ), s(X).",
            &[
                "p(X, Y) :- a1(X, Y), s(X).",
                "a1(X, Y) :- X > 0, !, q(X, Z), r(Z, Y). a1(_, Y) :- r(Y).",
            ],
        );
        same(
            "p(X, Y) :- q(X), ( X < 0 -> true ).",
            &["p(X, Y) :- q(X), a1(X).", "a1(X) :- X < 0, !."],
        );
    }

    #[test]
    fn a_chain_of_alternatives_is_one_predicate() {
        same(
            "p(X, Y) :- ( X < 0 -> q(Y) ; r(Y) ; X > 9 -> s(Y) ; t(Y) ).",
            &[
                "p(X, Y) :- a1(X, Y).",
                "a1(X, Y) :- X < 0, !, q(Y). a1(_, Y) :- r(Y). a1(X, Y) :- X > 9, !, s(Y). a1(_, Y) :- t(Y).",
            ],
        );
    }

    #[test]
    fn negations_and_first_solutions_are_conditions() {
        same(
            "p(X, Y) :- \\+ q(X, _), ignore(r(Y)).",
            &[
                "p(X, Y) :- a1(X), a2(Y).",
                "a1(X) :- q(X, _), !, fail. a1(_) :- true.",
                "a2(Y) :- r(Y), !. a2(_) :- true.",
            ],
        );
        same(
            "p(X, Y) :- once(q(X, Y)), r.",
            &["p(X, Y) :- a1(X, Y), r.", "a1(X, Y) :- q(X, Y), !."],
        );
    }

    #[test]
    fn constructs_nest() {
        same(
            "p(X, Y) :- ( q(X) -> \\+ r(X, Y), s ; t ).",
            &[
                "p(X, Y) :- a1(X, Y).",
                "a1(X, Y) :- q(X), !, a2(X, Y), s. a1(_, _) :- t.",
                "a2(X, Y) :- r(X, Y), !, fail. a2(_, _) :- true.",
            ],
        );
    }
}
