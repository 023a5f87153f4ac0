"""The public way to write a problem family and its verifier; see docs/adding-a-family.md.

A plain family needs nothing else, apart from `entropy` in this package for integers of any size.
Families that draw or render columns at once also import `compiled`.
"""

from __future__ import annotations

from synthgen.authoring import holes, params
from synthgen.authoring.family import (
    CompiledFamily,
    DrawnFamily,
    LevelledFamily,
    Levels,
    OwnAxis,
    PlainFamily,
    Problem,
    TextFamily,
    axis,
)
from synthgen.authoring.holes import Hole
from synthgen.authoring.levels import levelled
from synthgen.authoring.listed import (
    MAX_REPEATS,
    LevelledListedFamily,
    ListedFamily,
    NumberedFamily,
)
from synthgen.authoring.pictures import Ink, Picture, Shape
from synthgen.authoring.trees import LARGEST_LEAF, OWN_SYMBOLS, Symbols, Tree, signature_of
from synthgen.authoring.verifier import (
    AnswerChecker,
    PlainVerifier,
    Sighted,
    WorkedVerifier,
    exactly,
    problem_of,
    reads,
    wording_pattern,
)
from synthgen.authoring.words import BOXED, Late, Words, filled, parts_of
from synthgen.contract.answers import grade, parse_expression, parse_list, parser_of
from synthgen.contract.interfaces import (
    BLOCK,
    Generator,
    Problems,
    Render,
    Texts,
    Verifier,
    valid_ones,
)
from synthgen.contract.numerals import parse_integer
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.checks import check_int, check_symbols
from synthgen.core.columns import text_list
from synthgen.core.errors import AuthorError, ParamError, UnknownNameError, nearest
from synthgen.draws.randomness import RowDraws, Rows, stream_key
from synthgen.rules.axes import CHOICES, CHOSEN, Axis
from synthgen.rules.conditions import Condition, bounded, equal_to, one_of, span
from synthgen.trees.derivations import Signature, derivation_text

__all__ = [
    "BLOCK",
    "BOXED",
    "CHOICES",
    "CHOSEN",
    "LARGEST_LEAF",
    "MAX_REPEATS",
    "OWN_SYMBOLS",
    "AnswerChecker",
    "AuthorError",
    "Axis",
    "CompiledFamily",
    "Condition",
    "DrawnFamily",
    "Generator",
    "Hole",
    "Ink",
    "Late",
    "LevelledFamily",
    "LevelledListedFamily",
    "Levels",
    "ListedFamily",
    "NumberedFamily",
    "OwnAxis",
    "ParamError",
    "Picture",
    "PlainFamily",
    "PlainVerifier",
    "Problem",
    "Problems",
    "Render",
    "RowDraws",
    "Rows",
    "Shape",
    "Sighted",
    "Signature",
    "Symbols",
    "TextFamily",
    "Texts",
    "Tree",
    "UnknownNameError",
    "Verifier",
    "Words",
    "WorkedVerifier",
    "axis",
    "bounded",
    "check_int",
    "check_symbols",
    "derivation_text",
    "equal_to",
    "exactly",
    "filled",
    "generator_class",
    "grade",
    "holes",
    "levelled",
    "load_verifier",
    "nearest",
    "one_of",
    "params",
    "parse_expression",
    "parse_integer",
    "parse_list",
    "parser_of",
    "parts_of",
    "problem_of",
    "reads",
    "signature_of",
    "span",
    "stream_key",
    "text_list",
    "valid_ones",
    "wording_pattern",
]
