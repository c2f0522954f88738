//! Reduces clauses to the data needed for a guess of modes: the variables that each literal reads and binds.

mod clauses;
mod idioms;
mod literal;

use costlens_body::{Comparison, Goal, Related, TypeTest, conjuncts};
use costlens_catalog::{MetaArgument, Relation, is_reversible, meta_arguments};
use costlens_infer::types::{Pattern, Type};
use costlens_program::language::is_expansion_hook;
use costlens_program::{Clause, ClauseKind, Functor};
use costlens_syntax::term::{CONS, Term, TermId, Terms};

use self::clauses::{is_dispatch, is_text, is_writer, matched};
use self::idioms::{is_backwards, phrase, sought, threaded, univ};
pub(super) use self::literal::{Literal, Use};
use super::bodies::{BodyEvent, MOST_LITERALS, parts};
use super::changes::{ArgumentChange, change};
use super::library::usual_pattern;
use super::variables::{Variables, unbound, variables};
use super::{KnownCallee, Member, flattened};

/// Lookups of predicates.
#[derive(Clone, Copy)]
pub(super) struct PredicateLookups<'a> {
    /// The known facts about a predicate.
    pub(super) callee: &'a dyn Fn(&Functor) -> Option<KnownCallee>,
    /// The arguments that a predicate is declared to call.
    pub(super) closures: &'a dyn Fn(&Functor) -> Vec<MetaArgument>,
}

/// The part of a clause before a goal.
struct Preceding<'a> {
    /// The variables computed by arithmetic, each with the variables of the expression.
    computed: &'a [(u32, Variables)],
    met: &'a [u32],
    /// True if a cut follows the goal.
    commits: bool,
}

/// One clause.
pub(super) struct ClauseModes {
    pub(super) variables: usize,
    pub(super) head: Vec<Variables>,
    pub(super) literals: Vec<Literal>,
}

/// The direction in which a nonterminal processes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// `digits([D|T]) --> [D], digits(T).`
    Reads,
    /// `lines(N) --> { N > 0 }, "\n", { M is N-1 }, lines(M).`
    Writes,
}

/// One predicate of the component.
pub(super) struct MemberPredicate {
    pub(super) arity: usize,
    pub(super) clauses: Vec<ClauseModes>,
    /// The changes of the arguments of each self-recursive call.
    pub(super) recursive_calls: Vec<Vec<ArgumentChange>>,
    /// True if the predicate calls a member of the component.
    pub(super) recursive: bool,
    /// The arguments that are the tail of a list under construction, possibly unbound: inputs that need not be known at a call.
    pub(super) rests: Vec<bool>,
    /// The arguments with computed parts: recursion constructs them rather than decomposes them.
    pub(super) made: Vec<bool>,
    /// The arguments with parts that are used and that no other argument contains.
    pub(super) used: Vec<bool>,
    /// The types that are fixed before the guess.
    pub(super) fixed: Vec<Option<Type>>,
    /// The direction in which the predicate processes text, if it is a nonterminal.
    pub(super) grammar: Option<Grammar>,
    /// True if the predicate calls a nonterminal that writes, or writes lines of a message itself.
    pub(super) calls_writer: bool,
    /// The arguments that every clause needs for its selection: each single-sided rule matches them with a structure or constant.
    pub(super) matched: Vec<bool>,
    /// The arguments that are certainly bound: a clause needs their values, or searches for them in lists.
    pub(super) needed: Vec<bool>,
    /// The arguments with a state that unknown goals pass on.
    pub(super) threaded: Vec<usize>,
    /// True if the predicate is not a nonterminal and constants in its first argument select the clauses: `run(slow) :- …. run(fast) :- ….`
    pub(super) dispatches: bool,
}

