"""The slow oracle of inference: sets of rules and of inputs in plain Python."""

from __future__ import annotations

import re

from synthgen.verifiers._problem_text import problem_of

_MOST_TEXT = 3_000
_STRING = "([a-z]+|_)"
_PAIR = re.compile(f"([a-z]+) = {_STRING}")
_HIDDEN = re.compile(rf"([a-z]+) > {_STRING} \| (\?+) = {_STRING}")


def exact_result(prompt: str) -> str | None:
    """Return the only answer of a prompt, or None if there is none or more than one."""
    told = problem_of(prompt)
    if len(told) > _MOST_TEXT:
        return None
    hidden = _HIDDEN.fullmatch(told)
    if hidden:
        x, y, unknown, output = (part.replace("_", "") for part in hidden.groups())
        return _only_input(x, y, output, len(unknown))
    pairs = [_PAIR.fullmatch(pair) for pair in told.split(" ; ")]
    found = [(pair[1], pair[2].replace("_", "")) for pair in pairs if pair]
    return _shortest_rule(found) if len(found) == len(pairs) else None


def _only_input(x: str, y: str, output: str, length: int) -> str | None:
    """Replace every y of the output by x, and see which of these inputs gives it again."""
    if x == y:
        return None
    tried = {
        output[:at] + x + output[at + len(y) :]
        for at in range(len(output) + 1)
        if output.startswith(y, at)
    }
    tried.add(output)
    fitting = [z for z in tried if len(z) == length and z.replace(x, y, 1) == output]
    return fitting[0] if len(fitting) == 1 else None


def _shortest_rule(pairs: list[tuple[str, str]]) -> str | None:
    """Intersect the sets of rules that explain the pairs that change, and drop what others deny."""
    changed = [(before, after) for before, after in pairs if before != after]
    if not changed:
        return None
    rules = set.intersection(*(_rules_of(before, after) for before, after in changed))
    rules = {(x, y) for x, y in rules if all(x not in z for z, after in pairs if z == after)}
    size = min((len(x) + len(y) for x, y in rules), default=0)
    shortest = [(x, y) for x, y in rules if len(x) + len(y) == size]
    return f"{shortest[0][0]} > {shortest[0][1] or '_'}" if len(shortest) == 1 else None


def _rules_of(before: str, after: str) -> set[tuple[str, str]]:
    """Return all rules that make one string of another."""
    rules = set()
    for left in range(len(before)):
        if before[:left] != after[:left]:
            break
        for right in range(min(len(before) - left - 1, len(after) - left) + 1):
            if right and before[-right] != after[-right]:
                break
            x, y = before[left : len(before) - right], after[left : len(after) - right]
            if before.find(x) == left:
                rules.add((x, y))
    return rules
