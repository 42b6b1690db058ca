//! Expressions and statements of the text.

use object_core::{AnyView, DataType};

use crate::print::doc::operator::Operator;
use crate::print::doc::quote;
use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

impl Printer<'_> {
    /// The constant `True` or `False`.
    pub(crate) fn boolean(&mut self, value: bool) -> Doc {
        self.tree.add(Node::Literal(if value { "True" } else { "False" }.into()))
    }

    /// An integer constant.
    pub(crate) fn int(&mut self, value: i64, path: Path) -> Doc {
        let doc = self.tree.add(Node::Int(value));
        self.tree.mark(doc, path);
        doc
    }

    /// A floating-point constant of 64 bits.
    pub(crate) fn float(&mut self, value: f64) -> Doc {
        self.float_of(value, 64)
    }

    /// A floating-point constant of a data type with this number of bits.
    pub(crate) fn float_of(&mut self, value: f64, bits: u8) -> Doc {
        let text = if self.options.readable { quote::shortest_float(value, bits) } else { quote::float(value) };
        let text = self.tree.store(&text);
        self.tree.add(Node::Literal(text))
    }

    /// A string constant.
    pub(crate) fn string(&mut self, text: &str) -> Doc {
        let text = self.quoted(text);
        self.tree.add(Node::Literal(text))
    }

    fn quoted(&mut self, text: &str) -> Text {
        let quote = if self.options.readable { quote::quote_readable } else { quote::quote };
        self.tree.store_with(|out| quote(out, text))
    }

    /// A string constant, which is the field `name` of the object at `path`.
    pub(crate) fn string_field(&mut self, path: Path, name: &'static str, text: &str) -> Doc {
        let doc = self.string(text);
        let path = self.paths.field(path, name);
        self.tree.mark(doc, path);
        doc
    }

    /// A data type as a string constant.
    pub(crate) fn dtype(&mut self, dtype: DataType) -> Doc {
        let [_, quoted] = self.dtype_texts(dtype);
        self.tree.add(Node::Literal(quoted))
    }

    /// The name of a data type.
    pub(crate) fn dtype_name(&mut self, dtype: DataType) -> Text {
        self.dtype_texts(dtype)[0]
    }

    /// The name of a data type, and the name as a string constant.
    fn dtype_texts(&mut self, dtype: DataType) -> [Text; 2] {
        if let Some((_, texts)) = self.dtypes.iter().find(|(known, _)| *known == dtype) {
            return *texts;
        }
        let name = if dtype.is_void() { "void".to_owned() } else { dtype.to_string() };
        let texts = [self.tree.store(&name), self.quoted(&name)];
        self.dtypes.push((dtype, texts));
        texts
    }

    /// A data type that is the field `name` of the object at `path`.
    pub(crate) fn dtype_field(&mut self, path: Path, name: &'static str, dtype: DataType) -> Doc {
        let doc = self.dtype(dtype);
        let path = self.paths.field(path, name);
        self.tree.mark(doc, path);
        doc
    }

    /// A reference to a value in the metadata: `metadata["relax.expr.Constant"][0]`. All values without syntax print so; the
    /// readable text shows the value.
    pub(crate) fn metadata_item(&mut self, value: AnyView<'_>) -> Doc {
        if self.options.readable {
            return self.shown(value);
        }
        let (key, number) = self.metadata.number(value);
        let text = self.tree.store(&format!("metadata[\"{key}\"][{number}]"));
        self.tree.add(Node::Literal(text))
    }

    /// A value without syntax in the readable text: a text, or the name of the type with the fields.
    fn shown(&mut self, value: AnyView<'_>) -> Doc {
        if let Some(text) = value.as_str() {
            return self.string(text);
        }
        let AnyView::Object(object) = value else {
            return self.name(&value.to_any().to_string());
        };
        let mut keywords: Vec<(Text, Doc)> = Vec::new();
        for (field, value) in object.fields().filter(|(field, _)| field.name() != "span") {
            keywords.push((field.name().into(), self.expr_of(value, Path::ROOT)));
        }
        let callee = self.name(object.type_key());
        self.call(callee, &[], &keywords)
    }

    /// `prefix.name`, with the prefix of the dialect, which then occurs in the header.
    pub(crate) fn dialect_name(&mut self, dialect: Dialect, name: impl Into<Text>) -> Doc {
        self.used[dialect as usize] = true;
        self.tree.add(Node::Qualified { prefix: dialect as u8, name: name.into() })
    }

    /// `R.name(args, keywords)`, and accordingly for other dialects.
    pub(crate) fn dialect_call(
        &mut self,
        dialect: Dialect,
        name: impl Into<Text>,
        args: &[Doc],
        keywords: &[(Text, Doc)],
    ) -> Doc {
        let callee = self.dialect_name(dialect, name);
        self.call(callee, args, keywords)
    }

    /// `callee(args, keywords)`.
    pub(crate) fn call(&mut self, callee: Doc, args: &[Doc], keywords: &[(Text, Doc)]) -> Doc {
        let (args, keywords) = (self.tree.list(args), self.tree.keyword_list(keywords));
        self.tree.add(Node::Call { callee, args, keywords })
    }

    /// A unary or binary operation.
    pub(crate) fn operation(&mut self, operator: Operator, operands: &[Doc]) -> Doc {
        let operands = self.tree.list(operands);
        self.tree.add(Node::Operation { operator, operands })
    }

    /// `(items)`.
    pub(crate) fn tuple(&mut self, items: &[Doc]) -> Doc {
        let items = self.tree.list(items);
        self.tree.add(Node::Tuple(items))
    }

    /// `[items]`.
    pub(crate) fn list(&mut self, items: &[Doc]) -> Doc {
        let items = self.tree.list(items);
        self.tree.add(Node::List(items))
    }

    /// `{key: value}`, of keys and values in turns.
    pub(crate) fn dict(&mut self, entries: &[Doc]) -> Doc {
        let entries = self.tree.list(entries);
        self.tree.add(Node::Dict(entries))
    }

    /// `value[indices]`.
    pub(crate) fn index(&mut self, value: Doc, indices: &[Doc]) -> Doc {
        let indices = self.tree.list(indices);
        self.tree.add(Node::Index { value, indices })
    }

    /// `value.name`.
    pub(crate) fn member(&mut self, value: Doc, name: impl Into<Text>) -> Doc {
        let name = name.into();
        self.tree.add(Node::Member { value, name })
    }

    /// A name.
    pub(crate) fn name(&mut self, name: &str) -> Doc {
        let name = self.tree.store(name);
        self.tree.add(Node::Name(name))
    }

    /// `target: annotation = value`.
    pub(crate) fn assign(&mut self, target: Doc, annotation: Option<Doc>, value: Option<Doc>) -> Doc {
        self.tree.add(Node::Assign { target, annotation, value })
    }

    /// Several statements.
    pub(crate) fn block(&mut self, statements: &[Doc]) -> Doc {
        let statements = self.tree.list(statements);
        self.tree.add(Node::Block(statements))
    }
}
