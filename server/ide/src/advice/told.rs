//! Sizes in the names of arguments, behind the messages of hints.

use costlens_algebra::Expr;

use super::Look;
use crate::predicate::arguments::argument_names;
use crate::present::size_meaning;

/// The meaning of the sizes that formulas speak of, behind a message: ` (n = length(Xs))`. Nothing where they speak of none.
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
