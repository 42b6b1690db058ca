//! [`StructuralEqual`]: whether two values are equal by structure.

use super::bindings::{Binding, Bindings};
use super::frame::{Children, DefRegion, Frame, Leave, MapOrder, Next, pair_entries};
use super::mismatch::Mismatch;
use super::not_comparable;
use super::proven::Proven;
use crate::access_path::AccessPath;
use crate::error::Result;
use crate::object::{AnyView, Body, EqualChildren, FieldPairs, FieldType, ObjectView, SEqHashKind};
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
const WORTH_REMEMBERING: usize = 8;

/// Leaves with at least this many bytes are remembered as well.
const LONG_LEAF: usize = 256;

/// A comparison in progress.
pub(super) struct Comparison<'a> {
    options: StructuralEqual,
    order: MapOrder,
    stack: Vec<Frame<'a>>,
    bindings: Bindings<'a>,
    proven: Proven,
    /// How many pairs were compared, leaves and remembered ones included.
    steps: usize,
}

/// What is known of a pair after a first look.
enum Verdict<'a> {
    Equal,
    Differ,
    NotComparable(ObjectView<'a>),
    /// It depends on the children.
    Descend(Frame<'a>),
}

fn verdict<'a>(equal: bool) -> Verdict<'a> {
    if equal { Verdict::Equal } else { Verdict::Differ }
}

impl<'a> Comparison<'a> {
    pub(super) fn new(options: &StructuralEqual, order: MapOrder) -> Self {
        Comparison {
            options: *options,
            order,
            stack: Vec::new(),
            bindings: Bindings::default(),
            proven: Proven::default(),
            steps: 0,
        }
    }

    /// Compares two values; `None` if they are equal.
    pub(super) fn run(mut self, a: AnyView<'a>, b: AnyView<'a>) -> Result<Option<Mismatch>> {
        let region = if self.options.map_free_vars { DefRegion::Recursive } else { DefRegion::None };
        let mut next = Next::Pair(a, b, region);
        loop {
            match next {
                Next::Pair(a, b, region) => match self.look(a, b, region) {
                    Verdict::Equal => {}
                    Verdict::Differ => return Ok(Some(self.mismatch(Some(a), Some(b)))),
                    Verdict::NotComparable(object) => {
                        return Err(not_comparable(object, self.paths().0));
                    }
                    Verdict::Descend(frame) => self.stack.push(frame),
                },
                Next::Unpaired(a, b) => return Ok(Some(self.mismatch(a, b))),
                Next::End => {
                    if let Some(frame) = self.stack.pop() {
                        match frame.leave {
                            Leave::Nothing => {}
                            Leave::Remember(start) => self.remember(frame.a, frame.b, start),
                            Leave::Fail => {
                                let (a, b) = (AnyView::Object(frame.a), AnyView::Object(frame.b));
                                return Ok(Some(self.mismatch(Some(a), Some(b))));
                            }
                        }
                    }
                }
            }
            match self.stack.last_mut() {
                Some(frame) => next = frame.next(),
                None => return Ok(None),
            }
        }
    }

    fn look(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: DefRegion) -> Verdict<'a> {
        self.steps += 1;
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

    fn look_at_objects(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegion) -> Verdict<'a> {
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
            Body::Function | Body::Opaque | Body::Node | Body::Array | Body::Map => {}
        }
        let leave = match info.kind {
            SEqHashKind::Unsupported => return Verdict::NotComparable(a),
            SEqHashKind::UniqueInstance => return verdict(a.ptr_eq(b)),
            SEqHashKind::ConstTreeNode if a.ptr_eq(b) => return Verdict::Equal,
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode => {
                if self.is_shared(a, b) {
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
        Verdict::Descend(Frame { a, b, region, leave, children: self.children(a, b) })
    }

    /// The pairs of children of two objects of one type.
    fn children(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Children<'a> {
        if let (Some(a), Some(b)) = (a.as_array(), b.as_array()) {
            return Children::Items { a, b, next: 0 };
        }
        if let (Some(a), Some(b)) = (a.as_map(), b.as_map()) {
            return pair_entries(a, b, &self.bindings, self.order);
        }
        match a.type_info().hooks {
            Some(hooks) => {
                let mut listed = EqualChildren { pairs: Vec::new() };
                hooks.equal(a, b, &mut listed);
                Children::Listed { pairs: listed.pairs, next: 0 }
            }
            None => Children::Fields(FieldPairs::new(a, b)),
        }
    }

    fn look_at_tensors(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Verdict<'a> {
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
    ) -> Verdict<'a> {
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

    fn remember(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, start: usize) {
        if self.steps - start >= WORTH_REMEMBERING {
            self.proven.insert(a, b);
        }
    }

    fn mismatch(&self, a: Option<AnyView<'a>>, b: Option<AnyView<'a>>) -> Mismatch {
        let (lhs, rhs) = self.paths();
        Mismatch { lhs, rhs, lhs_value: a.map(AnyView::to_owned), rhs_value: b.map(AnyView::to_owned) }
    }

    /// The paths to the current pair.
    fn paths(&self) -> (AccessPath, AccessPath) {
        let (mut lhs, mut rhs) = (AccessPath::root(), AccessPath::root());
        for frame in &self.stack {
            let (a, b) = frame.steps();
            lhs.push(a);
            rhs.push(b);
        }
        (lhs, rhs)
    }
}
