"""Wordings of the instruction prompts of rewriting programs; the problem stands in backticks."""

from __future__ import annotations

from collections.abc import Sequence

_NOTATION = (
    "A string rewriting program stands below: rules `left > right`, separated by ` ; `, then ` | ` "
    "and a word. In every step, look through the rules from the first to the last and take the "
    "first one whose left side occurs in the word; replace the leftmost occurrence by the right "
    "side. Then begin again with the first rule. A rule written `>.` ends the program once it has "
    "been used. The program also ends when no left side occurs any more. `_` is the empty string; "
    "as a left side it matches in front of every word.",
    "This is a Markov algorithm. To the left of ` | ` is the ordered list of its rules, `x > y` "
    "or, for a rule after which the algorithm stops, `x >. y`; to the right is the word it works "
    "on. The topmost rule that matches has priority, and it is applied to its leftmost match. "
    "This is repeated, always from the topmost rule on, until a stop rule has been applied or no "
    "rule matches. The sign `_` means no letters at all, and such a left side matches before the "
    "first letter.",
    "Rules for changing a word are listed in order with ` ; ` between them; the word comes after "
    "` | `. One step: find the earliest rule in the list whose part before the arrow can be found "
    "in the word, and put its part after the arrow in the place of the first such part from the "
    "left. Go on with steps as long as some rule can be used, but not after a rule with the arrow "
    "`>.`, which is the last. An empty part is written `_`; before the arrow, it is found at the "
    "very start of any word.",
    "You are a rewriting machine. Your program is a priority list of replacements `old > new`, "
    "earlier ones first, and your tape holds the word after ` | `. On each tick you carry out the "
    "first replacement whose `old` is somewhere on the tape, once, at the position furthest to the "
    "left. You halt when no `old` is on the tape, or right after a replacement marked `>.`. Here "
    "`_` is a string of length zero, which is taken to be at the left end of the tape.",
    "Follow this procedure. Given are numbered rules (the first is number 1, they are separated "
    "by ` ; `) and, behind ` | `, a word. Repeat: test rule 1, rule 2 and so on; the first one "
    "whose left-hand side is contained in the word fires, which means that the leftmost "
    "appearance of its left-hand side is exchanged for its right-hand side. The procedure halts "
    "if none fires, and after a rule with `>.` instead of `>` has fired. `_` denotes the empty "
    "word, contained at the beginning of every word.",
    "Below, `a > b` tells you to turn a into b. Several such rules are given in order of "
    "precedence, divided by ` ; `, and after ` | ` comes the string to transform. Always use the "
    "rule of highest precedence that is usable, on the leftmost place where it is usable, one "
    "place at a time, and then choose anew. Finish when nothing is usable, or directly after "
    "using a rule whose arrow has a dot, `>.`. The underscore `_` is a string without letters; a "
    "rule from `_` is usable at the front of any string.",
)

_STRATEGIES = {
    "round_robin": "If the line begins with `round_robin :`, the search for a rule does not begin "
    "with the first one again, but with the one that follows the rule used last, and after the "
    "last rule of the list it goes on with the first; the program ends without a stop rule when "
    "no rule at all matches.",
    "sequential_once": "If the line begins with `sequential_once :`, the list is gone through only "
    "once: each rule in turn is used one time if it matches and is passed over if it does not, and "
    "behind the last rule the program has ended.",
    "any_order": "If the line begins with `any_order :`, the order is free: in every step any rule "
    "that matches may be used at any place where it matches, until none matches. The result is the "
    "same whatever is chosen.",
}

_SCOPES = {
    "rightmost": "`@rightmost`: the rightmost occurrence is replaced (`_` then matches behind the "
    "last letter)",
    "all_nonoverlap": "`@all_nonoverlap`: all occurrences are replaced in one step, found from "
    "left to right without overlap",
    "all_parallel": "`@all_parallel`: all rules with this mark act together in one step: going "
    "from left to right, at each position the first of them that matches there replaces its left "
    "side and the search goes on behind it, while other letters stay",
    "prefix": "`@prefix`: the rule matches only at the beginning of the word",
    "suffix": "`@suffix`: the rule matches only at the end of the word",
    "whole": "`@whole`: the rule matches only if its left side is the whole word",
}

