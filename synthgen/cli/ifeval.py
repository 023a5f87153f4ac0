"""Commands for benchmarks of published constraints: score answers, write rows in their form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from synthgen.cli.common import AsJson, Folder, app, plain_console, print_json, say
from synthgen.cli.help import PlainCommand, PlainGroup
from synthgen.cli.jsonl import read_jsonl, write_jsonl
from synthgen.core.errors import DatasetError

ifeval = typer.Typer(
    cls=PlainGroup, no_args_is_help=True, help="Prompts and answers in the form of IFEval."
)
app.add_typer(ifeval, name="ifeval")


@ifeval.command(cls=PlainCommand)
def score(
    prompts: Annotated[
        Path, typer.Argument(help="JSONL with prompt, instruction_id_list and kwargs.")
    ],
    answers: Annotated[Path, typer.Option(help="JSONL with prompt and response.")],
    as_json: AsJson = False,
) -> None:
    """Score answers to published prompts, strictly and loosely, by prompt and instruction."""
    from synthgen.cli.terminal import add_rates
    from synthgen.training.published import score_answers
    from synthgen.training.scoring import read_predictions

    given = read_predictions(answers, "prompt", "response")
    rows = read_jsonl(prompts, {"prompt": str, "instruction_id_list": list, "kwargs": list})
    try:
        scores, skipped = score_answers(rows, {name: texts[-1] for name, texts in given.items()})
    except ValueError as error:
        msg = f"{prompts}: {error}"
        raise DatasetError(msg) from None
    if as_json:
        levels = {"prompt_level": scores.whole, "instruction_level": scores.each}
        counts = {"prompts": scores.texts, "instructions": scores.parts, "skipped": skipped}
        print_json({**counts, **levels, "by_id": scores.by_name})
        return
    table = Table("accuracy", "of", "strict", "loose", box=None)
    add_rates(table, scores, "prompts", "instructions")
    plain_console().print(table)
    if skipped:
        say(plain_console(), f"{skipped:,} prompts need language data and were not scored")


@ifeval.command(cls=PlainCommand)
def rows(
    folder: Folder,
    out: Annotated[Path, typer.Option(help="JSONL file to write.")],
    split: Annotated[list[str] | None, typer.Option(help="Split; repeatable.")] = None,
) -> None:
    """Write the rows of `constraints` whose types all have a published id."""
    from synthgen.dataset.reader import open_dataset
    from synthgen.training.published import published_form

    dataset = open_dataset(folder)
    records = []
    for name in split or dataset.splits:
        for batch in dataset.batches(name, ("id", "prompt", "answer", "answer_type")):
            for row in batch.to_pylist():
                if row["answer_type"] != "constraints":
                    continue
                rules = json.loads(row["answer"])
                if len(rules) > 1 and any(rule["type"] == "responses" for rule in rules):
                    continue  # each version meets the other rules; published ids count over all
                forms = [published_form(rule) for rule in rules]
                known = [form for form in forms if form is not None]
                if len(known) == len(forms):
                    ids, kwargs = zip(*known, strict=True)
                    fields = {"instruction_id_list": ids, "kwargs": kwargs}
                    records.append({"key": row["id"], "prompt": row["prompt"], **fields})
    if not records:
        msg = f"{folder}: no row of constraints has only types with a published id"
        raise DatasetError(msg)
    write_jsonl(out, records)
