"""A slow reading of PCFG SET text in plain Python, from the published definitions."""

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
"""A function with its arguments, or [symbols] for a string."""


def name_of(token: str) -> str:
    return token.removesuffix("_twin")


def is_function(token: str) -> bool:
    return name_of(token) in UNARY + BINARY


def calls(prompt: str) -> list[str]:
    return [token for token in prompt.split(" ") if is_function(token)]


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


def parse(text: str) -> Tree:
    """Read a bare program."""
    tree, rest = _read(text.split(" "))
    assert not rest, text
    return tree


def _read(tokens: list[str]) -> tuple[Tree, list[str]]:
    head, rest = tokens[0], tokens[1:]
    if is_function(head):
        first, rest = _read(rest)
        if name_of(head) in UNARY:
            return [head, first], rest
        assert rest[0] == ","
        second, rest = _read(rest[1:])
        return [head, first, second], rest
    end = tokens.index(",") if "," in tokens else len(tokens)
    return [tokens[:end]], tokens[end:]


def meant(text: str) -> str:
    """Replace the exceptional pair that applies."""
    tokens = text.split(" ")
    for outer, inner, *replaced in EXCEPTIONS.values():
        places = [i for i, pair in enumerate(pairwise(tokens)) if pair == (outer, inner)]
        if places:
            for i in places:
                tokens[i : i + 2] = replaced
            break
    return " ".join(tokens)


def results(tree: Tree) -> list[list[str]]:
    """Result of every call, arguments first and left before right."""
    if len(tree) == 1:
        return []
    lists = [results(argument) for argument in tree[1:]]
    values = [done[-1] if done else arg[0] for done, arg in zip(lists, tree[1:], strict=True)]
    own = apply(tree[0], values[0], values[-1])
    return [*(call for done in lists for call in done), own]


def answer(text: str, *, exceptions: bool = False) -> str:
    return " ".join(results(parse(meant(text) if exceptions else text))[-1])


def derivation(tree: Tree) -> str:
    if len(tree) == 1:
        return f"(string{len(tree[0])} {' '.join(tree[0])})"
    return f"({tree[0]} {' '.join(map(derivation, tree[1:]))})"


def strings(tree: Tree) -> list[list[str]]:
    if len(tree) == 1:
        return [tree[0]]
    return [string for argument in tree[1:] for string in strings(argument)]


def depth(tree: Tree) -> int:
    return 0 if len(tree) == 1 else 1 + max(depth(argument) for argument in tree[1:])


def axes(text: str, *, exceptions: bool = False) -> dict[str, int | str]:
    """Every axis of a program but twin_function, from its text."""
    tree, tokens = parse(text), text.split(" ")
    values = results(parse(meant(text) if exceptions else text))
    adjacent = set(pairwise(tokens))
    flags = {name: int(pair in adjacent) for name, pair in PAIRS.items()}
    present = [name for name, pair in EXCEPTIONS.items() if pair[:2] in adjacent]
    longest_string = max(map(len, strings(tree)))
    return {
        "depth": depth(tree),
        "n_functions": len(calls(text)),
        "n_unary": sum(name_of(token) in UNARY for token in tokens),
        "n_strings": len(strings(tree)),
        "n_tokens": len(tokens),
        "n_twins": sum(token.endswith("_twin") for token in tokens),
        "longest_string": longest_string,
        "function": name_of(tokens[0]),
        "exception": present[0] if present else "none",
        "n_exceptions": len(present),
        "exception_changes": int(answer(text) != answer(text, exceptions=True)),
        "n_pairs": sum(flags.values()),
        **flags,
        "answer_length": len(values[-1]),
        "longest_result": max(longest_string, *map(len, values)),
    }
