//! The values that templates show: [`ClassContext`], made of the model with the words of a language.

use object_core::dynamic::{FieldDecl, SyntaxDecl, TypeDecl, TypeText};
use object_core::meter::Charge;
use object_core::object::{Associativity, FieldRole};
use object_core::{Error, ErrorKind, SEqHashKind};
use serde::Serialize;

use crate::field_default::FieldDefault;
use crate::language::Language;
use crate::model::{Model, blame, blame_at};
use crate::reserved::Treatment;

/// A class that another class mentions.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ClassName {
    key: String,
    node: String,
    reference: String,
    /// Whether this generation writes the class.
    is_generated: bool,
}

/// A field.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FieldContext {
    /// The name of the member.
    pub(crate) name: String,
    /// The reflected name as a text literal.
    key: String,
    /// The reflected name.
    pub(crate) reflected: String,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// The type of the argument of a constructor.
    parameter: String,
    /// The type in the words of schemas.
    schema_type: String,
    /// The class of the enum whose numbers the field holds, if the type does not name it.
    enum_class: Option<String>,
    role: &'static str,
    doc: Vec<String>,
    /// The default as an expression.
    pub(crate) default: Option<String>,
    /// Whether each object needs its own copy of the default.
    default_has_identity: bool,
    /// Whether the default is read from a JSON graph.
    default_is_graph: bool,
    /// The first value in an object that is filled later.
    initial: Option<String>,
    is_optional: bool,
    /// Whether a class over C++ does not write the name of the field, and whether it defines the member.
    is_hidden: bool,
    /// Whether no parameter has the name of the field.
    is_keyword: bool,
    is_property: bool,
    meta: Vec<(String, String)>,
    /// The reflected name of the class that declares the field.
    owner: String,
}

impl FieldContext {
    /// The bytes of its texts.
    fn text_len(&self) -> usize {
        let meta = self.meta.iter().map(|(key, value)| key.len() + value.len());
        let texts = self.doc.iter().chain(&self.default).chain([
            &self.name,
            &self.ty,
            &self.parameter,
            &self.schema_type,
            &self.owner,
        ]);
        texts.map(String::len).chain(meta).sum()
    }
}

/// A method.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MethodContext {
    name: String,
    key: String,
    doc: Vec<String>,
    is_static: bool,
    arguments: Vec<(String, String)>,
    result: String,
}

/// A class.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ClassContext {
    pub(crate) key: String,
    key_text: String,
    pub(crate) node: String,
    pub(crate) reference: String,
    pub(crate) namespace: Vec<String>,
    parent: Option<ClassName>,
    doc: Vec<String>,
    /// The fields whose values have one length, for each group.
    same_len: Vec<Vec<String>>,
    /// The words of the derive about the text of objects.
    syntax: Vec<String>,
    kind: &'static str,
    is_base: bool,
    is_abstract: bool,
    is_scope: bool,
    is_custom: bool,
    /// The names of the global functions for the hooks of a class that has no part by hand, as text literals.
    equal_function: String,
    hash_function: String,
    /// Whether the class has or needs a number of child slots.
    has_child_slots: bool,
    child_slots: usize,
    label: Option<String>,
    meta: Vec<(String, String)>,
    json: Option<String>,
    pub(crate) singleton_key: Option<String>,
    /// The own fields.
    pub(crate) fields: Vec<FieldContext>,
    /// The inherited fields that the language shows, the fields of the most distant ancestor first.
    pub(crate) inherited: Vec<FieldContext>,
    methods: Vec<MethodContext>,
    /// The field that JSON shows in place of the object.
    shown_field: Option<FieldContext>,
    /// Whether a constructor takes all fields: the class has objects of its own, which no key identifies, and the
    /// constructor would not be the one that copies.
    has_constructor: bool,
    /// Whether the constructor accepts a single argument.
    may_convert: bool,
    /// Whether the type mentions itself. Only classes in place have it: a file has its classes in order.
    pub(crate) is_recursive: bool,
    /// The hand-written parts with their markers, in place.
    pub(crate) custom: String,
    /// The memory of the inherited fields.
    #[serde(skip)]
    _charge: Charge,
}

/// The memory of a field without its texts, and of each byte of them: in the context, and in the values of the engine.
const FIELD: u64 = 2048;
const TEXT: u64 = 4;

impl ClassContext {
    /// Whether the default of an own field is read from a JSON graph.
    pub(crate) fn has_graphs(&self) -> bool {
        self.fields.iter().any(|field| field.default_is_graph)
    }
}

