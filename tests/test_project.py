"""Files about the project agree with each other."""

import re
import tomllib
from pathlib import Path

import pytest

import synthgen

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_python_versions_that_are_declared_are_those_that_are_tested() -> None:
    declared = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    (tested,) = re.findall(r"python: \[(.*)\]", text_of(".github/workflows/ci.yml"))
    assert re.findall(r"3\.\d+", tested) == declared
    assert PROJECT["requires-python"] == f">={declared[0]}"


def test_hooks_have_the_same_ruff() -> None:
    (revision,) = re.findall(r"rev: v(.*)", text_of(".pre-commit-config.yaml"))
    assert f"ruff=={revision}" in PROJECT["optional-dependencies"]["dev"]


def test_the_version_is_the_one_to_cite_and_has_an_entry() -> None:
    version = synthgen.__version__
    assert f"\nversion: {version}\n" in text_of("CITATION.cff")
    assert f"\n## {version} (" in text_of("CHANGELOG.md")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_lead_to_files_and_headings(page: str) -> None:
    links = re.findall(r"""(?:\]\(|src="|srcset=")([^)"#]+)(?:#([^)"]+))?""", text_of(page))
    assert links
    for name, anchor in links:
        assert (ROOT / name).is_file(), name
        headings = re.findall(r"^#+ (.*)", text_of(name), re.MULTILINE) if anchor else [""]
        assert anchor in [heading.lower().replace(" ", "-") for heading in headings]
