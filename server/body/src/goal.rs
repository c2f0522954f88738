//! A typed goal.

use costlens_catalog::is_fixed;
use costlens_syntax::term::{Term, TermId, Terms};
use smallvec::{SmallVec, smallvec};
use smol_str::SmolStr;

use crate::comparison::Comparison;
use crate::type_test::TypeTest;

/// A goal of a clause body. Its subgoals are terms of the same clause, which [`Goal::lower`] also lowers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal<'t> {
    /// A variable called as a goal: `G`.
    Variable(u32),
    /// A number or string, whose call raises an exception.
    NotCallable,
    /// A term with a syntax error.
    Unreadable,
    /// `true`.
    True,
    /// `otherwise`, which is `true`.
    Otherwise,
    /// `fail`.
    Fail,
    /// `false`, which is `fail`.
    False,
    /// `!`.
    Cut,
    /// `A, B`.
    Conjunction(TermId, TermId),
    /// `A ; B`, where `A` is not a condition.
    Disjunction(TermId, TermId),
    /// `A | B`, where `A` is not a condition. It runs like `A ; B`.
    Bar(TermId, TermId),
    /// `C -> T` or `C *-> T`, without an else.
    IfThen {
        /// The arrow.
        arrow: Arrow,
        /// `C`.
        condition: TermId,
        /// `T`.
        then: TermId,
    },
    /// `( C -> T ; E )` or `( C *-> T ; E )`; also with `|`.
    IfThenElse {
        /// The arrow.
        arrow: Arrow,
        /// `C`.
        condition: TermId,
        /// `T`.
        then: TermId,
        /// `E`.
        otherwise: TermId,
    },
    /// `\+ G`, a control construct.
    Not(TermId),
    /// `not(G)`, a predicate.
    NotCalled(TermId),
    /// `M:G`.
    Qualified {
        /// `M`.
        module: TermId,
        /// `G`.
        goal: TermId,
    },
    /// `G@M`: `G` with the context module `M`.
    InContext {
        /// `G`.
        goal: TermId,
        /// `M`.
        module: TermId,
    },
    /// `$(G)`: a goal that must succeed without a choice point.
    Determinate(TermId),
    /// `V^G`, as in `bagof/3`.
    Quantified {
        /// `V`.
        variable: TermId,
        /// `G`.
        goal: TermId,
    },
    /// `call(G, A, …)`.
    CallN {
        /// `G`.
        closure: TermId,
        /// `A, …`; empty for `call(G)`.
        added: &'t [TermId],
    },
    /// `once(G)`.
    Once(TermId),
    /// `ignore(G)`.
    Ignore(TermId),
    /// `forall(C, A)`.
    Forall {
        /// `C`.
        condition: TermId,
        /// `A`.
        action: TermId,
    },
    /// `findall(T, G, L)`, `findall(T, G, L, R)`, `bagof(T, G, L)`, `setof(T, G, L)`, `aggregate_all(T, G, L)`.
    Collect {
        /// The predicate.
        collector: Collector,
        /// `T`.
        template: TermId,
        /// `G`.
        goal: TermId,
        /// `L`.
        result: TermId,
        /// `R`.
        rest: Option<TermId>,
    },
    /// `catch(G, B, R)` and `catch_with_backtrace(G, B, R)`.
    Catch {
        /// `G`.
        goal: TermId,
        /// `B`.
        ball: TermId,
        /// `R`.
        recovery: TermId,
        /// True for `catch_with_backtrace/3`.
        keeps_backtrace: bool,
    },
    /// `throw(B)`.
    Throw(TermId),
    /// `setup_call_cleanup(S, G, C)` and `call_cleanup(G, C)`.
    Cleanup {
        /// `S`.
        setup: Option<TermId>,
        /// `G`.
        goal: TermId,
        /// `C`.
        cleanup: TermId,
    },
    /// `with_output_to(S, G)`.
    Captured {
        /// `S`.
        sink: TermId,
        /// `G`.
        goal: TermId,
    },
    /// `time(G)`.
    Timed(TermId),
    /// `assertion(G)`.
    Assertion(TermId),
    /// `A = B`.
    Unify(TermId, TermId),
    /// `A \= B`.
    NotUnifiable(TermId, TermId),
    /// `X is E`.
    Is {
        /// `X`.
        result: TermId,
        /// `E`.
        expression: TermId,
    },
    /// `A < B`: compares the values of expressions.
    Compare(Comparison, TermId, TermId),
    /// `A @< B`, `A == B`: compares terms in the standard order.
    CompareTerms(Comparison, TermId, TermId),
    /// `integer(X)`.
    Type(TypeTest, TermId),
    /// Any other goal.
    Call(Call<'t>),
}

