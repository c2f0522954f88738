//! Uses kept results where the program gives the same answers, and keeps new ones.

use std::hash::{DefaultHasher, Hasher as _};

use costlens_infer::Program;
use costlens_infer::report::Functor;
use costlens_infer::types::Pattern;
use costlens_program::SourceFile;
use costlens_program::workspace::{read_with_files, written_with_files};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Store;
use super::answers::{fingerprint_of, point_fingerprint, solved_fingerprint};
use super::entry::{About, Answered, Entry, Kind, Trace};
use super::fingerprint::Fingerprint;
use super::recorder::{Questions, Recorder};
use super::traced::Traced;

/// Returns the kept result of inference for a call, if the program gives the same answers as when it was kept; otherwise computes the
/// result and keeps it. `with` is the fingerprint of all else on which the result depends.
pub(crate) fn kept_or<T: Serialize + DeserializeOwned>(
    view: &dyn Traced,
    kind: Kind,
    (functor, pattern): (&Functor, &Pattern),
    with: Fingerprint,
    compute: &dyn Fn(&dyn Program) -> T,
) -> T {
    let Some(store) = view.db().memory().store() else {
        return compute(view);
    };
    let file = view.file().path(view.db());
    let clauses = view.clauses(functor);
    let key = Fingerprint::of(&(kind, file, functor, pattern, with, clauses)).number();
    if let Some(found) = recalled(view, store, key) {
        return found;
    }
    let recorder = Recorder::new(view);
    let result = compute(&recorder);
    if let Some(questions) = recorder.into_questions()
        && let Some(bytes) = written(view, &questions, &result)
    {
        store.write(key, bytes);
    }
    result
}

/// Returns a result and the answers on which it depends as bytes. Returns `None` if an answer depends on the order of computations.
fn written(view: &dyn Traced, questions: &Questions, result: &impl Serialize) -> Option<Vec<u8>> {
    let (bytes, files) = written_with_files(|| postcard::to_allocvec(result));
    let files = files.iter().map(|file| file.path(view.db()).to_owned());
    let entry = Entry {
        trace: answered(view, questions)?,
        files: files.collect(),
        result: bytes.ok()?,
    };
    postcard::to_allocvec(&entry).ok()
}

/// Asks the questions again, for the fingerprints of their answers.
fn answered(view: &dyn Traced, questions: &Questions) -> Option<Trace> {
    let mut unused = Vec::new();
    let of_calls =
        |calls: &[(Functor, Pattern)],
         of: &mut dyn FnMut(&Functor, &Pattern) -> Option<Fingerprint>| {
            calls
                .iter()
                .map(|(f, p)| Some((f.clone(), p.clone(), of(f, p)?)))
                .collect::<Option<Vec<Answered>>>()
        };
    let stated = of_calls(&questions.stated.order, &mut |f, p| {
        stated_fingerprint(view, f, p, &mut unused)
    })?;
    let summaries = of_calls(&questions.summaries.order, &mut |f, p| {
        view.summary_fingerprint(f, p, &mut unused)
    })?;
    let solved = of_calls(&questions.solved.order, &mut |f, p| {
        solved_fingerprint(view.db(), view.solved(f, p).as_ref(), &mut unused)
    })?;
    let about = questions.about.iter();
    let components = questions.components.order.iter();
    let numbers = questions.at_numbers.order.iter();
    Some(Trace {
        about: (about.map(|(of, &asked)| (of.clone(), asked, about_fingerprint(view, of, asked))))
            .collect(),
        components: (components.map(|(a, b)| (a.clone(), b.clone(), view.same_component(a, b))))
            .collect(),
        of_file: questions.of_file.then(|| view.file_fingerprint()),
        stated,
        summaries,
        solved,
        at_numbers: (numbers.map(|(f, p, at)| {
            let point = point_fingerprint(view.at_numbers(f, p, at).as_ref());
            (f.clone(), p.clone(), at.clone(), point)
        }))
        .collect(),
    })
}

/// Returns the fingerprint of the answers to a set of questions about a predicate.
fn about_fingerprint(view: &dyn Traced, of: &Functor, asked: u32) -> Fingerprint {
    let questions = About::ALL.iter().filter(|q| asked & q.bit() != 0);
    let answers: Vec<u64> = questions
        .map(|&question| {
            let mut hasher = DefaultHasher::new();
            view.hash_answer(question, of, &mut hasher);
            hasher.finish()
        })
        .collect();
    Fingerprint::of(&answers)
}

fn stated_fingerprint(
    view: &dyn Traced,
    functor: &Functor,
    pattern: &Pattern,
    files: &mut Vec<SourceFile>,
) -> Option<Fingerprint> {
    match view.stated_of_built_in(functor, pattern) {
        None => Some(Fingerprint::default()),
        Some(found) => fingerprint_of(view.db(), &found, files),
    }
}

/// Returns a kept result, if the program gives the same answers as when it was kept.
fn recalled<T: DeserializeOwned>(view: &dyn Traced, store: &dyn Store, key: u128) -> Option<T> {
    let bytes = store.read(key)?;
    let entry: Entry = postcard::from_bytes(&bytes).ok()?;
    let files = same_answers(view, &entry.trace)?;
    let by_name = |name: &String| files.iter().copied().find(|f| f.path(view.db()) == name);
    let files: Option<Vec<SourceFile>> = entry.files.iter().map(by_name).collect();
    read_with_files(files?, || postcard::from_bytes(&entry.result).ok())
}

/// Returns the files that the program's answers mention, or `None` if an answer is not that of the trace. The meanings of names are compared
/// first, so that no summary is computed for a question that inference would not ask.
fn same_answers(view: &dyn Traced, trace: &Trace) -> Option<Vec<SourceFile>> {
    let mut files = vec![view.file()];
    for (of, asked, answers) in &trace.about {
        if about_fingerprint(view, of, *asked) != *answers {
            return None;
        }
        files.extend(view.home_of(of));
    }
    let is_same = |(a, b, is): &(Functor, Functor, bool)| view.same_component(a, b) == *is;
    if !trace.components.iter().all(is_same) {
        return None;
    }
    if trace
        .of_file
        .is_some_and(|of| of != view.file_fingerprint())
    {
        return None;
    }
    for (functor, pattern, answer) in &trace.stated {
        if stated_fingerprint(view, functor, pattern, &mut files)? != *answer {
            return None;
        }
    }
    for (functor, pattern, answer) in &trace.solved {
        let solved = view.solved(functor, pattern);
        if solved_fingerprint(view.db(), solved.as_ref(), &mut files)? != *answer {
            return None;
        }
    }
    // All missing summaries are computed before any is compared.
    view.gather();
    for (functor, pattern, _) in &trace.summaries {
        view.summary(functor, pattern);
    }
    view.gathered();
    for (functor, pattern, answer) in &trace.summaries {
        if view.summary_fingerprint(functor, pattern, &mut files)? != *answer {
            return None;
        }
    }
    for (functor, pattern, numbers, answer) in &trace.at_numbers {
        let point = view.at_numbers(functor, pattern, numbers);
        if point_fingerprint(point.as_ref()) != *answer {
            return None;
        }
    }
    Some(files)
}
