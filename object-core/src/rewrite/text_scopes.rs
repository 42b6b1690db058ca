//! Where the holes of a rule text are in scope: the conditions under which a rule leaves each variable bound where it was, and the
//! errors of texts that cannot.
//!
//! A hole at a place that binds stands for the variable itself. A value of another hole may use the variables in whose scope
//! the hole is. If a replacement puts the value into another scope, the variables that are in one of the two scopes alone
//! must not be free in it. Variables differ by identity, so this excludes both a variable that becomes free and a capture.

use crate::container::ARRAY;
use crate::error::{Error, ErrorKind};
use crate::object::{DefRegionKind, TypeInfo};
use crate::rewrite::rule_text::{RulePart, RuleText, TextError, malformed};
use crate::rewrite::scope_condition::ScopeCondition;
use crate::rewrite::text_pattern::TextHoles;
use crate::value::Str;

/// The scopes of the holes of a pattern.
pub(super) struct PatternScopes {
    /// For each hole, the holes for variables in whose scope its first place is.
    scopes: Vec<Vec<usize>>,
    /// The region of each hole that stands for a variable that the pattern binds.
    regions: Vec<Option<DefRegionKind>>,
    /// The holes for variables that stay bound after the value.
    outlive: Vec<usize>,
    /// The conditions on a match.
    pub(super) conditions: Vec<ScopeCondition>,
}

impl PatternScopes {
    /// The scopes of a pattern with these holes.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a hole that stands for a bound variable and occurs outside of its scope, or binds
    /// twice.
    pub(super) fn of(pattern: &RuleText, holes: &TextHoles) -> Result<Self, TextError> {
        let found = Scopes::of(pattern, holes);
        let count = holes.names.len();
        let mut scopes: Vec<Option<Vec<usize>>> = vec![None; count];
        let mut new = PatternScopes {
            scopes: Vec::new(),
            regions: vec![None; count],
            outlive: found.bound,
            conditions: Vec::new(),
        };
        for place in found.places {
            let hole = place.hole;
            let is_bound = new.regions[hole].is_some();
            match &scopes[hole] {
                Some(_) if place.region.binds() || (is_bound && !place.scope.contains(&hole)) => {
                    let message = format!(
                        "expected the hole `?{}` to bind its variable at one place, before its uses and around them; use two \
                         names",
                        holes.names[hole]
                    );
                    return Err(place.text.fault(malformed(message)));
                }
                Some(first) if !is_bound => new.add_moved(first, &place),
                Some(_) => {}
                None => {
                    if place.region.binds() {
                        new.regions[hole] = Some(place.region);
                        new.add_different(&place);
                    }
                    scopes[hole] = Some(place.scope);
                }
            }
        }
        new.scopes = scopes.into_iter().map(Option::unwrap_or_default).collect();
        Ok(new)
    }

    /// The further conditions under which a replacement leaves each variable bound where it was.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a replacement that frees or captures a variable at every match.
    pub(super) fn conditions_of(
        mut self,
        replacement: &RuleText,
        holes: &TextHoles,
    ) -> Result<Vec<ScopeCondition>, TextError> {
        let of_pattern = self.conditions.len();
        let found = Scopes::of(replacement, holes);
        for place in &found.places {
            self.check(place, holes)?;
            let region = self.regions[place.hole];
            if region.is_some() && !place.region.binds() {
                continue;
            }
            let scope = std::mem::take(&mut self.scopes[place.hole]);
            self.add_moved(&scope, place);
            self.scopes[place.hole] = scope;
            if region.is_some() {
                self.add_different(place);
            }
            if region.is_some_and(|region| region != place.region) {
                self.add(ScopeCondition::Alone(place.hole));
            }
        }
        let only_one = |a: &[usize], b: &[usize]| a.iter().copied().find(|hole| !b.contains(hole));
        let changed = only_one(&self.outlive, &found.bound).or_else(|| only_one(&found.bound, &self.outlive));
        if let Some(hole) = changed {
            let message = format!(
                "the variable of `?{}` is bound after the matched value or after the replacement, and not after both, so its \
                 uses there change; bind it in both, or mark the type that binds it as `scope`, which ends the binding",
                holes.names[hole]
            );
            return Err(replacement.fault(malformed(message)));
        }
        Ok(self.conditions.split_off(of_pattern))
    }

    /// Checks a place of a hole in a replacement.
    fn check(&self, place: &HolePlace<'_>, holes: &TextHoles) -> Result<(), TextError> {
        let name = &holes.names[place.hole];
        let is_bound = self.regions[place.hole].is_some();
        let fault = if place.region.binds() && !is_bound {
            format!("`?{name}` binds a variable here, but stands for no variable that the pattern binds")
        } else if place.region.binds() && place.scope.contains(&place.hole) {
            format!("`?{name}` is bound twice, one time in the scope of the other")
        } else if is_bound && !place.region.binds() && !place.scope.contains(&place.hole) {
            format!(
                "the variable of `?{name}` is free here; bind it around this place, or replace it: `?body[?{name} := value]`"
            )
        } else if is_bound && !place.replaced.is_empty() {
            format!("expected a hole for a value before `[`, got `?{name}`, which stands for a variable")
        } else {
            return place.replaced.iter().try_for_each(|var| self.check_replaced(place, *var, holes));
        };
        Err(place.text.fault(malformed(fault)))
    }