/// The arrow of a conditional.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrow {
    /// `->`: the first solution of the condition.
    Hard,
    /// `*->`: each solution of the condition.
    Soft,
}

impl Arrow {
    /// Returns true for `*->`.
    #[must_use]
    pub fn is_soft(self) -> bool {
        self == Arrow::Soft
    }
}

/// The predicate that collects the solutions of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collector {
    /// `findall/3` and `findall/4`.
    FindAll,
    /// `bagof/3`.
    BagOf,
    /// `setof/3`.
    SetOf,
    /// `aggregate_all/3`.
    Aggregate,
}

impl Collector {
    /// Returns the collector with this name and arity, with a discriminator (`aggregate_all/4`) or without.
    #[must_use]
    pub fn from_functor(name: &str, arity: usize) -> Option<Self> {
        Some(match (name, arity) {
            ("findall", 3 | 4) => Collector::FindAll,
            ("bagof", 3) => Collector::BagOf,
            ("setof", 3) => Collector::SetOf,
            ("aggregate_all", 3 | 4) => Collector::Aggregate,
            _ => return None,
        })
    }

    /// Returns the name of the predicate.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Collector::FindAll => "findall",
            Collector::BagOf => "bagof",
            Collector::SetOf => "setof",
            Collector::Aggregate => "aggregate_all",
        }
    }
}

/// A call of a predicate by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'t> {
    /// The name.
    pub name: &'t SmolStr,
    /// The arguments.
    pub args: &'t [TermId],
}

impl<'t> Goal<'t> {
    /// Lowers a goal, assuming that the program redefines no system predicate.
    #[must_use]
    pub fn lower(terms: &'t Terms, goal: TermId) -> Self {
        let name = match terms.get(goal) {
            Term::Var(v) => return Goal::Variable(*v),
            Term::Error => return Goal::Unreadable,
            Term::Atom(name) | Term::Compound(name, _) => name,
            _ => return Goal::NotCallable,
        };
        let args = terms.args(goal);
        let known = match *args {
            [] if matches!(terms.get(goal), Term::Atom(_)) => atom(name),
            [a] => of_one(name, a),
            [a, b] => of_two(terms, name, a, b),
            [a, b, c] => of_three(name, a, b, c),
            [template, goal, result, rest] if name == "findall" => Some(Goal::Collect {
                collector: Collector::FindAll,
                template,
                goal,
                result,
                rest: Some(rest),
            }),
            _ => None,
        };
        known.unwrap_or_else(|| match args {
            [closure, added @ ..] if name == "call" => Goal::CallN {
                closure: *closure,
                added,
            },
            _ => Goal::Call(Call { name, args }),
        })
    }

    /// Lowers a goal of a program that may redefine system predicates. A goal that calls a redefined predicate becomes a [`Goal::Call`].
    /// Control constructs and locked predicates cannot be redefined.
    #[must_use]
    pub fn of_program(
        terms: &'t Terms,
        goal: TermId,
        redefines: &dyn Fn(&str, usize) -> bool,
    ) -> Self {
        match terms.functor(goal) {
            Some((name, arity)) if !is_fixed(name, arity) && redefines(name, arity) => {
                let args = terms.args(goal);
                Goal::Call(Call { name, args })
            }
            _ => Self::lower(terms, goal),
        }
    }

