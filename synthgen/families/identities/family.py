"""Term rewriting by identities: an expression with one instance of a rule.

A row states an identity over meta-variables and an expression in which its left side occurs exactly
once; the answer is the expression with that occurrence rewritten.

Terms are nested tuples: `("+", "x", ("sin", 3))`. A term of depth d has an operator above two
terms, one of depth d - 1 and the other of any smaller depth. A leaf is a variable, a constant or a
function of a variable. Terms without exactly one match are drawn again, so that the allowed
terms keep their relative probabilities.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from synthgen.authoring import (
    Axis,
    Condition,
    DrawnFamily,
    ParamError,
    Problem,
    RowDraws,
    Rows,
    Words,
    bounded,
    levelled,
    one_of,
    params,
)
from synthgen.authoring.distractors import misspelt

_WORDS = Words.beside(__file__)
_RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs")
_VARIABLES, _METAS = "mnpqrstuvwxyz", "abcd"
_N_NUMBERS, _MAX_DEPTH, _MAX_GROUNDINGS = 100, 6, 2**40
_RULE_ROOM = np.uint64(2**16)
_LEAF_SHARES = 2**16
_ATTEMPTS, _OFFERED, _FEW = 64, 10, 3
Term: TypeAlias = Any
"""An integer, a letter, or a tuple of a symbol and its operands."""


class _Identity(NamedTuple):
    """One identity.

    Attributes:
        name: Symbol in derivations.
        family: Branch of mathematics.
        text: Both sides in the notation of prompts.
        left, right: Both sides as terms over the meta-variables.
        metas: Meta-variables in use, always the first ones.
    """

    name: str
    family: str
    text: str
    left: Term
    right: Term
    metas: str


def _side(text: str) -> Term:
    """Read one side of an identity, which is in Python's notation except for the power sign."""
    return _term_of(ast.parse(text.replace("^", "**"), mode="eval").body)


_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "^",
}


def _term_of(node: ast.expr) -> Term:
    match node:
        case ast.BinOp(left, operator, right):
            return _SIGNS[type(operator)], _term_of(left), _term_of(right)
        case ast.Call(ast.Name(name), [inner]):
            return name, _term_of(inner)
        case ast.Constant(int(value)):
            return value
        case ast.Name(letter):
            return letter
    msg = f"not a term: {ast.unparse(node)}"
    raise ValueError(msg)


def _identity(name: str, family: str, text: str) -> _Identity:
    left, right = map(_side, text.split(" = "))
    metas = "".join(letter for letter in _METAS if letter in {*_symbols(left)})
    return _Identity(name, family, text, left, right, metas)


def _symbols(term: Term) -> Iterator[str | int]:
    """Yield the symbols of a term in prefix order."""
    if isinstance(term, tuple):
        yield term[0]
        for operand in term[1:]:
            yield from _symbols(operand)
    else:
        yield term


_IDENTITIES = [_identity(name, *each) for name, each in _WORDS["identities"].items()]
_NAMES = tuple(each.name for each in _IDENTITIES)
_FAMILIES = tuple(dict.fromkeys(each.family for each in _IDENTITIES))
_SIDES = [[*_symbols(side)] for each in _IDENTITIES for side in (each.left, each.right)]
_LONGEST = max(map(len, _SIDES))
_MAX_USES = max(sum(symbol in _METAS for symbol in map(str, side)) for side in _SIDES)


def _plain(term: Term, names: Mapping[str, str]) -> str:
    """Write a term so that the order of the operands of + and * makes no difference."""
    if not isinstance(term, tuple):
        return names.get(str(term), str(term))
    operands = [_plain(operand, names) for operand in term[1:]]
    return f"({term[0]} {' '.join(sorted(operands) if term[0] in '+*' else operands)})"


def _both_ways(rule: _Identity) -> tuple[str, str]:
    """Return a form that an identity shares with its reverse.

    It is the first of all spellings with other meta-variables, operands of + and * exchanged, and
    either side first.
    """
    spellings = []
    for letters in permutations(_METAS):
        names = dict(zip(_METAS, letters, strict=True))
        sides = _plain(rule.left, names), _plain(rule.right, names)
        spellings.append((min(sides), max(sides)))
    return min(spellings)


@cache
def _first_of_pairs() -> list[int]:
    """Return for each identity the number of the first one that equals it or its reverse."""
    forms = [_both_ways(rule) for rule in _IDENTITIES]
    return [forms.index(form) for form in forms]


def _instance(side: Term, values: Mapping[str, Term]) -> Term:
    """Return a side with these values for its meta-variables."""
    if isinstance(side, tuple):
        return (side[0], *[_instance(operand, values) for operand in side[1:]])
    return values.get(side, side)


