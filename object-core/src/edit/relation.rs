//! [`Relation`]: which objects of two values correspond, and which of their children.

use crate::object::{AnyView, Body, ComputedEnd, FieldRole, HookContents, ObjectView, SEqHashKind};
use crate::structural::matching::{Known, Pair, Run, is_equal_plain};
use crate::table::{AddressSet, AddressTable};

/// The relation of two children in one place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// They are equal.
    Equal,
    /// They correspond, and something below them may differ.
    Paired,
    /// One does not become the other.
    Different,
}

/// The children in one place of two objects; `None` for a side that does not have the place.
pub(super) struct SlotPair<'a> {
    pub(super) children: [Option<(usize, AnyView<'a>)>; 2],
    /// The index of the element or the entry before which a side lacks the child.
    pub(super) gaps: [usize; 2],
}

/// The correspondence of objects: one to one, except for equal objects.
pub(super) struct Relation<'a> {
    known: Known<'a>,
    /// The counterparts of further objects of the left side, and of the right side: those that the walk compared part by part.
    walked: [AddressTable<ObjectView<'a>>; 2],
    /// The objects that correspond to themselves only.
    fixed: AddressSet,
    computed: ComputedEnd<'a>,
    skip_tensor_content: bool,
    names: bool,
}

impl<'a> Relation<'a> {
    /// The relation that walks found. The `fixed` objects correspond to themselves only, also where the walks found others.
    pub(super) fn of(
        known: Known<'a>,
        fixed: AddressSet,
        computed: ComputedEnd<'a>,
        (skip_tensor_content, names): (bool, bool),
    ) -> Self {
        let mut relation = Relation { known, walked: Default::default(), fixed, computed, skip_tensor_content, names };
        for number in 0..relation.known.compared().len() {
            let (a, b) = relation.known.compared()[number];
            if !a.ptr_eq(b) && (relation.is_fixed(a) || relation.is_fixed(b)) {
                continue;
            }
            if relation.counterpart(0, a).is_none() && relation.counterpart(1, b).is_none() {
                relation.walked[0].insert(a.address(), b);
                relation.walked[1].insert(b.address(), a);
            }
        }
        relation
    }

    /// Whether an object corresponds to itself only.
    pub(super) fn is_fixed(&self, object: ObjectView<'_>) -> bool {
        !self.fixed.is_empty() && self.fixed.contains(&object.address())
    }

    /// The correspondence that the walks found.
    pub(super) fn known(&self) -> &Known<'a> {
        &self.known
    }

    pub(super) fn into_known(self) -> Known<'a> {
        self.known
    }

    /// The counterpart of an object of a side: 0 is the left one.
    pub(super) fn counterpart(&self, side: usize, object: ObjectView<'a>) -> Option<ObjectView<'a>> {
        let other =
            self.known.counterpart(side, object).filter(|other| !self.is_fixed(object) && !self.is_fixed(*other));
        other.or_else(|| self.walked[side].get(&object.address()).copied())
    }

    /// Whether two objects were found equal.
    pub(super) fn are_equal(&mut self, pair: Pair<'a>) -> bool {
        self.known.are_equal(pair)
    }

    /// The variables and `dag` nodes whose content may differ from the content of their counterparts.
    pub(super) fn identified(&self) -> Vec<Pair<'a>> {
        let is_paired = |(a, b): &Pair<'a>| self.counterpart(0, *a).is_some_and(|other| other.ptr_eq(*b));
        let walked = self.known.compared().iter().copied().filter(|(a, _)| a.is_identified());
        walked.filter(|pair| is_paired(pair) && !self.known.is_proved_equal(*pair)).collect()
    }

    /// The left variables that have counterparts.
    pub(super) fn variables(&self) -> impl Iterator<Item = ObjectView<'a>> + '_ {
        let all = self.known.bound().map(|(a, _)| a).chain(self.walked[1].values().copied());
        all.filter(|object| object.type_info().kind == SEqHashKind::FreeVar)
    }

    /// How two children in one place correspond.
    pub(super) fn fit(&mut self, a: AnyView<'a>, b: AnyView<'a>) -> Fit {
        let equal = |yes: bool| if yes { Fit::Equal } else { Fit::Different };
        let (AnyView::Object(x), AnyView::Object(y)) = (a, b) else {
            return equal(is_equal_plain(a, b, self.skip_tensor_content));
        };
        let kind = x.type_info().kind;
        if !std::ptr::eq(x.type_info(), y.type_info()) {
            return Fit::Different;
        }
        if self.is_fixed(x) || self.is_fixed(y) {
            return equal(x.ptr_eq(y));
        }
        if is_content(x) || x.ptr_eq(y) && is_whole(x) {
            return equal(is_equal_plain(a, b, self.skip_tensor_content));
        }
        if matches!(kind, SEqHashKind::UniqueInstance | SEqHashKind::Unsupported) {
            return Fit::Different;
        }
        let (of_x, of_y) = (self.counterpart(0, x), self.counterpart(1, y));
        match of_x {
            Some(other) if other.ptr_eq(y) => {
                return if self.are_equal((x, y)) { Fit::Equal } else { Fit::Paired };
            }
            _ if x.is_identified() => return equal(of_x.is_none() && of_y.is_none() && x.ptr_eq(y)),
            _ => {}
        }
        let is_constant = kind == SEqHashKind::ConstTreeNode && x.ptr_eq(y);
        equal(is_constant || self.are_equal((x, y)))
    }

    /// The children of two corresponding objects, place by place. Elements of arrays with a proof that they are equal are left out.
    pub(super) fn slots(&mut self, (a, b): Pair<'a>) -> Vec<SlotPair<'a>> {
        match a.type_info().body {
            Body::Array => self.items(a, b),
            Body::Map => self.entries(a, b),
            _ => self.fields(a, b),
        }
    }

    fn fields(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Vec<SlotPair<'a>> {
        let info = a.type_info();
        let (mut listed, mut is_deep) = (Vec::new(), false);
        if let Some(hooks) = info.hooks {
            let contents = HookContents::of(a, hooks, self.computed);
            self.computed = contents.computed();
            listed.extend(contents.values.iter().map(|value| value.name));
            // The hook looks below the fields, so each field may count.
            is_deep = contents.values.iter().any(|value| !value.is_field_of(a));
        }
        let is_named = self.names && info.kind == SEqHashKind::FreeVar;
        let counts = |index: usize, value: AnyView<'_>| {
            let field = &info.fields()[index];
            field.meta().role != FieldRole::Ignore
                || is_deep
                || listed.contains(&field.name())
                || (is_named && value.as_str().is_some())
        };
        let pairs = a.fields().zip(b.fields()).enumerate();
        let counted = pairs.filter(|(index, ((_, x), _))| counts(*index, *x));
        counted.map(|(index, ((_, x), (_, y)))| SlotPair::of([Some((index, x)), Some((index, y))])).collect()
    }

    fn items(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Vec<SlotPair<'a>> {
        let (Some(lhs), Some(rhs)) = (a.as_array(), b.as_array()) else { return Vec::new() };
        let mut runs = self.known.runs((a, b)).to_vec();
        let (i, j) = runs.iter().fold((0, 0), |(i, j), run| match run {
            Run::Both { len, .. } => (i + len, j + len),
            Run::Lhs { len, .. } => (i + len, j),
            Run::Rhs { len, .. } => (i, j + len),
        });
        // Elements that the walk did not reach correspond by index.
        let both = (lhs.len() - i).min(rhs.len() - j);
        runs.extend([
            Run::Both { lhs: i, rhs: j, len: both, same_shape: false },
            Run::Lhs { lhs: i + both, len: lhs.len() - i - both },
            Run::Rhs { rhs: j + both, len: rhs.len() - j - both },
        ]);
        let is_equal = |pair: [Option<(usize, AnyView<'a>)>; 2]| match pair {
            [Some((_, AnyView::Object(x))), Some((_, AnyView::Object(y)))] => self.known.is_proved_equal((x, y)),
            _ => false,
        };
        let mut slots = Vec::new();
        let mut gaps = [0, 0];
        let mut equal_runs = self.known.equal_runs((a, b)).iter().peekable();
        for run in runs {
            let (len, sides) = match run {
                Run::Both { len, .. } => (len, [true, true]),
                Run::Lhs { len, .. } => (len, [true, false]),
                Run::Rhs { len, .. } => (len, [false, true]),
            };
            let mut left = len;
            while left > 0 {
                let [i, j] = gaps;
                if let Some(equal) = equal_runs.next_if(|equal| equal.starts == gaps && equal.len <= left) {
                    gaps = [i + equal.len, j + equal.len];
                    left -= equal.len;
                    continue;
                }
                left -= 1;
                let lhs = sides[0].then(|| lhs.get(i)).flatten().map(|item| (i, item));
                let rhs = sides[1].then(|| rhs.get(j)).flatten().map(|item| (j, item));
                if !is_equal([lhs, rhs]) {
                    slots.push(SlotPair { children: [lhs, rhs], gaps });
                }
                gaps = [i + usize::from(sides[0]), j + usize::from(sides[1])];
            }
        }
        slots
    }

    /// The keys and values of two maps.
    fn entries(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Vec<SlotPair<'a>> {
        let (Some(lhs), Some(rhs)) = (a.as_map(), b.as_map()) else { return Vec::new() };
        let partners = self.partners(a, b);
        let mut paired: Vec<Option<usize>> = vec![None; lhs.len()];
        partners.iter().enumerate().filter_map(|(j, i)| Some(((*i)?, j))).for_each(|(i, j)| paired[i] = Some(j));
        let mut slots = Vec::new();
        let mut after = 0;
        for (j, ((key, value), partner)) in rhs.iter().zip(&partners).enumerate() {
            let entry = partner.and_then(|i| Some((i, lhs.entry(i)?)));
            after = entry.map_or(after, |(i, _)| i + 1);
            for (offset, child) in [key, value].into_iter().enumerate() {
                let other = entry.map(|(i, (key, value))| (2 * i + offset, if offset == 0 { key } else { value }));
                slots.push(SlotPair { children: [other, Some((2 * j + offset, child))], gaps: [after, j] });
            }
        }
        let mut before = 0;
        for (i, ((key, value), partner)) in lhs.iter().zip(paired).enumerate() {
            match partner {
                Some(j) => before = j + 1,
                None => {
                    for (offset, child) in [key, value].into_iter().enumerate() {
                        slots.push(SlotPair { children: [Some((2 * i + offset, child)), None], gaps: [i, before] });
                    }
                }
            }
        }
        slots
    }

    /// For each entry of the right map, the index of the entry of the left map that corresponds to it: by its key, and else by
    /// its value, if the entry was renamed.
    fn partners(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Vec<Option<usize>> {
        let (Some(lhs), Some(rhs)) = (a.as_map(), b.as_map()) else { return Vec::new() };
        let mut keys: AddressTable<usize> = AddressTable::default();
        let mut values: AddressTable<usize> = AddressTable::default();
        for (index, (key, value)) in lhs.iter().enumerate() {
            key.as_object().map(|key| keys.insert(key.address(), index));
            value.as_object().map(|value| values.insert(value.address(), index));
        }
        let counterpart = |object: ObjectView<'a>| match self.counterpart(1, object) {
            None if self.counterpart(0, object).is_none() => object,
            other => other.unwrap_or(object),
        };
        let mut is_taken = vec![false; lhs.len()];
        let mut partners: Vec<Option<usize>> = Vec::with_capacity(rhs.len());
        for (j, (key, _)) in rhs.iter().enumerate() {
            let found = match key {
                AnyView::Object(key) if !is_whole(key) => keys.get(&counterpart(key).address()).copied(),
                plain => lhs.find(plain, j).map(|(index, ..)| index),
            };
            let found = found.filter(|index| !std::mem::replace(&mut is_taken[*index], true));
            partners.push(found);
        }
        for (partner, (_, value)) in partners.iter_mut().zip(rhs.iter()) {
            if partner.is_none()
                && let AnyView::Object(value) = value
                && let Some(other) = self.counterpart(1, value)
                && let Some(index) = values.get(&other.address())
                && !std::mem::replace(&mut is_taken[*index], true)
            {
                *partner = Some(*index);
            }
        }
        partners
    }
}

impl<'a> SlotPair<'a> {
    pub(super) fn of(children: [Option<(usize, AnyView<'a>)>; 2]) -> Self {
        SlotPair { children, gaps: [0, 0] }
    }
}

/// Whether an object has no parts that an edit script looks at: texts and tensors, singletons, and objects without fields.
pub(super) fn is_whole(object: ObjectView<'_>) -> bool {
    let info = object.type_info();
    is_content(object)
        || matches!(info.kind, SEqHashKind::UniqueInstance | SEqHashKind::Unsupported)
        || !matches!(info.body, Body::Node | Body::Array | Body::Map)
}

/// Whether the content of an object is not made of values.
fn is_content(object: ObjectView<'_>) -> bool {
    matches!(object.type_info().body, Body::Str | Body::Bytes | Body::Shape | Body::Tensor)
}
