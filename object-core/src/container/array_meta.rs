//! [`ArrayMeta`]: the fixed data of a sequence.

use crate::container::elements::ElementBound;
use crate::object::{GrowingMeta, SliceMeta, TypeInfo};

/// The bound of the elements of a sequence, and the number of spare elements, in the 16 bytes that the bound alone takes. So an
/// array that never grows is not larger because others do.
#[derive(Clone, Copy)]
pub(crate) struct ArrayMeta {
    kind: Kind,
    spare: u32,
    /// The type of `Kind::Objects`.
    info: Option<&'static TypeInfo>,
}

const _: () = assert!(size_of::<ArrayMeta>() == 16 || size_of::<usize>() != 8);

/// The variants of [`ElementBound`].
#[derive(Clone, Copy)]
enum Kind {
    Empty,
    Bools,
    Ints,
    Floats,
    Objects,
    AnyObjects,
    Mixed,
}

impl ArrayMeta {
    /// The data of a sequence without spare elements.
    #[inline]
    pub(super) fn new(bound: ElementBound) -> Self {
        let mut meta = ArrayMeta { kind: Kind::Empty, spare: 0, info: None };
        meta.set_bound(bound);
        meta
    }

    /// The bound of the elements.
    #[inline]
    pub(super) fn bound(self) -> ElementBound {
        match (self.kind, self.info) {
            (Kind::Empty, _) => ElementBound::Empty,
            (Kind::Bools, _) => ElementBound::Bools,
            (Kind::Ints, _) => ElementBound::Ints,
            (Kind::Floats, _) => ElementBound::Floats,
            (Kind::Objects, Some(info)) => ElementBound::Objects(info),
            (Kind::Objects, None) | (Kind::AnyObjects, _) => ElementBound::AnyObjects,
            (Kind::Mixed, _) => ElementBound::Mixed,
        }
    }

    /// Changes the bound of the elements.
    #[inline]
    pub(super) fn set_bound(&mut self, bound: ElementBound) {
        self.info = bound.type_info();
        self.kind = match bound {
            ElementBound::Empty => Kind::Empty,
            ElementBound::Bools => Kind::Bools,
            ElementBound::Ints => Kind::Ints,
            ElementBound::Floats => Kind::Floats,
            ElementBound::Objects(_) => Kind::Objects,
            ElementBound::AnyObjects => Kind::AnyObjects,
            ElementBound::Mixed => Kind::Mixed,
        };
    }

    /// As [`ElementBound::are_objects`].
    #[inline(always)]
    pub(super) fn are_objects(self) -> bool {
        matches!(self.kind, Kind::Empty | Kind::Objects | Kind::AnyObjects)
    }
}

impl SliceMeta for ArrayMeta {
    #[inline(always)]
    fn spare(&self) -> usize {
        self.spare as usize
    }
}

impl GrowingMeta for ArrayMeta {
    const MAX_SPARE: usize = u32::MAX as usize;

    fn set_spare(&mut self, count: usize) {
        self.spare = u32::try_from(count).expect("the count is at most `MAX_SPARE`");
    }
}
