//! [`Array`]: a shared sequence.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use crate::container::array_meta::ArrayMeta;
use crate::container::array_view::ArrayView;
use crate::container::elements::{ElementBound, ElementRule};
use crate::object::{
    Accepted, Any, AnyView, Body, CheckedContent, ContainerFns, DeadObjects, Extends, FieldContents, FieldOps,
    FieldType, HandleOps, Header, ObjectHandle, ObjectRef, ObjectView, SliceMeta, SliceObject, Storage, TableAddress,
    TypeInfo, TypeSchema, TypedHandle, UpcastsTo, from_object_unchecked, mismatch, slice_info,
};

/// The layout of sequences in which all elements are objects: it stores bare handles.
pub(super) type Objects = SliceObject<ArrayMeta, ObjectRef>;
/// The layout of all other sequences.
pub(super) type Values = SliceObject<ArrayMeta, Any>;

// SAFETY: code that reads objects with this body reads the bound first, which decides between the two layouts, as
// `free` does.
pub(crate) static ARRAY: TypeInfo =
    unsafe { slice_info("ffi.Array", Body::Array, "A sequence of values.", free) }.with_content(count);
/// TVM's list, which is mutable in TVM. In this crate it is an immutable sequence with its own type, so that files with
/// lists can be read, compared and written.
// SAFETY: as for `ARRAY`.
pub(crate) static LIST: TypeInfo =
    unsafe { slice_info("ffi.List", Body::Array, "A sequence of values, mutable in TVM.", free) }.with_content(count);

