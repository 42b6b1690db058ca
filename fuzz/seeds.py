"""Writes what fuzzing starts from, made of `fixtures/`: texts for the target `load_json` under
`fuzz/corpus/load_json`, and the words of the format in `fuzz/corpus/load_json.dict`.

    python3 fuzz/seeds.py

The target `compare` needs none: any bytes are graphs to it.
"""

import gzip
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES, CORPUS = ROOT / "fixtures", ROOT / "fuzz" / "corpus"
LONGEST = 32 << 10  # the fuzzer is fast on short texts only


def main():
    records = json.loads((FIXTURES / "records.json").read_text(encoding="utf-8"))
    schema = json.loads((FIXTURES / "schema.json").read_text(encoding="utf-8"))
    texts = [case["graph"] for case in records["cases"]] + [case["text"] for case in records["bad_json"]]
    texts += [gzip.decompress(path.read_bytes()).decode() for path in sorted(FIXTURES.glob("*.json.gz"))]
    folder = CORPUS / "load_json"
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(text for text in texts if len(text) <= LONGEST):
        (folder / f"seed-{number:03}.json").write_text(text, encoding="utf-8", newline="")
    words = {described["key"] for described in schema["types"]}
    words.update(field["name"] for described in schema["types"] for field in described["fields"])
    words.update(["root_index", "nodes", "metadata", "type", "data", "NaN", "Infinity", "-Infinity"])
    lines = [f'"{word}"' for word in sorted(words)]
    (CORPUS / "load_json.dict").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
