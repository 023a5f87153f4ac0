"""Sentences of witness texts: who did what, where, when and why, or rows of allowed words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from synthgen.authoring import RowDraws
from synthgen.families.constraints.phrases import (
    KINDS,
    PHRASES,
    GivenUp,
    Lexicon,
    Phrase,
    bare,
    fillings,
)

_TRIES = 40
_RETRIES = 8
_SHORTEST_ACT = 3
_SHORT_ACT = 4
"""Most words of an action that names no place."""
_OPENER = 4
"""Most words before a clause that make it a question."""
_OPEN, _CLOSED = "([{", ")]}"


@dataclass(slots=True)
class Sentence:
    """A sentence in the making.

    Attributes:
        shown: The words as written, with marks and wraps.
        end: Final mark; empty for titles and labels.
        fixed: Number of words at its beginning that stay as they are.
    """

    shown: list[str]
    end: str = "."
    fixed: int = 1
    words: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.words = [piece if piece.isalpha() else bare(piece) for piece in self.shown]

    def text(self) -> str:
        """Return the sentence as written."""
        return " ".join(self.shown) + self.end


@dataclass(slots=True)
class Place:
    """What a sentence must have.

    Attributes:
        first, last: Adverbs at its beginning and end.
        opened: Whether other words come before it.
        initial: First letter.
        subject: Noun of a person, with its place from 2.
        nouns: Nouns, in order.
        digits, blanks: Numbers of phrases with a number and with a placeholder.
        mark, marks: A mark within the sentence, and how often it occurs.
        depth: Depth of brackets.
        end: Final mark.
    """

    first: str = ""
    last: str = ""
    opened: bool = False
    initial: str = ""
    subject: tuple[str, int] | None = None
    nouns: list[str] = field(default_factory=list)
    digits: int = 0
    blanks: int = 0
    mark: str = ""
    marks: int = 0
    depth: int = 0
    end: str = "."

    @property
    def clauses(self) -> int:
        """Fewest clauses of such a sentence."""
        return max(1, len(self.nouns), (self.marks if self.mark == ";" else 0) + 1)

    @property
    def free(self) -> bool:
        """Whether a sentence may begin with any words."""
        return not (self.first or self.opened or self.subject or self.initial)

    @property
    def shortest(self) -> int:
        """Fewest words of such a sentence."""
        joints = self.clauses - 1 - (self.marks if self.mark == ";" else 0)
        words = self.clauses * (1 + _SHORTEST_ACT) + joints + 3 * self.digits + 2 * self.blanks
        words += self.subject[1] - 1 if self.subject else 0
        words += 4 * self.marks if self.mark == ":" else 0
        words += (_OPENER if self.last and self.free else 1) if self.end == "?" else 0
        return words + bool(self.first) + bool(self.last) + bool(self.depth)


class Writer:
    """Writes sentences under some rules.

    Args:
        lexicon: Phrases and words that the rules allow.
        draws: Source of randomness.
        seen: Phrases that the text has had, to which it adds.
    """

    def __init__(self, lexicon: Lexicon, draws: RowDraws, seen: set[Phrase]) -> None:
        self.lexicon, self.draws, self.seen = lexicon, draws, seen
        self.rules, self.value = lexicon.rules, lexicon.value
        self.said: list[str] = []
        self.fresh: list[Phrase] = []
        self.before: list[str] = []
        self.hour = -1

    def a(self, name: str) -> list[str]:
        """Draw an allowed phrase of a list."""
        phrases = self.lexicon.phrases(name)
        if not phrases:
            raise GivenUp
        return list(self.draws.choice(phrases).pieces)

    @cached_property
    def comma(self) -> str:
        """A comma, if there may be one."""
        return "" if self.value("avoid_mark", "c", "") == "," else ","

    @cached_property
    def cast(self) -> list[list[str]]:
        """The people of the text."""
        names, people = self.lexicon.phrases("names"), self.lexicon.phrases("people")
        if "repeat_max" not in self.rules:
            names = self.draws.sample(names, min(2, len(names)))
            people = self.draws.sample(people, min(2, len(people)))
        named = [[*phrase.pieces] for phrase in names]
        others = [["the", *phrase.pieces] for phrase in people]
        if "repeat_max" in self.rules:
            return named + others
        return named[:1] + self.draws.shuffled([*named[1:], *others, ["we"]])[:2]

    # Sentences about a topic.

    def sentence(self, length: int, place: Place, nouns: Sequence[str], slack: int) -> Sentence:
        """Write a sentence.

        Args:
            length: Number of words.
            place: What it must have.
            nouns: Nouns of its clauses.
            slack: Number of words that each clause may lack.
        """
        self.slack = slack
        strict = not {"repeat_max", "no_same_initial"}.isdisjoint(self.rules)
        for _ in range(_RETRIES if strict else _RETRIES // 2):
            self.fresh, hour = [], self.hour
            try:
                sentence = Sentence(self.pieces(length, place, nouns), place.end)
                if not strict or self.fits(sentence.words):
                    self.said += [word.lower() for word in sentence.words]
                    return sentence
            except GivenUp:
                pass
            self.seen.difference_update(self.fresh)
            self.hour = hour
            nouns = [noun if noun in place.nouns else self.another() for noun in nouns]
        raise GivenUp

    def another(self) -> str:
        """Draw a noun that may occur anywhere."""
        if not self.lexicon.nouns:
            raise GivenUp
        return self.draws.choice(self.lexicon.nouns)

    def fits(self, words: Sequence[str]) -> bool:
        """Return whether words can follow those before them."""
        words = [*self.said, *(word.lower() for word in words)]
        same = "no_same_initial" in self.rules and any(a[0] == b[0] for a, b in pairwise(words))
        most = max(Counter(words).values())
        return not same and bool(most <= self.value("repeat_max", "n", most))

    def pieces(self, length: int, place: Place, nouns: Sequence[str]) -> list[str]:
        """Return the words of a sentence as written."""
        start = [place.first] if place.first else []
        end = [place.last] if place.last else []
        who = self.subject_of(place)
        tag = False
        if place.end == "?":
            opener = self.a("questions") if place.free else []
            tag = not place.free or (not place.last and place.shortest + _OPENER - 1 > length)
            if tag and (place.last or not self.comma):
                raise GivenUp
            start += [] if tag else opener
        if place.mark == ":" and place.marks:
            if place.marks > 1:
                raise GivenUp
            self.before = who or self.someone()
            start += [*self.before, *self.a("reports")]
            who = None
        room = length - len(start) - len(end) - tag
        aside: list[str] = []
        if place.depth:
            spare = room - place.clauses * (1 + _SHORTEST_ACT) - 3
            aside = self.aside(place.depth, min(place.depth, max(1, spare)))
        middle = self.clauses(room - len(aside), place, nouns, who)
        if tag:
            middle = [*middle[:-1], f"{middle[-1]},", "right"]
        return [*start, *middle, *aside, *end]

    def subject_of(self, place: Place) -> list[str] | None:
        """Return the subject that a sentence must have, if it must have one."""
        if place.subject:
            word, at = place.subject
            ages = self.lexicon.phrases("ages")
            if len(ages) < at - 2:
                raise GivenUp
            ages = [ages[i] for i in sorted(self.draws.sample(range(len(ages)), at - 2))]
            return ["the", *(phrase.pieces[0] for phrase in ages), word]
        if place.initial and not place.first:
            names = self.lexicon.phrases("names")
            fit = [[*name.pieces] for name in names if name.pieces[0][0].lower() == place.initial]
            if not fit:
                raise GivenUp
            return fit[0]
        return None

    def someone(self, most: int = 2) -> list[str]:
        """Draw one of the people of the text, but not the one of the clause before."""
        fit = [who for who in self.cast if who != self.before and len(who) <= most]
        if not fit:
            raise GivenUp
        return self.draws.choice(fit)

    def aside(self, depth: int, count: int) -> list[str]:
        """Return a number of words in nested brackets."""
        words = [phrase.pieces[0] for phrase in self.lexicon.phrases("asides")][:count]
        if len(words) < count:
            raise GivenUp
        opening = [_OPEN[i % 3] for i in range(depth)]
        closing = "".join(_CLOSED[i % 3] for i in reversed(range(depth)))
        words = self.draws.shuffled(words)
        first = [opening[i] + word for i, word in enumerate(words[:-1])]
        return [*first, "".join(opening[count - 1 :]) + words[-1] + closing]

    def clauses(
        self, room: int, place: Place, nouns: Sequence[str], who: list[str] | None
    ) -> list[str]:
        """Return clauses of a number of words together, each about one noun."""
        count = len(nouns)
        semicolons = place.marks if place.mark == ";" else 0
        joints = [*[";"] * semicolons, "while", "and"][: count - 1]
        if len(joints) < count - 1:
            raise GivenUp
        if count - 1 - semicolons == 1 and self.draws.integer(0, 2):
            joints[-1] = "and"
        extras = self.extras(place)
        shortest = [1 + _SHORTEST_ACT] * count
        shortest[0] += len(who) - 1 if who else 0
        at = self.draws.integer(0, count)
        shortest[at] += sum(map(len, extras))
        spare = room - sum(shortest) - (count - 1 - semicolons)
        if spare < 0:
            raise GivenUp
        pieces: list[str] = []
        for i, noun in enumerate(nouns):
            more = spare // (count - i)
            spare -= more
            who = who or self.someone(1 if more < 1 else 2)
            without = self.clashes(place, first=not i, last=i == count - 1)
            without[0].update({"how", "when"} if extras and i == at else ())
            added = [piece for extra in extras for piece in extra] if i == at else []
            pieces += self.clause(shortest[i] + more, noun, [who, added], without)
            self.before, who = who, None
            if i < len(joints):
                pieces[-1] += {";": ";", "and": self.comma}.get(joints[i], "")
                pieces += [] if joints[i] == ";" else [joints[i]]
        return pieces

    def clashes(self, place: Place, *, first: bool, last: bool) -> tuple[set[str], set[str]]:
        """Return the kinds of phrases to avoid in a clause, at first and if need be."""
        adverbs = {place.first} if first else set()
        adverbs |= {place.last} if last else set()
        clashes = {kind for kind in KINDS[:-1] if adverbs & set(PHRASES["clashes"][kind])}
        clashes |= {"how"} if last and place.depth else set()
        ends = {"why"} if last and (place.last or place.depth) else set()
        return clashes | ends, ends

    def extras(self, place: Place) -> list[list[str]]:
        """Return phrases with numbers and placeholders: at most one of company and one of time."""
        if place.digits + place.blanks > 2:
            raise GivenUp
        people_first = place.last or self.draws.integer(0, 3) == 0
        sides = ("people", "times") if people_first else ("times", "people")
        extras = []
        for i in range(place.digits + place.blanks):
            if i >= place.digits:
                extras.append(self.a(f"unknown_{sides[i]}"))
            else:
                n = self.draws.integer(2, 10) if sides[i] == "people" else self.minutes()
                texts = PHRASES["company" if sides[i] == "people" else "times"]
                phrases = self.lexicon.allowed(text.format(n=n) for text in texts)
                if not phrases:
                    raise GivenUp
                extras.append(list(phrases[0].pieces))
        return sorted(extras, key=lambda pieces: pieces[0] not in ("with", "for"))

    def minutes(self) -> int:
        """Draw a number of minutes."""
        return 5 * self.draws.integer(1, 10)

    def clause(
        self, room: int, noun: str, fixed: Sequence[list[str]], without: Sequence[set[str]]
    ) -> list[str]:
        """Return who did what with a noun, and phrases that fill the room.

        Args:
            room: Number of words.
            noun: Noun of the action.
            fixed: Who it was, and the words right after the action.
            without: Kinds of phrases to avoid, at first and if need be.
        """
        who, added = fixed
        left = room - len(who) - len(added)
        acts = [act for act in self.lexicon.acts(noun) if act not in self.seen]
        acts = acts or [act for act in self.lexicon.general_acts(noun) if act not in self.seen]
        acts = [act for act in acts if len(act) <= left and not {"with"} & act.words & set(added)]
        acts = self.draws.shuffled(acts)
        for avoided, placed in zip(without, ({"how", "where"}, set[str]()), strict=True):
            for act in acts:
                barred = avoided | placed if len(act) > _SHORT_ACT else avoided
                kinds = [kind for kind in KINDS if kind not in barred]
                filling = self.filling(left - len(act), kinds)
                if filling is not None:
                    self.fresh.append(act)
                    self.seen.add(act)
                    return [*who, *act.pieces, *added, *filling]
        raise GivenUp

    def filling(self, room: int, kinds: Sequence[str]) -> list[str] | None:
        """Return phrases of a number of words together, or None."""
        if room <= self.slack:
            return []
        lists = [self.lexicon.by_length(kind, self.hour) for kind in kinds]
        table = fillings(tuple(map(tuple, lists)))
        options = [table[n] for n in range(room, room - self.slack - 1, -1) if n in table]
        if not options:
            return None
        chosen = self.draws.choice(min(options, key=lambda each: -each[0].count(0)))
        phrases: list[Phrase] = []
        for kind, by_length, length in zip(kinds, lists, chosen, strict=True):
            if length:
                new = [phrase for phrase in by_length[length] if phrase not in self.seen]
                if not new:
                    return None
                half = new[: len(new) // 2 + 1]  # those of the topic come first
                phrases.append(self.draws.choice(half))
                if kind == "when":
                    self.hour = self.lexicon.phrases("when").index(phrases[-1])
        self.fresh += phrases
        self.seen.update(phrases)
        return [piece for phrase in phrases for piece in phrase.pieces]

    # Rows of words.

    def row_of_words(self, length: int, place: Place) -> Sentence:
        """Write a row of allowed words that is not a grammatical sentence."""
        start = [place.first] if place.first else []
        end = [place.last] if place.last else []
        word, at = place.subject or ("", 1)
        needed = [*place.nouns, *(str(self.minutes()) for _ in range(place.digits))]
        count = length - len(start) - len(end) - len(needed) - bool(word)
        marked = place.marks + place.blanks + bool(place.depth)
        if count < max(marked, bool(place.initial), at - 1, not (start or end or place.nouns)):
            raise GivenUp
        words = [self.next_word(place.initial if i == 0 else "") for i in range(count)]
        opening = "".join(_OPEN[i % 3] for i in range(place.depth))
        closing = "".join(_CLOSED[i % 3] for i in reversed(range(place.depth)))
        wraps = [f"{{}}{place.mark}"] * place.marks + ["[{}]"] * place.blanks
        for i, wrap in enumerate(wraps):
            words[-1 - i] = wrap.format(words[-1 - i])
        if place.depth:
            words[-marked] = opening + words[-marked] + closing
        words = [*words[: at - 1], *([word] if word else []), *words[at - 1 :], *needed]
        return Sentence([*start, *words, *end], place.end)

    @cached_property
    def used(self) -> list[str]:
        """The words of rows so far."""
        return []

    def next_word(self, initial: str) -> str:
        """Draw the next word of a row."""
        max_uses = self.value("repeat_max", "n", 10**6)
        if "alphabet" in self.rules and self.used:
            initial = chr((ord(self.used[-1][0]) - 96) % 26 + 97)
        pool = self.lexicon.pool
        choices = [word for word in pool if word[0] == initial] if initial else pool
        for _ in range(_TRIES if choices else 0):
            word = self.draws.choice(choices)
            same = "no_same_initial" in self.rules and self.used and word[0] == self.used[-1][0]
            if not same and self.used.count(word) < max_uses:
                self.used.append(word)
                return word
        raise GivenUp