/// The number of elements.
fn count(object: ObjectView<'_>) -> CheckedContent<'_> {
    CheckedContent::Count(object.as_array().map_or(0, ArrayView::len))
}

/// The values that take the place of an element of an array in a rewrite. No value outside of a rewrite is such an object.
// SAFETY: as for `ARRAY`.
pub(crate) static SPLICE: TypeInfo =
    unsafe { slice_info("rewrite.Splice", Body::Array, "Values in the place of an element.", free) };

/// The values that take the place of an element of an array, if `value` stands for such values.
pub(crate) fn spliced_values(value: AnyView<'_>) -> Option<ArrayView<'_>> {
    value.as_object().filter(|object| std::ptr::eq(object.type_info(), &raw const SPLICE))?.as_array()
}

/// Frees an array.
///
/// # Safety
/// The object is an initialized sequence, and no handle refers to it.
unsafe fn free(ptr: NonNull<Header>, dead: &mut DeadObjects) {
    // SAFETY: by the contract. Both layouts have the same fixed part, which holds the bound, and the bound decides the
    // layout.
    unsafe {
        let are_objects = Objects::meta(ObjectView::from_raw(ptr)).are_objects();
        if are_objects { Objects::free(ptr, dead) } else { Values::free(ptr, dead) }
    }
}

/// A reference-counted sequence of `T`.
///
/// An `Array` has the methods and traits of a `Vec`. A change by [`push`](Self::push), [`remove`](Self::remove) or
/// [`edit`](Self::edit) happens in place if no other handle shares the array, and otherwise in a copy; other handles keep the old
/// array. [`with`](Self::with), [`concat`](Self::concat), [`slice`](Self::slice) and [`map`](Self::map) make a new array.
///
/// All arrays have one object type, `ffi.Array`, whatever `T` is. A handle with another `T` refers to the same object;
/// the conversion by [`Any::cast`] checks the elements.
///
/// # References to elements
///
/// An array of handles stores the handles, so it dereferences to a slice: `array[0]`, `array[1..]`, `array.windows(2)` and
/// `for item in &array` borrow elements. An array of `i64`, `f64`, `bool`, [`DataType`](crate::DataType) or
/// [`Device`](crate::Device) lends single elements by `array[0]` and `for item in &array`. Arrays of other types (smaller
/// numbers, enums, `Option`, `Any`) store their elements in another form, and have no references to lend.
/// [`get`](Self::get), [`first`](Self::first), [`iter`](Self::iter) and `for item in array` return owned elements for every
/// `T`; a copy of a handle increments a counter.
///
/// ```
/// use object_core::{Array, Str};
/// let array = Array::from([1, 2, 3]);
/// assert_eq!(array.iter().sum::<i64>(), 6);
/// assert_eq!(array[1], 2);
/// assert_eq!(array.first(), Some(1));
/// assert_eq!(array.with(4), [1, 2, 3, 4]);
///
/// let names: Array<Str> = ["a", "b"].into_iter().map(Str::from).collect();
/// assert_eq!(names.join("+"), "a+b");
/// for name in &names {
///     assert_eq!(name.len(), 1);
/// }
/// ```
#[repr(transparent)]
pub struct Array<T> {
    pub(super) object: ObjectRef,
    marker: PhantomData<fn() -> T>,
}

/// The elements of a sequence.
///
/// # Safety
/// The type of the object is a type of sequences.
unsafe fn view_unchecked(object: ObjectView<'_>) -> ArrayView<'_> {
    // SAFETY: sequences have one of the two layouts, which have the same fixed part; the bound in it decides the
    // layout.
    unsafe {
        if Objects::meta(object).are_objects() {
            ArrayView::Objects(Objects::items(object))
        } else {
            ArrayView::Values(Values::items(object))
        }
    }
}

impl<'a> ObjectView<'a> {
    /// The elements, if the object is an array or one of TVM's lists.
    #[must_use]
    #[inline]
    pub fn as_array(self) -> Option<ArrayView<'a>> {
        // SAFETY: only `ARRAY`, `LIST` and `SPLICE` have this body.
        (self.type_info().body == Body::Array).then(|| unsafe { view_unchecked(self) })
    }
}

impl ObjectView<'_> {
    /// The number of elements for which the object has memory, if it is an array or one of TVM's lists.
    pub(crate) fn array_capacity(self) -> Option<usize> {
        // SAFETY: the object is a sequence, and both layouts have the same fixed part.
        self.as_array().map(|array| array.len() + unsafe { Objects::meta(self) }.spare())
    }
}

/// Whether `object` is a sequence of type `info`, and `rule` accepts all its elements.
pub(crate) fn is_sequence_of(object: ObjectView<'_>, info: &'static TypeInfo, rule: &impl ElementRule) -> bool {
    std::ptr::eq(object.type_info(), info)
        && object.as_array().is_some_and(|array| {
            // SAFETY: the object is a sequence, and both layouts have the same fixed part.
            unsafe { Objects::meta(object) }.bound().satisfies(rule, array.iter())
        })
}

// SAFETY: the handle is a transparent wrapper. Only this folder makes objects with the table `ARRAY`, in one of the two
// layouts, and the handle accepts an object only if `T` accepts every element.
unsafe impl<T: FieldType> ObjectHandle for Array<T> {
    const CONTENTS: FieldContents = T::CONTENTS;
    const ACCEPTED: Accepted = Accepted::Container(TableAddress::of(&ARRAY), &[T::ACCEPTED]);

    const OPS: HandleOps = HandleOps::containers(&ARRAYS, &[FieldOps::of::<T>()]);

    fn accepts_object(object: ObjectView<'_>) -> bool {
        const { Self::OPS }.accepts(object)
    }

    fn handle_schema() -> TypeSchema {
        const { Self::OPS }.schema()
    }

    fn rejected(object: ObjectView<'_>) -> crate::Error {
        const { Self::OPS }.rejected(object)
    }
}

/// The functions of handles of arrays.
static ARRAYS: ContainerFns = ContainerFns {
    accepts: |object, of| is_sequence_of(object, &ARRAY, of[0]),
    rejected: |object, of| rejected(object, of[0]),
    type_key: "ffi.Array",
};

fn rejected(object: ObjectView<'_>, of: &FieldOps) -> crate::Error {
    let schema = TypeSchema::of(ARRAY.type_key, vec![of.schema()]).to_string();
    let first = object.as_array().and_then(|array| array.iter().enumerate().find(|(_, item)| !of.accepts(*item)));
    match first {
        Some((index, item)) => {
            mismatch(&of.schema().to_string(), item).context(format_args!("element {index} of a `{schema}`"))
        }
        None => crate::Error::type_mismatch(&schema, object.type_key()),
    }
}

/// Makes a sequence of any values; `info` is a type of sequences.
///
/// # Panics
/// If `info` is another type.
pub(crate) fn sequence_of(info: &'static TypeInfo, items: Vec<Any>) -> ObjectRef {
    let elements = ElementBound::of(items.iter().map(Any::view));
    if !elements.are_objects() {
        assert!(info.body == Body::Array, "`{}` is not a sequence type", info.type_key);
        // SAFETY: `info` is a type of sequences, and by the bound, not all elements are objects.
        return unsafe { Values::of_items(info, ArrayMeta::new(elements), items.into_iter()) };
    }
    let objects = items.into_iter().map(|item| match item {
        Any::Object(object) => object,
        _ => unreachable!("the bound says that all items are objects"),
    });
    bounded_sequence(info, elements, objects)
}

/// Makes a sequence of objects; `info` is a type of sequences.
///
/// # Panics
/// If `info` is another type.
pub(crate) fn sequence_of_objects(info: &'static TypeInfo, objects: Vec<ObjectRef>) -> ObjectRef {
    let elements = ElementBound::of_handles(&objects);
    bounded_sequence(info, elements, objects.into_iter())
}

/// Makes a sequence of objects with the bound `elements`; `info` is a type of sequences.
///
/// # Panics
/// If `info` is another type, or if the bound is not a bound of objects.
#[inline]
pub(super) fn bounded_sequence(
    info: &'static TypeInfo,
    elements: ElementBound,
    objects: impl ExactSizeIterator<Item = ObjectRef>,
) -> ObjectRef {
    assert!(info.body == Body::Array, "`{}` is not a sequence type", info.type_key);
    assert!(elements.are_objects(), "the bound is not a bound of objects");
    // SAFETY: `info` is a type of sequences, and the bound decides for the layout of objects.
    unsafe { Objects::of_items(info, ArrayMeta::new(elements), objects) }
}

/// A copy of a sequence with the object that `copied` returns in place of each element that is an object. `None` if `copied`
/// returns `None` or an object of another type, or if `object` is not a sequence.
pub(crate) fn copy_sequence_with<'a>(
    object: ObjectView<'a>,
    mut copied: impl FnMut(ObjectView<'a>) -> Option<ObjectRef>,
) -> Option<ObjectRef> {
    let (items, info) = (object.as_array()?, object.type_info());
    // SAFETY: the object is a sequence, and both layouts have the same fixed part.
    let elements = ArrayMeta::new(unsafe { Objects::meta(object) }.bound());
    let mut is_complete = true;
    // The memory of the copy comes before the memory of its elements, so the iterator cannot end early.
    let mut element = |item: ObjectView<'a>| {
        let copy = if is_complete { copied(item) } else { None };
        copy.filter(|copy| std::ptr::eq(copy.type_info(), item.type_info())).unwrap_or_else(|| {
            is_complete = false;
            item.to_object()
        })
    };
    // SAFETY: the type is one of sequences. The elements have the types of the old ones, so the bound and the layout are the
    // same.
    let copy = unsafe {
        match items {
            ArrayView::Objects(items) => {
                Objects::of_items(info, elements, items.iter().map(|item| element(item.view())))
            }
            ArrayView::Values(items) => Values::of_items(
                info,
                elements,
                items.iter().map(|item| match item.view() {
                    AnyView::Object(item) => Any::Object(element(item)),
                    plain => plain.to_any(),
                }),
            ),
        }
    };
    is_complete.then_some(copy)
}

