"""Slips of an author: each ends in one message that names the place and the nearest valid name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.building import (
    environment,
    recipe_of,
    source_of,
    split_of,
    synthgen_process,
    write_recipe,
)

FAMILY = {
    "__init__.py": '''
"""A cipher."""
FAMILIES = {"NAME": "Shift letters"}
''',
    "words.toml": """
[prompts.instruction]
encode = ["Shift each letter of {text} forward by {shift}.", "Encode {text} with shift {shift}."]
decode = ["Shift each letter of {text} back by {shift}."]
[steps]
letter = "{old}: {new}"
""",
    "family.py": '''
"""A cipher: letters are shifted."""
from dataclasses import dataclass
from string import ascii_lowercase as letters

from synthgen.authoring import PlainFamily, Problem, Words, axis, levelled, params


@levelled("n_letters", 3, 5)
@dataclass(frozen=True)
class Cipher(PlainFamily):
    """Letters that are shifted.

    Attributes:
        min_letters, max_letters: fewest and most letters.
    """

    min_letters: int = params.integer(3, 1, 8, up_to="max_letters")
    max_letters: int = params.integer(6, 1, 8)

    verifier = "NAME"
    words = Words.beside(__file__)
    symbols = {"encode": 2, "decode": 2, "text": (1, 8), **dict.fromkeys(letters, 0)}
    answer_type = "string"
    own_axes = {"n_letters": axis("letters", "min_letters", "max_letters")}

    def make(self, draws):
        kind = draws.choice(("encode", "decode"))
        shift = draws.integer(1, 26)
        n = draws.integer(self.min_letters, self.max_letters + 1)
        text = [draws.choice(letters) for _ in range(n)]
        ahead = shift if kind == "encode" else 26 - shift
        answer = [letters[(letters.index(one) + ahead) % 26] for one in text]
        return Problem(
            tree=(kind, shift, ("text", *text)),
            answer="".join(answer),
            kind=kind,
            holes={"text": "".join(text), "shift": shift},
            axes={"n_letters": len(text)},
            steps=[self.words.line("letter", old=a, new=b) for a, b in zip(text, answer)],
        )


GENERATORS = {"NAME": Cipher}
''',
    "verify.py": '''
"""The cipher from the text."""
from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads


@reads(Words.beside(__file__), text=holes.pattern("[a-z]+"), shift=holes.NATURAL)
def read(kind, text, shift):
    return text, shift if kind == "encode" else -shift


def solve(problem):
    text, shift = problem
    return "".join(chr((ord(one) - 97 + shift) % 26 + 97) for one in text)


def lines_of(problem):
    return [f"{old}: {new}" for old, new in zip(problem[0], solve(problem))]


VERIFIERS = {"NAME": PlainVerifier(read, solve, "string", exactly(lines_of))}
''',
}

SLIPS = {
    "kind": (
        'kind=kind,|kind="encod",',
        "kind 'encod': unknown kind 'encod'; did you mean 'encode'? (known: encode, decode)",
    ),
    "kinds": (
        'words.toml:[steps]|[prompts.bare]\nencode = ["{text} {shift}"]\n[steps]',
        "kinds/words.toml: prompts.bare=['encode']: expected wordings of encode, decode",
    ),
    "missing_hole": (
        ', "shift": shift}|, "shfit": shift}',
        "kind 'encode': prompts: wording 'Shift each letter of {text} forward by {shift}.': "
        "hole 'shift' has no value in `holes`; did you mean 'shfit'?",
    ),
    "wording_without_hole": (
        "words.toml: back by {shift}| back",
        "verify.py:5: reads calls it with the kind, text, but: "
        "missing a required argument: 'shift'",
    ),
    "undeclared_hole": (
        "verify.py:text=holes.|txt=holes.",
        "words.toml: wording 'Shift each letter of {text} forward by {shift}.': "
        "unknown hole 'text'; did you mean 'txt'? (known: txt, shift)",
    ),
    "reader": (
        "verify.py:read(kind, text|read(kind, texts",
        "reads calls it with the kind, text, shift, but: missing a required argument: 'texts'",
    ),
    "undeclared_axis": (
        'axes={"n_letters"|axes={"n_leters"',
        "unknown axis 'n_leters'; did you mean 'n_letters'? (known: n_letters)",
    ),
    "missing_axis": ('axes={"n_letters": len(text)}|axes={}', "axis 'n_letters' has no value"),
    "range": (
        "(self.min_letters, self.max|(self.min_letters, 1 + self.max",
        "axis n_letters=7 (int): expected an integer from 3 to 6",
    ),
    "axis_value": (
        'len(text)}|f"{len(text)} letters"}',
        "letters' (str): expected an integer",
    ),
    "bound": (
        '"min_letters", "max_letters")|"min_leters", "max_letters")',
        "unknown param in the bounds of an axis: 'min_leters'; did you mean 'min_letters'?",
    ),
    "up_to": (
        'up_to="max_letters"|up_to="max_leters"',
        "unknown param in the bounds of min_letters: 'max_leters'; did you mean 'max_letters'?",
    ),
    "levels": (
        'levelled("n_letters"|levelled("n_leters"',
        "unknown axis in levelled: 'n_leters'; did you mean 'n_letters'?",
    ),
    "arity": (
        "tree=(kind, shift, (|tree=(kind, (",
        "tree: symbol 'encode' has 1 arguments; it is declared with 2",
    ),
    "symbol": (
        'shift, ("text"|shift, ("txet"',
        "tree: symbol 'txet' is not declared in `symbols`; did you mean 'text'?",
    ),
    "node": (
        "tree=(kind, shift|tree=(kind, shift / 2",
        "expected an integer, the name of a symbol",
    ),
    "list": (
        'answer="".join(answer)|answer=answer',
        " (list): expected a string",
    ),
    "integer": ('answer="".join(answer)|answer=shift', " (int): expected a string"),
    "answer_type": (
        'answer_type = "string"|answer_type = "strng"',
        "unknown answer_type 'strng'; did you mean 'string'?",
    ),
    "verifier_type": (
        'verify.py:solve, "string"|solve, "strng"',
        "verify.py:10: unknown answer_type of a verifier 'strng'; did you mean 'string'?",
    ),
    "style": (
        'answer_type = |prompts = ("instructon",)\n    answer_type = ',
        "unknown style of prompts 'instructon'; did you mean 'instruction'? (known: instruction)",
    ),
    "line": ('line("letter"|line("leter"', "steps.leter: no line 'leter'; did you mean 'letter'?"),
    "line_hole": ("old=a|odl=a", "steps.letter: no hole 'old'; did you mean 'odl'?"),
    "steps": (
        'steps=[self.words.line("letter", old=a, new=b)|steps=[(a, b)',
        "a line of steps=(",
    ),
    "text_steps": ("steps=[|steps='none', data=[", "steps='none' (str): expected a list"),
    "default": (
        "integer(6, 1, 8)|integer(9, 1, 8)",
        "the default of a param, max_letters=9: expected an integer from 1 to 8",
    ),
    "order": (
        "integer(3, 1, 8, up|integer(7, 1, 8, up",
        "its defaults do not fit: min_letters=7: expected at most max_letters=6",
    ),
    "none": ("return Problem(|_ = Problem(", "0% of the addresses give a problem, the others None"),
    "tuple": ("return Problem(|return dict(", " (dict): expected a Problem or None"),
    "exception": ("ahead = shift|ahead = shift // 0", "ZeroDivisionError"),
    "own_family": (
        "verify.py:from synthgen.authoring|from . import helper\nfrom synthgen.authoring",
        "the verifier imports its family, so it proves nothing: own_family.verify imports "
        "own_family.helper imports own_family.family",
    ),
    "rejects": (
        'if kind == "encode" else 26|if kind == "decode" else 26',
        "the verifier rejects a row; it reads (",
    ),
    "one_tree": (
        "tree=(kind, shift, (|tree=(kind, 1, (",
        "two problems have one tree, so one of them is dropped as a duplicate",
    ),
    "one_tree_for_kinds": (
        'tree=(kind, shift, (|tree=("encode", shift, (',
        "two problems have one tree, so one of them is dropped as a duplicate",
    ),
    "hidden_draw": (
        "tree=(kind, shift, (|tree=(kind, 100 * draws.integer(0, 9) + shift, (",
        "one prompt has two trees, so it can occur twice",
    ),
    "generators": (
        'GENERATORS = {"NAME"|GENERATORS = {"generator"',
        "generators.family.GENERATORS has no 'generators'; did you mean 'generator'?",
    ),
    "verifiers": (
        'verify.py:VERIFIERS = {"NAME"|VERIFIERS = {"verifier"',
        "VERIFIERS has no 'verifiers'; did you mean 'verifier'?",
    ),
    "no_table": ("GENERATORS =|GENERATOR =", "no_table.family.GENERATORS has no 'no_table'"),
    "families": (
        'GENERATORS = {|GENERATORS = {"other": Cipher, ',
        "GENERATORS and FAMILIES disagree about other",
    ),
    "verifier_name": (
        'verifier = "NAME"|verifier = "verifier_nam"',
        "verifier='verifier_nam' of Cipher is not a family's name; did you mean 'verifier_name'?",
    ),
    "missing_package": (
        "from string import|import no_such_package\nfrom string import",
        "missing_package.family cannot be imported: ModuleNotFoundError: "
        "No module named 'no_such_package' (missing_package/family.py:3)",
    ),
    "broken": (
        "__init__.py:FAMILIES|import no_such_package\nFAMILIES",
        "broken.family cannot be imported: ModuleNotFoundError: No module named 'no_such_package'",
    ),
    "syntax": (
        "def make(self|def make(self, (",
        "syntax.family cannot be imported: SyntaxError: invalid syntax (syntax/family.py:26)",
    ),
}
"""Name -> (what is replaced in family.py or another file, what the message says)."""

RUN = """
import json, sys, traceback
from synthgen.testing import check_family
for name in sys.argv[1:]:
    try:
        check_family(name)
        said = "nothing"
    except Exception as error:
        said = "".join(traceback.format_exception_only(error))
    print(json.dumps([name, said]))
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package for each slip, as an installer would leave it, and a good one."""
    root = tmp_path_factory.mktemp("packages")
    for name, (change, _) in {"good": ("|", ""), **SLIPS}.items():
        place, _, rest = change.partition(":")
        file = place if place in FAMILY else "family.py"
        old, _, new = (rest if place in FAMILY else change).partition("|")
        files = {**FAMILY, "helper.py": "from .family import Cipher\n"}
        assert files[file].count(old) == 1 or not old, name
        files[file] = files[file].replace(old, new, 1)
        (root / name).mkdir()
        for path, text in files.items():
            (root / name / path).write_text(text.replace("NAME", name).lstrip())
    info = root / "packages-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: packages\nVersion: 1.0\n")
    points = "".join(f"{name} = {name}\n" for name in ("good", *SLIPS))
    (info / "entry_points.txt").write_text(f"[synthgen.families]\n{points}")
    return root


@pytest.fixture(scope="module")
def said(packages: Path) -> dict[str, str]:
    """What `check_family` says of each package."""
    ended = subprocess.run(
        [sys.executable, "-c", RUN, "good", *SLIPS],
        env=environment(packages),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return dict(json.loads(line) for line in ended.stdout.splitlines())


def test_the_family_is_good_without_a_slip(said: dict[str, str]) -> None:
    assert said["good"] == "nothing"


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_named(name: str, said: dict[str, str]) -> None:
    assert SLIPS[name][1] in said[name]
    assert name in said[name].replace("-", "_")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arity", "syntax", "broken", "one_tree"])
def test_commands_end_without_a_traceback(name: str, packages: Path, tmp_path: Path) -> None:
    source = source_of(name, "min_letters = 1, max_letters = 1")
    recipe = write_recipe(tmp_path, recipe_of(source, split_of("train", 20)))
    ended = synthgen_process("build", str(recipe), "--out", str(tmp_path / "out"), path=packages)
    assert ended.returncode == 2
    assert not (tmp_path / "out" / "manifest.json").exists()
    assert SLIPS[name][1] in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr
