"""Checkers of IFEval (arXiv:2311.07911) and IFTrain (arXiv:2507.02833) without language data.

Each function gets a text that is not blank, and the published arguments.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

Test: TypeAlias = Callable[[str, Mapping[str, Any]], bool]

TESTS: dict[str, Test] = {}
"""The checkers by instruction id."""
NO_MARKS = str.maketrans("", "", string.punctuation)
"""Deletes ASCII punctuation."""


def registered(table: dict[str, Test], *ids: str) -> Callable[[Test], Test]:
    """Return a decorator that enters a checker into a table under its ids."""

    def register(test: Test) -> Test:
        table.update(dict.fromkeys(ids, test))
        return test

    return register


def _test(*ids: str) -> Callable[[Test], Test]:
    return registered(TESTS, *ids)


def bare(piece: str) -> str:
    """Return a piece without ASCII punctuation and blanks at its ends."""
    return piece.strip(string.punctuation + " ")


def related(count: int, bound: Any, relation: str) -> bool:
    """Return whether a count has a published relation to a bound."""
    return bool(count < bound if relation == "less than" else count >= bound)


def runs_of(text: str) -> list[str]:
    """Return the maximal runs of letters, digits and underscores."""
    return re.findall(r"\w+", text)


def parts_between(text: str, divider: str) -> list[str] | None:
    """Return the parts between dividers; None if one other than the first and last is blank."""
    parts = re.split(rf"\s?{re.escape(divider)}\s?", text)
    if any(not part.strip() for part in parts[1:-1]):
        return None
    return [part for part in parts if part.strip()]


@_test("keywords:existence")
def _existence(text: str, given: Mapping[str, Any]) -> bool:
    return all(word.lower() in text.lower() for word in given["keywords"])


@_test("keywords:frequency", "keywords:word_count_different_numbers")
def _frequency(text: str, given: Mapping[str, Any]) -> bool:
    count = text.lower().count(given["keyword"].strip().lower())
    return related(count, given["frequency"], given["relation"])


@_test("keywords:forbidden_words")
def _forbidden_words(text: str, given: Mapping[str, Any]) -> bool:
    words = given["forbidden_words"]
    return not any(re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) for word in words)


@_test("keywords:letter_frequency", "letters:letter_counting2")
def _letter_frequency(text: str, given: Mapping[str, Any]) -> bool:
    count = text.lower().count(given["letter"].lower())
    return related(count, given["let_frequency"], given["let_relation"])


@_test("length_constraints:number_words")
def _number_words(text: str, given: Mapping[str, Any]) -> bool:
    return related(len(runs_of(text)), given["num_words"], given["relation"])


@_test("length_constraints:number_paragraphs")
def _number_paragraphs(text: str, given: Mapping[str, Any]) -> bool:
    parts = parts_between(text, "***")
    return parts is not None and len(parts) == given["num_paragraphs"]


@_test("length_constraints:nth_paragraph_first_word")
def _nth_paragraph_first_word(text: str, given: Mapping[str, Any]) -> bool:
    parts, nth = text.split("\n\n"), int(given["nth_paragraph"])
    count = sum(bool(part.strip()) for part in parts)
    if count != given["num_paragraphs"] or nth > count or not parts[nth - 1].strip():
        return False
    first = parts[nth - 1].split()[0].lstrip("'").lstrip('"')
    return bool(re.split(r"[.,?!'\"]", first)[0].lower() == given["first_word"].lower())


@_test("detectable_content:number_placeholders")
def _number_placeholders(text: str, given: Mapping[str, Any]) -> bool:
    return bool(sum(map(_brackets, text.split("\n"))) >= given["num_placeholders"])


def _brackets(line: str) -> int:
    """Count the shortest pieces in square brackets, in time linear in the line."""
    count, at = 0, line.find("[")
    while at >= 0 and (end := line.find("]", at)) >= 0:
        count, at = count + 1, line.find("[", end)
    return count


@_test("detectable_content:postscript")
def _postscript(text: str, given: Mapping[str, Any]) -> bool:
    marker = given["postscript_marker"]
    known = {"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."}
    return re.search(known.get(marker, re.escape(marker.lower())), text.lower()) is not None


@_test("detectable_format:number_bullet_lists")
def _number_bullet_lists(text: str, given: Mapping[str, Any]) -> bool:
    stars = re.findall(r"^[^\S\n]*\*[^\*].*$", text, re.MULTILINE)
    dashes = re.findall(r"^[^\S\n]*-.*$", text, re.MULTILINE)
    return bool(len(stars) + len(dashes) == given["num_bullets"])


@_test("detectable_format:constrained_response")
def _constrained_response(text: str, _: Mapping[str, Any]) -> bool:
    return any(f"My answer is {choice}." in text for choice in ("yes", "no", "maybe"))


@_test("detectable_format:number_highlighted_sections")
def _number_highlights(text: str, given: Mapping[str, Any]) -> bool:
    single = re.findall(r"\*([^\n\*]*)\*", text)
    double = re.findall(r"\*\*([^\n\*]*)\*\*", text)
    return bool(sum(bool(inner.strip()) for inner in single + double) >= given["num_highlights"])


@_test("detectable_format:multiple_sections")
def _multiple_sections(text: str, given: Mapping[str, Any]) -> bool:
    headings = re.findall(rf"\s?{re.escape(given['section_spliter'])}\s?\d+\s?", text)
    return bool(len(headings) >= given["num_sections"])


@_test("detectable_format:json_format")
def _json_format(text: str, _: Mapping[str, Any]) -> bool:
    body = text.strip()
    for opening in ("```json", "```Json", "```JSON", "```"):
        body = body.removeprefix(opening)
    try:
        json.loads(body.removesuffix("```").strip())
    except (ValueError, RecursionError):
        return False
    return True


@_test("detectable_format:title")
def _title(text: str, _: Mapping[str, Any]) -> bool:
    for line in text.split("\n"):
        start, end = line.find("<<"), line.rfind(">>")
        if 0 <= start < end - 2 and line[start : end + 2].lstrip("<").rstrip(">").strip():
            return True
    return False


@_test("combination:two_responses")
def _two_responses(text: str, _: Mapping[str, Any]) -> bool:
    parts = text.split("******")
    if any(not part.strip() for part in parts[1:-1]):
        return False
    responses = [part.strip() for part in parts if part.strip()]
    return len(responses) == 2 and responses[0] != responses[1]


@_test("combination:repeat_prompt")
def _repeat_prompt(text: str, given: Mapping[str, Any]) -> bool:
    return text.strip().lower().startswith(given["prompt_to_repeat"].strip().lower())


@_test("startend:end_checker")
def _end_checker(text: str, given: Mapping[str, Any]) -> bool:
    return text.strip().strip('"').lower().endswith(given["end_phrase"].strip().lower())


@_test("startend:quotation")
def _quotation(text: str, _: Mapping[str, Any]) -> bool:
    whole = text.strip()
    return len(whole) > 1 and whole[0] == whole[-1] == '"'


@_test("punctuation:no_comma")
def _no_comma(text: str, _: Mapping[str, Any]) -> bool:
    return "," not in text


# IFTrain.


@_test("copy:copy", "copy:copying_simple")
def _copy(text: str, given: Mapping[str, Any]) -> bool:
    return bool(text.strip().lower() == given["prompt_to_repeat"].strip().lower())


@_test("copy:copying_multiple")
def _copying_multiple(text: str, given: Mapping[str, Any]) -> bool:
    copies = text.split("******")
    return len(copies) == given["N"] and all(_copy(copy, given) for copy in copies)


@_test("new:copy_span_idx")
def _copy_span_idx(text: str, given: Mapping[str, Any]) -> bool:
    span = given["prompt_to_repeat"][int(given["n_start"]) : int(given["n_end"])]
    return bool(text.strip().lower() == span.strip().lower())


@_test("copy:repeat_phrase")
def _repeat_phrase(text: str, given: Mapping[str, Any]) -> bool:
    words = given["phrase"].split()
    pattern = rf"{re.escape(words[0])} .*? {re.escape(words[-1])}"
    phrases = re.findall(pattern, text)
    near = [phrase for phrase in phrases if _differs_inside_once(phrase.split(), words)]
    return bool(len(phrases) == len(near) == given["small_n"])


def _differs_inside_once(words: Sequence[str], phrase: Sequence[str]) -> bool:
    if len(words) != len(phrase):
        return False
    return sum(a != b for a, b in zip(words, phrase, strict=True)) == 1


@_test("keywords:word_once")
def _word_once(text: str, given: Mapping[str, Any]) -> bool:
    return text.lower().count(given["keyword"].strip().lower()) == 1


@_test("count:count_increment_word")
def _count_increment_word(text: str, given: Mapping[str, Any]) -> bool:
    lowered = text.lower()
    first, second = (given[name].strip().lower() for name in ("keyword1", "keyword2"))
    return lowered.count(first) == 1 and lowered.count(second) == 2


@_test("keywords:exclude_word_harder")
def _exclude_word_harder(text: str, given: Mapping[str, Any]) -> bool:
    return f" {given['keyword']} " not in text


@_test("keywords:palindrome")
def _any_palindrome(text: str, _: Mapping[str, Any]) -> bool:
    return any(piece == piece[::-1] for piece in text.lower().split())


@_test("count:lowercase_counting")
def _lowercase_counting(text: str, given: Mapping[str, Any]) -> bool:
    return bool(len(re.findall(r"\b[a-z]+\b", text)) <= given["N"])


@_test("letters:letter_counting")
def _letter_counting(text: str, given: Mapping[str, Any]) -> bool:
    return related(len(re.findall("[a-zA-Z]", text)), given["N"], given["relation"])


@_test("paragraphs:paragraphs")
def _two_paragraphs_by_stars(text: str, _: Mapping[str, Any]) -> bool:
    parts = parts_between(text, "***")
    return parts is not None and len(parts) == 2


@_test("paragraphs:paragraphs2")
def _two_paragraphs_by_blank_line(text: str, _: Mapping[str, Any]) -> bool:
    parts = text.split("\n\n")
    return all(part.strip() for part in parts[1:-1]) and sum(bool(p.strip()) for p in parts) == 2


def _sentences(text: str) -> list[str]:
    """Split at every final mark, but not behind a title, an initial or a number."""
    joined = text.replace("\n", " ")
    kept = re.sub(
        r"\b(Mr|St|Mrs|Ms|Dr|Inc|Ltd|Jr|Sr|Co|[A-Za-z])\.|(?<=\d)\.(?=\d)", "\\1\0", joined
    )
    pieces = re.findall(r"[^.!?]*(?:\.{2,}|[.!?]|$)", kept)
    return [piece.replace("\0", ".").strip() for piece in pieces if piece.strip()]


@_test("first_word:first_word_sent")
def _first_word_of_sentences(text: str, given: Mapping[str, Any]) -> bool:
    word = given["first_word"].lower()
    return all(bare(sentence.split()[0]).lower() == word for sentence in _sentences(text))


@_test("first_word:first_word_answer")
def _first_word_of_answer(text: str, given: Mapping[str, Any]) -> bool:
    return bool(text.split()[0].lower() == given["first_word"].lower())


@_test("last_word:last_word_sent")
def _last_word_of_sentences(text: str, given: Mapping[str, Any]) -> bool:
    word = given["last_word"].lower()
    return all(bare(sentence.split()[-1]).lower() == word for sentence in _sentences(text))


@_test("last_word:last_word_answer")
def _last_word_of_answer(text: str, given: Mapping[str, Any]) -> bool:
    return bool(text.split()[-1].translate(NO_MARKS).lower() == given["last_word"].lower())


@_test("detectable_format:bigram_wrapping")
def _bigram_wrapping(text: str, _: Mapping[str, Any]) -> bool:
    pieces = text.split()
    pairs = zip(pieces[::2], pieces[1::2], strict=False)
    return all(a.startswith("<<") and b.endswith(">>") for a, b in pairs)


@_test("detectable_format:square_brackets")
def _square_brackets(text: str, _: Mapping[str, Any]) -> bool:
    return all(piece.startswith("[") and piece.endswith("]") for piece in text.split())


@_test("detectable_format:sentence_hyphens")
def _sentence_hyphens(text: str, _: Mapping[str, Any]) -> bool:
    pairs = zip(text.split("-"), _sentences(text.replace("-", " ")), strict=False)
    return all(piece == sentence for piece, sentence in pairs)


@_test("punctuation:punctuation_dot")
def _no_dot(text: str, _: Mapping[str, Any]) -> bool:
    return "." not in text


@_test("punctuation:punctuation_exclamation")
def _no_exclamation(text: str, _: Mapping[str, Any]) -> bool:
    return "!" not in text
