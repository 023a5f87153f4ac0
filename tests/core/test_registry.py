"""Folders and entry points as the registry."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from synthgen.core import registry
from synthgen.core.contract import Generator, Verifier
from synthgen.core.errors import UnknownNameError

FOREIGN = {
    "synthgen.generators": [EntryPoint("mine", "fractions:Fraction", "synthgen.generators")],
    "synthgen.verifiers": [EntryPoint("pi", "math:pi", "synthgen.verifiers")],
}


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Third parties' entry points, as an installed package would declare them."""
    registry._entry_points.cache_clear()
    monkeypatch.setattr(registry, "entry_points", lambda group: FOREIGN[group])
    yield
    registry._entry_points.cache_clear()


def test_generators_are_the_public_modules_of_the_folder() -> None:
    names = registry.generator_names()
    assert names == sorted(set(names))
    assert {"hint", "hint_paper"} <= set(names)
    assert not any(name.startswith("_") or name in ("generators", "__init__") for name in names)


@pytest.mark.parametrize("name", registry.generator_names())
def test_every_generator_loads_and_has_a_verifier(name: str) -> None:
    kind = registry.generator_class(name)
    summary = registry.generator_summary(name)
    assert len(summary) > 10
    assert summary == (sys.modules[kind.__module__].__doc__ or "").splitlines()[0]
    assert isinstance(kind(), Generator)
    assert isinstance(registry.load_verifier(kind.verifier), Verifier)


@pytest.mark.parametrize("name", ["hintt", "_hint_rows", "generators", "", "__init__", "../cli"])
def test_unknown_generators_are_named_with_the_nearest(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown generator ") as caught:
        registry.generator_class(name)
    assert "hint_paper" in str(caught.value)
    if name == "hintt":
        assert caught.value.suggestion == "hint"


def test_unknown_verifiers_are_named() -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown verifier 'hnt'; did you mean 'hint'"):
        registry.load_verifier("hnt")


@pytest.mark.usefixtures("foreign")
def test_third_parties_register_by_entry_point() -> None:
    from fractions import Fraction
    from math import pi

    assert "mine" in registry.generator_names()
    assert registry.generator_summary("mine") == "third party: fractions:Fraction"
    assert registry.generator_class("mine") is Fraction
    assert registry.load_verifier("pi") == pi


def test_listing_imports_no_library_and_no_generator() -> None:
    program = (
        "import sys; from synthgen.core import registry\n"
        "for name in registry.generator_names(): registry.generator_summary(name)\n"
        "heavy = {'numba', 'sympy', 'polars', 'pyarrow', 'numpy'} & set(sys.modules)\n"
        "made = [m for m in sys.modules if m.startswith('synthgen.generators.')]\n"
        "print(sorted(heavy), made)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("[] []\n", 0), done.stderr
