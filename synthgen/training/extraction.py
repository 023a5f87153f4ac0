r"""EXTRACT: find the final answer of a model's text generously, and read it strictly.

The answer is what the last mark of the text holds: `\boxed{...}`, `<answer>...</answer>`,
`{"answer": ...}`, or a line such as `Answer: ...` or `The answer is ...`; without a mark it is the
last line, or the code block at the end. Thoughts up to the last `</think>` and tokens that end a
text are skipped. Then wrappers are removed one by one (bold, code, dollar signs, `\text{...}`, a
final full stop). An answer is never searched for a part: `5 or 6` is neither.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder

from synthgen.contract.answers import LONGEST_ANSWER, parse_expression
from synthgen.contract.numerals import parse_rational

MAX_CHARACTERS = 1_000_000
"""Largest length of a text that has an answer."""
_LONGEST_SIDE = 300
_THOUGHT, _THINKING = "</think>", "<think>"
_BOX = re.compile(r"\\f?boxed\s?\{|\\fbox\s?\{")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_OPENED, _CLOSED = "<answer>", "</answer>"
_KEY = re.compile(r'[{,]\s{0,20}"(?:final_)?answer"\s{0,20}:\s{0,20}')
_DECODER = JSONDecoder(parse_float=str, parse_int=str)
_WHOSE = r"(?:(?:so|thus|hence|therefore|then|finally)\b,?[ \t]+)?(?:(?:the|my|our)[ \t]+)?"
_WHICH = r"(?:final[ \t]+|correct[ \t]+)?"
_SAYS_NOTHING = r"(?![ \t]+(?-i:clear|confirmed|correct|right|unique|verified)\b(?!,))"
_IS = rf"(?:is\b{_SAYS_NOTHING}[ \t]*:?|[:=])"
_LINE = re.compile(
    rf"^[ \t>#*_-]*(?:{_WHOSE}{_WHICH}(?:answer|result)(?:\*\*|__)?[ \t]*{_IS}"
    rf"|(?:ans|output)(?:\*\*|__)?[ \t]*[:=]|\*\*{_WHOSE}{_WHICH}answer(?=\*\*))"
    r"(?:\*\*|__)?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCE = re.compile(rf"[.!?;:,][ \t]+{_WHOSE}{_WHICH}answer[ \t]*{_IS}[ \t]*", re.IGNORECASE)
_END = re.compile(r"(?:<\|[\w-]{1,40}\|>|</s>|<eos>|<end_of_turn>)\Z")
_FENCE = "```"
_BLOCK = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_HASHES = re.compile(r"#{4}[ \t]+")


def final_answer(text: str, longest: int = LONGEST_ANSWER) -> str | None:
    r"""Return the answer of a text as written there; None if there is none or it is too long.

    >>> final_answer("It seems \\boxed{5}, but no.\n**Answer:** `7`")
    '`7`'
    >>> final_answer(r"So it is \boxed{\{1, 2\}}.")
    '\\{1, 2\\}'
    >>> final_answer("We add 5 and 7. The answer is 12."), final_answer('{"answer": 12}')
    ('12.', '12')
    """
    if len(text) > MAX_CHARACTERS:
        return None
    text = bare_text(text)
    if _THINKING in text:  # cut off before the answer
        return None
    marks = (_boxed(text, longest), _tagged(text), _keyed(text), _stated(text))
    marked = max((mark for mark in marks if mark), key=lambda mark: mark[0], default=None)
    answer = marked[1] if marked else _last(text)
    if answer is None or len(answer) > longest or not (marked or answer):
        return None
    return answer


def bare_text(text: str) -> str:
    """Return a text without the thoughts before it and the tokens that end it.

    >>> bare_text("<think>6?</think> Answer: 7<|im_end|>")
    'Answer: 7'
    """
    text = text.rpartition(_THOUGHT)[2].strip()
    while match := _END.search(text, max(0, len(text) - 50)):
        text = text[: match.start()].rstrip()
    return text


Mark = tuple[int, str | None]
"""Place of a mark and what it holds; None if it is cut off or cannot be read."""


def _boxed(text: str, longest: int) -> Mark | None:
    """Return place and content of the last box, whose braces may be nested or escaped."""
    last = next(iter(deque(_BOX.finditer(text), maxlen=1)), None)
    if last is None:
        return None
    start, depth = last.end(), 1
    for brace in _BRACE.finditer(text, start, start + longest + 1):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if not depth:
            content = text[start : brace.start()].strip()
            return last.start(), content if _closes(text, last.start(), brace.end()) else None
    return last.start(), None


def _closes(text: str, start: int, end: int) -> bool:
    """Return whether a box ends where it seems to: no brace after it in its line is left over."""
    line = text[text.rfind("\n", 0, start) + 1 : start] + text[end:].partition("\n")[0]
    signs = (brace[0] for brace in _BRACE.finditer(line))
    return min(accumulate({"{": 1, "}": -1}.get(sign, 0) for sign in signs), default=0) >= 0


def _tagged(text: str) -> Mark | None:
    """Return place and content of the last answer tag that is closed."""
    end = text.rfind(_CLOSED)
    at = text.rfind(_OPENED, 0, max(end, 0))
    return (at, text[at + len(_OPENED) : end].strip()) if at >= 0 else None


def _keyed(text: str) -> Mark | None:
    """Return place and content of the last key `answer` of a JSON object."""
    last = next(iter(deque(_KEY.finditer(text), maxlen=1)), None)
    if last is None:
        return None
    try:
        value, end = _DECODER.raw_decode(text, last.end())
    except (JSONDecodeError, RecursionError):
        return last.start(), None
    return last.start(), value if isinstance(value, str) else text[last.end() : end]


def _stated(text: str) -> Mark | None:
    """Return place and content of the last line that states the answer.

    If the line ends there, the answer is on the next line that is not blank, or in a code block. In
    the last line of the text, the statement may follow other sentences.
    """
    start = text.rfind("\n") + 1
    inside = deque(_SENTENCE.finditer(text, start), maxlen=1)
    last = next(iter(inside or deque(_LINE.finditer(text), maxlen=1)), None)
    if last is None:
        return None
    rest = text[last.end() :].lstrip()
    block = _BLOCK.match(rest)
    return last.start(), (block[1] if block else rest.partition("\n")[0]).strip()


def _last(text: str) -> str:
    """Return the last line of a text, or the code block that ends it."""
    line = text.rpartition("\n")[2].strip()
    if line == _FENCE:
        start = text.rfind(_FENCE, 0, text.rfind(_FENCE))
        block = _BLOCK.match(text, max(start, 0))
        return block[1].strip() if block else line
    return _HASHES.sub("", line, count=1) if line.startswith("#") else line


_PAIRS = (
    *(("```", "```"), ("**", "**"), ("__", "__"), ("`", "`"), ("$$", "$$"), ("$", "$"), ("*", "*")),
    *((r"\(", r"\)"), (r"\[", r"\]"), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’")),
    *((r"\text{", "}"), (r"\mathrm{", "}"), (r"\mathbf{", "}"), (r"\texttt{", "}")),
    *((r"\boxed{", "}"), (r"\textbf{", "}"), ("<answer>", "</answer>"), ("{", "}")),
)
_ENDS = (".", "**", "`", "$", "*", r"\)", r"\]", ",", ";", "。", "!")


def spellings(answer: str, *, formula: bool = False) -> Iterator[str]:
    """Yield an answer as it is written, then with more and more of its wrappers removed.

    Args:
        answer: Text of `final_answer`.
        formula: Whether an exclamation mark at the end is a sign of its own.

    >>> [*spellings("**`abc`**.")]
    ['**`abc`**.', '**`abc`**', '`abc`', 'abc']
    """
    for _ in range(12):
        answer = answer.strip()
        yield answer
        inner = _unwrapped(answer, _ENDS[:-1] if formula else _ENDS)
        if inner is None:
            return
        answer = inner


def _unwrapped(text: str, ends: Sequence[str]) -> str | None:
    for start, end in _PAIRS:
        inside = text[len(start) : len(text) - len(end)]
        if text.startswith(start) and text.endswith(end) and len(text) >= len(start) + len(end):
            # The ends must belong together: "$5$ or $6$" stays as it is.
            if "}" in end and not _is_balanced(inside):
                continue
            if start == end and start in inside:
                continue
            return inside
    for end in ends:
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


_NAME = re.compile(
    r"(?:\\?[A-Za-z]+(?:_?[A-Za-z0-9]{1,20}|_\{[A-Za-z0-9]{1,20}\})?(?:\([^()=]{0,40}\))?)?"
)
_EQUALS = re.compile(r"=|≈|\\approx(?![A-Za-z])")


def right_side(text: str) -> str | None:
    """Return the text after the last equals sign if each part before it is a name or equal to it.

    >>> right_side("5 + 7 = 12"), right_side("x = 12"), right_side("2x = 4"), right_side("5 = 12")
    ('12', '12', None, None)
    """
    *before, last = (part.strip() for part in _EQUALS.split(text))
    if before and _NAME.fullmatch(before[0]):
        before = before[1:]
    elif not before:
        return None
    for side in before:
        parsed = parse_expression(side) if len(side) <= _LONGEST_SIDE else None
        values = {parse_rational(spelling) for spelling in spellings(last, formula=True)}
        if parsed is None or parsed[2] not in values:
            return None
    return last