impl MemberPredicate {
    pub(super) fn compile(
        member: &Member,
        clauses: &[Clause],
        members: &[Member],
        lookups: PredicateLookups<'_>,
        grammar: Grammar,
    ) -> Self {
        let functor = &member.functor;
        let mut predicate = Self {
            arity: functor.arity,
            clauses: Vec::new(),
            recursive_calls: Vec::new(),
            recursive: false,
            rests: vec![false; functor.arity],
            made: vec![false; functor.arity],
            used: vec![false; functor.arity],
            fixed: vec![None; functor.arity],
            grammar: None,
            calls_writer: flattened::is_message(clauses),
            matched: matched(functor.arity, clauses),
            needed: vec![false; functor.arity],
            threaded: Vec::new(),
            dispatches: false,
        };
        if clauses
            .iter()
            .any(|c| c.grammar_rule || c.kind == ClauseKind::Dcg)
        {
            predicate.fix_grammar_rule(grammar);
        }
        let own = members
            .iter()
            .position(|m| m.functor == *functor)
            .unwrap_or(usize::MAX);
        for clause in clauses.iter().filter(|c| c.kind != ClauseKind::Dcg) {
            predicate.add(clause, own, members, lookups);
        }
        predicate.fix_tables(clauses);
        predicate.fix_hook(functor);
        predicate.threaded = threaded(&predicate, own);
        // The arguments of a message are known when it is written.
        if predicate.calls_writer && flattened::is_message(clauses) {
            predicate.needed = vec![true; functor.arity];
        }
        for closure in &member.closures {
            if let Some(matched) = predicate.matched.get_mut(closure.argument) {
                *matched = true;
                predicate.needed[closure.argument] = true;
            }
        }
        predicate.dispatches =
            predicate.arity > 0 && predicate.grammar.is_none() && is_dispatch(clauses);
        predicate
    }

    /// Fixes the types of a grammar rule such as `digits([D|T]) --> …`: the text is an input, the rest an output with unknown value. In a
    /// nonterminal that writes, the text ends in an unbound rest.
    fn fix_grammar_rule(&mut self, grammar: Grammar) {
        self.grammar = Some(grammar);
        if let [.., text, rest] = &mut self.fixed[..] {
            *text = Some(match grammar {
                Grammar::Reads => Type::list(Type::Any),
                Grammar::Writes => Type::Free,
            });
            *rest = Some(Type::Free);
        }
        if let (Grammar::Writes, [.., rest]) = (grammar, &mut self.rests[..]) {
            *rest = true;
        }
    }

    /// Fixes the types of a table of facts, which may be looked up in any direction.
    fn fix_tables(&mut self, clauses: &[Clause]) {
        if clauses.iter().any(|c| c.kind != ClauseKind::Fact) {
            return;
        }
        for i in 0..self.arity {
            if self.clauses.iter().all(|c| c.head[i].is_empty()) {
                self.fixed[i] = Some(Type::Any);
            }
        }
    }

    /// Fixes the modes of a hook that expands terms or goals: the first argument is given, and so is its position in a hook with four
    /// arguments.
    fn fix_hook(&mut self, functor: &Functor) {
        if !is_expansion_hook(functor) {
            return;
        }
        let results = self.arity / 2;
        self.matched[..results].fill(true);
        self.needed[0] = true;
        self.fixed[results..].fill(Some(Type::Free));
    }

