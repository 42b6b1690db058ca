"""Writes the first inputs of fuzzing. For the targets `load_json`, `check`, `run` and `printed`: texts and words of `fixtures/`. For `load_schema`: the
types of `fixtures/schema.json` in both formats of schemas, each with the types that it needs, and the schemas in the tests
of `object-core`. For `parse`: the scripts of `tests/corpus/script` and of the fixtures, and the cases of
formatting. For `rules` and `declarations`: the files of their tests. For `load_binary`: the binary graphs in the tests of `object-core`.
For `recorded`: declarations of its type, as several programs write them. Texts are under `fuzz/corpus/TARGET`, words in `fuzz/corpus/TARGET.dict`.

    python3 fuzz/seeds.py

The targets `compare` and `arrays` need no inputs.
"""

import gzip
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES, CORPUS = ROOT / "fixtures", ROOT / "fuzz" / "corpus"
LONGEST = 32 << 10  # the fuzzer is slow on long texts
MOST_SCHEMAS = 100  # the smallest schemas
HEAD = '{"format": "object-schema"'
NAME = re.compile(r"[A-Za-z_.]+")
OWN_KINDS = {None: "none", "unsupported": "none", "free_var": "var", "unique_instance": "singleton"}


def write(target, texts, words):
    """Writes the texts and words of a target."""
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(text for text in texts if len(text) <= LONGEST):
        (folder / f"seed-{number:03}.json").write_text(text, encoding="utf-8", newline="")
    lines = [f'"{word}"' for word in sorted(words)]
    (CORPUS / f"{target}.dict").write_text("\n".join(lines) + "\n", encoding="utf-8")


def graphs(described):
    """For `load_json` and `check`."""
    records = json.loads((FIXTURES / "records.json").read_text(encoding="utf-8"))
    texts = [case["graph"] for case in records["cases"]] + [case["text"] for case in records["bad_json"]]
    texts += [gzip.decompress(path.read_bytes()).decode() for path in sorted(FIXTURES.glob("*.json.gz"))]
    words = set(described)
    words.update(field["name"] for entry in described.values() for field in entry["fields"])
    words.update(["root_index", "nodes", "metadata", "type", "data", "NaN", "Infinity", "-Infinity"])
    for target in ("load_json", "check", "run", "printed"):
        write(target, texts, words)


def scripts():
    """For `parse`."""
    texts = []
    for path in sorted((FIXTURES.parent / "tests" / "corpus" / "script").glob("**/*.py")):
        texts += [part.split("\n", 1)[1] for part in path.read_text(encoding="utf-8").split("# case: ")[1:]]
    for name, key in ("scripts", "script"), ("tir_sources", "source"), ("loop_programs", "source"):
        cases = json.loads(gzip.decompress((FIXTURES / f"{name}.records.gz").read_bytes()))
        texts += [case[key] for case in cases if isinstance(case.get(key), str)]
    formats = (FIXTURES.parent / "tests" / "data" / "script" / "format.txt").read_text(encoding="utf-8")
    texts += [case.split("\n", 1)[1].split("--\n")[0] for case in formats.split("== ")[1:]]
    words = ["@I.ir_module", "@R.function", "@T.prim_func", "R.Tensor((", "R.dataflow()", "R.output(", "R.match_cast("]
    words += ["R.call_tir(", "out_sinfo=", "T.int64()", "metadata[", "class Module:", "def main(", "return ", "with ", "# exact script"]
    write("parse", texts, words)


