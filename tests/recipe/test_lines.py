import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.recipe.lines import Key, LineMap, as_key, line_map

BARE = st.text("abcXYZ019_-", min_size=1, max_size=4)
ODD = st.text("ab .#=[]{}'\"\\\n\té€😀", max_size=6)
COMMENT = st.sampled_from(["", " # note", '  # [no] = \'table" """ {', "\t#"])
TRICKY = st.text("ab #=[]{},'\"\\\n", max_size=12)


@dataclass
class Writer:
    """Writes TOML and notes the line of each path, knowing nothing of the scanner."""

    newline: str
    chunks: list[str] = field(default_factory=list)
    line: int = 1
    lines: dict[Key, int] = field(default_factory=dict)

    def put(self, text: str) -> None:
        self.line += text.count("\n")
        self.chunks.append(text.replace("\n", self.newline))

    def text(self) -> str:
        return "".join(self.chunks)


def quoted(draw: Callable, text: str) -> str:
    """Write a text as a basic string on one line, some characters as escapes."""
    if draw(st.booleans()):
        return json.dumps(text, ensure_ascii=False)
    return '"' + "".join(f"\\U{ord(character):08x}" for character in text) + '"'


def key_text(draw: Callable, name: str) -> str:
    bare = bool(name) and all(c in "abcXYZ019_-" for c in name)
    forms = ["basic"] + ["bare"] * 3 * bare + ["literal"] * ("'" not in name and "\n" not in name)
    form = draw(st.sampled_from(forms))
    if form == "bare":
        return name
    return f"'{name}'" if form == "literal" else quoted(draw, name)


def string_value(draw: Callable) -> str:
    text = draw(TRICKY)
    form = draw(st.sampled_from(["basic", "literal", "block", "literal block", "quotes"]))
    if form == "literal":
        return "'" + text.replace("'", "").replace("\n", "") + "'"
    if form == "block":
        return '"""' + text.replace("\\", "\\\\").replace('"', '\\"') + '"""'
    if form == "literal block":
        return "'''" + text.replace("'''", "").strip("'") + "''" + "'''"
    if form == "quotes":
        return '"""\n[a]\nb = "c" ""d \\\n  e""' + '"""'
    return quoted(draw, text)


def scalar(draw: Callable) -> str:
    plain = ["1", "-2_000", "0xff", "1.5e3", "inf", "true", "2026-01-31", "07:32:00"]
    plain.append("1979-05-27 07:32:00.5-07:00")
    return string_value(draw) if draw(st.booleans()) else draw(st.sampled_from(plain))


def gap(draw: Callable) -> str:
    """Write what may stand between the items of an array."""
    return draw(st.sampled_from(["", " ", "\n", " # ],[\n", "\n\n  # 'x\n\t"]))


def put_value(draw: Callable, out: Writer, path: Key, depth: int) -> None:
    kind = draw(st.sampled_from(["scalar", "scalar", "array", "table"])) if depth else "scalar"
    if kind == "scalar":
        out.put(scalar(draw))
    elif kind == "array":
        out.put("[")
        n = draw(st.integers(0, 3))
        for index in range(n):
            out.put(gap(draw))
            out.lines[*path, str(index)] = out.line
            put_value(draw, out, (*path, str(index)), depth - 1)
            out.put(gap(draw))
            out.put("," if index < n - 1 or draw(st.booleans()) else "")
        out.put(gap(draw) + "]")
    else:
        out.put("{ ")
        for index, name in enumerate(draw(st.lists(ODD | BARE, max_size=3, unique=True))):
            out.put(", " if index else "")
            put_pair(draw, out, path, [name], depth - 1)
        out.put(" }")


def put_pair(draw: Callable, out: Writer, table: Key, names: list[str], depth: int) -> None:
    for place in range(len(names)):
        out.lines.setdefault((*table, *names[: place + 1]), out.line)
    dot = draw(st.sampled_from([".", " . ", "\t."]))
    out.put(dot.join(key_text(draw, name) for name in names))
    out.put(draw(st.sampled_from([" = ", "=", "\t=\t"])))
    put_value(draw, out, (*table, *names), depth)


def put_body(draw: Callable, out: Writer, table: Key, taken: set[str]) -> None:
    names = draw(st.lists(BARE | ODD, max_size=3, unique=True))
    for name in names:
        if name in taken:
            continue
        taken.add(name)
        out.put(draw(st.sampled_from(["", "\n", "# a = 1\n", "  \t"])))
        below = draw(st.lists(BARE | ODD, max_size=3, unique=True))
        if below and draw(st.booleans()):
            for leaf in below:
                deep = [name, leaf, *draw(st.lists(BARE, max_size=1))]
                put_pair(draw, out, table, deep, 1)
                out.put(draw(COMMENT) + "\n")
        else:
            put_pair(draw, out, table, [name], 2)
            out.put(draw(COMMENT) + "\n")


