"""A slow reading of PCFG SET text in plain Python, by the published definitions alone."""

from __future__ import annotations

from itertools import pairwise

UNARY = ("copy", "reverse", "shift", "echo", "swap_first_last", "repeat")
BINARY = ("append", "prepend", "remove_first", "remove_second")
PAIRS = {
    "swap_repeat": ("swap_first_last", "repeat"),
    "append_remove": ("append", "remove_second"),
    "repeat_remove": ("repeat", "remove_second"),
    "append_swap": ("append", "swap_first_last"),
}
EXCEPTIONS = {
    "reverse_echo": ("reverse", "echo", "echo", "copy"),
    "prepend_remove_first": ("prepend", "remove_first", "remove_second", "append"),
    "echo_remove_first": ("echo", "remove_first", "copy", "append"),
    "prepend_reverse": ("prepend", "reverse", "remove_second", "echo"),
}
Tree = list


def name_of(token: str) -> str:
    return token.removesuffix("_twin")


def is_function(token: str) -> bool:
    return name_of(token) in UNARY + BINARY


def apply(name: str, x: list[str], y: list[str]) -> list[str]:
    """Result of one function."""
    return {
        "copy": lambda: list(x),
        "reverse": lambda: list(reversed(x)),
        "shift": lambda: [*x[1:], x[0]],
        "echo": lambda: [*x, x[-1]],
        "swap_first_last": lambda: [x[-1], *x[1:-1], x[0]],
        "repeat": lambda: [*x, *x],
        "append": lambda: [*x, *y],
        "prepend": lambda: [*y, *x],
        "remove_first": lambda: list(y),
        "remove_second": lambda: list(x),
    }[name_of(name)]()


def parse(tokens: list[str]) -> Tree:
    """Read bare tokens into [function, argument ...], a string being [symbols]."""
    tree, rest = _read(list(tokens))
    assert not rest, tokens
    return tree


def _read(tokens: list[str]) -> tuple[Tree, list[str]]:
    if is_function(tokens[0]):
        head, tokens = tokens[0], tokens[1:]
        first, tokens = _read(tokens)
        if name_of(head) in UNARY:
            return [head, first], tokens
        assert tokens[0] == ","
        second, tokens = _read(tokens[1:])
        return [head, first, second], tokens
    end = 0
    while end < len(tokens) and tokens[end] != ",":
        assert not is_function(tokens[end]), tokens
        end += 1
    return [tokens[:end]], tokens[end:]


def meant(tokens: list[str]) -> list[str]:
    """Replace the exceptional pair that applies."""
    for outer, inner, one, other in EXCEPTIONS.values():
        if (outer, inner) in pairwise(tokens):
            out = list(tokens)
            for i, pair in enumerate(pairwise(tokens)):
                if pair == (outer, inner):
                    out[i : i + 2] = [one, other]
            return out
    return tokens


def results(tree: Tree) -> list[tuple[str, list[str]]]:
    """Function and result of every call, arguments first and left before right."""
    if len(tree) == 1:
        return []
    lists = [results(argument) for argument in tree[1:]]
    values = [done[-1][1] if done else arg[0] for done, arg in zip(lists, tree[1:], strict=True)]
    own = apply(tree[0], values[0], values[1] if len(values) > 1 else [])
    return [*(call for done in lists for call in done), (tree[0], own)]


def answer(text: str, *, exceptions: bool = False) -> str:
    tokens = text.split(" ")
    return " ".join(results(parse(meant(tokens) if exceptions else tokens))[-1][1])


def bracketed(tree: Tree) -> str:
    if len(tree) == 1:
        return " ".join(tree[0])
    return f"{tree[0]} ( {' , '.join(map(bracketed, tree[1:]))} )"


def derivation(tree: Tree) -> str:
    if len(tree) == 1:
        return f"(string{len(tree[0])} {' '.join(tree[0])})"
    return f"({tree[0]} {' '.join(map(derivation, tree[1:]))})"


def unrolled(tree: Tree) -> str:
    lines: list[str] = []

    def told(node: Tree) -> str:
        if len(node) == 1:
            return " ".join(node[0])
        arguments = " , ".join(told(argument) for argument in node[1:])
        lines.append(f"{node[0]} {arguments} = *{len(lines) + 1}")
        return f"*{len(lines)}"

    told(tree)
    lines[-1] = f"{lines[-1].rpartition(' = ')[0]} = {' '.join(results(tree)[-1][1])}"
    return "\n".join(lines)


def strings(tree: Tree) -> list[list[str]]:
    if len(tree) == 1:
        return [tree[0]]
    return [string for argument in tree[1:] for string in strings(argument)]


def depth(tree: Tree) -> int:
    return 0 if len(tree) == 1 else 1 + max(depth(argument) for argument in tree[1:])


def axes(text: str, *, exceptions: bool = False) -> dict[str, int | str]:
    """Every axis of a program but twin_function, from its text."""
    tokens = text.split(" ")
    tree = parse(tokens)
    calls = results(parse(meant(tokens) if exceptions else tokens))
    functions = [token for token in tokens if is_function(token)]
    adjacent = set(pairwise(tokens))
    flags = {name: int(pair in adjacent) for name, pair in PAIRS.items()}
    present = [name for name, pair in EXCEPTIONS.items() if pair[:2] in adjacent]
    longest_string = max(map(len, strings(tree)))
    return {
        "depth": depth(tree),
        "n_functions": len(functions),
        "n_unary": sum(name_of(token) in UNARY for token in functions),
        "n_strings": len(strings(tree)),
        "n_tokens": len(tokens),
        "n_twins": sum(token.endswith("_twin") for token in functions),
        "longest_string": longest_string,
        "function": name_of(tokens[0]),
        "exception": present[0] if present else "none",
        "n_exceptions": len(present),
        "exception_changes": int(answer(text) != answer(text, exceptions=True)),
        "n_pairs": sum(flags.values()),
        **flags,
        "answer_length": len(calls[-1][1]),
        "longest_result": max(longest_string, *(len(value) for _, value in calls)),
    }
