"""Scans of folders of programs."""

import os
import pathlib
import pickle
import re

import pytest

import objir
import objir.corpus

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture
def folder(module, changed, tmp_path):
    (tmp_path / "below").mkdir()
    module.save(tmp_path / "a.json")
    module.save(tmp_path / "below" / "b.py")
    changed.save(tmp_path / "c.json.gz")
    (tmp_path / "d.json").write_text('{"root_index": 0')
    (tmp_path / "e.json").write_bytes(b"[" * 100_000)
    (tmp_path / "notes.txt").write_text("no program")
    return tmp_path


def test_a_row_for_each_file(folder, module):
    table = objir.corpus.scan(folder, ops=["hash", "check", "stats", "operators"], output=folder / "t.parquet")
    rows = {os.path.basename(row["path"]): row for row in table.to_pylist()}
    assert list(rows) == ["a.json", "b.py", "c.json.gz", "d.json", "e.json"]
    assert rows["a.json"]["hash"] == rows["b.py"]["hash"] == module.hash() != rows["c.json.gz"]["hash"]
    assert rows["a.json"]["well_formed"] is True and rows["a.json"]["errors"] == 0 and rows["a.json"]["rules"] == []
    assert rows["c.json.gz"]["operators"] == ["relax.add", "relax.subtract"] and rows["a.json"]["nodes"] > 50
    for name in ["d.json", "e.json"]:
        assert rows[name]["error_kind"] and name in rows[name]["error"] and rows[name]["hash"] is None
    assert rows["a.json"]["error"] is None
    assert pyarrow.parquet.read_table(folder / "t.parquet").equals(table)


def test_paths_are_files_folders_and_patterns(folder):
    scan = lambda paths: [os.path.basename(path) for path in objir.corpus.scan(paths, ops=[])["path"].to_pylist()]
    assert scan(str(folder / "*.json")) == ["a.json", "d.json", "e.json"] and scan([folder / "below", folder / "a.json"]) == ["b.py", "a.json"]
    assert scan([]) == [] and objir.corpus.scan([], ops=["hash"]).column_names == ["path", "hash", "error_kind", "error"]
    with pytest.raises(ValueError, match="the operations are hash, check"):
        objir.corpus.scan(folder, ops=["none"])
    with pytest.raises(ValueError, match="the engines are"):
        objir.corpus.scan(folder, engine="none")
    missing = objir.corpus.scan([folder / "missing.json"]).to_pylist()[0]
    assert missing["error_kind"] == "Io" and "No such file" in missing["error"]


PATTERN = """
@R.function
def pattern(x: R.Tensor((2, "n"), dtype="float32")):
    return R.add(x, x)
"""


def test_a_column_counts_a_pattern(folder, changed):
    twice = objir.pattern(PATTERN, name="twice")
    assert [it.var.vid.name_hint for it in changed.matches(twice)] == ["a"]
    table = objir.corpus.scan(folder, ops=["stats", twice, objir.pattern(PATTERN.replace("add", "divide"))])
    assert table["twice"].to_pylist() == [1, 1, 1, None, None] and table["pattern"].to_pylist() == [0, 0, 0, None, None]
    assert pickle.loads(pickle.dumps(twice)) == twice
    with pytest.raises(KeyError, match="no function `pattern`"):
        objir.pattern(changed)
    with pytest.raises(objir.Error, match="expected a pattern that returns the value of a binding"):
        objir.pattern("@R.function\ndef pattern(x: R.Object):\n    return x")


def test_the_queries_of_the_readme(folder, changed, monkeypatch):
    pytest.importorskip("duckdb")
    readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
    (block,) = [text for text in re.findall("```python\n(.*?)```", readme, re.DOTALL) if "duckdb" in text]
    folder.rename(folder.parent / "models")
    monkeypatch.chdir(folder.parent)
    pathlib.Path("twice.py").write_text(PATTERN)
    objir.load(changed.functions["main"].body.blocks[0].bindings[1].value).save("models/ill.json")
    names = {}
    exec(block, names)
    rows = lambda name: names[name].fetchall()
    assert [files for _, files in rows("duplicates")] == [["models/a.json", "models/below/b.py"]]
    assert rows("callers") == [("models/a.json",), ("models/below/b.py",)]
    assert [count for _, count in rows("containing")] == [1, 1, 1]
    assert rows("ill_formed") == [("models/ill.json", ["annotation-shape-var-unbound", "unbound-var"])]
    assert [path for path, _ in rows("unread")] == ["models/d.json", "models/e.json"]


def test_ray_gives_the_same_table(folder):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        by_path = lambda engine: objir.corpus.scan(folder, engine=engine).sort_by("path")
        assert by_path("ray").equals(by_path("threads"))
    finally:
        ray.shutdown()