impl Array<Any> {
    /// An array of any values.
    #[must_use]
    pub fn from_anys(items: Vec<Any>) -> Self {
        // SAFETY: the object is an array, and `Array<Any>` accepts all arrays.
        unsafe { from_object_unchecked(sequence_of(&ARRAY, items)) }
    }
}

impl<T: FieldType> Array<T> {
    /// An array of `items`.
    pub fn new(items: impl IntoIterator<Item = T>) -> Self {
        let items = items.into_iter();
        if const { matches!(T::STORAGE.get(), Storage::Object) } {
            let mut handles: Vec<T> = items.collect();
            let len = handles.len();
            // SAFETY: the vector gives its items up before they move. With this storage, each item is an object pointer, as
            // `ObjectRef` is.
            let object = unsafe {
                handles.set_len(0);
                array_of_moved(handles.as_ptr().cast(), len)
            };
            return Array { object, marker: PhantomData };
        }
        let mut anys = Vec::with_capacity(items.size_hint().0);
        for item in items {
            anys.push(item.into_any());
        }
        Array { object: sequence_of(&ARRAY, anys), marker: PhantomData }
    }

    /// The elements without their type.
    #[must_use]
    pub fn view(&self) -> ArrayView<'_> {
        // SAFETY: the handle accepts only objects of the type `ARRAY`.
        unsafe { view_unchecked(self.object.view()) }
    }
}

