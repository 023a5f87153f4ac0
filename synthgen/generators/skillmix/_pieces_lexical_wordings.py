"""Wordings of the figures of words.

A name in braces is a part: of the content, which `_pieces_lexical_content` and
`_pieces_lexical_images` choose, or a word of the topic; `:form` behind it is a form of it. In
`[this|that]` the first side makes the figure and the second one breaks it.
"""

from __future__ import annotations

from typing import NamedTuple

from synthgen.generators.skillmix import _pieces_lexical_content as contents
from synthgen.generators.skillmix import _pieces_lexical_images as images
from synthgen.generators.skillmix._pieces_lexical_words import ANY, Content, Texts


class Wordings(NamedTuple):
    """How a figure is told.

    Attributes:
        content: chooses what makes the figure.
        names: of the parts of the content.
        words: more words that it needs, by name or as name=kind.
        texts: with slots and the two sides of the break.
    """

    content: Content
    names: str
    words: str
    texts: Texts


WORDINGS: dict[str, Wordings] = {
    "alliteration": Wordings(
        contents.alliteration,
        "trait plain person deed",
        "tool place good",
        {
            ANY: (
                "[{trait}|{plain}] {person:s} {deed} the {tool} at the {place}",
                "at the {place}, [{trait}|{plain}] {person:s} {deed} the {tool}",
                "only [{trait}|{plain}] {person:s} {deed} {good} for the {place}",
                "these [{trait}|{plain}] {person:s} {deed} one {tool} after another",
                "all year, [{trait}|{plain}] {person:s} {deed} {good} at the {place}",
            )
        },
    ),
    "rhyme": Wordings(
        contents.rhyme,
        "one two plain",
        "person tool tool2=tool good place verb verb2=verb",
        {
            ANY: (
                "the {person} {verb:ed} the {tool} {one}, and nobody {verb2:ed} the {tool2} "
                "[{two}|{plain}]",
                "they {verb:ed} the {tool} {one}; they hardly {verb2:ed} {good} [{two}|{plain}]",
                "at the {place} the {person} worked {one}, but the {tool} was lost [{two}|{plain}]",
                "some {person:s} {verb:ed} {good} {one}; most of them left the {tool} "
                "[{two}|{plain}]",
                "{person:a} stayed at the {place} {one}, and the {tool} was missed [{two}|{plain}]",
            )
        },
    ),
    "antithesis": Wordings(
        contents.antithesis,
        "one other plain",
        "person rival=person tool tool2=tool good good2=good place place2=place verb verb2=verb",
        {
            ANY: (
                "the {one} {person} {verb:z} the {tool}, the [{other}|{plain}] {rival} {verb2:z} "
                "the {tool2}",
                "{one} {person:s} {verb} the {tool}, and [{other}|{plain}] {rival:s} {verb2} the "
                "{tool2}",
                "the {tool} goes to {one} {person:s}, the {tool2} goes to [{other}|{plain}] "
                "{rival:s}",
                "no {one} {person} comes to the {place}, no [{other}|{plain}] {rival} comes to the "
                "{place2}",
                "for {one} {person:s} it is {good}, but for [{other}|{plain}] {rival:s} it is "
                "{good2}",
            )
        },
    ),
    "climax": Wordings(
        contents.climax,
        "about weak strong strongest",
        "person tool place",
        {
            "mood": (
                "the {person} at the {place} was {weak}, then [{strong}|{strongest}], and in the "
                "end [{strongest}|{strong}]",
                "when the {tool} broke, the {person} became {weak}, [{strong}|{strongest}] and at "
                "last [{strongest}|{strong}]",
                "{weak}, [{strong}|{strongest}], even [{strongest}|{strong}] was the {person} who "
                "had lost the {tool}",
                "nobody at the {place} was merely {weak} about the {tool}; they were "
                "[{strong}|{strongest}] and soon [{strongest}|{strong}]",
            ),
            "quality": (
                "to the {person} the {tool} was {weak}, then [{strong}|{strongest}], and in the "
                "end [{strongest}|{strong}]",
                "the {tool} looked {weak}, [{strong}|{strongest}] and at last "
                "[{strongest}|{strong}] to the {person}",
                "{weak}, [{strong}|{strongest}], even [{strongest}|{strong}] was the {tool} in the "
                "{place}",
                "no {person} called the {tool} merely {weak}; it was [{strong}|{strongest}] and "
                "soon [{strongest}|{strong}]",
            ),
        },
    ),
    "litotes": Wordings(
        contents.litotes,
        "bearer bad fine",
        "good place verb",
        {
            ANY: (
                "the {bearer} at the {place} is [not {bad}|{fine}]",
                "in spite of the {good}, this {bearer} is [not {bad}|{fine}]",
                "while they {verb} {good}, the {bearer} appears [not {bad}|{fine}]",
                "it was [not {bad:a}|{fine:a}] {bearer} that arrived at the {place}",
                "people call the {bearer} from the {place} [not at all {bad}|{fine}]",
            )
        },
    ),
    "oxymoron": Wordings(
        contents.oxymoron,
        "odd plain noun",
        "person tool place verb",
        {
            ANY: (
                "the {person} treats the {tool} with [{odd}|{plain}] {noun}",
                "when the {person} arrived, there was [{odd}|{plain}] {noun} in the {place}",
                "with [{odd}|{plain}] {noun} they {verb} the {tool}",
                "all that the {person} felt at the {place} was [{odd}|{plain}] {noun}",
                "[{odd}|{plain}] {noun} overcame the {person} who had found the {tool}",
            )
        },
    ),
    "simile": Wordings(
        images.simile,
        "bearer trait image peer",
        "good place",
        {
            ANY: (
                "at the {place} the {bearer} is as {trait} as [{image:a}|{peer:a}]",
                "the {bearer} with the {good} looks as {trait} as [{image:a}|{peer:a}]",
                "with {good} all around, the {bearer} seemed as {trait} as [{image:a}|{peer:a}]",
                "in the {place} the {bearer} was {trait} like [{image:a}|{peer:a}]",
                "anybody at the {place} can see that the {bearer} is as {trait} as "
                "[{image:a}|{peer:a}]",
            )
        },
    ),
    "metaphor": Wordings(
        images.metaphor,
        "bearer image peer",
        "rival=person tool good verb",
        {
            ANY: (
                "to the {rival}, the {bearer} is [{image:a}|{peer:a}]",
                "the {bearer} was [{image:a}|{peer:a}] in the days of {good}",
                "they say that the {bearer} is [{image:a}|{peer:a}] for every {rival}",
                "whatever they {verb}, the {bearer} is [{image:a}|{peer:a}]",
                "because the {bearer} is [{image:a}|{peer:a}], they {verb} the {tool}",
            )
        },
    ),
    "personification": Wordings(
        images.personification,
        "thing deed rest",
        "person good place verb",
        {
            ANY: (
                "at the {place} the {thing} [{deed}|{rest}] the {person}",
                "when the {person} leaves, the {thing} [{deed}|{rest}] the {good}",
                "all evening the {thing} [{deed}|{rest}] the {person}",
                "they {verb} {good} while the {thing} [{deed}|{rest}] the {person}",
                "the old {thing} [{deed}|{rest}] the {person} from the {place}",
            )
        },
    ),
    "hyperbole": Wordings(
        images.hyperbole,
        "about bold mild more tool",
        "person thing=tool good place verb",
        {
            "time": (
                "the {person} has waited [{bold}|{mild}] for the {thing}",
                "for [{bold}|{mild}] the {person} has talked of nothing but {good}",
                "it takes {person:a} [{bold}|{mild}] to {verb} the {thing}",
                "the {thing} lay at the {place} for [{bold}|{mild}]",
                "[{bold}|{mild}] went by before the {person} came back to the {place}",
            ),
            "than": (
                "the {tool} in the {place} is {more} than [{bold}|{mild}]",
                "to the {person}, the {tool} felt {more} than [{bold}|{mild}]",
                "they had to {verb} {tool:a} {more} than [{bold}|{mild}]",
                "the {person} swears that the {tool} is {more} than [{bold}|{mild}]",
                "after a week at the {place}, the {tool} was {more} than [{bold}|{mild}]",
            ),
        },
    ),
    "synesthesia": Wordings(
        contents.synesthesia,
        "odd plain noun",
        "person tool good place",
        {
            ANY: (
                "the {tool} at the {place} has [{odd:a}|{plain:a}] {noun}",
                "from the {good} in the {place} arose [{odd:a}|{plain:a}] {noun}",
                "the {person} observed [{odd:a}|{plain:a}] {noun} over the {tool}",
                "there is [{odd:a}|{plain:a}] {noun} about this {tool}, says the {person}",
                "with [{odd:a}|{plain:a}] {noun}, the {tool} attracts even the {person}",
            )
        },
    ),
}
