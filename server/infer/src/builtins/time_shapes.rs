//! The growth of the run time of built-ins with their arguments: `time` lines in the catalogue records.
//!
//! ```text
//! msort/2   c anywhere machine step usual=l-
//!   time (?A, ?B) = length(A)*log2(length(A))
//! ```
//!
//! A built-in takes no resolution steps, however large its input. Time bounds must therefore distinguish built-ins whose time depends on
//! their arguments: a constant cost per call would be wrong for them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::report::Functor;
use costlens_catalog::time_assertions;
use costlens_syntax::assertions::{
    Argument, Assertion, CostFunction, CostNode, CostTerm, DeclaredType, Mode, Property,
    SizeMetric, assertions,
};
use costlens_syntax::read_text;

/// The growth of run time for some calls of a built-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeShape {
    /// The modes of the calls to which the shape applies; empty if the shape applies to all calls.
    pub modes: Vec<Option<Mode>>,
    /// The index of the argument that must be a literal format without directives whose time the other arguments do not bound; `None` if
    /// the shape requires no format.
    pub format: Option<usize>,
    /// The time is in O of this order.
    pub order: CostTerm,
}

/// The kind of growth of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Arguments do not affect the bound.
    Constant,
    /// The time grows with the sizes of arguments.
    Sizes,
    /// The arguments do not bound the time.
    Unbounded,
}

impl TimeShape {
    /// Returns the kind of growth.
    #[must_use]
    pub fn growth(&self) -> Growth {
        let nodes = &self.order.nodes;
        if nodes.iter().any(|n| matches!(n, CostNode::Infinite)) {
            Growth::Unbounded
        } else if nodes.iter().any(|n| matches!(n, CostNode::Size(..))) {
            Growth::Sizes
        } else {
            Growth::Constant
        }
    }

    /// Returns the text of the function, with the given argument names: `length(List)*log2(length(List))`.
    #[must_use]
    pub fn function(&self, names: &[&str]) -> String {
        let mut written: Vec<String> = Vec::with_capacity(self.order.nodes.len());
        for node in &self.order.nodes {
            let text = match node {
                CostNode::Size(metric, argument) => {
                    let letter = letter(*argument).to_string();
                    let name = names.get(*argument).copied().unwrap_or(&letter);
                    let metric = metric.map_or("size", SizeMetric::name);
                    format!("{metric}({name})")
                }
                CostNode::Number(n, d) if *d == 1.into() => n.to_string(),
                CostNode::Apply(function, parts) => {
                    let parts: Vec<&str> = (parts.iter())
                        .filter_map(|&p| written.get(p).map(String::as_str))
                        .collect();
                    applied(*function, &parts)
                }
                _ => String::new(),
            };
            written.push(text);
        }
        written.pop().unwrap_or_default()
    }
}

/// Returns `A`, `B`, … for arguments without names.
fn letter(argument: usize) -> char {
    u8::try_from(argument).map_or('_', |i| char::from(b'A'.saturating_add(i)))
}

fn applied(function: CostFunction, parts: &[&str]) -> String {
    use CostFunction as F;
    let bracketed = |part: &str| {
        let sum = part.contains(['+', '-']);
        if sum {
            format!("({part})")
        } else {
            part.to_owned()
        }
    };
    match (function, parts) {
        (F::Add, [a, b]) => format!("{a}+{b}"),
        // Constant factors do not affect the growth.
        (F::Multiply, [a, b]) if a.parse::<u64>().is_ok() => (*b).to_owned(),
        (F::Multiply, [a, b]) => format!("{}*{}", bracketed(a), bracketed(b)),
        (F::Logarithm2, [a]) => format!("log2({a})"),
        (F::Minimum, parts) => format!("min({})", parts.join(", ")),
        (F::Maximum, parts) => format!("max({})", parts.join(", ")),
        (_, parts) => format!("?({})", parts.join(", ")),
    }
}