    /// Returns the arrow and the condition of `C -> T` and `( C -> T ; E )`.
    #[must_use]
    pub fn condition(&self) -> Option<(Arrow, TermId)> {
        match *self {
            Goal::IfThen {
                arrow, condition, ..
            }
            | Goal::IfThenElse {
                arrow, condition, ..
            } => Some((arrow, condition)),
            _ => None,
        }
    }

    /// Returns the subgoals in which a cut cuts the clause, in order: those of `A, B`, of disjunctions and of conditionals (without the
    /// condition). Empty for any other goal, including `\+`.
    #[must_use]
    pub fn branches(&self) -> SmallVec<[TermId; 3]> {
        match *self {
            Goal::Conjunction(a, b) | Goal::Disjunction(a, b) | Goal::Bar(a, b) => smallvec![a, b],
            Goal::IfThen {
                condition, then, ..
            } => smallvec![condition, then],
            Goal::IfThenElse {
                condition,
                then,
                otherwise,
                ..
            } => smallvec![condition, then, otherwise],
            _ => SmallVec::new(),
        }
    }

    /// Returns the subgoals of any control construct: those of [`Goal::branches`], or `G` for `\+ G`.
    #[must_use]
    pub fn operands(&self) -> SmallVec<[TermId; 3]> {
        match *self {
            Goal::Not(goal) => smallvec![goal],
            _ => self.branches(),
        }
    }

    /// Returns true for comparisons and type tests. At the beginning of a body they take part in clause selection (`abs(X, X) :- X >= 0.`).
    #[must_use]
    pub fn is_leading_test(&self) -> bool {
        matches!(
            self,
            Goal::Compare(..) | Goal::CompareTerms(..) | Goal::Type(..)
        )
    }

    /// Returns true for `A | B`, with and without a condition. SWI-Prolog does not expand its subgoals.
    #[must_use]
    pub fn is_bar(terms: &Terms, goal: TermId) -> bool {
        terms.matches(goal, "|", 2).is_some()
    }
}

fn atom<'t>(name: &str) -> Option<Goal<'t>> {
    Some(match name {
        "!" => Goal::Cut,
        "true" => Goal::True,
        "otherwise" => Goal::Otherwise,
        "fail" => Goal::Fail,
        "false" => Goal::False,
        _ => return None,
    })
}

fn of_one<'t>(name: &str, a: TermId) -> Option<Goal<'t>> {
    Some(match name {
        "\\+" => Goal::Not(a),
        "not" => Goal::NotCalled(a),
        "once" => Goal::Once(a),
        "ignore" => Goal::Ignore(a),
        "throw" => Goal::Throw(a),
        "time" => Goal::Timed(a),
        "assertion" => Goal::Assertion(a),
        "$" => Goal::Determinate(a),
        _ => Goal::Type(TypeTest::from_predicate(name)?, a),
    })
}

