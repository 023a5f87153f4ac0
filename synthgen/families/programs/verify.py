"""Programs from the text: parsed by Python's parser, and run by a small interpreter."""

from __future__ import annotations

import ast
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from synthgen.authoring import PlainVerifier, Words, holes, reads
from synthgen.families.programs.verify_syntaxes import in_python

_WORDS = Words.beside(__file__)
_MAX_STEPS, _LARGEST, _LONGEST = 5_000, 10**12, 2_000
_LINE = r"(?:def f\([a-z, ]{0,60}\):|(?:    ){1,4}[^\n ][^\n]{0,150})"
_ANY = r"[^\n`]{1,200}"
_LANGUAGES: Mapping[str, str] = _WORDS["translated"]["languages"]
_Scope = dict[str, Any]


class Unreadable(Exception):  # noqa: N818
    """The program is outside the language, or its run is too long or too large."""


class _Return(Exception):  # noqa: N818
    """The function returns."""


class _Leave(Exception):  # noqa: N818
    """A loop ends (False), or goes on with the next round (True)."""


_FAULTS = (
    *(SyntaxError, ValueError, TypeError, LookupError, ArithmeticError),
    *(AttributeError, RecursionError, MemoryError, _Leave),
)
_SIGNS: Mapping[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Not: operator.not_,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_PLAIN = (str, range)
_SIZED = (*_PLAIN, list, tuple, dict)
_WIDTHS = ("zfill", "center", "expandtabs", "ljust", "rjust")
_LAZY = (enumerate, filter, map, reversed, zip)
_KNOWN = (abs, all, any, bool, chr, dict, divmod, int, isinstance, len, list, max, min, ord, range)
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function for function in (*_KNOWN, *_LAZY, round, sorted, str, sum, tuple)
}
_METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        "capitalize casefold center count endswith expandtabs find index isalnum isalpha "
        "isascii isdecimal isdigit isidentifier islower isnumeric isspace istitle isupper join "
        "ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust "
        "rpartition rsplit rstrip split splitlines startswith strip swapcase title translate "
        "upper zfill".split()
    ),
    list: frozenset("append clear copy count extend index insert pop remove reverse sort".split()),
    dict: frozenset(
        "clear copy fromkeys get items keys pop popitem setdefault update values".split()
    ),
    tuple: frozenset(("count", "index")),
    type: frozenset(("fromkeys", "maketrans")),
}


def _bounded(value: Any) -> Any:
    """Return a value; raise Unreadable if it is too large together with everything in it."""
    size, parts = 0, [value]
    for part in parts:
        if isinstance(part, int):
            if abs(part) > _LARGEST:
                raise Unreadable(part)
        elif isinstance(part, _SIZED):
            size += len(part)
            if size > _LONGEST:
                raise Unreadable(size)
            if isinstance(part, dict):
                parts += part.items()
            elif not isinstance(part, _PLAIN):
                parts += part
    return value


