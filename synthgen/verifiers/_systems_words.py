"""What a reader of string manipulation knows: the 20 rules by number, as signs and as sentences."""

from __future__ import annotations

import numpy as np

RULES = {
    1: ("ab*>ca*", "begins with ab: exchange this ab for ca"),
    2: ("*ac>*cb", "ends in ac: exchange this ac for cb"),
    3: ("bc*>*aa", "begins with bc: take it off and put aa at the end"),
    4: ("*bb>*", "ends in bb: take this bb off"),
    5: (
        "cb*?>aa*",
        "begins with cb: exchange it for aa, then drop the last letter of what stands behind it, "
        "if anything does",
    ),
    6: ("ca*>bb*c", "begins with ca: exchange it for bb and put c at the end"),
    7: ("*cc>a*b", "ends in cc: exchange it for b and put a in front of everything"),
    8: ("aa*>a*", "begins with aa: take one a off at the front"),
    9: ("*abc*>*cab*", "holds abc: exchange the first abc for cab"),
    10: ("*bca*>**", "holds bca: take the first bca out"),
    11: ("*ba>*ab", "ends in ba: exchange this ba for ab"),
    12: ("cc*>*", "begins with cc: take this cc off"),
    13: ("*acb*>*bca*", "holds acb: exchange the first acb for bca"),
    14: ("*ca>*c", "ends in ca: take the a at the end off"),
    15: ("bb*>b*", "begins with bb: take one b off at the front"),
    16: ("*aa>*cc", "ends in aa: exchange this aa for cc"),
    17: (
        ".*ca*>.**",
        "holds a ca that does not start at the first letter: take the first such ca out",
    ),
    18: ("even-b>*ab", "has two b, or four, or six and so on: put ab at the end"),
    19: (
        "over-15>-mid",
        "is longer than 15 letters: take out the letter with half the length, rounded down, in "
        "front of it",
    ),
    20: ("ac*>zz*", "begins with ac: exchange this ac for zz"),
}
SIGNS, SENTENCES = 0, 1
"""Forms of a rule: two for each number, at 2 * (number - 1) and behind it in the tables below."""
N_RULES = len(RULES)
_FORMS = [form.encode() for rule in RULES.values() for form in rule]
LETTERS = np.frombuffer(b"".join(_FORMS), np.uint8)
STARTS = np.array([sum(map(len, _FORMS[:i])) for i in range(len(_FORMS) + 1)], np.int64)
LONGEST_FORM = max(map(len, _FORMS))
N_SLOTS, FACTOR, NO_FORM = 256, 31, -1


def _table() -> list[int]:
    slots = [NO_FORM] * N_SLOTS
    for number, form in enumerate(_FORMS):
        slot = 0
        for byte in form:
            slot = (slot * FACTOR + byte) % N_SLOTS
        while slots[slot] != NO_FORM:
            slot = (slot + 1) % N_SLOTS
        slots[slot] = number
    return slots


SLOTS = np.array(_table(), np.int64)
