//! The programs of a calibration, with their events.

use std::collections::BTreeMap;

use costlens_calibrate::{
    Calibrator, MalformedBlock, calibrators, controls, counts_of_runs, mixed, targets,
};
use costlens_engines::Workload;
use costlens_events::{Event, Vocabulary};

use super::{Which, collector, counted};

/// The number of each event.
type Counts = BTreeMap<Event, f64>;

/// Programs of one kind, with the clauses that their setups call.
pub(super) struct ProgramGroup {
    shared: String,
    pub(super) programs: Vec<Calibrator>,
}

impl From<(String, Vec<Calibrator>)> for ProgramGroup {
    fn from((shared, programs): (String, Vec<Calibrator>)) -> Self {
        ProgramGroup { shared, programs }
    }
}

impl ProgramGroup {
    fn workloads(&self) -> impl Iterator<Item = Workload> {
        (self.programs.iter()).map(|program| counted::workload(&self.shared, program))
    }
}

/// The programs of a calibration. Constants are fitted to the first two groups.
pub(super) struct Programs {
    pub(super) calibrators: ProgramGroup,
    pub(super) mixed: ProgramGroup,
    pub(super) controls: ProgramGroup,
    pub(super) targets: ProgramGroup,
}

impl Programs {
    /// Parses the stored programs.
    pub(super) fn stored() -> Result<Self, MalformedBlock> {
        Ok(Programs {
            calibrators: calibrators()?.into(),
            mixed: mixed()?.into(),
            controls: controls()?.into(),
            targets: targets()?.into(),
        })
    }

    /// Returns the workloads of all programs, followed by the workloads for garbage collection.
    pub(super) fn workloads(&self, engine: Which) -> Vec<Workload> {
        let groups = [
            &self.calibrators,
            &self.mixed,
            &self.controls,
            &self.targets,
        ];
        let programs = groups.into_iter().flat_map(ProgramGroup::workloads);
        programs.chain(collector::workloads(engine)).collect()
    }

    /// Counts the events of the calibrators.
    pub(super) fn counts_of_calibrators(
        &self,
        vocabulary: Vocabulary,
    ) -> anyhow::Result<BTreeMap<String, Counts>> {
        let ProgramGroup { shared, programs } = &self.calibrators;
        let counts = match vocabulary {
            Vocabulary::Machine => counted::on_machine(shared, programs)?,
            _ => counted::counted(shared, programs, vocabulary)?,
        };
        let names = programs.iter().map(|program| program.name.clone());
        Ok(names.zip(counts).collect())
    }

    /// Returns the events of the larger programs, from counted runs.
    pub(super) fn counts_of_runs(
        &self,
        vocabulary: Vocabulary,
    ) -> anyhow::Result<BTreeMap<String, Counts>> {
        let runs = counts_of_runs(vocabulary)?;
        let of_group = |group: &ProgramGroup| {
            let counts = group.programs.iter().filter_map(|program| {
                let run = runs.get(&program.name)?;
                let counts = counted::of_run(&group.shared, program, run, vocabulary);
                Some((program.name.clone(), counts))
            });
            counts.collect::<Vec<_>>()
        };
        let groups = [&self.mixed, &self.controls, &self.targets];
        Ok(groups.into_iter().flat_map(of_group).collect())
    }
}
