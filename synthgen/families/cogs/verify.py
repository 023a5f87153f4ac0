"""COGS from the text: a compiled parser that reads left to right, and an oracle clause by clause.

The input (a sentence, or a single word) is between the last two backticks of a prompt, or the whole
prompt if there are none. Both forms of logical forms are known: a wording shows which one it asks
for, and without a wording the answer may have either. Nouns and names may be any words that are not
otherwise known; verbs are known by their forms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring.answers import grade
from synthgen.authoring.problem_text import problem_span, solution_bytes
from synthgen.contract.interfaces import Verifier
from synthgen.core.columns import longest_row, offsets_of, text_bytes
from synthgen.core.kernels import Int, jit, kernel
from synthgen.families.cogs import verify_parse as parse
from synthgen.families.cogs.verify_oracle import right_answers
from synthgen.families.cogs.verify_parse import (
    Bytes,
    Input,
    Lexicon,
    lexicon,
    parse_sentence,
    split_words,
)

_SINGLE_FORMS = (
    ("name", "{}"),
    ("noun", "LAMBDA a . {} ( a )"),
    ("unergative", "LAMBDA a . LAMBDA e . {} . agent ( e , a )"),
    ("unaccusative", "LAMBDA a . LAMBDA e . {} . theme ( e , a )"),
    (
        "transitive",
        "LAMBDA a . LAMBDA b . LAMBDA e . {} . agent ( e , b ) AND {} . theme ( e , a )",
    ),
)
"""Kinds of single words, with their logical forms."""
_NO_KIND = -1
_SINGLE_NAME, _SINGLE_NOUN, _SINGLE_AGENT, _SINGLE_THEME, _SINGLE_BOTH = range(5)
_PHRASES = (
    *("* ", " ( x _ ", " ) ; ", " , x _ ", " , ", " )", " . nmod . ", " AND ", " ( "),
    *(" ( nmod . ", " = ", ")", "(S_active ", "(S_passive ", " ", "the ", "a "),
    *("(NP_name ", "(NP_det ", "(NP_det_pp ", " (PP_", ""),
    *(f" . {role} ( x _ " for role in parse.ROLES),
    *(f"{role} = " for role in parse.ROLES),
    *(f" (VP_{form} " for form in parse.FORMS),
    *(f"(word_{kind} " for kind, _ in _SINGLE_FORMS),
    *dict.fromkeys(part for _, form in _SINGLE_FORMS for part in form.split("{}") if part),
)
"""Fixed phrases of logical forms and of derivations."""
_PLACE = {phrase: place for place, phrase in enumerate(_PHRASES)}
# As numbers of numpy, as a kernel is compiled again for every literal of Python.
_STAR, _VARIABLE, _NEXT, _COMMA_VARIABLE, _COMMA, _END, _NMOD, _AND, _OPEN = np.arange(9)
_FREE_NMOD, _EQUALS, _CLOSE, _S_ACTIVE, _S_PASSIVE, _SPACE, _THE, _A = np.arange(9, 17)
_NP_NAME, _NP_DET, _NP_DET_PP, _PP, _NOTHING = np.arange(17, 22)
_FIRST_ROLE, _FIRST_FREE_ROLE, _FIRST_VP, _FIRST_SINGLE = (
    np.int64(_PLACE[phrase])
    for phrase in (" . agent ( x _ ", "agent = ", " (VP_unergative ", "(word_name ")
)
_SINGLE_PARTS = np.full((len(_SINGLE_FORMS), 3), _NOTHING, np.int64)
"""Phrases before, between and after the occurrences of each kind of single word."""
_SINGLE_OCCURRENCES = np.array([form.count("{}") for _, form in _SINGLE_FORMS], np.int64)
for _kind, (_, _form) in enumerate(_SINGLE_FORMS):
    for _place, _part in enumerate(_form.split("{}")):
        _SINGLE_PARTS[_kind, _place] = _PLACE[_part]

_PHRASE, _SURFACE, _SYMBOL, _POSITION = np.arange(4)
"""Kinds of pieces: a fixed phrase, a word as in the input, a word as in logical forms, and the
position of a word."""
_PIECES = 24
"""Most pieces of a text for each word of its input."""
_EITHER, _ORIGINAL, _FREE = range(3)
_EQUALS_SIGN, _X, _UNDERSCORE, _BLANK, _ZERO = (ord(char) for char in "=x_ 0")
_AS_IT_IS, _TO_SMALL = np.int64(0), np.int64(ord("a") - ord("A"))


class CogsVerifier(Verifier):
    """Checks COGS rows by reading their text."""

    has_oracle = True

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Parse every input, and compare its answer and, if stated, its derivation."""
        text, offsets = text_bytes(prompts)
        longest = min(int(longest_row(offsets)), parse.LONGEST_INPUT) // 2 + 2
        phrases = [phrase.encode() for phrase in _PHRASES]
        room = _Room(
            known=lexicon(),
            phrases=np.frombuffer(b"".join(phrases), np.uint8),
            ends=offsets_of(np.array([len(phrase) for phrase in phrases])),
            text=text,
            words=np.zeros((longest, parse.WIDTH), np.int64),
            pieces=np.zeros((_PIECES * longest, 2), np.int64),
        )
        steps, step_offsets, stated = solution_bytes(answers, solutions)
        columns = _Columns(offsets, *text_bytes(answers), steps, step_offsets, stated)
        return _check_rows(room, columns)

    def symbolic(self, prompts: pa.StringArray, answers: pa.StringArray) -> NDArray[np.bool_]:
        """Build every logical form again in plain Python, clause by clause."""
        pairs = zip(prompts.to_pylist(), answers.to_pylist(), strict=True)
        return np.array([answer in right_answers(prompt) for prompt, answer in pairs], dtype=bool)

    def reads(self, prompt: str) -> bool:
        """Return whether a prompt has right answers."""
        return bool(right_answers(prompt))

    def answers(self, prompt: str) -> tuple[str, ...]:
        """Return the right answers to a prompt: of either form if the prompt shows neither."""
        return right_answers(prompt)

    def grade(self, prediction: str, answer: str) -> float:
        """Return 1.0 if the prediction is the logical form of the answer, else 0.0."""
        return grade(prediction, answer, "string")


