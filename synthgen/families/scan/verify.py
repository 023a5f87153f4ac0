"""SCAN commands from the text: each phrase by a table, arranged by the words that join them.

The command is the text between the last two backticks of a prompt, or the whole prompt if there
are none. Words are separated by single spaces. It may have any number of phrases, joined from the
left, and any word of the larger languages: the original language is a subset.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from synthgen.authoring import PlainVerifier, Words, exactly
from synthgen.authoring.verifier import problem_of

_WORDS = Words.beside(__file__)
_TIMES = {word: times for times, word in enumerate(_WORDS["repeats"], 2)}
_PATHS: dict[str | None, Callable[[list[str], list[str]], list[str]]] = {
    None: lambda turn, act: turn + act,
    "opposite": lambda turn, act: turn + turn + act,
    "around": lambda turn, act: 4 * (turn + act),
    "across": lambda turn, act: 2 * (turn + act),
    "past": lambda turn, act: act + turn + act,
    "beyond": lambda turn, act: turn + 2 * act,
}
"""Actions of a phrase with a direction, by the word before the direction."""


def _one_of(words: Iterable[str]) -> str:
    return f"({'|'.join(words)})"


_FORM = (
    f"{_one_of(['turn', *_WORDS['verbs']])}"
    f"(?: (?:{_one_of(filter(None, _PATHS))} )?{_one_of(_WORDS['directions'])})?"
)
_PHRASE = re.compile(f"({_FORM})(?: {_one_of(_TIMES)})?")
_JOINT = re.compile(" (and|after) ")
_MAX_SOLUTION = 1 << 20
_REMEMBERED_PHRASES = 1 << 14

Line = tuple[str, str]
"""Some words of a command, and their actions."""
Command = tuple[tuple[str, tuple[Line, ...]], ...]
"""Each phrase's joint (`and` for the first) and lines; the last line has the whole phrase."""


def _read(prompt: str) -> Command | None:
    """Return the prompt's command, or None if it is not one."""
    first, *others = _JOINT.split(problem_of(prompt))
    try:
        phrases = [_lines_of_phrase(text) for text in (first, *others[1::2])]
    except ValueError:
        return None
    return tuple(zip(("and", *others[::2]), phrases, strict=True))


@lru_cache(_REMEMBERED_PHRASES)
def _lines_of_phrase(text: str) -> tuple[Line, ...]:
    """Return the lines of a phrase: for its verb, its form and its repetition.

    Raises:
        ValueError: If it is not a phrase. A cache keeps no errors, so long texts do not fill it.
    """
    match = _PHRASE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    form, verb, path, direction, repeat = match.groups()
    act = [] if verb == "turn" else [f"I_{verb.upper()}"]
    once = _PATHS[path]([f"I_TURN_{direction.upper()}"], act) if direction else act
    if not once:  # `turn` without a direction
        raise ValueError(text)
    lines = [(verb, act)] if act and direction else []
    lines.append((form, once))
    if repeat:
        lines.append((text, _TIMES[repeat] * once))
    return tuple((words, " ".join(actions)) for words, actions in lines)


def _solve(command: Command) -> str:
    """Return all actions: a phrase after an `after` is executed before all that precede it."""
    done: deque[str] = deque()
    for joint, lines in command:
        (done.append if joint == "and" else done.appendleft)(lines[-1][1])
    return " ".join(done)


def _lines(command: Command) -> Iterator[str]:
    """Yield the lines of each phrase, and after each but the first a line for all so far."""
    words = actions = ""
    for joint, lines in command:
        yield from (f"{part} = {result}" for part, result in lines)
        phrase, done = lines[-1]
        if not words:
            words, actions = phrase, done
            continue
        words = f"{words} {joint} {phrase}"
        actions = f"{actions} {done}" if joint == "and" else f"{done} {actions}"
        yield f"{words} = {actions}"


VERIFIERS = {
    "scan": PlainVerifier(
        _read, _solve, "string", exactly(_lines), remembered=0, longest=_MAX_SOLUTION
    )
}
