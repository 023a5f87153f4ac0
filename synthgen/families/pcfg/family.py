"""PCFG SET: programs of string functions such as `append reverse A1 B2 , echo C3 D4`.

A program is drawn by its size and then uniformly among all trees of that size, which is what the
published recursive grammar does; see `pool` and `kernels`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    CompiledFamily,
    Condition,
    ParamError,
    Problems,
    Render,
    Rows,
    Signature,
    Texts,
    Words,
    bounded,
    equal_to,
    filled,
    levelled,
    params,
)
from synthgen.authoring.compiled import (
    GOLDEN,
    Keys,
    LazyColumns,
    Ragged,
    constant_text,
    derivation_keys,
    mix_words,
    text_keys,
    worded,
)
from synthgen.families.pcfg.kernels import (
    APPEND,
    BINARY,
    COPY,
    COUNTED,
    EXCEPTIONS,
    FIRST_STRING,
    FUNCTIONS,
    MAX_FUNCTIONS,
    N_FUNCTIONS,
    N_UNARY,
    PREPEND,
    REVERSE,
    SHIFT,
    SWAP,
    SYSTEMATIC_PAIRS,
    Plan,
    count_axes,
    draw_programs,
    exceptional_codes,
    measure_results,
)
from synthgen.families.pcfg.pool import PUBLISHED_LATE, completed
from synthgen.families.pcfg.text import program_text, result_text

_WORDS = Words.beside(__file__)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TWINS = ("swap_first_last", "repeat", "append", "remove_second")
_RANDOM = "random"
_OF_RESULTS = ("answer_length", "longest_result")
"""Axes of the program's meaning; `COUNTED` are the axes of the program as it is written."""
_COMPARED = ("twin_function", "exception_changes")
_ATTEMPTS = 1_000
_OFFERED = 10
_MOVES = {COPY: (REVERSE, SHIFT, SWAP), REVERSE: (COPY, SHIFT, SWAP), SHIFT: (COPY, REVERSE, SWAP)}
_MOVES |= {SWAP: (COPY, REVERSE, SHIFT), APPEND: (PREPEND,) * 3, PREPEND: (APPEND,) * 3}
"""Functions that only move symbols, and those of the same arity that may be taken for them."""
_MAX_TREE = 20
_MAX_CELLS, _MAX_LENGTH, _MAX_COUNT = 10_000, 2_000, 10**12


