"""Wordings of the figures of speech.

A number in braces is a word of the parts, `:form` behind it a form of that word (see
`_pieces_figures`). In `[this|that]` the first side makes the figure and the second one breaks it:
nothing else differs. The words around the slots are chosen so that no other figure arises: clauses
of a segment differ in length, hardly a content word comes twice, and lists have their "and".
"""

from __future__ import annotations

from typing import NamedTuple


class Wordings(NamedTuple):
    """How a figure is told.

    Attributes:
        parts: kinds of the words it needs, in the order of their numbers.
        texts: with slots and the two sides of the break.
    """

    parts: str
    texts: tuple[str, ...]


WORDINGS: dict[str, Wordings] = {
    "anaphora": Wordings(
        "person tool tool good place verb",
        (
            "we {5} the {1}; [we|they] {5} whatever {3} is left; we {5} the {2} that came "
            "from the {4}",
            "this {0} {5:z} the {1}; [this {0}|a neighbor] knows where each {2} at the {4} "
            "belongs; this {0} never wastes {3}",
            "without {3} the {1} is of no use; [without {3}|in such times] no {0} will stay; "
            "without {3} even the {4} falls silent",
            "some {0:s} {5} the {1} by hand; [some {0:s}|others] trust {3} alone; some {0:s} leave "
            "the {2} at the {4} overnight",
            "by the {4} lies {2:a}; [by the {4}|at noon] {0:s} gather in silence; by the {4} "
            "there is {3} for anybody who comes",
        ),
    ),
    "epistrophe": Wordings(
        "person tool tool good place verb",
        (
            "the {0} asks for {3}; at the {4} they talk only of [{3}|the weather]; not even the "
            "{1} comes before {3}",
            "to {5} the {1} takes {3}; the {2} at the {4} needs [{3}|attention]; one hardly leaves "
            "home without {3}",
            "the {0:s} dream of the {1}; all the talk at the {4} is of [the {1}|the weather]; even "
            "{3} counts for less than the {1}",
            "the {0} walked to the {4}; a cart brought {3} to the [{4}|gate]; at dusk the last {1} "
            "reached the {4}",
            "one {0} sells {3}; on market days dozens of people buy [{3}|bread]; next to the {4} a "
            "whole shed is full of {3}",
        ),
    ),
    "symploce": Wordings(
        "person tool tool good place verb",
        (
            "the {0} dreams of {3}; the {0} looks for the {1} and finds only [{3}|dust]; the "
            "{0} would trade even the {2} for {3}",
            "no {0} can work long without {3}; no {0} ever reached the {4} [without {3}|after "
            "dark]; no {0} {5:z} {1:a} without {3}",
            "they {5} the {1} at the {4}; they {5} {3} [beside the {4}|at home]; they {5} whatever "
            "the {0} carries to the {4}",
            "some {0:s} live by the {1}; some {0:s} would give up the {4} for the [{1}|{2}]; some "
            "{0:s} can think of little except the {1}",
        ),
    ),
    "anadiplosis": Wordings(
        "person tool tool good place verb",
        (
            "the {0} {5:ed} the {1}; the [{1}|{2}] has been at the {4} ever since",
            "at the {4} they ran out of {3}; [{3}|bread] had never been so dear to the {0}",
            "nothing is left except the {1}; this [{1}|{2}] belongs to the {0}",
            "they followed the {0:s} to the {4}; [at the {4}|under a tarp] lay {1:a}",
            "every morning {0:s} {5} {3}; [{3}|the {2}] attracts buyers to the {4}",
        ),
    ),
    "gradatio": Wordings(
        "person tool tool good place",
        (
            "the {0} relies on the {1}; the {1} is nothing without {3}; [{3}|the {2}] comes only "
            "from the {4}",
            "first came the {4}; the {4} attracted {0:s}; [{0:s}|soon they] asked for {1:s}; {1:s} "
            "required {3}",
            "with good {3} comes {1:a}; the {1} supports the {0}; the [{0}|owner] never stays "
            "away from the {4}",
            "at the {4} lies {2:a}; the {2} goes with {3}; [{3}|such a sight] attracts {0:s} from "
            "afar",
        ),
    ),
    "inclusio": Wordings(
        "person tool place verb",
        (
            "night falls over the {2}; the {0} {3:z} the {1}; [night|snow] falls over the {2}",
            "dawn breaks over the {2}; the {0} {3:z} the {1} at last; [dawn|thunder] breaks over "
            "the {2}",
            "fog hangs over the {2}; the {0} {3:z} the {1} even so; [fog|smoke] hangs over the {2}",
            "the moon shines on the {2}; one {0} {3:z} the {1}; the [moon|sun] shines on the {2}",
            "rain falls on the {2}; the {0} {3:z} the {1} indoors; [rain|sleet] falls on the {2}",
            "dusk gathers around the {2}; every {0} {3:z} the {1}; [dusk|dust] gathers around the "
            "{2}",
            "it is late at the {2}; the {0} {3:z} the {1} with care; it is [late|noisy] at the {2}",
            "a bell rings at the {2}; the {0} {3:z} the {1} once more; a bell rings at the "
            "[{2}|gate]",
        ),
    ),
    "epanalepsis": Wordings(
        "person tool tool good place good",
        (
            "{3} bought at the {4} is never quite the same [{3}|thing]",
            "{1:s} were all that the {0} owned, and nobody else at the {4} cared for [{1:s}|{2:s}]",
            "{3} is what the {0} went out to fetch, and what came back was [{3}|{5}]",
            "{1:s} come and go, yet every {0} remembers those first [{1:s}|{2:s}]",
            "{3} alone will not fill the {4}, whatever the {0:s} may tell you about [{3}|{5}]",
        ),
    ),
    "antimetabole": Wordings(
        "person tool person",
        (
            "not every {0} has {1:a}; seldom does {1:a} make [{0:a}|{2:a}]",
            "{0:a} without {1:a} is lost; {1:a} without [{0:a}|{2:a}] is idle",
            "the {0} changes the {1}, but slowly the {1} shapes the [{0}|{2}]",
            "we judge the {0} by the {1}; later we judge the {1} by the [{0}|{2}]",
            "they sent {0:s} for the {1:s}, and in the end got {1:s} but no [{0:s}|{2:s}]",
        ),
    ),
    "polysyndeton": Wordings(
        "person tool tool tool good place verb verb verb",
        (
            "the {0:s} {6:ed}[ and|,] {7:ed} and {8:ed} the {1}",
            "the {0} brought {1:s}[ and|,] {2:s} and {4} to the {5}",
            "at the {5} lay {1:s}[ and|,] {2:s}[ and|,] {3:s} and {4}",
            "they {6}[ and|,] {7} and {8} {4}",
            "the {0} asked for [neither|no] {1:s}[ nor|,] {2:s} [nor|or] {4}",
        ),
    ),
    "asyndeton": Wordings(
        "person tool tool tool good place verb verb verb",
        (
            "the {0:s} {6:ed}, {7:ed}[,| and] {8:ed} the {1}",
            "the {0} brought {1:s}, {2:s}[,| and] {4}",
            "the {5} was full of {1:s}, {2:s}, {3:s}[,| and] {4}",
            "at this {5} they {6}, {7}[,| and] {8} {4}",
            "at the {5} there were no {1:s}, no {2:s}[,| and] no {4}",
        ),
    ),
    "epizeuxis": Wordings(
        "person tool tool good place verb",
        (
            "{5}, {5}[, {5}|] the {1}, says the {0}",
            "the {0} wants {3}, {3}[, {3}|]",
            "it is {3}, {3}[, {3}|] from morning to night at the {4}",
            "all the way to the {4} there was {3}, {3}[, {3}|]",
            "for {0:a} the road to the {4} is long, long[, long|]",
        ),
    ),
    "diacope": Wordings(
        "person tool tool good place verb",
        (
            "the {0} trusts {3} and only [{3}|the {1}]",
            "{1:a} is [only {1:a}|of no use] until the {0} {5:z} it",
            "they {5} [{1} after {1}|one {1} after another] at the {4}",
            "the {0} moved from {1} to [{1}|{2}] without a word",
            "at the {4} the {0} heaps {3} upon [{3}|the {1}]",
        ),
    ),
    "isocolon": Wordings(
        "person person tool tool verb verb place place",
        (
            "the {0:s} {4} the {2:s}, and the {1:s} [|never ]{5} the {3:s}",
            "the {0} {4:ed} the {2}, the {1} [|never ]{5:ed} the {3}",
            "at the {6} they {4} the {2:s}, at the {7} they [|seldom ]{5} the {3:s}",
            "every {0} {4:z} {2:a}, and every {1} [|gladly ]{5:z} {3:a}",
        ),
    ),
    "tricolon": Wordings(
        "person person person tool tool tool verb verb verb",
        (
            "the {0:s} {6} the {3:s}, the {1:s} {7} the {4:s}, and the {2:s} [|never ]{8} the "
            "{5:s}",
            "every {0} {6:z} {3:a}, every {1} {7:z} {4:a}, and every {2} [|gladly ]{8:z} {5:a}",
            "the {0} {6:ed} the {3}, the {1} {7:ed} the {4}, and the {2} [|never ]{8:ed} the {5}",
            "we {6} the {3}, we {7} the {4}, and we [|sometimes ]{8} the {5}",
        ),
    ),
    "polyptoton": Wordings(
        "person tool verb verb good place",
        (
            "{2:ing} the {1} is easy for {0:a} who [{2:z}|{3:z}] it daily",
            "the {0} {2:z} {4} and keeps on [{2:ing}|{3:ing}] it",
            "they {2} the {1} at the {5} for the love of [{2:ing}|{3:ing}]",
            "the {0} learned to {2} {4} by [{2:ing}|{3:ing}] the {1}",
            "whoever {2:z} the {1} goes on [{2:ing}|{3:ing}] it for years",
        ),
    ),
}
