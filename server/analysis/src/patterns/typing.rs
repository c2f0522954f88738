//! Infers the shapes of the arguments of a component's members from all uses in their clauses.
//!
//! A literal that calls another predicate uses a copy of that predicate's shapes, so `app/3` may concatenate lists of integers in one place
//! and lists of trees in another. Within a component, all calls share the same shapes.

use std::sync::Arc;

use costlens_body::{Goal, Related};
use costlens_catalog::{MetaArgument, Relation, meta_arguments, relation};
use costlens_infer::regular::Regulars;
use costlens_infer::types::{Pattern, Type};
use costlens_program::language;
use costlens_program::{Clause, ClauseKind, Functor};
use costlens_syntax::term::{Term, TermId, Terms};

use super::literals::PredicateLookups;
use super::shapes::{Hint, Scheme, ShapeIndex, Shapes};
use super::signatures::signature_of;
use super::variables::variables;
use super::{KnownCallee, MOST_CLAUSES, Member, bodies, demands, told_apart};

/// The maximum number of terms in a clause; larger clauses are ignored.
const LARGEST_CLAUSE: usize = 4_000;
/// The maximum number of goals examined in one clause.
const MOST_GOALS: usize = 400;

/// The shapes of a component.
pub(super) struct Typed {
    pub(super) shapes: Shapes,
    /// The shapes of the arguments of each member.
    pub(super) arguments: Vec<Vec<ShapeIndex>>,
}

impl Typed {
    /// Infers the shapes of the members of a component.
    pub(super) fn infer(members: &[Member], lookups: PredicateLookups<'_>) -> Self {
        let mut typed = Self {
            shapes: Shapes::default(),
            arguments: Vec::new(),
        };
        for member in members {
            let nodes = (0..member.functor.arity).map(|_| typed.shapes.fresh());
            let nodes = nodes.collect();
            typed.arguments.push(nodes);
        }
        for (place, member) in members.iter().enumerate() {
            if let Some(declared) = &member.declared {
                typed.declare(place, declared);
            }
            for clause in member.clauses.iter().take(MOST_CLAUSES) {
                typed.clause(place, clause, members, lookups);
            }
            told_apart::constants_alone(
                &mut typed.shapes,
                &typed.arguments[place],
                &member.clauses,
            );
        }
        typed
    }

    fn declare(&mut self, place: usize, declared: &Pattern) {
        for (argument, of) in declared.0.iter().enumerate() {
            let node = self.shapes.of_type(of);
            self.shapes.unify(self.arguments[place][argument], node);
        }
    }

    /// Returns the scheme of a member, for use by callers.
    pub(super) fn scheme(&self, place: usize) -> Scheme {
        self.shapes.scheme(&self.arguments[place])
    }

    fn clause(
        &mut self,
        place: usize,
        clause: &Clause,
        members: &[Member],
        lookups: PredicateLookups<'_>,
    ) {
        let head = clause.terms.args(clause.head);
        if clause.kind == ClauseKind::Dcg || head.len() != self.arguments[place].len() {
            return;
        }
        let Some(nodes) = clause_nodes(&mut self.shapes, &clause.terms) else {
            return;
        };
        for (argument, term) in head.iter().enumerate() {
            let of = self.arguments[place][argument];
            self.shapes.unify(of, nodes[term.index()]);
        }
        let mut body = Body {
            terms: &clause.terms,
            nodes,
            typed: self,
            members,
            callee: lookups.callee,
            closures: lookups.closures,
            head: variables(&clause.terms, clause.head),
            made: Vec::new(),
        };
        for part in [clause.guard, clause.body].into_iter().flatten() {
            demands::leading_tests(&mut body.typed.shapes, &body.nodes, &clause.terms, part);
            body.goals(part);
        }
    }
}

