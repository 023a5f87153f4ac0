"""The public way to write a problem family and its verifier; see docs/adding-a-family.md."""

from __future__ import annotations

from synthgen.authoring import holes, params
from synthgen.authoring.family import (
    CompiledFamily,
    LevelledFamily,
    Levels,
    OwnAxis,
    PlainFamily,
    Problem,
    TextFamily,
    axis,
)
from synthgen.authoring.levels import levelled
from synthgen.authoring.listed import LevelledListedFamily, ListedFamily, NumberedFamily
from synthgen.authoring.trees import Tree
from synthgen.authoring.verifier import (
    AnswerChecker,
    PlainVerifier,
    WorkedVerifier,
    exactly,
    reads,
)
from synthgen.authoring.words import Words
from synthgen.draws.randomness import RowDraws, Rows

__all__ = [
    "AnswerChecker",
    "CompiledFamily",
    "LevelledFamily",
    "LevelledListedFamily",
    "Levels",
    "ListedFamily",
    "NumberedFamily",
    "OwnAxis",
    "PlainFamily",
    "PlainVerifier",
    "Problem",
    "RowDraws",
    "Rows",
    "TextFamily",
    "Tree",
    "Words",
    "WorkedVerifier",
    "axis",
    "exactly",
    "holes",
    "levelled",
    "params",
    "reads",
]
