"""Checkers of bad arguments: against the person, from the crowd, from sequence."""

from __future__ import annotations

from functools import cache

from synthgen.core.skill_world import listed, records
from synthgen.verifiers.skillmix._check_world_parse import (
    DETERMINERS,
    NEGATIONS,
    PRONOUNS,
    Statement,
    bare,
    concluded,
    is_person,
    statements,
)
from synthgen.verifiers.skillmix._text import STOP, Text

CLAIMS = frozenset(
    "says said claims claimed argues argued insists insisted holds warns warned maintains swears "
    "tells told".split()
)
REJECTS = frozenset(
    "wrong false nonsense ignore ignored worthless rubbish untrue dismiss dismissed mistaken "
    "reject rejected".split()
)
TRUSTS = frozenset("believe trust listen trusted believed true right count counts heed".split())
REJECTION_TRIGGERS = REJECTS | TRUSTS


@cache
def flaws() -> frozenset[str]:
    """Words that speak against a person."""
    return frozenset(
        word for record in records("people", "flaw") for word in listed(record["words"])
    )


def ad_hominem(text: Text) -> bool:
    """Whether a claim is rejected for a property of its author alone."""
    told = statements(text)
    for at, claim in enumerate(told):
        words = claim.words
        for i in range(len(words) - 2):
            claims = words[i + 1] in CLAIMS and words[i + 2] == "that" and is_person(words[i])
            if claims and _attacked(told, at, words[i], _content(words[i + 3 :])):
                return True
    return False


def _attacked(told: tuple[Statement, ...], at: int, author: str, content: frozenset[str]) -> bool:
    """Whether the claim is rejected, and every reason for that is a flaw of the author."""
    reasons: list[Statement] = []
    rejected = any(_rejects(statement.words) for statement in told[max(0, at - 1) : at + 1])
    for i in range(at + 1, min(at + 5, len(told))):
        done = rejected and bool(reasons)
        if done and told[i].place != reasons[-1].place:
            break
        rejected = rejected or _rejects(told[i].words)
        if _is_reason(told, i):
            reasons.append(told[i])
    return (
        rejected
        and bool(reasons)
        and all(_is_flaw(statement.words, author, content) for statement in reasons)
    )


def _rejects(words: tuple[str, ...]) -> bool:
    if not REJECTS.isdisjoint(words):
        return True
    return not (TRUSTS.isdisjoint(words) or NEGATIONS.isdisjoint(words))


def _is_reason(near: tuple[Statement, ...], at: int) -> bool:
    if near[at].link:
        return near[at].link == "because"
    return at + 1 < len(near) and near[at + 1].link == "so"


def _is_flaw(words: tuple[str, ...], author: str, content: frozenset[str]) -> bool:
    rest = bare(words)
    if not rest or (rest[0] != author and rest[0] not in PRONOUNS and words[0] not in PRONOUNS):
        return False
    return not flaws().isdisjoint(words) and content.isdisjoint(_content(rest) - {author})


def _content(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for word in words if word not in STOP and word not in DETERMINERS)


THEN = frozenset("then soon later next afterward afterwards after".split())
CAUSES = frozenset("caused cause causes blame made brought led".split())
CAUSE_TRIGGERS = CAUSES | frozenset("because due fault".split())


def post_hoc(text: Text) -> bool:
    """Whether what came first is concluded to have caused what came then."""
    told = statements(text)
    for at in range(len(told) - 1):
        first, second = told[at], told[at + 1]
        follows = second.link == "then" or not THEN.isdisjoint((*second.words, first.words[0]))
        if first.link == "so" or second.link in ("so", "because") or not follows:
            continue
        before, after = _content(first.words), _content(second.words)
        if any(_blames(told, i, before, after) for i in range(at + 2, min(at + 4, len(told)))):
            return True
    return False


def _blames(
    told: tuple[Statement, ...], place: int, before: frozenset[str], after: frozenset[str]
) -> bool:
    words = told[place].words
    if not concluded(told, place) or not NEGATIONS.isdisjoint(words):
        return False
    at = next((i for i, word in enumerate(words) if word in CAUSE_TRIGGERS), 0)
    if not at:
        return False
    cause, effect = words[:at], words[at + 1 :]
    if words[at] not in CAUSES:
        cause, effect = effect, cause
    return _alludes(cause, before, after) and _alludes(effect, after, before)


def _alludes(words: tuple[str, ...], told: frozenset[str], other: frozenset[str]) -> bool:
    """Whether words take up one event rather than the other, by its words or by a pronoun."""
    content = _content(words)
    taken = sum(_taken_up(word, told, other) for word in content)
    strange = sum(_taken_up(word, other, told) for word in content)
    if not taken and not strange:
        return not {"it", "this", "that"}.isdisjoint(words)
    return taken > strange


def _taken_up(word: str, told: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a word is one of those told, or, unless it is one of the others, begins like it."""
    return word in told or (word not in other and any(word[:4] == known[:4] for known in told))


_CROWD = frozenset("everyone everybody millions thousands hundreds crowds majority".split())
_WHOLE = frozenset("all most every nearly whole entire many".split())
HELD = frozenset(("that", "so"))
"""What follows the word for holding: a claim, or "so" for one."""
HOLD = frozenset("believe believes think thinks say says agree agrees swear swears hold".split())
CROWD_TRIGGERS = _CROWD | _WHOLE


def appeal_to_popularity(text: Text) -> bool:
    """Whether a thing is concluded to be true because the many say so."""
    told = statements(text)
    for at, statement in enumerate(told):
        claim = _popular(statement.words)
        if claim is None:
            continue
        if not claim:  # "everybody says so"
            if at and concluded(told, at - 1) and statement.link == "because":
                return True
        elif any(
            _asserts(told, other, claim)
            for other in range(max(0, at - 1), min(len(told), at + 3))
            if other != at
        ):
            return True
    return False


def _popular(words: tuple[str, ...]) -> frozenset[str] | None:
    """Return the content of what the many hold, nothing for "so", None if they hold nothing."""
    verb = next((i for i, word in enumerate(words) if word in HOLD), 0)
    subject, claim = words[:verb], words[verb + 1 :]
    if not verb or not claim or claim[0] not in HELD or not NEGATIONS.isdisjoint(subject):
        return None
    many = not _CROWD.isdisjoint(subject) or not _WHOLE.isdisjoint(subject)
    return _content(claim) - {"so"} if many else None


TRUE = frozenset("true right so fact correct".split())


def _asserts(told: tuple[Statement, ...], at: int, claim: frozenset[str]) -> bool:
    words = told[at].words
    if not concluded(told, at) or not NEGATIONS.isdisjoint(words):
        return False
    if words[0] in PRONOUNS and not TRUE.isdisjoint(words):
        return True
    return claim <= _content(words)
