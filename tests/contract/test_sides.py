"""What verifiers import, as their sources show."""

from pathlib import Path

import pytest

from synthgen.contract.sides import check_sides
from synthgen.core.errors import AuthorError

IMPORTS = "the verifier imports its family, so it proves nothing: topics.sums.verify imports "
REFUSED = {
    "from topics.sums.family import Sums": "topics.sums.family",
    "import topics.sums.family as other": "topics.sums.family",
    "from .family import Sums": "topics.sums.family",
    "from . import family": "topics.sums.family",
    "from ..sums import family": "topics.sums.family",
    "def solve():\n    from .family import Sums": "topics.sums.family",
    "from .helper import add": "topics.sums.helper imports topics.sums.family",
    "from topics import shared": "topics.shared imports topics.sums.family",
}


@pytest.fixture
def sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package whose modules fail when they are imported."""
    files = {
        "__init__.py": "",
        "shared.py": "from topics.sums import family\n",
        "data.py": "",
        "sums/__init__.py": "",
        "sums/family.py": "import numpy\nfrom synthgen.authoring import PlainFamily\n",
        "sums/helper.py": "from .family import Sums\n",
        "sums/verify.py": "from topics import data\nfrom .missing import nothing\n",
    }
    for name, text in files.items():
        path = tmp_path / "topics" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text + "raise RuntimeError\n")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / "topics" / "sums"


def check(verifier: str = "topics.sums.verify") -> None:
    check_sides("sums", {"topics.sums.family"}, verifier)


@pytest.mark.usefixtures("sums")
def test_a_verifier_may_import_anything_else() -> None:
    check()


@pytest.mark.parametrize("code", REFUSED)
def test_a_verifier_that_imports_its_family_is_refused(code: str, sums: Path) -> None:
    (sums / "verify.py").write_text(f"from .missing import nothing\n{code}\n")
    with pytest.raises(AuthorError) as caught:
        check()
    assert str(caught.value) == f"family 'sums': {IMPORTS}{REFUSED[code]}"


def test_a_family_that_imports_its_verifier_is_refused(sums: Path) -> None:
    (sums / "family.py").write_text("from .verify import solve\n")
    with pytest.raises(AuthorError, match="the family imports its verifier, so that one proves"):
        check()


@pytest.mark.usefixtures("sums")
def test_one_module_for_both_is_refused() -> None:
    with pytest.raises(AuthorError, match="defines the family and its verifier: expected a"):
        check("topics.sums.family")