/// The keyword of a kind in this project.
pub(crate) fn kind_word(kind: SEqHashKind) -> &'static str {
    match kind {
        SEqHashKind::Unsupported => "none",
        SEqHashKind::TreeNode => "tree",
        SEqHashKind::FreeVar => "var",
        SEqHashKind::DagNode => "dag",
        SEqHashKind::ConstTreeNode => "const_tree",
        SEqHashKind::UniqueInstance => "singleton",
    }
}

fn role_word(role: FieldRole) -> &'static str {
    match role {
        FieldRole::Content => "content",
        FieldRole::Ignore => "ignore",
        FieldRole::Def => "def",
        FieldRole::DefSimple => "def_simple",
    }
}

/// The documentation, with the words about values for a language that does not declare them.
fn documented(language: &dyn Language, doc: &str, words: &str) -> String {
    match words {
        "" => doc.to_owned(),
        _ if language.declares_checks() => doc.to_owned(),
        words if doc.is_empty() => format!("Allowed: {words}."),
        words => format!("{doc}\n\nAllowed: {words}."),
    }
}

/// The words of the derive about the text of objects.
fn syntax_words(language: &dyn Language, syntax: &SyntaxDecl) -> Vec<String> {
    let precedence = syntax.precedence.map(|number| format!("precedence = {number}"));
    let associativity = (syntax.associativity != Associativity::default())
        .then(|| format!("associativity = {}", syntax.associativity.word()));
    let format = format!("format = {}", language.text(&syntax.format));
    [Some(format), precedence, associativity].into_iter().flatten().collect()
}

/// The groups of fields whose values have one length.
fn same_len_text(decl: &TypeDecl) -> String {
    let group = |names: &Vec<String>| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        format!("one length of {}", names.join(", "))
    };
    decl.same_len.iter().map(group).collect::<Vec<_>>().join("; ")
}

fn field_context(
    language: &dyn Language,
    model: &Model<'_>,
    from: usize,
    owner: &TypeDecl,
    field: &FieldDecl,
) -> Result<FieldContext, Error> {
    let fault = |reason: String| {
        let message = format!("field `{}`: {reason}", field.name);
        blame_at(field.source.as_ref().or(owner.source.as_ref()), owner, ErrorKind::Malformed, &message)
    };
    let (mut default_has_identity, mut default_is_graph) = (false, false);
    let default = match &field.default {
        None => None,
        Some(value) => {
            let value = FieldDefault::new(model, &field.ty, value).map_err(fault)?;
            (default_has_identity, default_is_graph) = (value.has_identity(), value.plain().is_none());
            Some(language.default(model, from, field, &value).map_err(fault)?)
        }
    };
    Ok(FieldContext {
        name: language.identifier(&field.name).map_err(fault)?,
        key: language.text(&field.name),
        reflected: field.name.clone(),
        ty: language.field_type(model, from, field).map_err(fault)?,
        parameter: language.parameter_type(model, from, field).map_err(fault)?,
        schema_type: field.ty.to_string(),
        enum_class: language.enum_class(model, field),
        role: role_word(field.role),
        doc: language.comment(&documented(language, &field.doc, &field.checks.to_string())),
        default,
        default_has_identity,
        default_is_graph,
        initial: language.initial(model, from, &field.ty),
        is_optional: field.ty.name == "Optional",
        is_hidden: matches!(language.detour(&field.name), Some(Treatment::Hidden | Treatment::Keyword)),
        is_keyword: language.detour(&field.name) == Some(Treatment::Keyword),
        is_property: language.detour(&field.name) == Some(Treatment::Property),
        meta: field.meta.iter().map(|(key, value)| (language.text(key), language.text(value))).collect(),
        owner: language.class(model, from, model.find(&owner.key).unwrap_or(from), true),
    })
}

/// The inherited fields that the language shows, the fields of the most distant ancestor first, and their memory. All classes
/// of a chain together have a quadratic number of them.
fn inherited_fields(
    language: &dyn Language,
    model: &Model<'_>,
    index: usize,
) -> Result<(Vec<FieldContext>, Charge), Error> {
    let (mut inherited, mut charge, mut bytes) = (Vec::new(), model.meter.nothing(), 0);
    let Some(is_shown) = language.shown_inherited() else { return Ok((inherited, charge)) };
    for owner in model.bearers(index).map(|owner| model.decl(owner)) {
        for field in owner.fields.iter().rev().filter(|field| is_shown(field)) {
            let field = field_context(language, model, index, owner, field)?;
            bytes += FIELD + TEXT * field.text_len() as u64;
            charge.cover(bytes).map_err(|error| error.context(format_args!("`{}`", model.decl(index).key)))?;
            inherited.push(field);
        }
    }
    inherited.reverse();
    Ok((inherited, charge))
}

