//! Languages of types that are made from schemas, without the declarations in Rust.

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader, JsonWriter};
use object_core::object::{FieldType, TypeInfo, TypeSchema};
use object_core::prelude::*;
use object_core::registry;
use object_syntax::{Language, LanguageOptions};

use crate::laws::cases;
use crate::random::Random;
use crate::{algebra, hardware, lambda};

/// The schema of the types whose keys begin with `namespace`, as a file has it.
fn schema_file(namespace: &str) -> String {
    let types = registry::types().unwrap();
    let types: Vec<&'static TypeInfo> = types.into_iter().filter(|it| it.type_key().starts_with(namespace)).collect();
    assert!(types.len() > 5);
    Schema::of(&types).to_json().unwrap()
}

/// The types of a schema read and print the texts of the Rust types, with equal values.
fn reads_as_declared<T: FieldType>(namespace: &str, options: &LanguageOptions) {
    let file = schema_file(namespace);
    let schema = Schema::parse(file.as_bytes()).unwrap();
    assert_eq!(schema.to_json().unwrap(), file);
    let types = SchemaLoader::new().standalone(true).load(&schema).unwrap();
    let root = TypeSchema::leaf(T::schema().name);
    let made = options.clone().types(types.clone()).language_of(&root).unwrap();
    let declared = options.clone().language::<T>().unwrap();
    assert_eq!(made.grammar(), declared.grammar());
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(6);
        let value = random.value(&T::schema(), depth, false);
        let text = declared.print(&value).unwrap().into_text();
        let parsed = made.parse(&text).unwrap_or_else(|errors| panic!("seed {seed}\n{text}\n{errors}")).value;
        assert_eq!(made.print(&parsed).unwrap().text(), text, "seed {seed}");
        // Files carry values from one set of types to the other.
        let file = JsonWriter::new().to_string(&parsed).unwrap();
        assert!(structural_equal(&json::from_slice::<Any>(file.as_bytes()).unwrap(), &value), "seed {seed}\n{text}");
        let native = JsonWriter::new().to_string(&value).unwrap();
        let read = JsonReader::new().types(&types).read(native.as_bytes()).unwrap().root;
        assert!(structural_equal(&read, &parsed), "seed {seed}\n{text}");
    }
}

#[test]
fn types_of_schemas_have_the_texts_of_their_languages() {
    let options = LanguageOptions::new();
    reads_as_declared::<lambda::Expr>("lambda.", &options);
    reads_as_declared::<hardware::Circuit>("hardware.", &options);
    reads_as_declared::<algebra::Rel>("algebra.", &options.comment("--"));
}

#[test]
fn wrong_formats_of_schemas_are_errors() {
    let load = |syntax: &str, fields: &str| {
        let text = format!(
            r#"{{"format": "object-schema", "version": 5, "types": [
                {{"key": "wrong.Pair", "kind": "tree", "syntax": {{{syntax}}}, "fields": [{fields}]}}]}}"#
        );
        let types = SchemaLoader::new().load(&Schema::parse(text.as_bytes())?)?;
        let language = LanguageOptions::new().types(types).language_of(&TypeSchema::leaf("wrong.Pair"))?;
        Ok::<Language, Error>(language)
    };
    let ints = r#"{"name": "a", "type": "int"}, {"name": "b", "type": "int"}"#;
    let cases = [
        (r#""format": "$a, $c""#, "it has no field `c`"),
        (r#""format": "$a $(""#, "in the format"),
        (r#""format": "$a, ${b:wrd}""#, "in the format"),
        (r#""format": "$a ,""#, "it does not show the field `b`, which has no default"),
        (r#""format": "$a, $b, $a""#, "it shows the field `a` twice"),
        (r#""format": "$a$(, $b)?""#, "the field `b` always has a value"),
        (r#""format": "$a, $b", "precedence": 0"#, "`0` is not a precedence"),
        (r#""format": "$a, $b", "associativity": "right""#, "`associativity` is a word about an operator"),
        (r#""format": "$a, $b", "associativity": "up""#, "`up` is not a `associativity`"),
        (r#""formt": "$a, $b""#, "the word `formt` is unknown"),
        (r#""precedence": 4"#, "there is no `format`"),
    ];
    let list = r#"{"name": "a", "type": "ffi.Array<int>"}"#;
    let of_lists = [(r#""format": "f($a, *)""#, "in the format; a list is `$($a), *`")];
    let cases = cases.into_iter().map(|(syntax, expected)| (syntax, ints, expected));
    for (syntax, fields, expected) in cases.chain(of_lists.map(|(syntax, expected)| (syntax, list, expected))) {
        let error = load(syntax, fields).unwrap_err().to_string();
        assert!(error.contains(expected), "{syntax}: {error}");
    }
    let language = load(
        r#""format": "$a$(, $b)?""#,
        r#"{"name": "a", "type": "int"}, {"name": "b", "type": "int", "default": 3}"#,
    );
    let language = language.unwrap();
    assert_eq!(language.print(&language.parse("1, 3").unwrap().value).unwrap().text(), "1");
}
