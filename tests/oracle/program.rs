//! Clauses ready to run: head, leading tests, and the goals after them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use costlens_catalog::{is_leading_test, is_locked};
use costlens_program::directives::Conditions;
use costlens_program::language::is_refused;
use costlens_syntax::Dialect;
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use smol_str::SmolStr;

/// Name and arity.
pub(crate) type Key = (SmolStr, usize);

/// One clause.
#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) terms: Terms,
    pub(crate) head: TermId,
    /// The longest prefix of the body made of comparisons and type tests: a goal enters the clause only if these also hold.
    pub(crate) tests: Vec<TermId>,
    /// The goals after the leading tests.
    pub(crate) goals: Vec<TermId>,
    /// A rule with `=>`: its head does not bind variables of the goal, and if no clause applies any more, that is an error.
    pub(crate) is_single_sided: bool,
}

/// Clauses by predicate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) predicates: HashMap<Key, Rc<Vec<Rc<Clause>>>>,
    /// Predicates whose clauses cannot be run here, and the reason.
    pub(crate) unsupported: HashMap<Key, String>,
    pub(crate) dynamic: HashSet<Key>,
    /// True if the added clauses are under a condition whose value is unknown.
    is_uncertain: bool,
    /// The names that `regtype` directives declare as types.
    pub(crate) regtypes: Vec<SmolStr>,
}

impl Clause {
    /// Returns the goals of the body.
    pub(crate) fn goals_and_tests(&self) -> Vec<TermId> {
        self.tests.iter().chain(&self.goals).copied().collect()
    }
}

impl Program {
    /// Returns the program of a source text. Directives other than `dynamic` have no effect.
    pub(crate) fn read(text: &str) -> Self {
        let mut program = Self::default();
        let mut conditions = Conditions::of_dialect(Dialect::Swi);
        for clause in costlens_syntax::read_text(text).clauses {
            if let Some(&[directive]) = clause.terms.matches(clause.root, ":-", 1) {
                conditions.read(&clause, directive);
            }
            program.is_uncertain = conditions.is_open();
            if clause.error.is_none() && !conditions.is_absent() {
                program.add_read(&clause.terms, clause.root);
            }
        }
        program.tests_of_its_own();
        program
    }

    /// Tests that the program defines itself (`is_list/1`) are ordinary goals, and do not belong to the entry of a clause.
    fn tests_of_its_own(&mut self) {
        let own: HashSet<Key> = (self.predicates.keys())
            .filter(|(name, arity)| is_leading_test(name, *arity))
            .cloned()
            .collect();
        if own.is_empty() {
            return;
        }
        let clauses = self.predicates.values_mut().filter_map(Rc::get_mut);
        for clause in clauses.flatten().filter_map(Rc::get_mut) {
            let is_own = |&test: &TermId| {
                let functor = clause.terms.functor(test);
                functor.is_some_and(|(name, arity)| own.contains(&(name.clone(), arity)))
            };
            if let Some(first) = clause.tests.iter().position(is_own) {
                let mut goals = clause.tests.split_off(first);
                goals.append(&mut clause.goals);
                clause.goals = goals;
            }
        }
    }

    /// Returns whether a clause of the predicate has a goal, at any depth of control constructs, that calls the predicate.
    pub(crate) fn calls_itself(&self, key: &Key) -> bool {
        let clauses = self.predicates.get(key).map(Rc::clone).unwrap_or_default();
        clauses.iter().any(|c| {
            (c.goals.iter())
                .flat_map(|&g| c.terms.subterms(g))
                .any(|id| {
                    c.terms
                        .functor(id)
                        .is_some_and(|(n, a)| *n == key.0 && a == key.1)
                })
        })
    }

    /// Returns the library as it runs together with this program: if both define a predicate, that of the library is renamed, since clauses
    /// of a library call their own helpers, even if a program has predicates of these names.
    pub(crate) fn beside(&self, library: &Rc<Program>) -> Rc<Program> {
        let both: HashSet<&Key> = (self.predicates.keys())
            .filter(|key| library.predicates.contains_key(*key))
            .collect();
        if both.is_empty() {
            return Rc::clone(library);
        }
        let renamed = |name: &SmolStr| SmolStr::from(format!("{name} of the library"));
        let clause = |clause: &Rc<Clause>| {
            let mut terms = clause.terms.clone();
            let goals = clause.goals_and_tests().into_iter();
            let named: BTreeSet<TermId> = goals
                .flat_map(|goal| clause.terms.subterms(goal))
                .chain([clause.head])
                .collect();
            for id in named {
                if let Some((name, arity)) = clause.terms.functor(id)
                    && both.contains(&(name.clone(), arity))
                {
                    let arguments = clause.terms.args(id).to_vec();
                    terms.replace(id, renamed(name), &arguments);
                }
            }
            Rc::new(Clause {
                terms,
                head: clause.head,
                tests: clause.tests.clone(),
                goals: clause.goals.clone(),
                is_single_sided: clause.is_single_sided,
            })
        };
        let predicates = (library.predicates.iter())
            .map(|(key, clauses)| {
                let name = match both.contains(key) {
                    true => renamed(&key.0),
                    false => key.0.clone(),
                };
                (
                    (name, key.1),
                    Rc::new(clauses.iter().map(clause).collect::<Vec<_>>()),
                )
            })
            .collect();
        Rc::new(Program {
            predicates,
            ..Program::clone(library)
        })
    }

