"""Builds the wheel: the native library by Cargo, and the classes of its types."""


from __future__ import annotations

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = pathlib.Path(__file__).resolve().parent
PACKAGE = ROOT / "objir"

#: Runs in a Python of its own, because the build of the wheel must not keep the library loaded.
WRITE_WRAPPERS = """
import pathlib, sys, tvm_ffi
library, package = sys.argv[1:]
tvm_ffi.load_module(library)
for name, text in tvm_ffi.get_global_func("objir.wrappers")().items():
    pathlib.Path(package, name + ".py").write_text(text, encoding="utf-8")
"""


#: The profile of Cargo. Wheels for others have `dist`, which takes longer to build: the library is smaller and faster.
PROFILE = os.environ.get("OBJIR_CARGO_PROFILE", "release")


class CargoHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library = PACKAGE / "libobjir.so"
        # A process may have the old file loaded, so it stays as it is.
        library.unlink(missing_ok=True)
        shutil.copy2(cargo_build(), library)
        subprocess.run([sys.executable, "-c", WRITE_WRAPPERS, str(library), str(PACKAGE)], check=True)
        build_data["tag"] = f"py3-none-{platform_tag(library)}"
        build_data["pure_python"] = False


def cargo_build() -> pathlib.Path:
    """Builds the library, and returns its file."""
    command = ["cargo", "build", "--locked", "--profile", PROFILE, "-p", "objir-python"]
    command += ["--message-format", "json-render-diagnostics"]
    lines = subprocess.run(command, cwd=ROOT.parent, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    artifacts = [message for message in map(json.loads, lines) if message["reason"] == "compiler-artifact"]
    files = [file for it in artifacts if pathlib.Path(it["manifest_path"]).parent == ROOT for file in it["filenames"]]
    return next(pathlib.Path(file) for file in files if file.endswith(".so"))


def platform_tag(library: pathlib.Path) -> str:
    """The tag of systems whose C library has all symbols that the library needs."""
    versions = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", library.read_bytes())]
    if not versions:
        raise RuntimeError("the package supports Linux with glibc, and the library needs another C library")
    return f"manylinux_2_{max(versions)}_{platform.machine()}"
