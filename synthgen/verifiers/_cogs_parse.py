"""The compiled COGS parser: from the words of a sentence, left to right, to what each one means.

The meaning of a word is a row of integers at its position. Noun: its article, and the positions of
the preposition after it and of the noun after that. Verb: role and filler (a position) of up to
three roles, in the order of the sentence, and the form of its clause.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._cogs_tokens import (
    CAPITALISED,
    FUNCTION_WORDS,
    LOWER,
    UNKNOWN,
    UPPER,
    USE,
    Table,
    Tokens,
)

Meanings = NDArray[np.int64]

WIDTH = 9
"""Integers of a meaning."""
KIND, ARTICLE, PREPOSITION, INNER = 0, 1, 2, 3
N_ROLES, FIRST_ROLE, CLAUSE_FORM = 1, 2, 8
NONE, NOUN, NAME, VERB = range(4)
INDEFINITE, DEFINITE = range(2)
AGENT, THEME, RECIPIENT, CCOMP, XCOMP = range(5)
FORMS = (
    *("unergative", "unaccusative", "omitted", "transitive", "inf", "pp_dative", "do_dative"),
    *("cp", "passive", "passive_by", "passive_pp_dative", "passive_pp_dative_by"),
    *("passive_do_dative", "passive_do_dative_by"),
)
"""Forms of clauses; that of an infinitive has none."""
_UNERGATIVE, _UNACCUSATIVE, _OMITTED, _TRANSITIVE, _INF, _PP_DATIVE, _DO_DATIVE, _CP = range(8)
FIRST_PASSIVE = FORMS.index("passive")
_PLAIN, _TO_RECIPIENT, _OBJECT = FIRST_PASSIVE, FIRST_PASSIVE + 2, FIRST_PASSIVE + 4
_BIG_A, _BIG_THE, _A, _THE, _WAS, _TO, _BY, _THAT, _ON, _IN, _BESIDE, _STOP = range(
    len(FUNCTION_WORDS)
)
_N, _U, _O, _T, _D, _C, _I, _B, _P, _Q = (USE[letter] for letter in "nuotdcibpq")
_FAILED = -1


@lent
def parse_sentence(table: Table, tokens: Tokens, count: Int, meanings: Meanings) -> bool:
    """Fill the meanings of the words of a sentence; false if it is none."""
    for place in range(count):
        meanings[place, KIND] = NONE
    if count < 3 or tokens.words[count - 1] != _STOP:
        return False
    at: Int = 0
    above: Int = _FAILED
    while True:
        head, at = _noun_phrase(tokens, at, count, meanings)
        if head == _FAILED:
            return False
        if tokens.words[at] == _WAS:
            verb = at + 1
            at = _passive(table, tokens, verb, count, head, meanings)
        else:
            verb = at
            at = _active(table, tokens, verb, count, head, meanings)
        if at == _FAILED:
            return False
        if above >= 0:
            meanings[above, FIRST_ROLE + 3] = verb
        if meanings[verb, CLAUSE_FORM] != _CP:
            return at == count - 1
        above = verb


@lent
def _noun_phrase(tokens: Tokens, at: Int, count: Int, meanings: Meanings) -> tuple[Int, Int]:
    """Read a name, or nouns joined by prepositions; return the head's position and the end.

    The end is before `count`, as the last word is the full stop.
    """
    if tokens.words[at] == UNKNOWN and tokens.shapes[at] == CAPITALISED:
        meanings[at, KIND] = NAME
        return at, at + 1
    head = at + 1
    while True:
        article = tokens.words[at]
        if at == 0:
            article += _A - _BIG_A
        noun = at + 1
        if noun >= count or (article != _A and article != _THE):
            return _FAILED, at
        shape = tokens.shapes[noun]
        if tokens.words[noun] != UNKNOWN or (shape != LOWER and shape != UPPER):
            return _FAILED, at
        meanings[noun, KIND] = NOUN
        meanings[noun, ARTICLE] = DEFINITE if article == _THE else INDEFINITE
        at = noun + 1
        if not _ON <= tokens.words[at] <= _BESIDE:
            meanings[noun, PREPOSITION] = _FAILED
            return head, at
        meanings[noun, PREPOSITION], meanings[noun, INNER] = at, at + 2
        at += 1


@lent
def _uses(table: Table, tokens: Tokens, at: Int) -> Int:
    number = tokens.words[at]
    return 0 if number == UNKNOWN else table.uses[number]


@lent
def _note(meanings: Meanings, verb: Int, form: Int, roles: Int) -> None:
    meanings[verb, KIND] = VERB
    meanings[verb, CLAUSE_FORM] = form
    meanings[verb, N_ROLES] = roles


@lent
def _role(meanings: Meanings, verb: Int, place: Int, role: Int, filler: Int) -> None:
    meanings[verb, FIRST_ROLE + 2 * place] = role
    meanings[verb, FIRST_ROLE + 2 * place + 1] = filler


@lent
def _active(
    table: Table, tokens: Tokens, verb: Int, count: Int, subject: Int, meanings: Meanings
) -> Int:
    """Read an active verb and what follows it; return the end of the clause, or _FAILED."""
    uses = _uses(table, tokens, verb)
    after = verb + 1
    if uses == 0 or after >= count:
        return _FAILED
    _role(meanings, verb, 0, AGENT, subject)
    follower = tokens.words[after]
    if follower == _STOP:
        if uses & _N:
            _note(meanings, verb, _UNERGATIVE, 1)
        elif uses & _O:
            _note(meanings, verb, _OMITTED, 1)
        elif uses & _U:
            _note(meanings, verb, _UNACCUSATIVE, 1)
            _role(meanings, verb, 0, THEME, subject)
        else:
            return _FAILED
        return after
    if follower == _THAT:
        # The filler of ccomp is the verb of the next clause, which is not read yet.
        _note(meanings, verb, _CP, 2)
        _role(meanings, verb, 1, CCOMP, _FAILED)
        return after + 1 if uses & _C and after + 1 < count else _FAILED
    if follower == _TO:
        infinitive = after + 1
        if not uses & _I or infinitive >= count or not _uses(table, tokens, infinitive) & _B:
            return _FAILED
        _note(meanings, verb, _INF, 2)
        _role(meanings, verb, 1, XCOMP, infinitive)
        _note(meanings, infinitive, _FAILED, 1)
        _role(meanings, infinitive, 0, AGENT, subject)
        return infinitive + 1
    return _objects(tokens, verb, count, uses, meanings)


@lent
def _objects(tokens: Tokens, verb: Int, count: Int, uses: Int, meanings: Meanings) -> Int:
    """Read the one or two objects of an active verb; return the end of the clause, or _FAILED."""
    first, at = _noun_phrase(tokens, verb + 1, count, meanings)
    if first == _FAILED:
        return _FAILED
    if tokens.words[at] == _STOP:
        _note(meanings, verb, _TRANSITIVE, 2)
        _role(meanings, verb, 1, THEME, first)
        return at if uses & (_T | _O | _U) else _FAILED
    to_recipient = tokens.words[at] == _TO
    if to_recipient:
        at += 1
    if not uses & _D or at >= count:
        return _FAILED
    second, at = _noun_phrase(tokens, at, count, meanings)
    if second == _FAILED:
        return _FAILED
    _note(meanings, verb, _PP_DATIVE if to_recipient else _DO_DATIVE, 3)
    _role(meanings, verb, 1, THEME if to_recipient else RECIPIENT, first)
    _role(meanings, verb, 2, RECIPIENT if to_recipient else THEME, second)
    return at


@lent
def _passive(
    table: Table, tokens: Tokens, verb: Int, count: Int, subject: Int, meanings: Meanings
) -> Int:
    """Read a participle and what follows it; return the end of the clause, or _FAILED."""
    after = verb + 1
    if after >= count:
        return _FAILED
    uses = _uses(table, tokens, verb)
    form, roles, at = _PLAIN, 1, after
    _role(meanings, verb, 0, THEME, subject)
    if uses & _Q:
        form = _TO_RECIPIENT if tokens.words[at] == _TO else _OBJECT
        if form == _TO_RECIPIENT:
            at += 1
        if at >= count:
            return _FAILED
        other, at = _noun_phrase(tokens, at, count, meanings)
        if other == _FAILED:
            return _FAILED
        roles = 2
        _role(meanings, verb, 1, RECIPIENT if form == _TO_RECIPIENT else THEME, other)
        if form == _OBJECT:
            _role(meanings, verb, 0, RECIPIENT, subject)
    elif not uses & _P:
        return _FAILED
    if tokens.words[at] == _BY and at + 1 < count:
        agent, at = _noun_phrase(tokens, at + 1, count, meanings)
        if agent == _FAILED:
            return _FAILED
        _role(meanings, verb, roles, AGENT, agent)
        roles += 1
        form += 1
    _note(meanings, verb, form, roles)
    return at
