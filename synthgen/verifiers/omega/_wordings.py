"""Reading a statement by its possible wordings."""

from __future__ import annotations

import re
from collections.abc import Sequence

BOXED = "\n\nPut the final answer, and nothing else, inside \\boxed{}."
"""What a prompt of the style `boxed` ends with, behind the statement."""
INTEGER = r"(-?(?:0|[1-9][0-9]{0,399}))"
"""Pattern of one integer without superfluous signs or zeros."""


def wordings(*texts: str, **holes: str) -> tuple[re.Pattern[str], ...]:
    """Compile wordings: plain text in which each `<name>` stands for a pattern of `holes`.

    Every hole becomes a group of its name, and `<name>` without a pattern is an integer.
    """
    return tuple(re.compile(_pattern(text, holes), re.ASCII | re.DOTALL) for text in texts)


def _pattern(text: str, holes: dict[str, str]) -> str:
    pieces = re.split(r"<([a-z_]+)>", text)
    for place in range(0, len(pieces), 2):
        pieces[place] = re.escape(pieces[place])
    for place in range(1, len(pieces), 2):
        name = pieces[place]
        pieces[place] = f"(?P<{name}>{holes.get(name, INTEGER)})"
    return "".join(pieces)


def read_as(statement: str, patterns: Sequence[re.Pattern[str]]) -> re.Match[str] | None:
    """Return the match of the first wording that the whole statement has."""
    for pattern in patterns:
        match = pattern.fullmatch(statement)
        if match:
            return match
    return None
