"""Wordings of figures of words inside figures of clauses.

In `[this|that]` the second side loses the first skill, in `<this|that>` the second one; see
`_pieces_lexical_wordings` for the rest.
"""

from __future__ import annotations

from typing import NamedTuple

from synthgen.generators.skillmix import _pieces_joints_content as joined
from synthgen.generators.skillmix import _pieces_lexical_content as contents
from synthgen.generators.skillmix import _pieces_lexical_images as images
from synthgen.generators.skillmix._pieces_lexical_words import ANY, Content, Texts


class JointWordings(NamedTuple):
    """How two skills are told at once.

    Attributes:
        skills: ids.
        content: chooses what makes the first skill, and perhaps the second.
        names: of the parts of the content.
        words: more words that it needs, by name or as name=kind.
        texts: with slots and the breaks of both.
    """

    skills: tuple[str, str]
    content: Content
    names: str
    words: str
    texts: Texts


EMBEDDED: tuple[JointWordings, ...] = (
    JointWordings(
        ("simile", "anaphora"),
        images.simile,
        "bearer trait image peer",
        "good place",
        {
            ANY: (
                "this {bearer} is as {trait} as [{image:a}|{peer:a}]; <this {bearer}|everything> "
                "comes from the {place}; this {bearer} has no need of {good}",
                "at the {place} the {bearer} is as {trait} as [{image:a}|{peer:a}]; <at the "
                "{place}|at home> they talk of nothing else; at the {place} even {good} counts "
                "for less",
                "each {bearer} looks as {trait} as [{image:a}|{peer:a}]; <each {bearer}|this> "
                "goes well with {good}; each {bearer} was chosen by the {place}",
            )
        },
    ),
    JointWordings(
        ("metaphor", "anaphora"),
        images.metaphor,
        "bearer image peer",
        "tool good",
        {
            ANY: (
                "this {bearer} is [{image:a}|{peer:a}]; <this {bearer}|the {tool}> has been here "
                "forever; this {bearer} has no need of {good}",
                "the {bearer} is [{image:a}|{peer:a}]; <the {bearer}|the {tool}> comes first; the "
                "{bearer} cannot do without {good}",
                "that {bearer} was [{image:a}|{peer:a}]; <that {bearer}|the {tool}> smelled of "
                "{good}; that {bearer} is sorely missed",
            )
        },
    ),
    JointWordings(
        ("litotes", "anaphora"),
        contents.litotes,
        "bearer bad fine",
        "tool good place",
        {
            ANY: (
                "this {bearer} is [not {bad}|{fine}]; <this {bearer}|the {tool}> belongs to the "
                "{place}; this {bearer} goes well with {good}",
                "every {bearer} is [not {bad}|{fine}] in some respect; <every {bearer}|the {tool}> "
                "comes from the {place}; every {bearer} needs {good}",
                "their {bearer} was [not at all {bad}|{fine}]; <their {bearer}|the {tool}> made a "
                "stir; their {bearer} got the best {good} of the {place}",
            )
        },
    ),
    JointWordings(
        ("personification", "anaphora"),
        images.personification,
        "thing deed rest",
        "person tool good place",
        {
            ANY: (
                "the {thing} [{deed}|{rest}] the {person}; <the {thing}|the {tool}> belongs to the "
                "{place}; the {thing} has no need of {good}",
                "this {thing} [{deed}|{rest}] the {person}; <this {thing}|this {tool}> has been "
                "at the {place} forever; this {thing} is worth more than {good}",
                "our {thing} [{deed}|{rest}] the {person}; <our {thing}|the {tool}> came here "
                "with {good}; our {thing} never saw another {place}",
            )
        },
    ),
    JointWordings(
        ("rhyme", "anaphora"),
        contents.rhyme,
        "one two plain",
        "verb tool tool2=tool good place",
        {
            ANY: (
                "we {verb} the {tool} {one}; <we|others> {verb} {good} [{two}|{plain}]; we {verb} "
                "whatever is left of the {tool2} afterwards",
                "they {verb} {good} {one}; <they|we> {verb} the {tool} [{two}|{plain}]; they "
                "{verb} anything that is in the {place} by then",
                "you {verb} the {tool} of the {place} {one}; <you|we> {verb} the {tool2} "
                "[{two}|{plain}]; you {verb} what remains of the {good} afterwards",
            )
        },
    ),
    JointWordings(
        ("oxymoron", "epistrophe"),
        contents.oxymoron,
        "odd plain noun",
        "person tool good place",
        {
            ANY: (
                "the {person} looked with [{odd}|{plain}] {noun} at the {tool}; all the talk of "
                "the {place} is of <the {tool}|the weather>; not even {good} comes before the "
                "{tool}",
                "there is [{odd}|{plain}] {noun} about the {tool}; {person:s} dream of <the "
                "{tool}|the weather>; nobody at the {place} can live without the {tool}",
                "with [{odd}|{plain}] {noun} they offered their {good}; at last the {person} had "
                "no more <{good}|money>; the whole {place} was without {good}",
            )
        },
    ),
    JointWordings(
        ("hyperbole", "epistrophe"),
        joined.waiting,
        "bold mild",
        "person tool good place",
        {
            ANY: (
                "the {person} has waited [{bold}|{mild}] for the {tool}; all the talk of the "
                "{place} is of <the {tool}|the weather>; not even {good} comes before the {tool}",
                "it takes [{bold}|{mild}] to pay for the {tool}; {person:s} dream of <the "
                "{tool}|the weather>; nobody at the {place} can live without the {tool}",
                "for [{bold}|{mild}] they have lived on {good}; the {person} asks for <{good}|a "
                "rest>; the whole {place} is full of {good}",
            )
        },
    ),
    JointWordings(
        ("litotes", "antithesis"),
        joined.opposite_people,
        "one other plain bad fine",
        "person rival=person",
        {
            ANY: (
                "the {one} {person} is [not {bad}|very {fine}], the <{other}|{plain}> {rival} is "
                "always tired",
                "{one} {person:s} are [not {bad}|very {fine}], but <{other}|{plain}> {rival:s} are "
                "always absent",
                "no doubt every {one} {person} was [not {bad}|most {fine}], yet no doubt every "
                "<{other}|{plain}> {rival} was always afraid",
            )
        },
    ),
    JointWordings(
        ("metaphor", "isocolon"),
        joined.twins,
        "bearer rival image image2 peer peer2",
        "",
        {
            ANY: (
                "the {bearer} is [{image:a}|{peer:a}], the {rival} is <|perhaps "
                ">[{image2:a}|{peer2:a}]",
                "they say the {bearer} was [{image:a}|{peer:a}], we say the {rival} was <|merely "
                ">[{image2:a}|{peer2:a}]",
                "every {bearer} is [{image:a}|{peer:a}], and every {rival} is <|really "
                ">[{image2:a}|{peer2:a}]",
            )
        },
    ),
    JointWordings(
        ("synesthesia", "anadiplosis"),
        contents.synesthesia,
        "odd plain noun",
        "person tool good place",
        {
            ANY: (
                "the {tool} gave the {place} [{odd:a}|{plain:a}] {noun}; <this {noun}|the evening> "
                "pleased the {person}",
                "with the {good} arose [{odd:a}|{plain:a}] {noun}; <the {noun}|everything> "
                "reminded the {person} of the {place}",
                "over the {tool} hung [{odd:a}|{plain:a}] {noun}; <such a {noun}|that day> would "
                "haunt the {person}",
            )
        },
    ),
    JointWordings(
        ("alliteration", "epizeuxis"),
        contents.alliteration,
        "trait plain person deed",
        "good place",
        {
            ANY: (
                "[{trait}|{plain}] {person:s} {deed} {good}, {good}<, {good}|>",
                "at the {place}, [{trait}|{plain}] {person:s} {deed} {good}, {good}<, {good}|>",
                "these [{trait}|{plain}] {person:s} {deed} {good}, {good}<, {good}|>, until the "
                "{place} is empty",
            )
        },
    ),
    JointWordings(
        ("oxymoron", "diacope"),
        contents.oxymoron,
        "odd plain noun",
        "person tool good place",
        {
            ANY: (
                "with [{odd}|{plain}] {noun} the {person} heaps {good} upon <{good}|the {tool}>",
                "there was [{odd}|{plain}] {noun} in the {place}, and only {good} after "
                "<{good}|the {tool}>",
                "in [{odd}|{plain}] {noun} they offered <{tool} after {tool}|one {tool} after "
                "another> to the {place}",
            )
        },
    ),
)
