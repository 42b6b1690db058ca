"""Pages as parts of a notebook."""

from __future__ import annotations

import html

#: The least and the largest height of a page in a notebook, in pixels.
_HEIGHTS = (120, 600)


def frame(page: str) -> str:
    """A page as a part of a notebook, apart from the styles of the notebook and as high as its content."""
    least, largest = _HEIGHTS
    height = f"Math.min({largest}, Math.max({least}, this.contentDocument.body.scrollHeight + 4))"
    return (
        f'<iframe srcdoc="{html.escape(page)}" onload="this.style.height = {height} + \'px\'" '
        f'style="width: 100%; height: {largest // 2}px; border: 1px solid #8888"></iframe>'
    )
