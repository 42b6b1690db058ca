//! [`SyntacticPattern`]: a template without bindings as a list of checks, which takes time linear in the template, whatever
//! the holes stand for.
//!
//! Without bindings in the template, the correspondence of a match is the identity: each variable of the value corresponds to
//! itself. So a free variable of the template is that very object in the value, and a hole that occurs once needs no
//! comparison. The checks are the code of an abstract machine with one register for each open object. (De Moura and Bjørner,
//! Efficient E-Matching for SMT Solvers, 2007)

use crate::container::Array;
use crate::error::Result;
use crate::graph::children::child;
use crate::object::{Any, AnyView, Body, FieldRole, ObjectRef, ObjectView, SEqHashKind, TypeInfo};
use crate::rewrite::replacement::objects_with;
use crate::structural::{Scopes, StructuralOptions, compare_plain, is_plain};
use crate::table::{AddressSet, AddressTable};
use crate::visit::walk;

/// A template as checks in the order of the fields, the object above before the objects below it.
#[derive(Clone, Debug)]
pub(super) struct SyntacticPattern {
    checks: Vec<Check>,
    holes: usize,
}

/// A check of one part of a value.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) place: Place,
    pub(super) test: Test,
}

/// Where a part is. An open object has the number of its [`Test::Open`] among all of these.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Root,
    /// The child with this number of an open object.
    Child(usize, usize),
    /// The value for this key of an open map. The last number is the index of the entry in the template.
    Entry(usize, Any, usize),
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    /// The part is the value of the hole with this number.
    Hole(usize),
    /// The part is this plain value.
    Plain(Any),
    /// The part is this variable.
    Variable(ObjectRef),
    /// The part is equal to this value, which has no children.
    Equal(Any),
    /// The part is an object of this type, with this number of elements or entries if it is a container.
    Open(&'static TypeInfo, usize),
    /// As `Open`, for an array with at least so many elements. The others are the value of the hole.
    OpenRest(usize, usize),
}

/// The result of the checks.
pub(super) enum Syntactic {
    Differs,
    /// The value of each hole.
    Matches(Vec<Any>),
    /// The values of a hole have `dag` nodes, which other values may bind to others: the whole value has to be compared.
    Unknown,
}

impl Syntactic {
    /// The values of the holes, if there are some.
    pub(super) fn values(self) -> Option<Vec<Any>> {
        if let Syntactic::Matches(values) = self { Some(values) } else { None }
    }
}

impl SyntacticPattern {
    /// The checks of a template. `None` if its meaning depends on bindings, on `dag` nodes or on hooks, or if a shared part
    /// with holes occurs so often that the checks would be much more than the objects.
    pub(super) fn of(template: &Any, holes: &AddressTable<usize>) -> Option<Self> {
        let with_holes = match template.view() {
            AnyView::Object(root) => objects_with(root, |address| holes.contains_key(&address)),
            _ => AddressSet::default(),
        };
        let mut compiler = Compiler { holes, with_holes, checks: Vec::new(), pending: Vec::new(), open: 0 };
        compiler.run(template.view())?;
        Some(SyntacticPattern { checks: compiler.checks, holes: holes.len() })
    }

    /// The checks of a pattern with so many holes.
    pub(super) fn new(checks: Vec<Check>, holes: usize) -> Self {
        SyntacticPattern { checks, holes }
    }

    /// The values of the holes in `value`. A hole stands for a value that is present, so never for `None`.
    pub(super) fn run<'a>(&self, value: AnyView<'a>, options: StructuralOptions) -> Result<Syntactic> {
        let mut open: Vec<ObjectView<'a>> = Vec::with_capacity(4);
        let mut found: Vec<Option<AnyView<'a>>> = vec![None; self.holes];
        let (mut repeated, mut rests) = (Vec::new(), Vec::new());
        for check in &self.checks {
            let Some(part) = check.place.of(value, &open) else { return Ok(Syntactic::Differs) };
            let is_same = match (&check.test, part) {
                (Test::Hole(_), AnyView::None) => false,
                (Test::Hole(hole), part) => {
                    match found[*hole] {
                        Some(first) => repeated.push((first, part)),
                        None => found[*hole] = Some(part),
                    }
                    true
                }
                (Test::Open(info, len), AnyView::Object(object)) => {
                    open.push(object);
                    std::ptr::eq(*info, object.type_info()) && len_of(object) == *len
                }
                (Test::OpenRest(least, hole), AnyView::Object(object)) => {
                    open.push(object);
                    let array = object.as_array();
                    rests.extend(array.map(|array| (*hole, array.iter().skip(*least))));
                    array.is_some_and(|array| array.len() >= *least)
                }
                (Test::Variable(var), part) => part.is_object(var.view()),
                (Test::Plain(plain), part) => is_plain(part) && compare_plain(plain.view(), part).is_eq(),
                (Test::Equal(expected), part) => options.equal(expected, &part)?,
                (Test::Open(..) | Test::OpenRest(..), _) => false,
            };
            if !is_same {
                return Ok(Syntactic::Differs);
            }
        }
        for (first, again) in repeated {
            match are_same(first, again, options)? {
                Some(true) => {}
                Some(false) => return Ok(Syntactic::Differs),
                None => return Ok(Syntactic::Unknown),
            }
        }
        let mut values: Vec<Option<Any>> = found.into_iter().map(|value| value.map(AnyView::to_any)).collect();
        for (hole, rest) in rests {
            values[hole] = Some(Array::<Any>::from_anys(rest.map(AnyView::to_any).collect()).into());
        }
        // A hole that no check has found occurs only where equality does not look.
        Ok(values.into_iter().collect::<Option<_>>().map_or(Syntactic::Differs, Syntactic::Matches))
    }
}

