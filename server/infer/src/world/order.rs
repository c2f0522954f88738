//! Comparisons, used to check that the answers about the order of numbers are consistent.
//!
//! `kind(C, low) :- C =< 57. kind(C, high) :- C >= 97.` queries how `C` compares with two numbers. No call belongs to a world in which `C`
//! is at most 57 and at least 97. Each answer limits the difference of two values: it is at most, or less than, a number. Answers
//! contradict each other if the differences along a cycle have a negative sum (Bellman 1958).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Rat};
use num_bigint::BigInt;
use num_traits::Zero;
use smol_str::{SmolStr, format_smolstr};

use super::questions::{Answer, Question};
use crate::lattice::types::Metric;
use crate::summary::node::Node;

/// The maximum number of values that are compared with each other.
const MOST_VALUES: usize = 24;

/// An upper limit on a difference: a number, which is exclusive if the second component is negative.
type DifferenceLimit = (BigInt, i64);

/// Returns whether some numbers are consistent with all answers about their order. Numbers that are sizes of the node must also be
/// consistent with the region.
pub(crate) fn are_in_order(
    answers: &BTreeMap<Question, Answer>,
    node: &Node,
    region: &Region,
) -> bool {
    let mut limits = Differences::default();
    for (question, answer) in answers {
        if let Question::Numbers { a, b, total } = question {
            // A float and a large integer are compared as floats, which does not order them relative to other numbers.
            if !total && !is_small(a) && !is_small(b) {
                continue;
            }
            // Different integers differ by at least 1.
            let less = match total {
                true => (BigInt::from(-1), 0),
                false => (BigInt::zero(), -1),
            };
            limits.add(a, b, answer, less);
        }
    }
    // `code(C, [C|R], R) :- C >= 97. code(95, [95|R], R).`: an element equal to 95 is less than 97.
    for (question, answer) in answers {
        if let (Question::Shape { key }, Answer::Is(constant)) = (question, answer)
            && limits.values.contains_key(key)
            && constant.parse::<BigInt>().is_ok()
        {
            limits.add(key, constant, &Answer::Same, (BigInt::zero(), 0));
        }
    }
    limits.add_sizes(node, region);
    limits.fit()
}

/// Returns whether a key denotes an integer that a float can represent exactly.
fn is_small(key: &str) -> bool {
    let number = key.parse::<i64>();
    number.is_ok_and(|n| n.unsigned_abs() < 1 << f64::MANTISSA_DIGITS)
}

/// Limits on `x - y` for values by number; value 0 is the constant 0.
#[derive(Default)]
struct Differences {
    values: BTreeMap<SmolStr, usize>,
    limits: Vec<(usize, usize, DifferenceLimit)>,
}

impl Differences {
    fn add(&mut self, a: &SmolStr, b: &SmolStr, answer: &Answer, less: DifferenceLimit) {
        let (a, b) = (self.value(a), self.value(b));
        let equal = (BigInt::zero(), 0);
        match answer {
            Answer::Less => self.limits.push((a, b, less)),
            Answer::Greater => self.limits.push((b, a, less)),
            Answer::Same => {
                self.limits.push((a, b, equal.clone()));
                self.limits.push((b, a, equal));
            }
            _ => {}
        }
    }

    /// Adds the order of the node's sizes that are among the values, relative to each other and to 0.
    fn add_sizes(&mut self, node: &Node, region: &Region) {
        let mut sizes = vec![(0, Expr::zero())];
        for param in &node.params {
            let key = format_smolstr!("a{}", param.slot.argument + 1);
            if let (Some(&value), Metric::Int, true) = (
                self.values.get(&key),
                param.slot.metric,
                param.slot.is_plain(),
            ) {
                sizes.push((value, Expr::var(param.var)));
            }
        }
        for (i, (x, one)) in sizes.iter().enumerate() {
            for (y, other) in &sizes[..i] {
                let (least, most) = region.bounds(&(one - other));
                let limit = |bound: Rat| (bound.floor().to_integer(), 0);
                self.limits.extend(most.map(|most| (*x, *y, limit(most))));
                self.limits
                    .extend(least.map(|least| (*y, *x, limit(-least))));
            }
        }
    }

