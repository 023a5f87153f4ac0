"""Compiled comparison of logical forms with the meanings of a sentence or of a single word."""

from __future__ import annotations

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._cogs_compare import (
    PLACE,
    WRONG,
    Expected,
    same_number,
    same_phrase,
    same_symbol,
    same_token,
)
from synthgen.verifiers._cogs_parse import (
    ARTICLE,
    CCOMP,
    DEFINITE,
    FIRST_ROLE,
    INNER,
    KIND,
    N_ROLES,
    NAME,
    NOUN,
    PREPOSITION,
    VERB,
    XCOMP,
)
from synthgen.verifiers._cogs_tokens import Bytes

_STAR, _VARIABLE, _NEXT, _COMMA_VARIABLE, _COMMA = (
    PLACE[phrase] for phrase in ("* ", " ( x _ ", " ) ; ", " , x _ ", " , ")
)
_END, _NMOD, _AND, _OPEN = (PLACE[phrase] for phrase in (" )", " . nmod . ", " AND ", " ( "))
_ROLES, _FREE_ROLES = PLACE[" . agent ( x _ "], PLACE["agent = "]
_FREE_NMOD, _EQUALS = PLACE[" ( nmod . "], PLACE[" = "]
_LAMBDA_A, _LAMBDA_B, _LAMBDA_E = (PLACE[f"LAMBDA {variable} . "] for variable in "abe")
_OF_A, _AGENT_OF_A = PLACE[" ( a )"], PLACE[" . agent ( e , a )"]
_AGENT_OF_B, _THEME_OF_A = PLACE[" . agent ( e , b )"], PLACE[" . theme ( e , a )"]
SINGLE_NAME, SINGLE_NOUN, SINGLE_AGENT, SINGLE_THEME, SINGLE_BOTH = range(5)
"""Kinds of single words."""


@lent
def follow_formula(expected: Expected, given: Bytes, at: Int, end: Int, count: Int) -> Int:
    """Compare with the published logical form of a sentence of `count` words."""
    phrases = expected.phrases
    meanings = expected.meanings
    for token in range(count):
        if meanings[token, KIND] == NOUN and meanings[token, ARTICLE] == DEFINITE:
            at = same_phrase(phrases, given, at, end, _STAR)
            at = same_symbol(expected, given, at, end, token)
            at = same_phrase(phrases, given, at, end, _VARIABLE)
            at = same_phrase(phrases, given, same_number(given, at, end, token), end, _NEXT)
    first = True
    for token in range(count):
        meaning = meanings[token]
        if meaning[KIND] == NOUN:
            if meaning[ARTICLE] != DEFINITE:
                at = at if first else same_phrase(phrases, given, at, end, _AND)
                first = False
                at = same_symbol(expected, given, at, end, token)
                at = same_phrase(phrases, given, at, end, _VARIABLE)
                at = same_phrase(phrases, given, same_number(given, at, end, token), end, _END)
            if meaning[PREPOSITION] >= 0:
                at = at if first else same_phrase(phrases, given, at, end, _AND)
                first = False
                at = same_symbol(expected, given, at, end, token)
                at = same_phrase(phrases, given, at, end, _NMOD)
                at = same_token(expected, given, at, end, meaning[PREPOSITION])
                at = same_phrase(phrases, given, at, end, _VARIABLE)
                at = same_number(given, at, end, token)
                at = _filler(expected, given, at, end, meaning[INNER])
        elif meaning[KIND] == VERB:
            for place in range(FIRST_ROLE, FIRST_ROLE + 2 * meaning[N_ROLES], 2):
                at = at if first else same_phrase(phrases, given, at, end, _AND)
                first = False
                at = same_symbol(expected, given, at, end, token)
                at = same_phrase(phrases, given, at, end, _ROLES + meaning[place])
                at = same_number(given, at, end, token)
                at = _filler(expected, given, at, end, meaning[place + 1])
        if at == WRONG:
            return WRONG
    return at


