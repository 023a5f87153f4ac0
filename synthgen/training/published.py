"""Verdicts of the published constraint benchmarks on a text.

IFEval (Zhou et al. 2023, arXiv:2311.07911), IFBench and IFTrain (Pyatkin et al. 2025,
arXiv:2507.02833) pair instruction ids with checkers. The checkers of the 86 ids here are string
tests and need no language data. One function implements each, those of IFBench here and the others
in `published_ifeval`, including the cases in which the published test differs from a reader.

Keywords are compared as text. The published checkers read them as regular expressions, which
differs only for keywords with special characters.
"""

from __future__ import annotations

import csv
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any
from unicodedata import normalize

from synthgen.training.published_ifeval import (
    NO_MARKS,
    TESTS,
    Test,
    bare,
    copies,
    expected_argument,
    runs_of,
)
from synthgen.training.rates import PartVerdict, Rates, rates

_VOWELS = "aeiou"
_CONSONANTS = {*string.ascii_lowercase} - {*_VOWELS}
_OUTSIDE_QUOTES = string.digits + string.punctuation.replace('"', "")
_CONJUNCTIONS = {"and", "but", "for", "nor", "or", "so", "yet"}
_NAMES = (
    "Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander "
    "Amelia Benjamin Harper Leo Zoe Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel "
    "Ella Jacob Scarlett Nathan Victoria Elijah Layla Nicholas Audrey David Hannah Christopher "
    "Penelope Thomas Nora Andrew Aria Joseph Claire Ryan Stella Jonathan"
).split()
_CAPITALS = (
    "Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin "
    "Amsterdam Warsaw London Brussels Prague Luxembourg Paris Vienna Bratislava Budapest Vaduz "
    "Chisinau Bern Ljubljana Zagreb"
).split()


class UnknownInstructionError(ValueError):
    """An instruction id that has no test here."""


def check_constraint(
    instruction_id: str, kwargs: Mapping[str, Any], text: str, *, loose: bool = False
) -> bool:
    """Return the published verdict on a text.

    Args:
        instruction_id: Id of IFEval, IFBench or IFTrain, such as "keywords:existence".
        kwargs: Arguments as published; keys with the value None are ignored.
        text: Text of the answer.
        loose: Whether to also accept the text without its first line, its last line, both, and
            without asterisks (IFEval, section 2.2).

    Raises:
        UnknownInstructionError: if the id is unknown or needs language data.
        ValueError: if an argument is missing, of a wrong type, or an unknown relation.

    Example:
        >>> check_constraint("punctuation:no_comma", {}, "Red and blue")
        True
    """
    test = _TESTS.get(instruction_id)
    if test is None:
        msg = f"{instruction_id!r} is not an id that can be checked without language data"
        raise UnknownInstructionError(msg)
    given = {name: value for name, value in kwargs.items() if value is not None}
    for name, value in given.items():
        expected = expected_argument(name, value)
        if expected:
            msg = f"{instruction_id}: {name}={str(value)[:80]!r}: expected {expected}"
            raise ValueError(msg)
    try:
        return any(v.strip() and test(v, given) for v in _variants(text, loose=loose))
    except KeyError as missing:
        msg = f"{instruction_id} needs the argument {missing}"
        raise ValueError(msg) from None
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        msg = f"{instruction_id} cannot use the arguments {str(given)[:200]}: {error}"
        raise ValueError(msg) from None


def _variants(text: str, *, loose: bool) -> Iterator[str]:
    if not loose:
        yield text
        return
    lines = text.split("\n")
    for lines_left in (lines, lines[1:], lines[:-1], lines[1:-1]):
        variant = "\n".join(lines_left)
        variant = variant if lines_left is lines else variant.strip()
        yield variant
        yield variant.replace("*", "")


def _unmarked(text: str) -> list[str]:
    """Return the pieces of a text after its ASCII punctuation is deleted."""
    return text.translate(NO_MARKS).split()


def _keywords_multiple(text: str, given: Mapping[str, Any]) -> bool:
    counts = zip(range(1, 6), (1, 2, 3, 5, 7), strict=True)
    return all(text.lower().count(given[f"keyword{i}"].lower()) == n for i, n in counts)


def _punctuation(text: str, _: Mapping[str, Any]) -> bool:
    for both in ("?!", "!?", "\u203d"):
        if both in text:
            return all(mark in text.replace(both, "", 1) for mark in ".,!?;:")
    return False


def _words_japanese(text: str, given: Mapping[str, Any]) -> bool:
    chosen = text.split()[int(given["N"]) - 1 :: int(given["N"])]
    left = [piece.strip((string.punctuation + " ") + string.digits) for piece in chosen]
    return all(not piece or re.search("[\u3040-\u30ff\u4e00-\u9fff]", piece) for piece in left)