VERIFIERS = {"cogs": CogsVerifier()}


class _Columns(NamedTuple):
    """Columns of n rows; offsets are int64 (n + 1,), `stated` says which have a solution."""

    prompt_offsets: NDArray[np.int64]
    answers: Bytes
    answer_offsets: NDArray[np.int64]
    solutions: Bytes
    solution_offsets: NDArray[np.int64]
    stated: NDArray[np.bool_]


class _Room(NamedTuple):
    """What one row after another is compared with.

    Attributes:
        known: words.
        phrases, ends: the fixed phrases end to end, and their offsets.
        text: bytes of all prompts.
        words: of the input.
        pieces: kind and value of each piece of the text that is expected, int64 (m, 2); the first
            row has their number instead.
    """

    known: Lexicon
    phrases: Bytes
    ends: NDArray[np.int64]
    text: Bytes
    words: Input
    pieces: NDArray[np.int64]


@jit
def _check_rows(room: _Room, columns: _Columns) -> NDArray[np.bool_]:
    n = len(columns.prompt_offsets) - 1
    right = np.zeros(n, np.bool_)
    text, words, pieces = room.text, room.words, room.pieces
    for i in range(n):
        begin = columns.prompt_offsets[i]
        start, end = problem_span(text, begin, columns.prompt_offsets[i + 1])
        count = split_words(room.known, text, start, end, words)
        at, last = columns.answer_offsets[i], columns.answer_offsets[i + 1]
        kind: Int = _NO_KIND
        pieces[0, 0] = 0
        if count == 1:
            kind = _single_kind(words)
            if kind == _NO_KIND:
                continue
            _single_formula(pieces, kind)
        else:
            if not parse_sentence(words, count):
                continue
            form = _shown_form(text, begin, start)
            if form == _EITHER:
                form = _shown_form(columns.answers, at, last)
            if form == _FREE:
                _free_formula(words, pieces)
            else:
                _original_formula(words, pieces, count)
        right[i] = _is_expected(room, columns.answers, at, last)
        if right[i] and columns.stated[i]:
            at, last = columns.solution_offsets[i], columns.solution_offsets[i + 1]
            pieces[0, 0] = 0
            if count == 1:
                _put(pieces, _PHRASE, _FIRST_SINGLE + kind)
                _put(pieces, _SURFACE, 0)
                _put(pieces, _PHRASE, _CLOSE)
            else:
                _derivation(words, pieces)
            right[i] = _is_expected(room, columns.solutions, at, last)
    return right


