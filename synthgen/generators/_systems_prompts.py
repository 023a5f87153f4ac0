"""Wordings of the string systems: what instructions say before and after rules and strings."""

from __future__ import annotations

from synthgen.generators._systems_rules import AB, BANK, INSERTION, MANIPULATION, PAIRS, RUNS

_REPEATED = (
    "stop as soon as no rule fits or a step would give a string that was already there",
    "you are done when no rule fits, or when a string would come up a second time",
    "this ends once no rule fits, or once a rule makes a string that has occurred before",
)
_MANIPULATION = (
    (
        "Change a string step by step. In each step look through the rules from the top and use "
        f"the first one that fits; {_REPEATED[0]}, which then does not count. The string",
        "What is the last string? Reply with it alone.",
    ),
    (
        "The following rules are listed by priority: only the first that fits the current string "
        f"is carried out, then all are looked at again. {_REPEATED[1].capitalize()}; in the second "
        "case the answer is the string just before it. If the string",
        "Write down the final string and nothing else.",
    ),
    (
        "Below are rules of the form condition: action. Over and over, find the first rule whose "
        f"condition the string meets and do what it says. {_REPEATED[2].capitalize()}; that step "
        "is taken back. The string",
        "Give the string at the end.",
    ),
    (
        "Work as a small machine does: take the topmost rule that fits the string, carry it out, "
        f"and begin again at the top. {_REPEATED[0].capitalize()}; do not take that last step. "
        "If it",
        "With which string does the machine end when it is given this one?",
    ),
    (
        "Which string remains? Only one rule acts at a time, the one that stands first among those "
        f"that fit. {_REPEATED[2].capitalize()}, and what is asked for is then the string before. "
        "When the string",
        "Begin with this string:",
    ),
    (
        f"Keep transforming the string at the bottom; {_REPEATED[1]}, and then the string before "
        "that is the result. Every time, the first rule from above that fits is the one to use. "
        "A string that",
        "State the result without comment.",
    ),
)
_FATES = ("vanish", "become #B A#", "become #A B#", "vanish")
_LISTED = "; ".join(f"{pair} {fate}" for pair, fate in zip(PAIRS, _FATES, strict=True))
_AB = (
    "A::B has four tokens, A#, B#, #A and #B. Two neighbours whose signs # meet are rewritten: "
    f"{_LISTED}. Go on until no signs meet, and write the tokens that are left, with spaces "
    "between them.",
    "In the system A::B, tokens react where a # touches the # of the next token. The reactions: "
    f"{_LISTED}. Which row of tokens is left when nothing can react any more?",
    f"Reduce the A::B program below as far as possible. The rules for two tokens side by side: "
    f"{_LISTED}. The order of the steps makes no difference. Answer with the tokens alone, a space "
    "between two of them.",
    "Tokens of A::B carry a # on one side. If the # of one is right next to the # of its "
    f"neighbour, then {_LISTED.replace('; ', ', ')}. Repeat this while it is possible and give "
    "the outcome.",
    "Here is a program of the rewriting system A::B. It runs by these replacements of "
    f"neighbouring tokens: {_LISTED}. State the tokens in which it ends, separated by spaces.",
    f"Run this A::B program to its end. Only pairs with # facing # change: {_LISTED}. What does "
    "the finished program look like?",
)
_INSERTIONS = ", ".join(f"{run[0]} after {run}" for run in RUNS)
_INSERTION = (
    f"Go through the string once from the left and insert letters: {_INSERTIONS}. After each "
    "insertion go on behind the inserted letter, as if the string began there. Write the result.",
    f"Copy the string, and add a letter after each of five groups: {_INSERTIONS}. Read from left "
    "to right; no letter belongs to two groups, and the earlier group counts. What do you get?",
    "Whenever one of the groups below has just been read, one more letter is written: "
    f"{_INSERTIONS}. Letters of a group that was found are used up. Reply with the new string "
    "alone.",
    f"Expand this string in one pass: {_INSERTIONS}. Groups are found from the left and may not "
    "overlap; inserted letters are not read again. Give the expanded string.",
    f"The task is to insert {_INSERTIONS}. Look for the leftmost group, insert, skip the group "
    "with its new letter, and look on from there. State the whole string at the end.",
    "Five groups of letters are to be marked by another letter right behind them, namely "
    f"{_INSERTIONS}. Scan once, left to right, never using a letter for two groups. What does the "
    "marked string look like?",
)

BARE_HEADS = ("", "A::B | ", "insertion | ")
RULE_TEXTS = {"bare": [rule.notation for rule in BANK], "instruction": [r.words for r in BANK]}


def wordings(system: int) -> tuple[list[str], list[str]]:
    """Return for each wording what stands before the rules, and between them and the string."""
    if system == MANIPULATION:
        heads = [head for head, _ in _MANIPULATION]
        return heads, [f"\n\n{tail}\n\n`" for _, tail in _MANIPULATION]
    texts = {AB: _AB, INSERTION: _INSERTION}[system]
    return list(texts), ["\n\n`"] * len(texts)
