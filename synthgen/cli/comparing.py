"""Commands that compare rows: compare, and the audit of third-party files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from synthgen.cli.common import AsJson, app, plain_console, print_json, say
from synthgen.core.errors import EXIT_CHECK_FAILED, ParamError

if TYPE_CHECKING:
    from synthgen.audit.findings import Report
    from synthgen.audit.foreign import Measuring
    from synthgen.audit.foreign_sides import Reading

AuditPath = Annotated[
    Path | None,
    typer.Argument(metavar="DIR", help="Folder of a built dataset, or a FILE with --split-col."),
]
Train = Annotated[list[Path] | None, typer.Option(help="Training file; repeatable.")]
Test = Annotated[list[Path] | None, typer.Option(help="Test file; repeatable.")]
SplitCol = Annotated[str | None, typer.Option(help="Column that names the split of each row.")]
TrainSplit = Annotated[str, typer.Option(help="Name of the training split.")]
PromptCol = Annotated[str | None, typer.Option(help="Default: prompt, question, input, ...")]
AnswerCol = Annotated[str | None, typer.Option(help="Default: answer, result, output, ...")]
StructureCol = Annotated[str | None, typer.Option(help="Column of trees or tokens.")]
StructureForm = Annotated[
    str | None, typer.Option(help="tree or tokens (default: detected from the first row).")
]
Tokens = Annotated[str, typer.Option(help="Without --structure-col: words or chars of prompts.")]
Form = Annotated[
    str | None,
    typer.Option("--format", help="tsv csv jsonl parquet scan lines; default: by extension."),
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="No header row; columns are 1, 2, ...")]
KeepCase = Annotated[
    bool, typer.Option("--keep-case", help="Treat texts that differ only in case as different.")
]
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
    keep_case: KeepCase = False,
    html: Annotated[Path | None, typer.Option(help="Write the report to this HTML file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Report what B covers that A does not, and shared rows; exits 1 if any are shared."""
    from synthgen.audit.compare import Given
    from synthgen.audit.compare import compare as compare_paths
    from synthgen.audit.foreign_sides import Reading

    prompts, structures = _two("prompt", prompt_col), _two("structure", structure_col)
    given = [
        Given(
            path,
            tuple(splits or ()),
            Reading(prompt, None, structure, None, form, not no_header, "none"),
        )
        for path, splits, prompt, structure in (
            (first, split_a, prompts[0], structures[0]),
            (second, split_b, prompts[1], structures[1]),
        )
    ]
    measuring = measuring_of(structure_form, tokens, keep_case=keep_case)
    report = compare_paths(given[0], given[1], measuring, fail_on=fail_on)
    _show(report, html, as_json=as_json)


def audit_files(
    file: Path | None,
    splits: tuple[Sequence[Path], Sequence[Path], str],
    reading: Reading,
    measuring: Measuring,
    *,
    html: Path | None,
    as_json: bool,
) -> None:
    """Audit third-party files and show the report; exit with code 1 if a test shares rows.

    Args:
        file: with a column of splits, or None.
        splits: training files, test files, and the name of train in the split column.
        reading: how to read the files.
        measuring: what counts as structure.
        html: path of the HTML report, or None.
        as_json: whether to print JSON.
    """
    from synthgen.audit.foreign import audit_sides, splits_of_file, train_and_tests

    train, tests, name = splits
    if file is None:
        if reading.split is not None:
            raise ParamError("--split-col", reading.split, "one FILE, not --train and --test")
        sides = train_and_tests(train, tests, reading)
    else:
        if train or tests:
            raise ParamError(
                "FILE", str(file), "either FILE and --split-col, or --train and --test"
            )
        if reading.split is None:
            raise ParamError("--split-col", None, "the column that names the split of each row")
        sides = splits_of_file(file, reading, name)
    _show(audit_sides(*sides, measuring), html, as_json=as_json)


def reading_of(
    prompt: str | None,
    answer: str | None,
    structure: str | None,
    split: str | None,
    form: str | None,
    *,
    header: bool,
) -> Reading:
    """Return the options for reading files."""
    from synthgen.audit.foreign_sides import Reading

    return Reading(prompt, answer, structure, split, form, header)


def measuring_of(
    form: str | None, tokens: str, *, keep_case: bool, max_shortcut: float | None = None
) -> Measuring:
    """Return the definition of structures."""
    from synthgen.audit.foreign import Measuring
    from synthgen.audit.foreign_readers import ALPHABETS, FORMS
    from synthgen.audit.shortcuts import MOST_SHARE
    from synthgen.core.checks import check_choice

    if form is not None:
        check_choice("--structure-form", form, FORMS)
    alphabet = check_choice("--tokens", tokens, ALPHABETS)
    limit = MOST_SHARE if max_shortcut is None else max_shortcut
    return Measuring(form, alphabet, not keep_case, limit)


def _show(report: Report, html: Path | None, *, as_json: bool) -> None:
    from synthgen.audit.html import write_html
    from synthgen.audit.terminal import show_blocks

    finish(report, show_blocks, lambda: html and write_html(html, report), as_json=as_json)


def finish(
    report: Report,
    show: Callable[[Console, Report], None],
    save: Callable[[], Path | None],
    *,
    as_json: bool,
) -> None:
    """Print a report, save it, and exit with code 1 if a check failed.

    Args:
        report: report of a command.
        show: prints the report.
        save: saves the report and returns the path of its page, if any; runs last, as it may fail.
        as_json: whether to print JSON instead.
    """
    console = plain_console()
    if as_json:
        print_json(report.to_dict())
    else:
        show(console, report)
    page = save()
    if page is not None and not as_json:
        say(console, f"report: {page}")
    if not report.ok:
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
