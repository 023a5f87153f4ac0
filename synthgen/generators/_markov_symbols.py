"""Symbols of rewriting programs: letters, strings, rules, programs, numbers and tasks.

A problem is a tree such as `(run (program2 (rule (string2 b a) (string2 a b)) (stop_rule (string1
c) string0)) (string4 b b a a))`, whatever the parameters: so it has the same id everywhere.
"""

from __future__ import annotations

from functools import cache
from string import ascii_lowercase, ascii_uppercase, digits

from synthgen.core.derivation import Signature
from synthgen.generators._markov_engine import (
    MOST_LENGTH,
    MOST_RULES,
    MOST_STEPS,
    SCOPES,
    STRATEGIES,
)

LETTERS = ascii_lowercase + ascii_uppercase + digits
"""In the order that inversions and lexicographic comparison go by."""
TASKS = ("run", "next_rule", "status", "apply_k")
RUN, NEXT_RULE, STATUS_TASK, APPLY_K = range(4)

STRING = len(LETTERS)
"""Code of the empty string; a string of k letters comes k later."""
RULE = STRING + MOST_LENGTH + 1
"""Code of an ordinary rule of the first scope: 2 * scope + stop later for the others."""
PROGRAM = RULE + 2 * len(SCOPES)
"""Code of a program of one rule: strategy * MOST_RULES + rules - 1 later for the others."""
NUMBER = PROGRAM + len(STRATEGIES) * MOST_RULES
"""Code of the number 0."""
MOST_NUMBER = max(MOST_STEPS, MOST_LENGTH)
TASK = NUMBER + MOST_NUMBER + 1
_TASK_ARITIES = (2, 2, 4, 3)


@cache
def signature() -> Signature:
    """Return the vocabulary of all programs."""
    names = list(LETTERS)
    arities = [0] * len(LETTERS)
    names += [f"string{length}" for length in range(MOST_LENGTH + 1)]
    arities += range(MOST_LENGTH + 1)
    for scope in SCOPES:
        suffix = "" if scope == SCOPES[0] else f"_{scope}"
        names += [f"rule{suffix}", f"stop_rule{suffix}"]
        arities += [2, 2]
    for strategy in STRATEGIES:
        name = "program" if strategy == STRATEGIES[0] else strategy
        names += [f"{name}{count}" for count in range(1, MOST_RULES + 1)]
        arities += range(1, MOST_RULES + 1)
    names += [f"#{number}" for number in range(MOST_NUMBER + 1)]
    arities += [0] * (MOST_NUMBER + 1)
    return Signature((*names, *TASKS), (*arities, *_TASK_ARITIES))
