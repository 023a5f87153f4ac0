from __future__ import annotations

import json
from pathlib import Path

from tests.building import synthgen
from tests.dataset.tiny import write_dataset


def test_audit_writes_a_page_beside_its_report(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    ended = synthgen("audit", str(folder))
    assert ended.returncode == 0, ended.stderr
    assert f"report: {folder}/audit/report.html" in ended.stdout
    names = {entry.name for entry in (folder / "audit").iterdir()}
    assert names == {"report.html", "report.json"}
    assert "Passed" in (folder / "audit/report.html").read_text(encoding="utf-8")


def test_the_page_can_go_elsewhere_and_json_stays_alone(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    page = tmp_path / "new folder" / "page.html"
    ended = synthgen("audit", str(folder), "--html", str(page), "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["ok"]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert not (folder / "audit/report.html").exists()


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    ended = synthgen("audit", str(folder), "--html", str(tmp_path))
    assert ended.returncode == 2
    assert f"cannot write {tmp_path}: Is a directory" in ended.stderr
    assert "Traceback" not in ended.stderr
