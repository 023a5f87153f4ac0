r"""EXTRACT: find the final answer of a model's text generously, and read it strictly.

The answer is what the last mark of the text holds: `\boxed{...}`, `<answer>...</answer>`, or a
line such as `Answer: ...` or `The answer is ...`; without a mark it is the last line. Thoughts up
to the last `</think>` are skipped. Then wrappers are removed one by one (bold, code, dollar signs,
`\text{...}`, a final full stop), and numbers lose their separators and LaTeX. An answer is never
searched for a part: `5 or 6` is neither.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

MAX_CHARACTERS = 1_000_000
"""Largest length of a text that has an answer."""
_LONGEST_ANSWER = 10_000
_THOUGHT, _THINKING = "</think>", "<think>"
_BOXES = (r"\boxed{", r"\fbox{")
_OPENED, _CLOSED = "<answer>", "</answer>"
_LINE = re.compile(
    r"^[ \t>#*_-]*(?:(?:so|thus|hence|therefore),?[ \t]+)?(?:(?:the|my|our)[ \t]+)?"
    r"(?:final[ \t]+|correct[ \t]+)?(?:answer|result)(?:\*\*|__)?[ \t]*"
    r"(?:is\b[ \t]*:?|:|=)(?:\*\*|__)?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)


def final_answer(text: str) -> str | None:
    r"""Return the answer of a text as written there; None if there is none or it is too long.

    >>> final_answer("It seems \\boxed{5}, but no.\n**Answer:** `7`")
    '`7`'
    >>> final_answer(r"So it is \boxed{\{1, 2\}}.")
    '\\{1, 2\\}'
    """
    if len(text) > MAX_CHARACTERS:
        return None
    text = bare_text(text)
    if _THINKING in text:  # cut off before the answer
        return None
    marks = (_boxed(text), _tagged(text), _stated(text))
    marked = max((mark for mark in marks if mark), default=None)
    answer = marked[1] if marked else text.rpartition("\n")[2].strip()
    has_answer = (marked or answer) and len(answer) <= _LONGEST_ANSWER
    return answer if has_answer else None


def bare_text(text: str) -> str:
    """Return a text without the thoughts before it."""
    return text.rpartition(_THOUGHT)[2].strip()


def _boxed(text: str) -> tuple[int, str] | None:
    """Return place and content of the last box, whose braces may be nested."""
    at, mark = max((text.rfind(mark), mark) for mark in _BOXES)
    if at < 0:
        return None
    start = at + len(mark)
    depth = 1
    for end in range(start, min(len(text), start + _LONGEST_ANSWER)):
        depth += (text[end] == "{") - (text[end] == "}")
        if not depth:
            return at, text[start:end].strip()
    return None


def _tagged(text: str) -> tuple[int, str] | None:
    """Return place and content of the last answer tag that is closed."""
    end = text.rfind(_CLOSED)
    at = text.rfind(_OPENED, 0, max(end, 0))
    return (at, text[at + len(_OPENED) : end].strip()) if at >= 0 else None


def _stated(text: str) -> tuple[int, str] | None:
    """Return place and content of the last line that states the answer.

    If the line ends there, the answer is on the next line that is not blank.
    """
    last = next(iter(deque(_LINE.finditer(text), maxlen=1)), None)
    if last is None:
        return None
    lines = text[last.end() :].lstrip().split("\n", 1)
    return last.start(), lines[0].strip()


_PAIRS = (
    *(("**", "**"), ("__", "__"), ("`", "`"), ("$$", "$$"), ("$", "$"), ("*", "*")),
    *((r"\(", r"\)"), (r"\[", r"\]"), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’")),
    *((r"\text{", "}"), (r"\mathrm{", "}"), (r"\mathbf{", "}"), (r"\texttt{", "}")),
    *((r"\boxed{", "}"), (r"\textbf{", "}"), ("<answer>", "</answer>"), ("{", "}")),
)
_ENDS = (".", "**", "`", "$", "*", r"\)", r"\]", ",", ";", "!", "。")


def spellings(answer: str) -> Iterator[str]:
    """Yield an answer as it is written, then with more and more of its wrappers removed.

    >>> [*spellings("**`abc`**.")]
    ['**`abc`**.', '**`abc`**', '`abc`', 'abc']
    """
    for _ in range(12):
        answer = answer.strip()
        yield answer
        inner = _unwrapped(answer)
        if inner is None:
            return
        answer = inner


def _unwrapped(text: str) -> str | None:
    for start, end in _PAIRS:
        inside = text[len(start) : len(text) - len(end)]
        if text.startswith(start) and text.endswith(end) and len(text) >= len(start) + len(end):
            # The ends must belong together: "$5$ or $6$" stays as it is.
            if "}" in end and not _is_balanced(inside):
                continue
            if start == end and start in inside:
                continue
            return inside
    for end in _ENDS:
        if text.endswith(end) and not text.endswith("..") and len(text) > len(end):
            return text[: -len(end)]
    return None


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


_NAMED = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9]+|_\{[A-Za-z0-9]+\})?\s*=\s*")
_SPACES = re.compile(r"\\[,;:! ]|[~\u00a0\u2009\u202f]")
_GROUPED = re.compile(r"([+-]?)([0-9]{1,3}(?:(?:,|\{,\}| )[0-9]{3})+)(\.[0-9]*)?", re.ASCII)
_NUMBER = r"(?:\{\s*([+-]?[0-9]+)\s*\}|\s?([0-9]))"
_FRACTION = re.compile(rf"([+-]?)\s*\\[dt]?frac{_NUMBER}\s*{_NUMBER}", re.ASCII)
_QUOTIENT = re.compile(r"([+-]?)\s*\(?([0-9]+)\s*/\s*([0-9]+)\)?", re.ASCII)
_ABOUT = re.compile(r"(?:≈|\\approx)\s*")


def plain_number(text: str) -> str:
    r"""Write a number without separators and LaTeX; other text hardly changes.

    >>> plain_number(r"x = -\dfrac{1}{3}"), plain_number("1{,}000"), plain_number("1,00")
    ('-1/3', '1000', '1,00')
    """
    text = _SPACES.sub(" ", text).replace("−", "-").replace("–", "-").strip()
    text = _ABOUT.sub("", _NAMED.sub("", text, count=1), count=1)
    if match := _GROUPED.fullmatch(text):
        return match[1] + "".join(filter(str.isdigit, match[2])) + (match[3] or "")
    if match := _FRACTION.fullmatch(text):
        return f"{match[1]}{match[2] or match[3]}/{match[4] or match[5]}"
    if match := _QUOTIENT.fullmatch(text):
        return f"{match[1]}{match[2]}/{match[3]}"
    if text[:1] in ("+", "-"):
        return text[0] + text[1:].lstrip()
    return text
