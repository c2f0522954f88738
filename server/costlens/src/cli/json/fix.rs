//! The output of `costlens fix`.

use costlens_ide::advice::Remark;
use costlens_ide::fixes::Action;
use serde::Serialize;

use super::SCHEMA;

/// The cheaper variants of files, and the hints that have no edit.
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
    /// The line of the predicate's first clause, from 1; of a hint that of the goal or the head that it is about.
    pub(in crate::cli) line: usize,
    /// `nrev/2`.
    pub(in crate::cli) predicate: String,
    /// The rule, as `docs/rules.md` has it.
    pub(in crate::cli) rule: String,
    /// The change, and the gain.
    pub(in crate::cli) title: String,
    /// True where `changes` are the variant; false for a hint, which has none.
    edit: bool,
    /// The condition that is not proved, where a variant is offered with it; none else.
    missing: Vec<String>,
    /// The cost as it is; nulls for a hint that proves no other one.
    pub(in crate::cli) before: Cost,
    /// The cost of the variant.
    pub(in crate::cli) after: Cost,
    /// The sizes for which it is cheaper: `n ≥ 2`; empty for a mode line or a hint.
    pub(in crate::cli) better_for: String,
    /// The size and the engine of the times: `n = 1,000 on SWI-Prolog 9.0.4`; null without times.
    timed_at: Option<String>,
    /// The number of generated inputs on which both did the same.
    pub(in crate::cli) tested_inputs: usize,
    /// In order and without overlap, over the bytes of the text that the fix was found in.
    changes: Vec<Change>,
}

/// A cost in one resource; null in those that were not compared.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Cost {
    /// Resolution steps.
    pub(in crate::cli) steps: Option<String>,
    /// Resolution steps and units of work of built-ins together; where these show no gain, calls of built-ins, choice points and environments, too.
    pub(in crate::cli) steps_and_work: Option<String>,
    /// The time on the platform of `--platform`, at the size of `timed_at`: `≈ 14 µs`.
    pub(in crate::cli) time: Option<String>,
}

/// A replacement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Change {
    /// The first byte that goes.
    start: usize,
    /// The byte behind the last one.
    end: usize,
    /// The text in its place.
    text: String,
}

/// Converts a variant, or a declaration that would permit one. The latter is a hint, because its edit requires knowledge of the calls.
pub(in crate::cli) fn fix(file: &str, line: usize, action: &Action) -> Fix {
    let is_steps = action.unit == "steps";
    let cost = |text: &str, time: Option<&String>| {
        let text = text.to_owned();
        let (steps, steps_and_work) = match is_steps {
            true => (Some(text), None),
            false => (None, Some(text)),
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
