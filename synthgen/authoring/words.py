"""The words of a family: its wordings and word lists, from a TOML file next to the code.

    [prompts]
    instruction = ["What is {p} plus {q}?", "Add {q} to {p}."]

    [prompts.bare]                # or by kind of question
    sum = ["{p}+{q}"]
    product = ["{p}*{q}"]

    form = ["Answer with a number."]    # sentences that are left out where answers are shown

A name in braces is a hole; any other brace is plain text. Both the family and its verifier read
this file; each of them defines what the words mean.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from synthgen.core.errors import AuthorError, did_you_mean

BOXED = "\n\nPut the final answer, and nothing else, inside \\boxed{}."
"""End of a prompt in the style "boxed", which is otherwise "instruction", or the first style."""
_HOLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class Words:
    """Wordings by style and kind of question, and everything else in a words file.

    Args:
        data: Content of the file; table `prompts` maps a style to wordings, or to them by kind.
        file: Name for error messages.

    Raises:
        AuthorError: if a style has no wordings, or kinds that differ from those of the first style.
    """

    def __init__(self, data: Mapping[str, Any], file: str = "words.toml") -> None:
        self._data, self.file = data, file
        self._form = tuple(data.get("form", ()))
        self._wordings = {
            style: dict(texts) if isinstance(texts, dict) else {"": texts}
            for style, texts in data.get("prompts", {}).items()
        }
        self.styles = tuple(self._wordings)
        self.kinds: tuple[str, ...] = ()
        for style, by_kind in self._wordings.items():
            self.kinds = self.kinds or tuple(by_kind)
            if tuple(by_kind) != self.kinds or not all(by_kind.values()):
                expected = f"wordings of {', '.join(self.kinds) or 'some'}"
                raise AuthorError(file, f"prompts.{style}={list(by_kind)}: expected {expected}")

    @classmethod
    def beside(cls, module: str, name: str = "words.toml") -> Words:
        """Read a words file from the folder of a module, given its `__file__`."""
        path = Path(module).with_name(name)
        return cls(tomllib.loads(path.read_text(encoding="utf-8")), f"{path.parent.name}/{name}")

    def part(self, name: str) -> Words:
        """Return the words in a table of the file that has its own prompts."""
        return Words({"form": self._form, **self._data[name]}, f"{self.file}: {name}")

    def __getitem__(self, name: str) -> Any:
        """Return a table or list of the file."""
        return self._data[name]

    def wordings(self, style: str, kind: str = "") -> tuple[str, ...]:
        """Return the wordings of a style and kind; "boxed" has those of "instruction".

        Raises:
            AuthorError: for a style or kind that the file lacks.
        """
        if style == "boxed" and style not in self._wordings:
            style = "instruction" if "instruction" in self._wordings else self.styles[0]
        for what, name, known in (("style", style, self.styles), ("kind", kind, self.kinds)):
            if name not in known:
                meant = did_you_mean(name, known)
                raise AuthorError(self.file, f"no wordings of {what} {name!r}{meant}")
        return tuple(self._wordings[style][kind])

    def line(self, name: str, /, **holes: object) -> str:
        """Return a line of a worked solution: a text of the table `steps`, with its holes filled.

        Raises:
            AuthorError: for an unknown name, or a hole without a value.
        """
        lines = self._data.get("steps", {})
        try:
            return filled(lines[name], holes)
        except KeyError as error:
            what, known = ("hole", holes) if name in lines else ("line", lines)
            meant = did_you_mean(error.args[0], known)
            message = f"steps.{name}: no {what} {error.args[0]!r}{meant}"
            raise AuthorError(self.file, message) from None

    @cached_property
    def numbered(self) -> tuple[tuple[str, str, str], ...]:
        """Every wording, as (style, kind, text), with and without the sentences of `form`."""
        return tuple(
            (style, kind, text)
            for style, by_kind in self._wordings.items()
            for kind, texts in by_kind.items()
            for whole in texts
            for text in dict.fromkeys((whole, self.without_form(whole)))
        )

    def without_form(self, text: str) -> str:
        """Return a wording or a prompt without the sentences of the list `form`."""
        return self._form_pattern.sub("", text).lstrip() if self._form else text

    @cached_property
    def _form_pattern(self) -> re.Pattern[str]:
        """Sentences on the form of answers, with their holes filled or not."""
        longest = sorted(self._form, key=len, reverse=True)
        parts = [[*map(re.escape, parts_of(sentence)[::2])] for sentence in longest]
        sentences = "|".join(r"[^\n]+?".join(texts) for texts in parts)
        return re.compile(rf"(?:^|\s+)(?:{sentences})(?=\s|{{|$)")


class Late:
    """The text of a hole that is costly, made only if the wording has the hole."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make

    def __str__(self) -> str:
        return self._make()


def parts_of(wording: str) -> list[str]:
    """Split a wording into plain text and names of holes, in turn."""
    return _HOLE.split(wording)


def filled(wording: str, holes: Mapping[str, object]) -> str:
    """Fill the holes of a wording.

    Raises:
        KeyError: for a hole without a value.
    """
    return _template(wording) % holes


@lru_cache(1 << 12)
def _template(wording: str) -> str:
    """Return a wording as a template for the operator %, which is faster than a substitution."""
    return _HOLE.sub(r"%(\1)s", wording.replace("%", "%%"))