_STATES = (
    "`blocked` if no rule matches, `stopped` after a stop rule, `loop` as soon as {state} is the "
    "same as at some time before, `overflow` if the next step would make the word longer than the "
    "second number, `budget` if after as many steps as the first number it still has not ended "
    "(a word that comes back or cannot be changed with the last of these steps counts as `loop` or "
    "`blocked`, and `budget` goes before `overflow`)"
)

_QUESTIONS = {
    "run": (
        "Write the word that remains at the end, or `_` if it is empty.",
        "Which word results? Give only the word; an empty one is written `_`.",
        "State the final word (write `_` for an empty one) and nothing else.",
        "What is on the tape after halting? Answer with the word, or `_` if nothing is left.",
        "Reply with the last word of the procedure, where `_` stands for the empty word.",
        "Give the finished string, `_` if it has no letters.",
    ),
    "next_rule": (
        "Do not run the program. Which rule is used first? Write its number, counted from 1, or "
        "`none`.",
        "Only the first step matters: give the number of the rule that is applied in it (the "
        "topmost is 1), or `none` if the algorithm ends at once.",
        "Which place in the list, from 1, has the rule of the very first step? If no rule can be "
        "used, write `none`.",
        "Name the number of the replacement of the first tick, the first of the list being 1; "
        "write `none` if you halt without one.",
        "Which rule fires first? Answer with its number, or with `none` if none fires.",
        "Tell the rule you would use now by its number in the order given (1, 2, ...), or say "
        "`none`.",
    ),
    "status": (
        "After `? status` stand two numbers. How does the run end? Write {states}.",
        "The numbers after `? status` are limits. Tell what becomes of the run: {states}.",
        "Behind `? status` a number of steps and a length are given. Answer with one word: "
        "{states}.",
        "How do you halt, if you do? The two numbers are your limits. Say {states}.",
        "Classify the procedure, with the two numbers after `? status` as limits: {states}.",
        "What happens in the end? Use the two numbers at the end of the line, and reply {states}.",
    ),
    "apply_k": (
        "The number after ` ? ` says how many steps to make. Write the word after exactly so many "
        "steps, or `_` if it is empty.",
        "Apply rules only as many times as the number behind the question mark says, and give the "
        "word reached (`_` if it is empty).",
        "Make as many steps as the number after ` ? ` and no more. What is the word then? `_` "
        "stands for an empty one.",
        "Stop after the number of ticks given behind the question mark, and tell what the tape "
        "holds then, `_` if nothing.",
        "Carry out the number of repetitions that stands after ` ? `. Reply with the word at that "
        "point, `_` for the empty word.",
        "Use rules exactly as often as the number after the question mark says. Which string do "
        "you have then? Write `_` for no letters.",
    ),
}


def instruction_templates(
    task: str, strategies: Sequence[str], scopes: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the text before and after the problem, for each wording.

    Args:
        task: what is asked.
        strategies: that programs may have.
        scopes: that rules may have.
    """
    more = [text for strategy, text in _STRATEGIES.items() if strategy in strategies]
    marks = [text for scope, text in _SCOPES.items() if scope in scopes]
    if marks:
        more.append(f"A mark behind a rule changes what it does: {'; '.join(marks)}.")
    state = "the word"
    if "round_robin" in strategies:
        state = "the word (with `round_robin`: together with the rule that the search begins with)"
    states = _STATES.format(state=state)
    return [
        (" ".join([notation, *more, question.format(states=states)]) + "\n\n`", "`")
        for notation, question in zip(_NOTATION, _QUESTIONS[task], strict=True)
    ]
