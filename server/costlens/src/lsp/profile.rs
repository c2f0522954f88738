//! Profiles requested in an editor: taken on a separate thread, from a copy of the texts, so that editing can continue.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{anyhow, bail};
use costlens_ide::host::Cancelled;
use costlens_machine::{CentreName, Indexing, Resource};
use costlens_profile::draw::Drawing;
use costlens_profile::search::{Heuristic, Predicate, Tree};
use costlens_profile::{Profile, resource_name};
use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;
use tower_lsp::ls_types::Uri;

use super::document::DocumentView;
use super::program::read;
use super::session::Session;
use super::to_proto::markdown;
use super::views::Views;
use crate::profiling::engines::{Embedded, Engine, Profiled, Profiler, Swi};
use crate::profiling::marks::{Mark, Marking, Places, amount_of, bounds, percent};
use crate::profiling::page::Page;
use crate::profiling::running::{ProfiledGoal, Read, prepare};
use crate::profiling::{Planned, ProfilingRequest, interrupted, planned};

/// The default time limit for a run of the goal, in seconds.
const SECONDS: f64 = 10.0;
/// The limit on the run's terms and stacks, in megabytes.
const MEGABYTES: usize = 1024;

/// The user's request.
#[derive(Clone, Debug)]
pub(super) struct ProfileParams {
    /// The document whose program is profiled.
    pub(super) uri: Uri,
    pub(super) goal: String,
    pub(super) engine: Engine,
    /// The resource for shares; by default `steps`, and on SWI-Prolog `time`.
    pub(super) resource: Option<Resource>,
    /// True to search for the bottleneck.
    pub(super) search: bool,
    /// The time limit for each run, in seconds.
    pub(super) seconds: Option<f64>,
}

/// A row of the list: the predicate, or the remainder; its depth; its own share, and its share including callees.
type Listed = (Option<Predicate>, usize, Option<f64>, Option<f64>);

/// A name, with the heat of its share.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Heated {
    range: lsp::Range,
    /// `low`, `medium`, `high` or `highest`.
    level: &'static str,
}

/// A profile as sent to an editor.
pub(super) struct TakenProfile {
    /// The response to the command.
    pub(super) answer: Value,
    /// The hints of each document with marks.
    pub(super) marks: BTreeMap<Uri, Vec<lsp::InlayHint>>,
    /// The marked names with their heat, in the same order.
    pub(super) heat: BTreeMap<Uri, Vec<Heated>>,
    /// The files of the program.
    pub(super) program: Vec<Uri>,
}

impl ProfileParams {
    fn resource(&self) -> Resource {
        self.resource.unwrap_or(match self.engine {
            Engine::Embedded => Resource::Steps,
            Engine::Swi => Resource::Time,
        })
    }

    /// Takes a profile of the program in `documents`, or on disk if no document is open. `tell` receives the current activity and the
    /// completed percentage of the work.
    ///
    /// # Errors
    /// Fails if the goal cannot be run, or if the user has cancelled the profile.
    pub(super) fn take(
        &self,
        documents: &[Arc<DocumentView>],
        session: &Session,
        tell: &dyn Fn(&str, u32),
        cancel: &Arc<AtomicBool>,
    ) -> anyhow::Result<TakenProfile> {
        tell("loading the program", 0);
        let mut warnings: Vec<String> = Vec::new();
        let program = read(&self.uri, documents, session)?;
        let profiler = self.profiler(program, &mut warnings, cancel)?;
        tell(if self.search { "searching" } else { "running" }, 20);
        let planned = planned(&self.wanted(), profiler.as_ref())?;
        warnings.extend(planned.warnings());
        let Planned {
            plan,
            nohooks,
            mut tree,
            ..
        } = planned;
        tell("running", 50);
        let profiled = profiler.profile(&plan, &nohooks)?;
        if let Some(tree) = &mut tree {
            tree.measure(&profiled.profile);
        }
        warnings.extend(profiled.warnings());
        warnings.extend(profiled.ran.failed_tests.iter().cloned());
        tell("comparing with bounds", 80);
        let (host, _) = profiler.host();
        let places = Places::resolve(host, profiler.program())?;
        let calls = match profiler.program().left_out {
            // Bounds apply to the whole program.
            None if self.resource() == Resource::Steps && profiled.ran.result != "limit" => {
                profiler.single(&plan)
            }
            _ => Vec::new(),
        };
        if cancel.load(Ordering::Relaxed) {
            bail!("it was cancelled");
        }
        let bounds = bounds(host, &places, &calls)?;
        let source = format!("Profile of `{}` on {}.", self.goal, self.engine.title());
        let marking = Marking::new(&profiled.profile, self.resource(), source, bounds);
        let snapshot = host.snapshot();
        let mut views = Views::new(&snapshot, session, None);
        let (marks, heat) = hints(marking.marks(&places), &mut views).map_err(interrupted)?;
        let mut program = Vec::new();
        for file in places.files() {
            let view = views.get(file).map_err(interrupted)?;
            program.extend(view.map(|view| view.uri.clone()));
        }
        let list = self.list(&profiled.profile, tree.as_ref(), &places, &mut views)?;
        let count = marks.values().map(Vec::len).sum();
        Ok(TakenProfile {
            answer: self.answer(&profiled, tree.as_ref(), list, &warnings, count),
            marks,
            heat,
            program,
        })
    }

