"""What the people of a puzzle of houses can differ in, and how clues about it are worded."""

from __future__ import annotations

from typing import NamedTuple

from synthgen.generators.omega.logic._zebra_solver import (
    APART,
    AT,
    GAP,
    JUST_LEFT,
    LEFT,
    NEXT,
    NOT_AT,
    SAME,
)


class Category(NamedTuple):
    """A kind of thing that everybody has one of.

    Attributes:
        title: of the list of its values.
        holder: who has a value, as subject or object.
        does, does_not: what is said of that person.
        question: what is asked of a person.
        values: at least as many as there can be houses.
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
    SAME: (
        "{u} {does_v}.",
        "{u} and {v} are the same person.",
        "The house of {u} is also the house of {v}.",
    ),
    APART: (
        "{u} {does_not_v}.",
        "{u} and {v} are different people.",
        "The house of {u} is not the house of {v}.",
    ),
    LEFT: (
        "{u} lives somewhere to the left of {v}.",
        "{v} lives somewhere to the right of {u}.",
        "The house of {u} has a lower number than the house of {v}.",
    ),
    JUST_LEFT: (
        "{u} lives directly to the left of {v}.",
        "{v} lives directly to the right of {u}.",
        "The first house to the right of that of {u} is that of {v}.",
    ),
    NEXT: (
        "{u} lives next to {v}.",
        "{u} and {v} are direct neighbours.",
        "The houses of {u} and {v} stand side by side.",
    ),
    GAP: (
        "There is exactly one house between those of {u} and {v}.",
        "Between {u} and {v} lives exactly one other person.",
        "{u} lives two houses away from {v}.",
    ),
    AT: ("{u} lives in house {k}.", "House {k} is that of {u}.", "In house {k} lives {u}."),
    NOT_AT: (
        "{u} does not live in house {k}.",
        "House {k} is not that of {u}.",
        "The number of the house of {u} is not {k}.",
    ),
}
"""Wordings of each kind of clue on the holders u and v, or u and house k."""
WORDINGS = (
    "In a row of <n> houses, numbered from left to right and beginning with one, live <n> people, "
    "one in each house. From every list below, each of them has exactly one item, and no two have "
    "the same.\n<lists>\nThis is known:\n<clues>\n<question> Choose from this list: <choices>. "
    "Give the place of the right answer in the list, counting from zero.",
    "<n> neighbours have <n> houses in one street. Seen from the street, the houses are numbered "
    "in order from left to right, the leftmost being number one. Of each of the following lists, "
    "every neighbour has exactly one item, and no two have the same.\n<lists>\nClues:\n<clues>\n"
    "<question>\nPossible answers, in this order: <choices>. Answer with the index of the right "
    "one, where the first has index zero.",
    "A logic puzzle: every one of <n> houses in a row has one inhabitant. House numbers start with "
    "one at the left end and grow by one from house to house. The inhabitants share out the items "
    "of each list, one item for everybody.\n<lists>\nFind out who is who from these facts:\n"
    "<clues>\nQuestion: <question>\nCandidates: <choices>. Reply with how many candidates stand "
    "before the right one.",
    "<n> houses stand side by side, and the one furthest left is number one, the next to its right "
    "number two, and so on. One person lives in each. Everybody has exactly one of the properties "
    "in each of these lists, and no two people share one:\n<lists>\nHints:\n<clues>\nYour "
    "question: <question>\nThe options are <choices>; the first is option zero, and they are "
    "numbered in order. Give the number of the correct option.",
)
"""A puzzle's text. The lists are one a line, so are the clues."""
