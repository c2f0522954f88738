//! Draws the graph of cost centres as SVG: calls in layers from the top; the size and colour of a centre show its share of the run.

mod layers;

use std::fmt::Write as _;

use costlens_machine::{Enter, Resource};

use self::layers::layers;
use crate::heat::Heat;
use crate::profile::{Profile, count};
use crate::search::Tree;

/// A graph to draw.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The nodes: names, and shares between 0 and 1.
    pub nodes: Vec<(String, f64)>,
    /// The edges: pairs of node numbers, each with a label.
    pub edges: Vec<(usize, usize, String)>,
}

/// The colours of Mera et al. (2010), section 6, for each quarter of the total.
const COLOURS: [&str; 4] = ["#8fd19e", "#ffe08a", "#ffb36b", "#f28b82"];

/// The space around and between nodes.
const MARGIN: f64 = 20.0;
const BETWEEN: f64 = 30.0;
const BELOW: f64 = 60.0;

impl Drawing {
    /// Returns a drawing of the entered centres; edges are labelled with the number of entries by a call.
    #[must_use]
    pub fn of_profile(profile: &Profile, resource: Resource) -> Self {
        // The remainder is the first node, so that it is at the top.
        let mut entered = profile.by_share(resource);
        entered.sort_unstable();
        let nodes = (entered.iter())
            .map(|&n| &profile.rows[n])
            .map(|row| (row.name.clone(), profile.share(&row.own, resource)))
            .collect();
        let place = |centre: usize| entered.iter().position(|&n| n == centre);
        let edges = profile.measured.edges.iter().filter(|e| e.to != 0);
        let edges = edges.filter_map(|edge| {
            let calls = count(&edge.ports, |enter, _| enter == Enter::Call);
            Some((place(edge.from)?, place(edge.to)?, calls.to_string()))
        });
        Drawing {
            nodes,
            edges: edges.collect(),
        }
    }

    /// Returns a drawing of the tree found by a search.
    #[must_use]
    pub fn of_tree(tree: &Tree) -> Self {
        let name = |predicate: &Option<crate::search::Predicate>| match predicate {
            Some((name, arity)) => format!("{name}/{arity}"),
            None => "goal".to_owned(),
        };
        let nodes = tree.found.iter();
        let edges = tree.found.iter().enumerate();
        Drawing {
            nodes: nodes
                .map(|found| (name(&found.predicate), tree.share(found.used)))
                .collect(),
            edges: edges
                .filter_map(|(n, found)| Some((found.parent?, n, String::new())))
                .collect(),
        }
    }

    /// Returns the drawing as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let boxes = self.boxes();
        // Arrows that go up or pass other nodes need space on the right.
        let right =
            boxes.iter().map(|b| b.x + b.width).fold(0.0, f64::max) + MARGIN + 2.0 * BETWEEN;
        let bottom = boxes.iter().map(|b| b.y + b.height).fold(0.0, f64::max) + MARGIN;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {right:.0} {bottom:.0}\" width=\"{right:.0}\" height=\"{bottom:.0}\" font-family=\"sans-serif\">\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
             <path d=\"M0,0 L8,4 L0,8 z\" fill=\"#555\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        for (from, to, text) in &self.edges {
            let (Some(from), Some(to)) = (boxes.get(*from), boxes.get(*to)) else {
                continue;
            };
            out.push_str(&arrow(from, to, detour(&boxes, from, to), text));
        }
        for ((name, share), at) in self.nodes.iter().zip(&boxes) {
            let (middle, size) = (at.x + at.width / 2.0, at.font);
            let _ = writeln!(
                out,
                "<g><title>{name}: {percent}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\" fill=\"{}\" stroke=\"#555\"/>\
                 <text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"middle\">{name}</text>\
                 <text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" text-anchor=\"middle\">{percent}</text></g>",
                at.x,
                at.y,
                at.width,
                at.height,
                colour(*share),
                at.y + at.height / 2.0 - 2.0,
                at.y + at.height / 2.0 + size,
                size * 0.85,
                name = escaped(name),
                percent = percent(*share),
            );
        }
        out.push_str("</svg>\n");
        out
    }

    /// Returns the positions of the nodes.
    fn boxes(&self) -> Vec<Box> {
        let edges: Vec<(usize, usize)> = self.edges.iter().map(|&(a, b, _)| (a, b)).collect();
        let layers = layers(self.nodes.len(), &edges);
        let mut boxes: Vec<Box> = (self.nodes.iter())
            .map(|(name, share)| Box::new(name, *share))
            .collect();
        let width = |layer: &Vec<usize>| {
            let widths: f64 = layer.iter().map(|&n| boxes[n].width).sum();
            widths + BETWEEN * f64::from(u32::try_from(layer.len()).unwrap_or(0).max(1) - 1)
        };
        let widths: Vec<f64> = layers.iter().map(width).collect();
        let widest = widths.iter().copied().fold(0.0, f64::max);
        let mut y = MARGIN;
        for (layer, width) in layers.iter().zip(widths) {
            let mut x = MARGIN + (widest - width) / 2.0;
            let height = layer.iter().map(|&n| boxes[n].height).fold(0.0, f64::max);
            for &n in layer {
                boxes[n].x = x;
                boxes[n].y = y + (height - boxes[n].height) / 2.0;
                x += boxes[n].width + BETWEEN;
            }
            y += height + BELOW;
        }
        boxes
    }
}

