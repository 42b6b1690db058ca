"""The command `objir` of the package behaves as a native program."""

import os
import signal
import subprocess
import sys

import pytest

#: The script that an installation writes.
SCRIPT = "import sys; from objir_command import main; sys.exit(main())"


def objir(*args, **options):
    return subprocess.run([sys.executable, "-c", SCRIPT, *map(str, args)], capture_output=True, text=True, **options)


@pytest.fixture
def files(module, changed, tmp_path):
    module.save(tmp_path / "a.json")
    changed.save(tmp_path / "b.json")
    return tmp_path


def test_exit_codes_and_output(files, module):
    hashed = objir("hash", "a.json", cwd=files)
    assert (hashed.returncode, hashed.stdout, hashed.stderr) == (0, f"{module.hash()}  a.json\n", "")
    found = objir("diff", "a.json", "b.json", cwd=files)
    assert found.returncode == 1 and found.stdout.startswith("different: a.json and b.json, in 1 place\n")
    missing = objir("hash", "none.json", cwd=files)
    assert missing.returncode == 2 and missing.stderr.startswith("objir: none.json: No such file")
    assert objir("none").returncode == 2 and objir("--version").stdout.startswith("objir ")
    assert objir("hash", "-", stdin=open(files / "a.json")).stdout == f"{module.hash()}  <stdin>\n"


def test_a_name_that_is_no_text_is_an_argument(files):
    name = os.fsencode(files) + b"/\xff.json"
    os.rename(files / "a.json", name)
    assert subprocess.run([sys.executable, "-c", SCRIPT, "hash", name], capture_output=True).returncode == 0


@pytest.mark.parametrize("stream, code", [(0, 0), (1, 2), (2, 0)])
def test_closed_streams(files, stream, code):
    assert objir("hash", files / "a.json", preexec_fn=lambda: os.close(stream)).returncode == code


def test_a_closed_pipe_ends_the_output(files):
    shell = '"$0" -c "$1" schema | head -c 100; echo ${PIPESTATUS[0]}'
    result = subprocess.run(["bash", "-c", shell, sys.executable, SCRIPT], capture_output=True, text=True)
    assert result.stdout[100:] == "0\n" and result.stderr == ""


def test_ctrl_c_ends_the_process(files):
    """The command runs when it opens a pipe with a name, which waits for content."""
    os.mkfifo(files / "pipe")
    # A shell that runs the tests in the background lets them ignore Ctrl-C.
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    args = [sys.executable, "-c", SCRIPT, "hash", str(files / "pipe")]
    command = subprocess.Popen(args, stderr=subprocess.PIPE, preexec_fn=heed)
    with open(files / "pipe", "wb"):
        command.send_signal(signal.SIGINT)
        assert command.wait(60) == -signal.SIGINT and command.stderr.read() == b""


def test_the_package_is_not_imported(files):
    check = "import sys; from objir_command import main; main(); assert 'objir' not in sys.modules and 'tvm_ffi' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", check, "hash", str(files / "a.json")]).returncode == 0