impl<H: ObjectHandle> Array<H> {
    /// An array of copies of `items`. Takes less time than [`new`](Self::new), because it sees all items at once.
    ///
    /// ```
    /// use object_core::{Array, ObjectHandle, Str};
    ///
    /// let texts = [Str::from("a"), Str::from("b")];
    /// let array = Array::of_handles(&texts);
    /// assert!(array.len() == 2 && array.as_slice()[1].ptr_eq(&texts[1]));
    /// ```
    #[must_use]
    pub fn of_handles(items: &[H]) -> Self {
        let objects = items.iter().map(|item| item.as_object().clone());
        Array { object: bounded_sequence(&ARRAY, ElementBound::of_handles(items), objects), marker: PhantomData }
    }

    /// An array of the items of an iterator that knows their number. Takes less time than [`new`](Self::new), because the
    /// items move into the array as they come.
    ///
    /// ```
    /// use object_core::{Array, Str};
    ///
    /// let array = Array::of_exact(["a", "b"].iter().map(|text| Str::from(*text)));
    /// assert_eq!(array.join(""), "ab");
    /// ```
    ///
    /// # Panics
    /// If the iterator yields fewer items than its length says.
    #[must_use]
    pub fn of_exact(items: impl ExactSizeIterator<Item = H>) -> Self {
        let objects = items.map(ObjectHandle::into_object);
        // SAFETY: the bound is one of objects, so it decides for the layout of objects.
        let object = unsafe {
            Objects::of_described_items(&ARRAY, objects, |items| ArrayMeta::new(ElementBound::of_handles(items)))
        };
        Array { object, marker: PhantomData }
    }

    /// Moves the items from the index `start` on into an array. The vector keeps its capacity, so it can serve as a stack of
    /// the parts of objects under construction.
    ///
    /// ```
    /// use object_core::{Array, Str};
    ///
    /// let mut stack = vec![Str::from("a"), Str::from("b"), Str::from("c")];
    /// let array = Array::split_off(&mut stack, 1);
    /// assert_eq!((stack.len(), array.join("")), (1, "bc".to_owned()));
    /// ```
    ///
    /// # Panics
    /// If `start` is greater than the number of items.
    #[must_use]
    pub fn split_off(items: &mut Vec<H>, start: usize) -> Self {
        let moved = &items[start..];
        let (first, len) = (moved.as_ptr().cast(), moved.len());
        // SAFETY: the vector gives the items up before they move, and each of them is an object pointer.
        let object = unsafe {
            items.set_len(start);
            array_of_moved(first, len)
        };
        Array { object, marker: PhantomData }
    }

