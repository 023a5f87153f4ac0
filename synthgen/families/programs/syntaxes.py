"""Operations that mean the same in four languages, and how each of these writes them.

Values never change in place and slices stay inside, so that a program has one meaning. Operands
whose sign or absence languages treat differently are unfit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from synthgen.families.programs.drafts import ELEMENTS, Draft
from synthgen.families.programs.language import (
    OPS,
    Form,
    Op,
    Tree,
    Unfit,
    Value,
    blocks_of,
    variables_of,
)

SYNTAXES = ("python", "javascript", "go", "lisp")


def _if(fits: Callable[..., bool], name: str) -> Op:
    """Return an operation that is unfit where a condition does not hold."""
    op = OPS[name]

    def apply(*values: Value) -> Value:
        if not fits(*values):
            raise Unfit(name)
        return op.apply(*values)

    return op._replace(apply=apply)


def _is_natural(number: int, *_: int) -> bool:
    return number >= 0


def _is_inside(items: Sequence[Value], n: int) -> bool:
    return 0 <= n < len(items)


_PLAIN = (
    *("add", "sub", "mul", "min", "max", "length", "size", "words", "smallest", "largest"),
    *("join", "upper", "replace", "written", "concat", "pair", "sorted", "letters", "ordered"),
    *("less", "more", "inside", "among", "range"),
)
PORTABLE: Mapping[str, Op] = {
    **{name: OPS[name] for name in _PLAIN},
    **{name: _if(_is_natural, name) for name in ("div", "mod", "even")},
    **{name: _if(_is_inside, name) for name in ("tail", "head", "rest", "letter", "word", "item")},
    "find": _if(lambda s, letter: letter in s, "find"),
}
"""Operations that all syntaxes have."""
FORMS: Mapping[str, Form] = {
    syntax: Form(PORTABLE, (*PORTABLE,), int(syntax in ("javascript", "go")), json.dumps)
    for syntax in SYNTAXES
}


class PortableDraft(Draft):
    """A program that all languages can express; the same draws give the same one in each."""

    argument_kinds = ("str", "str", "ints", "ints", "int", "int", "strs")

    def literal(self, kind: str) -> Tree:
        """Draw a literal of a type; places are counted from the start."""
        return self.draws.integer(0, 3) if kind == "place" else super().literal(kind)

    def change(self, *avoid: Tree) -> Tree:
        """Refuse to change a list in place."""
        raise Unfit(avoid)

    alias = change

    def over(self) -> tuple[Tree, str]:
        """Draw a list or a range whose end does not depend on variables."""
        if self.draws.integer(0, 3):
            variable = self.variable(("ints", "strs"))
            return variable, ELEMENTS[self.kinds[variable]]
        return ("range", self.literal("few")), "int"

    def returned(self) -> tuple[Tree, frozenset[str | int]]:
        """Return a variable that depends on all arguments, and its dependencies."""
        best, needs = super().returned()
        if isinstance(best, tuple) or {*_assigned(self.statements)} - {
            best,
            *_read(self.statements),
        }:
            raise Unfit(best)  # Go refuses variables that nothing reads
        return best, needs


def _assigned(statements: Sequence[Tree]) -> Iterator[str]:
    """Yield the variables that statements set."""
    for statement in statements:
        if statement[0] == "assign":
            yield statement[1]
        for block in blocks_of(statement):
            yield from _assigned(block[1:])


def _read(statements: Sequence[Tree]) -> Iterator[str]:
    """Yield the variables that statements need, besides those that they set."""
    for statement in statements:
        head, *parts = statement
        if head == "assign":
            yield from variables_of(parts[1]) - {parts[0]}
            continue
        yield from variables_of(parts[1] if head == "for" else parts[0])
        for block in blocks_of(statement):
            yield from _read(block[1:])


class Text(NamedTuple):
    """The text of an operation, with holes for its arguments, and its precedence."""

    text: str
    level: int


def _texts(table: Mapping[str, str]) -> Mapping[str, Text]:
    """Return texts; those that begin with an operand and a sign have the level of the operation."""
    return {
        name: Text(text, OPS[name].level if re.match(r"\{a\d\} ?[-+*/%<>]", text) else 4)
        for name, text in table.items()
    }


_SIGNS = {
    "add": "{a2} + {b3}",
    "sub": "{a2} - {b3}",
    "mul": "{a3} * {b4}",
    "mod": "{a3} % {b4}",
    "join": "{a2} + {b3}",
    "less": "{a2} < {b2}",
    "more": "{a2} > {b2}",
}
JAVASCRIPT = _texts(
    _SIGNS
    | dict.fromkeys(("length", "size", "words"), "{a4}.length")
    | dict.fromkeys(("tail", "rest"), "{a4}.slice({b0})")
    | dict.fromkeys(("letter", "word", "item"), "{a4}[{b0}]")
    | {
        "div": "Math.floor({a3} / {b4})",
        "min": "Math.min({a0}, {b0})",
        "max": "Math.max({a0}, {b0})",
        "smallest": "Math.min(...{a0})",
        "largest": "Math.max(...{a0})",
        "find": "{a4}.indexOf({b0})",
        "head": "{a4}.slice(0, {b0})",
        "upper": "{a4}.toUpperCase()",
        "replace": "{a4}.replaceAll({b0}, {c0})",
        "written": "String({a0})",
        "concat": "{a4}.concat({b0})",
        "pair": "[{a0}, {b0}]",
        "sorted": "{a4}.toSorted((a, b) => a - b)",
        "letters": "[...{a4}]",
        "ordered": "{a4}.toSorted()",
        "even": "{a3} % 2 === 0",
        "inside": "{b4}.includes({a0})",
        "among": "{b4}.includes({a0})",
    }
)
GO = _texts(
    _SIGNS
    | dict.fromkeys(("length", "size", "words"), "len({a0})")
    | dict.fromkeys(("tail", "rest"), "{a4}[{b0}:]")
    | dict.fromkeys(("word", "item"), "{a4}[{b0}]")
    | dict.fromkeys(("sorted", "ordered"), "slices.Sorted(slices.Values({a0}))")
    | {
        "div": "{a3} / {b4}",
        "min": "min({a0}, {b0})",
        "max": "max({a0}, {b0})",
        "smallest": "slices.Min({a0})",
        "largest": "slices.Max({a0})",
        "find": "strings.Index({a0}, {b0})",
        "head": "{a4}[:{b0}]",
        "upper": "strings.ToUpper({a0})",
        "replace": "strings.ReplaceAll({a0}, {b0}, {c0})",
        "letter": "string({a4}[{b0}])",
        "written": "strconv.Itoa({a0})",
        "concat": "slices.Concat({a0}, {b0})",
        "pair": "[]int{{{a0}, {b0}}}",
        "letters": 'strings.Split({a0}, "")',
        "even": "{a3} % 2 == 0",
        "inside": "strings.Contains({b0}, {a0})",
        "among": "slices.Contains({b0}, {a0})",
    }
)
LISP = _texts(
    dict.fromkeys(("length", "size", "words"), "(length {a0})")
    | dict.fromkeys(("tail", "rest"), "(subseq {a0} {b0})")
    | dict.fromkeys(("word", "item"), "(nth {b0} {a0})")
    | {
        "add": "(+ {a0} {b0})",
        "sub": "(- {a0} {b0})",
        "mul": "(* {a0} {b0})",
        "div": "(floor {a0} {b0})",
        "mod": "(mod {a0} {b0})",
        "min": "(min {a0} {b0})",
        "max": "(max {a0} {b0})",
        "smallest": "(reduce #'min {a0})",
        "largest": "(reduce #'max {a0})",
        "find": "(search {b0} {a0})",
        "join": "(concatenate 'string {a0} {b0})",
        "head": "(subseq {a0} 0 {b0})",
        "upper": "(string-upcase {a0})",
        "replace": "(substitute {c9} {b9} {a0})",
        "letter": "(string (char {a0} {b0}))",
        "written": "(write-to-string {a0})",
        "concat": "(append {a0} {b0})",
        "pair": "(list {a0} {b0})",
        "sorted": "(sort (copy-list {a0}) #'<)",
        "letters": "(map 'list #'string {a0})",
        "ordered": "(sort (copy-list {a0}) #'string<)",
        "less": "(< {a0} {b0})",
        "more": "(> {a0} {b0})",
        "even": "(evenp {a0})",
        "inside": "(search {a0} {b0})",
        "among": "(member {a0} {b0})",
    }
)
