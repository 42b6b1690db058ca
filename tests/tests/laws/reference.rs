//! A second implementation of structural equality, simple instead of fast: recursive, without a memo. With
//! [`Rules::PEER`] it is a model of tvm-ffi.

use std::collections::HashMap;

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::object::{AnyView, FieldRole, ObjectView, SEqHashKind};

/// The differences between our engine and tvm-ffi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Entries are compared in a canonical order, not in the order of the left map.
    pub(crate) canonical_order: bool,
    /// An unbound key is its own counterpart only if nothing else is bound to it.
    pub(crate) keys_are_guarded: bool,
    /// A key that is its own counterpart is compared with itself.
    pub(crate) keys_are_compared: bool,
}

impl Rules {
    pub(crate) const OURS: Rules = Rules { canonical_order: true, keys_are_guarded: true, keys_are_compared: true };
    pub(crate) const PEER: Rules = Rules { canonical_order: false, keys_are_guarded: false, keys_are_compared: false };
}

#[derive(Clone, Copy, PartialEq)]
enum Region {
    Outside,
    Simple,
    Pattern,
}

/// The reason for the end of a comparison.
pub(crate) enum Stop {
    Differ,
    NotComparable,
}

/// A comparison. After a failure, `path` has the steps to the mismatch on both sides.
pub(crate) struct Reference<'a> {
    rules: Rules,
    skip_tensor_content: bool,
    lhs: HashMap<usize, (ObjectView<'a>, usize)>,
    rhs: HashMap<usize, usize>,
    /// The number of compared pairs of objects.
    met: usize,
    path: Vec<(AccessStep, AccessStep)>,
}

/// The verdict under `rules`, and the paths to the mismatch; `Err` if something cannot be compared.
pub(crate) fn compare(
    a: AnyView<'_>,
    b: AnyView<'_>,
    map_free_vars: bool,
    skip_tensor_content: bool,
    rules: Rules,
) -> Result<Option<(AccessPath, AccessPath)>, ()> {
    let mut reference =
        Reference { rules, skip_tensor_content, lhs: HashMap::new(), rhs: HashMap::new(), met: 0, path: Vec::new() };
    let region = if map_free_vars { Region::Pattern } else { Region::Outside };
    match reference.values(a, b, region) {
        Ok(()) => Ok(None),
        Err(Stop::NotComparable) => Err(()),
        Err(Stop::Differ) => {
            let (lhs, rhs): (Vec<_>, Vec<_>) = reference.path.into_iter().unzip();
            Ok(Some((AccessPath::from_steps(lhs), AccessPath::from_steps(rhs))))
        }
    }
}

fn check(equal: bool) -> Result<(), Stop> {
    if equal { Ok(()) } else { Err(Stop::Differ) }
}

impl<'a> Reference<'a> {
    fn values(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: Region) -> Result<(), Stop> {
        match (a, b) {
            (AnyView::Object(a), AnyView::Object(b)) => self.objects(a, b, region),
            (AnyView::Float(a), AnyView::Float(b)) => check(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()),
            (AnyView::None, AnyView::None) => Ok(()),
            (AnyView::Bool(a), AnyView::Bool(b)) => check(a == b),
            (AnyView::Int(a), AnyView::Int(b)) => check(a == b),
            (AnyView::DataType(a), AnyView::DataType(b)) => check(a == b),
            (AnyView::Device(a), AnyView::Device(b)) => check(a == b),
            _ => Err(Stop::Differ),
        }
    }