fn of_two<'t>(terms: &Terms, name: &str, a: TermId, b: TermId) -> Option<Goal<'t>> {
    Some(match name {
        "," => Goal::Conjunction(a, b),
        ";" | "|" => match (arrow(terms, a), name) {
            (Some((arrow, condition, then)), _) => Goal::IfThenElse {
                arrow,
                condition,
                then,
                otherwise: b,
            },
            (None, ";") => Goal::Disjunction(a, b),
            (None, _) => Goal::Bar(a, b),
        },
        "->" => Goal::IfThen {
            arrow: Arrow::Hard,
            condition: a,
            then: b,
        },
        "*->" => Goal::IfThen {
            arrow: Arrow::Soft,
            condition: a,
            then: b,
        },
        "=" => Goal::Unify(a, b),
        "\\=" => Goal::NotUnifiable(a, b),
        "is" => Goal::Is {
            result: a,
            expression: b,
        },
        ":" => Goal::Qualified { module: a, goal: b },
        "@" => Goal::InContext { goal: a, module: b },
        "^" => Goal::Quantified {
            variable: a,
            goal: b,
        },
        "forall" => Goal::Forall {
            condition: a,
            action: b,
        },
        "call_cleanup" => Goal::Cleanup {
            setup: None,
            goal: a,
            cleanup: b,
        },
        "with_output_to" => Goal::Captured { sink: a, goal: b },
        _ => match Comparison::of_numbers(name) {
            Some(c) => Goal::Compare(c, a, b),
            None => Goal::CompareTerms(Comparison::of_terms(name)?, a, b),
        },
    })
}

fn of_three<'t>(name: &str, a: TermId, b: TermId, c: TermId) -> Option<Goal<'t>> {
    let collector = match name {
        "catch" | "catch_with_backtrace" => {
            return Some(Goal::Catch {
                goal: a,
                ball: b,
                recovery: c,
                keeps_backtrace: name != "catch",
            });
        }
        "setup_call_cleanup" => {
            return Some(Goal::Cleanup {
                setup: Some(a),
                goal: b,
                cleanup: c,
            });
        }
        _ => Collector::from_functor(name, 3)?,
    };
    Some(Goal::Collect {
        collector,
        template: a,
        goal: b,
        result: c,
        rest: None,
    })
}

