//! [`edits`] and [`EditOptions`].

use crate::error::Result;
use crate::limits::Limits;
use crate::object::{AnyView, AsAnyView, ComputedValues, DefRegionKind, ObjectView};
use crate::structural::StructuralOptions;
use crate::structural::matching::{Matcher, Pair};
use crate::table::AddressSet;

use super::apply::apply_all;
use super::difference::{Differences, whole};
use super::in_place::in_place;
use super::pool::{match_keys, match_singles};
use super::relation::{Relation, is_whole};
use super::script::EditScript;

/// The options of [`edits`].
#[derive(Clone, Copy, Debug, Default)]
pub struct EditOptions {
    structural: StructuralOptions,
    limits: Limits,
    names: bool,
}

/// The changes that make `a` structurally equal to `b`, under the default options. The script is empty exactly if they are
/// equal.
///
/// # Errors
/// As [`EditOptions::edits`].
pub fn edits(a: &impl AsAnyView, b: &impl AsAnyView) -> Result<EditScript> {
    EditOptions::new().edits(a, b)
}

impl EditOptions {
    /// The default options: those of [`StructuralOptions::new`] and [`Limits::new`], without the names of variables.
    #[must_use]
    pub fn new() -> Self {
        EditOptions::default()
    }

    /// The options of the comparison.
    #[must_use]
    pub fn structural(self, structural: StructuralOptions) -> Self {
        EditOptions { structural, ..self }
    }

    /// The bounds of the work.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        EditOptions { limits, ..self }
    }

    /// Whether the names of variables count: the texts in fields of variables that comparison ignores.
    #[must_use]
    pub fn names(self, yes: bool) -> Self {
        EditOptions { names: yes, ..self }
    }

    /// The changes that make `a` equal to `b`.
    ///
    /// A script that does not make equal values replaces the whole value: free variables and free keys of maps equal only
    /// themselves, and a value can bind one of them at another place.
    ///
    /// Applied to `a`, the script makes a value that equals `b`, and its inverse applied to `b` makes one that equals `a`. Where
    /// one value shares a tree and the other does not, the result may share trees as either of them.
    ///
    /// A pair of programs takes some 30 times as long as their comparison. The tests of costs bound no steps on values that share
    /// their parts many times.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded), if the search for corresponding objects takes more steps than the
    /// limits allow.
    pub fn edits(&self, a: &impl AsAnyView, b: &impl AsAnyView) -> Result<EditScript> {
        let roots = [a.as_any_view(), b.as_any_view()];
        if !self.names && self.structural.equal_leniently(a, b) {
            return Ok(EditScript::default());
        }
        let computed = ComputedValues::default();
        let mut matcher = Matcher::new(&self.structural, self.limits, computed.end());
        matcher.compare(roots[0], roots[1], self.structural.root_region())?;
        match_singles(&mut matcher)?;
        match_keys(&mut matcher)?;
        match_unlisted(&mut matcher)?;
        let skip = self.structural.skip_tensor_content;
        let mut relation = Relation::of(&mut matcher, computed.end(), skip, self.names);
        let pairs = in_place(roots, &mut relation, &mut matcher);
        let script = Differences::new(roots, &mut relation, &mut matcher, pairs).script(self.names);
        let is_right = self.leads(&script, roots[0], b) && self.leads(&script.inverted(), roots[1], a);
        Ok(if is_right { script } else { whole(roots) })
    }

    /// Whether a script makes `to` of `from`.
    fn leads(&self, script: &EditScript, from: AnyView<'_>, to: &impl AsAnyView) -> bool {
        apply_all(from, &[script], false).is_ok_and(|result| self.structural.equal_leniently(&result, to))
    }
}

/// Walks over the fields that the hooks of types do not list. The comparison does not look at them, but a copy of an object has
/// them.
fn match_unlisted(matcher: &mut Matcher<'_>) -> Result<()> {
    let mut next = 0;
    let mut met: [AddressSet; 2] = Default::default();
    let note = |met: &mut [AddressSet; 2], (a, b): Pair<'_>| {
        met[0].insert(a.address());
        met[1].insert(b.address());
    };
    let bound: Vec<_> = matcher.bound().collect();
    bound.into_iter().for_each(|pair| note(&mut met, pair));
    let mut noted = [0, 0];
    while let Some((a, b)) = matcher.record().compared.get(next).copied() {
        next += 1;
        if a.type_info().hooks.is_none() {
            continue;
        }
        let record = matcher.record();
        record.equal[noted[0]..].iter().chain(&record.compared[noted[1]..]).for_each(|pair| note(&mut met, *pair));
        noted = [record.equal.len(), record.compared.len()];
        let is_new = |x: ObjectView<'_>, y: ObjectView<'_>| {
            std::ptr::eq(x.type_info(), y.type_info())
                && !is_whole(x)
                && !met[0].contains(&x.address())
                && !met[1].contains(&y.address())
        };
        let unlisted: Vec<_> = a
            .fields()
            .zip(b.fields())
            .filter_map(|((_, x), (_, y))| match (x, y) {
                (AnyView::Object(x), AnyView::Object(y)) if is_new(x, y) => Some((x, y)),
                _ => None,
            })
            .collect();
        for (x, y) in unlisted {
            matcher.compare(AnyView::Object(x), AnyView::Object(y), DefRegionKind::None)?;
        }
    }
    Ok(())
}