/// Returns the shapes of all terms of a clause, by their ids, or `None` for a huge clause.
pub(super) fn clause_nodes(shapes: &mut Shapes, terms: &Arc<Terms>) -> Option<Vec<ShapeIndex>> {
    if terms.len() > LARGEST_CLAUSE || shapes.is_full() {
        return None;
    }
    let variables: Vec<ShapeIndex> = (0..terms.variables()).map(|_| shapes.fresh()).collect();
    // The arguments of a term have smaller ids than the term.
    let mut nodes: Vec<ShapeIndex> = Vec::with_capacity(terms.len());
    for index in 0..terms.len() {
        let id = TermId(u32::try_from(index).unwrap_or(u32::MAX));
        let node = match terms.get(id) {
            Term::Var(v) => variables[*v as usize],
            term => {
                let node = shapes.fresh();
                match term {
                    Term::Integer(_) => shapes.hint(node, Hint::Integer),
                    Term::Rational(_) | Term::Float(_) => shapes.hint(node, Hint::Real),
                    Term::String(_) => shapes.hint(node, Hint::String),
                    Term::Error => shapes.hint(node, Hint::Other),
                    Term::Atom(name) => shapes.functor(node, name, &[]),
                    Term::Compound(name, _) => {
                        let arguments: Vec<ShapeIndex> =
                            terms.args(id).iter().map(|a| nodes[a.index()]).collect();
                        shapes.functor(node, name, &arguments);
                    }
                    Term::Var(_) => {}
                }
                node
            }
        };
        nodes.push(node);
    }
    Some(nodes)
}

/// The types and shapes of a clause's head on call.
pub(super) struct Seed<'a> {
    pub(super) head: &'a [TermId],
    pub(super) scheme: &'a Scheme,
    pub(super) pattern: &'a Pattern,
}

/// Returns the shapes of the terms in one clause, by their ids, or in a goal outside any clause.
pub(super) fn goal_shapes(
    terms: &Arc<Terms>,
    seed: Option<Seed<'_>>,
    bodies: &[TermId],
    callee: &dyn Fn(&Functor) -> Option<KnownCallee>,
) -> Option<(Shapes, Vec<ShapeIndex>)> {
    let mut typed = Typed {
        shapes: Shapes::default(),
        arguments: Vec::new(),
    };
    let nodes = clause_nodes(&mut typed.shapes, terms)?;
    if let Some(seed) = seed {
        let shapes = &mut typed.shapes;
        let arguments = shapes.instance(seed.scheme);
        for ((&term, of), argument) in seed.head.iter().zip(&seed.pattern.0).zip(arguments) {
            shapes.unify(nodes[term.index()], argument);
            let of = shapes.of_type(of);
            shapes.unify(nodes[term.index()], of);
        }
    }
    let mut body = Body {
        terms,
        nodes,
        typed: &mut typed,
        members: &[],
        callee,
        closures: &|_| Vec::new(),
        head: Vec::new(),
        made: Vec::new(),
    };
    for &part in bodies {
        body.goals(part);
    }
    let nodes = body.nodes;
    Some((typed.shapes, nodes))
}

/// A body whose goals are being traversed.
struct Body<'a> {
    terms: &'a Terms,
    nodes: Vec<ShapeIndex>,
    typed: &'a mut Typed,
    members: &'a [Member],
    callee: &'a dyn Fn(&Functor) -> Option<KnownCallee>,
    closures: &'a dyn Fn(&Functor) -> Vec<MetaArgument>,
    /// The variables of the head.
    head: Vec<u32>,
    /// The variables of the head that a goal has bound.
    made: Vec<u32>,
}

