//! Members that people write, and members with reserved names, in live tvm-ffi.

use std::fs;

use crate::common::peer::Peer;
use crate::common::{file_text, no_types};
use object_codegen::Target;
use object_codegen::python_input::{self, SourceFile};
use object_core::dynamic::Schema;

fn declared(text: &str) -> Schema {
    let read = python_input::read(&[SourceFile { name: "members.py", text }], &no_types());
    read.unwrap_or_else(|faults| panic!("{faults:?}")).schema
}

fn text(target: Target, schema: &Schema) -> String {
    file_text(target, schema, &no_types(), "types.h").unwrap_or_else(|error| panic!("{target}: {error}"))
}

const HOOKS: &str = "
@declare
class RangeNode(Object):
    type_key = 'members.Range'
    metadata = {'dialect': 'ranges'}
    default_sequal_reduce = False
    default_shash_reduce = False
    lo: ty.int64_t
    note: ty.String = ''
";

/// The hooks of a class that stands alone are global functions, and the attributes of a type are columns.
#[test]
fn hooks_of_python_classes_run() {
    for peer in Peer::all() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("types_alone.py"), text(Target::Python, &declared(HOOKS))).expect("writable");
        let program = "
import tvm_ffi, types_alone as m
@tvm_ffi.register_global_func('members.Range.__s_equal__')
def equal(lhs, rhs, compare):
    return compare(lhs.lo, rhs.lo, False, 'lo')
@tvm_ffi.register_global_func('members.Range.__s_hash__')
def hash_(value, init, hash):
    return hash(value.lo, init, False)
one, noted, other = m.Range(1), m.Range(1, 'a note'), m.Range(2, 'a note')
assert tvm_ffi.structural_equal(one, noted) and not tvm_ffi.structural_equal(noted, other)
assert tvm_ffi.structural_hash(one) == tvm_ffi.structural_hash(noted)
assert tvm_ffi.core._lookup_type_attr(m.Range.__tvm_ffi_type_info__.type_index, 'dialect') == 'ranges'
print('done')
";
        assert_eq!(peer.python(folder.path(), program), "done", "{}", peer.version());
    }
}

const RESERVED: &str = "
@declare
class DictNode(Object):
    type_key = 'members.Dict'
    metadata = {'dialect': 'members'}
    __dict__: ty.Map[ty.String, ty.int64_t]
    unique: ty.int64_t
    errno: ty.int64_t
    data_: ty.int64_t
    _type_key: ty.String
    __x: ty.int64_t
    operator: ty.int64_t = 5

@declare
class WordsNode(Object):
    type_key = 'members.Words'
    base: ty.int64_t
    crate: ty.int64_t
    match: ty.int64_t
    int: ty.int64_t = 3
";

/// C++ and classes of Python over it have all of these members by their reflected names.
#[test]
fn reserved_names_are_members() {
    let rust = text(Target::Rust, &declared(RESERVED));
    for field in ["pub base_: i64", "pub crate_: i64", "pub r#match: i64", "rename = \"crate\""] {
        assert!(rust.contains(field), "{field}: {rust}");
    }
    for peer in Peer::all() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |target, name: &str| {
            fs::write(folder.path().join(name), text(target, &declared(RESERVED))).expect("writable");
        };
        write(Target::Cpp, "types.h");
        write(Target::CppSource, "types.cc");
        write(Target::PythonWrappers, "wrappers.py");
        peer.library(folder.path(), &["types.cc"], "members.so");
        let program = "
import tvm_ffi
library = tvm_ffi.load_module('./members.so')
import wrappers as m
value = m.Dict({'a': 1}, 2, 3, 4, 'key', 6)
assert dict(value.__dict__) == {'a': 1}
names = ['unique', 'errno', 'data_', '_type_key', '__x', 'operator']
assert [getattr(value, name) for name in names] == [2, 3, 4, 'key', 6, 5]
assert tvm_ffi.core._lookup_type_attr(m.Dict.__tvm_ffi_type_info__.type_index, 'dialect') == 'members'
words = m.Words(1, 2, 4)
assert [words.base, words.crate, words.match, words.int] == [1, 2, 4, 3]
print('done')
";
        assert_eq!(peer.python(folder.path(), program), "done", "{}", peer.version());
    }
}
