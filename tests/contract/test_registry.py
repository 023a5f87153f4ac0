"""Folders and entry points as the registry."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from synthgen.contract import registry
from synthgen.contract.interfaces import Generator, Verifier
from synthgen.core.errors import UnknownNameError

HINT = "synthgen.families.hint.family:Hint"
FOREIGN = {
    "synthgen.generators": [EntryPoint("mine", HINT, "synthgen.generators")],
    "synthgen.verifiers": [EntryPoint("yes", f"{__name__}:YES", "synthgen.verifiers")],
}


YES = object()


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Third parties' entry points, as an installed package would declare them."""
    registry._entry_points.cache_clear()
    monkeypatch.setattr(registry, "entry_points", lambda group: FOREIGN[group])
    yield
    registry._entry_points.cache_clear()


def test_families_are_the_names_of_the_folders() -> None:
    names = registry.generator_names()
    assert names == sorted(set(names))
    assert {"hint", "hint_paper"} <= set(names)
    assert not any(name.startswith("_") or name in ("generators", "__init__") for name in names)


@pytest.mark.parametrize("name", registry.generator_names())
def test_every_generator_loads_and_has_a_verifier(name: str) -> None:
    kind = registry.generator_class(name)
    summary = registry.generator_summary(name)
    assert len(summary) > 10
    assert isinstance(kind(), Generator)
    assert isinstance(registry.load_verifier(kind.verifier), Verifier)


@pytest.mark.parametrize("name", ["hintt", "_hint_rows", "generators", "", "__init__", "../cli"])
def test_unknown_generators_are_named_with_the_nearest(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown generator ") as caught:
        registry.generator_class(name)
    assert "Known: abstract_matrices, addition, " in str(caught.value)
    if name == "hintt":
        assert caught.value.suggestion == "hint"


def test_unknown_verifiers_are_named() -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown verifier 'hnt'; did you mean 'hint'"):
        registry.load_verifier("hnt")


@pytest.mark.usefixtures("foreign")
def test_the_older_entry_points_work() -> None:
    assert "mine" in registry.generator_names()
    assert registry.generator_summary("mine") == f"third party: {HINT}"
    assert registry.generator_class("mine") is registry.generator_class("hint")
    assert registry.load_verifier("yes") is YES


def test_listing_imports_no_library_and_no_generator() -> None:
    program = (
        "import sys; from synthgen.contract import registry\n"
        "for name in registry.generator_names(): registry.generator_summary(name)\n"
        "heavy = {'numba', 'sympy', 'polars', 'pyarrow', 'numpy'} & set(sys.modules)\n"
        "made = [m for m in sys.modules if m.endswith(('.family', '.verify'))]\n"
        "print(sorted(heavy), made)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("[] []\n", 0), done.stderr
