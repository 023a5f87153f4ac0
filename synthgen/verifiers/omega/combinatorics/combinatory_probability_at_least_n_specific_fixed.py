"""The probability that at least so many positions keep a given letter, from the text."""

from __future__ import annotations

from synthgen.verifiers.omega.combinatorics._shuffles import ShuffleVerifier

_EVENTS = (
    "What is the probability that the number of positions of the row that show <s> both before"
    " and after the shuffle is at least <j>?",
    "What is the probability that the number of positions that hold <s> in both words is <j> or"
    " more?",
    "How likely is it that, of the positions that showed <s> at first, the number that show"
    " <again> again is no less than <j>?",
    "Find the probability that the count of positions with <s> before as well as after the mixing"
    " is not below <j>.",
    "Determine the probability that the number of positions that had <s> before the rearrangement"
    " and have <again> after it reaches <j>, or more than that.",
)

VERIFIER = ShuffleVerifier(_EVENTS, lambda kept, asked: kept >= asked > 0, "copies")
