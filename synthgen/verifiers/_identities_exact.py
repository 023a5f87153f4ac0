"""The slow check of a rewriting: plain Python trees, and SymPy's opinion of the rule."""

from __future__ import annotations

from synthgen.verifiers._identities_proof import agree_at, holds
from synthgen.verifiers._identities_sound import MOST_RULE_BYTES
from synthgen.verifiers._identities_tree import (
    NotATermError,
    match,
    read_problem,
    replaced,
    subterms,
    with_values,
    write,
)
from synthgen.verifiers._problem_text import problem_of

_MOST_TEXT = 32_768


def exact_answer(prompt: str) -> str | None:
    """Return the prompt's term with its one instance rewritten; None if it is no problem.

    The rest of the term stays as it is, so its value does if that of the rewritten part does. This
    is proven for the identity once (`holds`), and tried for the part's own values (`agree_at`).
    """
    text = problem_of(prompt)
    if len(text) > _MOST_TEXT or text.find(" | ") > MOST_RULE_BYTES:
        return None
    try:
        left, right, term = read_problem(text)
        found = [
            (path, values)
            for path, inner in subterms(term)
            if (values := match(left, inner)) is not None
        ]
        if len(found) != 1:
            return None
        [(path, values)] = found
        answer = write(replaced(term, path, with_values(right, values)))
    except NotATermError:
        return None
    return answer if holds(left, right) and agree_at(left, right, values) else None
