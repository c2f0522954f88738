//! Tests of the search for bottlenecks on random programs with thirty predicates. One predicate does nearly all the work.
#![cfg(test)]

use costlens_machine::{Answer, Limits, Machine, Plan, Resource};
use costlens_profile::Profile;
use costlens_profile::search::{Heuristic, Predicate, Tree, search};
use proptest::prelude::*;

const PREDICATES: usize = 30;

/// A program: the later predicates that each predicate calls, and the planted bottleneck.
#[derive(Debug)]
struct Planted {
    calls: Vec<Vec<usize>>,
    planted: usize,
}

fn programs() -> impl Strategy<Value = Planted> {
    let calls = prop::collection::vec(prop::collection::vec(3..10_usize, 1..3), PREDICATES);
    (calls, any::<prop::sample::Index>()).prop_map(|(jumps, planted)| {
        let calls: Vec<Vec<usize>> = (jumps.iter().enumerate())
            .map(|(n, jumps)| {
                jumps
                    .iter()
                    .map(|j| n + j)
                    .filter(|&m| m < PREDICATES)
                    .collect()
            })
            .collect();
        let mut reached = vec![0];
        for n in 0.. {
            let Some(&at) = reached.get(n) else { break };
            let new: Vec<usize> = calls[at]
                .iter()
                .copied()
                .filter(|m| !reached.contains(m))
                .collect();
            reached.extend(new);
        }
        let planted = reached[planted.index(reached.len())];
        Planted { calls, planted }
    })
}

impl Planted {
    /// Returns the text of the program, for example `p3(0) :- p5(2), p7(2).` after a loop.
    fn text(&self) -> String {
        let work = |n: usize| if n == self.planted { 1500 } else { 1 };
        let clause = |(n, calls): (usize, &Vec<usize>)| {
            let calls: Vec<String> = calls
                .iter()
                .map(|&m| format!("p{m}({})", work(m)))
                .collect();
            let body = match calls.is_empty() {
                true => "true".to_owned(),
                false => calls.join(", "),
            };
            format!("p{n}(0) :- !, {body}.\np{n}(N) :- M is N - 1, p{n}(M).\n")
        };
        self.calls.iter().enumerate().map(clause).collect()
    }

    fn goal(&self) -> &'static str {
        if self.planted == 0 {
            "p0(100000)"
        } else {
            "p0(2)"
        }
    }

    /// Returns the number of predicates on the longest call path.
    fn depth(&self) -> usize {
        let mut depth = vec![1; PREDICATES];
        for n in (0..PREDICATES).rev() {
            depth[n] = 1 + self.calls[n].iter().map(|&m| depth[m]).max().unwrap_or(0);
        }
        depth[0]
    }

    fn searched(&self, heuristic: Heuristic) -> Tree {
        let mut template = Machine::counting(Limits::default());
        assert_eq!(template.load(&self.text()), []);
        let (goal, _) = template.read_goal(self.goal()).unwrap();
        let all: Vec<Predicate> = (0..PREDICATES)
            .map(|n| (format!("p{n}").into(), 1))
            .collect();
        let mut run = |predicates: &[Predicate]| {
            let mut machine = template.fork();
            let plan = Plan {
                predicates: predicates.to_vec(),
                events: true,
                ..Plan::default()
            };
            assert_eq!(machine.profile(&plan, || 0), []);
            machine.start(goal);
            assert!(matches!(machine.next_answer(), Answer::Yes { .. }));
            Ok::<_, ()>(Profile::new(machine.measured().unwrap(), &[]))
        };
        search(&all, &|_| Resource::Steps, heuristic, &mut run).unwrap()
    }

    fn finds(&self, tree: &Tree) -> bool {
        let found = &tree.found[tree.bottleneck().unwrap()];
        found
            .predicate
            .as_ref()
            .is_some_and(|(name, _)| *name == format!("p{}", self.planted))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn a_planted_bottleneck_is_found(planted in programs()) {
        let tree = planted.searched(Heuristic::Most(1));
        prop_assert!(planted.finds(&tree), "{:?}\n{}", tree, planted.text());
        prop_assert!(tree.iterations <= planted.depth() + 1, "{:?}", tree);
        // The result must be a tree: each predicate occurs once, after its caller.
        for (n, found) in tree.found.iter().enumerate() {
            prop_assert!(found.parent.map_or(n == 0, |p| p < n));
            prop_assert!(tree.found[..n].iter().all(|f| f.predicate != found.predicate));
        }
        // The thresholds are below the remaining use of a bottleneck that is called on many paths.
        for heuristic in [
            Heuristic::Most(2),
            Heuristic::Above(2.0),
            Heuristic::Together { predicates: 30.0, total: 2.0 },
        ] {
            let tree = planted.searched(heuristic);
            prop_assert!(planted.finds(&tree), "{:?}: {:?}\n{}", heuristic, tree, planted.text());
        }
    }
}
