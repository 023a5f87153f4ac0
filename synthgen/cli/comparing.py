"""Commands that compare rows: compare, and the audit of third-party files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synthgen.cli.common import AsJson, app, plain_console, print_json, say, say_error
from synthgen.core.errors import EXIT_CHECK_FAILED, DatasetError, ParamError, SynthgenError

if TYPE_CHECKING:
    from synthgen.auditing.findings import Report
    from synthgen.auditing.read_sides import ReadingOptions
    from synthgen.auditing.third_party import MeasuringOptions

AuditPath = Annotated[
    str | None,
    typer.Argument(
        metavar="DIR", help="Folder or URL of a dataset, or one file with a split column."
    ),
]
Train = Annotated[list[Path] | None, typer.Option(help="Training file; repeatable.")]
Test = Annotated[list[Path] | None, typer.Option(help="Test file; repeatable.")]
SplitCol = Annotated[
    str | None, typer.Option(help="Column with the split of each row (default: split).")
]
TrainSplit = Annotated[str, typer.Option(help="Name of the training split.")]
PromptCol = Annotated[str | None, typer.Option(help="Default: prompt, question, input, ...")]
AnswerCol = Annotated[str | None, typer.Option(help="Default: answer, result, output, ...")]
StructureCol = Annotated[
    str | None,
    typer.Option(help="Column of trees, formulas or tokens; KEY inside a column: COLUMN.KEY."),
]
StructureForm = Annotated[
    str | None, typer.Option(help="tree or tokens (default: detected from the first row).")
]
Tokens = Annotated[
    str, typer.Option(help="Units of prompts: words, numbers (each a word of its own) or chars.")
]
Form = Annotated[
    str | None,
    typer.Option("--format", help="tsv csv jsonl parquet scan lines; default: by extension."),
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="No header row; columns are 1, 2, ...")]
FoldCase = Annotated[
    bool, typer.Option("--fold-case", help="Treat texts that differ only in case as equal at L1.")
]
FailIf = Annotated[
    list[str] | None,
    typer.Option(help="Rule over figures that fails the audit, e.g. 'test.rows < 100'."),
]
Verbose = Annotated[bool, typer.Option(help="Print all tables, axes and checks.")]
MaxShortcut = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Share a shortcut may get right (default: 0.5 or the recipe)."),
]


@app.command()
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
    _show(report, (), html, as_json=as_json, verbose=True)


def audit_files(
    file: Path | None,
    splits: tuple[Sequence[Path], Sequence[Path], str],
    reading: ReadingOptions,
    measuring: MeasuringOptions,
    *,
    fail_if: Sequence[str],
    html: Path | None,
    as_json: bool,
    verbose: bool,
) -> None:
    """Audit third-party files and show the report; exit with code 1 if a test shares rows.

    Args:
        file: File with a column of splits, or None.
        splits: Training files, test files, and the name of train in the split column.
        reading: Options for reading the files.
        measuring: Choices on how to measure.
        fail_if: Rules over figures that fail the audit.
        html: Path of the HTML report, or None.
        as_json: Whether to print JSON.
        verbose: Whether to print all tables.
    """
    from synthgen.auditing.read_sides import sides_by_column, sides_of_files
    from synthgen.auditing.third_party import audit_sides

    train, tests, name = splits
    if file is None:
        if reading.split is not None:
            raise ParamError("--split-col", reading.split, "one FILE, not --train and --test")
        sides = sides_of_files(train, tests, reading)
    else:
        if train or tests:
            raise ParamError(
                "FILE", str(file), "either FILE and --split-col, or --train and --test"
            )
        if reading.split is None:
            reading = _with_split_column(file, reading)
        sides = sides_by_column(file, reading, name)
    report = audit_sides(*sides, measuring)
    _show(report, fail_if, html, as_json=as_json, verbose=verbose)


def _with_split_column(file: Path, reading: ReadingOptions) -> ReadingOptions:
    """Read the splits of one file from its column "split".

    Raises:
        DatasetError: if it cannot be read or has no such column; the message names the options.
    """
    with_split = replace(reading, split="split")
    try:
        with with_split.open(file):
            return with_split
    except SynthgenError as error:
        with reading.open(file):  # raises the error of an unreadable file
            pass
        column = "--split-col NAME, the column that names the split of each row"
        expected = f"expected {column}; or two files, --train FILE --test FILE"
        msg = f"{file}: one file without a column 'split': {expected} ({error})"
        raise DatasetError(msg) from None


def reading_of(
    prompt: str | None,
    answer: str | None,
    structure: str | None,
    split: str | None,
    form: str | None,
    *,
    header: bool,
    structure_form: str | None,
) -> ReadingOptions:
    """Return the options for reading files."""
    from synthgen.auditing.read_sides import ReadingOptions

    check_form(structure_form)
    return ReadingOptions(
        prompt, answer, structure, split, form, header, structure_form=structure_form
    )


def check_form(form: str | None) -> None:
    """Raise an error for an unknown form of a structure column."""
    from synthgen.auditing.read_sides import FORMS
    from synthgen.core.checks import check_choice

    if form is not None:
        check_choice("--structure-form", form, FORMS)


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


def _show(
    report: Report, fail_if: Sequence[str], html: Path | None, *, as_json: bool, verbose: bool
) -> None:
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
) -> None:
    """Print a report, save it, and exit with code 1 if a check failed or a rule holds.

    Args:
        report: Report of a command.
        fail_if: Rules over figures.
        save: Function that saves the report and returns the path of its page, if any. It runs
            last, because it may fail.
        as_json: Whether to print JSON instead.
        verbose: Whether to print all tables, axes and checks.
    """
    from synthgen.auditing.report_figures import broken_rules
    from synthgen.auditing.text_report import show_report

    broken = broken_rules(report.figures, fail_if) if fail_if else []
    console = plain_console()
    if as_json:
        print_json(report.to_dict())
    else:
        show_report(console, report, verbose=verbose)
    page = save()
    if page is not None and not as_json:
        say(console, f"report: {page}")
    for line in broken:
        say_error(line)
    if broken or not report.ok:
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
