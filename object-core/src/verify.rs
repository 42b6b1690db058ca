//! [`verify`]: all violations of the checks in declarations, in all objects of a graph.
//!
//! A declaration has two kinds of checks. The words of fields (`range`, `len`, `one_of`) and `same_len` look at the values of one
//! object. Every way to make an object enforces them: constructors, builders, readers of files, and parsers; only `make_mut`
//! can break them. A verifier, the function of `#[object(verify = path)]`, may look at all objects below its object, which can be a
//! part of a graph that is being made. So verifiers run here, and in readers with the option `verify`.
//!
//! The functions of the type and of all its ancestors run, the ancestors first. The checker visits each object once, before the
//! objects below it, in time and memory linear in objects and references, and without recursion.

use std::fmt;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::access_path::AccessPath;
use crate::error::{Error, ErrorKind, Result};
use crate::graph::{ChildSlot, Children, MetObjects};
use crate::limits::{Budget, Limits};
use crate::object::{AsAnyView, ObjectView, TypeInfo, faults_of};
use crate::print::{Path, Paths, PrintedText};

pub use crate::object::{Findings, try_new_object};

/// A value that breaks a check of its declaration.
#[derive(Clone)]
pub struct Violation {
    info: &'static TypeInfo,
    rule: &'static str,
    message: String,
    /// The paths of all violations share their steps, so that their memory is linear in the objects.
    paths: Arc<Paths>,
    object: Path,
    below: AccessPath,
}

impl Violation {
    /// The type of the object.
    #[must_use]
    pub fn type_info(&self) -> &'static TypeInfo {
        self.info
    }

    /// The name of the broken rule: the word of the declaration, or the name that the verifier gives.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The expected and the given value.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place in the graph. The call takes time linear in the length of the path.
    #[must_use]
    pub fn path(&self) -> AccessPath {
        let steps = self.paths.access_path(self.object);
        AccessPath::from_steps(steps.steps().iter().chain(self.below.steps()).cloned())
    }

    /// The violation as an error with its path.
    fn to_error(&self) -> Error {
        let message = format!("`{}`: {} [{}]", self.info.type_key(), self.message, self.rule);
        Error::new(ErrorKind::CheckFailed, message).at(self.path())
    }

    /// The violation with its place underlined in `text`, the text of the value that was verified.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::repr::Repr;
    /// use object_core::verify::verify;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.verify.Const")]
    /// #[structural_eq(tree)]
    /// struct ConstNode {
    ///     #[field(range = 0..=255)]
    ///     value: i64,
    /// }
    ///
    /// let mut value = Const::new(7);
    /// value.make_mut().value = 300;
    /// let text = Repr::new(&value).printed();
    /// let shown = verify(&value)?[0].underlined(&text);
    /// assert_eq!(shown, "\
    /// error[range]: expected a number in 0..=255, got 300
    /// 1 doc.verify.Const(value=300)
    ///                          ^^^");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn underlined(&self, text: &PrintedText) -> String {
        let excerpt = text.excerpt().underline(&self.path()).line_numbers(true).context_lines(1);
        format!("error[{}]: {}\n{excerpt}", self.rule, crate::inert(&self.message))
    }
}

/// The message, the rule and the path.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_error().fmt(f)
    }
}

impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A map with the texts `type`, `rule`, `path` and `message`, for other tools.
impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entry = serializer.serialize_struct("Violation", 4)?;
        entry.serialize_field("type", self.info.type_key())?;
        entry.serialize_field("rule", self.rule)?;
        entry.serialize_field("path", &self.path().to_string())?;
        entry.serialize_field("message", &self.message)?;
        entry.end()
    }
}

/// All violations in the objects of a graph, in the order of a walk.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::verify::verify;
///
/// #[derive(Object)]
/// #[object(type_key = "doc.verify.Call", same_len(names, args))]
/// #[structural_eq(tree)]
/// struct CallNode {
///     #[field(one_of = ["add", "sub"])]
///     op: Str,
///     names: Array<Str>,
///     args: Array<i64>,
/// }
///
/// let mut call = Call::new("add", [Str::from("x")], [1]);
/// assert!(verify(&call)?.is_empty());
/// call.make_mut().op = "div".into();
/// call.make_mut().args = [1, 2].into();
/// let violations: Vec<String> = verify(&call)?.iter().map(|it| format!("{}: {}", it.rule(), it.message())).collect();
/// assert_eq!(violations, [
///     r#"one_of: expected one of "add", "sub", got "div""#,
///     "same_len: expected a length of 1, as `names` has, got 2",
/// ]);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// As [`Verifier::verify`].
pub fn verify(value: &impl AsAnyView) -> Result<Vec<Violation>> {
    Verifier::new().verify(value)
}

