"""Witness texts: a text that satisfies a set of constraints, built from its structure.

The structure comes first: fixed lines (titles, labels, postscripts), the number and lengths of the
sentences, and the words that each of them must have. Then every sentence is written, as a
grammatical sentence about the topic or, where a constraint filters letters or words, as a row of
words. Marks, wraps and case come last. Counts are checked on this structure; an attempt that misses
one is given up.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

from synthgen.authoring import RowDraws
from synthgen.families.constraints.sentences import GivenUp, Place, Rules, Sentence, Writer

ATTEMPTS = 40
_LONGEST, _SHORTEST = 14, 4
_MAX_SENTENCES = 60


class Impossible(GivenUp):
    """Constraints that no attempt can satisfy."""


def witness(rules: Rules, topic: str, draws: RowDraws) -> str | None:
    """Return a text that satisfies all rules; None if no attempt gives one."""
    lists: dict[str, list[str]] = {}
    for _ in range(ATTEMPTS):
        try:
            return _Attempt(rules, topic, draws, lists).text()
        except Impossible:
            break
        except GivenUp:
            continue
    return None


class _Attempt(Writer):
    """One attempt at a witness."""

    def text(self) -> str:
        """Write the text.

        Raises:
            GivenUp: If some rule cannot be satisfied.
        """
        head, tail = self.head(), self.tail()
        lengths = self.lengths(head + tail)
        places = self.places(len(lengths))
        for place, length in zip(places, lengths, strict=True):
            if place.shortest > length:
                raise GivenUp
        write = self.row_of_words if self.by_words else self.sentence
        body = [write(length, place) for length, place in zip(lengths, places, strict=True)]
        if "start_with" in self.rules:
            opening = self.rules["start_with"]["phrase"].split()
            first, *rest = body[0].words
            first = first.lower() if first == "The" else first
            body[0] = Sentence([*opening, first, *rest], fixed=len(opening))
        self.punctuate(body)
        self.wrap(body)
        self.case(head, body, tail)
        self.check([*head, *body, *tail])
        text = self.assemble(head, body, tail)
        if self.value("avoid_mark", "c", "\0") in text:
            raise GivenUp
        return f'"{text}"' if "quoted" in self.rules else text

    def head(self) -> list[Sentence]:
        """Return the sentences before the body."""
        sentences = []
        if "title" in self.rules:
            words = [word.capitalize() for word in ("the", self.a("adjectives"), self.a("nouns"))]
            sentences.append(Sentence(words, end=""))
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
            marker = self.rules["postscript"]["marker"]
            rest = ["The", self.a("people"), self.a("rests"), self.a("adverbs")]
            sentences.append(Sentence([marker.removesuffix("."), *rest], [marker, *rest]))
        return sentences

    @cached_property
    def parts(self) -> int:
        """Number of parts that the text has."""
        kinds = ("paragraphs", "paragraph_first", "divider", "responses", "sections")
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
        likely = min(high, fewest + self.draws.integer(0, 4))
        return [likely, *(n for n in range(fewest, high + 1) if n != likely)]

    def lengths(self, fixed: Sequence[Sentence]) -> list[int]:
        """Return the number of words of each sentence of the body."""
        labels = self.value("sections")
        n_fixed = sum(len(sentence.words) for sentence in fixed) + 2 * labels
        n_fixed += len(self.value("start_with", "phrase", "").split())
        low, high = self.bounds("words", n_fixed)
        low = max(low, self.value("unique_words") * 2)
        for count in self.sentence_counts(len(fixed) + labels):
            lengths = self.lengths_of(count, low, high)
            if lengths and low <= sum(lengths) <= high:
                return lengths
        # Bounds, and lengths that the rules give, are the same in every attempt.
        given = low > high or {"sentence_words", "growing"} & self.rules.keys()
        raise Impossible if given else GivenUp

    def lengths_of(self, count: int, low: int, high: int) -> list[int] | None:
        """Return lengths of a number of sentences with about the right sum, or None."""
        longest = self.value("sentence_max", "m", _LONGEST)
        if "sentence_words" in self.rules:
            return [self.rules["sentence_words"]["m"]] * count
        if "growing" in self.rules:
            step = self.rules["growing"]["d"]
            rest = step * count * (count - 1) // 2
            start = max(_SHORTEST, -(-(low - rest) // count))
            return [start + step * i for i in range(count)]
        shortest = min(_SHORTEST, longest)
        target = self.draws.integer(5, 10) * count
        total = min(max(target, low), high)
        if not shortest * count <= total <= longest * count:
            return None
        lengths = [total // count + (i < total % count) for i in range(count)]
        for _ in range(count):  # make them uneven
            i, j = self.draws.integer(0, count), self.draws.integer(0, count)
            if i != j and lengths[i] > shortest and lengths[j] < longest:
                lengths[i], lengths[j] = lengths[i] - 1, lengths[j] + 1
        return lengths

    def places(self, count: int) -> list[Place]:
        """Return the required words of each sentence."""
        places = [Place() for _ in range(count)]
        for place in places:
            place.first = self.value("sentence_first", "w", "")
            place.last = self.value("sentence_last", "w", "")
        if "chain" in self.rules:
            links = [self.a("adverbs") for _ in places]
            for place, before, after in zip(places, ["", *links], links, strict=False):
                place.first, place.last = before, after
        if "start_end" in self.rules:
            places[0].first = places[-1].last = self.a("adverbs")
        for place, letter in zip(places, self.value("acrostic", "w", ""), strict=False):
            place.initial = letter
        if "paragraph_first" in self.rules:
            at = self.starts(count)[self.rules["paragraph_first"]["i"] - 1]
            self.set_first(places[at], self.rules["paragraph_first"]["w"])
        if "word_at" in self.rules:
            self.place_word_at(places, **self.rules["word_at"])
        self.place_nouns(places)
        return places

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
            places[0].subject = (w, i - 2)
        elif places[-1].last not in ("", w):
            raise GivenUp
        else:
            places[-1].last = w

    def place_nouns(self, places: list[Place]) -> None:
        """Spread the nouns and numbers that must occur over the sentences."""
        count = len(places)
        ordered = list(self.value("words_in_order", "listed", ()))
        at = sorted(self.draws.integer(0, count) for _ in ordered)
        for i, word in zip(at, ordered, strict=True):
            places[i].nouns.append(word)
        if "word_in_sentence" in self.rules:
            places[self.rules["word_in_sentence"]["i"] - 1].nouns.append(
                self.rules["word_in_sentence"]["w"]
            )
        free = list(self.value("include", "listed", ()))
        if "word_count" in self.rules:
            values = self.rules["word_count"]
            times = values["n"] - (values["rel"] == "at most" and values["n"] > 0)
            free += [values["w"]] * times
        for word in free:
            # The smaller of two draws: early sentences get more words.
            i = min(self.draws.integer(0, count) for _ in range(2)) if count > 1 else 0
            places[i].nouns.append(word)
        for _ in range(self.value("numbers")):
            places[self.draws.integer(0, count)].digits += 1

    def punctuate(self, body: list[Sentence]) -> None:
        """Choose final marks, and add marks within sentences."""
        counted, times = self.value("mark_count", "c", ""), self.value("mark_count")
        banned = {self.value("avoid_mark", "c", ""), counted}
        usual = self.value("sentence_ends", "c", "")
        if not usual:
            usual = next(mark for mark in ".!?" if mark not in banned)
        ends = [usual] * len(body)
        if counted and counted in "?!":
            for i in self.draws.shuffled(range(len(body)))[:times]:
                ends[i] = counted
        for sentence, end in zip(body, ends, strict=True):
            sentence.end = end
        if counted and counted in ";:":
            places = [(i, j) for i, s in enumerate(body) for j in range(s.fixed, len(s.words) - 1)]
            if len(places) < times:
                raise GivenUp
            for i, j in self.draws.shuffled(places)[:times]:
                body[i].shown[j] += counted

    def wrap(self, body: list[Sentence]) -> None:
        """Wrap words in asterisks and brackets."""
        wraps = ["*{}*"] * self.value("highlights") + ["[{}]"] * self.value("placeholders")
        if "brackets" in self.rules:
            deep = self.rules["brackets"]["d"]
            opening = "".join("([{"[i % 3] for i in range(deep))
            closing = "".join(")]}"[i % 3] for i in reversed(range(deep)))
            wraps.append(opening.replace("{", "{{") + "{}" + closing.replace("}", "}}"))
        if not wraps:
            return
        places = [
            (i, j)
            for i, sentence in enumerate(body)
            for j in range(sentence.fixed, len(sentence.words))
            if sentence.shown[j] == sentence.words[j] != "the"
        ]
        if len(places) < len(wraps):
            raise GivenUp
        chosen = self.draws.shuffled(places)
        for (i, j), wrap in zip(chosen, wraps, strict=False):
            body[i].shown[j] = wrap.format(body[i].shown[j])

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
                if len(sentence.words[j]) > 1 and sentence.words[j].isalpha()
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
        tests = (
            all(word in counts for word in self.value("include", "listed", ())),
            not any(word in counts for word in self.value("avoid", "listed", ())),
            self.counts("word_count", counts[self.value("word_count", "w", "")]),
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
        elif "responses" in self.rules:
            joint = "\n******\n"
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
