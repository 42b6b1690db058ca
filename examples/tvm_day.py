"""A day with modules of TVM in Python: files are read, checked, compared and run."""

# ANCHOR: day
import sys

import objir

folder = sys.argv[1] if len(sys.argv) > 1 else "fixtures"
before = objir.load(f"{folder}/mlp.json.gz")
changed = objir.load(f"{folder}/mlp_changed.json.gz")

report = before.check()
assert report, str(report)  # a report is true if the module is well-formed

difference = objir.diff(before, changed)
assert len(difference) == 1
print(difference)  # underlined in both scripts; `difference.html()` is a page

renamed = objir.load(f"{folder}/mlp_renamed.json.gz")
assert before.hash() == renamed.hash() and not objir.diff(before, renamed)
assert objir.compare(before, renamed).verdict == "same"  # the results for random arguments
# ANCHOR_END: day