    fn add_read(&mut self, terms: &Terms, root: TermId) {
        if is_refused(terms, root) {
            return;
        }
        if let Some(&[directive]) = terms.matches(root, ":-", 1) {
            self.directive(terms, directive);
        } else if let Some(&[head, body]) = terms.matches(root, "-->", 2) {
            let mut terms = terms.clone();
            let (head, body) = (strip_module(&terms, head), body);
            if let Some(&[nonterminal, _]) = terms.matches(head, ",", 2) {
                if let Some((name, arity)) = terms.functor(nonterminal) {
                    let predicate = (name.clone(), arity + 2);
                    self.unsupported.insert(predicate, "DCG pushback".into());
                }
                return;
            }
            if !is_grammar_body(&terms, body) {
                return;
            }
            let (from, to) = (fresh(&mut terms), fresh(&mut terms));
            let head = extend(&mut terms, head, &[from, to]);
            let body = dcg_body(&mut terms, body, from, to);
            self.add(terms, head, Some(body), false);
        } else if let Some(&[head, body]) = terms.matches(root, "=>", 2) {
            // `Head, Guard => Body` is `Head :- Guard, !, Body` except for the head.
            let mut terms = terms.clone();
            let cut = terms.push(Term::Atom("!".into()));
            let mut rest = terms.compound(",", &[cut, body]);
            let mut head = head;
            if let Some(&[before, guard]) = terms.matches(head, ",", 2) {
                head = before;
                rest = terms.compound(",", &[guard, rest]);
            }
            let head = strip_module(&terms, head);
            self.add_clause(terms, head, Some(rest), false, true);
        } else if let Some(&[head, body]) = terms.matches(root, ":-", 2) {
            self.add(terms.clone(), strip_module(terms, head), Some(body), false);
        } else {
            self.add(terms.clone(), strip_module(terms, root), None, false);
        }
    }

    fn directive(&mut self, terms: &Terms, directive: TermId) {
        if let Some(&[what]) = terms.matches(directive, "regtype", 1)
            && let Some(&[name, _]) = terms.matches(what, "/", 2)
            && let Some(name) = terms.as_atom(name)
        {
            self.regtypes.push(name.clone());
        }
        if let Some(&[what]) = terms.matches(directive, "dynamic", 1) {
            let mut items = Vec::new();
            for part in terms.chain(what, ",") {
                let (elements, _) = terms.list(part);
                items.extend(if elements.is_empty() {
                    vec![part]
                } else {
                    elements
                });
            }
            for item in items {
                if let Some(&[name, arity]) = terms.matches(item, "/", 2)
                    && let (Term::Atom(name), Term::Integer(arity)) =
                        (terms.get(name), terms.get(arity))
                    && let Ok(arity) = usize::try_from(arity)
                {
                    self.dynamic.insert((name.clone(), arity));
                }
            }
        }
    }

    /// Adds a clause at the end (or the start) of its predicate; returns `false` if the head is not callable.
    pub(crate) fn add(
        &mut self,
        terms: Terms,
        head: TermId,
        body: Option<TermId>,
        first: bool,
    ) -> bool {
        self.add_clause(terms, head, body, first, false)
    }

    fn add_clause(
        &mut self,
        mut terms: Terms,
        head: TermId,
        body: Option<TermId>,
        first: bool,
        is_single_sided: bool,
    ) -> bool {
        let Some((name, arity)) = terms.functor(head) else {
            return false;
        };
        let key = (name.clone(), arity);
        // "No permission to modify static procedure": the clause is skipped.
        if is_locked(&key.0, key.1) {
            return true;
        }
        if self.is_uncertain {
            self.unsupported
                .insert(key.clone(), "conditional compilation".into());
        }
        let unreadable = (0..terms.len()).any(|i| {
            let id = TermId(u32::try_from(i).unwrap());
            matches!(terms.get(id), Term::Error | Term::Rational(_))
        });
        if unreadable {
            self.unsupported
                .insert(key, "a term that the oracle cannot run".into());
            return true;
        }
        let goals = body.map(|b| terms.chain(b, ",")).unwrap_or_default();
        let goals: Vec<TermId> = goals
            .into_iter()
            .map(|g| wrap_variables(&mut terms, g, 0))
            .collect();
        let is_test = |&g: &TermId| terms.functor(g).is_some_and(|(n, a)| is_leading_test(n, a));
        let tests: Vec<TermId> = goals.iter().copied().take_while(is_test).collect();
        let goals = goals[tests.len()..].to_vec();
        let clauses = Rc::make_mut(self.predicates.entry(key).or_default());
        let clause = Rc::new(Clause {
            terms,
            head,
            tests,
            goals,
            is_single_sided,
        });
        if first {
            clauses.insert(0, clause);
        } else {
            clauses.push(clause);
        }
        true
    }
}

