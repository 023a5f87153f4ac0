"""Wordings of figures of clauses over the items or the premises of another skill.

In `[this|that]` the second side loses the first skill, in `<this|that>` the second one; see
`_pieces_lexical_wordings` for the rest.
"""

from __future__ import annotations

from synthgen.generators.skillmix import _pieces_joints_content as joined
from synthgen.generators.skillmix._pieces_joints_embedded import JointWordings
from synthgen.generators.skillmix._pieces_lexical_words import ANY

OVERLAID: tuple[JointWordings, ...] = (
    JointWordings(
        ("climax", "polysyndeton"),
        joined.rising,
        "bearer weak strong strongest",
        "place good",
        {
            ANY: (
                "at the {place} the {bearer} was {weak}< and|,> [{strong}|{strongest}] and "
                "[{strongest}|{strong}]",
                "they found the {bearer} {weak}< and|,> [{strong}|{strongest}] and "
                "[{strongest}|{strong}] at the {place}",
                "because of the {good}, the {bearer} looked {weak}< and|,> "
                "[{strong}|{strongest}] and [{strongest}|{strong}]",
            )
        },
    ),
    JointWordings(
        ("climax", "asyndeton"),
        joined.rising,
        "bearer weak strong strongest",
        "place good",
        {
            ANY: (
                "at the {place} the {bearer} was {weak}, [{strong}|{strongest}]<,| and> "
                "[{strongest}|{strong}]",
                "in spite of the {good} the {bearer} became {weak}, [{strong}|{strongest}]<,| and> "
                "[{strongest}|{strong}]",
                "they found the {bearer} {weak}, [{strong}|{strongest}]<,| and> "
                "[{strongest}|{strong}]; no {good} could help",
            )
        },
    ),
    JointWordings(
        ("climax", "anaphora"),
        joined.rising,
        "bearer weak strong strongest",
        "place good",
        {
            ANY: (
                "the {bearer} was {weak} at first; <the {bearer}|everybody> was "
                "[{strong}|{strongest}] at the {place}; the {bearer} was [{strongest}|{strong}] in "
                "the end",
                "this {bearer} looked {weak} from afar; <this {bearer}|the {place}> looked "
                "[{strong}|{strongest}] at noon; this {bearer} looked [{strongest}|{strong}] "
                "among the {good}",
                "no {bearer} is {weak} without {good}; <no {bearer}|nobody> is "
                "[{strong}|{strongest}] by choice; no {bearer} is [{strongest}|{strong}] for ever",
            )
        },
    ),
    JointWordings(
        ("climax", "epistrophe"),
        joined.rising,
        "bearer weak strong strongest",
        "place good",
        {
            ANY: (
                "{weak} at the {place} was the {bearer}; [{strong}|{strongest}] in the dark was "
                "<the {bearer}|everybody>; [{strongest}|{strong}] after all was the {bearer}",
                "{weak} they called the {bearer}; [{strong}|{strongest}] with {good} seemed <the "
                "{bearer}|everybody>; [{strongest}|{strong}] at last was the {bearer}",
                "{weak} is what the {place} calls the {bearer}; [{strong}|{strongest}] would suit "
                "<the {bearer}|everybody>; [{strongest}|{strong}] is right for the {bearer}",
            )
        },
    ),
    JointWordings(
        ("personification", "polysyndeton"),
        joined.moods,
        "thing one two three still still2 still3",
        "person place",
        {
            ANY: (
                "at the {place} the {thing} [{one}|{still}]< and|,> [{two}|{still2}] and "
                "[{three}|{still3}]",
                "when the {person} leaves, the {thing} [{one}|{still}]< and|,> [{two}|{still2}] "
                "and [{three}|{still3}]",
                "the {thing} [{one}|{still}]< and|,> [{two}|{still2}] and [{three}|{still3}] at "
                "the {place}",
            )
        },
    ),
    JointWordings(
        ("slippery_slope", "gradatio"),
        joined.end_of_slope,
        "bad happy",
        "one=good two=good three=good",
        {
            ANY: (
                "if there is {one} then there is {two}; <|we know that >if there is {two} then "
                "there is also {three}; if there is {three} then at last there is [{bad}|{happy}]",
                "if there is {one} then there will be {two}; <|we know that >if there is {two} "
                "then there will also be {three}; if there is {three} then before long there will "
                "be [{bad}|{happy}]",
                "if there is too much {one} then there is too much {two}; <|everybody knows that "
                ">if there is too much {two} then there is also too much {three}; if there is too "
                "much {three} then there is [{bad}|{happy}] at last",
            )
        },
    ),
    JointWordings(
        ("hasty_generalisation", "anaphora"),
        joined.nothing,
        "",
        "person tool good place verb",
        {
            ANY: (
                "this {person} stays at the {place}; <this {person}|everybody> talks of {good}; "
                "this {person} {verb:z} the {tool}; so [every|some] {person} {verb:z} the {tool}",
                "one {person} talks of {good} all day; <one {person}|another> never leaves the "
                "{place}; one {person} is fond of the {tool}; hence [every|some] {person} is fond "
                "of the {tool}",
                "this {person} sleeps in the {place}; <this {person}|nobody> lives on {good}; this "
                "{person} hates the {tool}; it follows that [every|some] {person} hates the {tool}",
            )
        },
    ),
    JointWordings(
        ("counting", "polysyndeton"),
        joined.counted,
        "one two three total wrong all",
        "person place",
        {
            ANY: (
                "in the {place} the {person} counted {one}< and|,> {two} and {three}, which makes "
                "[{total}|{wrong}] {all}",
                "the {person} packed {one}< and|,> {two} and {three}, [{total}|{wrong}] {all} in "
                "all",
                "the {place} has {one}< and|,> {two} and {three}; altogether that is "
                "[{total}|{wrong}] {all}",
            )
        },
    ),
    JointWordings(
        ("counting", "asyndeton"),
        joined.counted,
        "one two three total wrong all",
        "person place",
        {
            ANY: (
                "in the {place} the {person} counted {one}, {two}<,| and> {three}; that makes "
                "[{total}|{wrong}] {all}",
                "the {place} has {one}, {two}<,| and> {three}; altogether that is "
                "[{total}|{wrong}] {all}",
                "the {person} bought {one}, {two}<,| and> {three}; these make "
                "[{total}|{wrong}] {all} in all",
            )
        },
    ),
)