/// Returns the arrow, `C` and `T` if the left side of a disjunction is `C -> T` or `C *-> T`.
fn arrow(terms: &Terms, left: TermId) -> Option<(Arrow, TermId, TermId)> {
    match (terms.functor(left)?.0.as_str(), terms.args(left)) {
        ("->", &[condition, then]) => Some((Arrow::Hard, condition, then)),
        ("*->", &[condition, then]) => Some((Arrow::Soft, condition, then)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use costlens_catalog::system_predicates;
    use costlens_syntax::read_text;

    use super::*;

    /// Returns the `Debug` names of the goal variants in `p :- body.`.
    fn variant(body: &str) -> String {
        let file = read_text(&format!("p :- {body}.\n"));
        let clause = &file.clauses[0];
        let &[_, body] = clause.terms.matches(clause.root, ":-", 2).unwrap() else {
            unreachable!()
        };
        let shown = format!("{:?}", Goal::lower(&clause.terms, body));
        let end = shown
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(shown.len());
        shown[..end].to_owned()
    }

    #[test]
    fn goals_are_lowered_by_name_and_arity() {
        for (body, expected) in [
            ("G", "Variable"),
            ("17", "NotCallable"),
            ("true", "True"),
            ("!", "Cut"),
            ("(a, b)", "Conjunction"),
            ("(a ; b)", "Disjunction"),
            ("(a -> b)", "IfThen"),
            ("(a -> b ; c)", "IfThenElse"),
            ("(a *-> b ; c)", "IfThenElse"),
            ("((a -> b), c ; d)", "Disjunction"),
            ("\\+ a", "Not"),
            ("not(a)", "NotCalled"),
            ("m:a", "Qualified"),
            ("call(a)", "CallN"),
            ("call(a, 1, 2, 3, 4, 5)", "CallN"),
            ("findall(X, a(X), Xs)", "Collect"),
            ("findall(X, a(X), Xs, Ys)", "Collect"),
            ("findall(X, a(X))", "Call"),
            ("catch(a, _, b)", "Catch"),
            ("X < 3", "Compare"),
            ("X @< 3", "CompareTerms"),
            ("X is 3", "Is"),
            ("integer(X)", "Type"),
            ("integer(X, Y)", "Call"),
            ("foo", "Call"),
            ("call", "Call"),
            ("'!'(a)", "Call"),
            ("true()", "Call"),
        ] {
            assert_eq!(variant(body), expected, "{body}");
        }
    }

    #[test]
    fn conditions_are_those_of_both_arrows() {
        for (body, expected) in [
            ("(a -> b)", Some(false)),
            ("(a *-> b ; c)", Some(true)),
            ("(a ; b)", None),
        ] {
            let file = read_text(&format!("p :- {body}.\n"));
            let clause = &file.clauses[0];
            let &[_, goal] = clause.terms.matches(clause.root, ":-", 2).unwrap() else {
                unreachable!()
            };
            let found = Goal::lower(&clause.terms, goal).condition();
            assert_eq!(found.map(|(arrow, _)| arrow.is_soft()), expected, "{body}");
            let is_a = |(_, id)| clause.terms.matches(id, "a", 0).is_some();
            assert!(found.is_none_or(is_a), "{body}");
        }
    }

    #[test]
    fn a_program_may_redefine_what_is_not_locked() {
        let file = read_text("p :- once(a), \\+ b.\n");
        let clause = &file.clauses[0];
        let &[_, body] = clause.terms.matches(clause.root, ":-", 2).unwrap() else {
            unreachable!()
        };
        let Goal::Conjunction(once, not) = Goal::lower(&clause.terms, body) else {
            unreachable!()
        };
        let redefines = |_: &str, _: usize| true;
        let of = |goal| Goal::of_program(&clause.terms, goal, &redefines);
        assert!(matches!(of(not), Goal::Not(_)));
        let once_is_locked = is_fixed("once", 1);
        assert_eq!(matches!(of(once), Goal::Once(_)), once_is_locked);
        assert!(matches!(Goal::lower(&clause.terms, once), Goal::Once(_)));
    }

    #[test]
    fn operands_are_the_goals_of_control_constructs() {
        for (body, count) in [
            ("(a, b)", 2),
            ("(a -> b ; c)", 3),
            ("\\+ a", 1),
            ("not(a)", 0),
            ("findall(X, a, L)", 0),
        ] {
            let file = read_text(&format!("p :- {body}.\n"));
            let terms = &file.clauses[0].terms;
            let &[_, body] = terms.matches(file.clauses[0].root, ":-", 2).unwrap() else {
                unreachable!()
            };
            assert_eq!(Goal::lower(terms, body).operands().len(), count);
        }
        for (body, is_bar) in [
            ("(a | b)", true),
            ("(a -> b | c)", true),
            ("(a ; b)", false),
        ] {
            let file = read_text(&format!("p :- {body}.\n"));
            let terms = &file.clauses[0].terms;
            let &[_, goal] = terms.matches(file.clauses[0].root, ":-", 2).unwrap() else {
                unreachable!()
            };
            assert_eq!(Goal::is_bar(terms, goal), is_bar, "{body}");
        }
    }

    /// Control constructs and leading tests of the catalogue must not lower to [`Goal::Call`].
    #[test]
    fn the_catalogue_and_the_variants_agree() {
        let mut seen = 0;
        for predicate in system_predicates() {
            let is_test = predicate.test.is_some();
            if predicate.control.is_none() && !is_test {
                continue;
            }
            let mut terms = Terms::default();
            let args: Vec<TermId> = (0..predicate.arity)
                .map(|v| terms.push(Term::Var(u32::try_from(v).unwrap())))
                .collect();
            let goal = terms.compound_or_atom(predicate.name, &args);
            let lowered = Goal::lower(&terms, goal);
            let is_as_said = match lowered {
                Goal::Call(_) => false,
                Goal::Type(..) | Goal::Compare(..) | Goal::CompareTerms(..) => is_test,
                _ => !is_test,
            };
            assert!(is_as_said, "{predicate:?}: {lowered:?}");
            assert_eq!(lowered.is_leading_test(), is_test, "{predicate:?}");
            seen += 1;
        }
        assert!(seen > 25, "{seen}");
    }
}