/// `X` as a goal is `call(X)`: a cut bound to it is local.
fn wrap_variables(terms: &mut Terms, goal: TermId, depth: usize) -> TermId {
    if let Term::Var(_) = terms.get(goal) {
        return terms.compound("call", &[goal]);
    }
    assert!(
        depth < 1000,
        "control constructs nested too deeply for the oracle"
    );
    match terms.functor(goal) {
        Some((name, 2)) if matches!(name.as_str(), "," | ";" | "->" | "*->") => {
            let name = name.clone();
            let [left, right] = [terms.args(goal)[0], terms.args(goal)[1]];
            let (l, r) = (
                wrap_variables(terms, left, depth + 1),
                wrap_variables(terms, right, depth + 1),
            );
            if (l, r) == (left, right) {
                goal
            } else {
                terms.compound(name, &[l, r])
            }
        }
        _ => goal,
    }
}

fn strip_module(terms: &Terms, head: TermId) -> TermId {
    match terms.matches(head, ":", 2) {
        Some(&[_, inner]) => inner,
        _ => head,
    }
}

fn fresh(terms: &mut Terms) -> TermId {
    let number = terms.variables();
    terms.push(Term::Var(number))
}

fn extend(terms: &mut Terms, goal: TermId, more: &[TermId]) -> TermId {
    let Some((name, _)) = terms.functor(goal) else {
        let mut arguments = vec![goal];
        arguments.extend_from_slice(more);
        return terms.compound("call", &arguments);
    };
    let name = name.clone();
    let mut arguments = terms.args(goal).to_vec();
    arguments.extend_from_slice(more);
    terms.compound(name, &arguments)
}

/// Returns whether all goals of a grammar body can be called: a rule with a number for a goal is an error and not a clause.
fn is_grammar_body(terms: &Terms, body: TermId) -> bool {
    let mut stack = vec![body];
    while let Some(part) = stack.pop() {
        match terms.functor(part) {
            Some((name, 2)) if matches!(name.as_str(), "," | ";" | "|" | "->") => {
                stack.extend(terms.args(part));
            }
            Some(_) => {}
            None if matches!(terms.get(part), Term::Var(_) | Term::String(_)) => {}
            None => return false,
        }
    }
    true
}

/// Returns the body of a grammar rule as translated by SWI-Prolog 9.
fn dcg_body(terms: &mut Terms, body: TermId, from: TermId, to: TermId) -> TermId {
    let functor = terms.functor(body).map(|(n, a)| (n.clone(), a));
    let arguments = terms.args(body).to_vec();
    match functor.as_ref().map(|(n, a)| (n.as_str(), *a)) {
        Some((",", 2)) => {
            let middle = fresh(terms);
            let left = dcg_body(terms, arguments[0], from, middle);
            let right = dcg_body(terms, arguments[1], middle, to);
            terms.compound(",", &[left, right])
        }
        Some((";" | "|", 2)) => {
            let left = dcg_body(terms, arguments[0], from, to);
            let right = dcg_body(terms, arguments[1], from, to);
            terms.compound(";", &[left, right])
        }
        Some(("->", 2)) => {
            let middle = fresh(terms);
            let left = dcg_body(terms, arguments[0], from, middle);
            let right = dcg_body(terms, arguments[1], middle, to);
            terms.compound("->", &[left, right])
        }
        Some(("\\+", 1)) => {
            let dead = fresh(terms);
            let inner = dcg_body(terms, arguments[0], from, dead);
            let not = terms.compound("\\+", &[inner]);
            let same = terms.compound("=", &[from, to]);
            terms.compound(",", &[not, same])
        }
        Some(("!", 0)) => {
            let same = terms.compound("=", &[from, to]);
            terms.compound(",", &[body, same])
        }
        Some(("{}", 1)) => {
            let same = terms.compound("=", &[from, to]);
            terms.compound(",", &[arguments[0], same])
        }
        Some(("[]", 0)) => terms.compound("=", &[from, to]),
        Some((CONS, 2)) => {
            let (elements, _) = terms.list(body);
            terminals(terms, &elements, from, to)
        }
        Some(("call", n)) if n > 0 => extend(terms, body, &[from, to]),
        None if matches!(terms.get(body), Term::String(_)) => {
            let Term::String(text) = terms.get(body).clone() else {
                unreachable!()
            };
            let codes: Vec<TermId> = text
                .chars()
                .map(|c| terms.push(Term::Integer(u32::from(c).into())))
                .collect();
            terminals(terms, &codes, from, to)
        }
        None if matches!(terms.get(body), Term::Var(_)) => {
            terms.compound("phrase", &[body, from, to])
        }
        _ => extend(terms, body, &[from, to]),
    }
}

fn terminals(terms: &mut Terms, elements: &[TermId], from: TermId, to: TermId) -> TermId {
    let mut list = to;
    for &element in elements.iter().rev() {
        list = terms.compound(CONS, &[element, list]);
    }
    terms.compound("=", &[from, list])
}
