"""Instructions for writers, with places for the topic, the limit and the list of skills."""

from __future__ import annotations

TOPIC, LIMIT, SKILLS = "{topic}", "{limit}", "{skills}"

WORDINGS = (
    "Write a short, natural text on the topic of {topic}. In at most {limit}, it has to show every "
    "skill of this list, without naming any:{skills}",
    "Compose a brief passage about {topic}, with each skill from the list below in it. Use no more "
    "than {limit}, and do not call a skill by its name.{skills}",
    "A text has to show what this list names:{skills}\nIt is about {topic}, reads naturally, and "
    "has at most {limit}. It gives none of the names away.",
    "Topic: {topic}\nLength: at most {limit}\nSkills:{skills}\nWrite a text that makes sense, "
    "keeps to topic and length, and shows every skill without saying its name.",
    "Your task is a piece of writing on {topic}, no longer than {limit}. Work in whatever the "
    "list asks for, but never by its name:{skills}\nReply with the text alone.",
    "A reader should find everything on this list in what you write:{skills}\nKeep to {topic}, "
    "write at most {limit} in all, make sense, and leave the names out.",
)
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven")


def limit_of(k: int) -> int:
    """Return how many sentences a text that shows k skills may have."""
    return max(1, k - 1)


def limit_text(k: int) -> str:
    """Write that limit in words."""
    n = limit_of(k)
    return f"{NUMBERS[n]} sentence{'s' if n > 1 else ''}"