@kernel
def _shown_form(text: Bytes, start: Int, end: Int) -> Int:
    """Return which form text[start:end] shows: the one with `x _` or the one with ` = `."""
    form = _EITHER
    for at in range(start, end - 2):
        if text[at + 1] == _BLANK and text[at] == _X and text[at + 2] == _UNDERSCORE:
            return _ORIGINAL
        if text[at + 1] == _EQUALS_SIGN and text[at] == _BLANK and text[at + 2] == _BLANK:
            form = _FREE
    return form


@kernel
def _single_kind(words: Input) -> Int:
    """Return what kind of word the only one is, or _NO_KIND."""
    if words[0, parse.NUMBER] == parse.UNKNOWN:
        if words[0, parse.SHAPE] == parse.CAPITALISED:
            return _SINGLE_NAME
        return _SINGLE_NOUN if words[0, parse.SHAPE] == parse.LOWER else _NO_KIND
    uses = words[0, parse.USES]
    if uses & parse.AGENT_WORD:
        return _SINGLE_AGENT
    if uses & parse.THEME_WORD:
        return _SINGLE_THEME
    return _SINGLE_BOTH if uses & parse.BOTH_WORD else _NO_KIND


@kernel
def _is_expected(room: _Room, given: Bytes, at: Int, end: Int) -> bool:
    """Say whether given[at:end] is the text of the pieces."""
    words = room.words
    for number in range(1, room.pieces[0, 0] + 1):
        kind, value = room.pieces[number, 0], room.pieces[number, 1]
        if kind == _POSITION:
            at = _after_number(given, at, end, value)
        elif kind == _PHRASE:
            span = room.ends[value], room.ends[value + 1], _AS_IT_IS
            at = _after(given, at, end, room.phrases, span)
        elif kind == _SYMBOL and words[value, parse.NUMBER] != parse.UNKNOWN:
            # Bases follow all words of the lexicon.
            base = len(room.known.uses) + words[value, parse.NUMBER]
            span = room.known.offsets[base], room.known.offsets[base + 1], _AS_IT_IS
            at = _after(given, at, end, room.known.texts, span)
        else:
            is_upper = kind == _SYMBOL and words[value, parse.SHAPE] == parse.UPPER
            shift = _TO_SMALL if is_upper else _AS_IT_IS
            span = words[value, parse.START], words[value, parse.END], shift
            at = _after(given, at, end, room.text, span)
        if at < 0:
            return False
    return bool(at == end)


@kernel
def _after(given: Bytes, at: Int, end: Int, data: Bytes, span: tuple[Int, Int, Int]) -> Int:
    """Return where a text ends if it is at `at`, else -1.

    `span` has its start and end in `data`, and what is added to each of its letters.
    """
    start, stop, shift = span
    if end - at < stop - start:
        return -1
    for place in range(stop - start):
        if given[at + place] != data[start + place] + shift:
            return -1
    return at + stop - start


