from __future__ import annotations

import json
from pathlib import Path

from tests.building import synthgen
from tests.dataset.tiny import write_dataset


def test_the_page_can_go_elsewhere_and_json_stays_alone(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    page = tmp_path / "new folder" / "page.html"
    ended = synthgen("audit", str(folder), "--html", str(page), "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["ok"]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert not (folder / "audit/report.html").exists()
