"""Wordings of prompts that ask for a text, for marks of a text, or for the better of two."""

from __future__ import annotations

from collections.abc import Sequence

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNNAMED = "None of the skills may be named in the text."
_WRITE = (
    "Write a text about {topic} of at most {limit} that shows all of these skills: {skills}. "
    + _UNNAMED,
    "Your topic is {topic}. In no more than {limit}, show each of the following skills: {skills}. "
    + _UNNAMED,
    "Combine these skills in one short text: {skills}. The text is about {topic} and has at most "
    "{limit}. " + _UNNAMED,
    "Please write at most {limit} about {topic} in which every one of these skills can be seen: "
    "{skills}. " + _UNNAMED,
    "Skills: {skills}. Topic: {topic}. Length: at most {limit}. Write a text that meets all of "
    "this. " + _UNNAMED,
    "Compose a short text on the topic of {topic}, using the skills {skills} in at most {limit}. "
    + _UNNAMED,
)
_MARKS = (
    "Give a mark of 1 or 0 for each skill in the order of the list, then for the topic, for "
    "whether the text makes sense, and for its length. Write the marks with spaces between them."
)
_GRADE = (
    "A text about {topic} of at most {limit} was to show these skills: {skills}.\n\n{text}\n\n"
    + _MARKS,
    "Check the text below. Asked for were the skills {skills}, the topic {topic} and at most "
    "{limit}.\n\n{text}\n\n" + _MARKS,
    "Does this text do what it should?\n\n{text}\n\nIt should show the skills {skills}, be about "
    "{topic}, and have at most {limit}. " + _MARKS,
)
_CHOOSE = (
    "One of two texts about {topic} shows all of these skills: {skills}. The other one lacks one "
    "of them.\n\nA: {text}\n\nB: {other}\n\nWhich text shows them all? Answer A or B.",
    "Somebody asked for a text about {topic} with the skills {skills}.\n\nA: {text}\n\nB: {other}"
    "\n\nOnly one of these has every skill. Answer A or B.",
    "Text A: {text}\n\nText B: {other}\n\nBoth are about {topic}. Which of them shows all of the "
    "skills {skills}? Answer A or B.",
)
WORDINGS = {"write": _WRITE, "grade": _GRADE, "choose": _CHOOSE}


def told_limit(sentences: int) -> str:
    """Return a number of sentences in words."""
    return f"{NUMBERS[sentences]} sentence{'s' * (sentences > 1)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list with commas."""
    return ", ".join(names)