    /// The elements as a slice of handles.
    #[must_use]
    pub fn as_slice(&self) -> &[H] {
        match self.view() {
            // SAFETY: the handle accepts an array only if `H` accepts every element, and `H` is a transparent wrapper
            // of `ObjectRef`.
            ArrayView::Objects(items) => unsafe { std::slice::from_raw_parts(items.as_ptr().cast::<H>(), items.len()) },
            ArrayView::Values(_) => unreachable!("all elements of an array of handles are objects"),
        }
    }

    /// The same array as an array of a more general handle. It moves the pointer, in constant time.
    ///
    /// ```
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "upcast.Expr", base)]
    /// #[structural_eq(tree)]
    /// struct ExprNode {}
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "upcast.Var", parent = ExprNode)]
    /// #[structural_eq(tree)]
    /// struct VarNode {
    ///     base: ExprNode,
    /// }
    ///
    /// let vars = Array::from([Var::new(), Var::new()]);
    /// let borrowed: &Array<Expr> = vars.as_ref();
    /// assert_eq!(borrowed.len(), 2);
    /// let exprs: Array<Expr> = vars.clone().upcast();
    /// assert!(exprs.ptr_eq(&vars));
    /// ```
    #[must_use]
    pub fn upcast<A: ObjectHandle>(self) -> Array<A>
    where
        H: Extends<A>,
    {
        const { <H as Extends<A>>::UPCAST };
        Array { object: self.object, marker: PhantomData }
    }
}

/// The same array, borrowed as an array of a more general handle.
impl<H: TypedHandle, A: ObjectHandle> AsRef<Array<A>> for Array<H>
where
    for<'a> &'a H: UpcastsTo<A, Node = <H as TypedHandle>::Node>,
{
    fn as_ref(&self) -> &Array<A> {
        const { <&'static H as UpcastsTo<A>>::UPCAST };
        // SAFETY: both types are transparent wrappers of `ObjectRef`. `H` accepts every element, and by the proof above,
        // `A` does too.
        unsafe { &*std::ptr::from_ref(self).cast::<Array<A>>() }
    }
}

/// The same array, without the type of its elements.
impl<H: TypedHandle> From<Array<H>> for Array<ObjectRef> {
    fn from(array: Array<H>) -> Self {
        Array { object: array.object, marker: PhantomData }
    }
}

/// The same array, without the type of its elements.
impl<H: ObjectHandle> From<Array<H>> for Array<Any> {
    fn from(array: Array<H>) -> Self {
        Array { object: array.object, marker: PhantomData }
    }
}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Self {
        Array { object: self.object.clone(), marker: PhantomData }
    }
}

impl<T: FieldType, const N: usize> From<[T; N]> for Array<T> {
    fn from(items: [T; N]) -> Self {
        if const { matches!(T::STORAGE.get(), Storage::Object) } {
            let items = ManuallyDrop::new(items);
            // SAFETY: with this storage, each item is an object pointer, as `ObjectRef` is. `ManuallyDrop` keeps the
            // items from being dropped a second time.
            let object = unsafe { array_of_moved(&raw const items as *const ObjectRef, N) };
            Array { object, marker: PhantomData }
        } else {
            Array::new(items)
        }
    }
}

/// Moves the `len` handles that begin at `first` into an array. Programs contain many arrays of handles, so the code for
/// them is compiled once for all types.
///
/// # Safety
/// The handles are initialized, and nothing uses or drops them afterwards.
unsafe fn array_of_moved(first: *const ObjectRef, len: usize) -> ObjectRef {
    // SAFETY: by the contract; the slice is not used after the handles move. The bound is one of objects, so it decides for
    // the layout of objects.
    unsafe {
        let elements = ElementBound::of_handles(std::slice::from_raw_parts(first, len));
        Objects::of_moved(&ARRAY, ArrayMeta::new(elements), first, len)
    }
}

impl<T> From<Array<T>> for ObjectRef {
    fn from(array: Array<T>) -> Self {
        array.object
    }
}

impl<T> fmt::Display for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.object, f)
    }
}

impl<T> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.object, f)
    }
}

const _: () = assert!(matches!(<Array<Any> as FieldType>::STORAGE.get(), Storage::Object));