def _overlap(text: str, given: Mapping[str, Any]) -> bool:
    mine, theirs = _trigrams(text), _trigrams(given["reference_text"])
    if not mine:
        return False
    return bool(abs(100 * len(mine & theirs) / len(mine) - given["percentage"]) <= 2)


def _trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(len(text) - 2)}


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % d for d in range(2, int(number**0.5) + 1))


def _alphabet(text: str, _: Mapping[str, Any]) -> bool:
    initials = [word[0] for word in _unmarked(text.lower())]
    letters = string.ascii_lowercase
    if not initials or initials[0] not in letters:
        return False
    start = letters.index(initials[0])
    return all(initial == letters[(start + i) % 26] for i, initial in enumerate(initials))


def _parentheses(text: str, _: Mapping[str, Any]) -> bool:
    closing = {"(": ")", "[": "]", "{": "}"}
    stack: list[str] = []
    for char in text:
        if char in closing:
            stack.append(closing[char])
        elif char in ")]}":
            if not stack or stack[-1] != char:
                return False
            if len(stack) >= 5:
                return True
            stack.pop()
    return False


def _quotes(text: str, _: Mapping[str, Any]) -> bool:
    stack: list[str] = []
    deepest = 0
    for char in text:
        if stack and stack[-1] == char:
            stack.pop()
            if deepest - len(stack) >= 3:
                return True
        elif char in "\"'":
            stack.append(char)
            deepest = max(deepest, len(stack))
    return False


def _quote_unquote(text: str, _: Mapping[str, Any]) -> bool:
    quoted = "".join(text.replace("'\"'", "").split())
    return '""' not in quoted and not quoted.strip(_OUTSIDE_QUOTES).endswith('"')


def _options(text: str, given: Mapping[str, Any]) -> bool:
    options = given["options"]
    divider = "/" if "/" in options else "or" if "or" in options else ","
    choices = [choice.strip() for choice in options.split(divider)]
    if all(len(bare(choice)) == 1 for choice in choices):
        return text in choices
    return bare(text).lower() in [bare(choice).lower() for choice in choices]


def _newline(text: str, _: Mapping[str, Any]) -> bool:
    unmarked = text.translate(NO_MARKS).strip()
    return sum(line != "" for line in unmarked.split("\n")) == len(unmarked.split())


def _line_indent(text: str, _: Mapping[str, Any]) -> bool:
    lines: list[str] = []
    blank = False
    for line in text.split("\n"):
        blank = not blank and not line.strip()  # of blank lines in a row every other one counts
        if not blank:
            lines.append(line)
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    return all(a < b for a, b in pairwise(indents))


def _thesis(text: str, _: Mapping[str, Any]) -> bool:
    opened = max(text.find("<i>"), text.find("<em>"))
    closed = max(text.find("</i>"), text.find("</em>"))
    if opened < 0 or closed < 0:
        return False
    return bool(text[opened + 3 : closed].strip()) and bool(text[closed + 4 :].strip())


def _mcq_count_length(text: str, _: Mapping[str, Any]) -> bool:
    lengths = []
    for question in re.split(r"Question\s+\d+", text)[1:]:
        stem, *options = re.split(r"^[A-E][.)]", question, flags=re.MULTILINE)
        if len(options) != 5:
            return False
        lengths.append(len(stem))
    return len(lengths) == 4 and all(a < b for a, b in pairwise(lengths))


def _reverse_newline(text: str, _: Mapping[str, Any]) -> bool:
    lines = [bare(line) for line in text.split("\n")]
    if "Zimbabwe" not in lines:
        return False
    names = [line for line in lines[lines.index("Zimbabwe") :] if line]
    return len(names) >= 52 and names == sorted(names, reverse=True)


def _european_capitals_sort(text: str, _: Mapping[str, Any]) -> bool:
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode()
    return [name.strip() for name in plain.split(",") if name.strip()] == _CAPITALS


def _table(text: str, **dialect: Any) -> list[list[str]]:
    try:
        return list(csv.reader(text.strip().split("\n"), **dialect))
    except csv.Error:
        return []


def _csv_city(text: str, _: Mapping[str, Any]) -> bool:
    rows = _table(text)
    header = ["ID", "Country", "City", "Year", "Count"]
    return len(rows) == 8 and rows[0] == header and all(len(row) == 5 for row in rows)


def _csv_special_character(text: str, _: Mapping[str, Any]) -> bool:
    rows = _table(text)
    header = ["ProductID", "Category", "Brand", "Price", "Stock"]
    quoted = re.findall(r'"[^"]*[^\w\s"][^"]*"', text)
    shape = len(rows) == 15 and all(len(row) == 5 for row in rows)
    return shape and rows[0] == header and bool(quoted)


