//! Names of sizes in displayed texts.

use costlens_algebra::linear::{Region, Relation};
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::Value;

use super::Summary;
use super::node::Node;
use crate::report::SizeVariable;

/// Returns names for the sizes: n, m, k, … in argument order, first for the sizes on which the cost depends, then for the other sizes.
pub(crate) fn named(node: &Node, summary: &Summary) -> Vec<SizeVariable> {
    const NAMES: [&str; 8] = ["n", "m", "k", "p", "q", "r", "s", "t"];
    let mentioned = |v: Var| {
        let sides = [&summary.all, &summary.first, &summary.solutions]
            .into_iter()
            .chain(summary.outputs.values());
        sides.flat_map(|s| s.lower.iter().chain(&s.upper)).any(|p| {
            matches!(&p.value, Value::Known(e) if e.variables().contains(&v))
                || p.region.constraints().iter().any(|c| {
                    c.variables().any(|w| w == v) && !node.domain.constraints().contains(c)
                })
        })
    };
    let mut order: Vec<usize> = (0..node.params.len()).collect();
    order.sort_by_key(|&i| !mentioned(node.params[i].var));
    let mut names = vec![String::new(); node.params.len()];
    for (rank, &i) in order.iter().enumerate() {
        names[i] = match NAMES.get(rank) {
            Some(name) => (*name).to_owned(),
            None => format!("n{}", rank + 1),
        };
    }
    node.params
        .iter()
        .zip(names)
        .map(|(p, name)| SizeVariable {
            var: p.var,
            argument: p.slot.argument + 1,
            metric: p.slot.metric,
            element: p.slot.element,
            name,
        })
        .collect()
}

/// Returns a function from size variables to their names in texts.
pub(crate) fn names_of(summary: &Summary) -> impl Fn(Var) -> String + '_ {
    |v| {
        summary
            .params
            .iter()
            .find(|p| p.var == v)
            .map_or_else(|| format!("x{}", v.0), |p| p.name.clone())
    }
}

/// Returns a region as text: `n >= 1, m = 0`.
pub(crate) fn region_text(region: &Region, names: &Names<'_>) -> String {
    let mut parts = Vec::new();
    for c in region.simplified().constraints() {
        // Positive terms are on the left, all other terms and the constant on the right.
        let (mut left, mut right) = (Expr::zero(), Expr::zero());
        for (m, k) in c.expr().terms() {
            if num_traits::Signed::is_positive(k) && !m.is_one() {
                left.add_monomial(m.clone(), k.clone());
            } else {
                right.add_monomial(m.clone(), -k.clone());
            }
        }
        let relation = match c.relation() {
            Relation::NonNegative => ">=",
            Relation::Zero => "=",
        };
        if left.is_zero() && c.relation() == Relation::NonNegative {
            // Prefer n <= 3 to -n + 3 >= 0.
            let variables =
                right
                    .terms()
                    .filter(|(m, _)| !m.is_one())
                    .fold(Expr::zero(), |mut e, (m, k)| {
                        e.add_monomial(m.clone(), k.clone());
                        e
                    });
            let constant = &variables - &right;
            parts.push(format!(
                "{} <= {}",
                to_text(&variables, names),
                to_text(&constant, names)
            ));
        } else {
            parts.push(format!(
                "{} {relation} {}",
                to_text(&left, names),
                to_text(&right, names)
            ));
        }
    }
    if parts.is_empty() {
        "always".to_owned()
    } else {
        parts.join(", ")
    }
}