impl Place {
    #[inline]
    fn of<'a>(&self, root: AnyView<'a>, open: &[ObjectView<'a>]) -> Option<AnyView<'a>> {
        match self {
            Place::Root => Some(root),
            Place::Child(object, number) => {
                let object = open[*object];
                child(object, object.type_info().plan.child_layout, *number).map(|(part, _)| part)
            }
            Place::Entry(map, key, index) => open[*map].as_map()?.find(key.view(), *index).map(|(_, _, value)| value),
        }
    }
}

/// The number of elements or entries of a container.
fn len_of(object: ObjectView<'_>) -> usize {
    match object.type_info().body {
        Body::Array => object.as_array().map_or(0, |array| array.len()),
        Body::Map => object.as_map().map_or(0, |map| map.len()),
        _ => 0,
    }
}

/// Whether two values of one hole are equal at their places. `None` if that depends on other values.
///
/// The instance of the template has the first value at both places, so the variables in it correspond to themselves. If the
/// values are unequal by themselves, they are unequal under this correspondence too; this comparison comes first, because it
/// ends at the first difference.
fn are_same(first: AnyView<'_>, again: AnyView<'_>, options: StructuralOptions) -> Result<Option<bool>> {
    let (AnyView::Object(a), AnyView::Object(b)) = (first, again) else {
        return Ok(Some(is_plain(first) && is_plain(again) && compare_plain(first, again).is_eq()));
    };
    if a.ptr_eq(b) {
        return Ok(Some(true));
    }
    if !std::ptr::eq(a.type_info(), b.type_info()) || !options.equal(&a, &b)? {
        return Ok(Some(false));
    }
    if options.scopes == Scopes::Lexical && has_dag_nodes(a) {
        return Ok(None);
    }
    let pair = |second: AnyView<'_>| Array::<Any>::from_anys(vec![first.to_any(), second.to_any()]);
    options.equal(&pair(first), &pair(again)).map(Some)
}

fn has_dag_nodes(value: ObjectView<'_>) -> bool {
    let mut found = false;
    walk(&value, |object: &ObjectRef, _| found |= object.type_info().kind == SEqHashKind::DagNode);
    found
}

/// The checks so far, and the parts of the template for which there are none.
struct Compiler<'t> {
    holes: &'t AddressTable<usize>,
    /// The objects of the template that are holes or have holes below them.
    with_holes: AddressSet,
    checks: Vec<Check>,
    pending: Vec<(AnyView<'t>, Place)>,
    /// The number of open objects.
    open: usize,
}

impl<'t> Compiler<'t> {
    fn run(&mut self, template: AnyView<'t>) -> Option<()> {
        let mut objects = AddressSet::default();
        self.pending.push((template, Place::Root));
        while let Some((part, place)) = self.pending.pop() {
            let test = match part {
                AnyView::Object(object) => self.test(object)?,
                plain => Test::Plain(plain.to_any()),
            };
            let opens = matches!(test, Test::Open(..));
            self.checks.push(Check { place, test });
            if let AnyView::Object(object) = part
                && opens
            {
                objects.insert(object.address());
                self.open += 1;
                if self.open > 64 + 4 * objects.len() {
                    return None;
                }
                self.children(object)?;
            }
        }
        Some(())
    }

    fn test(&self, object: ObjectView<'t>) -> Option<Test> {
        let info = object.type_info();
        if let Some(hole) = self.holes.get(&object.address()) {
            return Some(Test::Hole(*hole));
        }
        if is_plain(AnyView::Object(object)) {
            return Some(Test::Plain(Any::Object(object.to_object())));
        }
        if info.hooks.is_some() || info.is_scope {
            return None;
        }
        match info.kind {
            // A variable equals itself alone, so values in its fields would make another one.
            SEqHashKind::FreeVar if !self.with_holes.contains(&object.address()) => {
                Some(Test::Variable(object.to_object()))
            }
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode => Some(match info.body {
                Body::Node | Body::Array | Body::Map => Test::Open(info, len_of(object)),
                _ => Test::Equal(Any::Object(object.to_object())),
            }),
            _ => None,
        }
    }

    /// Adds the compared children of an object, so that the first one comes next.
    fn children(&mut self, object: ObjectView<'t>) -> Option<()> {
        let (own, begin) = (self.open - 1, self.pending.len());
        if let Some(map) = object.as_map() {
            for index in 0..map.len() {
                let (key, value) = map.entry(index)?;
                if !is_plain(key) {
                    return None;
                }
                self.pending.push((value, Place::Entry(own, key.to_any(), index)));
            }
        } else {
            let mut number = 0;
            while let Some((part, role)) = child(object, object.type_info().plan.child_layout, number) {
                match role {
                    FieldRole::Ignore => {}
                    FieldRole::Def | FieldRole::DefSimple => return None,
                    _ => self.pending.push((part, Place::Child(own, number))),
                }
                number += 1;
            }
        }
        self.pending[begin..].reverse();
        Some(())
    }
}
