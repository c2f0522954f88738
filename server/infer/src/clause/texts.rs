//! Built-ins that take texts apart and put them together: how many characters the parts have, and how many parts there are.
//!
//! ```prolog
//! digits("", []).
//! digits(S, [C|Cs]) :- string_code(1, S, C), sub_string(S, 1, _, 0, Rest), digits(Rest, Cs).   % Rest has one character less than S
//! ```

use costlens_algebra::Expr;
use costlens_algebra::prove::nonnegative;
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::calls::forget_shared;
use super::generators::generator;
use super::point::Point;
use crate::lattice::datum::Datum;
use crate::lattice::size::Size;
use crate::lattice::types::{Metric, Text, Type};
use crate::state::arith::{Comparison, by_size};
use crate::tree::Step;
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Runs a built-in on texts; none for any other, or for inputs of other types.
    pub(super) fn text_builtin(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
    ) -> Result<Option<Truth>, Split> {
        let Some((name, _)) = terms.functor(goal) else {
            return Ok(None);
        };
        let args = terms.args(goal).to_vec();
        let data = || {
            let mut data: Vec<Datum> = args.iter().map(|&a| point.state.datum(terms, a)).collect();
            forget_shared(&point.state, terms, &args, &mut data);
            data
        };
        let (output, made) = match (name.as_str(), args.len()) {
            ("split_string", 4) => (3, self.split_text(terms, &data(), point, args[1])),
            ("atomic_list_concat", 2) => (1, self.joined(&data(), None)),
            ("atomic_list_concat", 3) => {
                let data = data();
                match self.joined(&data, Some(&data[1])) {
                    None => (0, self.split_at(&data)),
                    whole => (2, whole),
                }
            }
            ("sub_atom", 5) => {
                return self.part_of_text(point, terms, goal, &data(), Type::Atom);
            }
            ("sub_string", 5) => {
                let string = Type::Text(Text::String);
                return self.part_of_text(point, terms, goal, &data(), string);
            }
            _ => return Ok(None),
        };
        let Some(made) = made else {
            return Ok(None);
        };
        let is_param = |e: &Expr| self.is_param(e);
        let scope = self.scope(terms, &is_param);
        let before = point.state.datum(terms, args[output]).ty;
        let truth = point.state.unify_datum(&scope, &made, args[output])?.0;
        point.state.pure &= before.is_ground() || before == Type::Free;
        Ok(Some(truth))
    }

    /// `split_string(Text, Separators, Pad, Parts)`: one part more than there are separators, and none is longer than the text.
    fn split_text(
        &self,
        terms: &Terms,
        data: &[Datum],
        point: &Point,
        separators: TermId,
    ) -> Option<Datum> {
        data[0].ty.text()?;
        self.expect_texts(&data[1..3]);
        let chars = data[0].measured(Metric::Chars).upper;
        let is_split = match terms.get(point.state.resolve(terms, separators)) {
            Term::String(s) | Term::Atom(s) => !s.is_empty(),
            _ => true,
        };
        let one = Expr::int(1);
        let count = Size {
            lower: Some(one.clone()),
            upper: match is_split {
                true => chars.as_ref().map(|e| e + &one),
                false => Some(one),
            },
        };
        let parts = Type::list(Type::Text(Text::String));
        Some(Datum::sized(parts, count).with_element(chars))
    }

    /// `atomic_list_concat(Parts, Separator, Whole)` with parts that are known.
    fn joined(&self, data: &[Datum], separator: Option<&Datum>) -> Option<Datum> {
        let (parts, whole) = (data.first()?, data.last()?);
        let Type::List(element) = &parts.ty else {
            return None;
        };
        if element.text().is_none() && **element != Type::None
            || !whole.ty.is_ground() && whole.ty != Type::Free
        {
            return None;
        }
        let between = match separator {
            None => Some(Expr::zero()),
            Some(d) => {
                self.expect_texts(std::slice::from_ref(d));
                d.measured(Metric::Chars).upper
            }
        };
        let each = parts.element_bound(Metric::Chars);
        let most = || Some(parts.size.upper.as_ref()? * &(&each? + &between?));
        Some(Datum {
            size: Size {
                lower: Some(Expr::zero()),
                upper: most(),
            },
            ..Datum::of(Type::Atom)
        })
    }

    /// `atomic_list_concat(Parts, Separator, Whole)` that splits a text.
    fn split_at(&self, data: &[Datum]) -> Option<Datum> {
        let [parts, separator, whole] = data else {
            return None;
        };
        whole.ty.text().filter(|_| parts.ty == Type::Free)?;
        self.expect_texts(std::slice::from_ref(separator));
        let at = separator.measured(Metric::Chars).shifted(-1);
        if !at.is_nonnegative(self.world.region()) {
            // A separator without characters is an error.
            self.errors.set(true);
        }
        let chars = whole.measured(Metric::Chars).upper;
        let count = Size {
            lower: Some(Expr::int(1)),
            upper: chars.as_ref().map(|e| e + &Expr::int(1)),
        };
        let parts = Type::list(Type::Text(Text::Atom));
        Some(Datum::sized(parts, count).with_element(chars))
    }

    /// `sub_atom(Text, Before, Length, After, Part)`, where two of the three numbers tell the third, and else one solution for each place.
    fn part_of_text(
        &self,
        point: &mut Point,
        terms: &Terms,
        goal: TermId,
        data: &[Datum],
        ty: Type,
    ) -> Result<Option<Truth>, Split> {
        let ([from, data @ .., part_is], &[_, before, length, after, part]) =
            (data, terms.args(goal))
        else {
            return Ok(None);
        };
        let places = [before, length, after];
        let fits = |d: &Datum| matches!(d.ty, Type::Int | Type::Free);
        let known = if part_is.ty.text().is_some() {
            part_is.measured(Metric::Chars)
        } else if part_is.ty == Type::Free {
            Size::unknown()
        } else {
            return Ok(None);
        };
        if from.ty.text().is_none() || !data.iter().all(fits) {
            return Ok(None);
        }
        let chars = from.measured(Metric::Chars);
        let region = self.world.region();
        let given: Vec<&Datum> = data.iter().filter(|d| d.ty == Type::Int).collect();
        // A negative number is an error, and so is one that no text is as long as: `sub_atom(A, N, _, _, _)` for N = 10²⁰.
        let most = |d: &Datum| {
            let within =
                |m: &Expr| nonnegative(&(m - d.size.upper.as_ref()?), region).then_some(());
            within(&Expr::int(i64::from(i32::MAX))).or_else(|| within(chars.upper.as_ref()?))
        };
        if !given
            .iter()
            .all(|d| d.size.is_nonnegative(region) && most(d).is_some())
        {
            self.errors.set(true);
        }
        let is_param = |e: &Expr| self.is_param(e);
        let scope = self.scope(terms, &is_param);
        let zero = Size::exact(Expr::zero());
        // What is left of the text beside what is given: of its characters, or of its places.
        let mut rest = chars.clone();
        for d in &given {
            rest = rest.plus(&d.size.negated());
        }
        if !matches!(part_is.ty, Type::Free) && data[1].ty == Type::Free {
            rest = rest.plus(&known.negated());
        }
        let mut room = Truth::Maybe;
        for needed in given.iter().map(|d| &d.size).chain([&rest]) {
            match by_size(&scope, Comparison::GreaterEqual, needed, &zero)? {
                Truth::False => return Ok(Some(Truth::False)),
                Truth::True => room = Truth::True,
                Truth::Maybe => {
                    room = Truth::Maybe;
                    break;
                }
            }
        }
        let within = |upper: &Option<Expr>| Size {
            lower: Some(Expr::zero()),
            upper: upper.clone(),
        };
        let is_one = given.len() >= 2;
        let unbound = |d: &Datum| d.ty == Type::Free;
        for (i, (d, &place)) in data.iter().zip(&places).enumerate() {
            if !unbound(d) {
                continue;
            }
            let size = match (is_one, i) {
                (_, 1) if known.upper.is_some() => known.clone(),
                (true, _) if room == Truth::True => rest.clone(),
                _ if room == Truth::True => within(&rest.upper),
                _ => within(&chars.upper),
            };
            self.learn(
                &mut point.state,
                terms,
                place,
                &Datum::sized(Type::Int, size),
            );
        }
        if part_is.ty == Type::Free {
            let length = point.state.datum(terms, places[1]);
            let size = match length.ty {
                Type::Int => Size {
                    lower: (length.size.lower.clone())
                        .filter(|_| length.size.is_nonnegative(region))
                        .or_else(|| Some(Expr::zero())),
                    upper: length.size.upper.clone(),
                },
                _ => within(&chars.upper),
            };
            let made = Datum {
                size,
                ..Datum::of(ty)
            };
            self.learn(&mut point.state, terms, part, &made);
        } else {
            point.state.pure &= data.iter().all(|d| d.ty == Type::Int);
        }
        if is_one {
            let found = part_is.ty == Type::Free && given.len() == 2;
            return Ok(Some(if found { room } else { Truth::Maybe }));
        }
        // One solution for each place of the part that is asked for; of no place known, for each pair of them.
        let one_more = rest.shifted(1);
        let is_searched = part_is.ty != Type::Free;
        let mut count = match (given.len(), is_searched) {
            (1, true) if data[1].ty == Type::Free => Size::exact(Expr::int(1)),
            (1, _) | (0, true) => one_more,
            _ => {
                let half = costlens_algebra::Rat::new(1.into(), 2.into());
                let pairs = one_more.times(&rest.shifted(2), region).scaled(&half);
                Size {
                    lower: pairs.lower,
                    upper: pairs.upper,
                }
            }
        };
        if room != Truth::True {
            count.upper = chars.upper.map(|n| match (given.len(), is_searched) {
                (0, false) => &(&n + &Expr::int(1)) * &(&n + &Expr::int(2)),
                _ => &n + &Expr::int(1),
            });
        }
        let is_sure = room == Truth::True && !is_searched;
        if !is_sure {
            count.lower = Some(Expr::zero());
        }
        point.sure &= is_sure;
        point
            .steps
            .push(Step::Solutions(count, generator(terms, goal)));
        Ok(Some(Truth::True))
    }

    /// Notes that arguments which have to be texts may be something else.
    fn expect_texts(&self, data: &[Datum]) {
        if data.iter().any(|d| d.ty.text().is_none()) {
            self.errors.set(true);
        }
    }
}