    fn objects(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: Region) -> Result<(), Stop> {
        check(a.type_key() == b.type_key())?;
        if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
            return check(a == b);
        }
        if let (Some(a), Some(b)) = (a.as_bytes(), b.as_bytes()) {
            return check(a == b);
        }
        if let (Some(a), Some(b)) = (a.as_shape(), b.as_shape()) {
            return check(a == b);
        }
        if let (Some(a), Some(b)) = (a.to_handle::<object_core::Tensor>(), b.to_handle::<object_core::Tensor>()) {
            let skip = self.skip_tensor_content;
            return check(a.dtype == b.dtype && a.shape == b.shape && (skip || a.data.as_slice() == b.data.as_slice()));
        }
        let kind = a.type_info().kind();
        match kind {
            SEqHashKind::Unsupported => return Err(Stop::NotComparable),
            SEqHashKind::UniqueInstance => return check(a.ptr_eq(b)),
            SEqHashKind::ConstTreeNode if a.ptr_eq(b) => return Ok(()),
            SEqHashKind::DagNode | SEqHashKind::FreeVar => {
                if let Some((bound, _)) = self.lhs.get(&a.address()) {
                    return check(bound.ptr_eq(b));
                }
                check(!self.rhs.contains_key(&b.address()))?;
            }
            _ => {}
        }
        // Bindings are made before the comparison of the fields, but count only after it. Only the order of bindings
        // shows the difference.
        let order = self.met;
        self.met += 1;
        let inner = if kind == SEqHashKind::FreeVar && region == Region::Simple { Region::Outside } else { region };
        if a.as_array().is_some() {
            self.items(a, b, inner)?;
        } else if a.as_map().is_some() {
            self.entries(a, b, inner)?;
        } else {
            for (name, role) in children(a) {
                let region = match role {
                    _ if inner == Region::Pattern => Region::Pattern,
                    FieldRole::Def => Region::Pattern,
                    FieldRole::DefSimple => Region::Simple,
                    FieldRole::Content | FieldRole::Ignore => inner,
                };
                let step = AccessStep::Attr(name.to_owned());
                self.path.push((step.clone(), step));
                self.values(a.get(name).unwrap_or_default(), b.get(name).unwrap_or_default(), region)?;
                self.path.pop();
            }
        }
        match kind {
            SEqHashKind::FreeVar if !a.ptr_eq(b) && region == Region::Outside => return Err(Stop::Differ),
            SEqHashKind::FreeVar | SEqHashKind::DagNode => {
                self.lhs.insert(a.address(), (b, order));
                self.rhs.insert(b.address(), a.address());
            }
            _ => {}
        }
        Ok(())
    }

    fn items(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: Region) -> Result<(), Stop> {
        let (Some(x), Some(y)) = (a.as_array(), b.as_array()) else { return Err(Stop::Differ) };
        for index in 0..x.len().max(y.len()) {
            let side = |has: bool| match has {
                true => AccessStep::ArrayItem(index),
                false => AccessStep::ArrayItemMissing(index),
            };
            let (a, b) = (x.get(index), y.get(index));
            self.path.push((side(a.is_some()), side(b.is_some())));
            match (a, b) {
                (Some(a), Some(b)) => self.values(a, b, region)?,
                _ => return Err(Stop::Differ),
            }
            self.path.pop();
        }
        Ok(())
    }

    fn entries(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: Region) -> Result<(), Stop> {
        let (Some(x), Some(y)) = (a.as_map(), b.as_map()) else { return Err(Stop::Differ) };
        let mut entries: Vec<(AnyView<'a>, AnyView<'a>)> = x.iter().collect();
        let mut found = Vec::new();
        let mut fixed: Vec<(Option<AnyView<'a>>, bool)> = Vec::new();
        while !entries.is_empty() {
            // Comparing one entry may bind the key of another, so the next entry is not decided before.
            let next = if self.rules.canonical_order {
                let ranks = entries.iter().map(|(key, _)| self.rank(*key)).enumerate();
                ranks.min_by(|(_, a), (_, b)| a.cmp(b)).map_or(0, |(index, _)| index)
            } else {
                0
            };
            // When only unbound keys are left, all keys get their counterparts at once.
            if self.rules.canonical_order && fixed.is_empty() && self.rank(entries[next].0).0 == 2 {
                entries.sort_by_key(|(key, _)| self.rank(*key));
                fixed = entries.iter().rev().map(|(key, _)| self.counterpart(*key)).collect();
            }
            let next = if fixed.is_empty() { next } else { 0 };
            let (key, value) = entries.remove(next);
            let (other, itself) = fixed.pop().unwrap_or_else(|| self.counterpart(key));
            let object = key.as_object();
            let step = path_key(key);
            let Some((other, other_value)) = other.and_then(|key| Some((key, y.get(key)?))) else {
                self.path.push((AccessStep::MapItem(step.clone()), AccessStep::MapItemMissing(step)));
                return Err(Stop::Differ);
            };
            found.push(other);
            self.path.push((AccessStep::MapItem(step), AccessStep::MapItem(path_key(other))));
            let comparable = object.is_some_and(|object| object.type_info().kind() != SEqHashKind::Unsupported);
            if self.rules.keys_are_compared && itself && comparable {
                self.values(key, other, region)?;
            }
            self.values(value, other_value, region)?;
            self.path.pop();
        }
        // If no two keys of the left map have the same counterpart, maps of equal size have no remaining entries.
        let left = y.iter().find(|(key, _)| !found.iter().any(|found| is_same(*found, *key)));
        match left.filter(|_| y.len() > x.len()) {
            Some((key, _)) => {
                let step = path_key(key);
                self.path.push((AccessStep::MapItemMissing(step.clone()), AccessStep::MapItem(step)));
                Err(Stop::Differ)
            }
            None => Ok(()),
        }
    }
}

