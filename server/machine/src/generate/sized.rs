//! Terms of an exact size. Each constant, functor or variable counts 1.
//!
//! The possible sizes of a type's terms are computed from its definition in increasing order: a form `t(L, X, R)` has size
//! `1 + |L| + |X| + |R|`, so that trees with labels of size 1 have sizes 1, 4, 7, …. A size is then divided among the subterms in a
//! possible way. Sizes beyond the table are first reduced along one branch.

use std::sync::Arc;

use costlens_syntax::assertions::OpaqueName;
use costlens_syntax::term::{CONS, NIL, TermId};
use smol_str::SmolStr;

use super::family::Family;
use super::structures::{Plan, TreeShape};
use super::types::{Form, Type};
use super::{Generator, MOST_NODES};

/// The largest size in the table of possible sizes.
const TABLE: usize = 48;

impl Generator<'_> {
    /// Generates a term of a type with this number of nodes. Returns `None` if there is no such term or none is found.
    pub(super) fn term_of_size(&mut self, ty: &Type, size: usize) -> Option<TermId> {
        if size == 0 || size > MOST_NODES {
            return None;
        }
        let mut possible = Possible::compute(ty, size.min(TABLE));
        let shape = self.shape();
        let mut plan = Plan::default();
        let mut waiting = vec![(ty.clone(), size, plan.place())];
        while let Some((ty, size, at)) = waiting.pop() {
            match &ty {
                _ if size == 1 => {
                    let leaf = self.leaf(&ty)?;
                    plan.put(at, leaf);
                }
                Type::Ground | Type::Nonvar | Type::Any => {
                    let (name, arity) = self.node(size);
                    let first = plan.structure(at, name, arity);
                    let sizes = self.divide(size - 1, arity, shape);
                    let inner = if ty == Type::Ground {
                        Type::Ground
                    } else {
                        Type::Any
                    };
                    for (i, size) in sizes.into_iter().enumerate() {
                        waiting.push((inner.clone(), size, first + i));
                    }
                }
                Type::List(element) => {
                    let parts = [(**element).clone(), ty.clone()];
                    let sizes = self.divide_among(&mut possible, &parts, size - 1, shape)?;
                    let first = plan.structure(at, CONS.into(), 2);
                    for (i, (part, size)) in parts.into_iter().zip(sizes).enumerate() {
                        waiting.push((part, size, first + i));
                    }
                }
                Type::Defined(types, name) => {
                    let mut forms: Vec<&Form> = types.forms(name).iter().collect();
                    self.random.shuffle(&mut forms);
                    let found = forms.into_iter().find_map(|form| match form {
                        Form::Compound(functor, parts) => {
                            let parts: Vec<Type> = parts.iter().map(|p| p.resolve(types)).collect();
                            let sizes =
                                self.divide_among(&mut possible, &parts, size - 1, shape)?;
                            Some((functor.clone(), parts, sizes))
                        }
                        _ => None,
                    });
                    match found {
                        Some((functor, parts, sizes)) => {
                            let first = plan.structure(at, functor, parts.len());
                            for (i, (part, size)) in parts.into_iter().zip(sizes).enumerate() {
                                waiting.push((part, size, first + i));
                            }
                        }
                        None => {
                            let ground = Form::Other(Type::Ground);
                            types.forms(name).iter().find(|f| **f == ground)?;
                            waiting.push((Type::Ground, size, at));
                        }
                    }
                }
                _ => return None,
            }
        }
        Some(plan.build(self))
    }

    /// Generates a term of size 1.
    fn leaf(&mut self, ty: &Type) -> Option<TermId> {
        Some(match ty {
            Type::Int => self.integer(),
            Type::Number => self.number(),
            Type::Atom => self.atom(),
            Type::String | Type::AtomOrString => self.text(ty),
            Type::Nil | Type::List(_) => self.terms.atom(NIL),
            Type::Ground | Type::Nonvar => self.constant(),
            Type::Opaque(name, contents) => self.opaque_of_size(*name, contents, 0),
            Type::Free => self.variable(),
            Type::Any if self.family == Family::Partial || self.random.chance(10) => {
                self.variable()
            }
            Type::Any => self.constant(),
            Type::Defined(types, name) => {
                let forms: Vec<&Form> = (types.forms(name).iter())
                    .filter(|f| match f {
                        Form::Compound(_, parts) => parts.is_empty(),
                        _ => true,
                    })
                    .collect();
                if forms.is_empty() {
                    return None;
                }
                match *self.random.pick(&forms) {
                    Form::Constant(constant) => self.terms.push(constant.clone()),
                    Form::Compound(name, _) => self.terms.atom(name.clone()),
                    Form::Other(ty) => {
                        let ty = ty.clone();
                        return match ty {
                            Type::Defined(..) => None,
                            simple => self.leaf(&simple),
                        };
                    }
                }
            }
        })
    }

    /// Picks a functor for the root of a term of this size, which is at least 2: a functor of the program, the list functor, or another
    /// functor.
    fn node(&mut self, size: usize) -> (SmolStr, usize) {
        let own: Vec<(SmolStr, usize)> = (self.vocabulary.functors.iter())
            .filter(|(_, arity)| (1..size).contains(arity))
            .cloned()
            .collect();
        if !own.is_empty() && self.family != Family::Foreign && self.random.chance(70) {
            return self.random.pick(&own).clone();
        }
        match size {
            2 => ("f".into(), 1),
            _ if self.random.chance(50) => (CONS.into(), 2),
            _ => (if self.random.chance(50) { "-" } else { "f" }.into(), 2),
        }
    }

    /// Divides a sum, which is at least `many`, into `many` positive numbers.
    fn divide(&mut self, sum: usize, many: usize, shape: TreeShape) -> Vec<usize> {
        let mut sizes = vec![1; many];
        let left = sum - many;
        match shape {
            TreeShape::First => sizes[0] += left,
            TreeShape::Last => sizes[many - 1] += left,
            TreeShape::Balanced => {
                for (i, size) in sizes.iter_mut().enumerate() {
                    *size += left / many + usize::from(i < left % many);
                }
            }
            TreeShape::Any => {
                let mut left = left;
                for size in sizes.iter_mut().skip(1) {
                    let more = self.random.below(left + 1);
                    *size += more;
                    left -= more;
                }
                sizes[0] += left;
            }
        }
        sizes
    }

    /// Divides a sum into possible sizes for terms of these types.
    fn divide_among(
        &mut self,
        possible: &mut Possible,
        types: &[Type],
        sum: usize,
        shape: TreeShape,
    ) -> Option<Vec<usize>> {
        if sum > TABLE {
            return self.leave_most(possible, types, sum, shape);
        }
        // sums[j]: the possible total sizes of the first j parts.
        let mut sums = vec![vec![false; sum + 1]; types.len() + 1];
        sums[0][0] = true;
        for (j, ty) in types.iter().enumerate() {
            let of_part = possible.sizes(ty).to_vec();
            for total in 0..=sum {
                sums[j + 1][total] = (0..=total)
                    .any(|s| sums[j][total - s] && of_part.get(s).copied().unwrap_or(false));
            }
        }
        let (mut sizes, mut left) = (vec![0; types.len()], sum);
        if !sums[types.len()][left] {
            return None;
        }
        for (j, ty) in types.iter().enumerate().rev() {
            let of_part = possible.sizes(ty);
            let fitting: Vec<usize> = (0..=left)
                .filter(|&s| of_part.get(s).copied().unwrap_or(false) && sums[j][left - s])
                .collect();
            let even = left / (j + 1);
            sizes[j] = match shape {
                TreeShape::First => *fitting.first()?,
                TreeShape::Last => *fitting.last()?,
                TreeShape::Balanced => *fitting.iter().min_by_key(|s| s.abs_diff(even))?,
                TreeShape::Any => *fitting.get(self.random.below(fitting.len()))?,
            };
            left -= sizes[j];
        }
        Some(sizes)
    }

    /// Makes all parts except one as small as possible, and gives the rest to this part.
    fn leave_most(
        &mut self,
        possible: &Possible,
        types: &[Type],
        sum: usize,
        shape: TreeShape,
    ) -> Option<Vec<usize>> {
        let mut sizes = Vec::new();
        for ty in types {
            sizes.push(possible.sizes(ty).iter().position(|p| *p)?);
        }
        let on: Vec<usize> = (0..types.len())
            .filter(|&i| possible.goes_on(&types[i]))
            .collect();
        let one = match shape {
            TreeShape::First => *on.first()?,
            TreeShape::Last => *on.last()?,
            _ => *on.get(self.random.below(on.len()))?,
        };
        let others: usize = sizes.iter().sum::<usize>() - sizes[one];
        sizes[one] = sum.checked_sub(others)?;
        Some(sizes)
    }
}

