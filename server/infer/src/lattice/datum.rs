//! Abstract values during the symbolic run of a clause.

use std::sync::Arc;

use costlens_algebra::{Expr, Rat, rat};
use smol_str::SmolStr;

use super::regular::Regular;
use super::size::Size;
use super::types::{Metric, Type};

/// A value: its type, its size in the type's metric, and a name for it as a function of the entry's arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Datum {
    pub(crate) ty: Type,
    pub(crate) size: Size,
    /// For a list whose elements have a metric, an upper bound on the element sizes.
    pub(crate) element: Option<Expr>,
    /// The number of occurrences of the counted constant or functor ([`crate::lattice::weight`]); `None` if unknown.
    pub(crate) weight: Option<Box<Size>>,
    /// The size of the value as a single ground term. It is kept for a ground term that `is_list/1` narrows to a list
    /// (`cnt([H|T], N) :- is_list(H), !, cnt(H, A), …`), and for a ground list that is a subterm.
    pub(crate) whole: Option<Box<Size>>,
    /// A name for the value: `a2.1` is the first argument of the second argument, `(a1-1)` a number computed from the first argument.
    /// Values with equal keys are equal in every clause of a call. Keys therefore show that guards of different clauses exclude each other
    /// (`X =< Y` in one clause of `insert/3`, `X > Y` in the next).
    pub(crate) key: Option<SmolStr>,
}

impl Datum {
    pub(crate) fn from_type(ty: Type) -> Self {
        let size = match ty.metric().and_then(Metric::least) {
            Some(least) => Size::at_least(least),
            None => Size::unknown(),
        };
        Datum {
            ty,
            size,
            element: None,
            weight: None,
            whole: None,
            key: None,
        }
    }

    pub(crate) fn any() -> Self {
        Self::from_type(Type::Any)
    }

    pub(crate) fn sized(ty: Type, size: Size) -> Self {
        Datum {
            ty,
            size,
            element: None,
            weight: None,
            whole: None,
            key: None,
        }
    }

    pub(crate) fn with_key(mut self, key: Option<SmolStr>) -> Self {
        self.key = key;
        self
    }

    /// Returns the value's size in a metric.
    pub(crate) fn measured(&self, metric: Metric) -> Size {
        if self.ty.metric() == Some(metric) {
            return self.size.clone();
        }
        match metric {
            Metric::Size => self.term_size(),
            // The number of characters in a written atom is known.
            Metric::Chars if self.ty == Type::Atom => Size {
                lower: (self.size.lower.clone()).or_else(|| Some(Expr::zero())),
                upper: self.size.upper.clone(),
            },
            // A list of k elements has k cells and `[]`, and each element counts at least one.
            Metric::Length if self.ty == Type::Ground => {
                let half = self.size.shifted(-1).scaled(&Rat::new(1.into(), 2.into()));
                Size {
                    upper: half.upper,
                    ..Size::at_least(0)
                }
            }
            _ => match metric.least() {
                Some(least) => Size::at_least(least),
                None => Size::unknown(),
            },
        }
    }

    pub(crate) fn with_weight(mut self, weight: Option<Size>) -> Self {
        self.weight = weight.map(Box::new);
        self
    }

    pub(crate) fn with_element(mut self, element: Option<Expr>) -> Self {
        self.element = element;
        self
    }

    /// Returns a bound on the element sizes in a metric, if one is known.
    pub(crate) fn element_bound(&self, metric: Metric) -> Option<Expr> {
        match &self.ty {
            Type::List(e) if **e == Type::None => Some(Expr::int(metric.least().unwrap_or(0))),
            own if own.element_metric() == Some(metric) => self.element.clone(),
            _ => None,
        }
    }

    /// Returns a size for a value that is or contains a variable; later bindings do not change this size ([`crate::regular`], "Sizes").
    pub(crate) fn label(&self) -> Size {
        match self.ty {
            Type::Any | Type::Nonvar => match self.size.as_exact() {
                Some(e) => Size::exact(e.clone()),
                None => Size::exact(Expr::int(1)),
            },
            Type::Free | Type::List(_) => Size::exact(Expr::int(1)),
            _ => self.measured(Metric::Size),
        }
    }

    /// Returns the size of a list of arbitrary elements as a subterm, with each element counted as a constant: elements have labels, and
    /// newly built ones may have any label ([`crate::regular`], "Sizes").
    pub(crate) fn spine(&self) -> Size {
        self.measured(Metric::Length).scaled(&rat(2)).shifted(1)
    }

