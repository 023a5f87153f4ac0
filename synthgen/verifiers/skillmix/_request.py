"""What a prompt asks for: skills, topic, length, and the texts that it gives, if any."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from synthgen.core.skill_inventory import shipped_skills
from synthgen.core.skill_lexicon import topic_named

MOST_CHARACTERS = 20_000
"""A longer prompt is none of ours."""
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_UNNAMED = r" None of the skills may be named in the text\."
_MARKS = (
    r"Give a mark of 1 or 0 for each skill in the order of the list, then for the topic, for "
    r"whether the text makes sense, and for its length\. Write the marks with spaces between them\."
)
_S, _T = r"(?P<skills>[^:;\n]+?)", r"(?P<topic>[A-Za-z ]{1,60}?)"
_L = r"(?P<limit>[a-z]+ sentences?)"
_TEXT, _OTHER = r"(?P<text>[^\n]+)", r"(?P<other>[^\n]+)"
_FORMS: Mapping[str, tuple[re.Pattern[str], ...]] = {
    form: tuple(re.compile(text, re.ASCII) for text in texts)
    for form, texts in {
        "write": (
            rf"Write a text about {_T} of at most {_L} that shows all of these skills: {_S}\."
            + _UNNAMED,
            rf"Your topic is {_T}\. In no more than {_L}, show each of the following skills: {_S}\."
            + _UNNAMED,
            rf"Combine these skills in one short text: {_S}\. The text is about {_T} and has at "
            rf"most {_L}\." + _UNNAMED,
            rf"Please write at most {_L} about {_T} in which every one of these skills can be "
            rf"seen: {_S}\." + _UNNAMED,
            rf"Skills: {_S}\. Topic: {_T}\. Length: at most {_L}\. Write a text that meets all of "
            r"this\." + _UNNAMED,
            rf"Compose a short text on the topic of {_T}, using the skills {_S} in at most {_L}\."
            + _UNNAMED,
        ),
        "grade": (
            rf"A text about {_T} of at most {_L} was to show these skills: {_S}\.\n\n{_TEXT}\n\n"
            + _MARKS,
            rf"Check the text below\. Asked for were the skills {_S}, the topic {_T} and at most "
            rf"{_L}\.\n\n{_TEXT}\n\n" + _MARKS,
            rf"Does this text do what it should\?\n\n{_TEXT}\n\nIt should show the skills {_S}, be "
            rf"about {_T}, and have at most {_L}\. " + _MARKS,
        ),
        "choose": (
            rf"One of two texts about {_T} shows all of these skills: {_S}\. The other one lacks "
            rf"one of them\.\n\nA: {_TEXT}\n\nB: {_OTHER}\n\nWhich text shows them all\? Answer A "
            r"or B\.",
            rf"Somebody asked for a text about {_T} with the skills {_S}\.\n\nA: {_TEXT}\n\n"
            rf"B: {_OTHER}\n\nOnly one of these has every skill\. Answer A or B\.",
            rf"Text A: {_TEXT}\n\nText B: {_OTHER}\n\nBoth are about {_T}\. Which of them shows "
            rf"all of the skills {_S}\? Answer A or B\.",
        ),
    }.items()
}
_OPENING = 4
"""Characters by which forms are told apart; all are literal."""
_BY_OPENING: Mapping[str, tuple[str, re.Pattern[str]]] = {
    pattern.pattern[:_OPENING]: (form, pattern)
    for form, patterns in _FORMS.items()
    for pattern in patterns
}
_DEFINITIONS = re.compile(r"\n((?:\n[^\n:]+: [^\n]+)+)\Z")


class Request(NamedTuple):
    """What is asked for.

    Attributes:
        form: "write", "grade" or "choose".
        skills: ids in the order of the list.
        names: of the skills, in lower case, without what is in brackets.
        topic: name.
        texts: that the prompt gives, none to two.
    """

    form: str
    skills: tuple[str, ...]
    names: tuple[str, ...]
    topic: str
    texts: tuple[str, ...]

    @property
    def most_sentences(self) -> int:
        """How long the text may be."""
        return max(1, len(self.skills) - 1)


class _Known(NamedTuple):
    skill: str
    definition: str
    plain: str


@cache
def skills_by_name() -> Mapping[str, _Known]:
    """Return every skill that has a checker, and its name as a text would have it."""
    return {
        s.name: _Known(s.id, s.definition, s.name.partition("(")[0].strip().lower())
        for s in shipped_skills()
        if s.checker
    }


def read_request(prompt: str) -> Request | None:
    """Read a prompt; None if it is none of ours, or contradicts itself."""
    if len(prompt) > MOST_CHARACTERS:
        return None
    defined = _DEFINITIONS.search(prompt) if "\n\n" in prompt else None
    body = prompt[: defined.start()] if defined else prompt
    form, pattern = _BY_OPENING.get(prompt[:_OPENING], ("", None))
    match = pattern and pattern.fullmatch(body)
    return _request(form, match, defined[1] if defined else "") if match else None


def _request(form: str, match: re.Match[str], definitions: str) -> Request | None:
    found = match.groupdict()
    names, known = found["skills"].split(", "), skills_by_name()
    if not known.keys() >= set(names) or len(set(names)) != len(names):
        return None
    if topic_named(found["topic"]) is None:
        return None
    skills, defined, plains = zip(*[known[name] for name in names], strict=True)
    if definitions and definitions != "".join(
        [f"\n{name}: {one}" for name, one in zip(names, defined, strict=True)]
    ):
        return None
    texts = tuple([found[key] for key in ("text", "other") if found.get(key)])
    request = Request(form, skills, plains, found["topic"], texts)
    limit = found.get("limit")
    return request if limit in (None, _TOLD.get(request.most_sentences)) else None


_TOLD = {number: f"{word} sentence{'s' * (number > 1)}" for word, number in _NUMBERS.items()}