/// The possible sizes of terms of a type and of the types of its parts.
struct Possible {
    types: Vec<Type>,
    sizes: Vec<Vec<bool>>,
}

impl Possible {
    /// Computes the possible sizes up to a maximum.
    fn compute(ty: &Type, most: usize) -> Self {
        let mut found = Self {
            types: vec![ty.clone()],
            sizes: Vec::new(),
        };
        let mut next = 0;
        while let Some(ty) = found.types.get(next).cloned() {
            next += 1;
            let parts: Vec<Type> = match &ty {
                Type::List(element) => vec![(**element).clone()],
                Type::Defined(types, name) => (types.forms(name).iter())
                    .flat_map(|form| parts_of(form, types))
                    .collect(),
                _ => Vec::new(),
            };
            for part in parts {
                if found.place(&part).is_none() {
                    found.types.push(part);
                }
            }
        }
        found.sizes = vec![vec![false; most + 1]; found.types.len()];
        for size in 1..=most {
            for i in 0..found.types.len() {
                let is_possible = found.has(&found.types[i], size);
                found.sizes[i][size] = is_possible;
            }
            // `expr(X) :- int(X).` depends on other types at the same size, for which the result is already known.
            for i in 0..found.types.len() {
                let is_possible = found.has(&found.types[i], size);
                found.sizes[i][size] |= is_possible;
            }
        }
        found
    }

