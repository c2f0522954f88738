//! Chooses the patterns shown for a predicate: declared patterns before observed ones before guesses.

use costlens_infer::report::Origin;
use costlens_infer::types::{Pattern, Type};
use costlens_program::Functor;

use super::calls::SeenCall;

/// The maximum number of analysed patterns that come from calls; the most frequent patterns are chosen.
const MOST_SEEN: usize = 3;

/// Calls with the same modes, joined.
struct JoinedCalls {
    pattern: Pattern,
    calls: usize,
}

/// Returns the patterns for a predicate without declarations, from the calls in the program and the guess.
///
/// Sure calls yield a pattern for each combination of modes and metrics, those with the guessed modes first, then by frequency. If none of
/// these patterns covers the guess, the guessed pattern is refined with the types in calls whose types are guessed: the clauses of
/// `split/3` accept any list, but a sort that compares elements calls it with `list(int)`.
#[must_use]
pub fn chosen_patterns(guess: &Pattern, calls: &[&SeenCall]) -> Vec<(Pattern, Origin)> {
    let sure: Vec<Pattern> = (calls.iter())
        .filter_map(|call| admitting(call, guess, is_list_of_less))
        .collect();
    let groups = grouped(guess, sure.into_iter());
    let guessed: Vec<&SeenCall> = (calls.iter().copied())
        .filter(|call| admitting(call, guess, is_list_of_less).is_none())
        .collect();
    let refined = by_guessed_calls(guess, &guessed);
    let mut chosen: Vec<(Pattern, Origin)> = groups
        .into_iter()
        .take(MOST_SEEN)
        .map(|group| (group.pattern, Origin::Called))
        .collect();
    // A guess contained in a call pattern adds nothing: for a table of facts, the guess is that it is called in any way. If the calls pass
    // more values than the guess accepts, and their arguments have other metrics, the guess may have bounds where the calls have none.
    let is_wider = |p: &Pattern| refined.is_within(p) && !is_alike(p, &refined);
    let known = |p: &Pattern| p.is_within(&refined) || same_modes(p, &refined) && !is_wider(p);
    if !chosen.iter().any(|(p, _)| known(p)) {
        chosen.push((refined, Origin::Inferred));
    }
    chosen
}

/// Returns the patterns that occur in calls and that no declared pattern covers.
#[must_use]
pub fn undeclared_calls(
    declared: &[(Pattern, Origin)],
    guess: &Pattern,
    calls: &[&SeenCall],
) -> Vec<(Pattern, Origin)> {
    let outside = (calls.iter())
        .filter(|c| !declared.iter().any(|(d, _)| c.pattern.is_within(d)))
        .filter_map(|call| admitting(call, guess, |_, _| false));
    grouped(guess, outside)
        .into_iter()
        .map(|group| (group.pattern, Origin::Called))
        .filter(|(pattern, _)| !declared.iter().any(|(d, _)| pattern.is_within(d)))
        .take(MOST_SEEN)
        .collect()
}

/// Returns a pattern close to the guess that admits all values that a sure call passes. Returns `None` if these values are unknown, or if
/// the guess accepts fewer values than the call may pass.
///
/// `fill([A,B,C])` passes a list of arbitrary elements, regardless of the clauses. `%! all(+Xs:list)`, which passes on the elements of
/// `Xs`, does not state their type. `widens` decides for which types of call and guess the wider type still allows bounds.
fn admitting(
    call: &SeenCall,
    guess: &Pattern,
    widens: fn(&Type, &Type) -> bool,
) -> Option<Pattern> {
    if !call.sure || call.pattern.0.len() != guess.0.len() {
        return None;
    }
    let types = call.pattern.0.iter().zip(&guess.0).enumerate();
    let types = types.map(|(i, (passed, guessed))| match passed {
        Type::List(e) if **e == Type::None => Some(match guessed {
            Type::List(_) => guessed.clone(),
            _ => Type::list(Type::Any),
        }),
        _ if call.partial.contains(&i) => Some(passed.clone()),
        Type::Any | Type::Nonvar if guessed.is_bound() => {
            passed.is_within(guessed).then(|| passed.clone())
        }
        Type::List(e) if **e == Type::Any && guessed.is_within(passed) => {
            (passed == guessed || widens(passed, guessed)).then(|| passed.clone())
        }
        _ => Some(passed.clone()),
    });
    types.collect::<Option<Vec<Type>>>().map(Pattern)
}