@lent
def _filler(expected: Expected, given: Bytes, at: Int, end: Int, token: Int) -> Int:
    """Compare with the second argument of a conjunct and its closing bracket."""
    phrases = expected.phrases
    if expected.meanings[token, KIND] == NAME:
        at = same_phrase(phrases, given, at, end, _COMMA)
        at = same_token(expected, given, at, end, token)
    else:
        at = same_phrase(phrases, given, at, end, _COMMA_VARIABLE)
        at = same_number(given, at, end, token)
    return same_phrase(phrases, given, at, end, _END)


@lent
def follow_free_formula(expected: Expected, given: Bytes, at: Int, end: Int) -> Int:
    """Compare with the variable-free form of a sentence."""
    phrases = expected.phrases
    meanings = expected.meanings
    verb: Int = 0
    while meanings[verb, KIND] != VERB:
        verb += 1
    depth = 0
    while verb >= 0 and at != WRONG:
        depth += 1
        at = same_symbol(expected, given, at, end, verb)
        at = same_phrase(phrases, given, at, end, _OPEN)
        inner: Int = WRONG
        for place in range(meanings[verb, N_ROLES]):
            role = meanings[verb, FIRST_ROLE + 2 * place]
            filler = meanings[verb, FIRST_ROLE + 2 * place + 1]
            if place > 0:
                at = same_phrase(phrases, given, at, end, _COMMA)
            at = same_phrase(phrases, given, at, end, _FREE_ROLES + role)
            if role == CCOMP or role == XCOMP:
                inner = filler
            else:
                at = _free_noun(expected, given, at, end, filler)
        verb = inner
    for _ in range(depth):
        at = same_phrase(phrases, given, at, end, _END)
    return at


@lent
def _free_noun(expected: Expected, given: Bytes, at: Int, end: Int, token: Int) -> Int:
    """Compare with a name, or a noun and all that its prepositions join to it."""
    phrases = expected.phrases
    meanings = expected.meanings
    if meanings[token, KIND] == NAME:
        return same_token(expected, given, at, end, token)
    depth = 0
    while at != WRONG:
        if meanings[token, ARTICLE] == DEFINITE:
            at = same_phrase(phrases, given, at, end, _STAR)
        at = same_symbol(expected, given, at, end, token)
        preposition = meanings[token, PREPOSITION]
        if preposition < 0:
            break
        depth += 1
        at = same_phrase(phrases, given, at, end, _FREE_NMOD)
        at = same_token(expected, given, at, end, preposition)
        at = same_phrase(phrases, given, at, end, _EQUALS)
        token = meanings[token, INNER]
    for _ in range(depth):
        at = same_phrase(phrases, given, at, end, _END)
    return at


@lent
def follow_word_formula(expected: Expected, given: Bytes, at: Int, end: Int, kind: Int) -> Int:
    """Compare with the logical form of a single word."""
    phrases = expected.phrases
    if kind == SINGLE_NAME:
        return same_token(expected, given, at, end, 0)
    at = same_phrase(phrases, given, at, end, _LAMBDA_A)
    if kind == SINGLE_NOUN:
        at = same_symbol(expected, given, at, end, 0)
        return same_phrase(phrases, given, at, end, _OF_A)
    if kind == SINGLE_BOTH:
        at = same_phrase(phrases, given, at, end, _LAMBDA_B)
    at = same_phrase(phrases, given, at, end, _LAMBDA_E)
    at = same_symbol(expected, given, at, end, 0)
    if kind == SINGLE_AGENT:
        return same_phrase(phrases, given, at, end, _AGENT_OF_A)
    if kind == SINGLE_BOTH:
        at = same_phrase(phrases, given, at, end, _AGENT_OF_B)
        at = same_phrase(phrases, given, at, end, _AND)
        at = same_symbol(expected, given, at, end, 0)
    return same_phrase(phrases, given, at, end, _THEME_OF_A)
