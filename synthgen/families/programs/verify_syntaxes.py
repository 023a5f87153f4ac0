"""Programs in JavaScript, Go and Common Lisp, read into Python: line by line, or form by form.

Every statement stays in its line, so that traces agree. Only what such programs need is read.
Signs of remainders and quotients differ between the languages, so operands are taken as natural.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_MAX_DEPTH = 60
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]{1,9})|(?P<string>\"[A-Za-z0-9,-]{0,60}\")|(?P<name>[A-Za-z_][\w.]*)"
    r"|(?P<sign>===?|=>|\.\.\.|\[\]|[-+*/%<>()\[\]{},:.]))"
)
_LEVELS = ({"<": "<", ">": ">", "===": "==", "==": "=="}, {"+": "+", "-": "-"})
_PRODUCTS = {"*": "*", "/": "//", "%": "%"}


class Unread(ValueError):  # noqa: N818
    """A text is outside the language."""


Call = Callable[..., str]
_JAVASCRIPT: Mapping[str, Call] = {
    "Math.floor": "{}".format,
    "Math.min": lambda *parts: f"min({', '.join(parts)})",
    "Math.max": lambda *parts: f"max({', '.join(parts)})",
    "String": "str({})".format,
}
_METHODS: Mapping[str, Call] = {
    "toUpperCase": "{}.upper()".format,
    "indexOf": "{}.find({})".format,
    "replaceAll": "{}.replace({}, {})".format,
    "concat": "({} + {})".format,
    "includes": "({1} in {0})".format,
}
_GO: Mapping[str, Call] = {
    "len": "len({})".format,
    "min": "min({}, {})".format,
    "max": "max({}, {})".format,
    "string": "{}".format,
    "slices.Min": "min({})".format,
    "slices.Max": "max({})".format,
    "slices.Sorted": "sorted({})".format,
    "slices.Values": "{}".format,
    "slices.Concat": "({} + {})".format,
    "slices.Contains": "({1} in {0})".format,
    "strings.Index": "{}.find({})".format,
    "strings.ToUpper": "{}.upper()".format,
    "strings.ReplaceAll": "{}.replace({}, {})".format,
    "strings.Contains": "({1} in {0})".format,
    "strings.Split": "list({})".format,
    "strconv.Itoa": "str({})".format,
}


class _Expression:
    """Reads an expression of JavaScript or Go into Python."""

    def __init__(self, text: str, functions: Mapping[str, Call]) -> None:
        self._tokens = [*_tokens(text)]
        self._functions, self._at = functions, 0
        self._scripted = "String" in functions

    def whole(self) -> str:
        """Return the expression, which is all of the text."""
        text = self._level(0)
        if self._at < len(self._tokens):
            raise Unread(self._tokens[self._at])
        return text

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._next()
        if wanted and token not in wanted:
            raise Unread(token)
        self._at += 1
        return token

    def _level(self, level: int) -> str:
        if level == len(_LEVELS):
            return self._product()
        text = self._level(level + 1)
        while self._next() in _LEVELS[level]:
            sign = _LEVELS[level][self._take()]
            text = f"({text} {sign} {self._level(level + 1)})"
        return text

    def _product(self) -> str:
        text = self._operand()
        while self._next() in _PRODUCTS:
            sign = _PRODUCTS[self._take()]
            text = f"({text} {sign} {self._operand()})"
        return text

    def _operand(self) -> str:
        token = self._take()
        if token == "-":
            return f"(-{self._operand()})"
        text = self._simple(token)
        while self._next() in ("[", "."):
            text = self._method(text) if self._take() == "." else self._place(text)
        return text

    def _simple(self, token: str) -> str:
        if token == "(":
            text = self._level(0)
            self._take(")")
            return f"({text})"
        if token == "[" and self._scripted:
            if self._next() == "...":
                self._take()
                text = self._level(0)
                self._take("]")
                return f"list({text})"
            return f"[{', '.join(self._listed(']'))}]"
        if token == "[]" and not self._scripted:
            self._take("int", "string")
            self._take("{")
            return f"[{', '.join(self._listed('}'))}]"
        if token[:1].isalpha():
            return self._named(token)
        if token[:1] == '"' or token.isdigit():
            return token
        raise Unread(token)

    def _named(self, name: str) -> str:
        if self._next() == "(":
            self._take()
            return self._functions[name](*self._listed(")"))
        if not name.isalpha():
            *whole, last = name.rsplit(".", 1)
            if last == "length" and self._scripted:
                return f"len({self._named(whole[0])})"
            raise Unread(name)
        return name

    def _listed(self, end: str) -> list[str]:
        items = []
        while self._next() != end:
            if self._next() == "..." and self._scripted:
                self._take()
            items.append(self._level(0))
            if self._next() != end:
                self._take(",")
        self._take(end)
        return items

    def _place(self, text: str) -> str:
        """Read an index, or a slice of Go."""
        first = "" if self._next() == ":" else self._level(0)
        if self._next() == ":" and not self._scripted:
            self._take()
            first += ":" + ("" if self._next() == "]" else self._level(0))
        self._take("]")
        return f"{text}[{first}]"

    def _method(self, text: str) -> str:
        name = self._take()
        if name == "length":
            return f"len({text})"
        self._take("(")
        if name == "toSorted":
            return self._sorted(text)
        given = self._listed(")")
        if name == "slice":
            return f"{text}[{':'.join(given)}{':' * (len(given) == 1)}]"
        return _METHODS[name](text, *given)

    def _sorted(self, text: str) -> str:
        """Read the order of a list: that of texts, or of numbers by their difference."""
        if self._next() == ")":
            self._take()
            return f"sorted({text}, key=str)"
        for token in ("(", "a", ",", "b", ")", "=>", "a", "-", "b", ")"):
            self._take(token)
        return f"sorted({text})"


def _tokens(text: str) -> Iterator[str]:
    """Yield tokens; a name with methods is one if it is a function, and else several."""
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise Unread(text[at:])
        token = match[match.lastgroup or 0].strip()
        at = match.end()
        name, *rest = token.split(".") if token[:1].isalpha() else [token]
        if rest and name not in ("Math", "slices", "strings", "strconv"):
            yield name
            for part in rest:
                yield from (".", part)
        else:
            yield token


_N = "([a-z]+)"
_SCRIPT = (
    (r"\}", ""),
    (r"\} else \{", "else:"),
    (r"if \((.+)\) \{", "if {}:"),
    (r"while \((.+)\) \{", "while {}:"),
    (rf"for \(let {_N} = 0; \1 < (.+); \1\+\+\) \{{", "for {} in range({}):"),
    (rf"for \(const {_N} of (.+)\) \{{", "for {} in {}:"),
    (r"return (.+);", "return {}"),
    (rf"(?:let )?{_N} = (.+);", "{} = {}"),
    *((rf"{_N} \{sign}= (.+);", f"{{}} {sign}= {{}}") for sign in "+-*"),
)
_GOLANG = (
    (r"\}", ""),
    (r"\} else \{", "else:"),
    (r"if (.+) \{", "if {}:"),
    (rf"for {_N} := range (.+) \{{", "for {} in range({}):"),
    (rf"for _, {_N} := range (.+) \{{", "for {} in {}:"),
    (r"for (.+) \{", "while {}:"),
    (r"return (.+)", "return {}"),
    (rf"{_N} :?= (.+)", "{} = {}"),
    *((rf"{_N} \{sign}= (.+)", f"{{}} {sign}= {{}}") for sign in "+-*"),
)
_HEADS = {
    "javascript": re.compile(r"function f\(([a-z, ]*)\) \{"),
    "go": re.compile(r"func f\(([a-z, \[\]]*)\) (?:\[\])?(?:int|string) \{"),
}


def _braced(code: str, language: str) -> str:
    """Return a function of JavaScript or Go in Python, line by line."""
    first, *lines, last = code.split("\n")
    head = _HEADS[language].fullmatch(first)
    if not head or last != "}":
        raise Unread(first)
    names = [part.split(" ")[0] for part in head[1].split(", ")]
    functions = _JAVASCRIPT if language == "javascript" else _GO
    forms = _SCRIPT if language == "javascript" else _GOLANG
    whole = [f"def f({', '.join(names)}):"]
    for line in lines:
        bare = line.lstrip(" ")
        pattern, form = next(each for each in forms if re.fullmatch(each[0], bare))
        match = re.fullmatch(pattern, bare)
        parts = [*match.groups()] if match else []
        if parts:
            parts[-1] = _Expression(parts[-1], functions).whole()
        whole.append(line[: len(line) - len(bare)] + form.format(*parts) if form else "")
    return "\n".join(whole)


# Lisp

_ATOM = re.compile(r"[()]|#\\.|#?'|\"[A-Za-z0-9,-]{0,60}\"|[^\s()'\"#]+|\s+")
_LISP: Mapping[tuple[str, int], str] = {
    **{(sign, 2): f"({{}} {sign} {{}})" for sign in "+-*<>"},
    ("floor", 2): "({} // {})",
    ("mod", 2): "({} % {})",
    ("min", 2): "min({}, {})",
    ("max", 2): "max({}, {})",
    ("length", 1): "len({})",
    ("search", 2): "{1}.find({0})",
    ("nth", 2): "{1}[{0}]",
    ("char", 2): "{}[{}]",
    ("string", 1): "{}",
    ("subseq", 2): "{}[{}:]",
    ("subseq", 3): "{}[{}:{}]",
    ("string-upcase", 1): "{}.upper()",
    ("substitute", 3): "{2}.replace({1}, {0})",
    ("write-to-string", 1): "str({})",
    ("append", 2): "({} + {})",
    ("list", 2): "[{}, {}]",
    ("copy-list", 1): "{}",
    ("evenp", 1): "({} % 2 == 0)",
    ("member", 2): "({} in {})",
}
_QUOTED: Mapping[tuple[str, ...], str] = {
    ("concatenate", "'string"): "({} + {})",
    ("reduce", "#'min"): "min({})",
    ("reduce", "#'max"): "max({})",
    ("map", "'list", "#'string"): "list({})",
}
_SORTED = ("#'<", "#'string<")


class _Form(list[Any]):
    """A list of atoms and lists, and the line that it begins in."""

    line = 0


def _forms(code: str) -> _Form:
    """Read all forms of a text."""
    stack, line, at, quote = [_Form()], 1, 0, ""
    while at < len(code):
        match = _ATOM.match(code, at)
        if not match:
            raise Unread(code[at:])
        text, at = match[0], match.end()
        line += text.count("\n")
        if text.endswith("'"):
            quote = text
        elif text == "(":
            form = _Form(["quote"] if quote else [])
            form.line, quote = line, ""
            stack[-1].append(form)
            stack.append(form)
            if len(stack) > _MAX_DEPTH:
                raise Unread(text)
        elif text == ")":
            stack.pop()
        elif text.strip():
            stack[-1].append(quote + text)
            quote = ""
    (whole,) = stack
    return whole


def _value(form: Any, *, test: bool = False) -> str:
    """Return an expression in Python; a test asks whether a text is found, not where."""
    if isinstance(form, str):
        if form.startswith("#\\"):
            return json.dumps(form[2:])
        if form[0] == '"' or form.isalpha() or form.lstrip("-").isdigit():
            return form
        raise Unread(form)
    head, *parts = form
    if head == "quote":
        return f"[{', '.join(map(_value, parts))}]"
    if head == "search" and test:
        return f"({_value(parts[0])} in {_value(parts[1])})"
    if head == "sort" and parts[1:] and parts[1] in _SORTED:
        return f"sorted({_value(parts[0])})"
    for words, text in _QUOTED.items():
        if tuple(part for part in form[: len(words)] if isinstance(part, str)) == words:
            return text.format(*map(_value, form[len(words) :]))
    return _LISP[head, len(parts)].format(*map(_value, parts))


def _statements(forms: Sequence[Any], indent: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of statements in Python."""
    for form in forms:
        head, *parts = form
        if head in ("setf", "incf", "decf"):
            sign = {"setf": "=", "incf": "+=", "decf": "-="}[head]
            name, value = parts
            yield form.line, f"{indent}{_value(name)} {sign} {_value(value)}"
            continue
        if head == "cond":
            (test, *first), (other, *second) = parts
            if other != "t":
                raise Unread(str(other))
            yield form.line, f"{indent}if {_value(test, test=True)}:"
            yield from _statements(first, f"{indent} ")
            yield parts[1].line, f"{indent}else:"
            yield from _statements(second, f"{indent} ")
            continue
        if head == "loop":
            words, parts = [parts[0], parts[2]], [parts[1], *parts[3:]]
            if words != ["while", "do"]:
                raise Unread(str(words))
        if head in ("loop", "when"):
            text = f"{'while' if head == 'loop' else 'if'} {_value(parts[0], test=True)}:"
        else:
            over = {"dolist": "{}", "dotimes": "range({})"}[head]
            name, value = parts[0]
            text = f"for {_value(name)} in {over.format(_value(value))}:"
        yield form.line, indent + text
        yield from _statements(parts[1:], f"{indent} ")