def _matches(side: Term, term: Term, bound: dict[str, Term]) -> bool:
    """Return whether a side matches a whole term, as ordered trees."""
    if isinstance(side, tuple):
        if not isinstance(term, tuple) or term[0] != side[0]:
            return False
        pairs = zip(side[1:], term[1:], strict=True)
        return all(_matches(part, subterm, bound) for part, subterm in pairs)
    if isinstance(side, str) and side in _METAS:
        return bool(bound.setdefault(side, term) == term)
    return bool(side == term)


def _count_matches(side: Term, term: Term) -> int:
    """Count the subterms that a side matches."""
    count, waiting = 0, [term]
    while waiting:
        term = waiting.pop()
        if isinstance(term, tuple):
            count += term[0] == side[0] and _matches(side, term, {})
            waiting += term[1:]
    return count


def _size(term: Term) -> int:
    """Count the symbols."""
    return 1 + sum(map(_size, term[1:])) if isinstance(term, tuple) else 1


def _n_leaves(term: Term) -> int:
    """Count the leaves; a function of a variable is one."""
    if isinstance(term, tuple) and len(term) == 3:
        return _n_leaves(term[1]) + _n_leaves(term[2])
    return 1


def _path_to(term: Term, leaf: int) -> list[int]:
    """Return the operand to take at each operator on the way to a leaf, counted from the left."""
    path = []
    while isinstance(term, tuple) and len(term) == 3:
        before = _n_leaves(term[1])
        path.append(1 if leaf < before else 2)
        leaf -= 0 if leaf < before else before
        term = term[path[-1]]
    return path


def _replaced(term: Term, path: Sequence[int], new: Term) -> Term:
    """Return a term with another subterm at the end of a path."""
    if not path:
        return new
    operands = list(term)
    operands[path[0]] = _replaced(term[path[0]], path[1:], new)
    return tuple(operands)


def _infix(term: Term) -> str:
    """Write a term with the parentheses that its tree needs."""
    if not isinstance(term, tuple):
        return str(term)
    if len(term) == 2:
        return f"{term[0]}({_infix(term[1])})"
    sign, left, right = term
    rank = _RANKS[sign]
    if rank == 3:
        return f"{_operand(left, 4)}^{_operand(right, 4)}"
    return f"{_operand(left, rank)} {sign} {_operand(right, rank + 1)}"


def _operand(term: Term, lowest: int) -> str:
    """Write an operand, in parentheses if it is an operation of a rank below `lowest`."""
    text = _infix(term)
    bare = not isinstance(term, tuple) or _RANKS.get(term[0], 4) >= lowest
    return text if bare else f"({text})"


def _piece(bits: int, place: int, n: int) -> int:
    """Return a number below n from one of the four 16-bit pieces of a draw."""
    return (bits >> 16 * place & 0xFFFF) * n >> 16


