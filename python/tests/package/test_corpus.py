"""Scans of folders of programs."""

import os

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


def test_ray_gives_the_same_table(folder):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        by_path = lambda engine: objir.corpus.scan(folder, engine=engine).sort_by("path")
        assert by_path("ray").equals(by_path("threads"))
    finally:
        ray.shutdown()
