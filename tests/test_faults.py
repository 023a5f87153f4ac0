"""Small campaigns of faults find nothing wrong, and would find what is."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.faults.__main__ import CAMPAIGNS, main, show
from benchmarks.faults.common import Commands, Ended, Tally, expect_bounds, expect_same

DID = {
    "kill": {"builds", "builds that replace a dataset"},
    "disk": {"builds with files of limited size"},
    "flip": {"flipped bytes", "pairs of files exchanged"},
    "fuzz": {"recipes refused", "params refused", "mutated answers that are right"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_small_campaign_finds_nothing_wrong(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = CAMPAIGNS[name]("small", 1, tmp_path)
    assert tally.examples == []
    assert not tally.wrong.total()
    assert all(tally.did[what] for what in DID[name])
    show(name, tally, 1.0)
    assert max(map(len, capsys.readouterr().out.splitlines())) < 80


def test_a_failed_check_is_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(size: str, seed: int, folder: Path) -> Tally:
        tally = Tally()
        expect_same(tally, {"a": "1", "c": "1"}, {"a": "2", "b": "1"}, "a build")
        expect_bounds(tally, Ended(None), "an endless command")
        return tally

    monkeypatch.setitem(CAMPAIGNS, "kill", found)
    assert main(["kill"]) == 1
    said = capsys.readouterr().out
    for line in ("other bytes: a build: ['a', 'b']", "left-over files: a build: ['c']"):
        assert f"builds with {line}" in said
    assert "hangs and crashes: an endless command" in said


def test_a_command_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("benchmarks.faults.common.PATIENCE", 0.0)
    with Commands() as commands:
        assert commands.run("list").code is None
        monkeypatch.setattr("benchmarks.faults.common.PATIENCE", 100.0)
        ended = commands.run("validate", str(tmp_path))
    assert ended.code == 2
    assert ended.peak_bytes > 1 << 20
