"""Programs as text in JavaScript, Go and Common Lisp."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from synthgen.families.programs.language import Tree, Value, Writer, blocks_of, evaluate
from synthgen.families.programs.syntaxes import GO, JAVASCRIPT, LISP, Text

_HOLE = re.compile(r"\{([abc])(\d)\}")
_CHARACTER = 9
"""Level of letters that Lisp writes as characters."""
_SHORT = {"add": "+=", "sub": "-=", "mul": "*=", "join": "+="}
_KINDS = {"int": "int", "str": "string", "ints": "[]int", "strs": "[]string"}


class _Translator(Writer):
    """Writes programs in another syntax than Python.

    Args:
        names: Names of the variables.
        kinds: Types of the arguments.
        short: Whether `a = a + b` is written `a += b`.
    """

    texts: Mapping[str, Text]

    def __init__(self, names: Mapping[str, str], kinds: Mapping[str, str], *, short: bool) -> None:
        super().__init__(names, short=short)
        self._kinds, self._known = kinds, {*kinds}

    def expression(self, tree: Tree, level: int = 0) -> str:
        """Return an expression, in parentheses if it binds less tightly than `level`."""
        if isinstance(tree, str | int):
            return super().expression(tree, level)
        head, *parts = tree
        if head not in self.texts:
            return self.literal(evaluate(tree, {}))
        form = self.texts[head]
        holes = {
            f"{place}{need}": self.expression(parts["abc".index(place)], int(need))
            for place, need in _HOLE.findall(form.text)
        }
        text = form.text.format(**holes)
        return f"({text})" if form.level < level else text

    def literal(self, value: Value) -> str:
        """Return a value as text."""
        return json.dumps(value)

    def program(self, statements: Sequence[Tree], returned: Value) -> str:
        """Return a whole function.

        Args:
            statements: Statements of the function.
            returned: Value that it returns, for its type.
        """
        del returned
        return "\n".join([self.head(statements), *self.lines(statements), "}"])

    def head(self, statements: Sequence[Tree]) -> str:
        """Return the first line, up to the parameters."""
        raise NotImplementedError

    def call(self, arguments: Sequence[Tree]) -> str:
        """Return a call."""
        return f"f({', '.join(map(self.expression, arguments))})"

    def lines(self, statements: Sequence[Tree], indent: str = "    ") -> Iterator[str]:
        """Yield the lines of statements, with braces."""
        for statement in statements:
            yield indent + self._first_line(*statement)
            blocks = blocks_of(statement)
            for place, block in enumerate(blocks):
                if place:
                    yield f"{indent}}} else {{"
                yield from self.lines(block[1:], indent + "    ")
            if blocks:
                yield f"{indent}}}"

    def _changed(self, variable: str, value: Tree) -> tuple[str, str] | None:
        """Return sign and operand of a short assignment, None if it is none."""
        if self._short and isinstance(value, tuple) and value[1] == variable and value[0] in _SHORT:
            return _SHORT[value[0]], self.expression(value[2])
        return None

    def _is_new(self, variable: str) -> bool:
        new = variable not in self._known
        self._known.add(variable)
        return new


class Python(_Translator):
    """Writes Python, with values as JSON where both are the same."""

    texts = {}

    def expression(self, tree: Tree, level: int = 0) -> str:
        """Return an expression, in parentheses if it binds less tightly than `level`."""
        return Writer.expression(self, tree, level)

    def program(self, statements: Sequence[Tree], returned: Value) -> str:
        """Return a whole function."""
        del returned
        return "\n".join([self.head(statements), *self.lines(statements)])

    def lines(self, statements: Sequence[Tree], indent: str = "    ") -> Iterator[str]:
        """Yield the lines of statements."""
        return Writer.lines(self, statements, indent)

    def head(self, statements: Sequence[Tree]) -> str:
        """Return the first line."""
        del statements
        return f"def f({', '.join(self._names[name] for name in self._kinds)}):"


class JavaScript(_Translator):
    """Writes JavaScript."""

    texts = JAVASCRIPT

    def head(self, statements: Sequence[Tree]) -> str:
        """Return the first line."""
        del statements
        return f"function f({', '.join(self._names[name] for name in self._kinds)}) {{"

    def _first_line(self, head: str, *parts: Tree) -> str:
        if head in ("if", "while"):
            return f"{head} ({self.expression(parts[0])}) {{"
        if head == "return":
            return f"return {self.expression(parts[0])};"
        name = self._names[parts[0]]
        if head == "for" and parts[1][0] == "range":
            return f"for (let {name} = 0; {name} < {self.expression(parts[1][1])}; {name}++) {{"
        if head == "for":
            return f"for (const {name} of {self.expression(parts[1])}) {{"
        if changed := self._changed(*parts):
            return f"{name} {changed[0]} {changed[1]};"
        return f"{'let ' * self._is_new(parts[0])}{name} = {self.expression(parts[1])};"


class Go(_Translator):
    """Writes Go."""

    texts = GO

    def head(self, statements: Sequence[Tree]) -> str:
        """Return the first line, up to the parameters."""
        del statements
        given = [f"{self._names[name]} {_KINDS[kind]}" for name, kind in self._kinds.items()]
        return f"func f({', '.join(given)})"

    def program(self, statements: Sequence[Tree], returned: Value) -> str:
        """Return a whole function."""
        kind = _typed(returned)
        return "\n".join([f"{self.head(statements)} {kind} {{", *self.lines(statements), "}"])

    def literal(self, value: Value) -> str:
        """Return a value as text."""
        if isinstance(value, list):
            return f"{_typed(value)}{{{', '.join(map(json.dumps, value))}}}"
        return json.dumps(value)

    def _first_line(self, head: str, *parts: Tree) -> str:
        if head in ("if", "while"):
            condition = self.expression(parts[0])
            condition = f"({condition})" if "{" in condition else condition
            return f"{'for' if head == 'while' else head} {condition} {{"
        if head == "return":
            return f"return {self.expression(parts[0])}"
        name = self._names[parts[0]]
        if head == "for" and parts[1][0] == "range":
            return f"for {name} := range {self.expression(parts[1][1])} {{"
        if head == "for":
            return f"for _, {name} := range {self.expression(parts[1])} {{"
        if changed := self._changed(*parts):
            return f"{name} {changed[0]} {changed[1]}"
        return f"{name} {':' * self._is_new(parts[0])}= {self.expression(parts[1])}"


def _typed(value: Value) -> str:
    """Return the type of a value in Go."""
    if isinstance(value, list):
        return "[]string" if value and isinstance(value[0], str) else "[]int"
    return "string" if isinstance(value, str) else "int"


class Lisp(_Translator):
    """Writes Common Lisp."""

    texts = LISP

    def expression(self, tree: Tree, level: int = 0) -> str:
        """Return an expression."""
        if level == _CHARACTER:
            return f"#\\{evaluate(tree, {})}"
        return super().expression(tree)

    def literal(self, value: Value) -> str:
        """Return a value as text."""
        if isinstance(value, list):
            return f"'({' '.join(map(json.dumps, value))})"
        return json.dumps(value)

    def head(self, statements: Sequence[Tree]) -> str:
        """Return the first line."""
        new = [part[1] for part in statements if part[0] == "assign"]
        others = dict.fromkeys(name for name in new if name not in self._kinds)
        given = " ".join(self._names[name] for name in self._kinds)
        local = "".join(f" {self._names[name]}" for name in others)
        return f"(defun f ({given}{' &aux' * bool(others)}{local})"

    def program(self, statements: Sequence[Tree], returned: Value) -> str:
        """Return a whole function."""
        del returned
        return "\n".join([self.head(statements), *self.lines(statements, "  ")]) + ")"

    def call(self, arguments: Sequence[Tree]) -> str:
        """Return a call."""
        return f"(f {' '.join(map(self.expression, arguments))})"

    def lines(self, statements: Sequence[Tree], indent: str = "  ") -> Iterator[str]:
        """Yield the lines of statements."""
        for statement in statements:
            head, *parts = statement
            blocks = blocks_of(statement)
            if len(blocks) > 1:
                yield f"{indent}(cond ({self.expression(parts[0])}"
                yield from self._body(blocks[0], f"{indent}       ", ")")
                yield f"{indent}      (t"
                yield from self._body(blocks[1], f"{indent}       ", "))")
            else:
                yield indent + self._first_line(head, *parts)
                if blocks:
                    yield from self._body(blocks[0], f"{indent}  ", ")")

    def _body(self, block: Tree, indent: str, end: str) -> Iterator[str]:
        *before, last = self.lines(block[1:], indent)
        yield from before
        yield last + end

    def _first_line(self, head: str, *parts: Tree) -> str:
        if head == "return":
            return self.expression(parts[0])
        if head == "if":
            return f"(when {self.expression(parts[0])}"
        if head == "while":
            return f"(loop while {self.expression(parts[0])} do"
        name = self._names[parts[0]]
        if head == "for" and parts[1][0] == "range":
            return f"(dotimes ({name} {self.expression(parts[1][1])})"
        if head == "for":
            return f"(dolist ({name} {self.expression(parts[1])})"
        changed = self._changed(*parts)
        if changed and parts[1][0] in ("add", "sub"):
            return f"({'incf' if changed[0] == '+=' else 'decf'} {name} {changed[1]})"
        return f"(setf {name} {self.expression(parts[1])})"


WRITERS = {"python": Python, "javascript": JavaScript, "go": Go, "lisp": Lisp}
