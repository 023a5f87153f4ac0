"""Kernels that draw COGS sentences as derivations in prefix order, and measure them.

Draw j of a row is a function of its key and j, so every function takes the next j and returns the
one after those it used. A sentence that nests too deep or repeats a noun is drawn again, with the
next draws of its row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, jit, kernel
from synthgen.draws.randomness import draw_bits
from synthgen.families.cogs import grammar
from synthgen.trees.derivations import Codes

MOST_DEPTH = 40
"""Of clauses and of prepositional phrases."""
ANY, REQUIRED = -1, -2
"""Depths of prepositional phrases that are drawn: if the kind may have one, or at least one."""
REFUSED, REDRAWN, ALLOWED = range(3)
"""What happens to a noun that the sentence has already: refuse the sentence, draw another noun, or
let it occur again."""
_MOST_SYMBOLS = 1000
"""Of a derivation: clauses are given up at half of it, no innermost one needs the other."""
_MOST_CLAUSES_TO = _MOST_SYMBOLS // 2 - 170
_ATTEMPTS = 64
"""Sentences tried for one address before it is given up as invalid."""
_NOUN_ATTEMPTS = 256
_GIVEN_UP = -1
"""End of a phrase or sentence that is too deep or repeats a noun."""
# A number of numpy, as a kernel is compiled again for every literal of Python.
_ACTOR, _NO_TARGET = np.int64(grammar.ACTOR), np.int64(-1)
_CP, _FRAMES = grammar.FRAME["cp"], len(grammar.FRAME)
_LOW_32, _S32, _S11 = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(11)
_ON_SHARE, _ON_OR_IN_SHARE = 0.333, 0.666


class WordTables(NamedTuple):
    """All lists of words end to end, with alias tables to draw from them.

    Attributes:
        starts: int64 (lists + 1,), where each list begins.
        codes: uint16 (m,), the words.
        limits: uint64 (m,), slot i is word i if 32 random bits are below its limit.
        others: uint16 (m,), the word that slot i is otherwise.
    """

    starts: NDArray[np.int64]
    codes: Codes
    limits: NDArray[np.uint64]
    others: Codes


class Programs(NamedTuple):
    """What each of the k categories draws.

    Attributes:
        frames: float64 (k, 2, frames), cumulated shares of frames, outermost and further in.
        targets: int64 (k, 4), lists of subject, theme, verb and infinitive, or -1.
        subject_depth: int64 (k,), prepositional phrases of every subject: ANY or REQUIRED.
        further: float64 (k,), share of prepositional phrases that contain another.
        repeats: int64 (k,), REFUSED, REDRAWN or ALLOWED.
    """

    frames: NDArray[np.float64]
    targets: NDArray[np.int64]
    subject_depth: NDArray[np.int64]
    further: NDArray[np.float64]
    repeats: NDArray[np.int64]


class Chances(NamedTuple):
    """Probabilities and bounds of the main grammar.

    Attributes:
        pp: a noun that may have a prepositional phrase has one.
        definite: an article is `the`.
        name: an animate noun phrase is a name.
        max_cp, max_pp: deepest nesting that is kept.
    """

    pp: float
    definite: float
    name: float
    max_cp: int
    max_pp: int


class Tables(NamedTuple):
    """What noun phrases and verbs are drawn from, whatever the category."""

    words: WordTables
    chances: Chances


class Wanted(NamedTuple):
    """What is drawn for each of n rows.

    Attributes:
        keys: row keys, uint64 (n,).
        categories: index of the program, int64 (n,), -1 for a single word.
        cp_depths: number of `that` clauses where it is given, else -1, int64 (n,).
        pp_depths: length of the chain of prepositional phrases on the theme, or -1, int64 (n,).
        singles: rule and word of each row that is a single word, uint16 (n, 2).
    """

    keys: NDArray[np.uint64]
    categories: NDArray[np.int64]
    cp_depths: NDArray[np.int64]
    pp_depths: NDArray[np.int64]
    singles: Codes


class Draws(NamedTuple):
    """What was drawn for each of n rows.

    Attributes:
        codes, offsets: derivations in prefix order; that of an invalid row is a single article.
        outer, inner: int16 (n,), frame of the outermost and the innermost clause; beyond the
            frames, the rule of a single word.
        valid: bool (n,).
    """

    codes: Codes
    offsets: NDArray[np.int64]
    outer: NDArray[np.int16]
    inner: NDArray[np.int16]
    valid: NDArray[np.bool_]


class _Row(NamedTuple):
    """The row that is drawn.

    Attributes:
        key: of the row.
        category, cp_depth, pp_depth: see Wanted.
        subject_depth, further, repeats: see Programs.
        codes: to write derivations to.
        seen: number of nouns in the sentence so far, and then these nouns.
    """

    key: np.uint64
    category: int
    cp_depth: int
    pp_depth: int
    subject_depth: int
    further: float
    repeats: int
    codes: Codes
    seen: NDArray[np.int64]


@jit
def draw_sentences(wanted: Wanted, programs: Programs, tables: Tables) -> Draws:
    """Draw the sentence of every row."""
    n = len(wanted.keys)
    codes = np.empty(24 * n + _MOST_SYMBOLS, np.uint16)
    offsets = np.zeros(n + 1, np.int64)
    outer, inner = np.zeros(n, np.int16), np.zeros(n, np.int16)
    valid = np.zeros(n, np.bool_)
    seen = np.zeros(_MOST_SYMBOLS, np.int64)
    at: Int = np.int64(0)
    for i in range(n):
        if at + _MOST_SYMBOLS > len(codes):
            longer = np.empty(2 * len(codes), np.uint16)
            for place in range(at):
                longer[place] = codes[place]
            codes = longer
        category = wanted.categories[i]
        if category < 0:
            rule, codes[at + 1] = wanted.singles[i, 0], wanted.singles[i, 1]
            codes[at] = rule
            outer[i] = inner[i] = _FRAMES + np.int64(rule) - grammar.FIRST_WORD_RULE
            valid[i] = True
            at += 2
            offsets[i + 1] = at
            continue
        row = _Row(
            wanted.keys[i],
            category,
            wanted.cp_depths[i],
            wanted.pp_depths[i],
            programs.subject_depth[category],
            programs.further[category],
            programs.repeats[category],
            codes,
            seen,
        )
        j: Int = np.int64(0)
        for _ in range(_ATTEMPTS):
            end, j, outer[i], inner[i] = _sentence(row, at, j, programs, tables)
            valid[i] = end != _GIVEN_UP
            if valid[i]:
                break
        if not valid[i]:
            codes[at] = grammar.A
            end = at + 1
        at = end
        offsets[i + 1] = at
    return Draws(codes[:at], offsets, outer, inner, valid)


@kernel
def _sentence(
    row: _Row, at: Int, j: Int, programs: Programs, tables: Tables
) -> tuple[Int, Int, Int, Int]:
    """Write one derivation at `at`.

    Returns:
        Its end, the next draw, and the frames of the outermost and the innermost clause.
    """
    shares, codes, start = programs.frames[row.category], row.codes, at
    row.seen[0] = 0
    depth, outer = 0, 0
    while True:
        frame = 0
        chance = _unit(row.key, j)
        while chance >= shares[min(depth, 1), frame]:
            frame += 1
        j += 1
        if depth < row.cp_depth:
            frame = _CP
        if depth == 0:
            outer = frame
        if frame != _CP:
            break
        depth += 1
        if (row.cp_depth < 0 and depth > tables.chances.max_cp) or at - start > _MOST_CLAUSES_TO:
            return _GIVEN_UP, j, outer, frame
        codes[at] = grammar.S_ACTIVE
        at, j = _phrase(row, at + 1, j, (_ACTOR, _NO_TARGET, row.subject_depth), tables)
        if at == _GIVEN_UP:
            return at, j, outer, frame
        codes[at] = grammar.VP_CP
        codes[at + 1] = _word(tables.words, grammar.CLAUSE, row.key, j)
        at, j = at + 2, j + 1
    at, j = _clause(row, at, j, frame, programs, tables)
    return at, j, outer, frame


@kernel
def _clause(
    row: _Row, at: Int, j: Int, frame: Int, programs: Programs, tables: Tables
) -> tuple[Int, Int]:
    """Write the innermost clause at `at`; return its end and the next draw."""
    form, targets = grammar.FRAME_TABLE[frame], programs.targets[row.category]
    codes = row.codes
    codes[at] = form[grammar.SENTENCE]
    at, j = _phrase(row, at + 1, j, (form[grammar.SUBJECT], targets[0], row.subject_depth), tables)
    if at == _GIVEN_UP:
        return at, j
    codes[at] = form[grammar.RULE]
    verb = targets[2] if targets[2] >= 0 else form[grammar.VERB]
    codes[at + 1] = _word(tables.words, verb, row.key, j)
    at, j = at + 2, j + 1
    for place in range(1, 3):
        kind = form[grammar.ARGUMENT + place - 1]
        if kind == grammar.NOTHING:
            break
        if kind == grammar.BARE_VERB:
            verb = targets[3] if targets[3] >= 0 else grammar.INFINITIVE
            codes[at] = _word(tables.words, verb, row.key, j)
            return at + 1, j + 1
        is_theme = place == form[grammar.THEME]
        target = targets[1] if is_theme else -1
        depth: Int = row.pp_depth if is_theme else ANY
        if kind == grammar.AGENT:
            kind, depth = grammar.ACTOR, row.subject_depth
        if row.pp_depth >= 0 and not is_theme:
            depth = 0
        at, j = _phrase(row, at, j, (kind, target, depth), tables)
        if at == _GIVEN_UP:
            return at, j
    return at, j


@kernel
def _phrase(
    row: _Row, at: Int, j: Int, wanted: tuple[Int, Int, Int], tables: Tables
) -> tuple[Int, Int]:
    """Write one noun phrase at `at`; return its end and the next draw.

    `wanted` has the kind of its nouns, the list of the target word that it is instead or -1, and
    the number of nested prepositional phrases, ANY or REQUIRED.
    """
    kind, nouns, depth = wanted
    codes, chances = row.codes, tables.chances
    if nouns < 0:
        is_common = bool(depth > 0 or depth == REQUIRED)
        nouns, j = _noun_list(row.key, j, kind, is_common, chances.name)
    if nouns == grammar.NAME or grammar.FIRST_NAME_TARGET <= nouns <= grammar.LAST_NAME_TARGET:
        noun, j = _new_noun(row, nouns, j, tables)
        codes[at], codes[at + 1] = grammar.NP_NAME, max(noun, 0)
        return _GIVEN_UP if noun == _GIVEN_UP else at + 2, j
    if depth < 0:
        more = depth == REQUIRED
        if not more and grammar.MAY_HAVE_PP[kind]:
            more = _unit(row.key, j) < chances.pp
            j += 1
        depth = 0
        while more:
            depth += 1
            if depth > chances.max_pp:
                return _GIVEN_UP, j
            more = _unit(row.key, j) < row.further
            j += 1
    for left in range(depth, -1, -1):
        codes[at] = grammar.NP_DET_PP if left else grammar.NP_DET
        codes[at + 1] = grammar.THE if _unit(row.key, j) < chances.definite else grammar.A
        noun, j = _new_noun(row, nouns, j + 1, tables)
        if noun == _GIVEN_UP:
            return _GIVEN_UP, j
        codes[at + 2] = noun
        at += 3
        if left:
            chance = _unit(row.key, j)
            place = np.int64(chance >= _ON_SHARE) + np.int64(chance >= _ON_OR_IN_SHARE)
            codes[at] = grammar.FIRST_PP + place
            nouns = grammar.FIRST_PLACE + place
            at, j = at + 1, j + 1
    return at, j


@kernel
def _noun_list(key: np.uint64, j: Int, kind: Int, is_common: bool, name: float) -> tuple[Int, Int]:
    """Draw which list the noun of a phrase is from; `is_common` leaves names out."""
    inanimate = grammar.INANIMATE_SHARE[kind]
    total = inanimate + (1.0 - inanimate) * (1.0 - name) if is_common else 1.0
    if _unit(key, j) * total < inanimate:
        return grammar.INANIMATE, j + 1
    if not is_common and _unit(key, j + 1) < name:
        return grammar.NAME, j + 2
    return grammar.ANIMATE, j + 2


@kernel
def _new_noun(row: _Row, nouns: Int, j: Int, tables: Tables) -> tuple[Int, Int]:
    """Draw a noun of a list and return it, or _GIVEN_UP if it repeats; and the next draw."""
    seen = row.seen
    count = seen[0]
    for _ in range(_NOUN_ATTEMPTS):
        noun = np.int64(_word(tables.words, nouns, row.key, j))
        j += 1
        known = False
        for place in range(1, count + 1):
            known = known or seen[place] == noun
        if not known or row.repeats == ALLOWED:
            seen[0] = count + 1
            seen[count + 1] = noun
            return noun, j
        if row.repeats == REFUSED:
            break
    return _GIVEN_UP, j


@kernel
def _unit(key: np.uint64, j: Int) -> float:
    """Return draw j of a row as a multiple of 2^-53 in [0, 1)."""
    return np.float64(draw_bits(key, j) >> _S11) * 2.0**-53


@kernel
def _word(words: WordTables, nouns: Int, key: np.uint64, j: Int) -> Int:
    """Draw a word of a list by its weight.

    The high 32 bits of the draw choose a slot of the alias table, the low 32 bits which of its two
    words.
    """
    bits = draw_bits(key, j)
    start = words.starts[nouns]
    size = np.uint64(words.starts[nouns + 1] - start)
    slot = start + np.int64(((bits >> _S32) * size) >> _S32)
    is_itself = (bits & _LOW_32) < words.limits[slot]
    return np.int64(words.codes[slot] if is_itself else words.others[slot])


MEASURED = ("cp_depth", "pp_depth", "n_pp", "n_tokens", "lf_tokens", "subject_type")
SUBJECT_TYPES = ("none", "common", "common_pp", "name")
"""The middle two are in the order of their rules, NP_det and NP_det_pp, which follow NP_name."""
_NONE, _NAME = 0, 3


def _token_tables() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens of sentences and of both logical forms that each symbol brings.

    Returns:
        Tokens of the sentence, int64 (rules + 1,), where the last entry is that of every word;
        of the logical forms, int64 (2, rules + 1), the original one first; and the part of these
        that comes again where the noun phrase is also the agent of an infinitive.
    """
    tokens = np.zeros(grammar.FIRST_WORD + 1, np.int64)
    tokens[grammar.FIRST_WORD] = 1
    for name in ("S_passive", "VP_cp", "VP_inf", "PP_on", "PP_in", "PP_beside", "the", "a"):
        tokens[grammar.CODE[name]] = 1
    # In the original form, a name takes two tokens less than the variable that the conjunct of a
    # role is counted with, and every conjunct has one token that joins it to the next.
    entities = {"the": (8, 2), "a": (7, 1), "NP_name": (-2, 1)}
    entities |= dict.fromkeys(("PP_on", "PP_in", "PP_beside"), (15, 6))
    formula = np.zeros((2, grammar.FIRST_WORD + 1), np.int64)
    for name, counts in entities.items():
        formula[:, grammar.CODE[name]] = counts
    repeated = formula.copy()
    repeated[0] = np.minimum(formula[0], 0)
    for name, phrases in grammar.VERB_PHRASES.items():
        verbs = 2 if name == "VP_inf" else 1
        roles = len(phrases.split()) + {"VP_cp": 1, "VP_inf": 2}.get(name, 0)
        tokens[grammar.CODE[name]] += phrases.count(":")
        formula[:, grammar.CODE[name]] = 13 * roles, 2 * verbs + 3 * roles
    return tokens, formula, repeated


