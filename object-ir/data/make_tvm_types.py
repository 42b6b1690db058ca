"""Records what object-ir loads of a version of TVM: the types that modules consist of as a schema, and the names of operators.

    python object-ir/data/make_tvm_types.py      writes tvm_0_27.json and ops_0_27.txt beside this script

Needs apache-tvm==0.27.0.post1, or 0.26.0 for tvm_0_26.json and ops_0_26.txt, and apache-tvm-ffi==0.1.14.post1. Reads the
registry of the running TVM by the functions of fixtures/make_schema.py, and writes the format of `objir schema`, one type per
line, without documentation.

The types are those whose keys begin with one of PREFIXES, without those that begin with one of OUTSIDE: options and states
of the compiler, patterns of rewriting, objects of a running program. Abstract types that no other type extends are left
out too. A name of a type that is left out stands for any object in the type of a field.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fixtures"))

import make_schema  # noqa: E402
import tvm  # noqa: E402
import tvm_ffi  # noqa: E402

PREFIXES = (
    *("ir.", "prim.", "relax.", "tirx.", "target.", "te.", "arith.", "sym.", "s_tir.S", "s_tir.MatchBufferRegion"),
    *("s_tir.Instruction", "s_tir.LoopRV", "s_tir.Trace"),
    *("s_tir.meta_schedule.ArgInfo", "s_tir.meta_schedule.TensorInfo"),
    *("s_tir.meta_schedule.TuningRecord", "s_tir.meta_schedule.Workload"),
)
OUTSIDE = (
    *("relax.dpl.", "relax.transform.", "relax.vm.", "tirx.transform.", "s_tir.Schedule", "s_tir.SBlockDependence"),
    *("s_tir.SBlockScope", "s_tir.StmtSRef", "tirx.PrimFuncPass", "tirx.DispatchContext", "tirx.PyStmt", "tirx.TensorIntrin"),
    *("ir.UniqueNameSupply", "arith.Analyzer", "arith.RewriteSimplifierStats", "sym.Analyzer", "sym.RewriteSimplifierStats"),
    *("relax.BlockBuilder", "relax.ExecBuilder"),
    *("relax.DataflowBlockPass", "relax.FunctionPass", "relax.MatchResult", "relax.DataflowBlockRewrite"),
)

# Facts that the registry lacks: the text of an object as a key of a map in an access path, and the types inside of which
# bindings end under lexical scopes.
LABELS = {
    "ir.GlobalVar": "I.GlobalVar({name_hint:?})",
    "ir.SourceName": "I.SourceName({name:?})",
    "ir.Var": "{name:word}",
    "relax.expr.DataflowVar": "{name:word}",
    "tirx.Axis": "{name}",
}
SCOPES = {"relax.expr.Function", "tirx.PrimFunc"}

KINDS = {
    "unsupported": "none",
    "tree": "tree",
    "free_var": "var",
    "dag": "dag",
    "const_tree": "const_tree",
    "unique_instance": "singleton",
}

# The names that the types of fields may have beside the keys of the recorded types.
PLAIN = {"Any", "bool", "int", "float", "DataType", "Device", "Optional", "Variant"}
BUILTIN = {"ffi.Object", "ffi.String", "ffi.Bytes", "ffi.Shape", "ffi.Tensor", "ffi.Function"}
CONTAINERS = {"ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"}

# Integers of more than 64 bits, which JSON holds as texts.
BIG_INT = {"key": "ffi.BigInt", "kind": "tree", "json": "value", "files": "tvm", "fields": [{"name": "value", "type": "ffi.String"}]}


def type_words(schema, keys):
    name = {"std::string": "ffi.String"}.get(schema["type"], schema["type"])
    if name == "ffi.BigInt":
        return "Variant<int,ffi.BigInt>"
    if name not in PLAIN | BUILTIN | CONTAINERS and name not in keys:
        return "Any" if schema.get("args") else "ffi.Object"
    args = ",".join(type_words(arg, keys) for arg in schema.get("args", []))
    return f"{name}<{args}>" if args and name != "ffi.Function" else name


def object_default(key, field):
    """The default of a field that is an object: a graph of one node, all of whose fields have plain defaults."""
    info = make_schema.LIB.TVMFFIGetTypeInfo(field.default.type_index).contents
    assert str(info.key) == "ir.Type", f"{key}.{field.name}: a default of type {info.key}"
    return {"root_index": 0, "nodes": [{"type": "ir.Type", "data": {}}]}


def field_entry(key, field, instance, keys):
    entry = make_schema.field_entry(key, field, instance, default_of=default_of)
    schema = json.loads(json.loads(str(field.metadata))["type_schema"])
    words = type_words(schema, keys)
    if entry["nullable"] and words != "Any" and not words.startswith("Optional<"):
        words = f"Optional<{words}>"
    out = {"name": entry["name"], "type": words}
    if entry["role"] != "content":
        out["role"] = entry["role"]
    if entry["has_default"]:
        out["default"] = entry["default"]
    return out


def default_of(key, field):
    is_object = field.default.type_index > make_schema.STR
    return object_default(key, field) if is_object else make_schema.default_of(key, field)


def type_entry(infos, key, bases):
    info = infos[key]
    instance = make_schema.instance_of(infos, info) if info.num_fields else None
    kind = KINDS[make_schema.KINDS[info.metadata.contents.kind]] if info.metadata else "none"
    fields = [field_entry(key, info.fields[i], instance, infos) for i in range(info.num_fields)]
    has_name = any(field["name"] == "name" and field["type"] == "ffi.String" for field in fields)
    by_name = kind == "singleton" or make_schema.type_attr(info, "__data_to_json__")
    assert has_name or not by_name, f"{key}: only code defines its form in JSON"
    parent = str(info.ancestors[info.depth - 1].contents.key)
    words = {
        "key": key,
        "parent": None if parent == "ffi.Object" else parent,
        "kind": kind,
        "scope": key in SCOPES,
        "custom": make_schema.type_attr(info, "__s_equal__") or make_schema.type_attr(info, "__s_hash__"),
        "base": key in bases,
        "abstract": not make_schema.creator(info),
        "label": LABELS.get(key),
        "json": "name" if by_name and kind != "singleton" else None,
        "singleton_key": "name" if kind == "singleton" else None,
        "files": "tvm",
    }
    return {word: value for word, value in words.items() if value} | {"fields": fields}


def main():
    version = "_".join(tvm.__version__.split(".")[:2])
    assert version in ("0_26", "0_27"), tvm.__version__
    folder = Path(__file__).resolve().parent
    (folder / f"ops_{version}.txt").write_text("".join(f"{name}\n" for name in sorted(tvm.ir.Op.list_op_names())))
    out = folder / f"tvm_{version}.json"
    keys = sorted(str(key) for key in tvm_ffi.get_global_func("ffi.GetRegisteredTypeKeys")())
    keys = [key for key in keys if key.startswith(PREFIXES) and not key.startswith(OUTSIDE)]
    infos = {key: make_schema.type_info(key) for key in keys}
    while True:
        bases = {str(info.ancestors[info.depth - 1].contents.key) for info in infos.values()}
        unused = [key for key in infos if key not in bases and not make_schema.creator(infos[key])]
        if not unused:
            break
        for key in unused:
            del infos[key]
    missing = bases - infos.keys() - {"ffi.Object"}
    assert not missing, f"parents that are left out: {missing}"
    entries = [BIG_INT] + [type_entry(infos, key, bases) for key in infos]
    lines = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries]
    text = '{"format":"object-schema","version":3,"types":[\n%s\n]}\n' % ",\n".join(lines)
    json.loads(text)
    out.write_text(text)
    print(f"{out.name}: {len(entries)} types")


if __name__ == "__main__":
    main()
