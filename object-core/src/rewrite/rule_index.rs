//! [`RuleIndex`]: the rules of a rewrite by the types of the objects that they match.

use crate::error::Result;
use crate::object::{ObjectView, TypeInfo};
use crate::rewrite::ignored_fields::IgnoredFields;
use crate::rewrite::known_variables::KnownVariables;
use crate::rewrite::rewrite_rule::{Outcome, RewriteRule};
use crate::table::AddressTable;

/// The rules by the types of the objects that they match.
pub(super) struct RuleIndex<'r> {
    rules: &'r [RewriteRule],
    ignored: &'r IgnoredFields,
    /// The numbers of the rules for each type, in the order in which they apply.
    by_type: AddressTable<Vec<usize>>,
    /// For each rule, whether no rule can match an object in its replacement that is not a value of a hole, except the
    /// replacement itself.
    is_flat: Vec<bool>,
}

impl<'r> RuleIndex<'r> {
    pub(super) fn new(rules: &'r [RewriteRule], ignored: &'r IgnoredFields) -> Self {
        let mut by_type: AddressTable<Vec<usize>> = AddressTable::default();
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(rules[*number].rank()));
        for number in order {
            by_type.entry(address(rules[number].root())).or_default().push(number);
        }
        let has_rules = |info: &TypeInfo| by_type.contains_key(&address(info));
        let is_flat = rules.iter().map(|rule| rule.is_flat(&has_rules)).collect();
        RuleIndex { rules, ignored, by_type, is_flat }
    }

    /// The numbers of the rules for objects of this type.
    #[inline]
    pub(super) fn of(&self, info: &TypeInfo) -> &[usize] {
        self.by_type.get(&address(info)).map_or(&[], Vec::as_slice)
    }

    /// The rule with this number.
    pub(super) fn rule(&self, number: usize) -> &'r RewriteRule {
        &self.rules[number]
    }

    /// The replacement of `object` by the rule with this number.
    pub(super) fn apply(
        &self,
        number: usize,
        object: ObjectView<'_>,
        variables: &mut KnownVariables<'_>,
    ) -> Result<Outcome> {
        self.rules[number].apply(object, self.ignored, variables)
    }

    /// Whether no rule can match an object in the replacement of this rule that is not a value of a hole, except the replacement
    /// itself.
    pub(super) fn is_flat(&self, number: usize) -> bool {
        self.is_flat[number]
    }
}

fn address(info: &TypeInfo) -> usize {
    std::ptr::from_ref(info).addr()
}
