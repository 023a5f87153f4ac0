"""The words of puzzles of houses, and what each kind of clue means."""

from __future__ import annotations

from typing import NamedTuple


class Category(NamedTuple):
    """A kind of thing that everybody has one of.

    Attributes:
        title: of the list of its values.
        holder: who has a value, as subject or object.
        does, does_not: what is said of that person.
        question: what is asked of a person.
        values: that a puzzle can name.
    """

    title: str
    holder: str
    does: str
    does_not: str
    question: str
    values: tuple[str, ...]


CATEGORIES = (
    Category(
        "Names",
        "{}",
        "is {}",
        "is not {}",
        "What is the name of {}?",
        ("Alma", "Bruno", "Clara", "Dario", "Edith", "Fabio", "Greta", "Henrik"),
    ),
    Category(
        "Drinks",
        "the person who drinks {}",
        "drinks {}",
        "does not drink {}",
        "What does {} drink?",
        ("tea", "coffee", "milk", "cocoa", "cider", "lemonade", "water", "buttermilk"),
    ),
    Category(
        "Animals",
        "the owner of the {}",
        "owns the {}",
        "does not own the {}",
        "Which animal does {} own?",
        ("cat", "dog", "owl", "goat", "heron", "rabbit", "hedgehog", "parrot"),
    ),
    Category(
        "Jobs",
        "the {}",
        "is the {}",
        "is not the {}",
        "What is the job of {}?",
        ("baker", "potter", "tailor", "florist", "plumber", "dentist", "miller", "glazier"),
    ),
    Category(
        "Instruments",
        "the person who plays the {}",
        "plays the {}",
        "does not play the {}",
        "Which instrument does {} play?",
        ("flute", "cello", "harp", "oboe", "violin", "trumpet", "guitar", "drum"),
    ),
    Category(
        "Doors",
        "the person with the {} door",
        "has the {} door",
        "does not have the {} door",
        "Which door does {} have?",
        ("red", "blue", "green", "yellow", "white", "black", "brown", "purple"),
    ),
    Category(
        "Fruits",
        "the person who likes {} best",
        "likes {} best",
        "does not like {} best",
        "Which fruit does {} like best?",
        ("plums", "pears", "figs", "cherries", "apricots", "melons", "grapes", "peaches"),
    ),
    Category(
        "Vehicles",
        "the driver of the {}",
        "drives the {}",
        "does not drive the {}",
        "Which vehicle does {} drive?",
        ("van", "lorry", "tractor", "minibus", "scooter", "jeep", "taxi", "coach"),
    ),
    Category(
        "Sports",
        "the person whose sport is {}",
        "goes in for {}",
        "does not go in for {}",
        "Which sport does {} go in for?",
        ("archery", "fencing", "sailing", "rowing", "skiing", "judo", "golf", "tennis"),
    ),
    Category(
        "Flowers",
        "the person who grows {}",
        "grows {}",
        "does not grow {}",
        "Which flowers does {} grow?",
        ("roses", "tulips", "lilies", "daisies", "poppies", "violets", "asters", "dahlias"),
    ),
)
CLUES = {
    "same": (
        "{u} {does_v}.",
        "{u} and {v} are the same person.",
        "The house of {u} is also the house of {v}.",
    ),
    "apart": (
        "{u} {does_not_v}.",
        "{u} and {v} are different people.",
        "The house of {u} is not the house of {v}.",
    ),
    "left": (
        "{u} lives somewhere to the left of {v}.",
        "{v} lives somewhere to the right of {u}.",
        "The house of {u} has a lower number than the house of {v}.",
    ),
    "just_left": (
        "{u} lives directly to the left of {v}.",
        "{v} lives directly to the right of {u}.",
        "The first house to the right of that of {u} is that of {v}.",
    ),
    "next": (
        "{u} lives next to {v}.",
        "{u} and {v} are direct neighbours.",
        "The houses of {u} and {v} stand side by side.",
    ),
    "gap": (
        "There is exactly one house between those of {u} and {v}.",
        "Between {u} and {v} lives exactly one other person.",
        "{u} lives two houses away from {v}.",
    ),
    "at": ("{u} lives in house {k}.", "House {k} is that of {u}.", "In house {k} lives {u}."),
    "not_at": (
        "{u} does not live in house {k}.",
        "House {k} is not that of {u}.",
        "The number of the house of {u} is not {k}.",
    ),
}
"""Wordings of each kind of clue."""
PLACED = ("at", "not_at")
"""Kinds of clues on a value and a house."""


def holds(kind: str, u: int, v: int) -> bool:
    """Say whether a clue of a kind is true of two houses."""
    if kind in ("same", "at"):
        return u == v
    if kind in ("apart", "not_at"):
        return u != v
    if kind == "left":
        return u < v
    if kind == "just_left":
        return v - u == 1
    return abs(u - v) == (1 if kind == "next" else 2)
