"""The compiled COGS parser: from the text of an input, left to right, to what each word means.

Every word is a row of integers. What is not a function word or the form of a verb may be a noun or
a name, by its letters.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import offsets_of
from synthgen.core.kernels import Int, kernel
from synthgen.families.cogs.words import all_verbs, infinitives, word_list

Bytes = NDArray[np.uint8]
Input = NDArray[np.int64]
"""The words of an input, int64 (m, WIDTH)."""

# Columns of every word: where it is in the text, its number in the lexicon or UNKNOWN, its shape,
# what it may be used for as a verb (one bit each), and its kind in the sentence.
START, END, NUMBER, SHAPE, USES, KIND = range(6)
# Further columns of a noun: its article, the preposition after it or -1, and the noun after that.
ARTICLE, PREPOSITION, INNER = 6, 7, 8
# Further columns of a verb: the form of its clause, the number of its roles, then role and filler
# (the place of a word) of each of up to three, in the order of the sentence.
FORM, N_ROLES, FIRST_ROLE = 6, 7, 8
WIDTH = 14
UNKNOWN = -1
WRONG, LOWER, UPPER, CAPITALISED = range(4)
"""Shapes: not only letters, all small, all capital, only the first one capital."""
NEITHER, NOUN, NAME, VERB = range(4)
"""Kinds; other words are neither."""
INDEFINITE, DEFINITE = range(2)
ROLES = ("agent", "theme", "recipient", "ccomp", "xcomp")
AGENT, THEME, RECIPIENT, CCOMP, XCOMP = np.arange(5)
FORMS = (
    *("unergative", "unaccusative", "omitted", "transitive", "inf", "pp_dative", "do_dative"),
    *("cp", "passive", "passive_by", "passive_pp_dative", "passive_pp_dative_by"),
    *("passive_do_dative", "passive_do_dative_by"),
)
"""Forms of clauses, as derivations name them; an infinitive has none."""
# Roles and forms are numbers of numpy, as a kernel is compiled again for every literal of Python.
_UNERGATIVE, _UNACCUSATIVE, _OMITTED, _TRANSITIVE, _INF, _PP_DATIVE, _DO_DATIVE, _CP = np.arange(8)
_NO_FORM = np.int64(-1)
_PLAIN, _TO_RECIPIENT, _OBJECT = np.arange(8, 14, 2)
FIRST_PASSIVE = _PLAIN
LONGEST_INPUT = 1 << 16
"""Bytes; anything longer is rejected."""
_FAILED = np.int64(-1)

_FUNCTION_WORDS = ("A", "The", "a", "the", "was", "to", "by", "that", "on", "in", "beside", ".")
"""Their numbers are their places; those of verb forms follow."""
_BIG_A, _BIG_THE, _A, _THE, _WAS, _TO, _BY, _THAT, _ON, _IN, _BESIDE, _STOP = range(12)
# Uses of a verb form, one bit each. Past forms: with an agent only; with a theme only, or
# transitive; transitive or without its object; transitive; dative; with a that-clause; with an
# infinitive. Then an infinitive after `to`, the participle of a dative verb, that of another verb,
# and bases that as a single word have an agent, a theme, or both.
_ACTS, _CHANGES, _OMITS, _TAKES, _GIVES, _STATES, _CONTROLS = (1 << bit for bit in range(7))
_INFINITIVE, _GIVEN, _DONE = (1 << bit for bit in range(7, 10))
AGENT_WORD, THEME_WORD, BOTH_WORD = (1 << bit for bit in range(10, 13))
_CLASSES = {
    "unergative": (_ACTS, 0, AGENT_WORD),
    "unaccusative": (_CHANGES, _DONE, THEME_WORD),
    "omissible": (_OMITS, _DONE, BOTH_WORD),
    "transitive": (_TAKES, _DONE, BOTH_WORD),
    "dative": (_GIVES, _GIVEN, 0),
    "clause": (_STATES, 0, 0),
    "control": (_CONTROLS, 0, 0),
}
"""What past form, participle and base of a verb of each class may be used for."""
_SLOTS = 2048
_EMPTY = -1
_FNV_START, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_SLOT_MASK = np.uint64(_SLOTS - 1)
_LONGEST_WORD = 64
_SPACE = ord(" ")
_SMALL_A, _SMALL_Z, _BIG_FIRST, _BIG_LAST = (ord(char) for char in "azAZ")


class Lexicon(NamedTuple):
    """Known words.

    Attributes:
        slots: int64 (_SLOTS,), number of the word there, or _EMPTY.
        uses: int64 (words,).
        texts: uint8, all words end to end, and then the bases of all.
        offsets: int64 (2 * words + 1,).
    """

    slots: NDArray[np.int64]
    uses: NDArray[np.int64]
    texts: Bytes
    offsets: NDArray[np.int64]


@cache
def lexicon() -> Lexicon:
    """Return the function words and the forms of all verbs."""
    uses = dict.fromkeys(_FUNCTION_WORDS, 0)
    bases: dict[str, str] = {}
    for name, verb in all_verbs():
        for form, use in zip(verb, _CLASSES[name], strict=True):
            if use:
                uses[form] = uses.get(form, 0) | use
                bases[form] = verb.base
    for word in infinitives():
        uses[word] = uses.get(word, 0) | _INFINITIVE
    for word in word_list("targets", "infinitive"):
        uses[word] |= AGENT_WORD
    texts = [*uses, *(bases.get(word, word) for word in uses)]
    slots = np.full(_SLOTS, _EMPTY, np.int64)
    for number, word in enumerate(uses):
        letters = np.frombuffer(word.encode(), np.uint8)
        slot = int(_slot(letters, 0, len(letters)))
        while slots[slot] != _EMPTY:
            slot = (slot + 1) % _SLOTS
        slots[slot] = number
    return Lexicon(
        slots=slots,
        uses=np.array(list(uses.values()), np.int64),
        texts=np.frombuffer("".join(texts).encode(), np.uint8),
        offsets=offsets_of(np.array([len(text) for text in texts])),
    )


@kernel
def _slot(text: Bytes, start: Int, end: Int) -> Int:
    """Return the first slot to look for a word in: its FNV-1a hash (Fowler, Noll, Vo)."""
    value = _FNV_START
    for at in range(start, end):
        value = (value ^ np.uint64(text[at])) * _FNV_PRIME
    return np.int64((value ^ (value >> np.uint64(32))) & _SLOT_MASK)


@kernel
def _number(known: Lexicon, text: Bytes, start: Int, end: Int) -> Int:
    """Return the number of a word in the lexicon, or UNKNOWN."""
    slot = _slot(text, start, end)
    while known.slots[slot] != _EMPTY:
        number: Int = known.slots[slot]
        begin, length = known.offsets[number], end - start
        is_same = known.offsets[number + 1] - begin == length
        if is_same:
            for place in range(length):
                is_same = is_same and known.texts[begin + place] == text[start + place]
        if is_same:
            return number
        slot = (slot + 1) % _SLOTS
    return np.int64(UNKNOWN)


@kernel
def _shape(text: Bytes, start: Int, end: Int) -> Int:
    small, big = 0, 0
    for at in range(start, end):
        small += _SMALL_A <= text[at] <= _SMALL_Z
        big += _BIG_FIRST <= text[at] <= _BIG_LAST
    if small + big < end - start or end - start > _LONGEST_WORD:
        return WRONG
    if big == 0:
        return LOWER
    if small == 0:
        return UPPER
    return CAPITALISED if big == 1 and _BIG_FIRST <= text[start] <= _BIG_LAST else WRONG


@kernel
def split_words(known: Lexicon, text: Bytes, start: Int, end: Int, words: Input) -> Int:
    """Split text[start:end] at single spaces and look every word up; return their number.

    Text that is empty, too long or has a space too many has 0 words.
    """
    if end <= start or end - start > LONGEST_INPUT:
        return 0
    count = 0
    begin = start
    for at in range(start, end + 1):
        if at < end and text[at] != _SPACE:
            continue
        if at == begin:
            return 0
        number = _number(known, text, begin, at)
        words[count, START], words[count, END] = begin, at
        words[count, NUMBER], words[count, SHAPE] = number, _shape(text, begin, at)
        words[count, USES] = known.uses[number] if number != UNKNOWN else 0
        words[count, KIND] = NEITHER
        count += 1
        begin = at + 1
    return count


@kernel
def parse_sentence(words: Input, count: Int) -> bool:
    """Find out what the words of a sentence mean; false if it is not one."""
    if count < 3 or words[count - 1, NUMBER] != _STOP:
        return False
    at: Int = np.int64(0)
    above: Int = _FAILED
    while True:
        subject, at = _noun_phrase(words, at, count)
        if subject == _FAILED:
            return False
        verb: Int = at
        if words[at, NUMBER] == _WAS:
            verb = at + 1
            at = _passive(words, verb, count, subject)
        else:
            at = _active(words, verb, count, subject)
        if at == _FAILED:
            return False
        if above >= 0:
            words[above, FIRST_ROLE + 3] = verb
        if words[verb, FORM] != _CP:
            return bool(at == count - 1)
        above = verb


@kernel
def _noun_phrase(words: Input, at: Int, count: Int) -> tuple[Int, Int]:
    """Read a name, or nouns joined by prepositions; return the head's place and the end.

    The end is before `count`, as the last word is the full stop.
    """
    if words[at, NUMBER] == UNKNOWN and words[at, SHAPE] == CAPITALISED:
        words[at, KIND] = NAME
        return at, at + 1
    head = at + 1
    while True:
        article = words[at, NUMBER]
        if at == 0:
            article += _A - _BIG_A
        noun = at + 1
        if noun >= count or (article != _A and article != _THE):
            return _FAILED, at
        shape = words[noun, SHAPE]
        if words[noun, NUMBER] != UNKNOWN or (shape != LOWER and shape != UPPER):
            return _FAILED, at
        words[noun, KIND] = NOUN
        words[noun, ARTICLE] = DEFINITE if article == _THE else INDEFINITE
        at = noun + 1
        if not _ON <= words[at, NUMBER] <= _BESIDE:
            words[noun, PREPOSITION] = -1
            return head, at
        words[noun, PREPOSITION], words[noun, INNER] = at, at + 2
        at += 1


@kernel
def _begin_verb(words: Input, verb: Int) -> None:
    words[verb, KIND], words[verb, FORM], words[verb, N_ROLES] = VERB, _NO_FORM, 0


@kernel
def _add_role(words: Input, verb: Int, role: Int, filler: Int) -> None:
    column = FIRST_ROLE + 2 * words[verb, N_ROLES]
    words[verb, column], words[verb, column + 1] = role, filler
    words[verb, N_ROLES] += 1


@kernel
def _active(words: Input, verb: Int, count: Int, subject: Int) -> Int:
    """Read an active verb and what follows it; return the end of the clause, or _FAILED."""
    uses, after = words[verb, USES], verb + 1
    if uses == 0 or after >= count:
        return _FAILED
    follower = words[after, NUMBER]
    changes = follower == _STOP and not uses & (_ACTS | _OMITS)
    _begin_verb(words, verb)
    _add_role(words, verb, THEME if changes else AGENT, subject)
    if follower == _STOP:
        words[verb, FORM] = _UNERGATIVE if uses & _ACTS else _OMITTED
        if changes:
            words[verb, FORM] = _UNACCUSATIVE
        return after if uses & (_ACTS | _OMITS | _CHANGES) else _FAILED
    if follower == _THAT:
        words[verb, FORM] = _CP
        _add_role(words, verb, CCOMP, after)  # until the verb of the next clause is read
        return after + 1 if uses & _STATES and after + 1 < count else _FAILED
    if follower == _TO:
        infinitive = after + 1
        if not uses & _CONTROLS or infinitive >= count:
            return _FAILED
        if not words[infinitive, USES] & _INFINITIVE:
            return _FAILED
        words[verb, FORM] = _INF
        _add_role(words, verb, XCOMP, infinitive)
        _begin_verb(words, infinitive)
        _add_role(words, infinitive, AGENT, subject)
        return infinitive + 1
    return _objects(words, verb, count)


@kernel
def _objects(words: Input, verb: Int, count: Int) -> Int:
    """Read the one or two objects of an active verb; return the end of the clause, or _FAILED."""
    uses = words[verb, USES]
    first, at = _noun_phrase(words, verb + 1, count)
    if first == _FAILED:
        return _FAILED
    if words[at, NUMBER] == _STOP:
        words[verb, FORM] = _TRANSITIVE
        _add_role(words, verb, THEME, first)
        return at if uses & (_TAKES | _OMITS | _CHANGES) else _FAILED
    to_recipient = words[at, NUMBER] == _TO
    at += to_recipient
    if not uses & _GIVES or at >= count:
        return _FAILED
    second, at = _noun_phrase(words, at, count)
    if second == _FAILED:
        return _FAILED
    words[verb, FORM] = _PP_DATIVE if to_recipient else _DO_DATIVE
    _add_role(words, verb, THEME if to_recipient else RECIPIENT, first)
    _add_role(words, verb, RECIPIENT if to_recipient else THEME, second)
    return at


@kernel
def _passive(words: Input, verb: Int, count: Int, subject: Int) -> Int:
    """Read a participle and what follows it; return the end of the clause, or _FAILED."""
    at: Int = verb + 1
    if at >= count:
        return _FAILED
    uses, form = words[verb, USES], _PLAIN
    _begin_verb(words, verb)
    if uses & _GIVEN:
        to_recipient = words[at, NUMBER] == _TO
        form = _TO_RECIPIENT if to_recipient else _OBJECT
        at += to_recipient
        if at >= count:
            return _FAILED
        other, at = _noun_phrase(words, at, count)
        if other == _FAILED:
            return _FAILED
        _add_role(words, verb, THEME if to_recipient else RECIPIENT, subject)
        _add_role(words, verb, RECIPIENT if to_recipient else THEME, other)
    elif uses & _DONE:
        _add_role(words, verb, THEME, subject)
    else:
        return _FAILED
    if words[at, NUMBER] == _BY and at + 1 < count:
        agent, at = _noun_phrase(words, at + 1, count)
        if agent == _FAILED:
            return _FAILED
        _add_role(words, verb, AGENT, agent)
        form += 1  # of each passive, the form with `by` is the next
    words[verb, FORM] = form
    return at
