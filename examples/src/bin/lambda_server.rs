//! A language server for the lambda calculus of the tests of `object-syntax`, whose types have formats.
#![allow(missing_docs, reason = "the fields of the language speak for themselves")]

#[path = "../../../object-syntax/tests/languages/lambda.rs"]
mod lambda;

// ANCHOR: server
use object_lsp::{Services, SyntaxService, serve};
use object_syntax::Language;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let language = Language::of::<lambda::Expr>()?;
    Ok(serve(Services::new().add(&[".lambda"], SyntaxService::new(language)))?)
}
// ANCHOR_END: server
