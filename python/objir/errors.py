"""The exception of this package."""

from __future__ import annotations

from typing import Optional

#: What a caller can do about an error, by the kind.
_HELP = {"LimitExceeded": "pass higher limits, such as `limits=objir.Limits(max_memory=8 << 30)`"}


class Error(Exception):
    """An error of an operation on a program.

    The text says what was expected, what was given and what to do, as the command `objir` prints it.

    >>> import objir
    >>> try:
    ...     objir.load("no_such.json")
    ... except objir.Error as error:
    ...     print(error.kind)
    Io
    """

    #: The kind, such as `TypeMismatch` or `LimitExceeded`.
    kind: str
    #: The path of the part of the program that is wrong, such as `<root>.functions["main"]`, if the error has one.
    path: Optional[str]
    #: The part of the program in words, such as ``in `main` at `y` ``, if the error has one.
    place: Optional[str]
    #: The whole text, with the path.
    message: str

    def __init__(self, kind: str, path: Optional[str], place: Optional[str], message: str) -> None:
        super().__init__(kind, path, place, message)
        self.kind = kind
        self.path = path
        self.place = place
        self.message = message

    @property
    def help(self) -> Optional[str]:
        """What to do about the error, beyond the text."""
        return _HELP.get(self.kind)

    def __str__(self) -> str:
        return self.message if self.help is None else f"{self.message} ({self.help})"
