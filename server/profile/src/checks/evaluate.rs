//! Evaluates asserted expressions at the sizes of a call.

use costlens_syntax::assertions::{CostFunction, CostNode, CostTerm, SizeMetric};

/// The maximum number of terms of sums and products that are evaluated.
const MOST_TERMS: u32 = 100_000;
/// The maximum nesting of sums, and of expression nodes.
const DEEPEST: usize = 200;

/// Returns the value of an expression, or `None` if a size is unknown, or the value is undefined or very large. `size` returns the size of
/// an argument, numbered from 0.
pub(super) fn value(
    term: &CostTerm,
    size: &dyn Fn(Option<SizeMetric>, usize) -> Option<f64>,
) -> Option<f64> {
    let mut evaluation = Evaluation {
        term,
        size,
        indices: Vec::new(),
        left: MOST_TERMS,
    };
    let whole = term.nodes.len().checked_sub(1)?;
    evaluation.node(whole, 0).filter(|v| !v.is_nan())
}

struct Evaluation<'t> {
    term: &'t CostTerm,
    size: &'t dyn Fn(Option<SizeMetric>, usize) -> Option<f64>,
    /// The index variables in scope, with their values.
    indices: Vec<(u32, f64)>,
    left: u32,
}

impl Evaluation<'_> {
    fn node(&mut self, number: usize, depth: usize) -> Option<f64> {
        if depth > DEEPEST {
            return None;
        }
        let term = self.term;
        match term.nodes.get(number)? {
            CostNode::Number(numerator, denominator) => {
                let of = |n: String| n.parse::<f64>().ok();
                Some(of(numerator.to_string())? / of(denominator.to_string())?)
            }
            CostNode::Infinite => Some(f64::INFINITY),
            CostNode::Size(metric, argument) => (self.size)(*metric, *argument),
            // A run does not keep what a call of something named would take.
            CostNode::Parameter(_) => None,
            CostNode::Index(index) => {
                let known = self.indices.iter().rev().find(|(i, _)| i == index);
                known.map(|&(_, value)| value)
            }
            CostNode::Apply(function @ (CostFunction::Sum | CostFunction::Product), arguments) => {
                self.repeated(*function, arguments, depth + 1)
            }
            CostNode::Apply(function, arguments) => {
                let first = self.node(*arguments.first()?, depth + 1)?;
                let second = match arguments.get(1) {
                    Some(&second) => Some(self.node(second, depth + 1)?),
                    None => None,
                };
                apply(*function, first, second)
            }
        }
    }

    fn repeated(
        &mut self,
        function: CostFunction,
        arguments: &[usize],
        depth: usize,
    ) -> Option<f64> {
        let &[index, from, to, inner] = arguments else {
            return None;
        };
        let &CostNode::Index(index) = self.term.nodes.get(index)? else {
            return None;
        };
        let (from, to) = (self.node(from, depth)?, self.node(to, depth)?);
        let is_product = function == CostFunction::Product;
        let mut total = if is_product { 1.0 } else { 0.0 };
        let mut at = from;
        while at <= to {
            self.left = self.left.checked_sub(1)?;
            self.indices.push((index, at));
            let value = self.node(inner, depth);
            self.indices.pop();
            match is_product {
                true => total *= value?,
                false => total += value?,
            }
            at += 1.0;
        }
        Some(total)
    }
}

fn apply(function: CostFunction, a: f64, b: Option<f64>) -> Option<f64> {
    use CostFunction as F;
    let value = match (function, b) {
        (F::Negate, None) => -a,
        (F::Exponential, None) => a.exp(),
        (F::Logarithm, None) => a.ln(),
        (F::Logarithm2, None) => a.log2(),
        (F::Logarithm10, None) => a.log10(),
        (F::SquareRoot, None) => a.sqrt(),
        (F::Factorial, None) if (0.0..=170.0).contains(&a) => {
            let mut product = 1.0;
            let mut n = 2.0;
            while n <= a {
                product *= n;
                n += 1.0;
            }
            product
        }
        (F::Add, Some(b)) => a + b,
        (F::Subtract, Some(b)) => a - b,
        (F::Multiply, Some(b)) => a * b,
        (F::Divide, Some(b)) => a / b,
        (F::Power, Some(b)) => a.powf(b),
        (F::LogarithmToBase, Some(b)) => b.ln() / a.ln(),
        (F::Maximum, Some(b)) => a.max(b),
        (F::Minimum, Some(b)) => a.min(b),
        _ => return None,
    };
    // Undefined values, such as the logarithm of 0, assert nothing.
    value.is_finite().then_some(value)
}
