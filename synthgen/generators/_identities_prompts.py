"""Wordings that ask for the rewriting by an identity; each tells all that the answer needs."""

from __future__ import annotations

_WORDINGS = (
    "Below is an identity, a bar and an expression. In the identity, a, b, c and d stand for any "
    "expressions, the same letter always for the same one. Exactly one part of the expression has "
    "the form of the left-hand side, symbol by symbol and in the same order. Replace this part by "
    "the right-hand side and write the whole new expression without changing or computing anything "
    "else. ^ binds tightest, then * and /, then + and -; equal ones group to the left. Use a "
    "parenthesis only where this needs one, and always around an operation that is an operand of "
    "^. Write spaces around + - * / and none around ^.",
    "Apply the rule to the expression behind the bar, once, from left to right. The letters a, b, "
    "c, d of the rule are placeholders: each stands for one subexpression, wherever it occurs. The "
    "rule's left side fits in exactly one place, with operands in the given order. Copy everything "
    "else as it is; calculate nothing. Precedence: ^, then * and /, then + and -, left to right. "
    "Give the result with those parentheses only that the tree needs, where operations that are "
    "the base or exponent of ^ always have them, and with spaces around all operators but ^.",
    "Term rewriting: `LHS = RHS | TERM =`. TERM has a single subterm that is an instance of LHS "
    "for suitable terms a, b, c, d (structurally, no commutativity or arithmetic is used). Rewrite "
    "that subterm to the same instance of RHS. Output the resulting TERM in full, with minimal "
    "parentheses: + and - have the lowest precedence, then * and /, both left-associative, then "
    "^, which is not associative, so that compound operands of it are parenthesised. One space on "
    "either side of + - * /, none elsewhere.",
    "A student may use only the equation before the bar, and only once. Find the one part of the "
    "expression after the bar that looks exactly like the equation's left side when each of the "
    "letters a, b, c, d is taken for some expression, and put the right side there with the same "
    "expressions for the letters. Do not simplify. What does the whole expression become? Leave "
    "out parentheses that the usual precedence (^ before * and / before + and -, each from the "
    "left) makes unnecessary, but keep them around any operation below or above ^. Put spaces "
    "around + - * / only.",
    "Treat the identity as a pattern. Its letters a, b, c, d match any subexpression (a repeated "
    "letter the same one), everything else matches itself. There is exactly one match of the left "
    "side in the expression after the bar. Substitute the right side for it, and print the "
    "complete expression. No other change, no evaluation. Formatting: binary + - * / between "
    "single spaces, ^ without; parentheses only if grouping by precedence (^ highest, * / next, "
    "+ - lowest, left-associative) would differ without them; arguments of ^ that are operations "
    "in parentheses always.",
    "What is the expression after the bar, once the identity before it has been used from left to "
    "right at the only place where its left side occurs? The letters a to d of the identity may be "
    "any expressions, and the place must agree with the left side in every sign, function, number "
    "and in the order of operands. Answer with the whole expression, otherwise unchanged and not "
    "evaluated, in the same notation: no parenthesis that the order of operations (^; * and /; + "
    "and -; from the left) makes superfluous, but one around each operation that ^ applies to, "
    "single spaces around + - * / and none around ^.",
)


def instruction_templates() -> list[tuple[str, str]]:
    """Return the text before and after the problem, for each wording."""
    return [(f"{wording}\n\n`", "`") for wording in _WORDINGS]
