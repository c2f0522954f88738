//! Reasons why a recursive call is not proved to end.

use costlens_algebra::display::display;
use costlens_algebra::linear::Region;
use costlens_algebra::prove::nonnegative;
use costlens_algebra::text::Names;
use costlens_algebra::{Expr, Var};
use costlens_program::CopyName;

use super::super::passed::{Origin, origin, passes_variable};
use super::super::{lowered, names};
use super::{Cause, if_it_falls, is_limited, taken_apart_unsized, without_size};
use crate::component::Component;
use crate::lattice::size::Size;
use crate::lattice::types::Metric;
use crate::readers::LiteralPlace;
use crate::report::Side;
use crate::summary::Summary;
use crate::summary::names::names_of;
use crate::summary::node::{Node, Slot};
use crate::tree::CallStep;

/// Explains why a recursive call is not proved to end. Returns `None` if one of its arguments decreases (or increases) towards a limit.
pub(super) fn endless(
    component: &Component<'_>,
    node: &Node,
    clause: usize,
    region: &Region,
    call: &CallStep,
    summary: &Summary,
) -> Option<(u8, Cause)> {
    let changes = changes(node, call, region)?;
    let recursive = RecursiveCall {
        component,
        node,
        clause,
        call,
        summary,
        name: names::of_node(component, node),
    };
    let name = &recursive.name;
    if let Some(argument) = taken_apart_unsized(component, node, clause) {
        return Some((1, recursive.of_unsized(argument)));
    }
    let number = clause + 1;
    if let Some(slot) = changes.falling {
        let argument = recursive.number(slot.argument);
        let reason = format!(
            "`{name}` calls itself in clause {number} with a smaller number in argument {argument}, but no test there keeps it from falling for ever"
        );
        let help = format!(
            "Add a guard to clause {number} that ends it, such as `N > 0` for its argument {argument}."
        );
        return Some((0, Cause::new(reason, help)));
    }
    let place = LiteralPlace {
        clause,
        literal: call.literal,
    };
    if let Some(ended) = without_size(component, node, place, name) {
        return Some((2, ended));
    }
    let lowered = (node.params.iter())
        .filter(|param| param.slot.metric == Metric::Int && param.slot.is_plain())
        .find_map(|param| lowered(component, node, place, node, param.slot.argument));
    if let Some((reason, help)) = lowered {
        return Some((1, Cause::new(reason, help)));
    }
    if let Some((slot, size)) = changes.growing {
        let to = (recursive.shown(size)).map_or_else(String::new, |e| format!(" ({e})"));
        let reason = format!(
            "`{name}` calls itself in clause {number} with a larger argument {}{to}, and nothing says where that ends",
            recursive.number(slot.argument)
        );
        return Some((1, Cause::new(reason, SMALLER.to_owned())));
    }
    Some((2, recursive.of_no_smaller()))
}

/// The advice for a recursion without any reason to end.
const SMALLER: &str = "Let an argument get smaller in every call: a list, or a number that a test keeps from falling for ever.";

/// Arguments of a recursive call that decrease or increase without a limit.
struct Changes<'a> {
    falling: Option<Slot>,
    growing: Option<(Slot, &'a Size)>,
}

/// Returns the arguments that change, or `None` if one of them has a limit.
fn changes<'a>(node: &Node, call: &'a CallStep, region: &Region) -> Option<Changes<'a>> {
    let one = Expr::int(1);
    let (mut falling, mut growing) = (None, None);
    for (param, size) in node.params.iter().zip(&call.args) {
        let v = Expr::var(param.var);
        let down = |upper: &Expr| nonnegative(&(&(&v - upper) - &one), region);
        let up = |lower: &Expr| nonnegative(&(&(lower - &v) - &one), region);
        if size.upper.as_ref().is_some_and(down) {
            if param.slot.metric.least().is_some() || is_limited(param.var, region, Side::Lower) {
                return None;
            }
            falling = falling.or(Some(param.slot));
        } else if size.lower.as_ref().is_some_and(up) {
            if is_limited(param.var, region, Side::Upper) {
                return None;
            }
            growing = growing.or(Some((param.slot, size)));
        }
    }
    Some(Changes { falling, growing })
}

/// A recursive call that is not proved to end.
struct RecursiveCall<'a> {
    component: &'a Component<'a>,
    node: &'a Node,
    clause: usize,
    call: &'a CallStep,
    summary: &'a Summary,
    /// The predicate's name.
    name: String,
}

impl RecursiveCall<'_> {
    /// Returns an argument's number (from 1), as the user counts arguments.
    fn number(&self, argument: usize) -> usize {
        names::argument(&self.node.name, argument).unwrap_or(argument + 1)
    }

    /// Returns an exact size over the summary's parameters as text.
    fn shown(&self, size: &Size) -> Option<String> {
        let e = size.as_exact()?;
        let is_param = |v: &Var| self.summary.params.iter().any(|p| p.var == *v);
        let is_named = e.variables().iter().all(is_param);
        is_named.then(|| display(e, &Names::new(names_of(self.summary))))
    }

    /// Explains one call per element of a list of unknown length.
    fn of_unsized(&self, argument: usize) -> Cause {
        let reason = format!(
            "`{}` calls itself in clause {} for each element of argument {}, and the length of that list is not known",
            self.name,
            self.clause + 1,
            self.number(argument)
        );
        let test = match CopyName::read(&self.node.name) {
            Some(_) => "Test".to_owned(),
            None => format!(
                "Declare the list in a mode line (`%! {}(…)`), or test",
                self.node.name.name
            ),
        };
        Cause {
            types_help: true,
            ..Cause::new(reason, format!("{test} it before the call (`is_list/1`)."))
        }
    }

    /// Explains a call without a provably decreasing argument.
    fn of_no_smaller(&self) -> Cause {
        let (name, clause) = (&self.name, self.clause + 1);
        let params = || self.node.params.iter().zip(&self.call.args);
        if params().all(|(p, size)| size.as_exact() == Some(&Expr::var(p.var))) {
            let reason = format!(
                "`{name}` calls itself in clause {clause} with arguments as large as its own"
            );
            return Cause::new(reason, SMALLER.to_owned());
        }
        let (component, node) = (self.component, self.node);
        let place = LiteralPlace {
            clause: self.clause,
            literal: self.call.literal,
        };
        let which = params()
            .filter(|(p, size)| size.as_exact() != Some(&Expr::var(p.var)))
            // A variable's size in one case does not apply to the other cases.
            .filter(|(p, size)| {
                size.as_exact().and_then(Expr::as_constant).is_none()
                    || !passes_variable(component, node, place, p.slot.argument)
            })
            .find_map(|(p, size)| Some((p, self.shown(size)?)));
        let given = (node.params.iter())
            .filter(|p| p.slot.is_plain())
            .find_map(|p| match origin(component, node, place, p.slot.argument)? {
                Origin::Goal(goal) => Some((p.slot.argument, goal)),
                Origin::Division => None,
            });
        if which.is_none()
            && let Some((argument, goal)) = given
        {
            let reason = format!(
                "`{name}` calls itself in clause {clause} with what `{goal}` gives as argument {}, which is not known to be smaller",
                self.number(argument)
            );
            return Cause::new(reason, if_it_falls(&node.name, name));
        }
        let which = which.map_or_else(String::new, |(p, e)| {
            format!(": argument {} is {e} there", self.number(p.slot.argument))
        });
        let reason = format!(
            "`{name}` calls itself in clause {clause}, and no argument is known to get smaller{which}"
        );
        Cause::new(reason, SMALLER.to_owned())
    }
}