def python_files():
    """For `rules` and `declarations`."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "data" / "rules").glob("*.py"))]
    words = ["def pattern(", "def replacement(", "R.Tensor", "R.Tensor((", "R.const(", "R.add(", "T.int64()", "return "]
    write("rules", [text.split("\n# After the rule:\n")[0] for text in texts], words)
    folder = ROOT / "object-codegen" / "tests" / "data" / "python_input"
    words = ["@declare", "@py_class(", "class ", "Object", "type_key = ", "structural_eq = ", "field(default=", "ty.Array[", "ty.Optional["]
    write("declarations", [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))], words)


def binary_graphs():
    """For `load_binary`."""
    folder = CORPUS / "load_binary"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "object-core" / "tests" / "evolution" / "past_forms").glob("*.safetensors")):
        (folder / path.name).write_bytes(path.read_bytes())


def declarations_of_graphs():
    """For `recorded`: the declaration of its program, and the ones of other programs."""
    kind, other = "enum Kind{Inner=0,Left=4}", "enum Kind{Outer=0,Inner=4,Left=7}"

    def fields(kind):
        of_kinds = {"kind": kind, "kinds": f"ref ffi.Array<{kind}>", "maybe": f"ref Optional<{kind}>"}
        return of_kinds | {"on": "ref ffi.String", "count": "int", "cost": "float", "list": ["ref ffi.Array<int>", [1, 2]]}

    now = fields(kind)
    all_fields = [now, fields(other), now | {"kind": "int"}, now | {"maybe": "ref Any"}, now | {"list": "ref ffi.Array<int>"}]
    all_fields += [now | {"gone": "int"}, now | {"more": ["ref ffi.Map<ffi.String,float>", {"a": 0.5}]}, {"list": now["list"]}]
    all_fields += [{name: now[name] for name in sorted(now)}, {name: now[name] for name in now if name != "count"}]
    all_fields += [{"by" if name == "on" else name: now[name] for name in now}, now | {"count": "ref int"}, now | {"cost": "int"}]
    texts = []
    for some in all_fields:
        for version in 1, 2, 3:
            texts.append(json.dumps({"fuzz.Join": {"version": version, "fingerprint": "0123456789abcdef", "fields": some}}))
    texts.append(json.dumps({"fuzz.Join": {"version": 2, "ancestors": {"fuzz.Base": 2}, "json": "on", "fields": now}}))
    words = ["fuzz.Join", "fuzz.Old", "version", "fingerprint", "fields", "ancestors", "ref ", "enum ", "Optional<", "ffi.Array<", "ffi.Map<"]
    words += ["int", "float", "bool", "Any", "DataType", "Inner=0", "Left=4", "Outer", "Union<", *now, "by", "gone"]
    write("recorded", texts, words)


def needed(described, key):
    """The type with all types that it refers to, directly or not, sorted."""
    found, open_keys = set(), [key]
    while open_keys:
        key = open_keys.pop()
        if key not in found and key in described:
            found.add(key)
            types = [described[key]["parent"] or "", *(field["type"] for field in described[key]["fields"])]
            open_keys += [word for text in types for word in NAME.findall(text)]
    return sorted(found)


def own_format(described, keys):
    """The types in the format of this project."""
    bases = {described[key]["parent"] for key in keys}
    types = []
    for key in keys:
        entry = described[key]
        fields = []
        for field in entry["fields"]:
            fields.append({"name": field["name"], "type": field["type"], "role": field["role"]})
            if field["has_default"]:
                fields[-1]["default"] = field["default"]
        kind = OWN_KINDS.get(entry["kind"], entry["kind"])
        types.append({"key": key, "kind": kind, "base": key in bases, "abstract": not entry["creator"], "fields": fields})
        if entry["parent"] in described:
            types[-1]["parent"] = entry["parent"]
        if kind == "singleton":
            types[-1]["singleton_key"] = "name"
    return json.dumps({"format": "object-schema", "version": 1, "types": types})


def nested(text):
    """A type in words as nested maps."""
    name, _, rest = text.partition("<")
    args, depth, start = [], 0, 0
    for at, char in enumerate(rest):
        if depth == 0 and char in ",>":
            args.append(rest[start:at])
            start = at + 1
        depth += {"<": 1, ">": -1}.get(char, 0)
    return {"type": name, "args": [nested(arg) for arg in args]} if args else {"type": name}


def peers_format(described, keys):
    """The types as they are recorded from TVM's registry."""
    flags = {"ignore": ["SEqHashIgnore"], "def": ["SEqHashDefRecursive"], "def_simple": ["SEqHashDefNonRecursive"]}
    kinds = {type(None): "none", bool: "bool", int: "int", float: "float", str: "str"}
    types = {}
    for key in keys:
        entry = described[key]
        fields = []
        for field in entry["fields"]:
            has_default = ["has_default"] if field["has_default"] else []
            fields.append({"name": field["name"], "schema": nested(field["type"]), "accepts_null": field["nullable"]})
            fields[-1]["flags"] = flags.get(field["role"], []) + has_default
            if has_default:
                fields[-1]["default"] = {kinds[type(field["default"])]: field["default"]}
        types[key] = {"parent": entry["parent"], "seq_hash_kind": entry["kind"], "has_creator": entry["creator"]}
        types[key] |= {"custom_s_equal": entry["custom_equal"], "custom_s_hash": entry["custom_hash"]}
        types[key] |= {"custom_data_to_json": entry["custom_json"], "own_fields": fields}
    return json.dumps({"types": types})


def schemas(described):
    """For `load_schema`: the byte before a text says how the schema is loaded."""
    texts = []
    for name in "dynamic.rs", "schema_errors.rs":
        source = (ROOT / "object-core" / "tests" / "files" / name).read_text(encoding="utf-8")
        found = re.findall(r'r#"(\{.*?\})"#', source, re.DOTALL)
        texts += [it if it.startswith(HEAD) else f'{HEAD}, "version": 1, "types": [{it}]}}' for it in found]
    texts = [text.replace("dynamic.Expr", "linked.Expr").replace("mistakes.Expr", "linked.Expr") for text in texts]
    keys = {tuple(needed(described, key)) for key in described}
    for several in sorted(keys, key=lambda several: (len(several), several))[:MOST_SCHEMAS]:
        texts += [own_format(described, several), peers_format(described, several)]
    words = {"linked.Expr", "linked.Var", "DataType", "Device", "Optional", "ffi.Array", "ffi.Map", "ffi.List", "ffi.Dict"}
    words |= {"ffi.String", "ffi.Object", "ffi.Function", "ffi.Tensor", "ffi.Shape", "Any", "int", "bool", "float"}
    words |= {word for text in texts for word in re.findall(r'"([a-z_]+)"', text)}
    write("load_schema", [f"{number % 8}{text}" for number, text in enumerate(texts)], words)


def main():
    recorded = json.loads((FIXTURES / "schema.json").read_text(encoding="utf-8"))
    described = {entry["key"]: entry for entry in recorded["types"]}
    graphs(described)
    scripts()
    python_files()
    binary_graphs()
    declarations_of_graphs()
    schemas(described)


if __name__ == "__main__":
    main()
