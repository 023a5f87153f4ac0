"""Checkers of IFEval (arXiv:2311.07911) and IFTrain (arXiv:2507.02833) without language data.

Each function gets a text that is not blank, and the published arguments.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Mapping
from operator import ne
from typing import Any, TypeAlias

Test: TypeAlias = Callable[[str, Mapping[str, Any]], bool]

NO_MARKS = str.maketrans("", "", string.punctuation)
"""Deletes ASCII punctuation."""


def bare(piece: str) -> str:
    """Return a piece without ASCII punctuation and blanks at its ends."""
    return piece.strip(string.punctuation + " ")


_LISTS = ("keywords", "forbidden_words")
_RELATIONS = ("relation", "let_relation")
_KNOWN_RELATIONS = ("less than", "at least")
_TEXTS = (
    *("end_phrase", "first_word", "keyword", "keyword1", "keyword2", "last_word", "letter"),
    *("options", "phrase", "postscript_marker", "prompt_to_repeat", "section_spliter", "sep"),
)


def expected_argument(name: str, value: object) -> str | None:
    """Return what a published argument should be; None if it is, or has an unknown name.

    >>> expected_argument("relation", "at most"), expected_argument("keywords", ["ab"])
    ("'less than' or 'at least'", None)
    """
    if name in _RELATIONS and value not in _KNOWN_RELATIONS:
        return " or ".join(map(repr, _KNOWN_RELATIONS))
    if name in _LISTS:
        is_list = isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        return None if is_list else "a list of texts"
    return "text" if name in _TEXTS and not isinstance(value, str) else None


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


def copies(text: str, request: str) -> bool:
    """Return whether a text repeats a request, apart from case and blanks at the ends."""
    return text.strip().lower() == request.strip().lower()


def _frequency(text: str, given: Mapping[str, Any]) -> bool:
    count = text.lower().count(given["keyword"].strip().lower())
    return related(count, given["frequency"], given["relation"])


def _letter_frequency(text: str, given: Mapping[str, Any]) -> bool:
    count = text.lower().count(given["letter"].lower())
    return related(count, given["let_frequency"], given["let_relation"])


def _number_paragraphs(text: str, given: Mapping[str, Any]) -> bool:
    parts = parts_between(text, "***")
    return parts is not None and len(parts) == given["num_paragraphs"]


def _nth_paragraph_first_word(text: str, given: Mapping[str, Any]) -> bool:
    parts, nth = text.split("\n\n"), int(given["nth_paragraph"])
    count = sum(bool(part.strip()) for part in parts)
    if count != given["num_paragraphs"] or nth > count or not parts[nth - 1].strip():
        return False
    first = parts[nth - 1].split()[0].lstrip("'").lstrip('"')
    return bool(re.split(r"[.,?!'\"]", first)[0].lower() == given["first_word"].lower())


def _brackets(line: str) -> int:
    """Count the shortest pieces in square brackets, in time linear in the line."""
    count, at = 0, line.find("[")
    while at >= 0 and (end := line.find("]", at)) >= 0:
        count, at = count + 1, line.find("[", end)
    return count


def _postscript(text: str, given: Mapping[str, Any]) -> bool:
    marker = given["postscript_marker"]
    known = {"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."}
    return re.search(known.get(marker, re.escape(marker.lower())), text.lower()) is not None


def _number_bullet_lists(text: str, given: Mapping[str, Any]) -> bool:
    stars = re.findall(r"^[^\S\n]*\*[^\*].*$", text, re.MULTILINE)
    dashes = re.findall(r"^[^\S\n]*-.*$", text, re.MULTILINE)
    return bool(len(stars) + len(dashes) == given["num_bullets"])


def _number_highlights(text: str, given: Mapping[str, Any]) -> bool:
    single = re.findall(r"\*([^\n\*]*)\*", text)
    double = re.findall(r"\*\*([^\n\*]*)\*\*", text)
    return bool(sum(bool(inner.strip()) for inner in single + double) >= given["num_highlights"])


def _json_format(text: str, _: Mapping[str, Any]) -> bool:
    body = text.strip()
    for opening in ("```json", "```Json", "```JSON", "```"):
        body = body.removeprefix(opening)
    try:
        json.loads(body.removesuffix("```").strip())
    except (ValueError, RecursionError):
        return False
    return True


def _title(text: str, _: Mapping[str, Any]) -> bool:
    for line in text.split("\n"):
        start, end = line.find("<<"), line.rfind(">>")
        if 0 <= start < end - 2 and line[start : end + 2].lstrip("<").rstrip(">").strip():
            return True
    return False


def _two_responses(text: str, _: Mapping[str, Any]) -> bool:
    parts = parts_between(text, "******") or ()
    return len(parts) == 2 and parts[0].strip() != parts[1].strip()


def _copying_multiple(text: str, given: Mapping[str, Any]) -> bool:
    parts = text.split("******")
    is_number = len(parts) == given["N"]
    return is_number and all(copies(part, given["prompt_to_repeat"]) for part in parts)


def _repeat_phrase(text: str, given: Mapping[str, Any]) -> bool:
    words = given["phrase"].split()
    pattern = rf"{re.escape(words[0])} .*? {re.escape(words[-1])}"
    phrases = [phrase.split() for phrase in re.findall(pattern, text)]
    near = [phrase for phrase in phrases if len(phrase) == len(words)]
    near = [phrase for phrase in near if sum(map(ne, phrase, words)) == 1]
    return bool(len(phrases) == len(near) == given["small_n"])


def _count_increment_word(text: str, given: Mapping[str, Any]) -> bool:
    lowered = text.lower()
    first, second = (given[name].strip().lower() for name in ("keyword1", "keyword2"))
    return lowered.count(first) == 1 and lowered.count(second) == 2


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


def _all_sentences(text: str, place: int, word: str) -> bool:
    pieces = [sentence.split()[place] for sentence in _sentences(text)]
    return all(bare(piece).lower() == word.lower() for piece in pieces)


def _bigram_wrapping(text: str, _: Mapping[str, Any]) -> bool:
    pieces = text.split()
    pairs = zip(pieces[::2], pieces[1::2], strict=False)
    return all(a.startswith("<<") and b.endswith(">>") for a, b in pairs)


def _sentence_hyphens(text: str, _: Mapping[str, Any]) -> bool:
    pairs = zip(text.split("-"), _sentences(text.replace("-", " ")), strict=False)
    return all(piece == sentence for piece, sentence in pairs)


TESTS: dict[str, Test] = {
    "keywords:existence": lambda text, given: all(
        word.lower() in text.lower() for word in given["keywords"]
    ),
    **dict.fromkeys(("keywords:frequency", "keywords:word_count_different_numbers"), _frequency),
    "keywords:forbidden_words": lambda text, given: (
        not any(
            re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
            for word in given["forbidden_words"]
        )
    ),
    **dict.fromkeys(("keywords:letter_frequency", "letters:letter_counting2"), _letter_frequency),
    "length_constraints:number_words": lambda text, given: related(
        len(runs_of(text)), given["num_words"], given["relation"]
    ),
    "length_constraints:number_paragraphs": _number_paragraphs,
    "length_constraints:nth_paragraph_first_word": _nth_paragraph_first_word,
    "detectable_content:number_placeholders": lambda text, given: (
        sum(map(_brackets, text.split("\n"))) >= given["num_placeholders"]
    ),
    "detectable_content:postscript": _postscript,
    "detectable_format:number_bullet_lists": _number_bullet_lists,
    "detectable_format:constrained_response": lambda text, _: any(
        f"My answer is {choice}." in text for choice in ("yes", "no", "maybe")
    ),
    "detectable_format:number_highlighted_sections": _number_highlights,
    "detectable_format:multiple_sections": lambda text, given: (
        len(re.findall(rf"\s?{re.escape(given['section_spliter'])}\s?\d+\s?", text))
        >= given["num_sections"]
    ),
    "detectable_format:json_format": _json_format,
    "detectable_format:title": _title,
    "combination:two_responses": _two_responses,
    "combination:repeat_prompt": lambda text, given: (
        text.strip().lower().startswith(given["prompt_to_repeat"].strip().lower())
    ),
    "startend:end_checker": lambda text, given: (
        text.strip().strip('"').lower().endswith(given["end_phrase"].strip().lower())
    ),
    "startend:quotation": lambda text, _: re.fullmatch('".*"', text.strip(), re.DOTALL) is not None,
    "punctuation:no_comma": lambda text, _: "," not in text,
    # IFTrain.
    "copy:copy": lambda text, given: copies(text, given["prompt_to_repeat"]),
    "copy:copying_simple": lambda text, given: copies(text, given["prompt_to_repeat"]),
    "copy:copying_multiple": _copying_multiple,
    "new:copy_span_idx": lambda text, given: copies(
        text, given["prompt_to_repeat"][int(given["n_start"]) : int(given["n_end"])]
    ),
    "copy:repeat_phrase": _repeat_phrase,
    "keywords:word_once": lambda text, given: (
        text.lower().count(given["keyword"].strip().lower()) == 1
    ),
    "count:count_increment_word": _count_increment_word,
    "keywords:exclude_word_harder": lambda text, given: f" {given['keyword']} " not in text,
    "keywords:palindrome": lambda text, _: any(
        piece == piece[::-1] for piece in text.lower().split()
    ),
    "count:lowercase_counting": lambda text, given: (
        len(re.findall(r"\b[a-z]+\b", text)) <= given["N"]
    ),
    "letters:letter_counting": lambda text, given: related(
        len(re.findall("[a-zA-Z]", text)), given["N"], given["relation"]
    ),
    "paragraphs:paragraphs": lambda text, _: len(parts_between(text, "***") or ()) == 2,
    "paragraphs:paragraphs2": _two_paragraphs_by_blank_line,
    "first_word:first_word_sent": lambda text, given: _all_sentences(text, 0, given["first_word"]),
    "first_word:first_word_answer": lambda text, given: (
        text.split()[0].lower() == given["first_word"].lower()
    ),
    "last_word:last_word_sent": lambda text, given: _all_sentences(text, -1, given["last_word"]),
    "last_word:last_word_answer": lambda text, given: (
        text.split()[-1].translate(NO_MARKS).lower() == given["last_word"].lower()
    ),
    "detectable_format:bigram_wrapping": _bigram_wrapping,
    "detectable_format:square_brackets": lambda text, _: all(
        piece.startswith("[") and piece.endswith("]") for piece in text.split()
    ),
    "detectable_format:sentence_hyphens": _sentence_hyphens,
    "punctuation:punctuation_dot": lambda text, _: "." not in text,
    "punctuation:punctuation_exclamation": lambda text, _: "!" not in text,
}
"""The checkers by instruction id."""
