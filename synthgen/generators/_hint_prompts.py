"""Wordings of HINT's instruction prompts; the expression stands in backticks, alone on its line."""

from __future__ import annotations

_CONCEPTS = {
    "x": "x is the number 11",
    "y": "y is the number 12",
    "a": "l a r is the larger of l and r and ranks with + and -",
    "b": "l b r is the smaller of l and r and ranks with + and -",
    "c": "l c r is the mean of l and r, rounded up, and ranks with * and /",
    "d": "l d r is twice the product of l and r over their sum, rounded up, and ranks with * and /",
}

_WORDINGS = (
    "Work out the value of the expression below. All numbers are natural: a subtraction that would "
    "go below zero gives 0, and a division is rounded up. * and / bind tighter than + and -, and "
    "operators of equal rank are taken from left to right.{concepts} Answer with one whole number.",
    "Here numbers never go below zero, so 3-5 is 0, and division rounds up, so 7/2 is 4. "
    "Multiplication and division come before addition and subtraction, otherwise read from left to "
    "right.{concepts} What does this expression come to? Give only the number.",
    "Evaluate the arithmetic expression. Rules: l-r is 0 when r is larger than l; l/r is the "
    "quotient rounded up to a whole number; parentheses first, then * and /, then + and -, each "
    "from left to right.{concepts} Reply with the result as an integer.",
    "Compute the result over the natural numbers, where subtraction stops at zero and division "
    "takes the ceiling. The usual precedence holds and operators associate to the left.{concepts} "
    "The answer is a single integer.",
    "Take the following expression. Whatever would be negative counts as 0, and every quotient is "
    "rounded up. Times and divide rank above plus and minus, and equal ranks go left to "
    "right.{concepts} State its value as a whole number.",
    "Find the value. Use natural-number arithmetic: differences are cut off at zero and quotients "
    "are rounded upwards. Do what is in parentheses first, then products and quotients from the "
    "left, then sums and differences from the left.{concepts} Write just the number.",
)


def instruction_templates(symbols: str) -> list[tuple[str, str]]:
    """Return the text before and after the expression, for each wording.

    Args:
        symbols: in use; the meaning of each few-shot concept among them is told.
    """
    told = [meaning for concept, meaning in _CONCEPTS.items() if concept in symbols]
    concepts = f" Besides, {'; '.join(told)}." if told else ""
    return [(f"{text.format(concepts=concepts)}\n\n`", "`") for text in _WORDINGS]
