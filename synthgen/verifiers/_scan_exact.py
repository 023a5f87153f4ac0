"""The slow oracle of SCAN: phrases by their number of words, sequences as Python lists."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from synthgen.verifiers._problem_text import problem_of
from synthgen.verifiers._scan_words import ACTING, TIMES, WAYS

_MAX_LENGTH = 100_000
Actions = list[str]
_VERBS: dict[str, Actions] = {verb: [f"I_{verb.upper()}"] for verb in ACTING} | {"turn": []}
_TURNS: dict[str, Actions] = {way: [f"I_TURN_{way.upper()}"] for way in WAYS}
_PATHS: dict[str, Callable[[Actions, Actions], Actions]] = {
    "opposite": lambda turn, act: turn + turn + act,
    "around": lambda turn, act: 4 * (turn + act),
    "across": lambda turn, act: 2 * (turn + act),
    "past": lambda turn, act: act + turn + act,
    "beyond": lambda turn, act: turn + 2 * act,
}
_REPEATS = {word: times for times, word in enumerate(TIMES, 2)}


def exact_actions(prompt: str) -> str | None:
    """Return the actions of the prompt's command, or None if it is none."""
    text = problem_of(prompt)
    if len(text) > _MAX_LENGTH:
        return None
    done: deque[str] = deque()
    place = done.append
    words: list[str] = []
    for word in [*text.split(" "), "and"]:
        if word not in ("and", "after"):
            words.append(word)
            continue
        actions = _phrase_actions(words)
        if actions is None:
            return None
        place(" ".join(actions))
        place = done.append if word == "and" else done.appendleft
        words = []
    return " ".join(done)


def _phrase_actions(words: list[str]) -> Actions | None:
    """Return the actions of one phrase, or None."""
    if words and words[-1] in _REPEATS:
        once = _phrase_actions_once(words[:-1])
        return None if once is None else once * _REPEATS[words[-1]]
    return _phrase_actions_once(words)


def _phrase_actions_once(words: list[str]) -> Actions | None:
    if len(words) not in (1, 2, 3) or words[0] not in _VERBS:
        return None
    act = _VERBS[words[0]]
    if len(words) == 1:
        return act or None
    if words[-1] not in _TURNS:
        return None
    turn = _TURNS[words[-1]]
    if len(words) == 2:
        return turn + act
    return _PATHS[words[1]](turn, act) if words[1] in _PATHS else None
