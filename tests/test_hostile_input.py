"""Hostile input on every surface that reads what others wrote; `just faults fuzz` gives more."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.faults.common import Commands, Tally
from benchmarks.faults.mutations import OWNED
from benchmarks.faults.surfaces import SURFACES, Surfaces, hostile_parts


@pytest.fixture(scope="module")
def surfaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surfaces]:
    folder = tmp_path_factory.mktemp("hostile")
    with Commands(folder) as commands:
        made = Surfaces(commands, folder, Tally())
        assert made.tally.examples == []
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("name", SURFACES)
def test_hostile_input_is_read_or_refused_in_one_clear_line(name: str, surfaces: Surfaces) -> None:
    @settings(
        max_examples=6,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),  # a shrunk Random says nothing
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False))
    def attack(chance: Random) -> None:
        surfaces.tally = Tally()
        SURFACES[name](surfaces, chance)
        assert surfaces.tally.examples == []

    attack()


def test_what_a_hostile_text_brings_is_found_in_a_page(tmp_path: Path) -> None:
    tame = '<p title="<owned>">&lt;owned&gt;</p><script type="application/json">owned</script>'
    (tmp_path / "page.html").write_text(tame)
    assert hostile_parts(tmp_path / "page.html") == []
    for part in (
        f"<{OWNED}>",
        "<p onclick=x>",
        f"<script>{OWNED}()</script>",
        "<a href=javascript:x>",
    ):
        (tmp_path / "page.html").write_text(tame + part)
        assert len(hostile_parts(tmp_path / "page.html")) == 1


def test_writes_outside_of_the_folder_are_seen(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    with Commands(inside) as commands:
        arguments = ("new-family", "sums", "--into")
        assert commands.run(*arguments, str(inside)).outside == ()
        assert any(str(outside) in path for path in commands.run(*arguments, str(outside)).outside)