/// The position of a node, and its font size.
struct Box {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    font: f64,
}

impl Box {
    fn new(name: &str, share: f64) -> Self {
        let font = 11.0 + 9.0 * share;
        let letters = u32::try_from(name.chars().count()).unwrap_or(u32::MAX);
        Box {
            x: 0.0,
            y: 0.0,
            width: (f64::from(letters.max(6)) * font * 0.62 + 16.0) * (1.0 + share / 2.0),
            height: 2.0 * font + 14.0 + 40.0 * share,
            font,
        }
    }
}

fn colour(share: f64) -> &'static str {
    match Heat::from_share(share) {
        Heat::Low => COLOURS[0],
        Heat::Medium => COLOURS[1],
        Heat::High => COLOURS[2],
        Heat::Highest => COLOURS[3],
    }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Returns the sideways detour that an arrow between two boxes needs to pass other boxes, or 0 if no box is in its way.
fn detour(boxes: &[Box], from: &Box, to: &Box) -> f64 {
    let (x0, x1) = (from.x + from.width / 2.0, to.x + to.width / 2.0);
    let (top, bottom) = (from.y + from.height, to.y);
    let beyond = boxes
        .iter()
        .filter(|b| b.y > top && b.y + b.height < bottom);
    let in_the_way = beyond.filter(|b| {
        let x = x0 + (x1 - x0) * (b.y + b.height / 2.0 - top) / (bottom - top);
        b.x < x && x < b.x + b.width
    });
    let furthest = in_the_way.map(|b| b.x + b.width).fold(0.0, f64::max);
    (furthest + BETWEEN / 2.0 - f64::midpoint(x0, x1)).max(0.0)
        * f64::from(u8::from(furthest > 0.0))
}

/// Returns an arrow from the bottom of a box to the top of another. It passes boxes in its way on the right. An arrow that goes up or stays
/// on its level begins and ends on the right side.
fn arrow(from: &Box, to: &Box, aside: f64, text: &str) -> String {
    let down = to.y > from.y + from.height;
    let (x0, y0, x1, y1, bend, x) = if down {
        let (x0, y0) = (from.x + from.width / 2.0, from.y + from.height);
        let (x1, y1) = (to.x + to.width / 2.0, to.y);
        // The middle of the curve moves by three quarters of the handles' displacement.
        let (a, b) = (x0 + aside / 0.75, x1 + aside / 0.75);
        let handle = match aside > 0.0 {
            true => (y1 - y0) / 4.0,
            false => (y1 - y0) / 2.0,
        };
        let bend = format!("{a:.1},{:.1} {b:.1},{:.1}", y0 + handle, y1 - handle);
        (x0, y0, x1, y1, bend, f64::midpoint(x0, x1) + aside + 4.0)
    } else {
        let (x0, y0) = (from.x + from.width, from.y + from.height / 3.0);
        let (x1, y1) = (to.x + to.width, to.y + to.height * 2.0 / 3.0);
        let far = x0.max(x1) + BETWEEN;
        let bend = format!("{far:.1},{y0:.1} {far:.1},{y1:.1}");
        (x0, y0, x1, y1, bend, x0.max(x1) + BETWEEN * 0.75)
    };
    let y = f64::midpoint(y0, y1);
    format!(
        "<path d=\"M{x0:.1},{y0:.1} C{bend} {x1:.1},{y1:.1}\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#tip)\"/>\
         <text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\" fill=\"#555\">{}</text>\n",
        escaped(text)
    )
}

pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML permits no other control characters.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_and_shares_are_colours() {
        let drawing = Drawing {
            nodes: vec![("a<b>/2".to_owned(), 1.0), ("c/0".to_owned(), 0.3)],
            edges: vec![
                (0, 1, "7".to_owned()),
                (1, 0, String::new()),
                (1, 1, String::new()),
            ],
        };
        let svg = drawing.svg();
        assert!(
            svg.contains(">a&lt;b&gt;/2<") && svg.contains(">100.0%<"),
            "{svg}"
        );
        assert!(
            svg.contains(COLOURS[3]) && svg.contains(COLOURS[1]),
            "{svg}"
        );
        assert_eq!(svg.matches("<path d=\"M").count(), 4, "{svg}");
        assert_eq!(Drawing::default().svg().matches("<g>").count(), 0);
    }
}