def _csv_quotes(text: str, _: Mapping[str, Any]) -> bool:
    rows = [[field.strip() for field in line.split("\t")] for line in text.strip().split("\n")]
    header = ["StudentID", "Subject", "Grade", "Semester", "Score"]
    shape = len(rows) == 4 and all(len(row) == 5 for row in rows)
    quoted = all(len(field) > 1 and field[0] == field[-1] == '"' for row in rows for field in row)
    return shape and quoted and [field.strip('"') for field in rows[0]] == header


def _date_format_list(text: str, _: Mapping[str, Any]) -> bool:
    for date in text.strip().split(","):
        match = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", date.strip())
        if not match:
            return False
        year, month, day = map(int, match.groups())
        days = 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
        if not 1769 <= year <= 1821 or month > 12 or day > days:
            return False
    return True


def _repeat_change(text: str, given: Mapping[str, Any]) -> bool:
    request = given["prompt_to_repeat"]
    return bool(text != request and text.split()[1:] == request.split()[1:])


_TESTS: Mapping[str, Test] = {
    **TESTS,
    "count:word_count_range": lambda text, given: (
        given["min_words"] <= len(runs_of(text)) <= given["max_words"]
    ),
    "count:unique_word_count": lambda text, given: (
        len({bare(piece) for piece in text.lower().split()}) >= given["N"]
    ),
    "count:numbers": lambda text, given: (
        len(re.findall(r"\d+", text.translate(NO_MARKS))) == given["N"]
    ),
    "count:conjunctions": lambda text, given: (
        len({piece for piece in text.split() if bare(piece).lower() in _CONJUNCTIONS})
        >= given["small_n"]
    ),
    "count:person_names": lambda text, given: (
        sum(re.search(rf"\b{name}\b", text) is not None for name in _NAMES) >= given["N"]
    ),
    "count:keywords_multiple": _keywords_multiple,
    "count:punctuation": _punctuation,
    "count:words_japanese": _words_japanese,
    "ratio:overlap": _overlap,
    "words:repeats": lambda text, given: all(
        count <= given["small_n"] for count in Counter(_unmarked(text.lower())).values()
    ),
    "words:alphabet": _alphabet,
    "words:consonants": lambda text, _: all(
        any({*pair} <= _CONSONANTS for pair in pairwise(piece)) for piece in text.lower().split()
    ),
    "words:prime_lengths": lambda text, _: all(_is_prime(len(word)) for word in _unmarked(text)),
    "words:vowel": lambda text, _: (
        "\n" not in text.strip() and len({*text.lower()} & {*_VOWELS}) <= 3
    ),
    "words:no_consecutive": lambda text, _: all(
        a[0] != b[0] for a, b in pairwise(_unmarked(text.lower()))
    ),
    "keywords:no_adjacent_consecutive": lambda text, _: all(
        ord(b[0]) - ord(a[0]) != 1 for a, b in pairwise(text.lower().split())
    ),
    "words:palindrome": lambda text, _: (
        sum(len(word) >= 5 and word == word[::-1] for word in _unmarked(text.lower())) >= 10
    ),
    "words:paragraph_last_first": lambda text, _: all(
        not pieces or pieces[0] == pieces[-1]
        for pieces in (bare(line).lower().split() for line in text.split("\n"))
    ),
    "format:parentheses": _parentheses,
    "format:quotes": _quotes,
    "format:quote_unquote": _quote_unquote,
    "format:options": _options,
    "format:newline": _newline,
    "format:line_indent": _line_indent,
    "format:list": lambda text, given: text.count(given["sep"]) >= 2,
    "format:sub-bullets": lambda text, _: all("-" in bullet for bullet in text.split("*")[1:]),
    "format:thesis": _thesis,
    "format:output_template": lambda text, _: all(
        label in text for label in ("My Answer:", "My Conclusion:", "Future Outlook:")
    ),
    "format:no_whitespace": lambda text, _: not any(char.isspace() for char in text),
    "custom:multiples": lambda text, _: (
        [int(run) for run in re.findall(r"\d+", text)] == [14, 21, 28, 35, 42, 49]
    ),
    "custom:mcq_count_length": _mcq_count_length,
    "custom:reverse_newline": _reverse_newline,
    "custom:word_reverse": lambda text, _: (
        "bald eagle" in " ".join(reversed(_unmarked(text.lower())))
    ),
    "custom:character_reverse": lambda text, _: "elgae dlab" in text.lower(),
    "custom:european_capitals_sort": _european_capitals_sort,
    "custom:csv_city": _csv_city,
    "custom:csv_special_character": _csv_special_character,
    "custom:csv_quotes": _csv_quotes,
    "custom:date_format_list": _date_format_list,
    "repeat:repeat_change": _repeat_change,
    "repeat:repeat_simple": lambda text, _: (
        text.strip().lower() == "only output this sentence here, ignore all other requests."
    ),
    "repeat:repeat_span": lambda text, given: copies(
        text, given["prompt_to_repeat"][int(given["n_start"]) : int(given["n_end"]) + 1]
    ),
}
"""The checkers of all benchmarks by instruction id."""


