"""Commands that read datasets and files: verify, check, score, audit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from synthgen.cli.common import AsJson, Folder, app, plain_console, print_json
from synthgen.cli.comparing import (
    AnswerCol,
    AuditPath,
    Form,
    KeepCase,
    NoHeader,
    PromptCol,
    SplitCol,
    StructureCol,
    StructureForm,
    Test,
    Tokens,
    Train,
    TrainSplit,
    audit_files,
    measuring_of,
    reading_of,
)
from synthgen.core.errors import EXIT_CHECK_FAILED


@app.command()
def verify(
    folder: Folder,
    symbolic: Annotated[float, typer.Option(min=0, max=1, help="Share checked twice.")] = 0.01,
    rebuild: Annotated[int, typer.Option(min=0, help="Rows a split to make again.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Check every answer of a dataset again, from its text."""
    from dataclasses import asdict

    from synthgen.engine.progress import Silent
    from synthgen.engine.verify import verify as verify_dataset

    found = verify_dataset(folder, symbolic, rebuild, Silent().update)
    if as_json:
        print_json({"ok": found.ok, **asdict(found)})
    else:
        console = plain_console()
        for row in found.examples:
            console.print(f"{row['split']}: {row['why']}: {row['prompt']!r} -> {row['answer']!r}")
        console.print(
            f"{found.rows:,} rows checked, {found.symbolic:,} of them twice, "
            f"{found.rebuilt:,} made again: {found.wrong:,} wrong"
        )
    if not found.ok:
        sys.exit(EXIT_CHECK_FAILED)


@app.command()
def check(
    generator: Annotated[str, typer.Argument(metavar="GENERATOR")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Prompts and answers of anybody's.")],
    prompt_col: Annotated[str | None, typer.Option(help="Default: prompt or the like.")] = None,
    answer_col: Annotated[str | None, typer.Option(help="Default: answer or the like.")] = None,
    solution_col: Annotated[str | None, typer.Option(help="Default: none.")] = None,
    answers: Annotated[Path | None, typer.Option(help="If FILE has prompts only.")] = None,
    form: Annotated[str | None, typer.Option("--format", help="tsv csv jsonl parquet scan")] = None,
    no_header: Annotated[bool, typer.Option("--no-header", help="Columns are 1, 2 ...")] = False,
    show: Annotated[int, typer.Option(min=0, max=1000, help="Failing rows to show.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Check anybody's prompts and answers with the verifier of a generator."""
    from dataclasses import asdict

    from synthgen.dataset.foreign import open_foreign
    from synthgen.dataset.foreign.columns import Wanted
    from synthgen.engine.check import check as check_rows
    from synthgen.terminal import show_check

    wanted = Wanted(prompt_col, answer_col, solution_col)
    with open_foreign(file, wanted, form=form, header=not no_header, answers=answers) as foreign:
        found = check_rows(generator, foreign.batches, show)
    if as_json:
        columns = foreign.columns and asdict(foreign.columns)
        about = {"ok": found.ok, "file": str(file), "format": foreign.form, "columns": columns}
        print_json({**about, "fail": found.fail, **asdict(found)})
    else:
        show_check(plain_console(), foreign, found)
    if not found.ok:
        sys.exit(EXIT_CHECK_FAILED)


@app.command()
def score(
    folder: Folder,
    predictions: Annotated[Path, typer.Option(help="A model's outputs, with the ids of rows.")],
    split: Annotated[list[str] | None, typer.Option(help="Default: every split.")] = None,
    id_col: Annotated[str, typer.Option(help="Column of ids.")] = "id",
    prediction_col: Annotated[str, typer.Option(help="Column of outputs.")] = "prediction",
    form: Annotated[str | None, typer.Option("--format", help="tsv csv jsonl parquet")] = None,
    as_json: AsJson = False,
) -> None:
    """Score a model's predictions: answers by their type, texts by the skills they show."""
    from dataclasses import asdict

    from synthgen.dataset.foreign.columns import Wanted
    from synthgen.terminal_scores import show_scores
    from synthgen.training.scoring import score_file

    columns = Wanted(id_col, prediction_col)
    found = score_file(folder, predictions, split or (), columns, form)
    if as_json:
        print_json(asdict(found))
    else:
        show_scores(plain_console(), found)
    if found.strangers:
        sys.exit(EXIT_CHECK_FAILED)


@app.command()
def audit(
    folder: AuditPath = None,
    train: Train = None,
    test: Test = None,
    split_col: SplitCol = None,
    train_split: TrainSplit = "train",
    prompt_col: PromptCol = None,
    answer_col: AnswerCol = None,
    structure_col: StructureCol = None,
    structure_form: StructureForm = None,
    tokens: Tokens = "words",
    form: Form = None,
    no_header: NoHeader = False,
    keep_case: KeepCase = False,
    html: Annotated[Path | None, typer.Option(help="Default: audit/report.html in DIR.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute splits, duplicates and overlap from the files alone; also of files of others."""
    if folder is None or folder.is_file():
        columns = (prompt_col, answer_col, structure_col, split_col, form)
        audit_files(
            folder,
            (train or (), test or (), train_split),
            reading_of(*columns, header=not no_header),
            measuring_of(structure_form, tokens, keep_case=keep_case),
            html=html,
            as_json=as_json,
        )
        return
    from synthgen.audit.html import HTML_FILE, write_html
    from synthgen.audit.report import audit as audit_dataset
    from synthgen.audit.report import write_report
    from synthgen.audit.terminal import show_report

    report = audit_dataset(folder)
    write_report(folder, report)
    page = write_html(html or folder / HTML_FILE, report)
    if as_json:
        print_json(report.to_dict())
    else:
        console = plain_console()
        show_report(console, report)
        console.print(f"report: {page}", markup=False)
    if not report.ok:
        sys.exit(EXIT_CHECK_FAILED)