    /// Compiles a goal that is not a test: a call of a member, of a predicate with known modes, or of any other predicate.
    fn called(
        &mut self,
        clause: &Clause,
        goal: TermId,
        own: usize,
        members: &[Member],
        callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
        preceding: &Preceding<'_>,
    ) -> Literal {
        let &Preceding {
            computed,
            met,
            commits,
        } = preceding;
        let terms = &*clause.terms;
        let (arguments, args) = (terms.args(clause.head), terms.args(goal));
        let Some((name, arity)) = terms.functor(goal) else {
            return Literal::Other(variables(terms, goal));
        };
        if let Some(literal) = phrase(terms, goal, members, callee) {
            self.recursive |= matches!(literal, Literal::Member(..));
            return literal;
        }
        if let Some(literal) = univ(terms, goal) {
            return literal;
        }
        let functor = Functor::new(name.clone(), arity);
        let each: Vec<Variables> = args.iter().map(|&a| variables(terms, a)).collect();
        if let Some(member) = members.iter().position(|m| m.functor == functor) {
            self.recursive = true;
            if member == own {
                let changes = arguments
                    .iter()
                    .zip(args)
                    .map(|(&of, &to)| change(terms, of, to, arguments, computed, met))
                    .collect();
                self.recursive_calls.push(changes);
            }
            Literal::Member(member, each)
        } else if let Goal::CallN { closure, .. } = Goal::lower(terms, goal)
            && let Term::Var(closure) = terms.get(closure)
        {
            Literal::Apply(vec![*closure], variables(terms, goal))
        } else if let Some((pattern, open, fills)) = callee(&functor)
            .and_then(|known| Some((known.pattern?, known.open, known.fills)))
            .or_else(|| Some((usual_pattern(&functor)?, Vec::new(), Vec::new())))
        {
            let mut uses = self.uses(clause, goal, &pattern, &open, &fills);
            let reversible = is_reversible(&functor.name, functor.arity);
            if reversible && is_backwards(clause, args, &uses) {
                uses.iter_mut().for_each(|of| *of = of.reversed());
            }
            if commits && let Some(sought) = sought(terms, goal, arguments) {
                self.needed[sought] = true;
                uses[0] = Use::Reads;
            }
            Literal::Known {
                uses,
                arguments: each,
                reversible,
            }
        } else {
            Literal::Other(variables(terms, goal))
        }
    }

    /// Returns the uses of the arguments of a call, given the callee's pattern, its unknown arguments, and those whose elements it binds.
    fn uses(
        &mut self,
        clause: &Clause,
        goal: TermId,
        pattern: &Pattern,
        open: &[bool],
        fills: &[bool],
    ) -> Vec<Use> {
        let is_open = |i: usize| open.get(i).copied().unwrap_or_default();
        let mut uses: Vec<Use> = (pattern.0.iter().enumerate())
            .map(|(i, of)| Use::from_type(of, is_open(i)))
            .collect();
        // `digits([A,B,C])` binds the variables passed to it.
        for (i, &arg) in clause.terms.args(goal).iter().enumerate() {
            if fills.get(i) == Some(&true) && is_written_list(clause, arg) {
                uses[i] = Use::Makes;
            }
        }
        // A closure is known before the call, whatever the clauses of a library predicate suggest: `maplist(P, Xs, Ys)`.
        if let Some((name, arity)) = clause.terms.functor(goal) {
            for meta in meta_arguments(name, arity) {
                if let Some(of) = uses.get_mut(meta.argument) {
                    *of = Use::Reads;
                }
            }
        }
        self.calls_writer |= self.grammar.is_some() && is_writer(pattern) && is_text(clause, goal);
        // `nl --> "\n".` both reads and writes.
        if self.grammar == Some(Grammar::Writes)
            && matches!(pattern.0[..], [Type::List(_), Type::Free])
        {
            uses = vec![Use::Meets; 2];
        }
        uses
    }

    /// Adds the facts that a clause implies about the modes of its predicate.
    fn add(
        &mut self,
        clause: &Clause,
        own: usize,
        members: &[Member],
        lookups: PredicateLookups<'_>,
    ) {
        let terms = &*clause.terms;
        let arguments = terms.args(clause.head);
        if arguments.len() != self.arity {
            return;
        }
        let parts = [clause.guard, clause.body]
            .into_iter()
            .flatten()
            .flat_map(|part| parts(terms, part, lookups.closures))
            .take(MOST_LITERALS)
            .collect::<Vec<_>>();
        let goals: Vec<TermId> = parts.iter().filter_map(goal_of).collect();
        if let Some(member) = members.get(own) {
            self.add_rests(terms, clause.head, &goals, &member.functor);
        }
        let literals = self.literals(clause, own, members, lookups.callee, &parts);
        for v in goals.iter().filter_map(|&goal| unbound(terms, goal)) {
            let is_it = |&a: &TermId| matches!(terms.get(a), Term::Var(w) if *w == v);
            if let Some(place) = arguments.iter().position(is_it) {
                self.fixed[place] = Some(Type::Free);
            }
        }
        let head: Vec<Variables> = arguments.iter().map(|&a| variables(terms, a)).collect();
        self.add_uses(&head, &literals);
        self.clauses.push(ClauseModes {
            variables: terms.variables() as usize,
            head,
            literals,
        });
    }

