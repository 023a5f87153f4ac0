"""Rendering of COGS derivations: the sentence, and the logical form composed along with it.

Each noun phrase becomes an entity and each verb an event at the position of its word, and an event
takes the entities of its clause as the fillers of its roles.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from synthgen.families.cogs.grammar import VERB_PHRASES
from synthgen.families.cogs.words import all_verbs

_ROLES = {
    rule: [each.rpartition(":")[::2] for each in roles.split()]
    for rule, roles in VERB_PHRASES.items()
}
"""Roles of each verb phrase, with the words before them."""


@cache
def _bases() -> dict[str, str]:
    return {form: verb.base for _, verb in all_verbs() for form in (verb.past, verb.participle)}


class Reading:
    """Sentence and logical form of a derivation, read from its root in the order of the words.

    Args:
        tree: Derivation of a sentence.
    """

    def __init__(self, tree: Any) -> None:
        self._words: list[str] = []
        self._definite: list[str] = []
        self._terms: list[list[str]] = []  # of each noun or verb, in the order of the words
        self._clause(tree)

    @property
    def sentence(self) -> str:
        """The sentence, with a full stop."""
        first, *others = self._words
        return " ".join([first[0].upper() + first[1:], *others, "."])

    @property
    def original(self) -> str:
        """The published logical form."""
        return "".join(self._definite) + " AND ".join(
            [term for terms in self._terms for term in terms]
        )

    def _clause(self, tree: Any) -> str:
        """Read a clause; return the variable of its verb."""
        sentence, subject, (rule, verb, *arguments) = tree
        agent = self._noun(subject)
        if sentence == "S_passive":
            self._words.append("was")
        place = len(self._words)
        self._words.append(verb)
        base = _bases()[verb]
        terms: list[str] = []
        self._terms.append(terms)
        (_, role), *others = _ROLES[rule]
        terms.append(f"{base} . {role} ( x _ {place} , {agent} )")
        for (link, role), argument in zip(others, arguments, strict=True):
            if link:
                self._words.append(link)
            if role == "ccomp":
                filler = self._clause(argument)
            elif role == "xcomp":
                filler = f"x _ {len(self._words)}"
                self._words.append(argument)
                self._terms.append([f"{argument} . agent ( {filler} , {agent} )"])
            else:
                filler = self._noun(argument)
            terms.append(f"{base} . {role} ( x _ {place} , {filler} )")
        return f"x _ {place}"

    def _noun(self, tree: Any) -> str:
        """Read a noun phrase; return its name or the variable of its first noun."""
        if tree[0] == "NP_name":
            self._words.append(tree[1])
            return str(tree[1])
        _, article, noun, *phrases = tree
        self._words += (article, noun)
        symbol, variable = noun.lower(), f"x _ {len(self._words) - 1}"
        terms: list[str] = []
        self._terms.append(terms)
        if article == "the":
            self._definite.append(f"* {symbol} ( {variable} ) ; ")
        else:
            terms.append(f"{symbol} ( {variable} )")
        for rule, inner in phrases:
            place = rule.removeprefix("PP_")
            self._words.append(place)
            terms.append(f"{symbol} . nmod . {place} ( {variable} , {self._noun(inner)} )")
        return variable


def variable_free(tree: Any) -> str:
    """Return the variable-free logical form of a clause or noun phrase."""
    rule, *parts = tree
    if rule == "NP_name":
        return str(parts[0])
    if rule in ("NP_det", "NP_det_pp"):
        article, noun, *phrases = parts
        text = f"* {noun.lower()}" if article == "the" else noun.lower()
        for place, inner in phrases:
            text += f" ( nmod . {place.removeprefix('PP_')} = {variable_free(inner)} )"
        return text
    subject, (rule, verb, *arguments) = parts
    fillers = [variable_free(subject)]
    for argument in arguments:
        if isinstance(argument, str):
            fillers.append(f"{argument} ( agent = {fillers[0]} )")
        else:
            fillers.append(variable_free(argument))
    roles = (role for _, role in _ROLES[rule])
    inside = " , ".join(f"{role} = {filler}" for role, filler in zip(roles, fillers, strict=True))
    return f"{_bases()[verb]} ( {inside} )"
