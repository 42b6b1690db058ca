//! [`StructuralEqual`]: whether two values are equal by structure.

use super::bindings::{Binding, Bindings};
use super::entries::{EntryPairs, MapOrder};
use super::frame::{Children, DefRegion, Frame, ItemPairs, Leave, ListedPairs, Next};
use super::mismatch::Mismatch;
use super::not_comparable;
use super::proven::Proven;
use crate::access_path::AccessPath;
use crate::container::MapData;
use crate::error::Result;
use crate::object::{AnyView, Body, EqualChildren, EqualPair, FieldPairs, FieldType, ObjectView, SEqHashKind};
use crate::value::Tensor;

/// Structural equality and its options.
///
/// Everything is compared iteratively, so depth costs no stack, and every pair of shared objects is walked once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructuralEqual {
    map_free_vars: bool,
    skip_tensor_content: bool,
}

impl StructuralEqual {
    /// The default options: free variables equal only themselves, and tensors are compared by content.
    #[must_use]
    pub fn new() -> Self {
        StructuralEqual::default()
    }

    /// Whether free variables may correspond to each other, as if the values stood in a definition region.
    #[must_use]
    pub fn map_free_vars(mut self, yes: bool) -> Self {
        self.map_free_vars = yes;
        self
    }

    /// Whether tensors of the same data type and shape are equal whatever their content.
    #[must_use]
    pub fn skip_tensor_content(mut self, yes: bool) -> Self {
        self.skip_tensor_content = yes;
        self
    }

    /// Whether `a` and `b` are equal.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if before any difference two objects of a
    /// type are reached that takes no part in structural comparison.
    pub fn equal<T: FieldType, U: FieldType>(&self, a: &T, b: &U) -> Result<bool> {
        Ok(Comparison::new(self, MapOrder::Canonical).run(a.view(), b.view())?.is_none())
    }
}

/// Whether `a` and `b` are equal under the default options. Values that reach a type which takes no part in structural
/// comparison equal nothing; [`StructuralEqual::equal`] reports them.
///
/// ```
/// use object_core::{Str, structural_equal};
/// assert!(structural_equal(&Str::from("a"), &Str::from("a")));
/// assert!(!structural_equal(&1i64, &1.0));
/// ```
#[must_use]
pub fn structural_equal<T: FieldType, U: FieldType>(a: &T, b: &U) -> bool {
    StructuralEqual::new().equal(a, b).unwrap_or(false)
}

/// Shared objects whose comparison took at least this many steps are remembered. Below it, comparing again is cheaper
/// than remembering; any constant keeps the cost linear.
const WORTH_REMEMBERING: u32 = 8;

/// Leaves with at least this many bytes are remembered as well.
const LONG_LEAF: usize = 256;

fn is_empty(map: ObjectView<'_>) -> bool {
    map.as_map().is_some_and(MapData::is_empty)
}

/// A comparison in progress.
pub(super) struct Comparison<'a> {
    options: StructuralEqual,
    order: MapOrder,
    stack: Vec<Frame<'a>>,
    /// The pairs that the hooks of the frames on the stack listed, one frame after the other.
    listed: Vec<EqualPair<'a>>,
    bindings: Bindings<'a>,
    proven: Proven,
    /// The unbound variables at which the comparison failed after their fields were found equal.
    failed: Option<(ObjectView<'a>, ObjectView<'a>)>,
    /// How many pairs were compared, leaves and remembered ones included.
    steps: u32,
}

/// Two values that differ. One that a side does not have is `None`.
#[derive(Clone, Copy)]
pub(super) struct Difference<'a> {
    lhs: Option<AnyView<'a>>,
    rhs: Option<AnyView<'a>>,
}

/// What is known of a pair after a first look.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Equal,
    Differ,
    NotComparable,
    /// It depends on the children, whose frame is now on the stack.
    Descend,
}

fn verdict(equal: bool) -> Verdict {
    if equal { Verdict::Equal } else { Verdict::Differ }
}

impl<'a> Comparison<'a> {
    pub(super) fn new(options: &StructuralEqual, order: MapOrder) -> Self {
        Comparison {
            options: *options,
            order,
            stack: Vec::new(),
            listed: Vec::new(),
            bindings: Bindings::default(),
            proven: Proven::default(),
            failed: None,
            steps: 0,
        }
    }

