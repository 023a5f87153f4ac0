"""Building blocks of the schema: fields that describe expected values, and value checkers.

A checker that knows more than the field's description raises an error of type `ADVICE`, whose text
follows the description, or of type `EXPECTED`, whose text replaces it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

ADVICE = "advice"
EXPECTED = "expected"
MAX_ROWS = 10**12
MAX_SEED = 2**63 - 1

Scalar = bool | int | float | str
Param = Scalar | tuple[Scalar, ...]

_INT64 = range(-(2**63), 2**63)
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def integer(low: int, high: int, **more: Any) -> Any:
    """Return a field for low <= value <= high; without a default the key is required."""
    return Field(ge=low, le=high, description=f"an integer from {low} to {high}", **more)


def advise(advice: str) -> PydanticCustomError:
    """Return an error that appends `advice` (may be empty) to the field's description."""
    return PydanticCustomError(ADVICE, "{advice}", {"advice": advice})


def named_by(pattern: str, *, reserved: tuple[str, ...] = ()) -> Callable[[str], str]:
    """Return a checker of names that proposes the nearest name of the wanted form."""
    form = re.compile(pattern)

    def usable(name: str) -> bool:
        return form.fullmatch(name) is not None and name not in reserved

    def check(value: str) -> str:
        if usable(value):
            return value
        advice = [f"{value!r} is reserved"] if value in reserved else []
        if "-" in value and not form.fullmatch("a-a"):
            advice.append("hyphens are not allowed")
        proposal = re.sub(r"[^a-z0-9]+", "_", value.lower()).strip("_")
        if usable(proposal):
            advice.append(f"did you mean {proposal!r}?")
        raise advise(", ".join(advice))

    return check


def check_distinct(value: tuple[str, ...]) -> tuple[str, ...]:
    """Reject a list with a repeated item."""
    seen: set[str] = set()
    for item in value:
        if item in seen:
            msg = f"{item!r} is repeated"
            raise advise(msg)
        seen.add(item)
    return value


def check_param(value: object) -> Param:
    """Accept a scalar or a list of scalars (which becomes a tuple); no tables, dates or NaN."""
    if isinstance(value, list | tuple):
        return tuple(_check_scalar(item) for item in value)
    return _check_scalar(value)


def _check_scalar(value: object) -> Scalar:
    if isinstance(value, bool) or (isinstance(value, str) and _is_unicode(value)):
        return value
    if isinstance(value, int) and value in _INT64:
        return value
    if isinstance(value, float) and abs(value) < float("inf"):
        return value
    wanted = "an integer of 64 bits, a finite float, a string, a boolean or a list of these"
    raise PydanticCustomError(EXPECTED, "{expected}", {"expected": wanted})


def _is_unicode(text: str) -> bool:
    """Return whether the text is valid Unicode; bytes of the command line may not be."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def date_text(value: object) -> object:
    """Turn a date that is written without quotes into its text; return anything else unchanged."""
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value.isoformat()
    return value


def check_date(value: str) -> str:
    """Reject anything but a calendar date in the form 2026-01-31."""
    try:
        dt.date.fromisoformat(value)
    except ValueError:
        raise advise("") from None
    if not _ISO_DATE.fullmatch(value):
        raise advise("")
    return value


class Table(BaseModel):
    """Base of all tables: no unknown keys, no conversions, no changes after construction."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


def table(name: str, model: type[Table]) -> Any:
    """Return the field of an optional table."""
    return Field(default_factory=model, description=f"a table [{name}]")


def tables(name: str) -> Any:
    """Return the field of an array of at least one table."""
    return Field(strict=False, min_length=1, description=f"one or more [[{name}]] tables")


def names(of: str) -> Any:
    """Return the field of a list of names, empty by default."""
    return Field((), strict=False, description=f"a list of different names of {of}")


def choice(default: str, *others: str) -> Any:
    """Return the field of one of a few names."""
    return Field(default, description="one of " + ", ".join((default, *others)))


Text = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[Text, ...], AfterValidator(check_distinct)]
StructureKind = Literal["symbols", "placed", "edges", "slots", "siblings", "local"]
"""Same as in `core.named_structures`, which is not imported just to read a recipe."""
STRUCTURE_KINDS = "one of " + ", ".join(get_args(StructureKind))
