//! Built-ins of which more is known than how often they succeed: what their results measure, and when they raise nothing.

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_body::Comparison;
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use super::Runner;
use super::point::Point;
use crate::lattice::datum::Datum;
use crate::lattice::regular::{compound_key, constant_key};
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Text, Type};
use crate::lattice::weight::Counted;
use crate::state::arith::by_size;
use crate::state::{Scope, State};
use crate::tree::Step;
use crate::world::questions::{Split, Truth};

/// The results of a built-in whose inputs are of the right types.
struct Results {
    truth: Truth,
    may_raise: bool,
    /// Arguments, and the values that they are unified with.
    unified: Vec<(TermId, Datum)>,
    /// An argument that the built-in does not bind, and the value that it is known to have.
    learnt: Option<(TermId, Datum)>,
    /// An argument whose parts the results share.
    shares: Option<TermId>,
    /// A size that is known by how it relates to others.
    local: Option<(Var, Region)>,
}

impl Results {
    fn of(unified: Vec<(TermId, Datum)>) -> Self {
        Results {
            truth: Truth::True,
            may_raise: false,
            unified,
            learnt: None,
            shares: None,
            local: None,
        }
    }

    /// Elements of the argument are elements of the result.
    fn sharing(self, from: TermId) -> Self {
        Results {
            shares: Some(from),
            ..self
        }
    }

    fn maybe(self) -> Self {
        Results {
            truth: Truth::Maybe,
            ..self
        }
    }

    fn raising(self, may_raise: bool) -> Self {
        Results { may_raise, ..self }
    }
}