    /// Compares two values: what differs first, or `None` if they are equal.
    pub(super) fn run(&mut self, a: AnyView<'a>, b: AnyView<'a>) -> Result<Option<Difference<'a>>> {
        let region = if self.options.map_free_vars { DefRegion::Recursive } else { DefRegion::None };
        let mut next = Next::Values(a, b, region);
        loop {
            let verdict = match next {
                Next::Objects(a, b, region) => self.look_at_objects(a, b, region),
                Next::Values(a, b, region) => self.look(a, b, region),
                Next::Differ(..) => Verdict::Differ,
                Next::End => self.leave(),
            };
            match verdict {
                Verdict::Equal | Verdict::Descend => {}
                Verdict::Differ => return Ok(Some(self.difference(&next))),
                Verdict::NotComparable => {
                    let object = self.difference(&next).lhs.and_then(AnyView::as_object);
                    return object.map_or(Ok(None), |object| Err(not_comparable(object, self.paths().0)));
                }
            }
            match self.stack.last_mut() {
                Some(frame) => next = frame.next(&mut self.listed, &self.bindings),
                None => return Ok(None),
            }
        }
    }

    /// What was compared last.
    fn difference(&self, at: &Next<'a>) -> Difference<'a> {
        let (lhs, rhs) = match at {
            Next::Objects(a, b, _) => (Some(AnyView::Object(*a)), Some(AnyView::Object(*b))),
            Next::Values(a, b, _) => (Some(*a), Some(*b)),
            Next::Differ(a, b) => (*a, *b),
            Next::End => self.failed.map(|(a, b)| (AnyView::Object(a), AnyView::Object(b))).unzip(),
        };
        Difference { lhs, rhs }
    }

    /// The mismatch that ended the comparison, with its place.
    pub(super) fn mismatch(&self, difference: Difference<'a>) -> Mismatch {
        let (lhs, rhs) = self.paths();
        // Keys that differ mean that one map lacks the entry; no path leads into a key.
        let difference = match self.stack.iter().find_map(Frame::value_at_keys) {
            Some(value) => Difference { lhs: Some(value), rhs: None },
            None => difference,
        };
        let owned = |value: Option<AnyView<'a>>| value.map(AnyView::to_owned);
        Mismatch { lhs, rhs, lhs_value: owned(difference.lhs), rhs_value: owned(difference.rhs) }
    }

    /// Ends the frame on top of the stack, all of whose children are equal.
    fn leave(&mut self) -> Verdict {
        let Some(frame) = self.stack.pop() else { return Verdict::Equal };
        match frame.leave {
            Leave::Nothing => Verdict::Equal,
            Leave::Remember(start) => {
                if self.steps.wrapping_sub(start) >= WORTH_REMEMBERING {
                    let (a, b) = frame.objects();
                    self.proven.insert(a, b);
                }
                Verdict::Equal
            }
            Leave::Fail => {
                self.failed = Some(frame.objects());
                Verdict::Differ
            }
        }
    }

    fn look(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: DefRegion) -> Verdict {
        match (a, b) {
            (AnyView::Object(a), AnyView::Object(b)) => self.look_at_objects(a, b, region),
            (AnyView::None, AnyView::None) => Verdict::Equal,
            (AnyView::Bool(a), AnyView::Bool(b)) => verdict(a == b),
            (AnyView::Int(a), AnyView::Int(b)) => verdict(a == b),
            (AnyView::Float(a), AnyView::Float(b)) => verdict(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())),
            (AnyView::DataType(a), AnyView::DataType(b)) => verdict(a == b),
            (AnyView::Device(a), AnyView::Device(b)) => verdict(a == b),
            _ => Verdict::Differ,
        }
    }

    fn look_at_objects(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegion) -> Verdict {
        self.steps = self.steps.wrapping_add(1);
        let info = a.type_info();
        if !std::ptr::eq(info, b.type_info()) {
            return Verdict::Differ;
        }
        match info.body {
            Body::Str => {
                let (x, y) = (a.as_str().unwrap_or_default(), b.as_str().unwrap_or_default());
                return self.look_at_leaf(a, b, x.len(), || x == y);
            }
            Body::Bytes => {
                let (x, y) = (a.as_bytes().unwrap_or_default(), b.as_bytes().unwrap_or_default());
                return self.look_at_leaf(a, b, x.len(), || x == y);
            }
            Body::Shape => {
                let (x, y) = (a.as_shape().unwrap_or_default(), b.as_shape().unwrap_or_default());
                return self.look_at_leaf(a, b, size_of_val(x), || x == y);
            }
            Body::Tensor => return self.look_at_tensors(a, b),
            Body::Map if is_empty(a) && is_empty(b) => return Verdict::Equal,
            Body::Function | Body::Opaque | Body::Node | Body::Array | Body::Map => {}
        }
        let leave = match info.kind {
            SEqHashKind::Unsupported => return Verdict::NotComparable,
            SEqHashKind::UniqueInstance => return verdict(a.ptr_eq(b)),
            SEqHashKind::ConstTreeNode if a.ptr_eq(b) => return Verdict::Equal,
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode => {
                // Comparing plain values again is cheaper than looking for the pair.
                if !info.is_leaf && self.is_shared(a, b) {
                    if self.proven.contains(a, b) {
                        return Verdict::Equal;
                    }
                    Leave::Remember(self.steps)
                } else {
                    Leave::Nothing
                }
            }
            SEqHashKind::DagNode | SEqHashKind::FreeVar => match self.bindings.of(a, b) {
                Binding::Each => return Verdict::Equal,
                Binding::Others => return Verdict::Differ,
                // Binding before the fields are compared is sound: objects are acyclic, so neither is met below
                // itself, and one difference ends the comparison.
                Binding::Neither if info.kind == SEqHashKind::DagNode || region != DefRegion::None || a.ptr_eq(b) => {
                    self.bindings.bind(a, b);
                    Leave::Nothing
                }
                Binding::Neither => Leave::Fail,
            },
        };
        let region = match (info.kind, region) {
            (SEqHashKind::FreeVar, DefRegion::Simple) => DefRegion::None,
            _ => region,
        };
        let children = match info.body {
            Body::Array => Children::Items(ItemPairs::new(a, b)),
            Body::Map => Children::Entries(Box::new(EntryPairs::new(a, b, self.order))),
            _ => match info.hooks {
                Some(hooks) => {
                    let start = self.listed.len();
                    let mut listed = EqualChildren { pairs: std::mem::take(&mut self.listed) };
                    hooks.equal(a, b, &mut listed);
                    self.listed = listed.pairs;
                    Children::Listed(ListedPairs::new(a, b, start))
                }
                None => Children::Fields(FieldPairs::new(a, b)),
            },
        };
        self.stack.push(Frame { children, leave, region });
        Verdict::Descend
    }

    fn look_at_tensors(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Verdict {
        let (Some(x), Some(y)) = (a.to_handle::<Tensor>(), b.to_handle::<Tensor>()) else {
            return Verdict::Differ;
        };
        if x.dtype != y.dtype || x.shape != y.shape {
            return Verdict::Differ;
        }
        let skip = self.options.skip_tensor_content;
        self.look_at_leaf(a, b, x.data.len(), || skip || x.data == y.data)
    }

    /// Compares two objects without children, of `bytes` bytes.
    fn look_at_leaf(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        bytes: usize,
        equal: impl FnOnce() -> bool,
    ) -> Verdict {
        if a.ptr_eq(b) {
            return Verdict::Equal;
        }
        if bytes < LONG_LEAF || !self.is_shared(a, b) {
            return verdict(equal());
        }
        if self.proven.contains(a, b) {
            return Verdict::Equal;
        }
        let equal = equal();
        if equal {
            self.proven.insert(a, b);
        }
        verdict(equal)
    }

    /// Whether one of the two may be met again. One is enough: where only the left shares, the right has many objects
    /// for one, and comparing each of them in full would multiply at every level.
    fn is_shared(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        a.use_count() > 1 || b.use_count() > 1
    }

    /// The paths to the current pair, or to the entry whose keys are being compared.
    fn paths(&self) -> (AccessPath, AccessPath) {
        let (mut lhs, mut rhs) = (AccessPath::root(), AccessPath::root());
        for frame in &self.stack {
            let (a, b) = frame.steps(&self.listed);
            lhs.push(a);
            rhs.push(b);
            if frame.value_at_keys().is_some() {
                break;
            }
        }
        (lhs, rhs)
    }
}