    /// Compiles the goals of a clause.
    fn literals(
        &mut self,
        clause: &Clause,
        own: usize,
        members: &[Member],
        callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
        parts: &[BodyEvent],
    ) -> Vec<Literal> {
        let terms = &*clause.terms;
        let arguments = terms.args(clause.head);
        let mut computed: Vec<(u32, Variables)> = Vec::new();
        let (mut compiled, mut met, mut first_met) = (Vec::new(), Vec::new(), Vec::new());
        for (place, part) in parts.iter().enumerate() {
            let goal = match *part {
                BodyEvent::Goal(goal) => goal,
                BodyEvent::Caught(catcher) => {
                    compiled.push(Literal::Compute(variables(terms, catcher), Vec::new()));
                    continue;
                }
                BodyEvent::Module(module) => {
                    let literal = Literal::Test(variables(terms, module));
                    self.add_needs(terms, arguments, &literal, &first_met);
                    compiled.push(literal);
                    continue;
                }
                BodyEvent::Mark(mark) => {
                    compiled.push(Literal::Mark(mark));
                    continue;
                }
            };
            // A variable that is called.
            if let Term::Var(v) = terms.get(goal) {
                let literal = Literal::Apply(vec![*v], Vec::new());
                self.add_needs(terms, arguments, &literal, &first_met);
                compiled.push(literal);
            }
            if terms.functor(goal).is_none() {
                continue;
            }
            if let Goal::Is { result, expression } = Goal::lower(terms, goal)
                && let Term::Var(v) = terms.get(result)
            {
                computed.push((*v, variables(terms, expression)));
            }
            let literal = test(terms, goal).unwrap_or_else(|| {
                let next = parts.get(place + 1).and_then(goal_of);
                let commits = next.is_some_and(|next| Goal::lower(terms, next) == Goal::Cut);
                let preceding = Preceding {
                    computed: &computed,
                    met: &met,
                    commits,
                };
                self.called(clause, goal, own, members, callee, &preceding)
            });
            self.add_needs(terms, arguments, &literal, &first_met);
            if !matches!(literal, Literal::Member(..)) {
                first_met.extend(variables(terms, goal));
            }
            met.extend(variables(terms, goal));
            compiled.push(literal);
        }
        compiled
    }

    /// Marks the arguments that the literals of a clause construct and use.
    fn add_uses(&mut self, head: &[Variables], literals: &[Literal]) {
        for (made, own) in self.made.iter_mut().zip(head) {
            *made |= literals.iter().any(|literal| literal.makes(own));
        }
        for (i, used) in self.used.iter_mut().enumerate() {
            let is_shared =
                |v: &u32| (head.iter().enumerate()).any(|(j, of)| j != i && of.contains(v));
            let own = head[i].iter().filter(|v| !is_shared(v));
            *used |= own
                .into_iter()
                .any(|v| literals.iter().any(|literal| literal.uses(*v)));
        }
    }
}

fn goal_of(part: &BodyEvent) -> Option<TermId> {
    match part {
        BodyEvent::Goal(goal) => Some(*goal),
        _ => None,
    }
}

/// Compiles a test, a computation or a unification. Returns `None` for any other goal.
fn test(terms: &Terms, goal: TermId) -> Option<Literal> {
    let is_var = |t: TermId| matches!(terms.get(t), Term::Var(_));
    Some(match Goal::lower(terms, goal) {
        Goal::Is { result, expression } => {
            Literal::Compute(variables(terms, result), variables(terms, expression))
        }
        // The test does not need an unbound argument, and the goal of an assertion has already been processed.
        Goal::Type(TypeTest::Var, _) | Goal::Assertion(_) => Literal::Test(Vec::new()),
        // Unbound variables may also be compared.
        Goal::CompareTerms(Comparison::Equal | Comparison::NotEqual, left, right)
            if is_var(left) && is_var(right) =>
        {
            Literal::Test(Vec::new())
        }
        Goal::NotUnifiable(..) | Goal::Compare(..) | Goal::CompareTerms(..) => {
            Literal::Test(variables(terms, goal))
        }
        // A tested argument is bound: `p(X) :- integer(X), …`.
        Goal::Type(test, _) if test != TypeTest::IsList => Literal::Test(variables(terms, goal)),
        Goal::Unify(left, right) => Literal::Unify(variables(terms, left), variables(terms, right)),
        Goal::Call(_) => return related_test(terms, goal),
        _ => return None,
    })
}

