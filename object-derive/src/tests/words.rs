//! Each word of the attributes has a value in the arguments that the macro reads.

use darling::FromMeta;
use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Ident, parse_quote};

use crate::field_words::FieldArgs;
use crate::input::{Args, ObjectArgs, StructuralEqArgs};
use crate::keywords::Attr;
use crate::report::Errors;

#[test]
fn each_word_is_read_as_its_example_shows() {
    for attr in Attr::ALL {
        match attr {
            Attr::Object => check::<ObjectArgs>(attr),
            Attr::StructuralEq => check::<StructuralEqArgs>(attr),
            Attr::Field => check::<FieldArgs>(attr),
        }
    }
}

fn check<T: FromMeta + Default>(attr: Attr) {
    let name = Ident::new(attr.name(), Span::call_site());
    for word in attr.words() {
        let example: TokenStream = word.example.parse().expect("an example is made of tokens");
        let attribute: Attribute = parse_quote!(#[#name(#example)]);
        let mut errors = Errors::default();
        let args: Args<T> = Args::read(attr, &[attribute], &mut errors);
        let errors = errors.to_compile_errors();
        assert!(errors.is_empty() && args.has(word.name), "`{}` of `{}`: {errors}", word.name, attr.name());
    }
}
