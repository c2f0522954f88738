//! Tests of the programs of Mera et al. (2010), Appendix A (`tests/profile/appendix`): the numbers of predicates are those of its Table 1,
//! the goals are true, and the sums of profiles are the counts of a run without one.
#![cfg(test)]

use std::path::Path;

use costlens_machine::{Answer, Limits, Machine, Plan, Resource};
use costlens_profile::{Profile, defined};

#[test]
fn programs_of_the_appendix() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profile/appendix");
    let mut programs = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|e| e != "pl") {
            continue;
        }
        programs += 1;
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let stated = |word: &str| {
            text.lines()
                .find_map(|l| l.strip_prefix(&format!("% {word}: ")))
                .unwrap()
        };
        let predicates = defined(&costlens_syntax::read_text(&text));
        assert_eq!(predicates.len().to_string(), stated("predicates"), "{name}");
        let mut template = Machine::counting(Limits::default());
        assert_eq!(template.load(&text), [], "{name}");
        let (goal, _) = template.read_goal(stated("goal")).unwrap();
        let run = |machine: &mut Machine| {
            machine.start(goal);
            let answer = machine.next_answer();
            assert!(matches!(answer, Answer::Yes { .. }), "{name}: {answer:?}");
        };
        let mut counted = template.fork();
        counted.forget_counts();
        run(&mut counted);
        let mut profiled = template.fork();
        let plan = Plan {
            predicates,
            events: true,
            ..Plan::default()
        };
        assert_eq!(profiled.profile(&plan, || 0), [], "{name}");
        run(&mut profiled);
        let profile = Profile::new(profiled.measured().unwrap(), &[]);
        assert_eq!(
            profile.measured.total.amount(Resource::Steps),
            counted.steps(),
            "{name}"
        );
        let steps = profile
            .rows
            .iter()
            .map(|row| row.own.amount(Resource::Steps));
        assert_eq!(steps.sum::<u64>(), counted.steps(), "{name}");
    }
    assert_eq!(programs, 13);
}
