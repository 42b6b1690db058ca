"""The command `objir`, which the native library runs. It does not import the package, which takes longer than most commands."""

import ctypes
import os
import signal
import sys


def main() -> int:
    """Runs the command of the arguments, as a native program does. Returns the exit code."""
    # Ctrl-C ends the process, unless the caller lets the process ignore it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The load finds out whether standard output is closed.
    library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "objir", "libobjir.so"))
    _open_closed_streams()
    args = [b"objir", *map(os.fsencode, sys.argv[1:])]
    return int(library.objir_main(len(args), (ctypes.c_char_p * len(args))(*args)))


def _open_closed_streams() -> None:
    """Opens a file without content in place of each closed standard stream, so that no file of the command gets its number."""
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
