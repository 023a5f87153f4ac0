"""What a generator is: parameters, axes, styles and space, as plain values."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from synthgen.core.conditions import conditions_of
from synthgen.core.registry import generator_class, generator_summary


def describe(name: str) -> dict[str, Any]:
    """Describe a generator with its default parameters.

    Raises:
        UnknownNameError: if no generator has this name.
    """
    kind = generator_class(name)
    generator = kind()
    params = {f.name: {"type": str(f.type), "default": f.default} for f in fields(kind)}  # type: ignore[arg-type]
    return {
        "name": name,
        "summary": generator_summary(name),
        "version": kind.version,
        "verifier": kind.verifier,
        "about": (kind.__doc__ or "").strip(),
        "params": params,
        "spread": {
            axis: [*condition.params, *condition.also]
            for axis, condition in conditions_of(kind).items()
        },
        "axes": {axis: asdict(spec) for axis, spec in generator.axes.items()},
        "prompts": list(kind.prompts),
        "solutions": list(kind.solutions),
        "space": generator.space,
        "fewest_problems": generator.fewest_problems,
    }