impl Runner<'_> {
    /// Runs a built-in of which sizes are known; none for any other, or for inputs of other types.
    pub(super) fn sized_builtin(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
    ) -> Result<Option<Truth>, Split> {
        let is_param = |e: &Expr| self.is_param(e);
        let here = self.known_here(&point.state);
        let s = Scope {
            world: &here,
            ..self.scope(terms, &is_param)
        };
        if let Some(&[before, after]) = terms.matches(goal, "succ", 2) {
            // `succ(M, N)` is a test of N, too: it fails for 0, and raises an exception below.
            let n = point.state.datum(terms, after);
            let zero = Size::exact(Expr::zero());
            if n.ty == Type::Int
                && point.state.datum(terms, before).ty == Type::Free
                && by_size(&s, Comparison::Greater, &n.size, &zero)? == Truth::False
            {
                if !n.size.is_nonnegative(self.world.region()) {
                    self.errors.set(true);
                }
                return Ok(Some(Truth::False));
            }
        }
        if let Some(&[t, parts]) = terms.matches(goal, "=..", 2)
            && let Some((functor, arguments)) = written_functor(&point.state, terms, parts)
        {
            let d = point.state.datum(terms, t);
            if matches!(d.ty, Type::Ground | Type::Tree(_)) && d.ty.is_ground() {
                if may_lack_arguments(&point.state, terms, t) {
                    self.errors.set(true);
                }
                return self
                    .has_functor(point, &s, &d, &functor, &arguments)
                    .map(Some);
            }
        }
        let Some(results) = self.results(&point.state, terms, goal) else {
            return Ok(None);
        };
        if results.may_raise {
            self.errors.set(true);
        }
        let mut truth = results.truth;
        if let Some(from) = results.shares {
            point.state.expose(terms, from, &Type::Any);
        }
        if let Some((local, facts)) = results.local {
            point.state.facts = point.state.facts.and_all(&facts);
            point.steps.push(Step::Sizes(vec![local], facts));
        }
        if let Some((argument, datum)) = results.learnt {
            self.learn(&mut point.state, terms, argument, &datum);
        }
        for (argument, datum) in results.unified {
            let before = point.state.datum(terms, argument).ty;
            if datum.ty == Type::Free {
                // A fresh variable binds nothing.
                continue;
            }
            truth = truth.and(point.state.unify_datum(&s, &datum, argument)?.0);
            if truth == Truth::False {
                break;
            }
            point.state.pure &= before.is_ground() || before == Type::Free;
        }
        Ok(Some(truth))
    }

    /// `Term =.. [f, A, B]` with a ground term does what `Term = f(A, B)` does.
    fn has_functor(
        &self,
        point: &mut Point,
        scope: &Scope<'_>,
        d: &Datum,
        functor: &SmolStr,
        arguments: &[TermId],
    ) -> Result<Truth, Split> {
        let (mut truth, parts) = point.state.has_functor(scope, d, functor, arguments)?;
        for (datum, argument) in parts {
            if truth == Truth::False {
                break;
            }
            let before = point.state.datum(scope.terms, argument).ty;
            truth = truth.and(point.state.unify_datum(scope, &datum, argument)?.0);
            point.state.pure &= before.is_ground() || before == Type::Free;
        }
        Ok(truth)
    }

    /// `Term =.. [Name|Arguments]` with a ground term of this size: it has as many arguments as their list has cells, and as a term that list is
    /// larger by one for each of them than the term: `[a, b]` has a size of 5, and `f(a, b)` one of 3.
    fn taken_apart(&self, size: &Size, name: TermId, arguments: TermId) -> Results {
        let most = size.shifted(-1).upper;
        let list = Type::list(Type::Ground);
        let name = (name, Datum::sized(Type::Ground, Size::exact(Expr::int(1))));
        if self.counted != Some(&Counted::Cells) {
            let length = Size {
                upper: most,
                ..Size::at_least(0)
            };
            return Results::of(vec![name, (arguments, Datum::sized(list, length))]);
        }
        let cells = self.fresh();
        let length = Expr::var(cells);
        let element = most.clone();
        let least = Constraint::ge(&length, &Expr::zero());
        let most = most.and_then(|most| Constraint::le(&length, &most));
        let facts = least.into_iter().chain(most).collect();
        let length = Size::exact(length);
        let datum = Datum {
            whole: Some(Box::new(size.plus(&length))),
            ..Datum::sized(list, length.clone())
                .with_element(element)
                .with_weight(Some(length))
        };
        Results {
            local: Some((cells, facts)),
            ..Results::of(vec![name, (arguments, datum)])
        }
    }

    /// Looks up the results of a built-in for its inputs; none where less is known than its trust lines say. Long, since it is a table of built-ins.
    fn results(&self, state: &State, terms: &Terms, goal: TermId) -> Option<Results> {
        let (name, _) = terms.functor(goal)?;
        let args = terms.args(goal);
        let datum = |t: TermId| state.datum(terms, t);
        let region = self.world.region();
        let at_least = |n: i64| Size {
            lower: Some(Expr::int(n)),
            upper: None,
        };
        let count = |n: i64| Datum::sized(Type::Int, at_least(n));
        let list_of = |element: Type, n: i64| Datum::sized(Type::list(element), at_least(n));
        Some(match (name.as_str(), args) {
            ("$list_or_partial_list", &[t]) => {
                let ty = datum(t).ty;
                Results::of(Vec::new()).raising(!matches!(ty, Type::Free | Type::List(_)))
            }
            // Integers of 64 bits alone are looked for.
            ("$seek_list", &[index, list, left, rest]) => {
                let (i, from) = (datum(index), datum(list));
                if i.ty != Type::Int || !matches!(from.ty, Type::List(_)) {
                    return None;
                }
                let sure = i.size.is_nonnegative(region);
                let is_written = i.size.upper.as_ref().and_then(Expr::as_constant).is_some();
                let left_of = Size {
                    lower: sure.then(Expr::zero),
                    upper: i.size.upper,
                };
                let rest_of = Size {
                    lower: Some(Expr::zero()),
                    upper: from.size.upper,
                };
                let results = vec![
                    (left, Datum::sized(Type::Int, left_of)),
                    (rest, Datum::sized(from.ty, rest_of)),
                ];
                Results::of(results).sharing(list).raising(!is_written)
            }
            ("must_be", &[kind, t]) => {
                let (kind, d) = (state.resolve(terms, kind), datum(t));
                let demanded = demanded(terms, state, kind)?;
                let holds = match terms.as_atom(kind).map_or("", |k| k.as_str()) {
                    "integer" => d.ty == Type::Int,
                    "nonneg" => d.ty == Type::Int && d.size.is_nonnegative(region),
                    "number" => matches!(d.ty, Type::Int | Type::Number),
                    "list" | "proper_list" => matches!(d.ty, Type::List(_)),
                    "atom" | "symbol" => d.ty.text() == Some(Text::Atom),
                    "string" => d.ty.text() == Some(Text::String),
                    "ground" => d.ty.is_ground(),
                    "nonvar" => is_nonvar(&d.ty),
                    "any" => true,
                    _ => false,
                };
                let learnt = demanded
                    .filter(|ty| !holds && d.ty != Type::Free && d.ty.meet(ty) != Type::None);
                Results {
                    learnt: learnt.map(|ty| (t, Datum::of(ty))),
                    ..Results::of(Vec::new()).raising(!holds)
                }
            }
            ("$skip_list", &[length, list, tail]) => {
                let from = datum(list);
                if matches!(from.ty, Type::List(_)) {
                    let nil = Datum::sized(Type::list(Type::None), Size::exact(Expr::zero()));
                    let n = Datum::sized(Type::Int, from.size);
                    Results::of(vec![(length, n), (tail, nil)])
                } else if from.ty == Type::Free {
                    let none = Datum::sized(Type::Int, Size::exact(Expr::zero()));
                    Results::of(vec![(length, none), (tail, Datum::of(Type::Any))]).sharing(list)
                } else {
                    // The tail is a part of the list, or the whole: it may be the caller's variable.
                    let tail_of = Datum::of(Type::Any);
                    let results = Results::of(vec![(length, count(0)), (tail, tail_of)]);
                    results.maybe().sharing(list)
                }
            }
            ("copy_term", &[from, to]) => {
                let mut copied = datum(from);
                if !copied.ty.is_ground() {
                    copied.key = None;
                }
                Results::of(vec![(to, copied)])
            }
            ("sort" | "msort" | "keysort", &[list, to]) => {
                let from = datum(list);
                if !matches!(from.ty, Type::List(_)) {
                    return None;
                }
                let size = if name == "sort" {
                    fewer(&from.size, region)
                } else {
                    from.size.clone()
                };
                // What is no pair is an error for `keysort/2` alone.
                Results::of(vec![(to, Datum::sized(from.ty, size))])
                    .sharing(list)
                    .raising(name == "keysort")
            }
            ("sort", &[key, order, list, to]) => {
                let (from, order) = (datum(list), terms.as_atom(state.resolve(terms, order))?);
                if !matches!(from.ty, Type::List(_)) {
                    return None;
                }
                let size = match order.as_str() {
                    "@=<" | "@>=" => from.size.clone(),
                    "@<" | "@>" => fewer(&from.size, region),
                    _ => return None,
                };
                let whole = datum(key).size.as_exact().is_some_and(Expr::is_zero);
                Results::of(vec![(to, Datum::sized(from.ty, size))])
                    .sharing(list)
                    .raising(!whole)
            }
            // Also where the length is given: `string_length(S, 6)`.
            ("atom_length" | "string_length", &[text, length]) if is_text(&datum(text).ty) => {
                let (given, from) = (datum(length).ty, datum(text));
                let chars = from.measured(Metric::Chars);
                Results::of(vec![(length, Datum::sized(Type::Int, chars))])
                    .raising(!matches!(given, Type::Free | Type::Int))
            }
            ("char_code", &[char, code])
                if datum(char).ty == Type::Free && datum(code).ty == Type::Int =>
            {
                Results::of(vec![(char, Datum::of(Type::Atom))]).raising(true)
            }
            ("functor", &[t, name, arity]) if is_nonvar(&datum(t).ty) => {
                let free = [name, arity].map(|t| datum(t).ty == Type::Free);
                let results = Results::of(vec![(name, Datum::of(Type::Ground)), (arity, count(0))]);
                if free == [true, true] {
                    results
                } else {
                    results.maybe()
                }
                .raising(may_lack_arguments(state, terms, t))
            }
            ("=..", &[t, parts]) if datum(t).ty.is_ground() => {
                let size = datum(t).measured(Metric::Size);
                let results = match terms.matches(state.resolve(terms, parts), CONS, 2) {
                    Some(&[name, arguments]) => self.taken_apart(&size, name, arguments),
                    _ => Results::of(vec![(parts, list_of(Type::Ground, 1))]),
                };
                let may_lack = may_lack_arguments(state, terms, t);
                results.raising(may_lack || !state.takes_list(terms, parts))
            }
            ("arg", &[place, t, argument]) if datum(place).ty == Type::Int => {
                // A list has two arguments where it is not empty; anything but a compound raises.
                let ty = datum(t).ty;
                if !ty.is_ground() {
                    return None;
                }
                Results::of(vec![(argument, Datum::of(Type::Ground))])
                    .maybe()
                    .raising(true)
            }
            ("succ", &[a, b]) => {
                let (x, y) = (datum(a), datum(b));
                match (&x.ty, &y.ty) {
                    (Type::Int, Type::Free | Type::Int) => {
                        let next = Datum::sized(Type::Int, x.size.shifted(1));
                        let negative = !x.size.is_nonnegative(region)
                            || (y.ty == Type::Int && !y.size.is_nonnegative(region));
                        Results::of(vec![(b, next)]).raising(negative)
                    }
                    (Type::Free, Type::Int) => {
                        let before = Datum::sized(Type::Int, y.size.shifted(-1));
                        let positive = y.size.shifted(-1).is_nonnegative(region);
                        let results = Results::of(vec![(a, before)]);
                        if positive {
                            results
                        } else {
                            results.maybe().raising(!y.size.is_nonnegative(region))
                        }
                    }
                    _ => return None,
                }
            }
            ("plus", &[a, b, c]) => {
                let (x, y, z) = (datum(a), datum(b), datum(c));
                let int = |size: Size| Datum::sized(Type::Int, size);
                match (&x.ty, &y.ty, &z.ty) {
                    (Type::Int, Type::Int, Type::Free | Type::Int) => {
                        Results::of(vec![(c, int(x.size.plus(&y.size)))])
                    }
                    (Type::Int, Type::Free, Type::Int) => {
                        Results::of(vec![(b, int(z.size.plus(&x.size.negated())))])
                    }
                    (Type::Free, Type::Int, Type::Int) => {
                        Results::of(vec![(a, int(z.size.plus(&y.size.negated())))])
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

/// The type that a value has after `must_be(Kind, X)` returned: what it is otherwise is an error. The outer option is none for a kind that
/// library(error) does not define, whose test may be anything; the inner one where no type here says what holds.
fn demanded(terms: &Terms, state: &State, kind: TermId) -> Option<Option<Type>> {
    let (name, arity) = terms.functor(kind)?;
    Some(match (name.as_str(), arity) {
        ("integer" | "nonneg" | "positive_integer" | "negative_integer", 0) => Some(Type::Int),
        ("number" | "float" | "rational", 0) => Some(Type::Number),
        ("atom" | "symbol" | "boolean" | "bool" | "char" | "order", 0) => Some(Type::Ground),
        ("code", 0) => Some(Type::Int),
        ("list" | "proper_list", 0) => Some(Type::list(Type::Any)),
        ("list" | "list_of", 1) => {
            // The elements have to be of a kind that is known; what that is holds of them now, and where they hold variables not for ever.
            let of = state.resolve(terms, terms.args(kind)[0]);
            demanded_of_elements(terms, of)?;
            Some(Type::list(Type::Any))
        }
        ("ground", 0) | ("oneof", 1) => Some(Type::Ground),
        ("nonvar" | "callable" | "compound" | "pair" | "atomic" | "string" | "constant", 0) => {
            Some(Type::Nonvar)
        }
        ("between", 2) => Some(Type::Number),
        (
            "any"
            | "var"
            | "cyclic"
            | "acyclic"
            | "text"
            | "chars"
            | "codes"
            | "type"
            | "list_or_partial_list"
            | "stream"
            | "dict",
            0,
        ) => None,
        _ => return None,
    })
}

/// Tells whether `list(Kind)` tests with a kind of library(error) that is a word.
fn demanded_of_elements(terms: &Terms, kind: TermId) -> Option<()> {
    let word = terms.as_atom(kind)?;
    matches!(
        word.as_str(),
        "any"
            | "atom"
            | "atomic"
            | "integer"
            | "nonneg"
            | "positive_integer"
            | "number"
            | "float"
            | "callable"
            | "compound"
            | "ground"
            | "nonvar"
            | "string"
            | "boolean"
            | "list"
            | "pair"
            | "var"
            | "text"
            | "char"
            | "code"
            | "symbol"
            | "rational"
    )
    .then_some(())
}

/// The length of a list without its duplicates.
fn fewer(size: &Size, region: &costlens_algebra::Region) -> Size {
    let some = size.shifted(-1).is_nonnegative(region);
    let single = size
        .as_exact()
        .and_then(Expr::as_constant)
        .is_some_and(|c| c <= costlens_algebra::rat(1));
    if single {
        return size.clone();
    }
    Size {
        lower: Some(Expr::int(i64::from(some))),
        upper: size.upper.clone(),
    }
}

/// Tells whether a term may be a compound one without arguments, `f()`, which has no functor for `functor/3` and `=../2`: they raise an exception.
fn may_lack_arguments(state: &State, terms: &Terms, t: TermId) -> bool {
    let t = state.resolve(terms, t);
    if matches!(terms.get(t), Term::Compound(..)) {
        return terms.args(t).is_empty();
    }
    let datum = state.datum(terms, t);
    let mut ty = &datum.ty;
    while let Type::Tree(of) = ty {
        ty = &of.leaf;
    }
    !(ty.is_constant() || matches!(ty, Type::List(_)))
}

/// Atoms and numbers: what every text built-in accepts.
fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Number) || ty.text().is_some()
}

fn is_nonvar(ty: &Type) -> bool {
    ty.is_bound() && *ty != Type::None
}

/// The functor and the arguments of the term that a written list makes: `f/2` and `A`, `B` of `[f, A, B]`. None where the list goes on in a variable,
/// or where its first element is none.
fn written_functor(state: &State, terms: &Terms, parts: TermId) -> Option<(SmolStr, Vec<TermId>)> {
    let mut elements = Vec::new();
    let mut rest = state.resolve(terms, parts);
    while let Some(&[head, tail]) = terms.matches(rest, CONS, 2) {
        elements.push(head);
        rest = state.resolve(terms, tail);
    }
    if elements.is_empty() || terms.as_atom(rest).is_none_or(|end| end != NIL) {
        return None;
    }
    let name = state.resolve(terms, elements.remove(0));
    match (terms.get(name), elements.is_empty()) {
        (_, true) => Some((constant_key(terms, name)?, elements)),
        (Term::Atom(name), false) => Some((compound_key(name, elements.len()), elements)),
        _ => None,
    }
}