impl<'a> Reference<'a> {
    /// The counterpart of `key` on the right, and whether it is an unbound object that is its own counterpart.
    fn counterpart(&self, key: AnyView<'a>) -> (Option<AnyView<'a>>, bool) {
        let object = key.as_object();
        match object.and_then(|object| self.lhs.get(&object.address())) {
            Some((other, _)) => (Some(AnyView::Object(*other)), false),
            None => match object.filter(|object| is_identity(*object)) {
                Some(object) if self.rules.keys_are_guarded && self.rhs.contains_key(&object.address()) => (None, true),
                Some(_) => (Some(key), true),
                None => (Some(key), false),
            },
        }
    }

    /// The rank of the entry with this key in our order, under the current bindings.
    fn rank(&self, key: AnyView<'a>) -> (u8, usize, String) {
        match key.as_object() {
            Some(object) => match self.lhs.get(&object.address()) {
                Some((_, order)) => (1, *order, String::new()),
                None if is_identity(object) => (2, object.address(), String::new()),
                None => (0, 0, plain_order(key)),
            },
            None => (0, 0, plain_order(key)),
        }
    }
}

/// Whether maps compare a key by identity.
fn is_identity(key: ObjectView<'_>) -> bool {
    key.as_str().is_none() && key.as_bytes().is_none() && key.type_info().kind() != SEqHashKind::UniqueInstance
}

/// Whether two values are one object, or plain values of the same bits.
pub(crate) fn is_same(a: AnyView<'_>, b: AnyView<'_>) -> bool {
    match (a, b) {
        (AnyView::Object(a), AnyView::Object(b)) => {
            a.ptr_eq(b)
                || a.as_str().is_some() && a.as_str() == b.as_str()
                || a.as_bytes().is_some() && a.as_bytes() == b.as_bytes()
        }
        (AnyView::Object(_), _) | (_, AnyView::Object(_)) => false,
        (AnyView::Float(a), AnyView::Float(b)) => a.to_bits() == b.to_bits(),
        _ => a.type_key() == b.type_key() && plain_order(a) == plain_order(b),
    }
}

/// The sort key of a plain key.
fn plain_order(key: AnyView<'_>) -> String {
    match key {
        AnyView::None => "0".to_owned(),
        AnyView::Bool(value) => format!("1{value}"),
        AnyView::Int(value) => format!("2{:020}", value.cast_unsigned() ^ 1 << 63),
        AnyView::Float(value) => format!("3{:020}", value.to_bits()),
        AnyView::DataType(value) => format!("4{:03}{:03}", value.code.0, value.bits),
        AnyView::Device(value) => format!("5{:010}", value.device_id),
        AnyView::Object(object) => {
            let text = object.get("name").and_then(AnyView::as_object).unwrap_or(object);
            let text = text.as_str().map(str::as_bytes).or(text.as_bytes());
            format!("6{}{}", object.type_key(), String::from_utf8_lossy(text.unwrap_or_default()))
        }
    }
}

/// The form of a key in a path; an object is its type.
pub(crate) fn path_key(key: AnyView<'_>) -> PathKey {
    match key {
        AnyView::Int(value) => PathKey::Int(value),
        AnyView::Object(object) if object.as_str().is_some() => {
            PathKey::Str(object.as_str().unwrap_or_default().to_owned())
        }
        other => PathKey::Other { type_key: other.type_key(), label: String::new() },
    }
}

/// The compared fields, in order. The function repeats the hooks of the types.
fn children(object: ObjectView<'_>) -> Vec<(&'static str, FieldRole)> {
    match object.type_key() {
        "laws.Hook" | "laws.ScopeHook" => vec![("params", FieldRole::Def), ("body", FieldRole::Content)],
        "laws.HookLet" => vec![("var", FieldRole::DefSimple), ("body", FieldRole::Content)],
        "laws.HookDag" => vec![("value", FieldRole::Content)],
        "laws.HookVar" => vec![("ty", FieldRole::Content)],
        _ => object
            .fields()
            .filter(|(field, _)| !matches!(field.meta().role, FieldRole::Ignore))
            .map(|(field, _)| (field.name(), field.meta().role))
            .collect(),
    }
}
