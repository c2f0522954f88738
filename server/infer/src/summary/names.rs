//! Names of sizes in displayed texts.

use costlens_algebra::linear::{Constraint, Region, Relation};
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::Value;

use super::Summary;
use super::node::Node;
use super::parameters::is_parameter;
use crate::report::{Parameter, SizeVariable};

/// Names the sizes and parameters of a summary. Parameters that occur in no bound are dropped.
pub(crate) fn name_all(node: &Node, summary: &mut Summary) {
    summary.params = named(node, summary);
    let mentioned: Vec<bool> = (summary.parameters.iter())
        .map(|p| mentions(node, summary, p.var) || work_mentions(summary, p.var))
        .collect();
    let mut kept = mentioned.into_iter();
    summary.parameters.retain(|_| kept.next() == Some(true));
    let subjects: Vec<Parameter> = (summary.parameters.iter())
        .map(|p| p.parameter.clone())
        .filter(Parameter::has_short_name)
        .collect();
    let sizes: Vec<String> = summary.params.iter().map(|p| p.name.clone()).collect();
    for p in &mut summary.parameters {
        p.name = p.parameter.short_name();
        let same = (subjects.iter()).filter(|of| of.short_name() == p.name);
        let is_clear = p.parameter.has_short_name() && same.count() == 1;
        if !is_clear || sizes.contains(&p.name) || !is_word(&p.name) {
            p.name = p.parameter.to_string();
        }
    }
    // Predicates of several files may have the same name: `facts(p/1)`, `facts2(p/1)`.
    for i in 0..summary.parameters.len() {
        let name = summary.parameters[i].name.clone();
        let same = summary.parameters[..i].iter().filter(|p| p.name == name);
        let number = same.count() + 1;
        if number > 1 {
            summary.parameters[i].name = match name.split_once('(') {
                Some((kind, of)) => format!("{kind}{number}({of}"),
                None => format!("{name}{number}"),
            };
        }
    }
    let own: Vec<Var> = summary.parameters.iter().map(|p| p.var).collect();
    let is_gone = |v: Var| node.parameters.contains(&v) && !own.contains(&v);
    let kept = (summary.domain.constraints().iter()).filter(|c| !c.variables().any(is_gone));
    summary.domain = kept.cloned().collect();
}

/// Returns whether a name needs no brackets in a formula.
fn is_word(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns whether a bound of a summary depends on a variable.
fn mentions(node: &Node, summary: &Summary, v: Var) -> bool {
    let sides = [&summary.all, &summary.first, &summary.solutions]
        .into_iter()
        .chain(summary.outputs.values());
    let pieces = sides.flat_map(|s| s.lower.iter().chain(&s.upper));
    let others = summary.elements.values().chain(summary.added.of.values());
    pieces.chain(others.flatten()).any(|p| {
        matches!(&p.value, Value::Known(e) if e.variables().contains(&v))
            || (p.region.constraints().iter())
                .any(|c| c.variables().any(|w| w == v) && !node.domain.constraints().contains(c))
    })
}

/// Returns whether a bound on work depends on a variable.
fn work_mentions(summary: &Summary, v: Var) -> bool {
    let sides = summary.work.own_sides();
    let mut pieces = sides.flat_map(|s| s.lower.iter().chain(&s.upper));
    pieces.any(|p| matches!(&p.value, Value::Known(e) if e.variables().contains(&v)))
}

/// Returns names for the sizes: n, m, k, … in argument order, first for the sizes on which the steps depend, then for those on which the work
/// depends, then for the other sizes.
pub(crate) fn named(node: &Node, summary: &Summary) -> Vec<SizeVariable> {
    const NAMES: [&str; 8] = ["n", "m", "k", "p", "q", "r", "s", "t"];
    let rank = |v: Var| match (mentions(node, summary, v), work_mentions(summary, v)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    let mut order: Vec<usize> = (0..node.params.len()).collect();
    order.sort_by_key(|&i| rank(node.params[i].var));
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
            .map(|p| &p.name)
            .or_else(|| {
                let mut parameters = summary.parameters.iter();
                parameters.find(|p| p.var == v).map(|p| &p.name)
            })
            .map_or_else(|| format!("x{}", v.0), Clone::clone)
    }
}

/// Returns a region as text: `n >= 1, m = 0`.
pub(crate) fn region_text(region: &Region, names: &Names<'_>) -> String {
    let mut parts = Vec::new();
    for c in region.simplified().constraints() {
        let is_natural = |v: Var| {
            is_parameter(v) && Constraint::ge(&Expr::var(v), &Expr::zero()).as_ref() == Some(c)
        };
        if c.variables().any(is_natural) {
            continue;
        }
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
