"""The published SCAN language: its commands by their grammar, worked examples, rules and sizes."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from synthgen.contract.registry import load_verifier

_VERIFIER: Any = load_verifier("scan")
VERBS = ("walk", "look", "run", "jump")
SHA256 = "05ac20c5d4e1d9235be18930ea05c37a800cd8e0d9b71da1cdcd6e88757c32bf"
"""Of the sorted commands, joined by line ends."""
WORKED = {
    "turn right": "R",
    "walk left": "L I_WALK",
    "turn opposite left": "L L",
    "look opposite right twice": "R R I_LOOK R R I_LOOK",
    "turn around left": "L L L L",
    "run around right": "R I_RUN R I_RUN R I_RUN R I_RUN",
    "jump thrice": "I_JUMP I_JUMP I_JUMP",
    "jump twice and turn left thrice": "I_JUMP I_JUMP L L L",
    "walk after look left": "L I_LOOK I_WALK",
    "run opposite left thrice after jump": "I_JUMP L L I_RUN L L I_RUN L L I_RUN",
    "look around left and turn around right twice": "L I_LOOK " * 4 + "R R R R R R R R",
    "turn opposite right twice after walk right thrice": "R I_WALK R I_WALK R I_WALK R R R R",
}
"""Commands and actions, with L and R for the turns."""
REJECTED = (
    "turn",
    "left jump",
    "jump twice thrice",
    "jump left opposite",
    "turn twice",
    "jump and walk and run",
)
"""Not in the language; the last is in the larger one."""


def spelt(actions: str) -> str:
    """Write L and R in full."""
    names = {"L": "I_TURN_LEFT", "R": "I_TURN_RIGHT"}
    return " ".join(names.get(word, word) for word in actions.split())


def commands() -> list[str]:
    """All 20,910 commands, sorted."""
    forms = [*VERBS]
    for verb in (*VERBS, "turn"):
        for manner in ("", "opposite ", "around "):
            forms += [f"{verb} {manner}left", f"{verb} {manner}right"]
    phrases = [form + repeat for form in forms for repeat in ("", " twice", " thrice")]
    pairs = [
        f"{one} {word} {two}" for one in phrases for word in ("and", "after") for two in phrases
    ]
    return sorted([*phrases, *pairs])


def actions(command: str) -> list[str]:
    """What the verifier answers to a command."""
    answers: list[str] = _VERIFIER.answer(command).split(" ")
    return answers


def _has(pattern: str) -> Callable[[str], bool]:
    found = re.compile(rf"\b(?:{pattern})\b")
    return lambda command: found.search(command) is not None


def _template(words: str) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """Train and test of a template split."""
    some, turn = _has(rf"(?:walk|look|run|jump) {words}"), _has(f"turn {words}")
    return (
        lambda command: not some(command) and not turn(command),
        lambda command: some(command) and not turn(command),
    )


_JUMP_AROUND = _has("jump around right")
_TURN_AROUND = _has("turn around right")


def _filler(*known: str) -> Callable[[str], bool]:
    held = [verb for verb in (*VERBS, "turn") if verb not in known]
    some = _has("|".join(f"{verb} around right" for verb in held))
    return lambda command: not some(command)


def _few_shot_test(command: str) -> bool:
    return _JUMP_AROUND(command) and not _TURN_AROUND(command)


RULES: dict[str, dict[str, Callable[[str], bool]]] = {
    "scan": {"train": lambda command: True},
    "scan-length": {
        "train": lambda command: len(actions(command)) <= 22,
        "test": lambda command: len(actions(command)) >= 24,
    },
    "scan-addprim-jump": {
        "train": lambda command: "jump" not in command or command == "jump",
        "test": lambda command: "jump" in command and command != "jump",
    },
    "scan-addprim-turn-left": {
        "train": lambda command: "turn left" not in command or command == "turn left",
        "test": lambda command: "turn left" in command and command != "turn left",
    },
    "scan-template-jump-around-right": {"train": _filler(*VERBS[:3]), "test": _few_shot_test},
    "scan-filler-num0": {"train": _filler(), "test": _few_shot_test},
    "scan-filler-num1": {"train": _filler("look"), "test": _few_shot_test},
    "scan-filler-num2": {"train": _filler("look", "walk"), "test": _few_shot_test},
    "scan-filler-num3": {"train": _filler("look", "walk", "run"), "test": _few_shot_test},
    **{
        f"scan-template-{words.replace(' ', '-')}": dict(
            zip(("train", "test"), _template(words), strict=True)
        )
        for words in ("around right", "opposite right", "right")
    },
}
"""Which different commands the splits of a recipe have, where a rule says it."""
REPEATED = {
    ("scan-addprim-jump", "train"): ("jump", 1_467),
    ("scan-addprim-turn-left", "train"): ("turn left", 2_189),
}
"""The command that a split has many times; all others are there once."""
ROWS = {
    "scan": (20_910,),
    "scan-length": (16_990, 3_920),
    "scan-addprim-jump": (14_670, 7_706),
    "scan-addprim-turn-left": (21_890, 1_208),
    "scan-template-around-right": (15_225, 4_476),
    "scan-template-opposite-right": (15_225, 4_476),
    "scan-template-right": (15_225, 4_476),
    "scan-template-jump-around-right": (18_528, 1_173),
    "scan-filler-num0": (15_225, 1_173),
    "scan-filler-num1": (16_290, 1_173),
    "scan-filler-num2": (17_391, 1_173),
    "scan-filler-num3": (18_528, 1_173),
}
"""Published rows of each split, repeats included."""


def published_lists(path: Path) -> dict[str, list[str]]:
    """The lists of a file of sorted indices into the sorted commands, as split/part -> commands."""
    known = commands()
    stored = json.loads(path.read_text(encoding="utf-8"))
    lists = {
        f"{split}/{part}": [known[i] for i in indices]
        for split in ("simple", "mcd1")
        for part, indices in stored[split].items()
    }
    test = set(lists["simple/test"])
    lists["simple/train"] = [command for command in known if command not in test]
    return lists
