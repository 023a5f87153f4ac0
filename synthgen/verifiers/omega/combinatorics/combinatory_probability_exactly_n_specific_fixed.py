"""The probability that so many positions keep a given letter, from the text."""

from __future__ import annotations

from synthgen.verifiers.omega.combinatorics._shuffles import ShuffleVerifier

_EVENTS = (
    "What is the probability that the number of positions of the row that show <s> both before"
    " and after the shuffle is exactly <j>?",
    "What is the probability that the number of positions that hold <s> in both words equals <j>?",
    "How likely is it that, of the positions that showed <s> at first, the number that show"
    " <again> again is exactly <j>?",
    "Find the probability that the count of positions with <s> before as well as after the mixing"
    " is <j>, neither more nor less.",
    "Determine the probability that the number of positions that had <s> before the rearrangement"
    " and have <again> after it is precisely <j>.",
)

VERIFIER = ShuffleVerifier(_EVENTS, lambda kept, asked: kept == asked > 0, "copies")
