"""Compiled comparison of a bracketed derivation with the parse of its sentence."""

from __future__ import annotations

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers._cogs_compare import PLACE, WRONG, Expected, same_phrase, same_token
from synthgen.verifiers._cogs_parse import (
    ARTICLE,
    CCOMP,
    CLAUSE_FORM,
    DEFINITE,
    FIRST_PASSIVE,
    FIRST_ROLE,
    FORMS,
    INNER,
    KIND,
    N_ROLES,
    NAME,
    PREPOSITION,
    VERB,
    XCOMP,
)
from synthgen.verifiers._cogs_tokens import Bytes

_S_ACTIVE, _S_PASSIVE, _SPACE, _CLOSE = (
    PLACE[phrase] for phrase in ("(S_active ", "(S_passive ", " ", ")")
)
_NP_NAME, _NP_DET, _NP_DET_PP, _PP = (
    PLACE[phrase] for phrase in ("(NP_name ", "(NP_det ", "(NP_det_pp ", " (PP_")
)
_THE, _A = PLACE["the "], PLACE["a "]
_FIRST_VP, _FIRST_WORD = PLACE[f" (VP_{FORMS[0]} "], PLACE["(word_name "]


@lent
def follow_tree(expected: Expected, given: Bytes, at: Int, end: Int) -> Int:
    """Compare with the derivation of a sentence."""
    phrases = expected.phrases
    meanings = expected.meanings
    verb: Int = 0
    while meanings[verb, KIND] != VERB:
        verb += 1
    depth = 0
    while verb >= 0 and at != WRONG:
        depth += 2
        form = meanings[verb, CLAUSE_FORM]
        sentence = _S_PASSIVE if form >= FIRST_PASSIVE else _S_ACTIVE
        at = same_phrase(phrases, given, at, end, sentence)
        at = _follow_noun(expected, given, at, end, meanings[verb, FIRST_ROLE + 1])
        at = same_phrase(phrases, given, at, end, _FIRST_VP + form)
        at = same_token(expected, given, at, end, verb)
        inner: Int = WRONG
        for place in range(1, meanings[verb, N_ROLES]):
            role = meanings[verb, FIRST_ROLE + 2 * place]
            filler = meanings[verb, FIRST_ROLE + 2 * place + 1]
            at = same_phrase(phrases, given, at, end, _SPACE)
            if role == CCOMP:
                inner = filler
            elif role == XCOMP:
                at = same_token(expected, given, at, end, filler)
            else:
                at = _follow_noun(expected, given, at, end, filler)
        verb = inner
    for _ in range(depth):
        at = same_phrase(phrases, given, at, end, _CLOSE)
    return at


@lent
def _follow_noun(expected: Expected, given: Bytes, at: Int, end: Int, token: Int) -> Int:
    """Compare with the derivation of a noun phrase."""
    phrases = expected.phrases
    meanings = expected.meanings
    if meanings[token, KIND] == NAME:
        at = same_phrase(phrases, given, at, end, _NP_NAME)
        at = same_token(expected, given, at, end, token)
        return same_phrase(phrases, given, at, end, _CLOSE)
    depth = 1
    while at != WRONG:
        preposition = meanings[token, PREPOSITION]
        at = same_phrase(phrases, given, at, end, _NP_DET if preposition < 0 else _NP_DET_PP)
        article = _THE if meanings[token, ARTICLE] == DEFINITE else _A
        at = same_phrase(phrases, given, at, end, article)
        at = same_token(expected, given, at, end, token)
        if preposition < 0:
            break
        depth += 2
        at = same_phrase(phrases, given, at, end, _PP)
        at = same_token(expected, given, at, end, preposition)
        at = same_phrase(phrases, given, at, end, _SPACE)
        token = meanings[token, INNER]
    for _ in range(depth):
        at = same_phrase(phrases, given, at, end, _CLOSE)
    return at


@lent
def follow_word_tree(expected: Expected, given: Bytes, at: Int, end: Int, kind: Int) -> Int:
    """Compare with the derivation of a single word, whose kinds are in the order of the rules."""
    phrases = expected.phrases
    at = same_phrase(phrases, given, at, end, _FIRST_WORD + kind)
    at = same_token(expected, given, at, end, 0)
    return same_phrase(phrases, given, at, end, _CLOSE)
