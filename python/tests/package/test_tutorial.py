"""The tutorial: its cells run in order."""

import json
import pathlib

TUTORIAL = pathlib.Path(__file__).parents[2] / "tutorial.ipynb"


def test_the_tutorial_runs(capsys):
    cells = json.loads(TUTORIAL.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names = {}
    for number, text in enumerate(code):
        exec(compile(text, f"cell {number}", "exec"), names)
    assert len(code) >= 8
    shown = capsys.readouterr().out
    assert "error[unbound-var]" in shown and "different: left and right, in 1 place" in shown and "Call relax.multiply" in shown
    assert all("<iframe" in names[name]._repr_html_() for name in ["m", "report", "d"])