@kernel
def _after_number(given: Bytes, at: Int, end: Int, value: Int) -> Int:
    """Return where a number in decimal ends if it is at `at`, else -1."""
    power = 1
    while value // power >= 10:
        power *= 10
    while power > 0:
        if at >= end or given[at] != _ZERO + value // power % 10:
            return -1
        at += 1
        power //= 10
    return at


Pieces = NDArray[np.int64]


@kernel
def _put(pieces: Pieces, kind: Int, value: Int) -> None:
    """Append a piece to the expected text."""
    number = pieces[0, 0] + 1
    pieces[0, 0] = number
    pieces[number, 0], pieces[number, 1] = kind, value


@kernel
def _single_formula(pieces: Pieces, kind: Int) -> None:
    """Expect the logical form of a single word."""
    _put(pieces, _PHRASE, _SINGLE_PARTS[kind, 0])
    for occurrence in range(_SINGLE_OCCURRENCES[kind]):
        _put(pieces, _SYMBOL, 0)
        _put(pieces, _PHRASE, _SINGLE_PARTS[kind, occurrence + 1])


@kernel
def _original_formula(words: Input, pieces: Pieces, count: Int) -> None:
    """Expect the published logical form of a sentence of `count` words."""
    for place in range(count):
        if words[place, parse.KIND] == parse.NOUN and words[place, parse.ARTICLE] == parse.DEFINITE:
            _put(pieces, _PHRASE, _STAR)
            _variable(pieces, place, _VARIABLE)
            _put(pieces, _PHRASE, _NEXT)
    begin = pieces[0, 0]
    for place in range(count):
        word = words[place]
        if word[parse.KIND] == parse.NOUN:
            if word[parse.ARTICLE] != parse.DEFINITE:
                _put(pieces, _PHRASE, _AND)
                _variable(pieces, place, _VARIABLE)
                _put(pieces, _PHRASE, _END)
            if word[parse.PREPOSITION] >= 0:
                _put(pieces, _PHRASE, _AND)
                _put(pieces, _SYMBOL, place)
                _put(pieces, _PHRASE, _NMOD)
                _put(pieces, _SURFACE, word[parse.PREPOSITION])
                _put(pieces, _PHRASE, _VARIABLE)
                _put(pieces, _POSITION, place)
                _filler(words, pieces, word[parse.INNER])
        elif word[parse.KIND] == parse.VERB:
            for role in range(parse.FIRST_ROLE, parse.FIRST_ROLE + 2 * word[parse.N_ROLES], 2):
                _put(pieces, _PHRASE, _AND)
                _variable(pieces, place, _FIRST_ROLE + word[role])
                _filler(words, pieces, word[role + 1])
    pieces[begin + 1, 1] = _NOTHING  # instead of the first AND


@kernel
def _variable(pieces: Pieces, place: Int, opening: Int) -> None:
    """Expect a predicate and its first argument, the variable of its word."""
    _put(pieces, _SYMBOL, place)
    _put(pieces, _PHRASE, opening)
    _put(pieces, _POSITION, place)


@kernel
def _filler(words: Input, pieces: Pieces, place: Int) -> None:
    """Expect the second argument of a conjunct and its closing bracket."""
    if words[place, parse.KIND] == parse.NAME:
        _put(pieces, _PHRASE, _COMMA)
        _put(pieces, _SURFACE, place)
    else:
        _put(pieces, _PHRASE, _COMMA_VARIABLE)
        _put(pieces, _POSITION, place)
    _put(pieces, _PHRASE, _END)


@kernel
def _first_verb(words: Input) -> Int:
    place: Int = np.int64(0)
    while words[place, parse.KIND] != parse.VERB:
        place += 1
    return place


