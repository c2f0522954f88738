//! The output of `costlens fix`.

use costlens_ide::advice::Remark;
use costlens_ide::fixes::Action;
use serde::Serialize;

use super::SCHEMA;

/// The cheaper variants in files, and the hints without an edit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Document {
    /// 1.
    schema: u32,
    pub(in crate::cli) fixes: Vec<Fix>,
}

impl Default for Document {
    fn default() -> Self {
        Document {
            schema: SCHEMA,
            fixes: Vec::new(),
        }
    }
}

/// A cheaper variant of a predicate, or a hint.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Fix {
    /// The file's name.
    pub(in crate::cli) file: String,
    /// The line, from 1: for a variant, of the predicate's first clause, or of the first goal that a rewrite of goals changes; for a hint, of
    /// its goal or head.
    pub(in crate::cli) line: usize,
    /// `nrev/2`.
    pub(in crate::cli) predicate: String,
    /// The id of the rule in `docs/rules.md`.
    pub(in crate::cli) rule: String,
    /// The change, and the gain.
    pub(in crate::cli) title: String,
    /// True if `changes` contains the variant; false for a hint, which has no changes.
    edit: bool,
    /// The conditions that are not proved but would enable a variant; otherwise empty.
    missing: Vec<String>,
    /// The current cost; its fields are null for a hint without a proved lower cost, and for a rewrite of goals.
    pub(in crate::cli) before: Cost,
    /// The cost of the variant.
    pub(in crate::cli) after: Cost,
    /// The sizes for which it is cheaper: `n ≥ 2`; empty for a mode line or a hint.
    pub(in crate::cli) better_for: String,
    /// The size and the engine for times: `n = 1,000 on SWI-Prolog 9.0.4`; null if there are no times.
    timed_at: Option<String>,
    /// The number of generated inputs on which both versions behaved the same.
    pub(in crate::cli) tested_inputs: usize,
    /// Edits in order and without overlaps; offsets are byte offsets in the text in which the fix was found.
    changes: Vec<Change>,
}

/// A cost: one resource has a value, and the resources that were not compared are null.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Cost {
    /// Resolution steps.
    pub(in crate::cli) steps: Option<String>,
    /// The sum of resolution steps and units of built-in work; if these show no gain, also of built-in calls, choice points and environments.
    pub(in crate::cli) steps_and_work: Option<String>,
    /// The time on the platform of `--platform`, at the size of `timed_at`: `≈ 14 µs`.
    pub(in crate::cli) time: Option<String>,
}

/// A replacement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Change {
    /// The offset of the first replaced byte.
    start: usize,
    /// The offset after the last replaced byte.
    end: usize,
    /// The new text.
    text: String,
}

/// Converts a variant, or a declaration that would permit one. The latter is a hint, because its edit requires knowledge of the calls.
pub(in crate::cli) fn fix(file: &str, line: usize, action: &Action) -> Fix {
    let is_steps = action.unit == "steps";
    let cost = |text: &str, time: Option<&String>| {
        let text = text.to_owned();
        // The cost of a predicate is not computed for a rewrite of goals.
        let text = Some(text).filter(|text| !text.is_empty());
        let (steps, steps_and_work) = match is_steps {
            true => (text, None),
            false => (None, text),
        };
        Cost {
            steps,
            steps_and_work,
            time: time.cloned(),
        }
    };
    let times = action.times.as_ref();
    let edit = action.missing.is_empty();
    let edits = action.edits.iter().filter(|_| edit);
    Fix {
        file: file.to_owned(),
        line,
        predicate: action.predicate.to_string(),
        rule: action.rule.id().to_owned(),
        title: action.title.clone(),
        edit,
        missing: action.missing.clone(),
        before: cost(&action.cost.0, times.map(|t| &t.before)),
        after: cost(&action.cost.1, times.map(|t| &t.after)),
        better_for: action.better_for.clone(),
        timed_at: times.map(|t| t.at.clone()),
        tested_inputs: action.tested_inputs,
        changes: edits
            .map(|edit| Change {
                start: edit.range.start,
                end: edit.range.end,
                text: edit.text.clone(),
            })
            .collect(),
    }
}

/// Converts a hint without an edit.
pub(in crate::cli) fn hint(file: &str, line: usize, remark: &Remark) -> Fix {
    let cost = |steps: Option<&String>| Cost {
        steps: steps.cloned(),
        steps_and_work: None,
        time: None,
    };
    let costs = remark.cost.as_ref();
    Fix {
        file: file.to_owned(),
        line,
        predicate: remark.predicate.to_string(),
        rule: remark.rule.id().to_owned(),
        title: remark.message.clone(),
        edit: false,
        missing: Vec::new(),
        before: cost(costs.map(|(before, _)| before)),
        after: cost(costs.map(|(_, after)| after)),
        better_for: String::new(),
        timed_at: None,
        tested_inputs: 0,
        changes: Vec::new(),
    }
}
