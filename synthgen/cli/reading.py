"""Commands that read datasets and files: verify, check, score, profile, export, audit."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from synthgen.cli.common import (
    AsJson,
    Digest,
    Folder,
    Workers,
    command,
    plain_console,
    print_json,
    say,
    say_error,
    say_next,
)
from synthgen.cli.comparing import (
    Encoding,
    FoldCase,
    Form,
    NoHeader,
    StructureForm,
    Tokens,
    check_form,
    finish,
    measuring_of,
    show,
)
from synthgen.core.checks import check_choice
from synthgen.core.errors import (
    EXIT_CHECK_FAILED,
    DatasetError,
    OutputError,
    ParamError,
    SynthgenError,
)

if TYPE_CHECKING:
    from synthgen.auditing.findings import Report
    from synthgen.auditing.read_sides import ReadingOptions, ReadSide
    from synthgen.auditing.third_party import MeasuringOptions


Rebuild = Annotated[
    str | None,
    typer.Option(metavar="N|all", help="Rows per split to make again (default: as time allows)."),
]
ChoiceSeed = Annotated[
    int | None, typer.Option(min=0, help="Seed of the rows to make again (default: random).")
]
Original = Annotated[
    Path | None, typer.Option(help="The original recipe, if it names files beside it.")
]
AllowUnproven = Annotated[
    bool, typer.Option("--allow-unproven", help="Exit 0 if nothing is wrong but not all is proven.")
]


@command()
def verify(
    folder: Folder,
    rebuild: Rebuild = None,
    seed: ChoiceSeed = None,
    digest: Digest = None,
    recipe: Original = None,
    allow_unproven: AllowUnproven = False,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Prove files, records, answers and ids of a dataset, and make rows chosen at random again."""
    from synthgen import api
    from synthgen.cli.terminal import show_verification

    verification = api.verify(
        folder,
        rebuild=_rows_to_rebuild(rebuild),
        seed=seed,
        digest=digest,
        recipe=recipe,
        workers=workers,
    )
    if as_json:
        print_json({"ok": verification.ok, **asdict(verification)})
    else:
        console = plain_console()
        show_verification(console, verification)
        if verification.ok:
            say_next(console, f"synthgen audit {quote(folder)}")
    if not (verification.ok or (allow_unproven and not verification.is_false)):
        sys.exit(EXIT_CHECK_FAILED)


def _rows_to_rebuild(text: str | None) -> int | Literal["all"] | None:
    if text is None or text == "all":
        return "all" if text else None
    if not text.isdecimal():
        raise ParamError("--rebuild", text, "a number of rows, or all")
    return int(text)


@command()
def digest(folder: Folder, as_json: AsJson = False) -> None:
    """Print the digest of all rows, which names a dataset in one line; exit 1 if it was changed."""
    from synthgen import api

    value = api.digest(folder)
    if as_json:
        print_json({"digest": value})
    else:
        say(plain_console(), value)