def put_header(draw: Callable, out: Writer, names: list[str], brackets: str) -> None:
    inner = " . ".join(key_text(draw, name) for name in names)
    out.put(draw(st.sampled_from(["", " ", "\n\n"])))
    left, right = ("[[", "]]") if brackets == "[[" else ("[", "]")
    out.put(f"{left} {inner} {right}{draw(COMMENT)}\n")


def header_line(out: Writer) -> int:
    return out.line - 1


@st.composite
def documents(draw: Callable) -> tuple[str, dict[Key, int]]:
    out = Writer(draw(st.sampled_from(["\n", "\r\n"])))
    taken: set[str] = set()
    put_body(draw, out, (), taken)
    for name in draw(st.lists(BARE | ODD, max_size=3, unique=True)):
        if name in taken:
            continue
        taken.add(name)
        kind = draw(st.sampled_from(["table", "array", "late parent"]))
        if kind == "table":
            put_header(draw, out, [name], "[")
            out.lines[name,] = header_line(out)
            put_body(draw, out, (name,), set())
        elif kind == "late parent":
            put_header(draw, out, [name, "sub"], "[")
            out.lines[name, "sub"] = header_line(out)
            put_body(draw, out, (name, "sub"), set())
            put_header(draw, out, [name], "[")
            out.lines[name,] = header_line(out)
            put_body(draw, out, (name,), {"sub"})
        else:
            put_array(draw, out, name)
    return out.text(), out.lines


def put_array(draw: Callable, out: Writer, name: str) -> None:
    for index in range(draw(st.integers(1, 3))):
        item = (name, str(index))
        put_header(draw, out, [name], "[[")
        out.lines.setdefault((name,), header_line(out))
        out.lines[item] = header_line(out)
        put_body(draw, out, item, {"sub", "subs"})
        if draw(st.booleans()):
            put_header(draw, out, [name, "sub"], "[")
            out.lines[*item, "sub"] = header_line(out)
            put_body(draw, out, (*item, "sub"), set())
        for inner in range(draw(st.integers(0, 2))):
            put_header(draw, out, [name, "subs"], "[[")
            out.lines.setdefault((*item, "subs"), header_line(out))
            out.lines[*item, "subs", str(inner)] = header_line(out)
            put_body(draw, out, (*item, "subs", str(inner)), set())


def paths(value: object, path: Key = ()) -> Iterator[Key]:
    if path:
        yield path
    if isinstance(value, dict):
        for name, item in value.items():
            yield from paths(item, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths(item, (*path, str(index)))


@settings(max_examples=80, deadline=None)
@given(documents())
def test_lines_of_written_documents_are_known(document: tuple[str, dict[Key, int]]) -> None:
    text, lines = document
    assert set(paths(tomllib.loads(text))) == set(lines)
    assert dict(line_map(text).lines) == lines


@settings(max_examples=80, deadline=None)
@given(documents(), st.data())
def test_has_the_paths_that_tomllib_has(document: tuple[str, dict], data: st.DataObject) -> None:
    text = document[0]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 2))
        added = data.draw(st.text("a1.=[]{},\"'\\#\n ", max_size=3))
        text = text[:place] + added + text[place + cut :]
    found = set(line_map(text).lines)
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # no TOML: enough that the scan has ended
    assert found == set(paths(parsed))


@given(st.text("a1.=[]{},\"'\\#\n ", max_size=40))
def test_any_text_comes_to_an_end(text: str) -> None:
    lines = line_map(text).lines.values()
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


RECIPE = '''\
name = "hint"  # 1
[[source]]
generator = "hint"
params.max_operators = 20
params.digits = "09"
[[split]]
name = "train"
where = """
n_op < 10
rows = 5
"""
rows = 10
balance = [
  "n_op",  # rows = 1
  "depth",
]
[[split]]
cap = { axis = "result", share = 0.5 }
[split."odd.key"]
[ dedup ]
"on" = 'canonical'
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("name", 1),
        ("source", 2),
        ("source.0", 2),
        ("source.0.params", 4),
        ("source.0.params.digits", 5),
        ("split.0", 6),
        ("split.0.where", 8),
        ("split.0.rows", 12),
        ("split.0.balance.1", 15),
        ("split.0.seen_in", 6),
        ("split.1", 17),
        ("split.1.cap.share", 18),
        (("split", 1, "odd.key"), 19),
        ("split.7.rows", 6),
        ("dedup.on", 21),
        ("nowhere.at.all", None),
        ("", None),
    ],
)
def test_line_of_a_path_or_its_nearest_ancestor(path: str, line: int | None) -> None:
    assert line_map(RECIPE).line(path) == line


def test_as_key_takes_both_spellings() -> None:
    assert as_key("split.0.rows") == as_key(("split", 0, "rows")) == ("split", "0", "rows")


def test_deep_nesting_does_not_raise() -> None:
    assert line_map("a = " + "[" * 50_000).line("a") == 1
    assert LineMap({}).line("a") is None
