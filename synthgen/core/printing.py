"""Numbers and untrusted texts formatted for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import TextWrapper

_LONGEST = 12
_MAX_NAMED = 5


def short_number(number: int) -> str:
    """Format a number with thousands separators, or a long one as 2.4 x 10^21, rounded down."""
    digits = str(number)
    if len(digits) <= _LONGEST:
        return f"{number:,}"
    return f"{digits[0]}.{digits[1]} x 10^{len(digits) - 1}"


def printable(text: str, kept: str = "") -> str:
    """Escape all characters of a text that are not printable, except for those in `kept`.

    Otherwise a text could control the terminal that shows it, or reverse what follows it.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else ascii(c)[1:-1] for c in text)


def listed(names: Sequence[str], limit: int = _MAX_NAMED) -> str:
    """List the first names."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


_TIE = "\N{NO-BREAK SPACE}"


def wrapped(text: str, width: int) -> str:
    """Wrap the lines of a text at words; longer words stay whole, so that paths can be copied."""
    return "\n".join(_wrapped_line(line, width) for line in text.split("\n"))


def _wrapped_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())] + "  "
    words = TextWrapper(
        width,
        subsequent_indent=indent,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    # the first two words stay together, such as "error:" and a path
    start, _, rest = line[len(indent) - 2 :].partition(" ")
    return words.fill(f"{indent[2:]}{start}{_TIE}{rest}").replace(_TIE, " ", 1)


_MIN_WORD = 4


def plain_word(text: str) -> str:
    """Return the letters and digits of a text in lower case, to compare spellings of a name."""
    return "".join(character for character in text.lower() if character.isalnum())


def described_by(word: str, summaries: Mapping[str, str]) -> str | None:
    """Return the first name whose summary has a word in any spelling, such as SKILL-MIX."""
    wanted = plain_word(word)
    if len(wanted) < _MIN_WORD:
        return None
    return next((name for name, text in summaries.items() if wanted in plain_word(text)), None)
