"""Mutations of documents, rules and bytes, and hostile texts, all from one source of chance."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

OWNED = "owned"
"""In hostile texts, the name of every element and attribute, and in every script."""
_FRAGMENTS = (
    *(
        "",
        " ",
        "\n",
        "\r\n",
        "\t",
        "\x00",
        "\x1b[31m",
        "\x7f",
        "\u202e",
        "\u2028",
        "\ufeff",
        "\ud800",
    ),
    *(
        "é",
        "\u0661",
        "\u2212",
        "\U0001f600",
        "a" * 3_000,
        "9" * 400,
        "(" * 300,
        "[" * 2_000,
        "\\",
        "'",
        '"',
        '"""',
    ),
    *(
        "[/a]",
        "[bold]",
        "{x}",
        "{{ 7 * 7 }}",
        "{% raw %}",
        "%s",
        "$(id)",
        "`id`",
        "=1+1",
        "../../x",
        "/dev/zero",
    ),
    *(
        "null",
        "NaN",
        "-1e999",
        "1/0",
        "\\boxed{",
        "<think>",
        "#",
        ",",
        ";",
        "|",
        "a,b\n",
        "True",
        "0x1F",
    ),
    f"<{OWNED}>",
    f"<img src=x onerror={OWNED}()>",
    f"</script><script>{OWNED}()</script>",
    f'"><svg onload={OWNED}()>',
    f"' {OWNED}=1 onmouseover={OWNED}() x='",
    f"</style><style>{OWNED}</style>",
    f"</textarea></title><iframe srcdoc='<script>{OWNED}()</script>'>",
    f"<!--<script>{OWNED}()",
    f"]]>--><a href=javascript:{OWNED}()>",
)
VALUES: tuple[Any, ...] = (
    *("", "x", "a" * 1_000, "\x00", "n_op > 1", "(" * 500, "[/a]\x1b[31m", "../../x", "/dev/zero"),
    *(-1, 0, 1, 3, 1 << 62, 10**30, 1.5, -0.5, 1e308, math.nan, math.inf, True, False),
    *([], [[]], ["x"], [1, "x"], [1.5], [True], [["a", 1]], [{}], {}, {"a": 1}, {"a": [["b"]]}),
)
_DEEP = 60
_SIGNS = "= <> != < <= > >= + - * / % ( ) , AND OR NOT IN BETWEEN LIKE IS NULL TRUE FALSE".split()
_NUMBERS = (
    "0",
    "1",
    "2",
    "-1",
    "9" * 20,
    "9" * 400,
    "1.5",
    "0.1e5",
    "9223372036854775807",
    "1" * 5_000,
)
_Place = tuple[Any, ...]


def text(chance: Random) -> str:
    """Return a hostile text; at times with half a surrogate pair, which no file can contain."""
    return "".join(chance.choices(_FRAGMENTS, k=chance.choice((1, 1, 2, 4))))


def rule(chance: Random, names: Sequence[str]) -> str:
    """Return a rule over names, most often a wrong one."""

    def atom() -> str:
        kind = chance.randrange(4)
        if kind == 0:
            return chance.choice(_NUMBERS)
        return (
            chance.choice(names)
            if kind < 3
            else f"'{chance.choice(('x', '%', '_' * 50, text(chance)))}'"
        )

    tokens: list[str] = []
    for _ in range(chance.choice((1, 2, 3, 20))):
        tokens += [
            atom(),
            chance.choice(_SIGNS[:7]),
            atom(),
            chance.choice(("AND", "OR", "+", "*")),
        ]
    tokens.pop()
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(tokens))
        new = chance.choice((chance.choice(_SIGNS), atom(), text(chance), "( " * 50, "NOT " * 900))
        tokens[place : place + chance.randrange(2)] = [new] * chance.choice((1, 1, 2))
    return " ".join(tokens)


def places(value: Any, above: _Place = ()) -> Iterator[_Place]:
    """Yield the paths of all values in tables and arrays."""
    if isinstance(value, dict | list):
        items: Iterable[tuple[Any, Any]]
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield (*above, key)
            yield from places(item, (*above, key))


def mutate(document: Any, chance: Random) -> None:
    """Change one value of a document: another one, nested, renamed, repeated or gone."""
    known = [*places(document)]
    if not known:
        return
    *above, key = chance.choice(known)
    table = _at(document, above)
    how = chance.randrange(5)
    if how == 0:
        like = [value for value in VALUES if type(value) is type(table[key])]
        table[key] = deepcopy(chance.choice(chance.choice((like or VALUES, VALUES))))
    elif how == 1:
        for _ in range(chance.choice((1, 2, _DEEP))):
            table[key] = [table[key]] if chance.random() < 1 / 2 else {"a": table[key]}
    elif how == 2:
        value = table.pop(key)
        if isinstance(table, dict):
            table[chance.choice(("", "x", f"{key}s", str(chance.choice(known)[-1])))] = value
    elif how == 3 and isinstance(table, list):
        table.append(deepcopy(table[key]))
    else:
        table[key] = deepcopy(_at(document, chance.choice(known)))


def _at(document: Any, place: Iterable[Any]) -> Any:
    for key in place:
        document = document[key]
    return document


def toml(value: Any) -> str:
    """Write a document as TOML, with everything below its keys inline."""
    return "".join(f"{json.dumps(key)} = {_inline(item)}\n" for key, item in value.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        inside = (f"{json.dumps(key)} = {_inline(item)}" for key, item in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, float):
        return str(value)
    return json.dumps(value) if isinstance(value, bool | int | str) else json.dumps(str(value))


def damaged(content: bytes, chance: Random) -> bytes:
    """Flip, insert, repeat or cut off bytes."""
    place = chance.randrange(len(content) + 1)
    head, tail = content[:place], content[place:]
    how = chance.randrange(4)
    if how == 0:
        return head + bytes(byte ^ (1 << chance.randrange(8)) for byte in tail[:4]) + tail[4:]
    if how == 1:
        return (
            head
            + chance.choice((chance.randbytes(8), b"\x00" * 9, b'"', b"\n" * 99, b"[" * 5_000))
            + tail
        )
    return head + content[: 1 << chance.randrange(12)] + tail if how == 2 else head
