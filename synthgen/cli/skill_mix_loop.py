"""Commands of the SKILL-MIX loop: prompts for a judge, its points, scores, training rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from synthgen.cli.common import AsJson, Folder, app, plain_console, print_json, say
from synthgen.cli.help import PlainCommand, PlainGroup
from synthgen.cli.jsonl import read_jsonl, write_jsonl
from synthgen.core.errors import DatasetError

if TYPE_CHECKING:
    from synthgen.dataset.reader import Dataset

loop = typer.Typer(
    cls=PlainGroup,
    no_args_is_help=True,
    help="Grade texts for skill mixes with a judge, and score the grades.",
)
app.add_typer(loop, name="skillmix")

Replies = Annotated[
    Path, typer.Option(help="JSONL with id and prediction; several per id: rounds.")
]
Out = Annotated[Path, typer.Option(help="JSONL file to write.")]
SplitName = Annotated[list[str] | None, typer.Option(help="Split; repeatable (default: all).")]
ReplyForm = Annotated[
    str, typer.Option("--form", help="Form of the judge's reply: table or lines.")
]
PointsFile = Annotated[Path, typer.Option(help="JSONL file from `parse`.")]


@loop.command("grade-prompts", cls=PlainCommand)
def grade_prompts(
    folder: Folder,
    answers: Replies,
    out: Out,
    split: SplitName = None,
    form: ReplyForm = "table",
) -> None:
    """Write a prompt for the judge for each text of a model."""
    from synthgen.core.checks import check_choice
    from synthgen.training import skillmix

    check_choice("--form", form, skillmix.FORMS)
    dataset, mixes, replies = _given(folder, answers, split)
    with _naming(folder):
        write_jsonl(out, skillmix.grade_prompts(mixes, replies, _definitions(dataset), form))


@loop.command(cls=PlainCommand)
def improve(folder: Folder, answers: Replies, out: Out, split: SplitName = None) -> None:
    """Write the messages that ask a model to improve each of its texts."""
    from synthgen.training import skillmix

    _, mixes, replies = _given(folder, answers, split)
    write_jsonl(out, skillmix.second_turns(mixes, replies))


@loop.command(cls=PlainCommand)
def parse(
    replies: Annotated[Path, typer.Argument(help="Rows of `grade-prompts`, each with a `reply`.")],
    out: Out,
    form: ReplyForm = "table",
) -> None:
    """Read the points out of a judge's replies."""
    from synthgen.core.checks import check_choice
    from synthgen.training import skillmix

    check_choice("--form", form, skillmix.FORMS)
    records = read_jsonl(replies, {"id": str, "round": int, "text": str, "reply": str})
    write_jsonl(out, skillmix.parse_judgements(records, form))


@loop.command(cls=PlainCommand)
def score(
    folder: Folder,
    points: PointsFile,
    split: SplitName = None,
    without: Annotated[
        list[str] | None, typer.Option(help="Leave out mixes with this skill; repeatable.")
    ] = None,
    named: Annotated[bool, typer.Option("--named", help="Let a text name its skills.")] = False,
    as_json: AsJson = False,
) -> None:
    """Score graded texts: full marks, all skills, and fraction of skills, by split and k."""
    from dataclasses import asdict

    from synthgen.training import skillmix

    mixes, records = _graded(folder, points, split)
    with _naming(points):
        scores = skillmix.score_mixes(mixes, records, without=without or (), named=named)
    if as_json:
        rows = [
            {"split": name, "k": k, **asdict(group)} for (name, k), group in scores.by_k.items()
        ]
        print_json({"scores": rows, "skills": scores.skills, "errors": scores.errors})
        return
    console = plain_console()
    table = Table("split", "k", "texts", "rounds", *skillmix.METRICS, box=None)
    for (name, k), group in scores.by_k.items():
        for rounds, values in (("best", group.best), ("mean", group.average)):
            shown = [f"{mean:.3f} ± {error:.3f}" for mean, error in values.values()]
            table.add_row(name, str(k), f"{group.texts:,}", rounds, *shown)
    console.print(table)
    skills = Table("skill", "earned", box=None)
    for skill, share in sorted(scores.skills.items(), key=lambda item: item[1]):
        skills.add_row(skill, f"{share:.2f}")
    console.print(skills)
    if scores.errors:
        count = sum(scores.errors.values())
        say(console, f"{count:,} replies for {len(scores.errors):,} rows have no points")


@loop.command(cls=PlainCommand)
def accept(folder: Folder, points: PointsFile, out: Out, split: SplitName = None) -> None:
    """Write the texts with full marks as training rows, with their k."""
    from synthgen.training import skillmix

    mixes, records = _graded(folder, points, split)
    with _naming(points):
        write_jsonl(out, skillmix.accepted(mixes, records))


@contextmanager
def _naming(path: Path | str) -> Iterator[None]:
    """Name a file or folder in errors about its data."""
    try:
        yield
    except DatasetError as error:
        if str(path) in str(error):
            raise
        msg = f"{path}: {error}"
        raise DatasetError(msg) from None


def _given(folder: str, answers: Path, split: list[str] | None) -> tuple[Dataset, Any, Any]:
    """Return the dataset, its mixes, and the replies of a model by id."""
    from synthgen.dataset.reader import open_dataset
    from synthgen.training import skillmix
    from synthgen.training.scoring import read_predictions

    dataset = open_dataset(folder)
    with _naming(folder):
        mixes = skillmix.read_mixes(dataset, split or ())
    replies = read_predictions(answers)
    for name in sorted(replies.keys() - mixes.keys()):
        msg = f"{answers}: id {name!r} is not in the dataset"
        raise DatasetError(msg)
    return dataset, mixes, replies


def _graded(folder: str, points: Path, split: list[str] | None) -> tuple[Any, Any]:
    """Return the mixes of a dataset, and the records of points."""
    from synthgen.dataset.reader import open_dataset
    from synthgen.training import skillmix

    with _naming(folder):
        mixes = skillmix.read_mixes(open_dataset(folder), split or ())
    return mixes, read_jsonl(points, {"id": str, "round": int, "text": str})


def _definitions(dataset: Dataset) -> dict[str, str]:
    """Return the definitions of the skills in the inventories of a dataset."""
    from synthgen.families.skill_prompt.inventory import skills_of

    definitions = {}
    for source in dataset.manifest.sources:
        if source.generator == "skill_prompt":
            for skill in skills_of(source.params.get("inventory", "official")):
                definitions[skill.name] = skill.definition
    return definitions