    fn place(&self, ty: &Type) -> Option<usize> {
        self.types.iter().position(|t| t == ty)
    }

    fn sizes(&self, ty: &Type) -> &[bool] {
        self.place(ty).map_or(&[], |i| &self.sizes[i])
    }

    /// Returns whether the table suggests that sizes are unbounded.
    fn goes_on(&self, ty: &Type) -> bool {
        let sizes = self.sizes(ty);
        sizes[sizes.len() / 2..].contains(&true)
    }

    /// Returns whether a term of the size exists, based on the results for smaller sizes.
    fn has(&self, ty: &Type, size: usize) -> bool {
        match ty {
            Type::Int
            | Type::Number
            | Type::Atom
            | Type::String
            | Type::AtomOrString
            | Type::Nil
            | Type::Free => size == 1,
            Type::Ground | Type::Nonvar | Type::Any => true,
            // A leaf; an empty red-black tree is a compound.
            Type::Opaque(name, _) => size == 1 && *name == OpaqueName::Assoc,
            Type::List(element) => {
                size == 1 || self.sum_to(&[(**element).clone(), ty.clone()], size - 1)
            }
            Type::Defined(types, name) => (types.forms(name).iter()).any(|form| match form {
                Form::Constant(_) => size == 1,
                Form::Other(ty) => self.sizes(ty).get(size).copied().unwrap_or(false),
                Form::Compound(..) => self.sum_to(&parts_of(form, types), size - 1),
            }),
        }
    }

    /// Returns whether terms of these types can have this total size.
    fn sum_to(&self, types: &[Type], sum: usize) -> bool {
        let mut sums = vec![false; sum + 1];
        sums[0] = true;
        for ty in types {
            let of_part = self.sizes(ty);
            let with = |total: usize| {
                (1..=total).any(|s| sums[total - s] && of_part.get(s).copied().unwrap_or(false))
            };
            sums = (0..=sum).map(with).collect();
        }
        sums[sum]
    }
}

/// Returns the types of the parts of a form's terms. If the form is another type, it is the only part.
fn parts_of(form: &Form, types: &Arc<super::Types>) -> Vec<Type> {
    match form {
        Form::Compound(_, parts) => parts.iter().map(|p| p.resolve(types)).collect(),
        Form::Other(ty) => vec![ty.clone()],
        Form::Constant(_) => Vec::new(),
    }
}
