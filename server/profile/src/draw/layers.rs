//! Assigns the nodes of a graph to layers: each node is one layer below its lowest predecessor, ignoring edges that close a cycle.

/// Returns the nodes of each layer, from left to right.
pub(super) fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut to: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &(a, b) in edges
        .iter()
        .filter(|(a, b)| a != b && *a < nodes && *b < nodes)
    {
        to[a].push(b);
    }
    let order = without_circles(&mut to);
    let mut depth = vec![0; nodes];
    for &node in &order {
        for &next in &to[node] {
            depth[next] = depth[next].max(depth[node] + 1);
        }
    }
    let mut layers = vec![Vec::new(); depth.iter().max().map_or(0, |d| d + 1)];
    for node in order {
        layers[depth[node]].push(node);
    }
    layers.iter_mut().for_each(|layer| layer.sort_unstable());
    arrange(&mut layers, &to);
    layers
}

/// Drops edges that close a cycle in a depth-first search from the first node. Returns the nodes in topological order.
fn without_circles(to: &mut [Vec<usize>]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; to.len()];
    let mut order = Vec::new();
    for root in 0..to.len() {
        if state[root] != State::New {
            continue;
        }
        let mut stack = vec![(root, 0)];
        state[root] = State::Open;
        while let Some((node, at)) = stack.last_mut() {
            let node = *node;
            match to[node].get(*at).copied() {
                Some(next) if state[next] == State::Open => {
                    to[node].remove(*at);
                }
                Some(next) => {
                    *at += 1;
                    if state[next] == State::New {
                        state[next] = State::Open;
                        stack.push((next, 0));
                    }
                }
                None => {
                    state[node] = State::Done;
                    order.push(node);
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    order
}

/// Arranges the nodes of each layer below the middle of their predecessors.
fn arrange(layers: &mut [Vec<usize>], to: &[Vec<usize>]) {
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); to.len()];
    for (node, nexts) in to.iter().enumerate() {
        for &next in nexts {
            above[next].push(node);
        }
    }
    let mut place = vec![0.0; to.len()];
    for layer in layers {
        let middle = |node: usize| {
            let sum: f64 = above[node].iter().map(|&n| place[n]).sum();
            sum / f64::from(u32::try_from(above[node].len()).unwrap_or(u32::MAX).max(1))
        };
        let mut keyed: Vec<(f64, usize)> = layer.iter().map(|&n| (middle(n), n)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        *layer = keyed.iter().map(|&(_, n)| n).collect();
        for (x, &node) in (0_u32..).zip(layer.iter()) {
            place[node] = f64::from(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_down_but_for_those_that_close_circles() {
        assert_eq!(layers(0, &[]), Vec::<Vec<usize>>::new());
        assert_eq!(layers(3, &[(0, 1), (1, 2), (0, 2)]), [[0], [1], [2]]);
        assert_eq!(
            layers(3, &[(0, 1), (1, 2), (2, 1), (2, 2)]),
            [[0], [1], [2]]
        );
        assert_eq!(layers(2, &[(0, 9)]), [[0, 1]]);
    }
}
