"""Plans of texts: which skills stand in which sentence, with what content and wording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic
from synthgen.generators.skillmix._piece import Joint, Parts, Piece
from synthgen.generators.skillmix._text_pieces import ALONE, AROUND, FRAMES, JOINTS, PIECES

_JOINED: dict[str, dict[str, tuple[Joint, ...]]] = {}
"""Joints by one skill and the other, those with the first one in front before the others."""
for _one, _other in JOINTS:
    for _pair in ((_one, _other), (_other, _one)):
        _JOINED.setdefault(_pair[0], {})[_pair[1]] = (
            *JOINTS.get(_pair, ()),
            *JOINTS.get(_pair[::-1], ()),
        )
_TRIES = 4
"""Attempts to find content for a skill before the row is given up."""


@dataclass(slots=True)
class Segment:
    """A piece of text that shows one skill, or two.

    Attributes:
        source: what tells it.
        skills: ids, one or two.
        parts: its content.
        wording: index.
    """

    source: Piece | Joint
    skills: tuple[str, ...]
    parts: Parts
    wording: int
    _whole: str = field(default="", init=False, repr=False, compare=False)

    def tell(self, broken: str) -> str:
        """Write the segment without one of its skills, or whole if it has no such skill."""
        if broken in self.skills:
            return self._told(self.skills.index(broken))
        if not self._whole:  # most texts of a plan have it
            self._whole = self._told(-1)
        return self._whole

    def _told(self, lost: int) -> str:
        """Write the segment without the skill of this index, or whole for -1."""
        if isinstance(self.source, Joint):
            return self.source.tell(self.parts, self.wording, lost)
        return self.source.tell(self.parts, self.wording, lost >= 0)


@dataclass(frozen=True, slots=True)
class TextPlan:
    """A text before it is written.

    Attributes:
        topic: of the text.
        skills: asked for, in the order in which the prompt lists them.
        sentences: segments of each sentence.
        around: the segment that is put around them, if there is one.
    """

    topic: Topic
    skills: tuple[str, ...]
    sentences: tuple[tuple[Segment, ...], ...]
    around: Segment | None = None

    def tell(self, broken: str = "") -> str:
        """Write the text; broken, it lacks one of the skills and nothing else."""
        bodies = [
            "; ".join([segment.tell(broken) for segment in segments]) for segments in self.sentences
        ]
        if self.around:
            clauses = self.around.tell(broken).split("; ")
            bodies[0] = f"{clauses[0]}; {bodies[0]}"
            bodies[-1] += f"; {clauses[-1]}"
        marks = [segments[-1].source.mark for segments in self.sentences]
        return " ".join(map(_sentence, bodies, marks))

    def segments(self) -> list[Segment]:
        """Return all segments, in no order that matters."""
        told = [segment for segments in self.sentences for segment in segments]
        return [*told, self.around] if self.around else told

    def content(self) -> tuple[str, ...]:
        """Return what the text says, whatever its order and wording."""
        told = ["|".join(segment.skills + segment.parts) for segment in self.segments()]
        told.sort()
        return (self.topic.name, *told)


def _sentence(body: str, mark: str) -> str:
    if body[0].isdigit():  # no sentence begins with a number in figures
        body = f"now {body}"
    return body[0].upper() + body[1:] + mark


def most_sentences(k: int) -> int:
    """Return how many sentences a text of k skills may have."""
    return max(1, k - 1)


def make_plan(draws: RowDraws, skills: Sequence[str], topic: Topic) -> TextPlan | None:
    """Plan a text; None if content or order cannot be found.

    Args:
        draws: of the row.
        skills: different ones that can stand together.
        topic: of the text.
    """
    segments: list[Segment] = []
    said: set[str] = set()
    for source in _sources(draws, skills):
        segment = _segment(draws, source, topic, said)
        if segment is None:
            return None
        segments.append(segment)
        said.update(segment.parts)
    around = None
    if len(segments) > 1:  # alone, a constraint is told whole
        around = next((one for one in segments if one.skills[0] in AROUND), None)
    if around:
        segments.remove(around)
    sentences = _arranged(draws, segments, most_sentences(len(skills)))
    if around and sentences:
        sentences = _framed(sentences)
    return TextPlan(topic, tuple(skills), sentences, around) if sentences else None


def _sources(draws: RowDraws, skills: Sequence[str]) -> list[Piece | Joint]:
    """Choose what tells the skills: a joint for some pairs that have one, pieces for the rest."""
    left = list(skills)
    sources: list[Piece | Joint] = []
    while left:
        first = left.pop(0)
        joints = _joints_of(first, left) if first in _JOINED else ()
        if joints and draws.integer(0, 2):
            joint = draws.choice(joints)
            left.remove(joint.skills[joint.skills[0] == first])
            sources.append(joint)
        else:
            sources.append(PIECES[first])
    return sources


def _joints_of(first: str, others: Sequence[str]) -> list[Joint]:
    """Return the joints of a skill with one of the others."""
    partners = _JOINED[first]
    return [joint for other in others for joint in partners.get(other, ())]


def _segment(
    draws: RowDraws, source: Piece | Joint, topic: Topic, said: set[str]
) -> Segment | None:
    """Choose content, other than what is said already if that can be had in a few attempts.

    Two arguments with a premise in common are not two arguments to their checkers.
    """
    parts = None
    for _ in range(_TRIES):
        parts = source.make(draws, topic) or parts
        if parts is not None and said.isdisjoint(parts):
            break
    if parts is None:
        return None
    skills = source.skills if isinstance(source, Joint) else (source.skill,)
    return Segment(source, skills, parts, draws.integer(0, source.wordings))


def _arranged(
    draws: RowDraws, segments: list[Segment], most: int
) -> tuple[tuple[Segment, ...], ...] | None:
    """Put segments in random order, and neighbours into one sentence until there are few enough."""
    sentences: list[tuple[Segment, ...]] = [(one,) for one in draws.shuffled(segments)]
    n = len(sentences)
    wanted = min(most, n) - (n > 1 and draws.integer(0, 4) == 0)
    while n > wanted and n > 1:
        places = [i for i in range(n - 1) if _fit(sentences[i], sentences[i + 1])]
        if not places:
            break
        i = draws.choice(places)
        sentences[i : i + 2] = [sentences[i] + sentences[i + 1]]
        n -= 1
    return tuple(sentences) if n <= most else None


def _framed(sentences: tuple[tuple[Segment, ...], ...]) -> tuple[tuple[Segment, ...], ...] | None:
    """Turn sentences so that the first one can have a clause before it, and the last one behind it.

    None if they cannot be turned so.
    """
    for start in range(len(sentences)):
        turned = sentences[start:] + sentences[:start]
        first, last = turned[0], turned[-1]
        ends = first[0].skills + last[-1].skills
        if last[-1].source.mark == "." and ALONE.isdisjoint(ends):
            return turned
    return None


def _fit(first: tuple[Segment, ...], second: tuple[Segment, ...]) -> bool:
    """Say whether two sentences can become one, joined by a semicolon.

    An argument at whose end stands a question mark is none to its checker.
    """
    if first[-1].source.mark != ".":
        return False
    if second[-1].source.mark != ".":
        before = {skill for segment in (*first, *second[:-1]) for skill in segment.skills}
        if before & FRAMES:
            return False
    # Those that stand alone have never been joined to another.
    return ALONE.isdisjoint(first[0].skills) and ALONE.isdisjoint(second[0].skills)