    /// Returns a list with this size as a subterm: it has one cell per element, each of size at least 1, and `[]`.
    pub(crate) fn list_of_size(mut self, size: &Size) -> Self {
        let half = |without: i64| {
            let rest = size.shifted(-without);
            rest.scaled(&Rat::new(1.into(), 2.into())).upper
        };
        self.size = Size::between_zero_and(&half(1));
        self.element = match self.ty.element_metric() {
            Some(Metric::Size) => size.shifted(-2).upper,
            // The elements are themselves lists.
            Some(Metric::Length) => half(3),
            _ => None,
        };
        self.whole = (self.ty.is_ground()).then(|| Box::new(size.clone()));
        self
    }

    /// Returns the value with a type that the program defines, if the value is one of the type's constants (`l`).
    pub(crate) fn raised(self, regulars: &[Arc<Regular>]) -> Self {
        let of = (self.key.as_ref())
            .filter(|_| self.ty == Type::Atom)
            .and_then(|k| regulars.iter().find(|r| r.shape(k).is_some()));
        match of {
            Some(r) => Datum {
                ty: Type::Tree(Arc::clone(r)),
                size: Size::exact(Expr::int(1)),
                element: None,
                weight: self.weight,
                whole: None,
                key: self.key,
            },
            None => self,
        }
    }

    /// Returns whether the value has the argument type of a shape. A constant among the shapes counts as the type itself.
    pub(crate) fn fits(&self, ty: &Type) -> bool {
        match ty {
            Type::Tree(r) => {
                self.ty.is_within(ty)
                    || self.key.as_ref().is_some_and(|k| {
                        self.ty.metric() != Some(Metric::Int)
                            && r.shape(k).is_some_and(|s| s.args.is_empty())
                    })
            }
            Type::Any => true,
            _ => self.ty.is_within(ty),
        }
    }

    /// Returns the number of constants and functors in the value; for a list, this includes its cells and `[]`.
    fn term_size(&self) -> Size {
        if let Some(whole) = &self.whole {
            return Size::clone(whole);
        }
        match &self.ty {
            ty if ty.is_constant() => Size::exact(Expr::int(1)),
            Type::List(element) => {
                let spine = self.size.scaled(&rat(2)).shifted(1);
                match element.is_constant() {
                    true => spine,
                    false => Size {
                        upper: None,
                        ..spine
                    },
                }
            }
            Type::Opaque(opaque) => {
                let (each, beside) = opaque.symbols();
                let size = self.size.scaled(&rat(each + 2)).shifted(beside);
                match opaque.key.is_constant() && opaque.value.is_constant() {
                    true => size,
                    false => Size {
                        upper: None,
                        ..size
                    },
                }
            }
            _ => Size::at_least(1),
        }
    }

    /// Returns the value as a single ground term, if it was narrowed from one.
    pub(crate) fn into_whole(self) -> Self {
        match &self.whole {
            Some(whole) => Datum {
                ty: Type::Ground,
                size: Size::clone(whole),
                element: None,
                whole: None,
                ..self
            },
            None => self,
        }
    }

    /// Returns the value refined by a newly learnt type. If the value could contain variables before, the new knowledge may come from a
    /// binding made by this clause. The key describes the value at the call, so it is then dropped.
    pub(crate) fn refined(&self, ty: Type) -> Self {
        if ty == self.ty {
            return self.clone();
        }
        let size = match ty.metric() {
            // A value with variables has the size that it had at the entry, but after a binding the relevant size may differ: after
            // `T = node(_, V, _), V = G, ground(T)` the size of `T` includes that of `G`.
            Some(Metric::Size) if !self.ty.is_ground() => Size::at_least(1),
            Some(metric) => self.measured(metric),
            None => Size::unknown(),
        };
        let key = self.key.clone().filter(|_| self.ty.is_ground());
        let stays = |metric: &Metric| *metric != Metric::Size || self.ty.is_ground();
        let is_part = self.ty == Type::Ground && ty.element_metric() == Some(Metric::Size);
        let element = (ty.element_metric().filter(stays))
            .and_then(|m| self.element_bound(m))
            .or_else(|| self.size.upper.clone().filter(|_| is_part));
        let whole = match (&self.ty, &ty) {
            (Type::Ground, Type::List(_)) => Some(Box::new(self.size.clone())),
            (Type::List(_), Type::List(_)) => self.whole.clone(),
            _ => None,
        };
        Datum {
            ty,
            size,
            element,
            // A value that may have contained variables had no weight.
            weight: self.weight.clone().filter(|_| self.ty.is_ground()),
            whole,
            key,
        }
    }
}
