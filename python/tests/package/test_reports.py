"""Differences, checks and comparisons, as values, text and pages."""

import pytest

import objir


def test_a_difference_has_places_and_text(module, changed):
    found = objir.diff(module, changed)
    assert found and len(found) == 1 and not objir.diff(module, module)
    (difference,) = found
    assert difference.lhs_path.endswith(".bindings[1].value.op") and difference.rhs.name == "relax.subtract"
    text = str(found)
    assert text.startswith("different: left and right, in 1 place\n") and "R.subtract(a, w)\n   |" in text and "^^^^^^^^^^" in text
    assert str(module.diff(module)) == "equal: left and right"
    assert 'id="a1"' in found.html() and "<iframe srcdoc=" in found._repr_html_()


def test_assert_equal_shows_the_difference(module, changed, script):
    objir.assert_equal(module, script)
    with pytest.raises(AssertionError) as raised:
        objir.assert_equal(module, changed)
    assert str(raised.value) == str(objir.diff(module, changed))


def test_a_report_lists_violations(module):
    assert module.check() and str(module.check()) == "well-formed: 0 errors, 0 warnings"
    call = objir.load(module.functions["main"].body.blocks[0].bindings[1].value)
    report = call.check()
    assert not report and len(report) == report.errors == 3 and report.is_complete
    first = report.violations[0]
    assert first.rule == "unbound-var" and first.severity == "error" and first.help and first.place.vid.name_hint == "a"
    assert "error[unbound-var]: nothing binds the dataflow variable `a`" in str(report) and "^" in str(report)
    assert 'id="a1"' in report.html() and "ill-formed: 3 errors" in report.html()
    assert call.check(allow=[it.rule for it in report])
    with pytest.raises(objir.Error, match="phases are"):
        module.check(phase="none")


def test_runs_are_compared(module, changed, script):
    same = objir.compare(module, script, seeds=2)
    assert same and same.verdict == "same" and same.variable is None
    found = objir.compare(module, changed, seeds=1, sizes={"n": [3]})
    assert not found and found.variable == "main.b" and "n = 3" in str(found)
    assert objir.compare(module, changed, atol=1e9)


def test_a_module_shows_its_script(module):
    assert "<details" in module.html() and module._repr_html_().startswith("<iframe")