    /// Prepares the engine that runs the goal.
    fn profiler(
        &self,
        program: Read,
        warnings: &mut Vec<String>,
        cancel: &Arc<AtomicBool>,
    ) -> anyhow::Result<Box<dyn Profiler>> {
        let goal = ProfiledGoal {
            text: self.goal.clone(),
            calls: Vec::new(),
            all: false,
            indexing: Indexing::FirstArgument,
            seconds: self.seconds.unwrap_or(SECONDS),
            megabytes: MEGABYTES,
            steps: None,
        };
        Ok(match self.engine {
            Engine::Embedded => {
                let prepared = prepare(&goal, program, true, cancel)?;
                warnings.extend(prepared.said.iter().cloned());
                Box::new(Embedded::new(prepared, false))
            }
            Engine::Swi => {
                let file = self.uri.to_file_path().map(PathBuf::from);
                let file = file.filter(|file| file.is_file());
                let file = file.ok_or_else(|| {
                    anyhow!("save the file first: SWI-Prolog loads it from the disk")
                })?;
                Box::new(Swi::new(&goal, &file, None, program, true, cancel)?)
            }
        })
    }

    fn wanted(&self) -> ProfilingRequest {
        ProfilingRequest {
            centres: Vec::new(),
            hooks: true,
            low_level: false,
            resource: self.resource(),
            is_chosen: self.resource.is_some(),
            search: self.search.then_some(Heuristic::Most(2)),
        }
    }

    /// Returns the listed predicates: the predicates of the tree, each after its caller, or all predicates by share.
    fn list(
        &self,
        profile: &Profile,
        tree: Option<&Tree>,
        places: &Places,
        views: &mut Views<'_>,
    ) -> anyhow::Result<Vec<Value>> {
        let mut rows: Vec<Listed> = Vec::new();
        match tree {
            Some(tree) => rows.extend(tree.walk().map(|(depth, found)| {
                let own = found.own.map(|own| tree.share(own));
                (
                    found.predicate.clone(),
                    depth,
                    own,
                    Some(tree.share(found.used)),
                )
            })),
            None => {
                for n in profile.by_share(self.resource()) {
                    if let CentreName::Predicate(name, arity) = &profile.measured.centres[n].name {
                        let of = |amounts| Some(profile.share(amounts, self.resource()));
                        let (own, all) = (
                            &profile.rows[n].own,
                            &profile.measured.centres[n].accumulated,
                        );
                        rows.push((Some((name.clone(), *arity)), 0, of(own), of(all)));
                    }
                }
            }
        }
        let mut list = Vec::new();
        for (predicate, depth, own, all) in rows {
            let place = predicate
                .as_ref()
                .and_then(|predicate| places.predicate(predicate));
            let location = match place {
                Some(place) => views.range(place.file, &place.range).map_err(interrupted)?,
                None => None,
            };
            let shown = |share: Option<f64>| share.map(percent);
            list.push(json!({
                "name": predicate.map_or_else(|| "the goal".to_owned(), |(name, arity)| format!("{name}/{arity}")),
                "depth": depth,
                "own": shown(own),
                "withCalls": shown(all),
                "location": location,
            }));
        }
        Ok(list)
    }

    fn answer(
        &self,
        profiled: &Profiled,
        tree: Option<&Tree>,
        list: Vec<Value>,
        warnings: &[String],
        marks: usize,
    ) -> Value {
        let (profile, ran) = (&profiled.profile, &profiled.ran);
        let drawing = match tree {
            Some(tree) => Drawing::of_tree(tree),
            None => Drawing::of_profile(profile, self.resource()),
        };
        let total = amount_of(&profile.measured.total, self.resource());
        let summary = profiled.summary(self.engine, Some(&total));
        let page = Page {
            goal: &self.goal,
            summary: &summary,
            profile,
            resource: self.resource(),
            drawing: &drawing,
            checks: &[],
        };
        json!({
            "goal": self.goal,
            "engine": self.engine.name(),
            "result": ran.result,
            "exception": ran.exception,
            "warnings": warnings,
            "resource": resource_name(self.resource()),
            "total": total,
            "summary": summary,
            "marks": marks,
            "list": list,
            "svg": drawing.svg(),
            "page": page.html(),
        })
    }
}

type Hints = (
    BTreeMap<Uri, Vec<lsp::InlayHint>>,
    BTreeMap<Uri, Vec<Heated>>,
);

/// Converts marks to hints, and to the heat of their names, by document.
fn hints(marks: Vec<Mark>, views: &mut Views<'_>) -> Result<Hints, Cancelled> {
    let (mut found, mut heat) = Hints::default();
    for mark in marks {
        let Some(view) = views.get(mark.file)? else {
            continue;
        };
        let of_document: &mut Vec<Heated> = heat.entry(view.uri.clone()).or_default();
        of_document.push(Heated {
            range: view.range(&mark.named),
            level: mark.heat.name(),
        });
        found
            .entry(view.uri.clone())
            .or_default()
            .push(lsp::InlayHint {
                position: view.position(mark.offset),
                label: lsp::InlayHintLabel::String(mark.label),
                kind: None,
                text_edits: None,
                tooltip: Some(lsp::InlayHintTooltip::MarkupContent(markdown(mark.tooltip))),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            });
    }
    Ok((found, heat))
}
