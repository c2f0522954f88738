//! Flame graphs: a frame for each path of centres, whose width is its use together with that of its callees.

use std::fmt::Write as _;

use costlens_machine::Resource;

use crate::draw::{escaped, percent};
use crate::profile::{Profile, amount_text, ratio};

/// The width of the graph, and the height of a frame.
const WIDTH: f64 = 1000.0;
const HEIGHT: usize = 18;
/// Narrower frames are left out, since they would be invisible.
const LEAST: f64 = 0.3;

/// Returns the flame graph of a profile.
pub(super) fn svg(profile: &Profile, resource: Resource) -> String {
    let nodes = &profile.measured.nodes;
    // A path comes after the one that it extends.
    let mut totals: Vec<u64> = nodes.iter().map(|n| n.used.of(resource)).collect();
    for n in (1..nodes.len()).rev() {
        totals[nodes[n].parent] += totals[n];
    }
    let whole = totals.first().copied().unwrap_or(0);
    if whole == 0 {
        return "<p>Nothing was used.</p>\n".to_owned();
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (n, node) in nodes.iter().enumerate().skip(1) {
        children[node.parent].push(n);
    }
    let (mut frames, mut deepest) = (String::new(), 0);
    let mut stack = vec![(0, 0.0, 0)];
    while let Some((n, x, depth)) = stack.pop() {
        let width = WIDTH * ratio(totals[n], whole);
        if width < LEAST {
            continue;
        }
        deepest = deepest.max(depth);
        let name = &profile.rows[nodes[n].centre].name;
        let mut amount = nodes[n].used;
        amount.add_amount(resource, totals[n] - nodes[n].used.of(resource));
        let said = format!(
            "{name}: {}, {}",
            percent(ratio(totals[n], whole)),
            amount_text(&amount, resource)
        );
        let _ = writeln!(
            frames,
            "<g data-x=\"{x:.2}\" data-w=\"{width:.2}\"><title>{said}</title><rect x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"{height}\" fill=\"hsl({hue}, 75%, 70%)\"/>\
             <svg x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"{height}\"><text x=\"3\" y=\"13\">{shown}</text></svg></g>",
            said = escaped(&said),
            hue = hue(name),
            shown = escaped(name),
            y = depth * HEIGHT,
            height = HEIGHT - 1,
        );
        let mut at = x;
        for &child in &children[n] {
            stack.push((child, at, depth + 1));
            at += WIDTH * ratio(totals[child], whole);
        }
    }
    format!(
        "<svg class=\"flame\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\">\n{frames}</svg>\n",
        (deepest + 1) * HEIGHT
    )
}

/// Returns a warm colour, which is the same for equal names.
fn hue(name: &str) -> u32 {
    let sum = name
        .bytes()
        .fold(7_u32, |sum, b| sum.wrapping_mul(31) ^ u32::from(b));
    sum % 60
}
