"""How results show themselves at a prompt and in a notebook."""

from __future__ import annotations

from html import escape


class Shown:
    """A result with a short `repr`, which notebooks show too."""

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"
