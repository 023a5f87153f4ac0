"""PCFG SET as text: programs, their results and their worked solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import pyarrow as pa

from synthgen.authoring import Signature, text_list
from synthgen.authoring.compiled import Ragged
from synthgen.families.pcfg.kernels import FIRST_STRING, FUNCTIONS, N_FUNCTIONS, N_UNARY

String = list[str]
Node = tuple[int, String]
"""Code of a function, or of a string with its symbols."""
_RESULTS: Mapping[str, Callable[..., String]] = {
    "copy": lambda x: x,
    "reverse": lambda x: x[::-1],
    "shift": lambda x: x[1:] + x[:1],
    "echo": lambda x: x + x[-1:],
    "swap_first_last": lambda x: x[-1:] + x[1:-1] + x[:1],
    "repeat": lambda x: x + x,
    "append": lambda x, y: x + y,
    "prepend": lambda x, y: y + x,
    "remove_first": lambda _, y: y,
    "remove_second": lambda x, _: x,
}


def program_text(programs: Ragged, signature: Signature, *, bracketed: bool) -> pa.StringArray:
    """Write every program in prefix notation, with or without brackets."""
    names = signature.names
    form = "{} ( {} )" if bracketed else "{} {}"
    texts = []
    for nodes in _programs(programs, names):
        waiting: list[str] = []  # arguments, the next one last
        for code, symbols in reversed([*nodes]):
            if code >= FIRST_STRING:
                waiting.append(" ".join(symbols))
            else:
                arguments = " , ".join([waiting.pop() for _ in range(_arity(code))])
                waiting.append(form.format(names[code], arguments))
        texts += waiting
    return text_list(texts)


def result_text(
    meant: Ragged, signature: Signature, solution: str
) -> tuple[pa.StringArray, pa.StringArray | None]:
    """Write the answer of every program, and its solution.

    Args:
        meant: Programs whose exceptional pairs are replaced.
        signature: Signature of the codes.
        solution: "none"; "steps", the result of each function on its own line, arguments before
            their function and left before right; or "unrolled", one function per line in the same
            order, in which *k is the string of line k.
    """
    names = signature.names
    answers, solutions = [], []
    for nodes in _programs(meant, names):
        calls: list[str] = []
        results: list[String] = []
        answer = " ".join(_evaluate(nodes, names, calls, results)[0])
        answers.append(answer)
        if solution == "steps":
            solutions.append("\n".join(map(" ".join, results)))
        elif solution == "unrolled":
            places = [*(f"*{line}" for line in range(1, len(calls))), answer]
            solutions.append("\n".join(map("{} = {}".format, calls, places)))
    return text_list(answers), None if solution == "none" else text_list(solutions)


def _programs(programs: Ragged, names: Sequence[str]) -> Iterator[Iterator[Node]]:
    """Yield the nodes of each program in prefix order."""
    codes, offsets = programs.values.tolist(), programs.offsets.tolist()
    for start, end in pairwise(offsets):
        yield _nodes(codes[start:end], names)


def _nodes(codes: Sequence[int], names: Sequence[str]) -> Iterator[Node]:
    at = 0
    while at < len(codes):
        code = codes[at]
        end = at + 1 + max(0, code - FIRST_STRING + 1)
        yield code, [names[symbol] for symbol in codes[at + 1 : end]]
        at = end


def _arity(function: int) -> int:
    return 1 + (function % N_FUNCTIONS >= N_UNARY)


def _evaluate(
    nodes: Iterator[Node], names: Sequence[str], calls: list[str], results: list[String]
) -> tuple[String, str]:
    """Evaluate the next node, and record its calls and their results, arguments first.

    Returns:
        The result, and what stands for it in a call: the string, or the number of its line.
    """
    code, symbols = next(nodes)
    if code >= FIRST_STRING:
        return symbols, " ".join(symbols)
    arguments = [_evaluate(nodes, names, calls, results) for _ in range(_arity(code))]
    calls.append(f"{names[code]} {' , '.join([shown for _, shown in arguments])}")
    results.append(_RESULTS[FUNCTIONS[code % N_FUNCTIONS]](*(value for value, _ in arguments)))
    return results[-1], f"*{len(calls)}"