class Machine:
    """Runs a function of a small part of Python, and records a trace of its lines.

    Args:
        code: One function `f` and nothing else.
        shown: Function that writes a value in the trace.
    """

    def __init__(self, code: str, shown: Callable[[Any], str] = repr) -> None:
        self.lines: list[str] = []
        self._code, self._steps, self._shown = code, 0, shown

    def call(self, text: str) -> Any:
        """Return the value of a call such as `f(1, 'a')`.

        Raises:
            Unreadable: If it is not a call, or the run uses anything outside the language.
        """
        try:
            match ast.parse(f"{self._code}\n{text}").body:
                case [
                    ast.FunctionDef("f", arguments, body),
                    ast.Expr(ast.Call(ast.Name("f"), literals, [])),
                ]:
                    names = [argument.arg for argument in arguments.args]
                    values = map(ast.literal_eval, literals)
                    self._block(body, dict(zip(names, values, strict=True)))
                case _:
                    raise Unreadable(text)
        except _Return as result:
            return result.args[0]
        except _FAULTS as fault:
            raise Unreadable(text) from fault
        return None

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise Unreadable(self._steps)

    def _note(self, node: ast.AST, value: Any, before: str = "") -> None:
        self._step()
        self.lines.append(f"line {node.lineno}: {before}{self._shown(value)}")  # type: ignore[attr-defined]

    def _block(self, statements: Sequence[ast.stmt], scope: _Scope) -> None:
        for statement in statements:
            getattr(self, f"_{type(statement).__name__.lower()}")(statement, scope)

    # statements

    def _assign(self, node: ast.Assign, scope: _Scope) -> None:
        value = self.value(node.value, scope)
        for target in node.targets:
            self._store(target, value, scope)

    def _augassign(self, node: ast.AugAssign, scope: _Scope) -> None:
        old = self.value(node.target, scope)
        if isinstance(old, list):  # changed in place
            old += self._sized(node.op, [], self.value(node.value, scope))
            new = _bounded(old)
        else:
            new = self._sized(node.op, old, self.value(node.value, scope))
        self._store(node.target, new, scope)

    def _store(self, target: ast.expr, value: Any, scope: _Scope, *, noted: bool = True) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for element, part in zip(target.elts, value, strict=True):
                self._store(element, part, scope, noted=noted)
            return
        if isinstance(target, ast.Name):
            name = target.id
            scope[name] = value
        elif isinstance(target, ast.Subscript):
            name, held = ast.unparse(target.value), self.value(target.value, scope)
            held[self.value(target.slice, scope)] = value
            value = _bounded(held)
        else:
            raise Unreadable(ast.unparse(target))
        if noted:
            self._note(target, value, f"{name} = ")

    def _delete(self, node: ast.Delete, scope: _Scope) -> None:
        for target in node.targets:
            if not isinstance(target, ast.Subscript):
                raise Unreadable(ast.unparse(node))
            del self.value(target.value, scope)[self.value(target.slice, scope)]

    def _expr(self, node: ast.Expr, scope: _Scope) -> None:
        self.value(node.value, scope)
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            held = node.value.func.value
            self._note(node, self.value(held, scope), f"{ast.unparse(held)} = ")

    def _if(self, node: ast.If, scope: _Scope) -> None:
        self._block(node.body if self._test(node, scope) else node.orelse, scope)

    def _test(self, node: ast.If | ast.While, scope: _Scope) -> bool:
        holds = bool(self.value(node.test, scope))
        self._note(node, holds)
        return holds

    def _while(self, node: ast.While, scope: _Scope) -> None:
        self._rounds(node, iter(lambda: self._test(node, scope), False), scope)

    def _for(self, node: ast.For, scope: _Scope) -> None:
        def rounds() -> Iterator[None]:
            for value in self.value(node.iter, scope):
                self._store(node.target, value, scope)
                yield

        self._rounds(node, rounds(), scope)

    def _rounds(self, node: ast.While | ast.For, rounds: Iterable[object], scope: _Scope) -> None:
        """Run the body in each round, and `else` after the last."""
        for _ in rounds:
            try:
                self._block(node.body, scope)
            except _Leave as leave:
                if not leave.args[0]:
                    return
        self._block(node.orelse, scope)

    def _pass(self, *_: object) -> None:
        pass

    def _break(self, *_: object) -> None:
        raise _Leave(False)

    def _continue(self, *_: object) -> None:
        raise _Leave(True)

    def _return(self, node: ast.Return, scope: _Scope) -> None:
        value = None if node.value is None else self.value(node.value, scope)
        self._note(node, value)
        raise _Return(value)

    # expressions

    def value(self, node: ast.expr | None, scope: _Scope) -> Any:
        """Return the value of an expression."""
        self._step()
        if node is None:
            return None
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return _bounded(scope[node.id] if node.id in scope else _FUNCTIONS[node.id])
        find = getattr(self, f"_value_{type(node).__name__.lower()}")
        return _bounded(find(node, scope))

    def _value_binop(self, node: ast.BinOp, scope: _Scope) -> Any:
        return self._sized(node.op, self.value(node.left, scope), self.value(node.right, scope))

    def _sized(self, sign: ast.operator, a: Any, b: Any) -> Any:
        """Return a sign b; raise Unreadable if the result is too large or % formats a text."""
        if isinstance(a, str) and isinstance(sign, ast.Mod):
            raise Unreadable(sign)
        if isinstance(sign, ast.Mult) and not (isinstance(a, int) and isinstance(b, int)):
            many, times = (b, a) if isinstance(a, int) else (a, b)
            if len(many) * times > _LONGEST:
                raise Unreadable(times)
        return _SIGNS[type(sign)](a, b)

    def _value_unaryop(self, node: ast.UnaryOp, scope: _Scope) -> Any:
        return _SIGNS[type(node.op)](self.value(node.operand, scope))

    def _value_boolop(self, node: ast.BoolOp, scope: _Scope) -> Any:
        stops = isinstance(node.op, ast.Or)
        for part in node.values:
            value = self.value(part, scope)
            if bool(value) == stops:
                break
        return value

    def _value_compare(self, node: ast.Compare, scope: _Scope) -> bool:
        left = self.value(node.left, scope)
        for sign, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part, scope)
            if not _SIGNS[type(sign)](left, right):
                return False
            left = right
        return True

    def _value_ifexp(self, node: ast.IfExp, scope: _Scope) -> Any:
        return self.value(node.body if self.value(node.test, scope) else node.orelse, scope)

    def _value_subscript(self, node: ast.Subscript, scope: _Scope) -> Any:
        held = self.value(node.value, scope)
        if isinstance(node.slice, ast.Slice):
            ends = node.slice.lower, node.slice.upper, node.slice.step
            return held[slice(*(self.value(end, scope) for end in ends))]
        return held[self.value(node.slice, scope)]

    def _value_list(self, node: ast.List, scope: _Scope) -> list[Any]:
        return [self.value(part, scope) for part in node.elts]

    def _value_tuple(self, node: ast.Tuple, scope: _Scope) -> tuple[Any, ...]:
        return tuple(self.value(part, scope) for part in node.elts)

    def _value_dict(self, node: ast.Dict, scope: _Scope) -> dict[Any, Any]:
        entries: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:  # **value
                entries.update(self.value(value, scope))
            else:
                entries[self.value(key, scope)] = self.value(value, scope)
        return entries

    def _value_joinedstr(self, node: ast.JoinedStr, scope: _Scope) -> str:
        shown = ""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                if part.format_spec or part.conversion >= 0:
                    raise Unreadable(ast.unparse(node))
                part = part.value
            shown += str(self.value(part, scope))
        return shown

    def _value_lambda(self, node: ast.Lambda, scope: _Scope) -> Callable[..., Any]:
        names = [argument.arg for argument in node.args.args]
        return lambda *values: self.value(node.body, scope | dict(zip(names, values, strict=True)))

    def _value_listcomp(self, node: ast.ListComp | ast.GeneratorExp, scope: _Scope) -> list[Any]:
        return [self.value(node.elt, inner) for inner in self._inner(node.generators, scope)]

    _value_generatorexp = _value_listcomp

    def _value_dictcomp(self, node: ast.DictComp, scope: _Scope) -> dict[Any, Any]:
        scopes = self._inner(node.generators, scope)
        return {self.value(node.key, inner): self.value(node.value, inner) for inner in scopes}

    def _inner(self, loops: Sequence[ast.comprehension], scope: _Scope) -> Iterator[_Scope]:
        """Yield the variables in each round of the loops of a comprehension."""
        if not loops:
            yield scope
            return
        for value in self.value(loops[0].iter, scope):
            inner = dict(scope)
            self._store(loops[0].target, value, inner, noted=False)
            if all(self.value(test, inner) for test in loops[0].ifs):
                yield from self._inner(loops[1:], inner)

    def _value_call(self, node: ast.Call, scope: _Scope) -> Any:
        arguments = [self.value(part, scope) for part in node.args]
        named = {str(keyword.arg): self.value(keyword.value, scope) for keyword in node.keywords}
        if isinstance(node.func, ast.Name):
            function = self.value(node.func, scope)
        elif isinstance(node.func, ast.Attribute):
            held, name = self.value(node.func.value, scope), node.func.attr
            if name not in _METHODS.get(type(held), ()):
                raise Unreadable(name)
            function = getattr(held, name)
        else:
            raise Unreadable(ast.unparse(node))
        if any(isinstance(value, int) and abs(value) > _LARGEST for value in arguments):
            raise Unreadable(arguments)
        if function.__name__ in _WIDTHS and (named or arguments[0] > _LONGEST):
            raise Unreadable(arguments)
        result = function(*arguments, **named)
        return list(result) if function in _LAZY else result