    /// Returns the number of a value. Limits fix the values of integer constants.
    fn value(&mut self, key: &SmolStr) -> usize {
        let next = self.values.len() + 1;
        if let Some(&known) = self.values.get(key) {
            return known;
        }
        self.values.insert(key.clone(), next);
        if let Ok(number) = key.parse::<BigInt>() {
            self.limits.push((next, 0, (number.clone(), 0)));
            self.limits.push((0, next, (-number, 0)));
        }
        next
    }

    /// Returns whether no cycle of differences has a negative sum.
    fn fit(&self) -> bool {
        let count = self.values.len() + 1;
        // A contradiction needs at least two answers, or one answer and an integer constant.
        if self.limits.len() < 2 || count > MOST_VALUES {
            return true;
        }
        let mut least: Vec<DifferenceLimit> = vec![(BigInt::zero(), 0); count];
        for _ in 0..count {
            let mut changed = false;
            for (x, y, limit) in &self.limits {
                // x is at most y plus the limit.
                let most = (&least[*y].0 + &limit.0, least[*y].1 + limit.1);
                if most.cmp(&least[*x]) == Ordering::Less {
                    least[*x] = most;
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::types::Pattern;
    use crate::report::Functor;
    use crate::summary::node::Called;

    fn are_in_order(answers: &BTreeMap<Question, Answer>) -> bool {
        let calls = Called::matching(Functor::new("p", 0), Pattern(Vec::new()));
        let node = Node::new(calls, None, &mut || costlens_algebra::Var(0));
        super::are_in_order(answers, &node, &Region::default())
    }

    fn numbers(a: &str, b: &str, total: bool) -> Question {
        Question::Numbers {
            a: a.into(),
            b: b.into(),
            total,
        }
    }

    #[test]
    fn answers_that_no_number_fits_contradict_each_other() {
        let below = |n: &str, total| (numbers("a1.h", n, total), Answer::Less);
        let above = |n: &str, total| (numbers("a1.h", n, total), Answer::Greater);
        assert!(!are_in_order(
            &[below("32", true), above("97", true)].into()
        ));
        assert!(are_in_order(&[below("97", true), above("32", true)].into()));
        // No integer lies between two neighbouring integers, but a fraction does.
        assert!(!are_in_order(&[below("3", true), above("2", true)].into()));
        assert!(are_in_order(&[below("3", false), above("2", false)].into()));
        assert!(!are_in_order(
            &[below("-3", false), above("-3", true)].into()
        ));
        let same = (numbers("a1.h", "5", true), Answer::Same);
        assert!(!are_in_order(&[same.clone(), above("7", true)].into()));
        assert!(are_in_order(&[same, above("4", true)].into()));
    }

    #[test]
    fn a_value_that_is_an_integer_compares_as_that() {
        let is = |n: &str| (Question::Shape { key: "a1.h".into() }, Answer::Is(n.into()));
        let above = |n: &str| (numbers("a1.h", n, true), Answer::Greater);
        assert!(!are_in_order(&[is("95"), above("97")].into()));
        assert!(are_in_order(&[is("98"), above("97")].into()));
        assert!(are_in_order(&[is("'98'"), above("97")].into()));
    }

    #[test]
    fn the_order_of_integers_is_transitive() {
        let less = |a: &str, b: &str, total| (numbers(a, b, total), Answer::Less);
        let circle = |total| {
            let all = [("a1", "a2"), ("a2", "a3"), ("a3", "a1")];
            all.map(|(a, b)| less(a, b, total)).into()
        };
        assert!(!are_in_order(&circle(true)));
        // 2⁵³ equals 2.0⁵³, and so does 2⁵³+1.
        assert!(are_in_order(&circle(false)));
        let chain = [("a1", "a2"), ("a2", "a3"), ("a1", "a3")];
        assert!(are_in_order(&chain.map(|(a, b)| less(a, b, true)).into()));
        let large = "9007199254740993";
        let above = (numbers("a1", large, false), Answer::Greater);
        assert!(are_in_order(&[less("a1", "5", false), above].into()));
    }
}
