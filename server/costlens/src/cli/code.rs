//! `costlens explain --code`.

use clap::ValueEnum;
use costlens_ide::reports::code::{Belongs, Choices, ClauseListing, InstructionGroup, Listing};
use costlens_machine::Indexing;
use serde_json::{Value, json};

use super::json;

/// A compile model on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Model {
    /// The model of Costlens' own machine.
    Machine,
    /// The model of PPDP'08, Table 1.
    Ppdp08,
}

/// The arguments used for clause indexing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum IndexOn {
    /// The first argument, as the bounds assume.
    First,
    /// The bound argument that leaves the fewest clauses.
    All,
}

impl From<IndexOn> for Indexing {
    fn from(index: IndexOn) -> Self {
        match index {
            IndexOn::First => Self::FirstArgument,
            IndexOn::All => Self::AllArguments,
        }
    }
}

impl Model {
    pub(super) fn with_index(self, index: IndexOn) -> costlens_ide::reports::code::Model {
        match self {
            Model::Machine => costlens_ide::reports::code::Model::Machine(index.into()),
            Model::Ppdp08 => costlens_ide::reports::code::Model::Ppdp08,
        }
    }
}

pub(super) fn as_text(predicate: &str, listing: &Listing) -> String {
    let mut out = format!(
        "{predicate}, code under the model `{}`\n",
        listing.model.name()
    );
    if !listing.index.is_empty() {
        out.push_str("\n  clauses tried, by the first argument\n");
        out.push_str(&choices_text(&listing.index));
    }
    for (place, (argument, choices)) in listing.arguments.iter().enumerate() {
        let before = if place == 0 {
            ""
        } else {
            ", if those before are unbound"
        };
        out.push_str(&format!(
            "\n  clauses tried, by argument {argument}{before}\n"
        ));
        out.push_str(&choices_text(choices));
    }
    for (i, clause) in listing.clauses.iter().enumerate() {
        out.push_str(&format!("\n  clause {}   {}\n", i + 1, clause.text));
        if let Some(error) = &clause.error {
            out.push_str(&format!("    no code: {error}\n"));
        }
        let labels: Vec<String> = clause.groups.iter().map(|g| label(listing, g)).collect();
        let width = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
        for (label, group) in labels.iter().zip(&clause.groups) {
            for (j, (at, _, text)) in group.instructions.iter().enumerate() {
                let label = if j == 0 { label.as_str() } else { "" };
                out.push_str(&format!("    {label:width$}  {at:>3}  {text}\n"));
            }
        }
    }
    out
}

fn choices_text(choices: &Choices) -> String {
    let mut out = String::new();
    for (what, clauses) in choices {
        let clauses: Vec<String> = clauses.iter().map(usize::to_string).collect();
        let clauses = if clauses.is_empty() {
            "none".to_owned()
        } else {
            clauses.join(", ")
        };
        out.push_str(&format!("    {what}: {clauses}\n"));
    }
    out
}

fn choices_json(choices: &Choices) -> Vec<Value> {
    let rows = choices.iter();
    rows.map(|(what, clauses)| json!({"argument": what, "clauses": clauses}))
        .collect()
}

/// Returns the label of a group: `E(C,H)` and `E(C,L1) app/3` in the paper's model, otherwise `head` and `app/3`.
fn label(listing: &Listing, group: &InstructionGroup) -> String {
    let paper = listing.model == costlens_ide::reports::code::Model::Ppdp08;
    match (&group.of, paper) {
        (Belongs::Head, true) => "E(C,H)".to_owned(),
        (Belongs::Literal(i, of), true) => format!("E(C,L{i}) {of}"),
        (Belongs::Head, false) => "head".to_owned(),
        (Belongs::Literal(i, of), false) => format!("{i}: {of}"),
        (Belongs::Control, _) => String::new(),
    }
}

pub(super) fn as_json(file: &str, predicate: &str, listing: &Listing) -> Value {
    let clauses: Vec<Value> = listing.clauses.iter().map(clause).collect();
    let arguments = (listing.arguments.iter())
        .map(|(argument, choices)| json!({"argument": argument, "index": choices_json(choices)}));
    json!({
        "schema": json::SCHEMA,
        "file": file,
        "predicate": predicate,
        "model": listing.model.name(),
        "index": choices_json(&listing.index),
        "arguments": arguments.collect::<Vec<_>>(),
        "clauses": clauses,
    })
}

fn clause(clause: &ClauseListing) -> Value {
    let groups = clause.groups.iter().map(|group| {
        let (part, literal) = match &group.of {
            Belongs::Head => ("head", Value::Null),
            Belongs::Control => ("control", Value::Null),
            Belongs::Literal(i, of) => ("literal", json!({"number": i, "predicate": of})),
        };
        let instructions = (group.instructions.iter())
            .map(|(at, name, text)| json!({"at": at, "name": name.as_str(), "text": text}));
        json!({
            "part": part,
            "literal": literal,
            "instructions": instructions.collect::<Vec<_>>(),
        })
    });
    json!({
        "text": clause.text,
        "error": clause.error,
        "parts": groups.collect::<Vec<_>>(),
    })
}
