"""The rubric of a prompt for writers, in plain Python: patterns and a JSON writer."""

from __future__ import annotations

import json
import re
from functools import cache

from synthgen.core.skill_inventory import checkers_by_name
from synthgen.verifiers.skillmix._prompt_forms import FORMS, LIMITS, TOPIC_ENDS

_MOST_SKILLS = 12
_LONGEST = 100_000
_LINE = re.compile(r"- ([^:\n]+)(?::[^\n]*)?")
_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return one pattern for each form."""
    groups = {
        "<T>": f"(?P<topic>[^{TOPIC_ENDS}]+)",
        "<N>": f"(?P<limit>{'|'.join(LIMITS)})",
        "<L>": r"\n(?P<lines>- [^\n]+(?:\n- [^\n]+)*)",
    }
    parts = (re.split("(<[TNL]>)", form) for form in FORMS)
    return tuple(
        re.compile("".join(groups.get(part) or re.escape(part) for part in form)) for form in parts
    )


def rubric_of(prompt: str) -> str | None:
    """Return the rubric that a prompt asks for, or None if it is no prompt for a writer."""
    if len(prompt) > _LONGEST:
        return None
    for pattern in _patterns():
        match = pattern.fullmatch(prompt)
        if match:
            return _rubric(match["topic"], match["limit"], match["lines"].split("\n"))
    return None


def _rubric(topic: str, limit: str, lines: list[str]) -> str | None:
    found = [_LINE.fullmatch(line) for line in lines]
    names = [match[1] for match in found if match]
    k, n = len(names), LIMITS.index(limit) + 1
    if k < len(lines) or len(set(names)) < k or k > _MOST_SKILLS or n != max(k - 1, 1):
        return None
    checkers = checkers_by_name()
    rubric = [_item("skill", f"Illustrates {name}", checkers.get(name)) for name in names]
    rubric += [_item("topic", f"Pertains to {topic}"), _item("sense", "Makes sense")]
    rubric.append(_item("length", f"Has at most {n} sentence{'' if n == 1 else 's'}"))
    forbidden = [(name.split("(", 1)[0].strip() or name).lower() for name in names]
    told = {"rubric": rubric, "n_sentences": n, "forbidden": forbidden}
    return _JSON.encode(told)


def _item(kind: str, text: str, checker: str | None = None) -> dict[str, object]:
    return {"kind": kind, "text": text, "checker": checker, "weight": 1}