@levelled("host_depth + pattern_depth", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
@dataclass(frozen=True)
class Identities(DrawnFamily):
    """Expressions with one instance of an identity's left side.

    Attributes:
        first, number: Identities with the numbers first, ..., first + number - 1.
        identities: Names of identities to use instead; () for the numbered ones.
        min_host_depth, max_host_depth: Nested operators in the expression around the instance, 0 to
            6.
        min_pattern_depth, max_pattern_depth: Nested operators in the value of each meta-variable.
        operators: Operators of the expression and the values; the identity adds its own.
        functions, variables: Functions and variables of the expression and the values; a function
            has a variable as its argument.
        max_constant: Largest constant, up to 99; the smallest is 1.
        function_share, constant_share: Share of the leaves; the others are variables.
        groundings: Instances of each identity, each in many expressions; 0 for a new one in every
            row. They are drawn independently, so that some of the smallest may be equal.
    """

    first: int = params.integer(0, 0, len(_IDENTITIES) - 1)
    number: int = params.integer(len(_IDENTITIES), 1, len(_IDENTITIES))
    identities: tuple[str, ...] = params.choices((), _NAMES, fewest=0)
    min_host_depth: int = params.integer(1, 0, _MAX_DEPTH, up_to="max_host_depth")
    max_host_depth: int = params.integer(3, 0, _MAX_DEPTH)
    min_pattern_depth: int = params.integer(0, 0, _MAX_DEPTH, up_to="max_pattern_depth")
    max_pattern_depth: int = params.integer(2, 0, _MAX_DEPTH)
    operators: str = params.characters("+-*/", "".join(_RANKS))
    functions: tuple[str, ...] = params.choices(
        ("sin", "cos", "exp", "log", "sqrt"), _FUNCTIONS, fewest=0
    )
    variables: str = params.characters("xyz", _VARIABLES)
    max_constant: int = params.integer(9, 1, _N_NUMBERS - 1)
    function_share: float = params.number(0.2, 0, 1)
    constant_share: float = params.number(0.3, 0, 1)
    groundings: int = params.integer(0, 0, _MAX_GROUNDINGS)

    version = 4
    verifier = "identities"
    words = _WORDS
    prompts = ("bare", "instruction")
    answer_type = "string"
    symbols = {
        **dict.fromkeys(_RANKS, 2),
        **dict.fromkeys(_FUNCTIONS, 1),
        **dict.fromkeys(_VARIABLES, 0),
        **{each.name: len(each.metas) for each in _IDENTITIES},
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        most = len(_IDENTITIES) - self.first
        if self.number > most:
            raise ParamError("number", self.number, f"at most {most} with first={self.first}")
        if self.function_share and not self.functions:
            raise ParamError("function_share", self.function_share, "0 without functions")
        if self.constant_share > 1 - self.function_share:
            share = f"at most 1 - function_share={1 - self.function_share:g}"
            raise ParamError("constant_share", self.constant_share, share)

    @cached_property
    def _numbers(self) -> list[int]:
        """Numbers of the identities in use."""
        if self.identities:
            return [_NAMES.index(name) for name in self.identities]
        return list(range(self.first, self.first + self.number))

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        numbers, host = self._numbers, self.max_host_depth
        metas = [len(_IDENTITIES[number].metas) for number in numbers]
        sizes = [3 * 2**depth - 1 for depth in (host, self.max_pattern_depth)]
        largest = sizes[0] + _LONGEST + _MAX_USES * sizes[1]
        return {
            "rule": Axis("number of the identity", low=min(numbers), high=max(numbers)),
            "rule_pair": Axis(
                "number of the first identity that is this one or its reverse",
                low=min(_first_of_pairs()[number] for number in numbers),
                high=max(numbers),
            ),
            "rule_name": Axis("name of the identity", values=_NAMES),
            "rule_family": Axis("branch of mathematics of the identity", values=_FAMILIES),
            "host_depth": Axis(
                "nested operators around the instance", low=self.min_host_depth, high=host
            ),
            "pattern_depth": Axis(
                "nested operators in each value",
                low=self.min_pattern_depth,
                high=self.max_pattern_depth,
            ),
            "size": Axis("symbols of the expression", low=1, high=largest),
            "match_depth": Axis("operators above the instance", low=0, high=host),
            "n_metavariables": Axis(
                "different letters of the identity", low=min(metas), high=max(metas)
            ),
        }

    @property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params fix."""
        return {
            "rule": Condition(("first",), also={"number": 1}, only={"identities": ((),)}),
            "rule_name": one_of("identities"),
            "host_depth": bounded("min_host_depth", "max_host_depth"),
            "pattern_depth": bounded("min_pattern_depth", "max_pattern_depth"),
        }

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the expressions at these addresses; identities take turns with the address."""
        turns = rows.addresses % np.uint64(len(self._numbers))
        numbers = np.array(self._numbers)[turns.astype(np.int64)]
        draws = rows.branch("shape").draws()
        hosts = draws.integers(self.min_host_depth, self.max_host_depth + 1)
        grounds = rows.branch("values")
        if self.groundings:
            which = draws.integers(0, self.groundings).astype(np.uint64)
            grounds = Rows(grounds.stream, which * _RULE_ROOM + numbers.astype(np.uint64))
        depth_draws = grounds.branch("depth").draws()
        patterns = depth_draws.integers(self.min_pattern_depth, self.max_pattern_depth + 1)
        columns = (numbers.tolist(), hosts.tolist(), patterns.tolist())
        each = zip(*columns, rows.each(), grounds.each(), strict=True)
        return [
            self._made(_IDENTITIES[number], (host, pattern), row_draws, ground_draws)
            for number, host, pattern, row_draws, ground_draws in each
        ]

    def _made(
        self, rule: _Identity, depths: tuple[int, int], draws: RowDraws, grounds: RowDraws
    ) -> Problem | None:
        """Draw values of the meta-variables and an expression around the instance."""
        values = self._values(rule, depths[1], grounds)
        if values is None:
            return None
        before = _instance(rule.left, values)
        placed = self._placed(rule, depths[0], before, draws)
        if placed is None:
            return None
        host, path = placed
        whole = _replaced(host, path, before)
        return Problem(
            tree=_replaced(host, path, (rule.name, *values.values())),
            axes={
                "rule": _NAMES.index(rule.name),
                "rule_pair": _first_of_pairs()[_NAMES.index(rule.name)],
                "rule_name": rule.name,
                "rule_family": rule.family,
                "host_depth": depths[0],
                "pattern_depth": depths[1],
                "size": _size(whole),
                "match_depth": len(path),
                "n_metavariables": len(values),
            },
            difficulty=sum(depths),
            data=(rule, values, host, path),
        )

    def _values(self, rule: _Identity, depth: int, draws: RowDraws) -> dict[str, Term] | None:
        """Draw values with which the left side has one match and differs from the right side."""
        for _ in range(_ATTEMPTS):
            values = {meta: self._term(depth, draws) for meta in rule.metas}
            before = _instance(rule.left, values)
            if _count_matches(rule.left, before) == 1 and before != _instance(rule.right, values):
                return values
        return None

    def _placed(
        self, rule: _Identity, depth: int, instance: Term, draws: RowDraws
    ) -> tuple[Term, list[int]] | None:
        """Draw a host, and the leaf that the instance replaces without adding another match."""
        for _ in range(_ATTEMPTS):
            host = self._term(depth, draws)
            path = _path_to(host, draws.integer(0, _n_leaves(host)))
            if _count_matches(rule.left, _replaced(host, path, instance)) == 1:
                return host, path
        return None

    @cached_property
    def _shares(self) -> tuple[int, int]:
        """Limits of a leaf's 16-bit draw: functions below the first, constants below the second."""
        functions = round(_LEAF_SHARES * self.function_share)
        return functions, functions + round(_LEAF_SHARES * self.constant_share)

    def _term(self, depth: int, draws: RowDraws) -> Term:
        """Draw a term of this depth in prefix order, with one draw per node or leaf."""
        bits = draws.bits()
        if depth > 0:
            first, second = depth - 1, _piece(bits, 1, depth)
            if _piece(bits, 2, 2) == 1:
                first, second = second, first
            sign = self.operators[_piece(bits, 0, len(self.operators))]
            return sign, self._term(first, draws), self._term(second, draws)
        kind, (functions, constants) = bits & 0xFFFF, self._shares
        if functions <= kind < constants:
            return 1 + _piece(bits, 1, self.max_constant)
        variable = self.variables[_piece(bits, 1, len(self.variables))]
        if kind < functions:
            return self.functions[_piece(bits, 2, len(self.functions))], variable
        return variable

    def answer_of(self, problem: Problem) -> str:
        """Replace the left side's instance by the right side's."""
        rule, values, host, path = problem.data
        return _infix(_replaced(host, path, _instance(rule.right, values)))

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """State the identity and the expression with the left side's instance."""
        del draws
        rule, values, host, path = problem.data
        return {
            "rule": rule.text,
            "term": _infix(_replaced(host, path, _instance(rule.left, values))),
        }

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Replace the left side's instance by the right side's with mistakes."""
        rule, values, host, path = problem.data
        uses = [values[each] for each in _symbols(rule.right) if each in values]
        known = _parts(_replaced(host, path, _instance(rule.left, values)))
        ways = misspelt(uses, (), draws, _OFFERED) if len({*uses}) > 1 else []
        made = [_filled(rule.right, iter(each)) for each in ways]
        if not uses:
            made = draws.shuffled(known)
        elif len(made) < _FEW:
            meta = draws.choice([*values])
            others = _around(values[meta], known, draws)
            made += [_instance(rule.right, {**values, meta: other}) for other in others]
        return [_infix(_replaced(host, path, each)) for each in made]

    def steps_of(self, problem: Problem) -> list[str]:
        """List the values of the meta-variables, and state the identity with them."""
        rule, values, _, _ = problem.data
        sides = [_infix(_instance(side, values)) for side in (rule.left, rule.right)]
        return [*(f"{meta} = {_infix(value)}" for meta, value in values.items()), " = ".join(sides)]


def _filled(pattern: Term, values: Iterator[Term]) -> Term:
    """Replace the meta-variables of a pattern, from left to right."""
    if isinstance(pattern, tuple):
        return (pattern[0], *[_filled(operand, values) for operand in pattern[1:]])
    return next(values) if isinstance(pattern, str) else pattern


def _around(term: Term, known: Sequence[Term], draws: RowDraws) -> list[Term]:
    """Return other terms; the number of longer ones among the first is uniformly random."""
    size = len(_infix(term))
    others = draws.shuffled([other for other in known if other != term])
    longer = [other for other in others if len(_infix(other)) > size]
    shorter = [other for other in others if len(_infix(other)) <= size]
    n = draws.integer(0, _FEW + 1)
    return [*shorter[: _FEW - n], *longer[:n], *shorter[_FEW - n :], *longer[n:]]


def _parts(term: Term) -> list[Term]:
    """Return the different terms of which a term is made."""
    parts = (
        [part for operand in term[1:] for part in (operand, *_parts(operand))]
        if isinstance(term, tuple)
        else []
    )
    return [*dict.fromkeys(parts)]


GENERATORS = {"identities": Identities}
