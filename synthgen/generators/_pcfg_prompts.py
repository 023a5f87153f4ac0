"""Wordings of PCFG SET's instruction prompts; the program stands in backticks on its own line."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.generators._pcfg_symbols import EXCEPTIONS, FUNCTIONS, TWIN

_MEANINGS = {
    "copy": "copy x is x itself",
    "reverse": "reverse x is x from its end to its beginning",
    "shift": "shift x moves the first symbol of x to the end",
    "echo": "echo x repeats the last symbol of x once more",
    "swap_first_last": "swap_first_last x exchanges the first and the last symbol of x",
    "repeat": "repeat x is x twice",
    "append": "append x , y is x followed by y",
    "prepend": "prepend x , y is y followed by x",
    "remove_first": "remove_first x , y is y",
    "remove_second": "remove_second x , y is x",
}

_WORDINGS = (
    "A program of string functions stands below, each function before its arguments; a comma "
    "separates two arguments. {meanings}. Run the program and write the resulting symbols, "
    "separated by spaces.",
    "Apply the functions to the strings, innermost first. What they do: {meanings}. Which string "
    "comes out? Reply with its symbols alone, one space between them.",
    "Here symbols such as A1 form strings, and functions make new strings of them. The rules are: "
    "{meanings}. Evaluate this expression in prefix notation and give the final string.",
    "Read the expression from the inside out. Rules: {meanings}. State the sequence of symbols "
    "that remains at the end, with spaces between them and nothing else.",
    "You know these string operations: {meanings}. Every operation is written in front of what it "
    "works on. Work out the value of the line below; answer with the symbols in order.",
    "Compute the output sequence. Each word with a meaning of its own is a function of one or two "
    "strings: {meanings}. Write the output as symbols separated by single spaces.",
)


def instruction_templates(
    functions: Sequence[str], twins: Sequence[str], *, exceptions: bool
) -> list[tuple[str, str]]:
    """Return the text before and after the program, for each wording.

    Args:
        functions: in use.
        twins: functions that are also told with their synonym.
        exceptions: whether adjacent functions have exceptional meanings.
    """
    told = [_MEANINGS[name] for name in FUNCTIONS if name in functions]
    told += [f"{name}{TWIN} means the same as {name}" for name in FUNCTIONS if name in twins]
    meanings = "; ".join(told)
    if exceptions:
        meanings += f". {_exceptions()}"
    return [(f"{text.format(meanings=meanings)}\n\n`", "`") for text in _WORDINGS]


def _exceptions() -> str:
    """Tell the exceptional meanings."""
    cases = [
        f"{FUNCTIONS[outer]} right before {FUNCTIONS[inner]} means {FUNCTIONS[one]} and "
        f"{FUNCTIONS[other]} in their places"
        for (outer, inner), (one, other) in EXCEPTIONS.values()
    ]
    return (
        f"There are exceptions, of which only the first that occurs counts, but everywhere in the "
        f"program: {'; '.join(cases)}"
    )
