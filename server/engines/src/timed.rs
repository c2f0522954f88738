//! Workloads, plans and times: plain data, independent of engines.

use std::time::Duration;

/// A goal to time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The workload's name, which is also in its result.
    pub name: String,
    /// The program: plain ISO clauses, including `dynamic` declarations. Its predicates are renamed, see [`crate::text`].
    pub clauses: String,
    /// The goal, without a cut. All its solutions are computed.
    pub goal: String,
    /// The goal that binds the inputs. It runs once and is not measured; `true` if there are no inputs.
    pub setup: String,
    /// The variables that the setup binds and the goal uses.
    pub inputs: Vec<String>,
}

/// The extent of a measurement.
///
/// A run takes `processes * windows * window` for each workload, plus a small overhead: a calibration of SWI-Prolog, with 417 workloads,
/// takes 71 s with the default plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of windows for each workload in each process. The fastest window is used.
    pub windows: u32,
    /// The length of a window; the goal is repeated to fill the window.
    pub window: Duration,
    /// The number of processes. It should be more than one, since memory placement causes greater differences than any window shows.
    pub processes: u32,
    /// The longest time that a workload may be silent, while it runs its setup and determines and fills the windows of one round.
    pub patience: Duration,
    /// The seed for the order of workloads and for the stack padding in each process.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            windows: 15,
            window: Duration::from_micros(1_500),
            processes: 7,
            patience: Duration::from_secs(20),
            seed: 0,
        }
    }
}

impl Plan {
    /// Returns a quick plan: a calibration of SWI-Prolog takes 17 s.
    #[must_use]
    pub fn quick() -> Self {
        Self {
            windows: 10,
            window: Duration::from_micros(1_000),
            processes: 3,
            ..Self::default()
        }
    }
}

/// The times of a workload in one process, in nanoseconds: the least time of one execution in any window, the least time of the empty loop,
/// and the repetitions in a window.
pub type Least = (f64, f64, u64);

/// The times measured by one process, by workload; `None` for failed workloads.
pub type Process = Vec<Option<Least>>;

/// The time of one execution of a workload's goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The name of the workload.
    pub name: String,
    /// For each process, the least time of one execution in any window, in nanoseconds, minus the time of the empty loop.
    pub minima_ns: Vec<f64>,
    /// The subtracted time of the empty loop: the median over processes.
    pub empty_ns: f64,
    /// The number of repetitions of the goal in a window: the median over processes.
    pub repetitions: u64,
    /// The noise: the difference between the medians of two halves of the processes, relative to the median. `None` for a single process.
    pub noise: Option<f64>,
}

impl Timing {
    /// Returns the timing of a workload from the results of each process. Returns `None` without processes.
    #[must_use]
    pub fn new(name: &str, processes: &[Least]) -> Option<Self> {
        if processes.is_empty() {
            return None;
        }
        let minima_ns: Vec<f64> = processes.iter().map(|&(ns, empty, _)| ns - empty).collect();
        let empties: Vec<f64> = processes.iter().map(|&(_, empty, _)| empty).collect();
        let mut repetitions: Vec<u64> = processes.iter().map(|&(_, _, n)| n).collect();
        repetitions.sort_unstable();
        Some(Self {
            name: name.to_owned(),
            noise: split_half(&minima_ns),
            empty_ns: quantile(&empties, 0.5),
            repetitions: repetitions[repetitions.len() / 2],
            minima_ns,
        })
    }

    /// Returns the time of the workload: the median over processes.
    #[must_use]
    pub fn median(&self) -> f64 {
        quantile(&self.minima_ns, 0.5)
    }

    /// Returns the lower quartile over processes.
    #[must_use]
    pub fn low(&self) -> f64 {
        quantile(&self.minima_ns, 0.25)
    }

    /// Returns the upper quartile over processes.
    #[must_use]
    pub fn high(&self) -> f64 {
        quantile(&self.minima_ns, 0.75)
    }
}

/// Returns a quantile, linearly interpolated between two values. Returns NaN if there are no values.
#[must_use]
pub fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let at = q * last as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (at - at.floor()) * (sorted[above] - sorted[below])
}

/// Returns the relative difference between the medians of two halves. Processes alternate between the halves, so that both cover the whole
/// run.
fn split_half(minima: &[f64]) -> Option<f64> {
    let half = |parity| -> Vec<f64> { minima.iter().skip(parity).step_by(2).copied().collect() };
    let (even, odd) = (half(0), half(1));
    if odd.is_empty() {
        return None;
    }
    let difference = (quantile(&even, 0.5) - quantile(&odd, 0.5)).abs();
    Some(difference / quantile(minima, 0.5).abs().max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_loop_is_subtracted_in_each_process() {
        let t = Timing::new("w", &[(12.0, 2.0, 10), (15.0, 3.0, 30), (11.0, 2.5, 20)]).unwrap();
        assert_eq!(t.minima_ns, [10.0, 12.0, 8.5]);
        assert_eq!((t.median(), t.low(), t.high()), (10.0, 9.25, 11.0));
        assert_eq!((t.empty_ns, t.repetitions), (2.5, 20));
        // The median of the first and third value is 9.25, the second value is 12.
        assert!((t.noise.unwrap() - 0.275).abs() < 1e-9);
    }

    #[test]
    fn one_process_says_nothing_of_noise_and_none_says_nothing() {
        let one = Timing::new("w", &[(5.0, 1.0, 3)]).unwrap();
        assert_eq!((one.noise, one.median()), (None, 4.0));
        assert_eq!(Timing::new("w", &[]), None);
    }
}
