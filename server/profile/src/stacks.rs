//! Exports paths of centres with their use, for flame graph viewers.

use costlens_machine::Resource;

use crate::profile::Profile;

/// Returns the stacks with nonzero use of a resource: the centres, starting with the outermost, and the amount.
#[must_use]
pub fn stacks(profile: &Profile, resource: Resource) -> Vec<(Vec<usize>, u64)> {
    let nodes = &profile.measured.nodes;
    let mut found = Vec::new();
    for node in nodes {
        let amount = node.used.amount(resource);
        if amount == 0 {
            continue;
        }
        let mut path = vec![node.centre];
        let mut at = node;
        // The first node is the remainder, which is its own parent.
        while at.centre != 0 {
            at = &nodes[at.parent];
            path.push(at.centre);
        }
        path.reverse();
        found.push((path, amount));
    }
    found
}

/// Returns a line for each stack: `remainder;p/1;q/2 42`.
#[must_use]
pub fn folded(profile: &Profile, resource: Resource) -> String {
    let mut out = String::new();
    for (path, amount) in stacks(profile, resource) {
        // Blanks and semicolons have a special meaning in this format.
        let frames: Vec<String> = (path.iter())
            .map(|&centre| profile.rows[centre].name.replace([';', ' ', '\n'], "_"))
            .collect();
        out.push_str(&format!("{} {amount}\n", frames.join(";")));
    }
    out
}
