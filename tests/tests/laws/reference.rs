//! A second implementation of structural equality, simple instead of fast: recursive, without a memo, with a list of the
//! corresponding pairs. It defines both kinds of scopes. With other [`Rules`] it is a model of tvm-ffi.

use std::collections::VecDeque;

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
    /// A simple region in a pattern region binds as the pattern region does. tvm-ffi has this rule since 0.1.15.
    pub(crate) patterns_persist: bool,
}

impl Rules {
    pub(crate) const OURS: Rules =
        Rules { canonical_order: true, keys_are_guarded: true, keys_are_compared: true, patterns_persist: true };
}

/// Whether a place binds variables: see `DefRegionKind`, which the reference does not use.
#[derive(Clone, Copy, PartialEq)]
enum Region {
    Outside,
    Simple,
    Pattern,
    /// The fields of a bound variable, under lexical scopes.
    Annotation,
    /// Free variables may correspond, under lexical scopes.
    Free,
}

/// The reason for the end of a comparison.
pub(crate) enum Stop {
    Differ,
    NotComparable,
}

/// Two variables or `dag` nodes that correspond.
#[derive(Clone, Copy)]
struct Pair<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    /// The number of pairs before it.
    order: usize,
    /// The number of scopes around the place that made the pair, which the pair ends with; `None` for free variables,
    /// which are the same in all scopes.
    level: Option<usize>,
    /// Whether a scope that has ended exports the pair to the one with this level.
    is_export: bool,
}

/// A comparison. After a failure, `path` has the steps to the mismatch on both sides.
pub(crate) struct Reference<'a> {
    rules: Rules,
    options: Options,
    /// The pairs in force. A later pair hides an earlier one.
    pairs: Vec<Pair<'a>>,
    /// The numbers of pairs that the scopes around the current place export.
    exported: Vec<usize>,
    /// The number of pairs so far.
    made: usize,
    /// The number of scopes around the current place. Zero where bindings do not end.
    depth: usize,
    path: Vec<(AccessStep, AccessStep)>,
}

/// The options of a comparison.
#[derive(Clone, Copy, Default)]
pub(crate) struct Options {
    pub(crate) map_free_vars: bool,
    pub(crate) skip_tensor_content: bool,
    /// Whether bindings end with scopes.
    pub(crate) lexical: bool,
}