@levelled("n_functions", 1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
@dataclass(frozen=True)
class Pcfg(CompiledFamily):
    """Programs of string functions.

    Attributes:
        letters, numbers: Letters and largest number of the alphabet, which has every letter with
            every number from 1.
        min_string, max_string: Symbols of a string argument, 2 to 64.
        functions: Names of the functions in use.
        p_unary: Probability that a function has one argument, or "random", drawn anew for every
            program from [0, 1).
        p_function: Probability that an argument is a function and not a string, or "random".
        min_functions, max_functions: Functions of a program, 1 to 200.
        min_depth, max_depth: Nesting of functions, 1 to 200.
        max_text: Number of characters from which a program is dropped, counted with brackets,
            commas and one character per symbol.
        max_result: Symbols of the longest string of any step, to 10,000.
        distribution: Distribution by depth and length: "published", that of the published data;
            "target", that of `target`; or "grammar", without any choice among programs.
        target: Natural counts as depth, length, count, depth, length, count ... with 1 + the
            nesting of functions for the depth, and the tokens for the length.
        target_width: Number of lengths that form one cell of the target.
        late_from: Place in the pool (0 to 1) at which strings of the smallest length have run out,
            where there is a target; negative for the published one.
        root: First function of every program: a unary one is added before the drawn program, a
            binary one replaces a binary root. "" for any.
        twins: Functions that have a synonym, such as `repeat_twin` for `repeat`.
        twin_mode: "none"; "share", each call of such a function is written with the synonym with
            probability `twin_share`; or "all", all calls of one such function of the program.
        twin_share: Probability of a synonym where `twin_mode` is "share".
    """

    letters: str = params.characters(_LETTERS, _LETTERS)
    numbers: int = params.integer(20, 1, 2_000)
    min_string: int = params.integer(2, 2, 64, up_to="max_string")
    max_string: int = params.integer(5, 2, 64)
    functions: tuple[str, ...] = params.choices(FUNCTIONS, FUNCTIONS)
    p_unary: float | str = _RANDOM
    p_function: float | str = _RANDOM
    min_functions: int = params.integer(1, 1, MAX_FUNCTIONS, up_to="max_functions")
    max_functions: int = params.integer(50, 1, MAX_FUNCTIONS)
    min_depth: int = params.integer(1, 1, MAX_FUNCTIONS, up_to="max_depth")
    max_depth: int = params.integer(50, 1, MAX_FUNCTIONS)
    max_text: int = params.integer(500, 10, 100_000)
    max_result: int = params.integer(1_000, 4, 10_000)
    distribution: str = params.choice("published", ("published", "target", "grammar"))
    target: tuple[int, ...] = ()
    target_width: int = params.integer(3, 1, 100)
    late_from: float = params.number(-1.0, -1.0, 1.0)
    root: str = params.choice("", ("", *FUNCTIONS))
    twins: tuple[str, ...] = params.choices(_TWINS, FUNCTIONS, fewest=0)
    twin_mode: str = params.choice("none", ("none", "share", "all"))
    twin_share: float = params.number(0.5, 0.0, 1.0)

    version = 2
    verifier = "pcfg"
    domain = "pcfg"
    prompts = _WORDS.styles
    solutions = ("none", "steps", "unrolled")
    words = _WORDS
    exceptional = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("p_unary", "p_function"):
            value = vars(self)[name]
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if value != _RANDOM and not (is_number and 0 <= value <= 1):
                raise ParamError(name, value, f"a number from 0 to 1, or {_RANDOM!r}")
        if self.max_result < 2 * self.max_string:
            raise ParamError("max_result", self.max_result, "at least twice max_string")
        if self.min_depth > self.max_functions:
            wanted = f"at most max_functions={self.max_functions}"
            raise ParamError("min_depth", self.min_depth, wanted)
        binary = bool({*self.functions} & {*BINARY})
        most = 2 ** min(self.max_depth, _MAX_TREE) - 1 if binary else self.max_depth
        if self.min_functions > most:
            wanted = f"at most {most}, as many as fit into max_depth={self.max_depth}"
            raise ParamError("min_functions", self.min_functions, wanted)
        if self.root in BINARY and not binary:
            wanted = "a unary function, as functions are all unary"
            raise ParamError("root", self.root, wanted)
        _check_target(self.target, needed=self.distribution == "target")

    @property
    def signature(self) -> Signature:
        """Functions, their synonyms, strings of each length, and the alphabet."""
        return _signature(self.letters, self.numbers, self.max_string)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use; a root counts in addition."""
        rooted = int(bool(self.root))
        most, deepest = self.max_functions + rooted, self.max_depth + rooted
        strings = self.min_string, self.max_string
        results = strings[0], max(self.max_result, strings[1])
        tokens = 2 * most + (most + 1) * strings[1]
        pairs = {
            name: Axis(f"{FUNCTIONS[outer]} directly precedes {FUNCTIONS[inner]}", low=0, high=1)
            for name, (outer, inner) in SYSTEMATIC_PAIRS.items()
        }
        return {
            "depth": Axis("nesting depth of functions", low=self.min_depth, high=deepest),
            "n_functions": Axis("number of functions", low=self.min_functions, high=most),
            "n_unary": Axis("number of functions of one argument", low=0, high=most),
            "n_strings": Axis("number of string arguments", low=1, high=most + 1),
            "n_tokens": Axis("tokens of the bare prompt, including commas", low=3, high=tokens),
            "n_twins": Axis("number of calls written with a synonym", low=0, high=most),
            "longest_string": Axis("symbols of the longest string argument", "int16", *strings),
            "function": Axis("first function of the program", values=FUNCTIONS),
            "exception": Axis("exceptional pair that applies", values=("none", *EXCEPTIONS)),
            "n_exceptions": Axis("exceptional pairs that occur", low=0, high=len(EXCEPTIONS)),
            "exception_changes": Axis("exceptions change the result", low=0, high=1),
            "n_pairs": Axis("systematicity pairs that occur", low=0, high=len(pairs)),
            **pairs,
            "answer_length": Axis("symbols of the answer", "int16", *results),
            "longest_result": Axis("symbols of the longest string of any step", "int16", *results),
            "twin_function": Axis("function to name by its synonym", values=("none", *FUNCTIONS)),
        }

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params fix; not size and depth with a root, which adds to them."""
        return {
            "n_functions": bounded("min_functions", "max_functions", root=("",)),
            "depth": bounded("min_depth", "max_depth", root=("",)),
            "longest_string": bounded("min_string", "max_string"),
            "function": equal_to("root"),
        }

    @property
    def fewest_problems(self) -> int | None:
        """Number of programs of one function, if each of them may be drawn."""
        if (
            max(self.min_functions, self.min_depth) > 1
            or self.root
            or self.distribution == "target"
        ):
            return None
        symbols = len(self.letters) * self.numbers
        lengths = range(self.min_string, self.max_string + 1)
        strings: int = sum(symbols**length for length in lengths)
        n_binary = len({*self.functions} & {*BINARY})
        return (len(self.functions) - n_binary) * strings + n_binary * strings**2

    def draw(self, rows: Rows) -> Problems:
        """Make the programs at these addresses."""
        codes, offsets, valid = draw_programs(rows.keys, _plan(self))
        programs = Ragged(codes, offsets)
        if self.twin_mode == "share":
            keys = rows.branch("twins").keys
            codes = _with_synonyms(programs, keys, self._has_twin, float(self.twin_share))
        elif self.twin_mode == "all":
            chosen = _chosen_twins(programs, self._keys(programs), self._has_twin)
            is_chosen = codes + 1 == np.repeat(chosen, programs.lengths)
            codes = codes + N_FUNCTIONS * is_chosen.astype(np.uint16)
        return self._problems(rows, Ragged(codes, offsets), valid)

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write programs, their results and, unless style.solution is "none", their solutions."""
        programs, n = problems.derivations, len(problems)
        prompts = program_text(programs, self.signature, bracketed=style.prompt == "bracketed")
        templates = constant_text(style.prompt, n)
        if style.prompt == "instruction":
            prompts, templates = worded(problems.rows, self._instructions, prompts)
        meant = self._meant(programs)
        answers, solutions = result_text(meant, self.signature, self.max_result, style.solution)
        return Texts(prompts, answers, constant_text("string", n), templates, solutions)

    def wrong_answers_of(
        self, problems: Problems, places: Sequence[int]
    ) -> Mapping[int, Sequence[str]]:
        """Run programs with mistakes: one function that moves symbols is taken for another."""
        meant = self._meant(problems.derivations.take(np.array(places)))
        calls, rows = _calls(meant)
        moves = np.isin(meant.values[calls] % N_FUNCTIONS, [*_MOVES])
        calls, rows = calls[moves], rows[moves]
        starts = np.searchsorted(rows, np.arange(len(places) + 1))
        some = np.flatnonzero(np.diff(starts))
        drawn = Rows(problems.rows.stream, problems.rows.addresses[np.array(places)[some]]).draws()
        made = [meant.values]
        answers: list[list[str]] = [[] for _ in places]
        for number in range(_OFFERED):
            at = calls[starts[some] + (drawn.uniform() * np.diff(starts)[some]).astype(np.int64)]
            codes = made[number // 2].copy()  # each program is the beginning of two others
            turns = zip((codes[at] % N_FUNCTIONS).tolist(), drawn.integers(0, 3), strict=True)
            codes[at] = [_MOVES[name][turn] for name, turn in turns]
            made.append(codes)
            texts = result_text(
                Ragged(codes, meant.offsets), self.signature, self.max_result, "none"
            )
            for known, text in zip(answers, texts[0].to_pylist(), strict=True):
                known.append(text)
        return dict(zip(places, answers, strict=True))

    @property
    def _has_twin(self) -> NDArray[np.bool_]:
        return np.array([name in self.twins for name in FUNCTIONS])

    def _keys(self, programs: Ragged) -> Keys:
        return derivation_keys(programs, self.signature, self.domain)

    def _meant(self, programs: Ragged) -> Ragged:
        """Return the programs with exceptional pairs replaced by their meanings."""
        return _exceptional(programs) if self.exceptional else programs

    def _problems(self, rows: Rows, programs: Ragged, valid: NDArray[np.bool_]) -> Problems:
        """Make problems of programs: their keys and their axes."""
        keys = self._keys(programs)
        first_symbol = FIRST_STRING + self.max_string

        def measured() -> dict[str, NDArray[Any]]:
            lengths = measure_results(self._meant(programs).values, programs.offsets, first_symbol)
            twins = _chosen_twins(programs, keys, self._has_twin)
            changes = self._exception_changes(programs, counted_axes["n_exceptions"] > 0)
            return dict(zip((*_OF_RESULTS, *_COMPARED), (*lengths, twins, changes), strict=True))

        counted = count_axes(programs.values, programs.offsets, first_symbol)
        counted_axes = dict(zip(COUNTED, counted, strict=True))
        columns = LazyColumns(counted_axes, (*_OF_RESULTS, *_COMPARED), measured)
        return Problems(rows, programs, keys, columns, counted_axes["n_functions"], valid, {})

    def _exception_changes(
        self, programs: Ragged, affected: NDArray[np.bool_]
    ) -> NDArray[np.int16]:
        """Return 1 for affected programs whose regular meaning has another result, int16 (n,)."""
        some = programs.take(np.flatnonzero(affected))
        regular, exceptional = (
            text_keys(result_text(each, self.signature, self.max_result, "none")[0], self.domain)
            for each in (some, _exceptional(some))
        )
        changes = np.zeros(len(programs), np.int16)
        changes[affected] = (regular != exceptional).any(axis=1)
        return changes

    @property
    def _instructions(self) -> list[tuple[str, str]]:
        """The text before and after the program, for each wording."""
        words, used = _WORDS["sentences"], {*self.functions, self.root}
        pairs = [
            [FUNCTIONS[code] for code in (*pair, *meant)]
            for pair, meant in EXCEPTIONS.values()
            if self.exceptional and used.issuperset(FUNCTIONS[code] for code in pair)
        ]
        used.update(*pairs)
        lines = [meaning for name, meaning in _WORDS["meanings"].items() if name in used]
        if self.twin_mode != "none":
            names = [name for name in FUNCTIONS if name in self.twins and name in used]
            lines += [filled(words["twin"], {"function": name}) for name in names]
        meanings = "; ".join(lines)
        if pairs:
            holes = ("outer", "inner", "one", "other")
            cases = [filled(words["exception"], dict(zip(holes, p, strict=True))) for p in pairs]
            given = {"meanings": meanings, "exceptions": "; ".join(cases)}
            meanings = filled(words["exceptions"], given)
        texts = _WORDS.wordings("instruction")
        parts = (filled(text, {"meanings": meanings, "program": "\0"}) for text in texts)
        return [(before, after) for before, _, after in (part.partition("\0") for part in parts)]


@levelled("n_functions", 1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
@dataclass(frozen=True)
class PcfgExceptions(Pcfg):
    """Programs of string functions, where four pairs of adjacent functions have another meaning.

    The same address, stream and params give the same program as `pcfg`. Of several pairs in a
    program only the first in the list counts.
    """

    verifier = "pcfg_exceptions"
    domain = "pcfg_exceptions"
    exceptional = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.twin_mode != "none":
            raise ParamError("twin_mode", self.twin_mode, "none, as synonyms make no exceptions")


_about = (PcfgExceptions.__doc__ or "").partition("\n\nAttributes:")[0]
PcfgExceptions.__doc__ = f"{_about}{(Pcfg.__doc__ or '').partition('.')[2]}"


def _check_target(target: Any, *, needed: bool) -> None:
    """Raise ParamError unless target is a flat list of depths, lengths and counts."""
    wanted = "depth, length and count again and again, depth and length from 1 and count from 0"
    if needed:
        wanted += ", a count above 0 at a depth above 1"
    fits = isinstance(target, tuple) and len(target) % 3 == 0 and len(target) <= 3 * _MAX_CELLS
    if not fits or not all(isinstance(n, int) and not isinstance(n, bool) for n in target):
        raise ParamError("target", target, wanted)
    sizes = (*target[0::3], *target[1::3])
    fits = all(1 <= size <= _MAX_LENGTH for size in sizes)
    fits = fits and all(0 <= count <= _MAX_COUNT for count in target[2::3])
    used = any(d > 1 and n > 0 for d, n in zip(target[0::3], target[2::3], strict=True))
    if not fits or (needed and not used):
        raise ParamError("target", target, wanted)


@lru_cache(maxsize=16)
def _signature(letters: str, numbers: int, max_string: int) -> Signature:
    """Return the vocabulary of an alphabet and the longest string argument."""
    names = [*FUNCTIONS, *(f"{name}_twin" for name in FUNCTIONS)]
    arities = ([1] * N_UNARY + [2] * (N_FUNCTIONS - N_UNARY)) * 2
    lengths = range(1, max_string + 1)
    alphabet = [f"{letter}{number}" for letter in letters for number in range(1, numbers + 1)]
    names += [f"string{length}" for length in lengths]
    return Signature((*names, *alphabet), (*arities, *lengths, *[0] * len(alphabet)))


@lru_cache(maxsize=32)
def _plan(family: Pcfg) -> Plan:
    """Return the plan of the kernels; a user's target takes a moment."""
    used = [code for code, name in enumerate(FUNCTIONS) if name in family.functions]
    plan = Plan(
        thresholds=np.zeros(0),
        counts=np.zeros((0, 2), np.int64),
        bounds=np.zeros(0),
        kept=np.zeros((0, 0)),
        width=family.target_width,
        late_from=float(family.late_from if family.late_from >= 0 else PUBLISHED_LATE),
        unary=np.array([code for code in used if code < N_UNARY], np.int64),
        binary=np.array([code for code in used if code >= N_UNARY], np.int64),
        root=FUNCTIONS.index(family.root) if family.root else -1,
        strings=(family.min_string, family.max_string),
        depths=(family.min_depth, family.max_depth),
        max_text=family.max_text,
        max_result=family.max_result,
        n_symbols=len(family.letters) * family.numbers,
        attempts=_ATTEMPTS,
    )
    counts = max(family.min_functions, family.min_depth), family.max_functions
    p_unary, p_function = (
        None if isinstance(chance, str) else float(chance)
        for chance in (family.p_unary, family.p_function)
    )
    targets = {"published": None, "target": family.target, "grammar": ()}
    return completed(plan, counts, (p_unary, p_function), targets[family.distribution])


def _exceptional(programs: Ragged) -> Ragged:
    return Ragged(exceptional_codes(programs.values, programs.offsets), programs.offsets)


def _calls(programs: Ragged) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of all functions among the codes, and their rows."""
    places = np.flatnonzero(programs.values < FIRST_STRING)
    return places, np.searchsorted(programs.offsets, places, "right") - 1


def _with_synonyms(
    programs: Ragged, keys: NDArray[np.uint64], has_twin: NDArray[np.bool_], share: float
) -> NDArray[np.uint16]:
    """Replace each call of a function that has a synonym by the synonym, with this probability."""
    codes = programs.values.copy()
    places, rows = _calls(programs)
    able = has_twin[codes[places]]
    places, rows = places[able], rows[able]
    # Numbers of the draws: 1, 2, ... within each row.
    draw = np.arange(len(rows)) - np.searchsorted(rows, rows) + 1
    words = mix_words(keys[rows] + draw.astype(np.uint64) * GOLDEN)
    codes[places[(words >> np.uint64(11)).astype(np.float64) * 2.0**-53 < share]] += N_FUNCTIONS
    return codes


def _chosen_twins(programs: Ragged, keys: Keys, has_twin: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Choose one of each program's functions that have a synonym: 1 + code, 0 if it has none.

    In a program written with synonyms the first synonym is the choice. Otherwise the content key
    decides, so that equal programs choose alike.
    """
    places, rows = _calls(programs)
    calls = programs.values[places].astype(np.int16)
    occurs = np.zeros((len(programs), N_FUNCTIONS), np.bool_)
    occurs[rows, calls % N_FUNCTIONS] = True
    order = (occurs & has_twin).cumsum(axis=1)  # numbers from 1
    pick = (keys[:, 0] % np.maximum(order[:, -1], 1).astype(np.uint64)).astype(np.int64)
    chosen: NDArray[np.int16] = 1 + np.argmax(order > pick[:, None], axis=1).astype(np.int16)
    chosen[order[:, -1] == 0] = 0
    twins = np.flatnonzero(calls >= N_FUNCTIONS)[::-1]  # the first of a row is written last
    chosen[rows[twins]] = calls[twins] - N_FUNCTIONS + 1
    return chosen


GENERATORS = {"pcfg": Pcfg, "pcfg_exceptions": PcfgExceptions}
