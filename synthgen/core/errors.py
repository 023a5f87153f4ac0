"""The exception tree; the command line prints the message and exits with `exit_code`.

SynthgenError
├── AuthorError         a slip in the code of a family, with the place
├── ParamError          an unexpected value, with its name
├── UnknownNameError    no such generator, recipe, split ...
├── RecipeError         every fault of one recipe, each with its location
│   └── ShortfallError  splits or cells that were exhausted below their quota
├── OutputError         the output folder cannot be used (other recipe, locked, full disk)
├── EngineError         a worker died
├── DatasetError        files that are not a complete synthgen dataset
│   └── ChangedError    files that were changed after the dataset was built
└── VerificationError   rows whose answer the verifier rejects
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import ClassVar

EXIT_CHECK_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


_SIMILAR, _VERY_SIMILAR = 0.6, 0.8


def nearest(name: str, known: Iterable[str], cutoff: float = _SIMILAR) -> str | None:
    """Return the known name that `name` most likely meant, or None."""
    matches = get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return matches[0] if matches else None


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the nearest known one, or nothing."""
    hint = nearest(str(name), known)
    return f"; did you mean {hint!r}?" if hint else ""


class SynthgenError(Exception):
    """Base of all errors that the user can fix, which are shown without a traceback."""

    exit_code: ClassVar[int] = EXIT_USAGE


class AuthorError(SynthgenError):
    """A slip in the code of a family.

    Args:
        place: Place of the slip: a family, a file, a kind of question, a wording.
        message: Description of the slip and of what was expected.
    """

    def __init__(self, place: str, message: str = "") -> None:
        super().__init__(f"{place}: {message}" if message else place)


class ParamError(SynthgenError):
    """A value that is not what was expected."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        self.name = name
        self.value = value
        self.expected = expected
        super().__init__(f"{name}={value!r}: expected {expected}")


_MAX_LISTED = 24


class UnknownNameError(SynthgenError):
    """A name that is not known.

    Args:
        kind: Kind of thing that it names.
        name: Name.
        known: Known names.
        described: The one of them that is described by this name, if any.
    """

    def __init__(
        self, kind: str, name: str, known: Sequence[str], described: str | None = None
    ) -> None:
        self.name = name
        hint = nearest(name, known, _VERY_SIMILAR) or described or nearest(name, known)
        self.suggestion = hint
        meant = f"; did you mean {hint!r}?" if hint else "."
        listed = ", ".join(known[:_MAX_LISTED]) or "none"
        more = f" and {len(known) - _MAX_LISTED:,} more" if len(known) > _MAX_LISTED else ""
        super().__init__(f"unknown {kind} {name!r}{meant} Known: {listed}{more}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a recipe.

    Attributes:
        message: Description of the fault and of what was expected.
        path: Dotted path in the recipe, such as `split.train.rows`; empty for the file itself.
        line: Line number from 1, or None if unknown.
    """

    message: str
    path: str = ""
    line: int | None = None


class RecipeError(SynthgenError):
    """Every fault that was found in one recipe, in file order."""

    def __init__(self, file: str, faults: Sequence[Fault]) -> None:
        self.file = file
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.line or 0, fault.path)))
        super().__init__("\n".join(self._line(fault) for fault in self.faults))

    def _line(self, fault: Fault) -> str:
        place = self.file if fault.line is None else f"{self.file}:{fault.line}"
        return f"{place}: {fault.path + ': ' if fault.path else ''}{fault.message}"


class ShortfallError(RecipeError):
    """Splits that cannot be filled; each fault names the cells and the candidates tried."""


class OutputError(SynthgenError):
    """The output folder cannot be used."""


class EngineError(SynthgenError):
    """A worker process died; finished work is kept and the same command resumes it."""

    exit_code = EXIT_CHECK_FAILED


class DatasetError(SynthgenError):
    """The files are not a complete, unchanged dataset."""


class ChangedError(DatasetError):
    """The files of a dataset disagree with its manifest, or the manifest with itself."""

    exit_code = EXIT_CHECK_FAILED


class VerificationError(SynthgenError):
    """Rows that the verifier rejects."""

    exit_code = EXIT_CHECK_FAILED
