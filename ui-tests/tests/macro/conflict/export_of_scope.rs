use object_core::prelude::*;
use ui_tests::{Expr, Var};

#[derive(Object)]
#[object(type_key = "ui.Project")]
#[structural_eq(tree)]
struct ProjectNode {
    #[field(def, export)]
    columns: Array<Var>,
}

#[derive(Object)]
#[object(type_key = "ui.Filter")]
#[structural_eq(tree, scope)]
struct FilterNode {
    #[field(ignore, export)]
    note: Option<Expr>,
}

#[derive(Object)]
#[object(type_key = "ui.Scan")]
#[structural_eq(tree, scope, custom)]
struct ScanNode {
    #[field(def, export)]
    columns: Array<Var>,
}

impl StructuralHook for ScanNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_in("columns", &self.columns, FieldRole::Def);
    }
}

fn main() {}
