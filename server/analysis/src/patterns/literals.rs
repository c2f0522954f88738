//! Clauses reduced to what a guess of modes needs: which variables each literal reads and binds.

mod idioms;

use costlens_catalog::{is_arithmetic_comparison, is_reversible, is_term_comparison, is_type_test};
use costlens_infer::types::Type;
use costlens_program::{Clause, ClauseKind, Functor};
use costlens_syntax::term::{Term, TermId, Terms};

use self::idioms::{is_backwards, phrase, sought};
use super::bodies::{MOST_LITERALS, Part, parts};
use super::changes::{Change, change};
use super::library::usual_pattern;
use super::{KnownCallee, Member};

/// Terms larger than this are taken to hold no variables.
const LARGEST_TERM: usize = 2_000;
/// Variables, sorted.
pub(super) type Variables = Vec<u32>;

/// The use of an argument by a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Must be known.
    Reads,
    /// Is known afterwards.
    Makes,
    /// Either.
    Meets,
    /// Nothing is known.
    Unclear,
}

impl Use {
    pub(super) fn of(ty: &Type, is_open: bool) -> Self {
        match ty {
            Type::Free => Use::Makes,
            Type::Any if is_open => Use::Unclear,
            Type::Any => Use::Meets,
            _ => Use::Reads,
        }
    }

    /// In a run with outputs for inputs.
    fn reversed(self) -> Self {
        match self {
            Use::Reads => Use::Makes,
            Use::Makes => Use::Reads,
            other @ (Use::Meets | Use::Unclear) => other,
        }
    }
}

/// A literal, by what it reads and binds.
pub(super) enum Literal {
    /// A test: all of these must be known.
    Test(Variables),
    /// `X is E`: reads the second, binds the first.
    Compute(Variables, Variables),
    /// `X = T`: one side known makes the other known.
    Unify(Variables, Variables),
    /// A call of a member of the component.
    Member(usize, Vec<Variables>),
    /// A call with known modes.
    Known {
        uses: Vec<Use>,
        arguments: Vec<Variables>,
        reversible: bool,
    },
    /// `call(F, X, Y)`: reads the first, binds these.
    Apply(Variables, Variables),
    /// Anything else: requires nothing, and binds these.
    Other(Variables),
}

impl Literal {
    /// Tells whether it computes one of these.
    fn makes(&self, variables: &[u32]) -> bool {
        let meets = |bound: &Variables| bound.iter().any(|v| variables.contains(v));
        match self {
            Literal::Compute(bound, _) => meets(bound),
            Literal::Known {
                uses, arguments, ..
            } => (arguments.iter().zip(uses)).any(|(bound, u)| *u != Use::Reads && meets(bound)),
            _ => false,
        }
    }

    /// Tells whether a variable occurs in it, and it is no call of the recursion.
    fn uses(&self, v: u32) -> bool {
        let all: Vec<&Variables> = match self {
            Literal::Member(..) => Vec::new(),
            Literal::Test(read) | Literal::Other(read) => vec![read],
            Literal::Compute(a, b) | Literal::Unify(a, b) | Literal::Apply(a, b) => vec![a, b],
            Literal::Known { arguments, .. } => arguments.iter().collect(),
        };
        all.into_iter().any(|of| of.contains(&v))
    }
}

/// One clause.
pub(super) struct ClauseModes {
    pub(super) variables: usize,
    pub(super) head: Vec<Variables>,
    pub(super) literals: Vec<Literal>,
}

/// Which way a nonterminal goes with text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// `digits([D|T]) --> [D], digits(T).`
    Reads,
    /// `lines(N) --> { N > 0 }, "\n", { M is N-1 }, lines(M).`
    Writes,
}

/// One predicate of the component.
pub(super) struct Predicate {
    pub(super) arity: usize,
    pub(super) clauses: Vec<ClauseModes>,
    /// For each self-recursive call, how its arguments change.
    pub(super) recursive_calls: Vec<Vec<Change>>,
    /// True if it calls a member of the component.
    pub(super) recursive: bool,
    /// Arguments that are what a list in the making goes on with, perhaps unbound: inputs that no call needs to know.
    pub(super) rests: Vec<bool>,
    /// Arguments of which parts are computed: what recursion makes rather than takes apart.
    pub(super) made: Vec<bool>,
    /// Arguments of which parts that no other argument has are used.
    pub(super) used: Vec<bool>,
    /// Types that are not for the guess to choose.
    pub(super) fixed: Vec<Option<Type>>,
    /// Which way it goes with text, if it is a nonterminal.
    pub(super) grammar: Option<Grammar>,
    /// Arguments that no clause can be chosen without: each clause of single-sided rules matches them with a structure or constant.
    pub(super) matched: Vec<bool>,
    /// Arguments that are looked for in lists.
    pub(super) sought: Vec<bool>,
    /// True if constants in the first argument tell its clauses apart: `run(slow) :- …. run(fast) :- ….`
    pub(super) dispatches: bool,
}

