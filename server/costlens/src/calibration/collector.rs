//! The garbage collector of an engine: the time of a collection as a function of the live cells, and the size of the heap at the first
//! collection.

use costlens_engines::{Workload, WorkloadOutcome};
use costlens_events::Event;
use costlens_platform::{Collection, measured};

use super::Which;

/// The number of cells until the first collection, within a tenth. SWI-Prolog collects when its global stack is full, first at 64 KiB; 9 or
/// 16 KiB are in use when a program starts, depending on how it is started.
const FIRST: f64 = 6600.0;

/// The number of elements of the list that is live during the second workload.
const ALIVE: u32 = 20_000;

/// The number of cells per element of a list of integers.
const CELLS: f64 = 3.0;

/// Returns workloads that cause garbage collections without live cells, and with a live list.
pub(super) fn workloads(engine: Which) -> Vec<Workload> {
    let workload = |name: &str, setup: String, inputs: Vec<String>| Workload {
        name: name.to_owned(),
        clauses: String::new(),
        goal: "garbage_collect".to_owned(),
        setup,
        inputs,
    };
    match engine {
        Which::Swi | Which::SwiO => vec![
            workload("collection_of_nothing", "true".to_owned(), Vec::new()),
            workload(
                "collection_of_a_list",
                format!("numlist(1, {ALIVE}, Alive)"),
                vec!["Alive".to_owned()],
            ),
        ],
        Which::Gnu | Which::Scryer | Which::Embedded | Which::Described => Vec::new(),
    }
}

/// Returns the collector's constants, from the times of [`workloads`].
pub(super) fn collection(engine: Which, times: &[WorkloadOutcome]) -> Option<Collection> {
    let ns = |outcome: &WorkloadOutcome| match outcome {
        WorkloadOutcome::Timed(timing) => Some(timing.median()),
        _ => None,
    };
    let [nothing, list] = times else { return None };
    let (nothing, list) = (ns(nothing)?, ns(list)?);
    let per_cell = (list - nothing) / (f64::from(ALIVE) * CELLS);
    (nothing >= 0.0 && per_cell >= 0.0).then_some(())?;
    Some(Collection {
        cells: Event::GlobalCells {
            optimised: engine == Which::SwiO,
        },
        first: measured(FIRST)?,
        ns: measured(nothing)?,
        ns_per_live_cell: measured(per_cell)?,
    })
}