@reads(
    _WORDS,
    code=holes.pattern(rf"{_LINE}(?:\n{_LINE}){{1,60}}"),
    call=holes.pattern(r"f\([^\n`]{0,300}\)"),
)
def _read(code: str, call: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the value as text, and the trace; None for a program outside the language."""
    machine = Machine(code)
    try:
        return repr(machine.call(call)), tuple(machine.lines)
    except Unreadable:
        return None


@reads(
    _WORDS.part("translated"),
    code=holes.pattern(rf"{_ANY}(?:\n{_ANY}){{1,100}}"),
    call=holes.pattern(r"\(?f[^\n`]{0,300}"),
    language=holes.word(_LANGUAGES.values()),
    fence=holes.word(_WORDS["translated"]["fences"].values()),
)
def _read_translated(
    code: str, call: str, fence: str, language: str = ""
) -> tuple[str, tuple[str, ...]] | None:
    """Return the value as text, and the trace; None for a program outside the languages."""
    if language and _LANGUAGES[fence] != language:
        return None
    try:
        code, call = in_python(code, call, fence)
        machine = Machine(code, json.dumps)
        return json.dumps(machine.call(call)), tuple(machine.lines)
    except (Unreadable, ValueError, LookupError, TypeError, StopIteration):
        return None


def _follows(run: tuple[str, tuple[str, ...]], answer: str, lines: Sequence[str]) -> bool:
    """Compare with the trace of this run, whose last line has the value."""
    del answer
    return run[1] == tuple(lines)


VERIFIERS = {
    "programs": PlainVerifier(_read, lambda run: run[0], "literal", _follows),
    "program_syntaxes": PlainVerifier(_read_translated, lambda run: run[0], "literal", _follows),
}