impl Predicate {
    pub(super) fn compile(
        functor: &Functor,
        clauses: &[Clause],
        members: &[Member],
        callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
        grammar: Grammar,
    ) -> Self {
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
            matched: matched(functor.arity, clauses),
            sought: vec![false; functor.arity],
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
            predicate.add(clause, own, members, callee);
        }
        predicate.fix_tables(clauses);
        predicate.dispatches = predicate.arity > 0 && is_dispatch(clauses);
        predicate
    }

    /// `digits([D|T]) --> …`: text in, rest out, and nothing known of the rest. One that writes text goes on with a rest that is unbound.
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

    /// A table of facts is looked up in any direction.
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

    /// A goal that is no test: a call of a member, of what is known otherwise, or of anything else.
    fn called(
        &mut self,
        clause: &Clause,
        goal: TermId,
        (own, members): (usize, &[Member]),
        callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
        (computed, met, commits): (&[(u32, Variables)], &[u32], bool),
    ) -> Literal {
        let terms = &*clause.terms;
        let (arguments, args) = (terms.args(clause.head), terms.args(goal));
        let Some((name, arity)) = terms.functor(goal) else {
            return Literal::Other(variables(terms, goal));
        };
        if let Some(literal) = phrase(terms, goal, members, callee) {
            self.recursive |= matches!(literal, Literal::Member(..));
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
                    .map(|(&of, &to)| change(terms, (of, to), arguments, computed, met))
                    .collect();
                self.recursive_calls.push(changes);
            }
            Literal::Member(member, each)
        } else if let ("call", Some(Term::Var(closure))) =
            (name.as_str(), args.first().map(|&a| terms.get(a)))
        {
            Literal::Apply(vec![*closure], variables(terms, goal))
        } else if let Some((pattern, open)) = callee(&functor)
            .and_then(|known| Some((known.pattern?, known.open)))
            .or_else(|| Some((usual_pattern(&functor)?, Vec::new())))
        {
            let is_open = |i: usize| open.get(i).copied().unwrap_or_default();
            let mut uses: Vec<Use> = (pattern.0.iter().enumerate())
                .map(|(i, of)| Use::of(of, is_open(i)))
                .collect();
            // `nl --> "\n".` writes as well as it reads.
            if self.grammar == Some(Grammar::Writes)
                && matches!(pattern.0[..], [Type::List(_), Type::Free])
            {
                uses = vec![Use::Meets; 2];
            }
            let reversible = is_reversible(&functor.name, functor.arity);
            if reversible && is_backwards(clause, args, &uses) {
                uses.iter_mut().for_each(|of| *of = of.reversed());
            }
            if commits && let Some(sought) = sought(terms, goal, arguments) {
                self.sought[sought] = true;
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

    /// Adds what a clause shows of the modes of its predicate.
    fn add(
        &mut self,
        clause: &Clause,
        own: usize,
        members: &[Member],
        callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
    ) {
        let terms = &*clause.terms;
        let arguments = terms.args(clause.head);
        if arguments.len() != self.arity {
            return;
        }
        let parts = [clause.guard, clause.body]
            .into_iter()
            .flatten()
            .flat_map(|part| parts(terms, part))
            .take(MOST_LITERALS)
            .collect::<Vec<_>>();
        let is_goal = |part: &Part| match part {
            Part::Goal(goal) => Some(*goal),
            Part::Caught(_) => None,
        };
        let goals: Vec<TermId> = parts.iter().filter_map(is_goal).collect();
        let mut computed: Vec<(u32, Variables)> = Vec::new();
        let (mut compiled, mut met) = (Vec::new(), Vec::new());
        if let Some(member) = members.get(own) {
            self.add_rests(terms, clause.head, &goals, &member.functor);
        }
        for (place, part) in parts.iter().enumerate() {
            let goal = match *part {
                Part::Goal(goal) => goal,
                Part::Caught(catcher) => {
                    compiled.push(Literal::Compute(variables(terms, catcher), Vec::new()));
                    continue;
                }
            };
            let Some((name, _)) = terms.functor(goal) else {
                continue;
            };
            let args = terms.args(goal);
            let literal = match (name.as_str(), args) {
                ("is", &[left, right]) => {
                    let read = variables(terms, right);
                    if let Term::Var(v) = terms.get(left) {
                        computed.push((*v, read.clone()));
                    }
                    Literal::Compute(variables(terms, left), read)
                }
                // What is compared is there, as in a test: `compare(Order, Key, Key0)`.
                ("compare", &[order, left, right]) => {
                    let mut read = variables(terms, left);
                    read.extend(variables(terms, right));
                    Literal::Compute(variables(terms, order), read)
                }
                // Whether two variables are the same can be asked of unbound ones, too.
                ("==" | "\\==", &[left, right])
                    if [left, right]
                        .iter()
                        .all(|&t| matches!(terms.get(t), Term::Var(_))) =>
                {
                    Literal::Test(Vec::new())
                }
                (name, [_, _])
                    if matches!(name, "\\=" | "dif")
                        || is_arithmetic_comparison(name, 2)
                        || is_term_comparison(name, 2) =>
                {
                    Literal::Test(variables(terms, goal))
                }
                // What is tested is there: `p(X) :- integer(X), …`.
                (name, [_]) if is_type_test(name, 1) && !matches!(name, "var" | "is_list") => {
                    Literal::Test(variables(terms, goal))
                }
                ("=", &[left, right]) => {
                    Literal::Unify(variables(terms, left), variables(terms, right))
                }
                _ => {
                    let next = parts.get(place + 1).and_then(is_goal);
                    let commits = next.is_some_and(|next| terms.matches(next, "!", 0).is_some());
                    let so_far = (&computed[..], &met[..], commits);
                    self.called(clause, goal, (own, members), callee, so_far)
                }
            };
            met.extend(variables(terms, goal));
            compiled.push(literal);
        }
        let head: Vec<Variables> = arguments.iter().map(|&a| variables(terms, a)).collect();
        for (made, own) in self.made.iter_mut().zip(&head) {
            *made |= compiled.iter().any(|literal| literal.makes(own));
        }
        for (i, used) in self.used.iter_mut().enumerate() {
            let is_shared =
                |v: &u32| (head.iter().enumerate()).any(|(j, of)| j != i && of.contains(v));
            let own = head[i].iter().filter(|v| !is_shared(v));
            *used |= own
                .into_iter()
                .any(|v| compiled.iter().any(|literal| literal.uses(*v)));
        }
        self.clauses.push(ClauseModes {
            variables: terms.variables() as usize,
            head,
            literals: compiled,
        });
    }
}

impl Predicate {
    /// Difference lists: `flat(t(L,X,R), S, S0) :- flat(L, S, [X|S1]), flat(R, S1, S0).` The first call gets a list whose rest
    /// the second one makes, so the second argument is an output and the third is what it goes on with.
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

/// Tells whether all clauses begin with a constant, and some do something. Where a cut follows the work, the constant may as well be what is found:
/// `ok(yes) :- test, !. ok(no).`
fn is_dispatch(clauses: &[Clause]) -> bool {
    let begins = |clause: &Clause| {
        let terms = &*clause.terms;
        let first = terms.args(clause.head).first();
        first.is_some_and(|&first| {
            matches!(
                terms.get(first),
                Term::Atom(_) | Term::Integer(_) | Term::String(_)
            )
        })
    };
    let cuts_late = |clause: &Clause| {
        let goals = clause.body.map(|body| clause.terms.chain(body, ","));
        goals.is_some_and(|goals| {
            let mut late = goals.iter().skip(1);
            late.any(|&goal| clause.terms.matches(goal, "!", 0).is_some())
        })
    };
    clauses.iter().all(begins)
        && clauses.iter().any(|clause| clause.kind == ClauseKind::Rule)
        && !clauses.iter().any(cuts_late)
}

/// Tells for each argument whether every clause is a single-sided rule whose head has a structure or constant in its place.
fn matched(arity: usize, clauses: &[Clause]) -> Vec<bool> {
    let matches = |clause: &Clause, argument: usize| {
        let terms = &*clause.terms;
        let term = terms.args(clause.head).get(argument);
        clause.kind == ClauseKind::SingleSided
            && term.is_some_and(|&t| !matches!(terms.get(t), Term::Var(_)))
    };
    (0..arity)
        .map(|i| !clauses.is_empty() && clauses.iter().all(|clause| matches(clause, i)))
        .collect()
}

/// The variables of a term, sorted, each once.
pub(super) fn variables(terms: &Terms, id: TermId) -> Variables {
    let (mut found, mut stack, mut seen) = (Vec::new(), vec![id], 0_usize);
    while let Some(top) = stack.pop() {
        seen += 1;
        if seen > LARGEST_TERM {
            return Vec::new();
        }
        match terms.get(top) {
            Term::Var(v) => found.push(*v),
            _ => stack.extend(terms.args(top)),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
