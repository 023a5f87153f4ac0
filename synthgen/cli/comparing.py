"""Commands that hold rows against others: compare, and the audit of files that others made."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synthgen.cli.common import AsJson, app, plain_console, print_json
from synthgen.core.errors import EXIT_CHECK_FAILED, ParamError

if TYPE_CHECKING:
    from synthgen.audit.findings import Report
    from synthgen.audit.foreign import Measuring
    from synthgen.audit.foreign_sides import Reading

AuditPath = Annotated[
    Path | None,
    typer.Argument(metavar="DIR", help="Folder of a built dataset; or a FILE with --split-col."),
]
Train = Annotated[list[Path] | None, typer.Option(help="File of train; repeatable.")]
Test = Annotated[list[Path] | None, typer.Option(help="File of a test split; repeatable.")]
SplitCol = Annotated[str | None, typer.Option(help="Column that names the split of each row.")]
TrainSplit = Annotated[str, typer.Option(help="Split of --split-col that the others are held to.")]
PromptCol = Annotated[str | None, typer.Option(help="Default: prompt or the like.")]
AnswerCol = Annotated[str | None, typer.Option(help="Default: answer or the like, if there.")]
StructureCol = Annotated[str | None, typer.Option(help="Column of trees, or of tokens.")]
StructureForm = Annotated[str | None, typer.Option(help="tree or tokens; default: by its first.")]
Tokens = Annotated[str, typer.Option(help="Structure of prompts without a column: words chars.")]
Form = Annotated[
    str | None, typer.Option("--format", help="tsv csv jsonl parquet scan lines; default: by name.")
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="Columns are 1, 2 ...")]
KeepCase = Annotated[bool, typer.Option("--keep-case", help="Texts that differ by case differ.")]


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="Folder of a dataset, or a file.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="The same; held against A.")],
    split_a: Annotated[list[str] | None, typer.Option(help="Splits of A; default all.")] = None,
    split_b: Annotated[list[str] | None, typer.Option(help="Splits of B; default all.")] = None,
    fail_on: Annotated[
        list[str] | None, typer.Option(help="Level at which sharing fails; default L0 L1 L2.")
    ] = None,
    prompt_col: Annotated[
        list[str] | None, typer.Option(help="Of files; twice for A and B apart.")
    ] = None,
    structure_col: Annotated[
        list[str] | None, typer.Option(help="Of files; twice for A and B apart.")
    ] = None,
    structure_form: StructureForm = None,
    tokens: Tokens = "words",
    form: Form = None,
    no_header: NoHeader = False,
    keep_case: KeepCase = False,
    html: Annotated[Path | None, typer.Option(help="File for a page of the report.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what B covers that A lacks, and which rows they share; exit code 1 if they share any."""
    from synthgen.audit.compare import compare as compare_paths
    from synthgen.audit.compare_sides import Given
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
    """Audit files that others made and show the report; exit code 1 if a test shares rows.

    Args:
        file: with a column of splits, or None.
        splits: files of train, files of tests, and the name of train in the column of splits.
        reading: how files are read.
        measuring: what counts as structure.
        html: where a page of the report goes, or None.
        as_json: whether to print for machines.
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
    """Return how files are read."""
    from synthgen.audit.foreign_sides import Reading

    return Reading(prompt, answer, structure, split, form, header)


def measuring_of(form: str | None, tokens: str, *, keep_case: bool) -> Measuring:
    """Return what counts as structure."""
    from synthgen.audit.foreign import Measuring
    from synthgen.audit.foreign_readers import ALPHABETS, FORMS
    from synthgen.core.checks import check_choice

    if form is not None:
        check_choice("--structure-form", form, FORMS)
    return Measuring(form, check_choice("--tokens", tokens, ALPHABETS), not keep_case)


def _show(report: Report, html: Path | None, *, as_json: bool) -> None:
    from synthgen.audit.compare_terminal import show_blocks
    from synthgen.audit.html import write_html

    page = None if html is None else write_html(html, report)
    if as_json:
        print_json(report.to_dict())
    else:
        console = plain_console()
        show_blocks(console, report)
        if page is not None:
            console.print(f"report: {page}", markup=False)
    if not report.ok:
        sys.exit(EXIT_CHECK_FAILED)


def _two(name: str, given: Sequence[str] | None) -> tuple[str | None, str | None]:
    """Return the column of A and of B: one name is for both."""
    names = list(given or ())
    if len(names) > 2:
        option = f"--{name}-col"
        raise ParamError(option, len(names), "one for both, or two: for A and for B")
    if not names:
        return None, None
    return names[0], names[-1]
