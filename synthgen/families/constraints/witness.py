"""Witness texts: a text that satisfies a set of constraints, built from its structure.

The structure comes first: fixed lines (titles, labels, postscripts), the number of sentences, what
each of them must have, and their lengths. Then every sentence says what somebody did; where no such
text is possible, it is a row of words. Highlights and case come last. Counts are checked on this
structure; an attempt that misses one is given up.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

from synthgen.authoring import RowDraws
from synthgen.families.constraints.phrases import (
    PHRASES,
    TOPICS,
    GivenUp,
    Lexicon,
    Phrase,
    Rules,
)
from synthgen.families.constraints.sentences import Place, Sentence, Writer

ATTEMPTS = 9
"""Attempts at natural texts, and at rows of words."""
NEVER_NATURAL = frozenset({"vowels", "alphabet"})
"""Types that no natural text satisfies."""
_LONGEST, _SHORTEST = 14, 4
_MAX_NATURAL = 30
"""Most words of a natural sentence."""
_USUAL, _QUESTION = (5, 11), (9, 14)
"""Usual lengths of sentences and of questions."""
_SPARE = 11
"""Words beyond the fewest for which a sentence gets another clause."""
_SLACK = 3
"""Words that a clause may lack if nothing depends on its length."""
_FEWEST, _MAX_SENTENCES = 3, 60
_MAX_COUNTS = 3
"""Numbers of sentences that an attempt tries."""


class Impossible(GivenUp):
    """Constraints that no attempt can satisfy."""


def witness(rules: Rules, topic: str, draws: RowDraws) -> tuple[str, bool] | None:
    """Return a text that satisfies all rules, and whether it is natural.

    Every version of a text with several versions satisfies the other rules.

    Returns:
        None if no attempt gives a text.
    """
    others = {kind: values for kind, values in rules.items() if kind != "responses"}
    lexicon = Lexicon(others, topic)
    if lexicon.is_impossible:
        return None
    for natural in (True, False):
        if natural and not NEVER_NATURAL.isdisjoint(rules):
            continue
        seen: set[Phrase] = set()
        versions: list[str] = []
        for _ in range(ATTEMPTS):
            try:
                text = _Attempt(lexicon, draws, seen, natural=natural).text()
            except Impossible:
                break
            except GivenUp:
                continue
            versions += [] if text in versions else [text]
            if len(versions) == rules.get("responses", {}).get("n", 1):
                return "\n******\n".join(versions), natural
    return None


class _Attempt(Writer):
    """One attempt at a witness.

    Args:
        lexicon, draws, seen: As for every writer.
        natural: Whether the text has sentences about its topic instead of rows of words.
    """

    def __init__(
        self, lexicon: Lexicon, draws: RowDraws, seen: set[Phrase], *, natural: bool
    ) -> None:
        super().__init__(lexicon, draws, set(seen))
        self.natural, self.seen_before = natural, seen

    def text(self) -> str:
        """Write the text.

        Raises:
            GivenUp: If some rule cannot be satisfied.
        """
        head, tail = self.head(), self.tail()
        places, lengths = self.structure([*head, *tail])
        body = self.body(places, lengths)
        if "start_with" in self.rules:
            opening = self.rules["start_with"]["phrase"].split()
            fixed = len(opening)
            opening[-1] += self.comma
            body[0] = Sentence([*opening, *body[0].shown], body[0].end, fixed)
        for sentence in body:
            sentence.shown[0] = _capitalized(sentence.shown[0])
        self.highlight(body)
        self.case(head, body, tail)
        self.check([*head, *body, *tail])
        text = self.assemble(head, body, tail)
        if self.value("avoid_mark", "c", "\0") in text:
            raise GivenUp
        self.seen_before |= self.seen
        return f'"{text}"' if "quoted" in self.rules else text

    def body(self, places: Sequence[Place], lengths: Sequence[int]) -> list[Sentence]:
        """Write the sentences between the fixed ones."""
        pairs = [*zip(lengths, places, strict=True)]
        if not self.natural:
            return [self.row_of_words(length, place) for length, place in pairs]
        counts = [place.clauses + (length - place.shortest) // _SPARE for length, place in pairs]
        slots = [
            noun
            for count, place in zip(counts, places, strict=True)
            for noun in (*place.nouns, *[""] * (count - len(place.nouns)))
        ]
        nouns = self.filled_slots(slots)
        fixed = not {"sentence_words", "growing"}.isdisjoint(self.rules)
        total = not {"words", "unique_words"}.isdisjoint(self.rules)
        missing = 0
        sentences = []
        for i, (count, (length, place)) in enumerate(zip(counts, pairs, strict=True)):
            own = [nouns.pop(0) for _ in range(count)]
            exact = fixed or (total and i == len(pairs) - 1)
            wanted = min(length + missing, self.value("sentence_max", "m", 99)) if total else length
            sentences.append(self.sentence(wanted, place, own, 0 if exact else _SLACK))
            missing += length - len(sentences[-1].words)
        return sentences

    def filled_slots(self, slots: Sequence[str]) -> list[str]:
        """Draw nouns for empty slots, in the order of a usual day between the nouns around them."""
        order = {noun: i for i, noun in enumerate(TOPICS[self.lexicon.topic]["acts"])}
        known = self.lexicon.nouns
        nouns: list[str] = []
        while len(nouns) < len(slots):
            if slots[len(nouns)]:
                nouns.append(slots[len(nouns)])
                continue
            rest = [*slots[len(nouns) :], "end"]
            run = next(i for i, noun in enumerate(rest) if noun)
            low, high = order[nouns[-1]] if nouns else -1, order.get(rest[run], len(order))
            pool = [noun for noun in known if low < order[noun] < high]
            pool = pool if len(pool) >= run else known
            if not pool:
                raise GivenUp
            rounds, more = divmod(run, len(pool))
            chosen = pool * rounds + self.draws.sample(pool, more)
            nouns += sorted(chosen, key=order.__getitem__)
        return nouns

    def head(self) -> list[Sentence]:
        """Return the sentences before the body."""
        sentences = []
        if "title" in self.rules:
            title = self.draws.choice(PHRASES["titles"]).format(topic=self.lexicon.topic)
            sentences.append(Sentence([*map(_capitalized, title.split())], end=""))
        if "echo" in self.rules:
            request = self.rules["echo"]["request"].removesuffix(".")
            sentences.append(Sentence(request.split()))
        return sentences

    def tail(self) -> list[Sentence]:
        """Return the sentences after the body."""
        sentences = []
        if "end_with" in self.rules:
            phrase = self.rules["end_with"]["phrase"].removesuffix(".")
            sentences.append(Sentence(phrase.split()))
        if "postscript" in self.rules:
            text = self.draws.choice(PHRASES["postscripts"])
            sentences.append(Sentence([self.rules["postscript"]["marker"], *text.split()]))
        return sentences

    @cached_property
    def parts(self) -> int:
        """Number of parts that the text has."""
        kinds = ("paragraphs", "paragraph_first", "divider", "sections")
        return int(max(1, *(self.value(kind) for kind in kinds)))

    @cached_property
    def items(self) -> int:
        """Number of list items at the end of the text."""
        return int(self.value("bullets") + self.value("numbered"))

    def bounds(self, kind: str, fixed: int) -> tuple[int, int]:
        """Return the fewest and most words or sentences to add to fixed ones."""
        if kind not in self.rules:
            return 1, 10**6
        values = self.rules[kind]
        low, high = {
            "at least": (values["n"], 10**6),
            "at most": (1, values["n"]),
            "exactly": (values["n"], values["n"]),
            "between": (values["n"], values.get("n2", 0)),
        }[values["rel"]]
        return low - fixed, high - fixed

    def sentence_counts(self, fixed: int) -> list[int]:
        """Return the numbers of sentences to try, the likeliest first."""
        low, high = self.bounds("sentences", fixed)
        fewest = max(
            self.parts + self.items + bool(self.items),
            3 if {"growing", "chain"} & self.rules.keys() else 1,
            self.value("word_in_sentence", "i"),
            self.value("mark_count") if self.value("mark_count", "c", ",") in "?!" else 0,
            len(self.value("acrostic", "w", "")),
            low,
        )
        if "acrostic" in self.rules:
            high = min(high, len(self.rules["acrostic"]["w"]))
        high = min(high, _MAX_SENTENCES)
        if fewest > high:
            raise Impossible
        fewest = max(fewest, min(high, self.wished())) if self.natural else fewest
        terse = not self.natural or "repeat_max" in self.rules
        more = 0 if terse else self.draws.integer(0, 3)
        likely = min(high, fewest + more)
        return [likely, *range(fewest, likely), *range(likely + 1, high + 1)]

    def wished(self) -> int:
        """Return the number of sentences that have room for what must occur."""
        nouns = len(self.loose_nouns) + len(self.value("words_in_order", "listed", ()))
        phrases = self.value("numbers") + self.value("placeholders")
        colons = self.value("mark_count") if self.value("mark_count", "c", "") == ":" else 0
        fewest = 1 if "repeat_max" in self.rules else _FEWEST
        return int(max(fewest, nouns, -(-phrases // 2), colons))

    def structure(self, fixed: Sequence[Sentence]) -> tuple[list[Place], list[int]]:
        """Return what each sentence of the body must have, and its number of words."""
        labels = self.value("sections")
        n_fixed = sum(len(sentence.words) for sentence in fixed) + 2 * labels
        n_fixed += len(self.value("start_with", "phrase", "").split())
        low, high = self.bounds("words", n_fixed)
        low = max(low, self.value("unique_words") * 2)
        counts = self.sentence_counts(len(fixed) + labels)
        for longest in (_LONGEST, _MAX_NATURAL):
            most = min(longest, self.value("sentence_max", "m", longest))
            most = _MAX_NATURAL if "growing" in self.rules else most
            open_counts = [n for n in counts if _SHORTEST * n <= high and low <= most * n]
            for count in open_counts[:_MAX_COUNTS]:
                places = self.places(count)
                shortest = [place.shortest if self.natural else _SHORTEST for place in places]
                lengths = self.lengths_of(shortest, low, high, longest)
                if lengths and low <= sum(lengths) <= high:
                    return places, lengths
        raise Impossible if low > high else GivenUp

    def lengths_of(
        self, shortest: Sequence[int], low: int, high: int, longest: int
    ) -> list[int] | None:
        """Return lengths of sentences with about the right sum, or None."""
        count = len(shortest)
        longest = self.value("sentence_max", "m", longest)
        if "sentence_words" in self.rules:
            longest = self.rules["sentence_words"]["m"]
            return [longest] * count if max(shortest) <= longest or not self.natural else None
        if "growing" in self.rules:
            step = self.rules["growing"]["d"]
            rest = step * count * (count - 1) // 2
            start = max(_SHORTEST + self.draws.integer(0, 4), -(-(low - rest) // count))
            lengths = [start + step * i for i in range(count)]
            fit = lengths[-1] <= _MAX_NATURAL and all(map(int.__le__, shortest, lengths))
            return lengths if fit or not self.natural else None
        usual = _QUESTION if self.value("sentence_ends", "c", "") == "?" else _USUAL
        target = sum(max(self.draws.integer(*usual), least) for least in shortest)
        total = min(max(target, low), high)
        if self.natural and max(shortest) > longest:
            return None
        lengths = [min(least, longest) for least in shortest]
        if not sum(lengths) <= total <= longest * count:
            return None
        open_ones = [i for i in range(count) if lengths[i] < longest]
        for _ in range(total - sum(lengths)):
            i = self.draws.choice(open_ones)
            lengths[i] += 1
            if lengths[i] == longest:
                open_ones.remove(i)
        return lengths

    def places(self, count: int) -> list[Place]:
        """Return what each sentence must have."""
        places = [Place() for _ in range(count)]
        for place in places:
            place.first = self.value("sentence_first", "w", "")
            place.last = self.value("sentence_last", "w", "")
        if "chain" in self.rules:
            links = self.links(count)
            for place, before, after in zip(places, ["", *links], links, strict=False):
                place.first, place.last = before, after
        if "start_end" in self.rules:
            places[0].first = places[-1].last = self.links(1)[0]
        for place, letter in zip(places, self.value("acrostic", "w", ""), strict=False):
            place.initial = letter
        if "paragraph_first" in self.rules:
            at = self.starts(count)[self.rules["paragraph_first"]["i"] - 1]
            self.set_first(places[at], self.rules["paragraph_first"]["w"])
        if "word_at" in self.rules:
            self.place_word_at(places, **self.rules["word_at"])
        places[0].opened = "start_with" in self.rules
        self.place_nouns(places)
        self.place_phrases(places)
        self.place_marks(places)
        return places

    def links(self, count: int) -> list[str]:
        """Draw adverbs, of which no two neighbors are equal."""
        adverbs = [phrase.pieces[0] for phrase in self.lexicon.phrases("links")]
        if len(adverbs) < 2:
            raise GivenUp
        links = [self.draws.choice(adverbs)]
        while len(links) < count:
            links.append(self.draws.choice([word for word in adverbs if word != links[-1]]))
        return links

    def set_first(self, place: Place, word: str) -> None:
        """Begin a sentence with a word."""
        if place.first not in ("", word) or place.initial:
            raise GivenUp
        place.first = word

    def place_word_at(self, places: list[Place], w: str, i: int) -> None:
        """Place a word at a position of the text."""
        if i == 1:
            self.set_first(places[0], w)
        elif i > 1:
            if places[0].first or places[0].initial:
                raise GivenUp
            places[0].subject = (w, i)
        elif places[-1].last not in ("", w):
            raise GivenUp
        else:
            places[-1].last = w

    @cached_property
    def loose_nouns(self) -> list[str]:
        """Nouns that must occur somewhere, in the order of a usual day."""
        nouns = list(self.value("include", "listed", ()))
        if "word_count" in self.rules:
            values = self.rules["word_count"]
            nouns += [values["w"]] * (values["n"] - (values["rel"] == "at most"))
        return sorted(nouns, key=[*TOPICS[self.lexicon.topic]["acts"]].index)

    def place_nouns(self, places: list[Place]) -> None:
        """Spread the nouns that must occur over the sentences, few in each."""
        bound = list(self.value("words_in_order", "listed", ()))
        for nouns in (bound, self.loose_nouns):
            order = sorted(
                self.draws.shuffled(range(len(places))), key=lambda i: len(places[i].nouns)
            )
            order *= 1 + len(nouns) // len(places)
            for i, noun in zip(sorted(order[: len(nouns)]), nouns, strict=True):
                places[i].nouns.append(noun)
        if "word_in_sentence" in self.rules:
            values = self.rules["word_in_sentence"]
            places[values["i"] - 1].nouns.append(values["w"])

    def place_phrases(self, places: list[Place]) -> None:
        """Spread numbers, placeholders and brackets over the sentences."""
        order = self.draws.shuffled(range(len(places)))
        order = sorted(order, key=lambda i: len(places[i].nouns))
        n_digits = self.value("numbers")
        for i in range(n_digits + self.value("placeholders")):
            place = places[order[i % len(order)]]
            place.digits += i < n_digits
            place.blanks += i >= n_digits
        places[order[-1]].depth = self.value("brackets", "d")

    def place_marks(self, places: list[Place]) -> None:
        """Choose final marks, and spread marks within sentences."""
        counted, times = self.value("mark_count", "c", ""), self.value("mark_count")
        banned = {self.value("avoid_mark", "c", ""), counted}
        usual = self.value("sentence_ends", "c", "")
        usual = usual or next(mark for mark in ".!?" if mark not in banned)
        order = self.draws.shuffled(range(len(places)))
        ends = order[:times] if counted and counted in "?!" else []
        for i, place in enumerate(places):
            place.end = counted if i in ends else usual
        if counted and counted in ";:":
            for i in range(times):
                place = places[order[i % len(order)]]
                place.mark = counted
                place.marks += 1

    def highlight(self, body: list[Sentence]) -> None:
        """Put asterisks around words, long ones before short ones."""
        count = self.value("highlights")
        places = [
            (sentence, j)
            for sentence in body
            for j in range(sentence.fixed, len(sentence.words))
            if sentence.shown[j] == sentence.words[j] and self.stands_out(sentence.words[j])
        ]
        if len(places) < count:
            raise GivenUp
        for sentence, j in self.draws.shuffled(places)[:count]:
            sentence.shown[j] = f"*{sentence.shown[j]}*"

    def stands_out(self, word: str) -> bool:
        """Return whether a word may be highlighted."""
        return word.isalpha() and (
            not self.natural or (len(word) > 3 and word not in PHRASES["plain"])
        )

    def case(self, *blocks: list[Sentence]) -> None:
        """Change the case of words."""
        sentences = [sentence for block in blocks for sentence in block]
        if "lowercase" in self.rules:
            self.change(sentences, str.lower)
        elif "uppercase" in self.rules:
            self.change(sentences, str.upper)
        elif "title_case" in self.rules:
            self.change(sentences, _capitalized)
        elif "capital_words" in self.rules:
            values = self.rules["capital_words"]
            count = max(0, values["n"] - (values["rel"] == "at most"))
            places = [
                (sentence, j)
                for sentence in blocks[1]
                for j in range(sentence.fixed, len(sentence.words))
                if len(sentence.words[j]) > 1 and self.stands_out(sentence.words[j])
            ]
            if len(places) < count:
                raise GivenUp
            for sentence, j in self.draws.shuffled(places)[:count]:
                sentence.shown[j] = sentence.shown[j].upper()

    def change(self, sentences: list[Sentence], convert: Callable[[str], str]) -> None:
        """Apply a change of case to all words."""
        for sentence in sentences:
            sentence.shown = [*map(convert, sentence.shown)]

    def check(self, sentences: list[Sentence]) -> None:
        """Give up unless the counts that several layers share are right."""
        words = [word.lower() for sentence in sentences for word in sentence.words]
        counts = Counter(words)
        shown = "".join(sentence.text() for sentence in sentences).lower()
        digits = sum(word.isdigit() for word in words)
        letter = self.rules.get("letter_count", {})
        n_labels = 2 * self.value("sections")
        tests = (
            all(word in counts for word in self.value("include", "listed", ())),
            not any(word in counts for word in self.value("avoid", "listed", ())),
            self.counts("word_count", counts[self.value("word_count", "w", "")]),
            self.counts("words", len(words) + n_labels),
            len(counts) + self.value("sections") >= self.value("unique_words"),
            max(counts.values()) <= self.value("repeat_max", "n", 10**6),
            not letter or self.counts("letter_count", shown.count(letter["c"])),
            digits == self.value("numbers") or "numbers" not in self.rules,
            max(map(len, words)) <= self.value("word_length_max", "m", 99),
        )
        if not all(tests):
            raise GivenUp

    def counts(self, kind: str, count: int) -> bool:
        """Return whether a count satisfies the relation of a rule, if there is such a rule."""
        low, high = self.bounds(kind, 0)
        return kind not in self.rules or (
            (low <= count or self.rules[kind]["rel"] == "at most") and (count <= high)
        )

    def starts(self, count: int) -> list[int]:
        """Return the index of the first sentence of each part."""
        free = count - self.items
        return [part * free // self.parts for part in range(self.parts)]

    def assemble(self, head: list[Sentence], body: list[Sentence], tail: list[Sentence]) -> str:
        """Arrange sentences in lines, lists and parts."""
        if "json" in self.rules:
            return self.json_text(body)
        starts = [*self.starts(len(body)), len(body) - self.items]
        joint, separator = "\n\n", "\n" if "acrostic" in self.rules else " "
        if "divider" in self.rules:
            joint = "\n***\n"
        texts = [separator.join(s.text() for s in body[a:b]) for a, b in pairwise(starts)]
        if "sections" in self.rules:
            label = self.rules["sections"]["label"]
            texts = [f"{label} {i}\n{text}" for i, text in enumerate(texts, 1)]
        items = [sentence.text() for sentence in body[len(body) - self.items :]]
        n_bullets = self.value("bullets")
        lines = [f"- {item}" for item in items[:n_bullets]]
        lines += [f"{i}. {item}" for i, item in enumerate(items[n_bullets:], 1)]
        texts[-1] = "\n".join([texts[-1], *lines])
        return self.framed(head, joint.join(texts), tail, listed=bool(lines))

    def framed(self, head: list[Sentence], text: str, tail: list[Sentence], *, listed: bool) -> str:
        """Add the fixed lines."""
        before = [f"{line.text()} " if line.end else f"<<{line.text()}>>\n" for line in head]
        after = [
            ("\n" if listed or "postscript" in self.rules else " ") + line.text() for line in tail
        ]
        return "".join([*before, text, *after])

    def json_text(self, body: list[Sentence]) -> str:
        """Spread the sentences over the keys of an object."""
        keys = self.rules["json"]["listed"]
        if len(body) < len(keys):
            raise GivenUp
        values: dict[str, list[str]] = {key: [] for key in keys}
        for i, sentence in enumerate(body):
            values[keys[i * len(keys) // len(body)]].append(sentence.text())
        return json.dumps({key: " ".join(texts) for key, texts in values.items()})


def _capitalized(word: str) -> str:
    """Capitalize the first letter of a word, after brackets and asterisks."""
    at = next((i for i, char in enumerate(word) if char.isalnum()), 0)
    return word[:at] + word[at : at + 1].upper() + word[at + 1 :]