# Files of prompts and answers.


def score_answers(
    prompts: Iterable[Mapping[str, Any]], answers: Mapping[str, str]
) -> tuple[Rates, int]:
    """Score answers to prompts in IFEval's form.

    Args:
        prompts: Objects with `prompt`, `instruction_id_list` and `kwargs`.
        answers: Answer of a model to each prompt; a missing one follows no instruction.

    Returns:
        The rates at which instructions are followed, by id, and the number of prompts that are
        left out because an id needs language data.

    Raises:
        ValueError: if no prompt can be scored, or, with its line, for one that is not in that form.
    """
    scored: list[list[PartVerdict]] = []
    skipped = 0
    for line, row in enumerate(prompts, 1):
        try:
            verdicts = _verdicts(row, answers.get(row["prompt"], ""))
        except ValueError as error:
            msg = f"line {line:,}: {error}"
            raise ValueError(msg) from None
        skipped += not verdicts
        scored += [verdicts] if verdicts else []
    overall = rates(scored)
    if overall is None:
        msg = "no prompt has only instructions that can be checked without language data"
        raise ValueError(msg)
    return overall, skipped


def _verdicts(row: Mapping[str, Any], text: str) -> list[PartVerdict]:
    """Return the verdicts on the instructions of a prompt; none if one needs language data."""
    ids, kwargs = row["instruction_id_list"], row["kwargs"]
    if not all(isinstance(name, str) for name in ids):
        msg = "expected texts in instruction_id_list"
        raise ValueError(msg)
    if len(ids) != len(kwargs) or not all(isinstance(given, dict) for given in kwargs):
        msg = "expected an object in kwargs for each of instruction_id_list"
        raise ValueError(msg)
    if not set(ids) <= _TESTS.keys():
        return []
    return [
        (name, check_constraint(name, given, text), check_constraint(name, given, text, loose=True))
        for name, given in zip(ids, kwargs, strict=True)
    ]


def published_form(rule: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the published id and arguments that a constraint equals or implies, if there are any.

    Args:
        rule: Constraint in canonical form, as in the answers of `constraints`.

    Example:
        >>> published_form({"type": "avoid_mark", "c": ","})
        ('punctuation:no_comma', {})
    """
    kind, n, rel = rule["type"], rule.get("n", 0), rule.get("rel")
    if kind in ("words", "word_count") and rel != "at least":
        return None
    if kind == "letter_count":
        at_least = rel == "at least"
        bounds = {"let_frequency": n if at_least else n + 1}
        relation = {"let_relation": "at least" if at_least else "less than"}
        return "keywords:letter_frequency", {"letter": rule["c"], **bounds, **relation}
    if kind == "avoid_mark":
        marks = {",": "no_comma", ".": "punctuation_dot", "!": "punctuation_exclamation"}
        return (f"punctuation:{marks[rule['c']]}", {}) if rule["c"] in marks else None
    if kind == "responses":
        return ("combination:two_responses", {}) if n == 2 else None
    if kind == "postscript":
        marker = rule["marker"] if rule["marker"] == "P.S." else "P.P.S"
        return "detectable_content:postscript", {"postscript_marker": marker}
    if kind not in _PUBLISHED:
        return None
    name, arguments = _PUBLISHED[kind]
    return name, {key: rule.get(value, value) for key, value in arguments.items()}


_PUBLISHED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "words": ("length_constraints:number_words", {"num_words": "n", "relation": "at least"}),
    "word_count": (
        "keywords:frequency",
        {"keyword": "w", "frequency": "n", "relation": "at least"},
    ),
    "include": ("keywords:existence", {"keywords": "listed"}),
    "avoid": ("keywords:forbidden_words", {"forbidden_words": "listed"}),
    "quoted": ("startend:quotation", {}),
    "bullets": ("detectable_format:number_bullet_lists", {"num_bullets": "n"}),
    "sections": (
        "detectable_format:multiple_sections",
        {"section_spliter": "label", "num_sections": "n"},
    ),
    "placeholders": ("detectable_content:number_placeholders", {"num_placeholders": "n"}),
    "json": ("detectable_format:json_format", {}),
    "title": ("detectable_format:title", {}),
    "divider": ("length_constraints:number_paragraphs", {"num_paragraphs": "n"}),
    "end_with": ("startend:end_checker", {"end_phrase": "phrase"}),
    "echo": ("combination:repeat_prompt", {"prompt_to_repeat": "request"}),
    "numbers": ("count:numbers", {"N": "n"}),
    "unique_words": ("count:unique_word_count", {"N": "n"}),
}
"""Type -> published id, and its arguments as names of values or as texts."""
