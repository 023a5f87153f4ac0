"""Blocks from the text: plans are replayed fact by fact, and shortest ones searched best-first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from synthgen.authoring import AnswerChecker, Words, filled, holes, reads, wording_pattern

_WORDS = Words.beside(__file__).part("blocks")
_COLOR = holes.word(_WORDS["names"])
_PLAIN_PATTERNS = {
    role: wording_pattern(text, {"x": _COLOR, "y": _COLOR})[1]
    for role, text in _WORDS["plain"].items()
}
_PLAIN_RULES, _MYSTERY_RULES = _WORDS["rules"]["plain"], _WORDS["rules"]["mystery"]
_MAX_BLOCKS, _MAX_ACTIONS, _MAX_STATES = 14, 500, 20_000

_Fact = tuple[str, ...]
"""A role, such as "on", and the names of blocks."""
_ACTIONS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "pick": (("clear x", "table x", "empty"), ("held x",)),
    "put": (("held x",), ("clear x", "table x", "empty")),
    "stack": (("held x", "clear y"), ("on x y", "clear x", "empty")),
    "unstack": (("on x y", "clear x", "empty"), ("held x", "clear y")),
}
"""Facts that an action needs, which it makes false, and those that it makes true."""
_SIZES = {"empty": 1, "on": 3, "stack": 3, "unstack": 3}


class _Task(NamedTuple):
    """A planning problem.

    Attributes:
        roles: Words of each action and fact, or empty for those of blocks.
    """

    ask: str
    roles: tuple[tuple[str, str], ...]
    start: frozenset[_Fact]
    goal: frozenset[_Fact]


def _rules(text: str) -> tuple[tuple[str, str], ...] | None:
    """Return the words of the actions and facts, or an empty tuple for the rules of blocks."""
    first, *lines = text.split("\n")
    if first == _PLAIN_RULES["first"]:
        return () if sorted(lines) == sorted(_PLAIN_RULES["lines"]) else None
    word = holes.pattern("[a-z]{2,12}")
    patterns = [
        wording_pattern(line, dict.fromkeys(_WORDS["mystery"], word))[1]
        for line in _MYSTERY_RULES["lines"]
    ]
    roles: dict[str, str] = {}
    matches = [match for each in patterns for line in lines if (match := each.fullmatch(line))]
    for match in matches:
        if any(roles.get(role, name) != name for role, name in match.groupdict().items()):
            return None
        roles |= match.groupdict()
    is_whole = first == _MYSTERY_RULES["first"] and len(matches) == len(patterns) == len(lines)
    return tuple(sorted(roles.items())) if is_whole and len({*roles.values()}) == 9 else None


def _parsed(text: str, roles: Mapping[str, str]) -> _Fact | None:
    """Return the role and the blocks of a fact or an action."""
    if not roles:
        for role, pattern in _PLAIN_PATTERNS.items():
            match = pattern.fullmatch(text)
            if match:
                return role, *match.groups()
        return None
    name, *blocks = text.split(" ")
    role = next((role for role, known in roles.items() if known == name), "")
    named = all(re.fullmatch("[a-z]", block) for block in blocks)
    return (role, *blocks) if role and named and len(blocks) + 1 == _SIZES.get(role, 2) else None


def _facts(text: str, roles: Mapping[str, str]) -> frozenset[_Fact] | None:
    facts = [_parsed(part, roles) for part in re.split(", | and ", text)]
    known = frozenset(fact for fact in facts if fact)
    return known if len(known) == len(facts) else None


_LIST = holes.pattern(r"[a-z ,]{1,1500}")


@reads(
    _WORDS,
    rules=holes.pattern(r"A[^\n]{50,400}(?:\n- `[^\n]{20,300}){4}", _rules),
    start=_LIST,
    goal=_LIST,
)
def _read(kind: str, rules: tuple[tuple[str, str], ...], start: str, goal: str) -> _Task | None:
    facts, wanted = _facts(start, dict(rules)), _facts(goal, dict(rules))
    if facts is None or not wanted:
        return None
    supports = {fact[1]: fact[-1] for fact in facts if fact[0] in ("on", "table")}
    below = {fact[2] for fact in facts if fact[0] == "on"}
    free = {("empty",), *(("clear", block) for block in supports if block not in below)}
    facts = facts if rules else facts | free
    placed = {fact for fact in facts if fact[0] in ("on", "table")}
    aims = [fact for fact in wanted if fact[0] == "on" and fact[1] != fact[2]]
    if (
        len(supports) > _MAX_BLOCKS
        or facts != placed | free
        or len(placed) != len(supports)
        or len(below) != sum(fact[0] == "on" for fact in placed)
        or not {block for fact in (*placed, *aims) for block in fact[1:]} <= {*supports}
        or any(_is_floating(block, supports) for block in supports)
    ):
        return None
    uppers, lowers = ({fact[place] for fact in aims} for place in (1, 2))
    fits = len(aims) == len(wanted) == len(uppers) == len(lowers)
    chain = {fact[1]: fact[2] for fact in aims}
    if not fits or any(
        _is_floating(block, chain | {b: b for b in lowers - uppers}) for block in chain
    ):
        return None
    return _Task(kind, rules, facts, wanted)


def _is_floating(block: str, supports: Mapping[str, str]) -> bool:
    """Return whether no chain of supports leads from a block to one on the table."""
    for _ in supports:
        if supports[block] == block:
            return False
        block = supports[block]
    return True


# Shortest plans

_State = tuple[str, ...]
"""What each block is on, in the order of their names; a block on the table is on itself."""


def _left(state: Mapping[str, str], goal: Mapping[str, str]) -> set[str]:
    """Return the blocks that must move: one on another block that must move, or not the wanted one.

    A block must also move if another one must come to where it is.
    """
    left: set[str] = set()
    waiting = {block for block, on in goal.items() if state[block] != on}
    waiting |= {
        upper
        for upper, lower in state.items()
        if upper != lower and any(on == lower and b != upper for b, on in goal.items())
    }
    while waiting:
        left |= waiting
        waiting = {upper for upper, lower in state.items() if lower in left} - left
    return left


@lru_cache(1 << 12)
def _fewest(task: _Task) -> int | None:
    """Return the number of actions of a shortest plan, by the A* algorithm.

    A block moves to where the goal has it or to the table: any other block would serve no better.
    """
    goal = {fact[1]: fact[2] for fact in task.goal}
    start = {fact[1]: fact[-1] for fact in task.start if fact[0] in ("on", "table")}
    names = sorted(start)
    first = tuple(start[name] for name in names)
    waiting = [(len(_left(start, goal)), 0, first)]
    reached = {first: 0}
    while waiting and len(reached) < _MAX_STATES:
        _, minus_moves, state = heappop(waiting)
        supports = dict(zip(names, state, strict=True))
        if all(supports[block] == on for block, on in goal.items()):
            return -2 * minus_moves
        moves = 1 - minus_moves
        if moves > reached[state] + 1:
            continue
        covered = {on for block, on in supports.items() if on != block}
        for place, block in enumerate(names):
            for to in () if block in covered else {block, goal.get(block, block)}:
                if to == state[place] or to in covered:
                    continue
                after = (*state[:place], to, *state[place + 1 :])
                if moves < reached.get(after, moves + 1):
                    reached[after] = moves
                    left = len(_left({**supports, block: to}, goal))
                    heappush(waiting, (moves + left, -moves, after))
    return None


# Answers


def _replayed(task: _Task, actions: Sequence[str]) -> Iterator[frozenset[_Fact] | None]:
    """Yield the facts after each action; None for the first that is impossible, and then stop."""
    facts, roles = task.start, dict(task.roles)
    for action in actions:
        parsed = _parsed(action, roles)
        if parsed is None or parsed[0] not in _ACTIONS:
            yield None
            return
        blocks = dict(zip("xy", parsed[1:], strict=False))
        needed, made = (
            {tuple(blocks.get(part, part) for part in fact.split()) for fact in each}
            for each in _ACTIONS[parsed[0]]
        )
        if not needed <= facts or len({*parsed[1:]}) < len(parsed) - 1:
            yield None
            return
        facts = facts - needed | made
        yield facts


def _accepts(task: _Task, answer: str) -> bool:
    """Compare the number of actions, or replay the plan."""
    if task.ask == "length":
        return answer == str(_fewest(task))
    actions = answer.split(", ")
    if len(actions) > _MAX_ACTIONS:
        return False
    facts = [*_replayed(task, actions)][-1]
    if facts is None or not task.goal <= facts:
        return False
    return task.ask == "plan" or len(actions) == _fewest(task)


def _shown(task: _Task, facts: frozenset[_Fact]) -> str:
    """Write which block is held, and which are on another one, by name."""
    roles = dict(task.roles)
    shown = sorted(fact for fact in facts if fact[0] in ("held", "on"))
    texts = []
    for role, *blocks in shown or [("empty",)]:
        plain = filled(_WORDS["plain"][role], dict(zip("xy", blocks, strict=False)))
        texts.append(" ".join([roles[role], *blocks]) if roles else plain)
    return ", ".join(texts)


def _follows(task: _Task, answer: str, lines: Sequence[str]) -> bool:
    """Replay the actions of the lines, and compare what is held and on other blocks."""
    actions = [line.partition(": ")[0] for line in lines]
    states = [*_replayed(task, actions)]
    if states[-1] is None or not task.goal <= states[-1]:
        return False
    shown = [_shown(task, facts) for facts in states if facts is not None]
    if [*lines] != [f"{action}: {text}" for action, text in zip(actions, shown, strict=True)]:
        return False
    if task.ask == "length":
        return answer == str(len(actions)) == str(_fewest(task))
    return answer == ", ".join(actions)


def _solve(task: _Task) -> str | None:
    fewest = _fewest(task) if task.ask == "length" else None
    return None if fewest is None else str(fewest)


def _plain(task: _Task, answer: str) -> str:
    """Return a plan in lower case, with single spaces."""
    del task
    words = answer.lower().replace(",", " , ").rstrip(" .").split()
    return " ".join(words).replace(" , ", ", ")


BLOCKS = AnswerChecker(
    _read,
    _accepts,
    _follows,
    _solve,
    _plain,
    lambda task: "integer" if task.ask == "length" else "string",
)
