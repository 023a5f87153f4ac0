"""The nine blocks and six rules of block synthesis, and the wordings that tell them."""

from __future__ import annotations

import numpy as np

BLOCKS = tuple(f"{left}{letter}{right}" for left, right in ("[]", "{}", "()") for letter in "ABC")
N_BLOCKS = len(BLOCKS)
_TABLE = (
    (("[A]", "[B]", "[C]"), ("{A}",)),
    (("[A]", "[B]"), ("{C}",)),
    (("[B]", "[C]"), ("{B}",)),
    (("[C]", "[C]"), ("{C}",)),
    (("{A}", "{C}"), ("(A)", "(B)")),
    (("{B}", "{B}"), ("(C)",)),
)
"""What each rule takes and what it gives, in the published order.

Every rule takes at least one square or curly block more than it gives, so that every run ends and
no state comes back.
"""
NOTATIONS = tuple(f"{''.join(taken)}>{''.join(given)}" for taken, given in _TABLE)
N_RULES = len(NOTATIONS)
TAKEN, GIVEN = (
    np.array([[side[i].count(block) for block in BLOCKS] for side in _TABLE], np.int64)
    for i in range(2)
)
"""How many of each block the rules take and give, int64 (N_RULES, N_BLOCKS)."""

_ORDER = " ".join(BLOCKS)
WORDINGS = (
    "You have blocks of nine kinds and rules that turn some of them into others: `[A][B]>{C}`"
    " takes one [A] and one [B] away and adds one {C}. In each step the first rule of the "
    "list for which there are enough blocks is used once; it ends when there is none. Behind "
    f"the rules stands how many blocks there are of {_ORDER}. Write the nine numbers at the "
    "end, in the same order.",
    "Blocks are combined by the rules below, which are listed by priority. What stands to the"
    " left of `>` is used up, what stands to the right is made. Apply one rule at a time, "
    "always the first one that can be applied, until none can. The numbers behind the bar "
    f"count the blocks {_ORDER} at the start; answer with such numbers for the end, with spaces"
    " between them.",
    f"Take this as a machine with nine counters, for the blocks {_ORDER}. A rule `x>y` may run "
    "if all blocks of x are there; it removes them and adds those of y. At every tick the "
    "earliest rule of the list that may run does so, once. Given the counters at first (after"
    " the bar), what do they say when no rule may run any more?",
    f"There are nine types of blocks: {_ORDER}. Each recipe below tells which blocks are put in"
    " and, after the sign >, which come out. Look through the recipes from the first on, "
    "carry out the first one that you have blocks for, and begin again at the first; stop "
    "when you have blocks for none. The line ends with your stock of the nine types. Reply "
    "with the final stock.",
    "Synthesise new blocks until nothing is possible any more. Every time, use the rule "
    "nearest to the beginning of the list for which you own all blocks to the left of `>`: "
    "these are lost, and those to the right of it are gained. The final numbers on the line "
    f"are how many you own of {_ORDER}. How many of each do you own at the end? Give nine "
    "numbers in this order.",
    "A bag holds blocks; a rule is written as the blocks it takes from the bag, the sign >, "
    "and the blocks it puts in. Earlier rules come first: no rule is used while one before it"
    f" could be. Each use is one step. After ` | ` the bag is given as counts of {_ORDER}. "
    "State the counts of these nine when no rule can be used.",
)