_TOKENS, _FORMULA, _REPEATED = _token_tables()
_WORD_FORMULA = np.array([len(form.split()) for form in grammar.WORD_FORMS.values()], np.int64)


@jit
def measure(codes: Codes, offsets: NDArray[np.int64], form: Int) -> NDArray[np.int16]:
    """Return the columns MEASURED of every derivation, int16 (6, n).

    `form` of the logical form is 0 for the original, 1 for the variable-free one.
    """
    n = len(offsets) - 1
    columns = np.zeros((6, n), np.int16)
    for i in range(n):
        root = np.int64(codes[offsets[i]])
        if grammar.FIRST_WORD_RULE <= root <= grammar.LAST_WORD_RULE:
            columns[3, i], columns[4, i] = 1, _WORD_FORMULA[root - grammar.FIRST_WORD_RULE]
            continue
        cp_depth, pp_depth, n_pp, chain = 0, 0, 0, 0
        subject: Int = _NONE
        tokens, formula = 1, form - 1  # the full stop; the last conjunct is not joined to a next
        repeated: Int = np.int64(0)
        for place in range(offsets[i], offsets[i + 1]):
            code = np.int64(codes[place])
            code = code if code < grammar.FIRST_WORD else np.int64(grammar.FIRST_WORD)
            tokens += _TOKENS[code]
            formula += _FORMULA[form, code]
            repeated += _REPEATED[form, code]
            if code == grammar.S_ACTIVE or code == grammar.S_PASSIVE:
                repeated = np.int64(0)
            elif code == grammar.VP_INF:
                formula += repeated
            elif code == grammar.VP_CP:
                cp_depth += 1
            elif code == grammar.NP_DET_PP:
                n_pp += 1
                chain += 1
                pp_depth = max(pp_depth, chain)
            elif code == grammar.NP_DET:
                chain = 0
            if subject == _NONE and grammar.NP_NAME <= code <= grammar.NP_DET_PP:
                subject = _NAME if code == grammar.NP_NAME else code - grammar.NP_NAME
        columns[0, i], columns[1, i], columns[2, i] = cp_depth, pp_depth, n_pp
        columns[3, i], columns[4, i], columns[5, i] = tokens, formula, subject
    return columns
