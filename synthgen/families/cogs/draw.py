"""Drawing of sentences as derivations."""

from __future__ import annotations

from synthgen.authoring import RowDraws, Tree
from synthgen.families.cogs.categories import Program
from synthgen.families.cogs.grammar import FRAMES, Kind

_NOUN_ATTEMPTS = 256


class RejectedError(Exception):
    """The sentence nests too deep or repeats a noun."""


class Sentence:
    """A sentence, drawn on construction.

    Args:
        program: Program of its category.
        draws: Draws of its row.
        cp_depth: Number of `that` clauses, if it is given.
        pp_depth: Number of nested prepositional phrases of the theme, if it is given.

    Attributes:
        tree: Derivation.
        frames: Names of the frames of its clauses, the outermost first.
        chains: Number of nested prepositional phrases of each noun phrase.
        depth: Depth of the derivation.

    Raises:
        RejectedError: If these draws do not give a sentence.
    """

    def __init__(
        self, program: Program, draws: RowDraws, cp_depth: int | None, pp_depth: int | None
    ) -> None:
        self._program, self._grammar, self._draws = program, program.grammar, draws
        self._cp_depth, self._pp_depth = cp_depth, pp_depth
        self._nouns: set[str] = set()
        self._level = 0  # of the rule that contains the next noun phrase
        self.frames: list[str] = []
        self.chains: list[int] = []
        self.depth = 0
        self.tree = self._clause()

    def _clause(self) -> Tree:
        """Draw a clause, and the clauses in it."""
        outer = len(self.frames)
        name, frame = self._program.frames[outer > 0].draw(self._draws)
        if outer < (self._cp_depth or 0):
            name, frame = "cp", FRAMES["cp"]
        self.frames.append(name)
        self._level = 2 * outer + 1
        category = self._program.category
        if name == "cp":
            if self._cp_depth is None and outer == self._grammar.max_cp:
                raise RejectedError
            subject = self._phrase(frame.subject)
            return ("S_active", subject, (frame.rule, self._word(frame.verb), self._clause()))
        subject = self._phrase(frame.subject, category.subject)
        verb = self._word(category.verb or frame.verb)
        self._level += 1
        arguments = [
            self._phrase(kind, category.theme, self._pp_depth)
            if kind.is_theme
            else self._phrase(kind)
            for kind in frame.arguments
        ]
        if frame.rule == "VP_inf":
            arguments = [self._word(category.infinitive or "infinitive")]
        return (frame.sentence, subject, (frame.rule, verb, *arguments))

    def _word(self, name: str) -> str:
        return self._grammar.lists[name].draw(self._draws)

    def _phrase(self, kind: Kind, target: str = "", depth: int | None = None) -> Tree:
        """Draw a noun phrase.

        Args:
            kind: Kind of the phrase.
            target: Target word that is its first noun or its name, if any.
            depth: Number of nested prepositional phrases, if it is given.
        """
        program, draws = self._program, self._draws
        required = kind.acts and program.category.subject_pp
        is_common = required or bool(depth)
        noun = self._noun(target or program.nouns[kind, is_common].draw(draws))
        if noun.istitle():  # only names are capitalized
            depth = 0
        elif depth is None:
            depth = 0
            more = required or (kind.is_theme and draws.uniform() < self._grammar.pp)
            while more:
                depth += 1
                if depth > self._grammar.max_pp:
                    raise RejectedError
                more = draws.uniform() < program.further_pp
        self.chains.append(depth)
        self.depth = max(self.depth, self._level + 2 * depth + 2)
        return ("NP_name", noun) if noun.istitle() else self._nested(noun, depth)

    def _nested(self, noun: str, depth: int) -> Tree:
        """Draw the article of a noun, and the phrases nested in its own."""
        article = "the" if self._draws.uniform() < self._grammar.definite else "a"
        if not depth:
            return ("NP_det", article, noun)
        place = self._program.places.draw(self._draws)
        inner = self._nested(self._noun(place), depth - 1)
        return ("NP_det_pp", article, noun, (f"PP_{place}", inner))

    def _noun(self, nouns: str) -> str:
        """Draw a noun or name of a list that the sentence does not have yet."""
        for _ in range(_NOUN_ATTEMPTS):
            noun = self._word(nouns)
            if noun not in self._nouns or self._grammar.may_repeat:
                self._nouns.add(noun)
                return noun
            if not self._program.redrawn:
                break
        raise RejectedError