/// Returns whether a list of arbitrary elements has the same size metrics as the guessed list.
fn is_list_of_less(passed: &Type, guessed: &Type) -> bool {
    passed.metric() == guessed.metric() && passed.element_metric() == guessed.element_metric()
}

/// Returns the guess with the types from calls that depend on other guesses: calls with the modes of the guess or, if there are none, the
/// most frequent calls.
fn by_guessed_calls(guess: &Pattern, calls: &[&SeenCall]) -> Pattern {
    let passed = passed(guess, calls);
    let told = (calls.iter().filter(|c| c.pattern.0.len() == guess.0.len()))
        .map(|call| filled(&told_by(guess, call, &passed), guess));
    let groups = grouped(guess, told);
    groups
        .into_iter()
        .next()
        .map_or_else(|| guess.clone(), |group| group.pattern)
}

/// Returns the likely values of unknown arguments. An argument is assumed to be bound if every other call passes a bound term; otherwise it
/// is as guessed.
fn passed(guess: &Pattern, calls: &[&SeenCall]) -> Pattern {
    let of = |(i, guessed): (usize, &Type)| {
        let mut known = (calls.iter())
            .filter(|call| !(*guessed == Type::Free && call.hollow.contains(&i)))
            .filter_map(|call| call.pattern.0.get(i))
            .filter(|of| **of != Type::Any)
            .peekable();
        match known.peek().is_some() && known.all(Type::is_bound) {
            true if !guessed.is_bound() => Type::Nonvar,
            _ => guessed.clone(),
        }
    };
    Pattern(guess.0.iter().enumerate().map(of).collect())
}

/// Returns the modes that a call implies. An unknown argument implies no mode, and a structure of variables to be filled, as in
/// `copy(A-B, A1-B1)`, is not an input.
fn told_by(guess: &Pattern, call: &SeenCall, passed: &Pattern) -> Pattern {
    let types = call.pattern.0.iter().zip(guess.0.iter().zip(&passed.0));
    let told = types
        .enumerate()
        .map(|(i, (of, (guessed, passed)))| match of {
            Type::Any => passed.clone(),
            _ if *guessed == Type::Free && call.hollow.contains(&i) => Type::Free,
            of => of.clone(),
        });
    Pattern(told.collect())
}

/// Groups calls by modes and metrics: calls with the modes of the guess first, then by frequency.
fn grouped(guess: &Pattern, calls: impl Iterator<Item = Pattern>) -> Vec<JoinedCalls> {
    let mut groups: Vec<JoinedCalls> = Vec::new();
    for call in calls {
        match groups.iter_mut().find(|g| is_alike(&g.pattern, &call)) {
            Some(group) => {
                group.pattern = group.pattern.join(&call);
                group.calls += 1;
            }
            None => groups.push(JoinedCalls {
                pattern: call,
                calls: 1,
            }),
        }
    }
    groups.sort_by(|a, b| {
        let unusual = |g: &JoinedCalls| !same_modes(&g.pattern, guess);
        (unusual(a), b.calls, &a.pattern).cmp(&(unusual(b), a.calls, &b.pattern))
    });
    groups
}

/// Returns a guessed call, with the guess's type for each argument whose type is less precise.
fn filled(call: &Pattern, guess: &Pattern) -> Pattern {
    let types = call.0.iter().zip(&guess.0).map(|(c, g)| match c {
        Type::Any | Type::Nonvar if g.is_bound() => g.clone(),
        Type::List(e) if **e == Type::Any && g.is_within(c) => g.clone(),
        _ => c.clone(),
    });
    Pattern(types.collect())
}

/// Returns whether two calls share a displayed pattern: they have the same modes, and their join has the same metrics as both.
fn is_alike(a: &Pattern, b: &Pattern) -> bool {
    let measured = |(a, b): (&Type, &Type)| {
        let joined = a.join(b).metric();
        joined == a.metric() && joined == b.metric()
    };
    same_modes(a, b) && a.0.iter().zip(&b.0).all(measured)
}

fn same_modes(a: &Pattern, b: &Pattern) -> bool {
    a.modes() == b.modes()
}

/// Returns the calls whose callee is a given predicate.
pub fn calls_of<'a>(
    functor: &'a Functor,
    calls: impl Iterator<Item = &'a SeenCall>,
) -> impl Iterator<Item = &'a SeenCall> {
    calls.filter(move |call| call.callee == *functor)
}