def _parenthesised(code: str) -> str:
    """Return a function of Lisp in Python."""
    ((defun, name, given, *body, last),) = _forms(code)
    if (defun, name) != ("defun", "f"):
        raise Unread(str(name))
    names = [*given]
    names = names[: names.index("&aux")] if "&aux" in names else names
    lines = [f"def f({', '.join(map(_value, names))}):"]
    end = code.count("\n") + 1
    for line, text in [*_statements(body, " "), (end, f" return {_value(last)}")]:
        if line <= len(lines):
            raise Unread(text)
        lines += [""] * (line - len(lines) - 1) + [text]
    return "\n".join(lines)


def in_python(code: str, call: str, language: str) -> tuple[str, str]:
    """Return a function and a call in Python, whose lines do the same.

    Raises:
        ValueError, LookupError, TypeError: for a text outside the language.
    """
    if language == "python":
        return code, call
    if language == "lisp":
        ((name, *given),) = _forms(call)
        return _parenthesised(code), f"{name}({', '.join(map(_value, given))})"
    functions = _JAVASCRIPT if language == "javascript" else _GO
    if not (call.startswith("f(") and call.endswith(")")):
        raise Unread(call)
    listed = _Expression(f"g({call[2:-1]})", {**functions, "g": lambda *a: ", ".join(a)})
    return _braced(code, language), f"f({listed.whole()})"
