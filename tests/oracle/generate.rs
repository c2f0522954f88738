//! Inputs for a call pattern, as awkward as its types admit, from a seed alone.

use costlens_syntax::term::{CONS, NIL, Term, TermId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use smol_str::SmolStr;
use std::rc::Rc;

use crate::heap::{Cell, Heap, Record, Ref};
use crate::program::Program;
pub(crate) use crate::types::{Form, Part, Type, Types, fits};

/// Splitmix64: a small generator whose numbers never change between versions.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    /// True in `percent` of 100 cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What the clauses of a program are made of: inputs from it meet their heads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    atoms: Vec<SmolStr>,
    functors: Vec<(SmolStr, usize)>,
    integers: Vec<BigInt>,
    pub(crate) types: Rc<Types>,
}

impl Vocabulary {
    pub(crate) fn of(program: &Program) -> Self {
        let mut found = Self {
            types: Types::of(program),
            ..Self::default()
        };
        let mut keys: Vec<_> = program.predicates.keys().collect();
        keys.sort();
        for clause in keys.into_iter().flat_map(|k| program.predicates[k].iter()) {
            let goals: Vec<TermId> = clause.tests.iter().chain(&clause.goals).copied().collect();
            for root in std::iter::once(clause.head).chain(goals) {
                for id in clause.terms.subterms(root).into_iter().skip(1) {
                    match clause.terms.get(id) {
                        Term::Atom(a) if a != "!" && !found.atoms.contains(a) => {
                            found.atoms.push(a.clone())
                        }
                        Term::Integer(n) if !found.integers.contains(n) => {
                            found.integers.push(n.clone())
                        }
                        Term::Compound(name, _) => {
                            let functor = (name.clone(), clause.terms.args(id).len());
                            if !found.functors.contains(&functor) && functor.1 < 6 {
                                found.functors.push(functor);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }
}

/// Builds the arguments of one call.
pub(crate) struct Generator<'a> {
    pub(crate) random: Random,
    pub(crate) heap: Heap,
    vocabulary: &'a Vocabulary,
    /// Terms made so far for this call: taken again, so that arguments share variables and have equal parts.
    pool: Vec<Ref>,
    /// How large this call's terms are to be.
    scale: usize,
}

impl<'a> Generator<'a> {
    pub(crate) fn new(seed: u64, vocabulary: &'a Vocabulary) -> Self {
        let mut random = Random(seed);
        let scale = *random.pick(&[1, 2, 3, 3, 4, 5, 6, 8, 12, 30]);
        let heap = Heap {
            work: u64::MAX,
            ..Heap::default()
        };
        Self {
            random,
            heap,
            vocabulary,
            pool: Vec::new(),
            scale,
        }
    }

    /// A goal for a pattern, apart from the heap.
    pub(crate) fn goal(&mut self, name: &str, types: &[Type]) -> Record {
        self.goal_of_sizes(name, types, &[])
    }

    /// A goal whose arguments have given sizes, where there are some: the value of an integer, the length of a list.
    pub(crate) fn goal_of_sizes(
        &mut self,
        name: &str,
        types: &[Type],
        sizes: &[Option<BigInt>],
    ) -> Record {
        let mut arguments = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            arguments.push(match (sizes.get(i), ty) {
                (Some(Some(value)), Type::Int) => self.heap.int(value.clone()),
                (Some(Some(length)), Type::List(element)) => {
                    let length = length.to_usize().expect("a length");
                    let list = self.list_of_length(element, 0, length);
                    self.pool.push(list);
                    list
                }
                _ => self.argument(ty),
            });
        }
        let goal = if arguments.is_empty() {
            self.heap.atom(name)
        } else {
            self.heap.compound(name, &arguments)
        };
        self.heap.record(goal).unwrap()
    }

    fn argument(&mut self, ty: &Type) -> Ref {
        if *ty == Type::Free {
            return self.heap.var();
        }
        if self.random.chance(25)
            && let Some(again) = self.take_again(ty)
        {
            return again;
        }
        let term = self.term(ty, 0);
        self.pool.push(term);
        term
    }

    fn take_again(&mut self, ty: &Type) -> Option<Ref> {
        let fitting: Vec<Ref> = self
            .pool
            .clone()
            .into_iter()
            .filter(|&t| fits(&mut self.heap, ty, t))
            .collect();
        if fitting.is_empty() {
            None
        } else {
            Some(*self.random.pick(&fitting))
        }
    }

    fn term(&mut self, ty: &Type, depth: usize) -> Ref {
        if depth > 0
            && self.random.chance(20)
            && let Some(again) = self.take_again(ty)
        {
            return again;
        }
        let term = match ty {
            Type::Int => self.integer(),
            Type::Number if self.random.chance(70) => self.integer(),
            Type::Number => self.float(),
            Type::Atom => self.atom(),
            Type::Nil => self.heap.atom(NIL),
            Type::List(element) => self.list(element, depth),
            Type::Ground => self.structure(depth, true),
            Type::Nonvar => self.structure(depth, false),
            Type::Defined(types, name) => self.defined(types, name),
            Type::Free => return self.heap.var(),
            Type::Any => match self.random.below(10) {
                0..3 => self.heap.var(),
                3..7 => self.structure(depth, true),
                _ => self.structure(depth, false),
            },
        };
        self.pool.push(term);
        term
    }

    fn integer(&mut self) -> Ref {
        let scale = i64::try_from(self.scale).unwrap();
        let value = match self.random.below(20) {
            0..2 => BigInt::from(0),
            2 => BigInt::from(1),
            3..5 if !self.vocabulary.integers.is_empty() => {
                let near = self.random.below(3);
                self.random.pick(&self.vocabulary.integers) + near - 1
            }
            5..8 => BigInt::from(-1 - i64::try_from(self.random.below(4)).unwrap()),
            8 if self.random.chance(80) => {
                let digits = 10 + u32::try_from(self.random.below(25)).unwrap();
                let huge = BigInt::from(10).pow(digits) + self.random.below(3);
                if self.random.chance(50) { -huge } else { huge }
            }
            8 => BigInt::from(-scale * 7),
            9..11 => BigInt::from(scale * 3),
            _ => BigInt::from(self.random.below(self.scale + 2)),
        };
        self.heap.int(value)
    }

    fn float(&mut self) -> Ref {
        let value = *self
            .random
            .pick(&[0.0, 1.0, 2.0, -1.0, 0.5, 2.5, -0.25, 3.0, 1e10, -1e300]);
        self.heap.push(Cell::Float(value))
    }

    fn atom(&mut self) -> Ref {
        let own: Vec<&SmolStr> = self.vocabulary.atoms.iter().filter(|a| *a != NIL).collect();
        if self.random.chance(50) && !own.is_empty() {
            let name = (*self.random.pick(&own)).clone();
            return self.heap.push(Cell::Atom(name));
        }
        let name = *self
            .random
            .pick(&["a", "b", "c", "foo", "x", "hello world", "Z", "{}", "nil"]);
        self.heap.atom(name)
    }

    fn list(&mut self, element: &Type, depth: usize) -> Ref {
        let most = if depth == 0 {
            self.scale + 1
        } else {
            self.scale.min(4) + 1
        };
        let length = if self.random.chance(8) {
            0
        } else {
            self.random.below(most + 1)
        };
        self.list_of_length(element, depth, length)
    }

    fn list_of_length(&mut self, element: &Type, depth: usize, length: usize) -> Ref {
        let mut elements: Vec<Ref> = Vec::new();
        let equal = self.random.chance(15);
        let small = self.random.chance(30);
        for i in 0..length {
            let again = (equal && i > 0) || (small && i > 1 && self.random.chance(70));
            let next = if again {
                elements[self.random.below(i)]
            } else {
                self.term(element, depth + 1)
            };
            elements.push(next);
        }
        if self.random.chance(30) {
            elements.sort_by(|&a, &b| self.heap.compare(a, b).unwrap());
            if self.random.chance(50) {
                elements.reverse();
            }
        }
        self.heap.list(&elements, None)
    }

    /// A bound term: constants, structures, lists, near-lists; with variables inside unless it must be ground.
    fn structure(&mut self, depth: usize, ground: bool) -> Ref {
        if depth < 2 && !self.vocabulary.functors.is_empty() && self.random.chance(45 - 20 * depth)
        {
            return self.tree(ground);
        }
        let leaf = depth > 3 || self.random.chance(15 + 10 * depth);
        let inner = if ground { Type::Ground } else { Type::Any };
        match self.random.below(if leaf { 5 } else { 12 }) {
            0 => self.integer(),
            1 => self.atom(),
            2 => self.heap.atom(NIL),
            3 => self.float(),
            4 => {
                let text = *self.random.pick(&["", "ab", "foo"]);
                self.heap.push(Cell::Str(SmolStr::new(text)))
            }
            5..8 if !self.vocabulary.functors.is_empty() => {
                let (name, arity) = self.random.pick(&self.vocabulary.functors).clone();
                let arguments: Vec<Ref> =
                    (0..arity).map(|_| self.term(&inner, depth + 1)).collect();
                self.heap.compound(&name, &arguments)
            }
            8 => {
                // A list whose end is no list, or one to be completed.
                let (head, tail) = (self.term(&inner, depth + 1), self.term(&inner, depth + 2));
                self.heap.compound(CONS, &[head, tail])
            }
            9 => {
                let (key, value) = (self.term(&inner, depth + 1), self.term(&inner, depth + 1));
                self.heap.compound("-", &[key, value])
            }
            10 => {
                let argument = self.term(&inner, depth + 1);
                self.heap.compound("f", &[argument])
            }
            _ => self.list(&inner, depth + 1),
        }
    }
}

/// How the nodes of a tree hang together.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Every node below the first place of the one before.
    First,
    /// Every node below the last place.
    Last,
    /// As flat as can be.
    Balanced,
    /// By chance.
    Any,
}

impl Generator<'_> {
    /// A term of a type that the program defines: as large as the call's terms are to be, degenerate or bushy.
    fn defined(&mut self, types: &Rc<Types>, name: &SmolStr) -> Ref {
        let shape = *self
            .random
            .pick(&[Shape::First, Shape::Last, Shape::Balanced, Shape::Any]);
        let mut left = self.random.below(2 * self.scale + 2);
        let root = self.heap.var();
        let mut waiting = std::collections::VecDeque::from([(name.clone(), root)]);
        loop {
            let next = match shape {
                Shape::Balanced => waiting.pop_front(),
                _ => waiting.pop_back(),
            };
            let Some((name, at)) = next else {
                return root;
            };
            let recurs = |f: &Form| match f {
                Form::Compound(_, parts) => parts.iter().any(|p| !matches!(p, Part::Other(_))),
                _ => false,
            };
            let forms = &types.0[&name];
            let (more, ends): (Vec<&Form>, Vec<&Form>) = forms.iter().partition(|f| recurs(f));
            let goes_on = !more.is_empty() && (ends.is_empty() || left > 0);
            let form = (*self.random.pick(if goes_on { &more } else { &ends })).clone();
            left = left.saturating_sub(1);
            let made = match form {
                Form::Constant(cell) => self.heap.push(cell),
                Form::Other(ty) => self.term(&ty, 1),
                Form::Compound(functor, parts) => {
                    // A degenerate term has one part that goes on; the others end at once.
                    let named: Vec<usize> = (0..parts.len())
                        .filter(|&i| matches!(parts[i], Part::Named(_)))
                        .collect();
                    let spine = match shape {
                        Shape::First => named.first().copied(),
                        Shape::Last => named.last().copied(),
                        _ => None,
                    };
                    let arguments: Vec<Ref> = (parts.iter().enumerate())
                        .map(|(i, part)| match part {
                            Part::Named(n) if spine.is_some() && spine != Some(i) => {
                                self.smallest(types, n)
                            }
                            Part::Named(n) => {
                                let hole = self.heap.var();
                                waiting.push_back((n.clone(), hole));
                                hole
                            }
                            Part::ListOf(n) => {
                                let elements: Vec<Ref> = (0..self.random.below(3))
                                    .map(|_| self.smallest(types, n))
                                    .collect();
                                self.heap.list(&elements, None)
                            }
                            Part::Other(ty) => self.term(ty, 2),
                        })
                        .collect();
                    self.heap.compound(&functor, &arguments)
                }
            };
            self.heap.bind(at, made);
        }
    }

    /// A term of a defined type that ends at once, where the type has one.
    fn smallest(&mut self, types: &Rc<Types>, name: &SmolStr) -> Ref {
        let forms = &types.0[name];
        let end = (forms.iter()).find(|f| match f {
            Form::Compound(_, parts) => parts.iter().all(|p| !matches!(p, Part::Named(_))),
            _ => true,
        });
        match end {
            Some(Form::Constant(cell)) => self.heap.push(cell.clone()),
            Some(Form::Other(ty)) => self.term(ty, 2),
            Some(Form::Compound(functor, parts)) => {
                let arguments: Vec<Ref> = (parts.iter())
                    .map(|part| match part {
                        Part::Other(ty) => self.term(ty, 3),
                        Part::Named(_) | Part::ListOf(_) => self.heap.atom(NIL),
                    })
                    .collect();
                self.heap.compound(functor, &arguments)
            }
            None => self.atom(),
        }
    }

    /// A tree of one functor of the program: degenerate or balanced, leaves alike. Terms by chance are hardly ever what a
    /// program over trees takes apart.
    fn tree(&mut self, ground: bool) -> Ref {
        let (name, arity) = self.random.pick(&self.vocabulary.functors).clone();
        if arity == 0 || name == CONS {
            return self.atom();
        }
        let leaf = if ground || self.random.chance(90) {
            self.atom()
        } else {
            self.heap.var()
        };
        let below: Vec<usize> = match self.random.below(3) {
            0 => vec![0, arity - 1],
            1 => (0..arity).collect(),
            _ => vec![self.random.below(arity), self.random.below(arity)],
        };
        let shape = *self
            .random
            .pick(&[Shape::First, Shape::Last, Shape::Balanced, Shape::Any]);
        // Trees that wait to be hung below a node.
        let mut waiting = std::collections::VecDeque::new();
        for _ in 0..1 + self.random.below(2 * self.scale + 2) {
            let inner = self.random.below(below.len());
            let arguments: Vec<Ref> = (0..arity)
                .map(|i| {
                    if !below.contains(&i) {
                        return self.integer();
                    }
                    let here = match shape {
                        Shape::First => i == below[0],
                        Shape::Last => Some(&i) == below.last(),
                        Shape::Balanced => waiting.len() > 2,
                        Shape::Any => i == below[inner],
                    };
                    (here.then(|| waiting.pop_front()).flatten()).unwrap_or(leaf)
                })
                .collect();
            waiting.push_back(self.heap.compound(&name, &arguments));
        }
        waiting.pop_back().unwrap_or(leaf)
    }
}

/// The size of a term under a metric; `None` where the metric does not measure it.
pub(crate) fn size(heap: &mut Heap, metric: &str, term: Ref) -> Option<BigInt> {
    match metric {
        "length" => {
            let (elements, rest) = heap.elements(term).unwrap();
            heap.is_atom(rest, NIL)
                .then(|| BigInt::from(elements.len()))
        }
        "int" => match heap.value(term) {
            Cell::Int(n) => Some(n.clone()),
            _ => None,
        },
        "size" | "depth" => {
            let (mut nodes, mut deepest, mut stack) = (0_usize, 0, vec![(term, 0)]);
            while let Some((at, depth)) = stack.pop() {
                nodes += 1;
                deepest = deepest.max(depth);
                if let Cell::Compound(_, start, arity) = *heap.value(at) {
                    stack.extend((start..start + arity).map(|a| (a, depth + 1)));
                }
            }
            Some(BigInt::from(if metric == "size" { nodes } else { deepest }))
        }
        _ => None,
    }
}

/// The largest element of a proper list under a metric; `None` where there is none.
pub(crate) fn element_size(heap: &mut Heap, metric: &str, list: Ref) -> Option<BigInt> {
    let (elements, rest) = heap.elements(list).unwrap();
    if !heap.is_atom(rest, NIL) {
        return None;
    }
    let sizes: Option<Vec<BigInt>> = elements
        .into_iter()
        .map(|e| size(heap, metric, e))
        .collect();
    sizes?.into_iter().max()
}
