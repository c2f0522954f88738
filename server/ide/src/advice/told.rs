//! Describes sizes in terms of argument names, for the messages of hints.

use costlens_algebra::Expr;

use super::Look;
use crate::predicate::arguments::argument_names;
use crate::present::size_meaning;

/// Returns the meanings of the sizes in formulas as the end of a message: ` (n = length(Xs))`. Empty if the formulas mention no sizes.
pub(super) fn sizes_told<'e>(
    look: &Look<'_>,
    formulas: impl IntoIterator<Item = &'e Expr>,
) -> String {
    let mentioned: Vec<_> = formulas.into_iter().flat_map(Expr::variables).collect();
    let arguments = argument_names(look.site.db, look.site.file, look.site.functor);
    let told: Vec<String> = (look.report.sizes.iter())
        .filter(|size| mentioned.contains(&size.var))
        .map(|size| size_meaning(size, &arguments))
        .collect();
    match told.is_empty() {
        true => String::new(),
        false => format!(" ({})", told.join(", ")),
    }
}
