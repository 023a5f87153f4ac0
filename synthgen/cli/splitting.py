"""The command that splits third-party files into train and test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synthgen.cli.common import AsJson, command, plain_console, print_json, say
from synthgen.cli.comparing import Encoding, Form, NoHeader, StructureForm, Tokens, check_form
from synthgen.cli.reading import AnswerCol, PromptCol, SkipNulls, StructureCol

if TYPE_CHECKING:
    from synthgen.splitting.split_files import FileSplit

TestRows = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Number of rows of test, instead of a share.")
]
TrainRows = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Rows of train, for mcd (default: all that are not in test)."
    ),
]
GroupCol = Annotated[str | None, typer.Option(help="Column whose values stay on one side.")]
LengthOf = Annotated[
    str, typer.Option(metavar="COLUMN", help="What length measures: prompt answer structure")
]
LengthIn = Annotated[
    str, typer.Option(metavar="UNIT", help="Units of length: tokens (between spaces) words chars")
]
MaxLength = Annotated[
    int | None,
    typer.Option(
        min=0, metavar="N", help="Greatest length in train (default: by the share of test)."
    ),
]
AtomBound = Annotated[
    float, typer.Option(min=0, max=1, metavar="X", help="Greatest divergence of atoms, for mcd.")
]
FileName = Annotated[
    str, typer.Argument(metavar="FILE", help="File, folder, pattern or URL of rows.")
]
Method = Annotated[
    str, typer.Option(metavar="METHOD", help="length random group template mcd unseen-pairs")
]
Out = Annotated[Path, typer.Option(help="Folder to make.")]
TestShare = Annotated[float, typer.Option(min=0, max=1, metavar="X", help="Share of rows of test.")]
SplitSeed = Annotated[int, typer.Option(help="Seed of the choices.")]


@command()
def split(
    file: FileName,
    by: Method,
    out: Out,
    test_share: TestShare = 0.2,
    test_rows: TestRows = None,
    train_rows: TrainRows = None,
    seed: SplitSeed = 0,
    group_col: GroupCol = None,
    length_of: LengthOf = "prompt",
    length_in: LengthIn = "tokens",
    max_train_length: MaxLength = None,
    atom_bound: AtomBound = 0.02,
    prompt_col: PromptCol = None,
    answer_col: AnswerCol = None,
    structure_col: StructureCol = None,
    structure_form: StructureForm = None,
    tokens: Tokens = "words",
    form: Form = None,
    no_header: NoHeader = False,
    encoding: Encoding = None,
    skip_nulls: SkipNulls = False,
    as_json: AsJson = False,
) -> None:
    """Split any file into train and test with unchanged rows; record and audit the result."""
    from synthgen.auditing.read_sides import ReadingOptions
    from synthgen.splitting.methods import SplitOptions
    from synthgen.splitting.split_files import split_files

    check_form(structure_form)
    options = SplitOptions(
        *(by, test_share, test_rows, train_rows, seed),
        *(length_of, length_in, max_train_length, tokens, atom_bound),
    )
    reading = ReadingOptions(
        *(prompt_col, answer_col, structure_col, group_col, form, not no_header),
        structure_form=structure_form,
        encoding=encoding,
        skip_nulls=skip_nulls,
    )
    made = split_files(file, out, options, reading)
    if as_json:
        print_json(made.record)
    else:
        _show(made)


def _show(made: FileSplit) -> None:
    console, record = plain_console(), made.record
    say(console, f"read as {record['read_as']}")
    for name, part in record["splits"].items():
        say(console, f"{name}: {part['rows']:,} rows in {made.folder / part['file']}")
    unused, left_out = record["unused_rows"], record["left_out_rows"]
    if unused or left_out:
        say(console, f"in neither: {unused:,} unused rows, {left_out:,} without a prompt")
    say(console, made.rule)
    for name, value in made.facts.items():
        shown = f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
        say(console, f"  {name.replace('_', ' ')}: {shown}")
    audited = record["audit"]
    flags = f"; to review: {', '.join(audited['to_review'])}" if audited["to_review"] else ""
    shared = "no row of test is in train" if audited["ok"] else "rows of test are in train"
    say(console, f"audit: {shared}{flags}")
    say(console, f"report: {made.folder / 'audit' / 'report.html'}")
