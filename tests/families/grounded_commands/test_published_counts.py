"""The rules of the recipe `gscan`, counted over all published rows.

Each command is asked with every target that fits it, in 68 + 164 situations: along a row or column,
the distances 1 to 5 as 1, 5, 5, 5 and 1 of them; diagonally, in each of four directions, the
distances 2 to 9 as 5 each and 10 as one.
"""

import tomllib
from collections import Counter
from itertools import product

from synthgen.recipe.bundled import find_recipe

SIZES = {"none": (1, 2, 3, 4), "small": (1, 2, 3), "big": (2, 3, 4)}
COLORS = ("red", "green", "blue", "yellow")
MANNERS = ("plainly", "cautiously", "while spinning", "hesitantly", "while zigzagging")
SITUATIONS = {"south-west": 41, "elsewhere": 68 + 3 * 41}
PUBLISHED = {
    "red": 37_436,
    "yellow": 18_718,
    "south_west": 88_642,
    "small": 16_808,
    "push": 11_460,
    "cautious": 112_881,
    "spin": 38_582,
    "none": 412_942,
    "several": 97_731,
}


def test_the_rules_give_the_published_counts() -> None:
    recipe = tomllib.loads(find_recipe("gscan").read_text(encoding="utf-8"))
    cells = {axis["name"]: axis["cells"] for axis in recipe["axis"]}
    counts: Counter[str] = Counter()
    commands = product(("walk", "push", "pull"), MANNERS, SIZES, ("none", *COLORS))
    for (verb, manner, size_word, color_word), shape, (direction, number) in product(
        commands, ("square", "circle", "cylinder"), SITUATIONS.items()
    ):
        colors = COLORS if color_word == "none" else (color_word,)
        for size, color in product(SIZES[size_word], colors):
            row = {"verb": verb, "manner": manner, "size_word": size_word, "size": size}
            row |= {"color_word": color_word, "color": color, "shape": shape}
            row["direction"] = direction
            held = [
                name for name, rule in cells.items() if [row[a] for a in rule["axes"]] in rule["of"]
            ]
            counts["several" if len(held) > 1 else held[0] if held else "none"] += number
    assert counts == PUBLISHED
    assert counts.total() == 835_200
