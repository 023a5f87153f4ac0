"""The probability that no position keeps a given letter, from the text."""

from __future__ import annotations

from synthgen.verifiers.omega.combinatorics._shuffles import ShuffleVerifier

_EVENTS = (
    "What is the probability that no position of the row shows <s> both before and after the"
    " shuffle? (A row without <again> counts as well.)",
    "What is the probability that no position holds <s> in both words? (This includes the case"
    " that neither word contains <again>.)",
    "How likely is it that none of the positions that showed <s> at first shows <again> again?"
    " (If there is no <anew> among the drawn tiles, this holds too.)",
    "Find the probability that no position has <s> before as well as after the mixing; rows with"
    " no <again> at all are counted in.",
    "Determine the probability that the rearrangement puts <s> in no position that had <again>"
    " before, rows that contain no <anew> included.",
)

VERIFIER = ShuffleVerifier(_EVENTS, lambda kept, asked: kept == asked, "copies")
