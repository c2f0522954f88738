//! Flame graphs: a frame for each path of centres; its width is the path's use including callees.

use costlens_machine::Resource;
use costlens_profile::{Profile, amount_text, ratio};
use maud::{Markup, html};

use crate::report::percent;

/// The width of the graph, and the height of a frame.
const WIDTH: f64 = 1000.0;
const HEIGHT: usize = 18;
/// The width below which a frame is omitted, because it would be invisible.
const LEAST: f64 = 0.3;

/// Renders the flame graph of a profile.
pub(super) fn svg(profile: &Profile, resource: Resource) -> Markup {
    let nodes = &profile.measured.nodes;
    let totals = totals(profile, resource);
    let whole = totals.first().copied().unwrap_or(0);
    if whole == 0 {
        return html! { p { "Nothing was used." } "\n" };
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (n, node) in nodes.iter().enumerate().skip(1) {
        children[node.parent].push(n);
    }
    let (mut frames, mut deepest) = (Vec::new(), 0);
    let mut stack = vec![(0, 0.0, 0)];
    while let Some((n, x, depth)) = stack.pop() {
        let width = WIDTH * ratio(totals[n], whole);
        if width < LEAST {
            continue;
        }
        deepest = deepest.max(depth);
        let name = &profile.rows[nodes[n].centre].name;
        let mut amount = nodes[n].used;
        amount.add_amount(resource, totals[n] - nodes[n].used.amount(resource));
        let share = percent(ratio(totals[n], whole));
        let used = amount_text(&amount, resource);
        let title = format!("{name}: {share}, {used}");
        frames.push(frame(name, &title, x, depth * HEIGHT, width));
        let mut at = x;
        for &child in &children[n] {
            stack.push((child, at, depth + 1));
            at += WIDTH * ratio(totals[child], whole);
        }
    }
    let height = (deepest + 1) * HEIGHT;
    html! {
        svg class="flame" viewBox=(format!("0 0 {WIDTH} {height}")) role="img" { "\n"
            @for frame in frames { (frame) "\n" }
        } "\n"
    }
}

/// Returns the use of each path together with all its extensions.
fn totals(profile: &Profile, resource: Resource) -> Vec<u64> {
    let nodes = &profile.measured.nodes;
    let mut totals: Vec<u64> = nodes.iter().map(|n| n.used.amount(resource)).collect();
    // Each path comes after its parent.
    for n in (1..nodes.len()).rev() {
        totals[nodes[n].parent] += totals[n];
    }
    totals
}

fn frame(name: &str, title: &str, x: f64, y: usize, width: f64) -> Markup {
    let (x, width, height) = (format!("{x:.2}"), format!("{width:.2}"), HEIGHT - 1);
    let colour = format!("hsl({}, 75%, 70%)", hue(name));
    html! {
        g data-x=(x) data-w=(width) {
            title { (title) }
            rect x=(x) y=(y) width=(width) height=(height) fill=(colour) {}
            svg x=(x) y=(y) width=(width) height=(height) { text x="3" y="13" { (name) } }
        }
    }
}

/// Returns a warm hue, the same for equal names.
fn hue(name: &str) -> u32 {
    let sum = name
        .bytes()
        .fold(7_u32, |sum, b| sum.wrapping_mul(31) ^ u32::from(b));
    sum % 60
}
