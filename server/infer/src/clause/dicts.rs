//! Functions on dicts: `Dict.key` and predefined functions. Their calls take no resolution step and enter no clause of the program.
//!
//! ```prolog
//! area(R, A) :- .(R, width, W), .(R, height, H), A is W*H.     % R.width*R.height
//! ```

use costlens_algebra::Expr;
use costlens_syntax::term::{QUASI_QUOTATION, TermId};

use super::Runner;
use super::point::{ClauseScope, Point};
use crate::lattice::datum::Datum;
use crate::lattice::types::{TextType, Type};
use crate::world::questions::{Split, Truth};

impl Runner<'_> {
    /// Runs `.(Dict, Function, Value)`. Returns `None` for any other goal, and for functions with several results, such as `D.get(K)` with
    /// an unbound key; those are treated as ordinary built-ins.
    pub(super) fn value_of_dict(
        &self,
        scope: &ClauseScope<'_>,
        point: &mut Point,
        goal: TermId,
    ) -> Result<Option<Truth>, Split> {
        let terms = scope.terms;
        let Some(&[dict, function, value]) = terms.matches(goal, ".", 3) else {
            return Ok(None);
        };
        let function = point.state.resolve(terms, function);
        if terms
            .as_atom(function)
            .is_some_and(|a| a == QUASI_QUOTATION)
        {
            // The result may be any term, including an unbound variable or variables of the clause.
            point.state.expose(terms, dict, &Type::Any);
            point.state.expose(terms, value, &Type::Any);
            return Ok(Some(Truth::True));
        }
        let is_key = |t: TermId| {
            let ty = point.state.datum(terms, t).ty;
            matches!(ty, Type::Int | Type::Atom | Type::Text(TextType::Atom))
        };
        let is_value_of_key = is_key(function);
        match (terms.functor(function), terms.args(function)) {
            _ if is_value_of_key => {}
            (Some((name, _)), &[key] | &[key, _]) if name == "get" => {
                if !is_key(key) {
                    return Ok(None);
                }
            }
            (Some((name, _)), &[_] | &[_, _]) if name == "put" => {}
            _ => {
                self.errors.set(true);
                let reason = "a function on dicts that is no key, `get` or `put` may be one of the program, which is not followed".to_owned();
                let help = "Call the predicate that the function is by its name.";
                return Ok(Some(self.not_known(scope, point, goal, reason, help)));
            }
        }
        // The key may not exist, and the term may not be a dict.
        self.errors.set(true);
        let is_ground = |t: TermId| point.state.datum(terms, t).ty.is_ground();
        let from_ground = is_ground(dict) && is_ground(function);
        let was_unbound = point.state.datum(terms, value).ty == Type::Free;
        let found = if from_ground { Type::Ground } else { Type::Any };
        for argument in [dict, function] {
            point.state.expose(terms, argument, &Type::Any);
        }
        point.state.pure &= from_ground;
        let is_param = |e: &Expr| self.is_param(e);
        let s = self.scope(terms, &is_param);
        let truth = point
            .state
            .unify_datum(&s, &Datum::from_type(found), value)?
            .0;
        Ok(Some(match truth {
            // A missing key raises an exception. Functions fail for lists, which otherwise count as dicts.
            Truth::True if was_unbound && is_value_of_key => Truth::True,
            Truth::False => Truth::False,
            _ => Truth::Maybe,
        }))
    }
}