    /// Checks that the value at a place can have another value in place of a variable.
    fn check_replaced(&self, place: &HolePlace<'_>, var: usize, holes: &TextHoles) -> Result<(), TextError> {
        let (name, var_name) = (&holes.names[place.hole], &holes.names[var]);
        let fault = if !self.scopes[place.hole].contains(&var) {
            format!("`?{var_name}` binds no variable around `?{name}` in the pattern, so there is nothing to replace")
        } else if holes.is_of(var, &ARRAY) {
            format!("`?{var_name}` stands for an array of variables; name each one in the pattern, as in `[?x, ?y]`")
        } else {
            return Ok(());
        };
        Err(place.text.fault(Error::new(ErrorKind::BadReference, fault)))
    }

    /// Adds the conditions for a value that the pattern has in `scope` and that is at `place` too.
    fn add_moved(&mut self, scope: &[usize], place: &HolePlace<'_>) {
        let only_first = scope.iter().filter(|binder| !place.scope.contains(binder));
        let only_here = place.scope.iter().filter(|binder| !scope.contains(binder));
        for binder in only_first.chain(only_here).copied() {
            let is_replaced = place.replaced.contains(&binder);
            let region = self.regions[binder].unwrap_or(DefRegionKind::Recursive);
            self.add(ScopeCondition::Unused { binder, region, value: place.hole, is_replaced });
        }
    }

    /// Adds the conditions for a place that binds a variable in the scope of others.
    fn add_different(&mut self, place: &HolePlace<'_>) {
        place.scope.iter().for_each(|outer| self.add(ScopeCondition::Different(*outer, place.hole)));
    }

    fn add(&mut self, condition: ScopeCondition) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }
}

/// A place of a hole in a text.
struct HolePlace<'t> {
    text: &'t RuleText,
    hole: usize,
    region: DefRegionKind,
    /// The holes for variables that are bound here.
    scope: Vec<usize>,
    /// The variables in the value of the hole that other values replace.
    replaced: Vec<usize>,
}

/// The places of holes in the order of the fields.
struct Scopes<'t> {
    holes: &'t TextHoles,
    places: Vec<HolePlace<'t>>,
    /// The holes for variables that are bound so far, and at the end, after the value.
    bound: Vec<usize>,
}

impl<'t> Scopes<'t> {
    fn of(text: &'t RuleText, holes: &'t TextHoles) -> Self {
        let mut scopes = Scopes { holes, places: Vec::new(), bound: Vec::new() };
        scopes.visit(text, DefRegionKind::None);
        scopes
    }

    fn visit(&mut self, text: &'t RuleText, region: DefRegionKind) {
        match &text.part {
            RulePart::Hole(name) => self.hole(text, name, region, Vec::new()),
            RulePart::Substituted(name, values) => {
                values.iter().for_each(|(_, value)| self.visit(value, region));
                let replaced = values.iter().filter_map(|(var, _)| self.holes.find(var)).collect();
                self.hole(text, name, region, replaced);
            }
            RulePart::Value(_) => {}
            RulePart::Object(info, fields, _) => self.object(info, fields, region),
            RulePart::Items(items, rest) => {
                items.iter().for_each(|item| self.visit(item, region));
                if let Some(name) = rest {
                    self.hole(text, name, region, Vec::new());
                }
            }
            RulePart::Entries(entries) => entries.iter().for_each(|(_, value)| self.visit(value, region)),
        }
    }

    fn hole(&mut self, text: &'t RuleText, name: &Str, region: DefRegionKind, replaced: Vec<usize>) {
        let Some(hole) = self.holes.find(name) else { return };
        self.places.push(HolePlace { text, hole, region, scope: self.bound.clone(), replaced });
        if region.binds() && !self.bound.contains(&hole) {
            self.bound.push(hole);
        }
    }

    fn object(&mut self, info: &'static TypeInfo, fields: &'t [(usize, RuleText)], region: DefRegionKind) {
        let before = self.bound.len();
        let mut exported = Vec::new();
        for (index, field) in info.fields.iter().enumerate() {
            let Some((_, text)) = fields.iter().find(|(other, _)| *other == index) else { continue };
            let first = self.bound.len();
            self.visit(text, region.below(info.kind).field(field.meta.role));
            if field.meta.export {
                exported.extend_from_slice(&self.bound[first..]);
            }
        }
        if info.is_scope {
            self.bound.truncate(before);
            self.bound.append(&mut exported);
        }
    }
}