static SHAPES: LazyLock<BTreeMap<Functor, Vec<TimeShape>>> = LazyLock::new(|| {
    let mut found: BTreeMap<Functor, Vec<TimeShape>> = BTreeMap::new();
    let text = time_assertions();
    for assertion in assertions(&text, &read_text(&text)).list {
        let functor = Functor::new(assertion.name.clone(), assertion.arity);
        if let Some(shape) = shape(&assertion) {
            found.entry(functor).or_default().push(shape);
        }
    }
    found
});

fn shape(assertion: &Assertion) -> Option<TimeShape> {
    let order = assertion
        .properties
        .iter()
        .find_map(|p| match &p.property {
            Property::Cost(cost) if cost.resource == "time" => Some(cost.expression.clone()),
            _ => None,
        })?;
    let modes: Vec<Option<Mode>> = assertion.arguments.iter().map(|a| a.mode).collect();
    let is_format = |a: &Argument| matches!(&a.call, Some(DeclaredType::Named(name)) if name == "written_format");
    let of_all = modes.iter().all(|m| matches!(m, None | Some(Mode::Either)));
    Some(TimeShape {
        modes: if of_all { Vec::new() } else { modes },
        format: assertion.arguments.iter().position(is_format),
        order,
    })
}

/// Returns the time shapes of a built-in; shapes for particular modes come first. Returns an empty slice if the records contain none.
#[must_use]
pub fn time_shapes(name: &str, arity: usize) -> &'static [TimeShape] {
    let found = SHAPES.get(&Functor::new(name, arity));
    found.map_or(&[], Vec::as_slice)
}

/// Returns the first shape of a built-in whose time grows with its arguments.
pub fn growing(name: &str, arity: usize) -> Option<&'static TimeShape> {
    let mut shapes = time_shapes(name, arity).iter();
    shapes.find(|s| s.growth() != Growth::Constant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stated_built_ins;

    #[test]
    fn every_line_is_an_order_of_time() {
        let text = time_assertions();
        let read = assertions(&text, &read_text(&text));
        assert_eq!(read.errors, []);
        for assertion in &read.list {
            let shape = shape(assertion);
            let shape = shape.unwrap_or_else(|| panic!("{}/{}", assertion.name, assertion.arity));
            assert!(!shape.function(&[]).contains('?'), "{shape:?}");
        }
    }

    #[test]
    fn every_built_in_has_a_shape() {
        let without: Vec<String> = stated_built_ins()
            .filter(|f| time_shapes(&f.name, f.arity).is_empty())
            .map(ToString::to_string)
            .collect();
        assert!(without.is_empty(), "{without:?}");
    }

    #[test]
    fn what_reads_a_whole_term_or_list_is_not_constant() {
        for (name, arity) in [
            ("msort", 2),
            ("sort", 4),
            ("keysort", 2),
            ("atom_codes", 2),
            ("atomic_list_concat", 3),
            ("copy_term", 2),
            ("=..", 2),
            ("term_to_atom", 2),
            ("length", 2),
            ("findall", 3),
            ("==", 2),
        ] {
            assert!(growing(name, arity).is_some(), "{name}/{arity}");
        }
        assert_eq!(time_shapes("format", 3)[0].format, Some(1));
        assert_eq!(growing("b_setval", 2), None);
        assert_eq!(growing("read", 1).unwrap().growth(), Growth::Unbounded);
    }

    #[test]
    fn functions_are_written_with_the_names_of_arguments() {
        let sort = &time_shapes("msort", 2)[0];
        assert_eq!(
            sort.function(&["List", "Sorted"]),
            "length(List)*log2(length(List))"
        );
        let split = &time_shapes("split_string", 4)[0];
        assert_eq!(split.function(&[]), "length(A)*(length(B)+length(C)+1)");
        let format = &time_shapes("format", 2)[0];
        assert_eq!(format.function(&[]), "length(A)+size(B)");
        let arg = time_shapes("arg", 3);
        assert_eq!(arg[0].growth(), Growth::Constant);
        assert_eq!(arg[0].modes[0], Some(Mode::In));
    }
}