@command()
def check(
    generator: Annotated[str, typer.Argument(metavar="GENERATOR")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File of prompts and answers.")],
    prompt_col: Annotated[str | None, typer.Option(help="Default: prompt, question, ...")] = None,
    answer_col: Annotated[str | None, typer.Option(help="Default: answer, result, ...")] = None,
    solution_col: Annotated[
        str | None, typer.Option(help="Solution column (default: none).")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Answers file, if FILE has only prompts.")
    ] = None,
    form: Annotated[str | None, typer.Option("--format", help="tsv csv jsonl parquet scan")] = None,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="No header row; columns are 1, 2, ...")
    ] = False,
    show: Annotated[int, typer.Option(min=0, max=1000, help="Number of failing rows to show.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Check third-party prompts and answers with a generator's verifier."""
    from synthgen.cli.terminal import show_check
    from synthgen.dataset.foreign import open_foreign
    from synthgen.dataset.foreign.column_choice import WantedColumns
    from synthgen.verifying.checked_files import check as check_rows

    wanted = WantedColumns(prompt_col, answer_col, solution_col)
    with open_foreign(file, wanted, form=form, header=not no_header, answers=answers) as foreign:
        checked = check_rows(generator, foreign.batches, show)
    if as_json:
        columns = foreign.columns and asdict(foreign.columns)
        about = {"ok": checked.ok, "file": str(file), "format": foreign.form, "columns": columns}
        print_json({**about, "fail": checked.fail, **asdict(checked)})
    else:
        show_check(plain_console(), foreign, checked)
    if not checked.ok:
        sys.exit(EXIT_CHECK_FAILED)


def _names(given: list[str]) -> list[str]:
    """Return the names in a repeatable option, each value of which may list several."""
    return [name.strip() for names in given for name in names.split(",")]


@command()
def score(
    folder: Folder,
    predictions: Annotated[Path, typer.Option(help="File of model outputs with row ids.")],
    split: Annotated[
        list[str] | None, typer.Option(help="Split to score; repeatable (default: all).")
    ] = None,
    id_col: Annotated[str, typer.Option(help="Column of row ids.")] = "id",
    prediction_col: Annotated[str, typer.Option(help="Column of model outputs.")] = "prediction",
    by: Annotated[
        list[str] | None,
        typer.Option(help="Columns to group by, such as task,level; or structure."),
    ] = None,
    k: Annotated[str, typer.Option(help="Numbers of texts for pass@k, such as 1,8.")] = "",
    form: Annotated[str | None, typer.Option("--format", help="tsv csv jsonl parquet")] = None,
    missing: Annotated[
        str, typer.Option(help="Rows without a text: ignore, wrong, or fail (exit code 1).")
    ] = "ignore",
    html: Annotated[Path | None, typer.Option(help="HTML page to write too.")] = None,
    as_json: AsJson = False,
) -> None:
    """Score model outputs, joined by row id and graded as in training; several a row are rollouts.

    Accuracies have 95% intervals, by split, by columns, and by seen or unseen structure.
    """
    from synthgen.cli.terminal import show_scores
    from synthgen.training.scoring import MISSING, Grading, graded, read_predictions

    if not all(number.strip().isdecimal() for number in k.split(",") if k):
        raise ParamError("k", k, "numbers such as 1,8")
    ks = [int(number) for number in k.split(",") if k]
    check_choice("missing", missing, (*MISSING, "fail"))
    given = read_predictions(predictions, id_col, prediction_col, form)
    grade = "wrong" if missing == "wrong" else "ignore"
    grading = Grading(_names(by or []), ks, grade)
    if html:
        from synthgen.cli.pages import page_grading, write_scores
        from synthgen.dataset.reader import open_dataset

        grading = page_grading(folder, given, grading)
    scored = graded(folder, given, split or (), grading)
    if html:
        write_scores(html, open_dataset(folder).manifest.name, scored)
    if as_json:
        print_json(asdict(scored) | {"missing": scored.missing})
    else:
        show_scores(plain_console(), scored)
        if html:
            say(plain_console(), f"page: {html}")
    if scored.unknown_ids or (missing == "fail" and scored.missing):
        sys.exit(EXIT_CHECK_FAILED)


@command()
def profile(
    folder: Folder,
    predictions: Annotated[Path, typer.Option(help="File of model outputs: id, prediction.")],
    by: Annotated[list[str], typer.Option(help="Columns of the cells, such as task,level.")],
    split: Annotated[
        list[str] | None, typer.Option(help="Split to count; repeatable (default: all).")
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(help="TOML to write: balance and shares for the next recipe.")
    ] = None,
    window: Annotated[
        tuple[float, float] | None,
        typer.Option(help="Equal weights from LOW to HIGH pass rate (default: p (1 - p))."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show pass rates per cell of columns, and weight the cells for the next recipe."""
    from synthgen.cli.terminal import show_profile
    from synthgen.core.files import replace_text
    from synthgen.training import scoring

    by = _names(by)
    cells = scoring.profile(folder, predictions, by, split or ())
    weighted = scoring.weights(cells, window)
    if weights and not weighted:
        raise ParamError("weights", str(weights), "a cell that is neither saturated nor hopeless")
    if weights:
        balance, shares = map(json.dumps, scoring.next_split(folder, by, weighted))
        replace_text(weights, f"balance = {balance}\nshares = {{ of = {shares} }}\n")
    if as_json:
        rows = [
            {**dict(zip(by, cell, strict=True)), **asdict(rate), "weight": weighted.get(cell, 0.0)}
            for cell, rate in cells.items()
        ]
        print_json(rows)
    else:
        show_profile(plain_console(), by, cells, weighted)


@command()
def export(
    folder: Folder,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="sft chat trl verl openrlhf open-instruct skyrl nemo-gym environment jsonl "
            "lm-eval inspect",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder to write (default: export/NAME/FORMAT).")
    ] = None,
    split: Annotated[
        list[str] | None, typer.Option(help="Split to write; repeatable (default: all).")
    ] = None,
    completion: Annotated[
        str | None, typer.Option(help="For sft and chat: answer (default) or solution.")
    ] = None,
    unnatural: Annotated[
        bool, typer.Option("--unnatural", help="Keep solutions that do not read as texts.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write rows in the columns that a trainer or evaluator reads."""
    from synthgen.auditing.wording import plural
    from synthgen.dataset.reader import open_dataset
    from synthgen.training.export import export as export_rows

    written = export_rows(
        folder, form, out, split or (), completion=completion, unnatural=unnatural
    )
    if as_json:
        print_json(written)
        return
    for path, rows in written.items():
        say(plain_console(), f"{path}: {plural(rows, 'row')}")
    dataset = open_dataset(folder)
    left = sum(map(dataset.rows, {*split} if split else dataset.splits)) - sum(written.values())
    if left:
        why = "the solution does not read as a text (natural = 0); --unnatural keeps such rows"
        say(plain_console(), f"left out: {plural(left, 'row')}, as {why}")
    first = next((str(path) for path in written if str(path).endswith(".parquet")), None)
    if first and dataset.manifest.picture == "none":
        say_next(plain_console(), f'datasets.load_dataset("parquet", data_files="{first}")')
    elif first:  # its card says which column has pictures
        say_next(plain_console(), f'datasets.load_dataset("{Path(first).parent}")')


AuditPath = Annotated[
    str | None,
    typer.Argument(
        metavar="DIR", help="Folder or URL of a dataset, or one file with a split column."
    ),
]
StructureCol = Annotated[
    str | None,
    typer.Option(help="Column of trees, formulas or tokens; KEY inside a column: COLUMN.KEY."),
]
MaxShortcut = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Share a shortcut may get right (default: 0.5 or the recipe)."),
]
FailIf = Annotated[
    list[str] | None,
    typer.Option(help="Rule over figures that fails the audit, e.g. 'test.rows < 100'."),
]
Page = Annotated[Path | None, typer.Option(help="HTML report (default: audit/report.html in DIR).")]
SkipNulls = Annotated[
    bool, typer.Option("--skip-nulls", help="Leave out rows without a prompt, and count them.")
]
SplitCol = Annotated[
    str | None, typer.Option(help="Column with the split of each row (default: split).")
]
PromptCol = Annotated[str | None, typer.Option(help="Default: prompt, question, input, ...")]
AnswerCol = Annotated[str | None, typer.Option(help="Default: answer, result, output, ...")]
Against = Annotated[
    list[str] | None,
    typer.Option(help="Only search train for the rows of an evaluation; repeatable."),
]
AgainstCol = Annotated[str | None, typer.Option(help="Prompt column of the evaluations.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Print all tables, axes and checks.")]
ReadStructures = Annotated[
    str | None,
    typer.Option(
        help="arithmetic, tree, tokens or code: read structures from prompts or --structure-col."
    ),
]
GroupCol = Annotated[
    list[str] | None,
    typer.Option(help="Column whose values must not be on both sides, e.g. user; repeatable."),
]
Verified = Annotated[bool, typer.Option("--verify", help="Verify rows, answers and records, too.")]


@command()
def audit(
    folder: AuditPath = None,
    train: Annotated[list[str] | None, typer.Option(help="Training file; repeatable.")] = None,
    test: Annotated[list[str] | None, typer.Option(help="Test file; repeatable.")] = None,
    against: Against = None,
    split_col: SplitCol = None,
    train_split: Annotated[str, typer.Option(help="Name of the training split.")] = "train",
    prompt_col: PromptCol = None,
    answer_col: AnswerCol = None,
    against_col: AgainstCol = None,
    structure_col: StructureCol = None,
    structure_form: StructureForm = None,
    structure: ReadStructures = None,
    group_col: GroupCol = None,
    tokens: Tokens = "words",
    form: Form = None,
    no_header: NoHeader = False,
    encoding: Encoding = None,
    skip_nulls: SkipNulls = False,
    fold_case: FoldCase = False,
    max_shortcut: MaxShortcut = None,
    fail_if: FailIf = None,
    html: Page = None,
    verbose: Verbose = False,
    verified: Verified = False,
    as_json: AsJson = False,
) -> None:
    """Recheck splits, duplicates and overlap from the files; also works on third-party files."""
    from synthgen.auditing.report_figures import check_syntax
    from synthgen.dataset.foreign.named_files import is_foreign

    check_syntax(rules := fail_if or [])
    if folder is not None and not against and not is_foreign(folder):
        _audit_dataset(folder, max_shortcut, rules, html, (verbose, verified, as_json))
        return
    from synthgen.auditing.read_sides import ReadingOptions

    check_form(structure_form, structure)
    columns = (prompt_col, answer_col, structure_col, split_col)
    texts = (structure_form, encoding, skip_nulls)
    reading = ReadingOptions(*columns, form, not no_header, "found", *texts)
    reading = replace(reading, groups=tuple(group_col or ()), structures=structure)
    files = (train or (), test or ())
    if against:
        wanted = EvaluationSearch(against, against_col, train_split, fold_case)
        show(_search(folder, files, reading, wanted), rules, html, as_json=as_json, verbose=verbose)
        return
    measuring = measuring_of(tokens, fold_case=fold_case, max_shortcut=max_shortcut)
    with _sides(folder, files, train_split, reading) as sides:
        report = _audit_files(sides, measuring, is_quiet=as_json)
    show(report, rules, html, as_json=as_json, verbose=verbose)


class EvaluationSearch(NamedTuple):
    """Evaluations to search for, their prompt column, and how."""

    evaluations: Sequence[str]
    prompt: str | None
    split: str
    fold_case: bool


def _search(
    name: str | None,
    files: tuple[Sequence[str], Sequence[str]],
    reading: ReadingOptions,
    wanted: EvaluationSearch,
) -> Report:
    """Search training data for the rows of evaluations."""
    from synthgen.auditing.contamination import audit_against

    if files[1]:
        raise ParamError("--test", ", ".join(files[1]), "no test, as --against names evaluations")
    if (name is None) == (not files[0]):
        raise ParamError("--train", name, "either DIR or FILE, or --train, with --against")
    reading = replace(reading, answer=None, structure=None, answers="none")
    evaluations, prompt, split, fold_case = wanted
    names = files[0] if name is None else [name]
    return audit_against(
        names, evaluations, reading, prompt=prompt, split=split, fold_case=fold_case
    )


def _audit_dataset(
    folder: str,
    max_shortcut: float | None,
    rules: Sequence[str],
    html: Path | None,
    flags: tuple[bool, bool, bool],
) -> None:
    from synthgen import api

    verbose, verified, as_json = flags
    report = api.audit(folder, max_shortcut)
    verification = api.verify(folder) if verified else None
    saving = partial(_save, folder, report, html)
    finish(report, rules, saving, as_json=as_json, verbose=verbose, verification=verification)
    if not as_json:
        _show_next(folder, verified=verified)


def _show_next(folder: str, *, verified: bool) -> None:
    """Show what a passed audit has not proven, and what to do next."""
    from synthgen.cli.terminal import usual_format
    from synthgen.dataset.reader import open_dataset

    console = plain_console()
    manifest = open_dataset(folder, without_data=True).manifest
    if not verified:
        say(console, "not proven: answers, solutions and texts of rows (--verify does it)")
    say_next(console, f"synthgen export {quote(folder)} --format {usual_format(manifest)}")


Sides = tuple["ReadSide", list["ReadSide"]]


@contextmanager
def _sides(
    name: str | None,
    files: tuple[Sequence[str], Sequence[str]],
    train_split: str,
    reading: ReadingOptions,
) -> Iterator[Sides]:
    """Yield train and the tests of one name, or of the files of each."""
    from synthgen.auditing.read_sides import sides_by_column, sides_of_files, sides_of_splits
    from synthgen.dataset.foreign.named_files import by_split, local_files

    if name is None:
        if reading.split is not None:
            raise ParamError("--split-col", reading.split, "one FILE, not --train and --test")
        with local_files(files[0]) as train, local_files(files[1]) as tests:
            yield sides_of_files(train, tests, reading)
        return
    if any(files):
        raise ParamError("FILE", name, "either FILE and --split-col, or --train and --test")
    with local_files([name]) as found:
        if len(found) == 1:
            if reading.split is None:
                reading = _with_split_column(found[0], reading)
            yield sides_by_column(found[0], reading, train_split)
            return
        splits = by_split(found)
        if train_split not in splits or len(splits) < 2:
            expected = f"files of {train_split!r} and of another split, as their names state"
            have = f"{expected} (splits: {', '.join(splits)}); or --train and --test"
            raise ParamError("FILE", name, have)
        yield sides_of_splits(splits.pop(train_split), splits, reading)


def _audit_files(sides: Sides, measuring: MeasuringOptions, *, is_quiet: bool) -> Report:
    """Print which columns are read and how many rows are left out, unless quiet, and audit."""
    from synthgen.auditing.third_party import audit_sides

    for given in () if is_quiet else (sides[0], *sides[1]):
        nulls = f"; {given.left_out:,} without a prompt or structure left out"
        say(plain_console(), f"{given.side.name}: {given.columns}{nulls * bool(given.left_out)}")
    return audit_sides(sides[0], sides[1], measuring)


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


def _save(folder: str, report: Report, html: Path | None) -> Path | str | None:
    """Save the report in the dataset, if possible, and its page there or elsewhere."""
    from synthgen.auditing.html import HTML_FILE, write_html
    from synthgen.auditing.report import write_report
    from synthgen.dataset.places import Place

    place = Place.from_path(folder)
    page: Path | str | None = None if html else place.path(HTML_FILE)
    try:
        with TemporaryDirectory(prefix="synthgen-") as made:
            local = Path(folder) if place.is_local else Path(made)
            written = [write_report(local, report)]
            written += [] if html else [write_html(local / HTML_FILE, report)]
            for path in [] if place.is_local else written:
                place.put(path, path.relative_to(local).as_posix())
    except OutputError as error:
        page = None
        say_error(f"note: the report was not saved in the dataset: {error}")
    return write_html(html, report) if html else page