/// The verdict under `rules`, and the paths to the mismatch; `Err` if something cannot be compared.
pub(crate) fn compare(
    a: AnyView<'_>,
    b: AnyView<'_>,
    options: Options,
    rules: Rules,
) -> Result<Option<(AccessPath, AccessPath)>, ()> {
    let mut reference =
        Reference { rules, options, pairs: Vec::new(), exported: Vec::new(), made: 0, depth: 0, path: Vec::new() };
    let region = match (options.map_free_vars, options.lexical) {
        (false, _) => Region::Outside,
        (true, false) => Region::Pattern,
        (true, true) => Region::Free,
    };
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

    /// The pair in force with `a` on the left.
    fn lhs(&self, a: ObjectView<'a>) -> Option<Pair<'a>> {
        self.pairs.iter().rev().find(|pair| pair.a.ptr_eq(a)).copied()
    }

    /// The pair in force with `b` on the right.
    fn rhs(&self, b: ObjectView<'a>) -> Option<Pair<'a>> {
        self.pairs.iter().rev().find(|pair| pair.b.ptr_eq(b)).copied()
    }

    /// Whether a place in this region binds an object anew that has this pair.
    fn binds_anew(&self, pair: Option<Pair<'a>>, region: Region) -> bool {
        let Some(pair) = pair else { return true };
        let is_in_scope = self.depth > 0;
        self.options.lexical
            && match region {
                Region::Simple | Region::Pattern => pair.is_export || is_in_scope && pair.level != Some(self.depth),
                Region::Annotation => is_in_scope && pair.level.is_none(),
                Region::Outside | Region::Free => false,
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
            let skip = self.options.skip_tensor_content;
            return check(a.dtype == b.dtype && a.shape == b.shape && (skip || a.data.as_slice() == b.data.as_slice()));
        }
        let kind = a.type_info().kind();
        let is_var = kind == SEqHashKind::FreeVar;
        let is_lexical = self.options.lexical;
        // A free variable equals only itself.
        let is_free_elsewhere = is_var && region == Region::Outside && !a.ptr_eq(b);
        match kind {
            SEqHashKind::Unsupported => return Err(Stop::NotComparable),
            SEqHashKind::UniqueInstance => return check(a.ptr_eq(b)),
            SEqHashKind::ConstTreeNode if a.ptr_eq(b) => return Ok(()),
            SEqHashKind::DagNode | SEqHashKind::FreeVar => {
                let (lhs, rhs) = (self.lhs(a), self.rhs(b));
                let is_new =
                    lhs.is_none() && rhs.is_none() || self.binds_anew(lhs, region) && self.binds_anew(rhs, region);
                if !is_new {
                    let is_pair = lhs.is_some_and(|pair| pair.b.ptr_eq(b)) && rhs.is_some_and(|pair| pair.a.ptr_eq(a));
                    return check(is_pair);
                }
                let is_free = is_lexical && is_var && matches!(region, Region::Outside | Region::Free);
                if !is_free_elsewhere {
                    let level = if is_free { None } else { Some(self.depth) };
                    self.pairs.push(Pair { a, b, order: self.made, level, is_export: false });
                    self.made += 1;
                }
            }
            _ => {}
        }
        let inner = match region {
            Region::Simple if is_var && is_lexical && self.options.map_free_vars => Region::Free,
            Region::Simple if is_var => Region::Outside,
            Region::Pattern if is_var && is_lexical => Region::Annotation,
            region => region,
        };
        // The fields of a variable that is free in a scope are compared once, whichever scope comes first, so their
        // bindings end with them.
        let isolates = is_var && self.depth > 0 && matches!(region, Region::Outside | Region::Free);
        let ends = is_lexical && (a.type_info().is_scope() || isolates);
        self.depth += usize::from(ends);
        self.contents(a, b, inner)?;
        if ends {
            let (depth, exported) = (self.depth, &self.exported);
            self.pairs.retain(|pair| pair.level != Some(depth) || exported.contains(&pair.order));
            let own = self.pairs.iter_mut().filter(|pair| pair.level == Some(depth));
            own.for_each(|pair| (pair.level, pair.is_export) = (Some(depth - 1), true));
            self.depth -= 1;
        }
        check(!is_free_elsewhere)
    }

    fn contents(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, inner: Region) -> Result<(), Stop> {
        if a.as_array().is_some() {
            return self.items(a, b, inner);
        }
        if a.as_map().is_some() {
            return self.entries(a, b, inner);
        }
        for ((name, x, role), (_, y, _)) in children(a).into_iter().zip(children(b)) {
            let region = match role {
                FieldRole::DefSimple if !self.rules.patterns_persist => Region::Simple,
                _ if inner == Region::Pattern => Region::Pattern,
                FieldRole::Def => Region::Pattern,
                FieldRole::DefSimple => Region::Simple,
                FieldRole::Content | FieldRole::Ignore => inner,
            };
            let step = AccessStep::Attr(name.to_owned());
            self.path.push((step.clone(), step));
            let before = self.made;
            self.values(x, y, region)?;
            if self.options.lexical && exports(a, name) {
                let is_var = |pair: &&Pair<'a>| pair.a.type_info().kind() == SEqHashKind::FreeVar;
                let own = |pair: &&Pair<'a>| pair.level == Some(self.depth) && pair.order >= before;
                self.exported.extend(self.pairs.iter().filter(is_var).filter(own).map(|pair| pair.order));
            } else {
                self.exported.retain(|order| *order < before);
            }
            self.path.pop();
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
        let mut bound_rhs: Vec<AnyView<'a>> = Vec::new();
        let mut found = Vec::new();
        let mut next: VecDeque<(AnyView<'a>, AnyView<'a>)> = VecDeque::new();
        let mut fixed: VecDeque<(Option<AnyView<'a>>, bool)> = VecDeque::new();
        loop {
            // Comparing one entry may bind the key of another, so the next entries are not decided before.
            if next.is_empty() && !entries.is_empty() {
                next = self.decide(&mut entries);
                let kind = next.front().map_or(0, |(key, _)| self.rank(*key).0);
                if self.options.lexical && kind > 0 && !self.bound_keys_correspond(&next, b, &mut bound_rhs) {
                    return Err(Stop::Differ);
                }
                // When only unbound keys are left, all keys get their counterparts at once.
                if self.rules.canonical_order && kind == 2 {
                    fixed = next.iter().map(|(key, _)| self.counterpart(*key)).collect();
                }
            }
            let Some((key, value)) = next.pop_front() else { break };
            let (other, itself) = fixed.pop_front().unwrap_or_else(|| self.counterpart(key));
            let object = key.as_object();
            let step = path_key(key);
            let other = other.filter(|other| !found.iter().any(|found| is_same(*found, *other)));
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
        let left = y.iter().find(|(key, _)| !found.iter().any(|found| is_same(*found, *key)));
        match left {
            Some((key, _)) => {
                let step = path_key(key);
                self.path.push((AccessStep::MapItemMissing(step.clone()), AccessStep::MapItem(step)));
                Err(Stop::Differ)
            }
            None => Ok(()),
        }
    }

    /// Takes the next entries of one kind out of `entries`: plain keys, bound keys, or unbound keys.
    fn decide(&self, entries: &mut Vec<(AnyView<'a>, AnyView<'a>)>) -> VecDeque<(AnyView<'a>, AnyView<'a>)> {
        if !self.rules.canonical_order {
            return std::mem::take(entries).into();
        }
        entries.sort_by_key(|(key, _)| self.rank(*key));
        let kind = entries.first().map(|(key, _)| self.rank(*key).0);
        let count = entries.iter().filter(|(key, _)| Some(self.rank(*key).0) == kind).count();
        entries.drain(..count).collect()
    }

    /// Under lexical scopes: whether the keys of the right map that were bound since the last call are the counterparts
    /// of the keys of `next`, as far as these are bound.
    fn bound_keys_correspond(
        &self,
        next: &VecDeque<(AnyView<'a>, AnyView<'a>)>,
        right: ObjectView<'a>,
        bound_rhs: &mut Vec<AnyView<'a>>,
    ) -> bool {
        let orders = next.iter().filter_map(|(key, _)| Some(self.lhs(key.as_object()?)?.order));
        let new: Vec<AnyView<'a>> = right
            .as_map()
            .into_iter()
            .flat_map(|map| map.iter())
            .map(|(key, _)| key)
            .filter(|key| key.as_object().is_some_and(|key| is_identity(key) && self.rhs(key).is_some()))
            .filter(|key| !bound_rhs.iter().any(|known| is_same(*known, *key)))
            .collect();
        let mut orders_rhs: Vec<usize> = new.iter().filter_map(|key| Some(self.rhs(key.as_object()?)?.order)).collect();
        orders_rhs.sort_unstable();
        bound_rhs.extend(new);
        orders.eq(orders_rhs)
    }

    /// The counterpart of `key` on the right, and whether it is an unbound object that is its own counterpart.
    fn counterpart(&self, key: AnyView<'a>) -> (Option<AnyView<'a>>, bool) {
        let object = key.as_object().filter(|object| is_identity(*object));
        match object.and_then(|object| self.lhs(object)) {
            // Another binding may hide the counterpart.
            Some(pair) if self.options.lexical && !self.rhs(pair.b).is_some_and(|back| back.a.ptr_eq(pair.a)) => {
                (None, false)
            }
            Some(pair) => (Some(AnyView::Object(pair.b)), false),
            None => match object {
                Some(object) if self.rules.keys_are_guarded && self.rhs(object).is_some() => (None, true),
                Some(_) => (Some(key), true),
                None => (Some(key), false),
            },
        }
    }

    /// The rank of the entry with this key in our order, under the current bindings.
    fn rank(&self, key: AnyView<'a>) -> (u8, usize, String) {
        match key.as_object().filter(|object| is_identity(*object)) {
            Some(object) => match self.lhs(object) {
                Some(pair) => (1, pair.order, String::new()),
                None => (2, object.address(), String::new()),
            },
            None => (0, 0, plain_order(key)),
        }
    }
}

/// Whether maps compare a key by identity.
fn is_identity(key: ObjectView<'_>) -> bool {
    key.as_str().is_none() && key.as_bytes().is_none() && key.type_info().kind() != SEqHashKind::UniqueInstance
}

/// Whether two values are one object, plain values of the same bits, or NaNs.
pub(crate) fn is_same(a: AnyView<'_>, b: AnyView<'_>) -> bool {
    match (a, b) {
        (AnyView::Object(a), AnyView::Object(b)) => {
            a.ptr_eq(b)
                || a.as_str().is_some() && a.as_str() == b.as_str()
                || a.as_bytes().is_some() && a.as_bytes() == b.as_bytes()
        }
        (AnyView::Object(_), _) | (_, AnyView::Object(_)) => false,
        (AnyView::Float(a), AnyView::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        _ => a.type_key() == b.type_key() && plain_order(a) == plain_order(b),
    }
}

/// The sort key of a plain key.
fn plain_order(key: AnyView<'_>) -> String {
    match key {
        AnyView::None => "0".to_owned(),
        AnyView::Bool(value) => format!("1{value}"),
        AnyView::Int(value) => format!("2{:020}", value.cast_unsigned() ^ 1 << 63),
        AnyView::Float(value) => {
            format!("3{:020}", if value.is_nan() { f64::NAN } else { value }.to_bits())
        }
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

/// Whether bindings in the field outlive the object.
fn exports(object: ObjectView<'_>, field: &str) -> bool {
    matches!((object.type_key(), field), ("laws.Project" | "laws.ProjectDag", "params") | ("laws.With", "body"))
}

/// The compared values, in order. The function repeats the hooks of the types.
fn children(object: ObjectView<'_>) -> Vec<(&'static str, AnyView<'_>, FieldRole)> {
    let field = |name: &'static str, role| (name, object.get(name).unwrap_or_default(), role);
    match object.type_key() {
        "laws.Hook" | "laws.ScopeHook" => vec![field("params", FieldRole::Def), field("body", FieldRole::Content)],
        "laws.HookLet" => vec![field("var", FieldRole::DefSimple), field("body", FieldRole::Content)],
        "laws.HookDag" => vec![field("value", FieldRole::Content)],
        "laws.HookVar" => vec![field("ty", FieldRole::Content)],
        "laws.HookDeep" => {
            let child = field("child", FieldRole::Content);
            vec![child, ("grandchild", grandchild(object), FieldRole::Content)]
        }
        _ => object
            .fields()
            .filter(|(field, _)| !matches!(field.meta().role, FieldRole::Ignore))
            .map(|(field, value)| (field.name(), value, field.meta().role))
            .collect(),
    }
}

/// The second value that the hook of `HookDeep` lists.
pub(crate) fn grandchild(hooked: ObjectView<'_>) -> AnyView<'_> {
    match hooked.get("instead") {
        None | Some(AnyView::None) => {
            let child = hooked.get("child").and_then(AnyView::as_object);
            child.and_then(|child| child.get("inner")).unwrap_or_default()
        }
        Some(instead) => instead,
    }
}