@kernel
def _free_formula(words: Input, pieces: Pieces) -> None:
    """Expect the variable-free form of a sentence."""
    verb, depth = _first_verb(words), 0
    while verb >= 0:
        depth += 1
        _put(pieces, _SYMBOL, verb)
        _put(pieces, _PHRASE, _OPEN)
        inner: Int = np.int64(-1)
        for place in range(words[verb, parse.N_ROLES]):
            role = words[verb, parse.FIRST_ROLE + 2 * place]
            filler = words[verb, parse.FIRST_ROLE + 2 * place + 1]
            if place > 0:
                _put(pieces, _PHRASE, _COMMA)
            _put(pieces, _PHRASE, _FIRST_FREE_ROLE + role)
            if role == parse.CCOMP or role == parse.XCOMP:
                inner = filler
            else:
                _free_noun(words, pieces, filler)
        verb = inner
    for _ in range(depth):
        _put(pieces, _PHRASE, _END)


@kernel
def _free_noun(words: Input, pieces: Pieces, place: Int) -> None:
    """Expect a name, or a noun and all that its prepositions join to it."""
    if words[place, parse.KIND] == parse.NAME:
        _put(pieces, _SURFACE, place)
        return
    depth = 0
    while True:
        if words[place, parse.ARTICLE] == parse.DEFINITE:
            _put(pieces, _PHRASE, _STAR)
        _put(pieces, _SYMBOL, place)
        preposition = words[place, parse.PREPOSITION]
        if preposition < 0:
            break
        depth += 1
        _put(pieces, _PHRASE, _FREE_NMOD)
        _put(pieces, _SURFACE, preposition)
        _put(pieces, _PHRASE, _EQUALS)
        place = words[place, parse.INNER]
    for _ in range(depth):
        _put(pieces, _PHRASE, _END)


@kernel
def _derivation(words: Input, pieces: Pieces) -> None:
    """Expect the derivation of a sentence."""
    verb, depth = _first_verb(words), 0
    while verb >= 0:
        depth += 2
        form = words[verb, parse.FORM]
        _put(pieces, _PHRASE, _S_PASSIVE if form >= parse.FIRST_PASSIVE else _S_ACTIVE)
        _derived_noun(words, pieces, words[verb, parse.FIRST_ROLE + 1])
        _put(pieces, _PHRASE, _FIRST_VP + form)
        _put(pieces, _SURFACE, verb)
        inner: Int = np.int64(-1)
        for place in range(1, words[verb, parse.N_ROLES]):
            role = words[verb, parse.FIRST_ROLE + 2 * place]
            filler = words[verb, parse.FIRST_ROLE + 2 * place + 1]
            _put(pieces, _PHRASE, _SPACE)
            if role == parse.CCOMP:
                inner = filler
            elif role == parse.XCOMP:
                _put(pieces, _SURFACE, filler)
            else:
                _derived_noun(words, pieces, filler)
        verb = inner
    for _ in range(depth):
        _put(pieces, _PHRASE, _CLOSE)


@kernel
def _derived_noun(words: Input, pieces: Pieces, place: Int) -> None:
    """Expect the derivation of a noun phrase."""
    if words[place, parse.KIND] == parse.NAME:
        _put(pieces, _PHRASE, _NP_NAME)
        _put(pieces, _SURFACE, place)
        _put(pieces, _PHRASE, _CLOSE)
        return
    depth = 1
    while True:
        preposition = words[place, parse.PREPOSITION]
        _put(pieces, _PHRASE, _NP_DET if preposition < 0 else _NP_DET_PP)
        _put(pieces, _PHRASE, _THE if words[place, parse.ARTICLE] == parse.DEFINITE else _A)
        _put(pieces, _SURFACE, place)
        if preposition < 0:
            break
        depth += 2
        _put(pieces, _PHRASE, _PP)
        _put(pieces, _SURFACE, preposition)
        _put(pieces, _PHRASE, _SPACE)
        place = words[place, parse.INNER]
    for _ in range(depth):
        _put(pieces, _PHRASE, _CLOSE)