impl Body<'_> {
    fn node(&self, term: TermId) -> ShapeIndex {
        self.nodes[term.index()]
    }

    /// Traverses all goals of a body, inside any control construct, including closures.
    fn goals(&mut self, body: TermId) {
        let mut stack = vec![(body, Vec::new())];
        let mut seen = 0;
        while let Some((goal, added)) = stack.pop() {
            seen += 1;
            if seen > MOST_GOALS {
                return;
            }
            self.goal(goal, added, &mut stack);
        }
    }

    /// Processes one goal, with additional arguments appended.
    fn goal(
        &mut self,
        goal: TermId,
        added: Vec<ShapeIndex>,
        stack: &mut Vec<(TermId, Vec<ShapeIndex>)>,
    ) {
        let Some((name, arity)) = self.terms.functor(goal) else {
            return;
        };
        let args = self.terms.args(goal);
        let functor = Functor::new(name.clone(), arity + added.len());
        let mut all: Vec<ShapeIndex> = args.iter().map(|&a| self.node(a)).collect();
        all.extend(&added);
        let called = (self.closures)(&functor).into_iter();
        for closure in called.filter(|closure| closure.added == 0) {
            let goal = args.get(closure.argument);
            stack.extend(goal.map(|&goal| (goal, Vec::new())));
        }
        if let Some(member) = self.members.iter().position(|m| m.functor == functor) {
            let nodes = self.typed.arguments[member].clone();
            return self.unify_all(&nodes, &all);
        }
        let known = (self.callee)(&functor);
        if let Some(known) = known.as_ref().filter(|k| k.own) {
            let nodes = self.typed.shapes.instance(&known.scheme);
            self.forget_made(args, &nodes);
            self.add_made(args, known);
            return self.unify_all(&nodes, &all);
        }
        if let Some((parameters, inner)) = bodies::lambda(self.terms, goal) {
            for (&parameter, &given) in parameters.iter().zip(&added) {
                let parameter = self.node(parameter);
                self.typed.shapes.unify(parameter, given);
            }
            let rest = added.into_iter().skip(parameters.len()).collect();
            return stack.push((inner, rest));
        }
        if let Some([left, right]) = alike(self.terms, goal) {
            let (left, right) = (self.node(left), self.node(right));
            return self.typed.shapes.unify(left, right);
        }
        if let Some([kind, value]) = Related::arguments(self.terms, goal, Relation::OfType) {
            let value = self.node(value);
            return demands::must_be(&mut self.typed.shapes, self.terms, kind, value);
        }
        match Goal::lower(self.terms, goal) {
            Goal::Qualified { module, goal } => {
                return self.goal_of_module(module, goal, added, stack);
            }
            Goal::Quantified { goal, .. } => return stack.push((goal, added)),
            Goal::Is { result, expression } => {
                let real = self.arithmetic(expression);
                let hint = if real { Hint::Real } else { Hint::Arithmetic };
                return self.typed.shapes.hint(self.node(result), hint);
            }
            Goal::Compare(_, left, right) => {
                for (one, other) in [(left, right), (right, left)] {
                    let real = self.arithmetic(other);
                    if real && matches!(self.terms.get(one), Term::Var(_)) {
                        self.typed.shapes.hint(self.node(one), Hint::Real);
                    }
                }
                return;
            }
            Goal::CallN { closure, .. } => {
                if let Term::Var(_) = self.terms.get(closure) {
                    self.typed.shapes.hint(self.node(closure), Hint::Other);
                }
            }
            _ => {}
        }
        self.closures(goal, &functor, &all, stack);
        let nodes = match (signature_of(&functor), known) {
            (Some(scheme), _) => self.typed.shapes.instance(scheme),
            (None, Some(known)) => self.typed.shapes.instance(&known.scheme),
            (None, None) => return,
        };
        self.unify_all(&nodes, &all);
    }

    /// Excludes values that an earlier goal constructed, which are not inputs: `p([X|Xs]) :- make(X), use(X), p(Xs).`
    fn forget_made(&mut self, args: &[TermId], nodes: &[ShapeIndex]) {
        for (&arg, &node) in args.iter().zip(nodes) {
            if matches!(self.terms.get(arg), Term::Var(v) if self.made.contains(v)) {
                self.typed.shapes.forget_told_apart(node);
            }
        }
    }

    /// Records the variables that a call binds, or may bind.
    fn add_made(&mut self, args: &[TermId], callee: &KnownCallee) {
        let types = callee.pattern.iter().flat_map(|pattern| &pattern.0);
        for (&arg, of) in args.iter().zip(types) {
            match self.terms.get(arg) {
                Term::Var(v) if !of.is_bound() && self.head.contains(v) => self.made.push(*v),
                _ => {}
            }
        }
    }

    /// Processes `module:inner`, with additional arguments appended.
    fn goal_of_module(
        &mut self,
        module: TermId,
        inner: TermId,
        added: Vec<ShapeIndex>,
        stack: &mut Vec<(TermId, Vec<ShapeIndex>)>,
    ) {
        match self.in_module(module, inner, added.len()) {
            Some(known) if !known.own => {
                let nodes = self.typed.shapes.instance(&known.scheme);
                let mut all: Vec<ShapeIndex> = self
                    .terms
                    .args(inner)
                    .iter()
                    .map(|&a| self.node(a))
                    .collect();
                all.extend(&added);
                self.unify_all(&nodes, &all);
            }
            // A local predicate with this name is not the callee.
            _ if self.terms.as_atom(module).is_some() => {}
            _ => stack.push((inner, added)),
        }
    }

    /// Looks up `module:inner`.
    fn in_module(&self, module: TermId, inner: TermId, added: usize) -> Option<KnownCallee> {
        let (name, arity) = self.terms.functor(inner)?;
        let joined = language::join(self.terms.as_atom(module)?, name)?;
        (self.callee)(&Functor::new(joined, arity + added))
    }

    /// Processes the goals and closures that a meta-predicate calls, with the arguments that it passes to them.
    fn closures(
        &mut self,
        goal: TermId,
        functor: &Functor,
        all: &[ShapeIndex],
        stack: &mut Vec<(TermId, Vec<ShapeIndex>)>,
    ) {
        let args = self.terms.args(goal);
        let shapes = &mut self.typed.shapes;
        let relation = relation(&functor.name, functor.arity);
        let given: Vec<ShapeIndex> = match (relation, all) {
            (Some(Relation::Maps | Relation::MapsSome), [_, lists @ ..]) => {
                lists.iter().map(|&l| shapes.element(l)).collect()
            }
            (Some(Relation::Folds), [_, lists @ .., first, last]) => {
                let elements: Vec<ShapeIndex> = lists.iter().map(|&l| shapes.element(l)).collect();
                shapes.unify(*first, *last);
                elements.into_iter().chain([*first, *last]).collect()
            }
            (Some(Relation::Filters), [_, list, ..]) => vec![shapes.element(*list)],
            // `map_list_to_pairs(length, Lists, Pairs)`
            (Some(Relation::Keys), [_, list, _]) => vec![shapes.element(*list), shapes.fresh()],
            (Some(Relation::Phrase), [_, list]) => vec![*list, shapes.fresh()],
            (Some(Relation::Phrase), [_, list, rest]) => vec![*list, *rest],
            (Some(Relation::SortedWith), [_, list, _]) => {
                let order = shapes.fresh();
                shapes.hint(order, Hint::Atom);
                let element = shapes.element(*list);
                vec![order, element, element]
            }
            (Some(Relation::Aggregate), _) => {
                self.aggregate(args, all);
                Vec::new()
            }
            _ => match Goal::lower(self.terms, goal) {
                Goal::CallN { .. } => all[1..].to_vec(),
                _ => Vec::new(),
            },
        };
        for meta in meta_arguments(&functor.name, functor.arity)
            .into_iter()
            .rev()
        {
            let Some(&closure) = args.get(meta.argument) else {
                continue;
            };
            if meta.added == given.len() {
                stack.push((closure, given.clone()));
            } else if meta.added == 0 {
                stack.push((closure, Vec::new()));
            }
        }
    }

    /// Processes `aggregate_all(count, G, N)`, `aggregate_all(bag(X), G, L)`, and the forms with a discriminator.
    fn aggregate(&mut self, args: &[TermId], all: &[ShapeIndex]) {
        let (Some((&template, &result)), Some((name, _))) = (
            args.first().zip(all.last()),
            args.first().and_then(|&t| self.terms.functor(t)),
        ) else {
            return;
        };
        match (name.as_str(), self.terms.args(template)) {
            ("count", []) => self.typed.shapes.hint(result, Hint::Integer),
            ("bag" | "set", &[item]) => {
                let item = self.node(item);
                let list = self.typed.shapes.list_of(item);
                self.typed.shapes.unify(result, list);
            }
            ("sum" | "max" | "min", &[item]) => {
                let real = self.arithmetic(item);
                let hint = if real { Hint::Real } else { Hint::Arithmetic };
                self.typed.shapes.hint(result, hint);
            }
            _ => {}
        }
    }

    fn unify_all(&mut self, these: &[ShapeIndex], those: &[ShapeIndex]) {
        for (&a, &b) in these.iter().zip(those) {
            self.typed.shapes.unify(a, b);
        }
    }

    /// Marks the variables that an expression reads. Returns whether its value need not be an integer.
    fn arithmetic(&mut self, expression: TermId) -> bool {
        let mut real = false;
        let mut stack = vec![expression];
        while let Some(top) = stack.pop() {
            match self.terms.get(top) {
                Term::Var(_) => self.typed.shapes.hint(self.node(top), Hint::Arithmetic),
                Term::Float(_) => real = true,
                Term::Atom(name) => {
                    real |= matches!(
                        name.as_str(),
                        "pi" | "e" | "inf" | "nan" | "epsilon" | "random_float" | "cputime"
                    );
                }
                Term::Compound(name, _) => {
                    let args = self.terms.args(top);
                    real |= matches!(
                        (name.as_str(), args.len()),
                        ("/", 2)
                            | (
                                "sqrt"
                                    | "sin"
                                    | "cos"
                                    | "tan"
                                    | "asin"
                                    | "acos"
                                    | "atan"
                                    | "exp"
                                    | "log"
                                    | "log2"
                                    | "float",
                                1
                            )
                            | ("atan2" | "atan" | "log", 2)
                    );
                    // The result is an integer, regardless of the operands.
                    let rounds = matches!(
                        (name.as_str(), args.len()),
                        ("truncate" | "integer" | "round" | "ceiling" | "floor", 1)
                            | ("//" | "mod" | "div", 2)
                    );
                    if rounds {
                        let before = real;
                        for &part in args {
                            self.arithmetic_leaves(part);
                        }
                        real = before;
                    } else {
                        stack.extend(args);
                    }
                }
                _ => {}
            }
        }
        real
    }

    fn arithmetic_leaves(&mut self, expression: TermId) {
        for part in self.terms.subterms(expression) {
            if matches!(self.terms.get(part), Term::Var(_)) {
                self.typed.shapes.hint(self.node(part), Hint::Arithmetic);
            }
        }
    }
}

/// Returns two terms of a goal that have the same shape, either because the goal succeeds or because it would otherwise be pointless:
/// `A = B`, `A @< B`, `dif(A, B)`.
fn alike(terms: &Terms, goal: TermId) -> Option<[TermId; 2]> {
    match Goal::lower(terms, goal) {
        Goal::Unify(left, right)
        | Goal::NotUnifiable(left, right)
        | Goal::CompareTerms(_, left, right) => Some([left, right]),
        Goal::Call(_) => {
            let related = Related::lookup(terms, goal)?;
            match (related.relation, &related.args[..]) {
                (Relation::Different | Relation::Copy | Relation::Acyclic, &[left, right]) => {
                    Some([left, right])
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the type of an input argument, from its shape.
pub(super) fn input_type(shapes: &Shapes, node: ShapeIndex, types: &Regulars) -> Type {
    match shapes.type_of(node, types) {
        None => Type::Any,
        // The value may be one of several constants, or another bound term.
        Some(Type::Atom) if !shapes.uses(node).atom => Type::Nonvar,
        Some(of) => of,
    }
}
