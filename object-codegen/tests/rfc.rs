//! The examples of the RFC on the schema language: input, generated text, and the file that is changed in place.
//! `BLESS=1` renews the texts. `data/rfc/README.md` lists where the RFC contradicts itself.

mod common;

use std::process::Command;

use common::{check_golden, no_types, path, read};
use object_codegen::model::Model;
use object_codegen::python_input::{self, SourceFile};
use object_codegen::{Target, generate, regions};
use object_core::dynamic::Schema;

/// The types of a Python file of `data/rfc`.
fn declared(name: &str, context: &Schema) -> Schema {
    let text = read(&format!("data/rfc/{name}.py"));
    let file = SourceFile { name, text: &text };
    python_input::read(&[file], context).unwrap_or_else(|faults| panic!("{name}: {faults:?}")).schema
}

/// The words of a text, without white space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts of the RFC with its contradictions resolved.
const BASE_EXPR: &str = r#"
/*!
 * \brief Base type of all the expressions.
 * \sa BaseExpr
 */
class BaseExprNode : public Object {
public:
static constexpr const char* _type_key = "BaseExpr";
TVM_DECLARE_BASE_OBJECT_INFO(BaseExprNode, Object);
};
/*!
 * \brief Managed reference to BaseExprNode.
 * \sa BaseExprNode
 */
class BaseExpr : public ObjectRef {
public:
TVM_DEFINE_OBJECT_REF_METHODS(BaseExpr, ObjectRef, BaseExprNode);
};"#;

const INT_IMM: &str = r#"
/*!
 * \brief Constant integer literals in the program.
 * \sa IntImm
 */
class IntImmNode : public PrimExprNode {
public:
/*! \brief The internal value. */
int64_t value;
void VisitAttrs(AttrVisitor* v) {
v->Visit("dtype", &dtype);
v->Visit("value", &value);
}
bool SEqualReduce(const IntImmNode* other, SEqualReducer equal) const {
return equal(dtype, other->dtype) && equal(value, other->value);
}
void SHashReduce(SHashReducer hash_reduce) const {
hash_reduce(dtype);
hash_reduce(value);
}
static constexpr const char* _type_key = "IntImm";
TVM_DECLARE_BASE_OBJECT_INFO(IntImmNode, PrimExprNode);
};
/*!
 * \brief Managed reference to IntImmNode.
 * \sa IntImmNode
 */
class IntImm : public PrimExpr {
public:
TVM_DEFINE_OBJECT_REF_METHODS(IntImm, PrimExpr, IntImmNode);
};"#;

const GLOBAL_VAR: &str = r#"
// tschema: GlobalVarNode
/*!
 * \brief Global variable that lives in the top-level module.
 * A GlobalVar only refers to function definitions.
 * This is used to enable recursive calls between function.
 * \sa GlobalVar
 */
class GlobalVarNode : public RelayExprNode {
public:
/*! \brief The name of the variable, this only acts as a hint. */
String name_hint;
void VisitAttrs(AttrVisitor* v) {
v->Visit("span", &span);
v->Visit("checked_type_", &checked_type_);
v->Visit("name_hint", &name_hint);
}
static constexpr const char* _type_key = "GlobalVar";
TVM_DECLARE_BASE_OBJECT_INFO(GlobalVarNode, RelayExprNode);
// tschema: custom-begin
bool SEqualReduce(const GlobalVarNode* other, SEqualReducer equal) const {
return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other);
}
void SHashReduce(SHashReducer hash_reduce) const {
hash_reduce(name_hint);
hash_reduce.FreeVarHashImpl(this);
}
// tschema: custom-end
};
// tschema: end"#;

#[test]
fn whole_classes_are_those_of_the_rfc() {
    let context = declared("context", &no_types());
    for (name, expected) in [("base_expr", BASE_EXPR), ("int_imm", INT_IMM)] {
        let context = if name == "base_expr" { no_types() } else { context.clone() };
        let text = generate(Target::CppRfc, &declared(name, &context), &context, &format!("{name}.h"));
        let text = text.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(words(&text).contains(&words(expected)), "{name}:\n{text}");
        check_golden(&format!("data/rfc/{name}.h"), &text);
    }
}

#[test]
fn the_file_in_place_is_that_of_the_rfc() {
    let context = declared("context", &no_types());
    let schema = declared("global_var", &context);
    let model = Model::new(&schema, &context).expect("the types fit");
    let before = read("data/rfc/global_var_before.h");
    let update = |text: &str| {
        let updated = regions::update(Target::CppRfc, &model, "global_var.h", text.as_bytes());
        String::from_utf8(updated.unwrap_or_else(|faults| panic!("{faults:?}")).text).expect("UTF-8")
    };
    let after = update(&before);
    assert_eq!(words(&after), words(GLOBAL_VAR), "{after}");
    assert_eq!(update(&after), after, "a second update changes nothing");
    check_golden("data/rfc/global_var.h", &after);
}

/// The header of all types, which compiles against the stub headers.
fn compile(schema: &Schema) -> String {
    let text = generate(Target::CppRfc, schema, &no_types(), "family.h").expect("the types fit");
    let source = generate(Target::CppRfcSource, schema, &no_types(), "family.h").expect("the types fit");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("family.h"), &text).expect("writable");
    std::fs::write(folder.path().join("family.cc"), &source).expect("writable");
    let compiled = Command::new("g++")
        .args(["-std=c++14", "-fsyntax-only", "-Wall", "-Wno-unused-variable", "-Werror", "-I"])
        .arg(path("data/rfc/stub"))
        .arg(folder.path().join("family.cc"))
        .output();
    match compiled {
        Err(error) => println!("skipped: g++ does not run: {error}"),
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
    }
    text
}

/// Types that contain themselves have their reference classes before their nodes.
#[test]
fn recursive_types_compile() {
    let text = "@declare\nclass TreeNode(Object):\n    type_key = 'Tree'\n    items: ty.Array[Tree]\n    up: ty.Optional[Tree]\n\n\
                @declare\nclass PingNode(Object):\n    type_key = 'Ping'\n    pongs: ty.Map[ty.String, Pong]\n\n\
                @declare\nclass PongNode(Object):\n    type_key = 'Pong'\n    pings: ty.Array[Ping]\n";
    let file = SourceFile { name: "trees.py", text };
    let read = python_input::read(&[file], &no_types()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let header = compile(&read.schema);
    for class in ["class Tree : public ObjectRef", "class Ping : public ObjectRef", "class Pong : public ObjectRef"] {
        assert_eq!(header.matches(class).count(), 1, "{class}: {header}");
    }
}

/// A family that is generated as a whole has child slots, and compiles against the stub headers.
#[test]
fn the_text_compiles() {
    let context = declared("context", &no_types());
    let all = ["int_imm", "global_var"].map(|name| declared(name, &context));
    let mut types = context.types().to_vec();
    types.extend(all.iter().flat_map(|schema| schema.types().to_vec()));
    let schema = Schema::new(types, Vec::new());
    // The hooks of GlobalVar are hand-written, and a whole file has none: the class compiles without them.
    let text = compile(&schema);
    assert!(text.contains("_type_child_slots = 4;") && text.contains("_type_child_slots = 1;"), "{text}");
}