/// The class of the type with index `index`, in the words of `language`.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a name, a type or a default that the language cannot write, and
/// [`LimitExceeded`](ErrorKind::LimitExceeded) for more inherited fields than there is memory for.
pub(crate) fn class_context(language: &dyn Language, model: &Model<'_>, index: usize) -> Result<ClassContext, Error> {
    let decl = model.decl(index);
    let (inherited, charge) = inherited_fields(language, model, index)?;
    let parent = model.parent(index).map(|parent| ClassName {
        key: model.decl(parent).key.clone(),
        node: language.class(model, index, parent, true),
        reference: language.class(model, index, parent, false),
        is_generated: model.is_generated(parent),
    });
    let child_slots = model.descendants(index);
    // A class inherits the constant of its parent in C++, so a leaf needs its own one.
    let has_child_slots = child_slots > 0 || model.ancestors(index).any(|parent| model.is_generated(parent));
    let methods = decl.methods.iter().filter(|_| language.declares_methods()).map(|method| {
        let fault = |reason: String| blame(decl, ErrorKind::Malformed, &format!("method `{}`: {reason}", method.name));
        let argument = |(at, (name, ty)): (usize, &(String, TypeText))| {
            let name = if name.is_empty() { format!("arg{at}") } else { name.clone() };
            Ok((language.identifier(&name)?, language.plain_type(model, index, ty)?))
        };
        let arguments = method.arguments.iter().enumerate().map(argument).collect::<Result<_, _>>().map_err(fault)?;
        Ok(MethodContext {
            name: language.identifier(&method.name).map_err(fault)?,
            key: language.text(&method.name),
            doc: language.comment(&method.doc),
            is_static: method.is_static,
            arguments,
            result: language.plain_type(model, index, &method.result).map_err(fault)?,
        })
    });
    let own = decl.fields.iter().map(|field| field_context(language, model, index, decl, field));
    let fields = own.collect::<Result<Vec<_>, _>>()?;
    let all = || inherited.iter().chain(&fields);
    let shown_field = decl.singleton_key.as_ref().or(decl.json.as_ref()).and_then(|shown| {
        let owners = std::iter::once(index).chain(model.ancestors(index)).map(|owner| model.decl(owner));
        let mut fields = owners.flat_map(|owner| owner.fields.iter().map(move |field| (owner, field)));
        fields.find(|(_, field)| field.name == *shown)
    });
    let shown_field =
        shown_field.map(|(owner, field)| field_context(language, model, index, owner, field)).transpose()?;
    let reference = language.class(model, index, index, false);
    // The fields without a default are the first parameters.
    let required = || all().filter(|field| field.default.is_none());
    let takes_one = all().count() > 0 && required().count() <= 1;
    let is_copy = takes_one && required().chain(all()).next().is_some_and(|field| field.ty == reference);
    let methods = methods.collect::<Result<Vec<_>, Error>>()?;
    Ok(ClassContext {
        key: decl.key.clone(),
        key_text: language.text(&decl.key),
        node: decl.node_name(),
        reference: decl.ref_name().to_owned(),
        namespace: language.namespace(decl.namespace_path()),
        parent,
        doc: language.class_doc(&documented(language, &decl.doc, &same_len_text(decl))),
        same_len: decl
            .same_len
            .iter()
            .map(|group| group.iter().map(|name| language.identifier(name)).collect::<Result<_, _>>())
            .collect::<Result<_, String>>()
            .map_err(|reason| blame(decl, ErrorKind::Malformed, &reason))?,
        syntax: decl.syntax.as_ref().map_or_else(Vec::new, |syntax| syntax_words(language, syntax)),
        kind: kind_word(decl.kind),
        is_base: decl.is_base || child_slots > 0,
        is_abstract: decl.is_abstract,
        is_scope: decl.is_scope,
        is_custom: decl.is_custom,
        equal_function: language.text(&format!("{}.__s_equal__", decl.key)),
        hash_function: language.text(&format!("{}.__s_hash__", decl.key)),
        has_child_slots,
        child_slots,
        label: decl.label.as_deref().map(|label| language.text(label)),
        // Rust has names in place of texts.
        meta: decl.meta.iter().map(|(key, value)| (language.attribute(key), language.text(value))).collect(),
        json: decl.json.clone(),
        singleton_key: decl.singleton_key.clone(),
        shown_field,
        has_constructor: !decl.is_abstract && decl.singleton_key.is_none() && !is_copy,
        may_convert: takes_one,
        fields,
        inherited,
        methods,
        is_recursive: false,
        custom: String::new(),
        _charge: charge,
    })
}