/// Compiles a built-in with a known relation between its arguments. Returns `None` for any other goal.
fn related_test(terms: &Terms, goal: TermId) -> Option<Literal> {
    let related = Related::lookup(terms, goal)?;
    Some(match (related.relation, &related.args[..]) {
        (Relation::OfType, _) if unbound(terms, goal).is_some() => Literal::Test(Vec::new()),
        // Compared arguments are bound, as with a test: `compare(Order, Key, Key0)`.
        (Relation::Order, &[order, left, right]) => {
            let mut read = variables(terms, left);
            read.extend(variables(terms, right));
            Literal::Compute(variables(terms, order), read)
        }
        (Relation::Different, _) => Literal::Test(variables(terms, goal)),
        _ => return None,
    })
}

impl MemberPredicate {
    /// Marks the arguments whose values a literal needs, unless an earlier literal has used them.
    fn add_needs(&mut self, terms: &Terms, head: &[TermId], literal: &Literal, met: &[u32]) {
        for (needed, &argument) in self.needed.iter_mut().zip(head) {
            if let Term::Var(v) = terms.get(argument) {
                *needed |= !met.contains(v) && literal.needs(*v);
            }
        }
    }

    /// Detects difference lists: `flat(t(L,X,R), S, S0) :- flat(L, S, [X|S1]), flat(R, S1, S0).` The second call constructs the tail of the
    /// list that is passed to the first call. The second argument is therefore an output, and the third is its tail.
    fn add_rests(&mut self, terms: &Terms, head: TermId, goals: &[TermId], own: &Functor) {
        let mut known = variables(terms, head);
        for (place, &goal) in goals.iter().enumerate() {
            let args = terms.args(goal);
            if terms.matches(goal, &own.name, own.arity).is_some() {
                for (rest, &arg) in args.iter().enumerate() {
                    if !matches!(terms.get(arg), Term::Compound(..)) {
                        continue;
                    }
                    for v in variables(terms, arg)
                        .into_iter()
                        .filter(|v| !known.contains(v))
                    {
                        let start = goals[place + 1..]
                            .iter()
                            .filter_map(|&later| terms.matches(later, &own.name, own.arity))
                            .find_map(|args| {
                                let is_it =
                                    |&a: &TermId| matches!(terms.get(a), Term::Var(w) if *w == v);
                                args.iter().position(is_it)
                            });
                        if let Some(start) = start.filter(|&s| s != rest) {
                            self.fixed[start] = Some(Type::Free);
                            self.rests[rest] = true;
                        }
                    }
                }
            }
            known.extend(variables(terms, goal));
        }
    }
}

/// Returns whether a term is a list with explicit elements, or a variable that the clause unifies with such a list.
fn is_written_list(clause: &Clause, t: TermId) -> bool {
    let terms = &*clause.terms;
    let is_list = |t: TermId| terms.matches(t, CONS, 2).is_some();
    if is_list(t) {
        return true;
    }
    let Term::Var(v) = terms.get(t) else {
        return false;
    };
    let is_it = |t: TermId| matches!(terms.get(t), Term::Var(w) if w == v);
    let bodies = [clause.guard, clause.body].into_iter().flatten();
    let mut goals = bodies.flat_map(|body| conjuncts(terms, body));
    goals.any(|goal| match Goal::lower(terms, goal) {
        Goal::Unify(left, right) => is_it(left) && is_list(right) || is_it(right) && is_list(left),
        _ => false,
    })
}