/// The checker of declarations, with its options.
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Verifier {
    limits: Limits,
}

impl Verifier {
    /// A checker with generous limits.
    pub fn new() -> Self {
        Verifier::default()
    }

    /// The most objects that the checker visits, as [`max_steps`](Limits::max_steps).
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// All violations in the objects of a graph, in the order of a walk.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), and the error of an [interruption](crate::interrupt).
    pub fn verify(&self, value: &impl AsAnyView) -> Result<Vec<Violation>> {
        let mut walk = Walk {
            budget: Budget::steps(&self.limits),
            met: MetObjects::default(),
            frames: Vec::new(),
            paths: Paths::new(true),
            found: Vec::new(),
        };
        if let Some(root) = value.as_any_view().as_object() {
            walk.run(root)?;
        }
        let paths = Arc::new(walk.paths);
        let violation = |Found { info, rule, message, object, below }| Violation {
            info,
            rule,
            message,
            paths: Arc::clone(&paths),
            object,
            below,
        };
        Ok(walk.found.into_iter().map(violation).collect())
    }

    /// Checks that a graph has no violation.
    ///
    /// # Errors
    /// [`CheckFailed`](ErrorKind::CheckFailed) for the first violation, with its path; and as [`verify`](Self::verify).
    pub fn require(&self, value: &impl AsAnyView) -> Result<()> {
        match self.verify(value)?.first() {
            Some(violation) => Err(violation.to_error()),
            None => Ok(()),
        }
    }
}

/// A violation, before all paths are known.
struct Found {
    info: &'static TypeInfo,
    rule: &'static str,
    message: String,
    object: Path,
    below: AccessPath,
}

/// An object above the current one.
struct Frame<'a> {
    children: Children<'a>,
    /// The path of the object, once a violation below it was found.
    path: Option<Path>,
}

/// The state of one run.
struct Walk<'a> {
    budget: Budget,
    met: MetObjects,
    frames: Vec<Frame<'a>>,
    /// The paths of the objects with violations and of the objects above them.
    paths: Paths,
    found: Vec<Found>,
}

impl<'a> Walk<'a> {
    fn run(&mut self, root: ObjectView<'a>) -> Result<()> {
        self.enter(root)?;
        while let Some(frame) = self.frames.last_mut() {
            match frame.children.next_object() {
                Some((child, _)) => self.enter(child)?,
                None => drop(self.frames.pop()),
            }
        }
        Ok(())
    }

    /// Checks an object, if the walk has not met it, and makes it the innermost one.
    fn enter(&mut self, object: ObjectView<'a>) -> Result<()> {
        self.budget.spend(1)?;
        if object.use_count() > 1 && self.met.meet(object).is_some() {
            return Ok(());
        }
        self.check(object);
        self.frames.push(Frame { children: Children::of(object), path: None });
        Ok(())
    }

    fn check(&mut self, object: ObjectView<'a>) {
        let info = object.type_info();
        if info.has_checks {
            for fault in faults_of(object) {
                self.add(info, fault.rule, AccessPath::root().field(fault.field.name()), fault.message);
            }
        }
        let mut findings = Findings::default();
        for verify in info.ancestors().chain([info]).filter_map(|info| info.verify) {
            verify(object, &mut findings);
        }
        for finding in findings.all {
            self.add(info, finding.rule, finding.path, finding.message);
        }
    }

    /// Adds a violation in the current object.
    fn add(&mut self, info: &'static TypeInfo, rule: &'static str, below: AccessPath, message: String) {
        let object = self.path();
        self.found.push(Found { info, rule, message, object, below });
    }

    /// The path of the current object. Each object on the way gets its path once.
    fn path(&mut self) -> Path {
        let known = self.frames.iter().rposition(|frame| frame.path.is_some()).unwrap_or(0);
        let mut path = self.frames.get(known).and_then(|frame| frame.path).unwrap_or(Path::ROOT);
        for frame in self.frames.iter_mut().skip(known) {
            frame.path = Some(path);
            path = match frame.children.slot() {
                Some(ChildSlot::Field(field)) => self.paths.field(path, field.name()),
                Some(ChildSlot::Item(index)) => self.paths.item(path, index),
                // A key has the path of its value.
                Some(ChildSlot::Key(key) | ChildSlot::Value(key)) => self.paths.entry(path, key),
                None => path,
            };
        }
        path
    }
}
