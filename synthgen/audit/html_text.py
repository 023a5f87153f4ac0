"""Values as text for a page: cut, one form for numbers, nothing in it that acts on the reader.

Escaping of markup is the template's; here go characters that no escape makes harmless, such as
controls that turn the direction of writing.
"""

from __future__ import annotations

import json
import math
import unicodedata
from typing import Any

from markupsafe import Markup

from synthgen.core.figures import short_number

_KEPT = "\n\t"
_COMPACT = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
_UNSAFE_IN_SCRIPT = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}
NOTHING = "–"


def clean(value: object, most: int) -> str:
    """Return a text of at most `most` characters and the escapes of those that do not print."""
    text = str(value)
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return cut if cut.isprintable() else "".join(map(_visible, cut))


def brief(text: str, most: int) -> str:
    """Return the sentences or words of a text that fit into `most` characters."""
    if len(text) <= most:
        return clean(text, most)
    head = text[: most - 1]
    end = head.rfind(". ") + 1
    if end > most // 3:
        return clean(head[:end], most)
    words = head.rpartition(" ")[0] or head
    return clean(words.rstrip(" ,;:") + "…", most)


def _visible(character: str) -> str:
    shown = character.isprintable() or character in _KEPT
    return character if shown or unicodedata.category(character) == "Zs" else ascii(character)[1:-1]


def figure(value: float | None) -> str:
    """Write a number: thousands parted, four digits of a fraction; NOTHING for None."""
    if value is None:
        return NOTHING
    if isinstance(value, int):
        return short_number(value) if value >= 0 else f"−{short_number(-value)}"
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else "−∞" if value < 0 else "∞"
    sign, size = ("−" if value < 0 else ""), abs(value)
    if size < 1000 or size >= 10**12:
        return sign + f"{size:.4g}".replace("e-0", "e-").replace("e-", "e−").replace("e+", "e")
    return f"{sign}{size:,.0f}"


def compact(value: float) -> str:
    """Write a number in few characters for an axis: 12k, 0.25, 3.4M."""
    for size, sign in _COMPACT:
        if size <= abs(value) < size * 1000:
            return f"{value / size:.3g}{sign}".replace("-", "−")
    return figure(value)


def percent(part: float, whole: float) -> str:
    """Write a share; NOTHING of nothing, and never 100 % or 0 % of what is not all or none."""
    if not whole:
        return NOTHING
    share = 100 * part / whole
    if 0 < share < 0.1:
        return "< 0.1 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:.1f} %".replace(".0 %", " %")


def plural(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def megabytes(size: int) -> str:
    """Write a number of bytes in MB, or in kB below a tenth of one."""
    return f"{size / 1e6:,.1f} MB" if size >= 10**5 else f"{size / 1e3:,.1f} kB"


def json_data(value: Any) -> Markup:
    """Return JSON that may stand in a script element: nothing in it can end the element."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    # Only texts of JSON hold these three characters, where their escapes mean the same.
    return Markup(text.translate(_UNSAFE_IN_SCRIPT))  # noqa: S704
