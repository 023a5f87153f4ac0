"""The probability that no position keeps its letter, from the text."""

from __future__ import annotations

from synthgen.verifiers.omega.combinatorics._shuffles import ShuffleVerifier

_EVENTS = (
    "What is the probability that no position of the row shows the same letter before and after"
    " the shuffle?",
    "What is the probability that the two words differ in every position?",
    "How likely is it that every position then shows another letter than it did at first?",
    "Find the probability that nowhere in the row the letter after the mixing equals the letter"
    " that stood there before.",
    "Determine the probability that the rearrangement leaves no position with the letter that it"
    " had.",
)

VERIFIER = ShuffleVerifier(_EVENTS, lambda kept, asked: kept == asked, "pattern")
