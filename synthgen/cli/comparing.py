"""The command compare, and what it shares with audit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synthgen.cli.common import AsJson, command, plain_console, print_json, say, say_error
from synthgen.core.errors import EXIT_CHECK_FAILED, ParamError

if TYPE_CHECKING:
    from synthgen.auditing.findings import Report
    from synthgen.auditing.third_party import MeasuringOptions
    from synthgen.verifying.verification import Verification

StructureForm = Annotated[
    str | None, typer.Option(help="tree or tokens (default: detected from the first row).")
]
Tokens = Annotated[
    str, typer.Option(help="Units of prompts: words, numbers (each a word of its own) or chars.")
]
Form = Annotated[
    str | None,
    typer.Option(
        "--format", help="tsv csv jsonl json parquet arrow scan lines; default: by extension."
    ),
]
Encoding = Annotated[str | None, typer.Option(help="Encoding of text files (default: utf-8).")]
NoHeader = Annotated[bool, typer.Option("--no-header", help="No header row; columns are 1, 2, ...")]
FoldCase = Annotated[
    bool, typer.Option("--fold-case", help="Treat texts that differ only in case as equal at L1.")
]


@command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="Dataset folder or file.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Dataset or file to compare with A.")],
    split_a: Annotated[list[str] | None, typer.Option(help="Splits of A (default: all).")] = None,
    split_b: Annotated[list[str] | None, typer.Option(help="Splits of B (default: all).")] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(help="Level at which a shared row fails (default: L0 L1 L2)."),
    ] = None,
    prompt_col: Annotated[
        list[str] | None, typer.Option(help="Prompt column; give twice to set A and B separately.")
    ] = None,
    structure_col: Annotated[
        list[str] | None,
        typer.Option(help="Structure column; give twice to set A and B separately."),
    ] = None,
    structure_form: StructureForm = None,
    tokens: Tokens = "words",
    form: Form = None,
    no_header: NoHeader = False,
    fold_case: FoldCase = False,
    html: Annotated[Path | None, typer.Option(help="Write the report to this HTML file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Report what B covers that A does not, and shared rows; exits 1 if any are shared."""
    from synthgen.auditing.compare import WantedSide
    from synthgen.auditing.compare import compare as compare_paths
    from synthgen.auditing.read_sides import ReadingOptions

    prompts, structures = _two("prompt", prompt_col), _two("structure", structure_col)
    given = [
        WantedSide(
            path,
            tuple(splits or ()),
            ReadingOptions(
                prompt, None, structure, None, form, not no_header, "none", structure_form
            ),
        )
        for path, splits, prompt, structure in (
            (first, split_a, prompts[0], structures[0]),
            (second, split_b, prompts[1], structures[1]),
        )
    ]
    check_form(structure_form)
    measuring = measuring_of(tokens, fold_case=fold_case)
    report = compare_paths(given[0], given[1], measuring, fail_on=fail_on)
    show(report, (), html, as_json=as_json, verbose=True)


def check_form(form: str | None, structures: str | None = None) -> None:
    """Raise an error for an unknown form of a structure column, or of structures in texts."""
    from synthgen.auditing.read_sides import FORMS
    from synthgen.core.checks import check_choice
    from synthgen.coverage import given_structures

    if form is not None:
        check_choice("--structure-form", form, FORMS)
    if structures is not None:
        check_choice("--structure", structures, given_structures.FORMS)
        if form is not None:
            raise ParamError("--structure-form", form, "either --structure or --structure-form")


def measuring_of(
    tokens: str, *, fold_case: bool, max_shortcut: float | None = None
) -> MeasuringOptions:
    """Return the choices on how to measure."""
    from synthgen.auditing.third_party import MeasuringOptions
    from synthgen.core.checks import check_choice
    from synthgen.coverage.best_shortcuts import MAX_SHARE
    from synthgen.coverage.structure_kinds import ALPHABETS

    alphabet = check_choice("--tokens", tokens, ALPHABETS)
    limit = MAX_SHARE if max_shortcut is None else max_shortcut
    return MeasuringOptions(alphabet, fold_case, limit)


def show(
    report: Report, fail_if: Sequence[str], html: Path | None, *, as_json: bool, verbose: bool
) -> None:
    """Print the report of files, and write its page if wanted; see `finish`."""
    from synthgen.auditing.html import write_html

    def save() -> Path | None:
        return write_html(html, report) if html else None

    finish(report, fail_if, save, as_json=as_json, verbose=verbose)


def finish(
    report: Report,
    fail_if: Sequence[str],
    save: Callable[[], Path | str | None],
    *,
    as_json: bool,
    verbose: bool,
    verification: Verification | None = None,
) -> None:
    """Print a report, save it, and exit with code 1 if a check failed or a rule holds.

    Args:
        report: Report of a command.
        fail_if: Rules over figures.
        save: Function that saves the report and returns the path of its page, if any. It runs
            last, because it may fail.
        as_json: Whether to print JSON instead.
        verbose: Whether to print all tables, axes and checks.
        verification: Verification of the same dataset, if any.
    """
    from synthgen.auditing.report_figures import broken_rules
    from synthgen.auditing.text_report import show_report
    from synthgen.cli.terminal import show_verification

    broken = broken_rules(report.figures, fail_if) if fail_if else []
    console = plain_console()
    if as_json:
        rows = verification and {"ok": verification.ok, **asdict(verification)}
        print_json(report.to_dict() | ({"verification": rows} if rows else {}))
    else:
        show_report(console, report, verbose=verbose)
    page = save()
    if page is not None and not as_json:
        say(console, f"report: {page}")
    if verification and not as_json:
        show_verification(console, verification)
    for line in broken:
        say_error(line)
    if broken or not report.ok or not (verification is None or verification.ok):
        sys.exit(EXIT_CHECK_FAILED)


def _two(name: str, given: Sequence[str] | None) -> tuple[str | None, str | None]:
    """Return the columns of A and B; a single name applies to both."""
    names = list(given or ())
    if len(names) > 2:
        option = f"--{name}-col"
        raise ParamError(option, len(names), "one name for both, or one for A and one for B")
    if not names:
        return None, None
    return names[0], names[-1]
