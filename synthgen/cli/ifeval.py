"""Commands for benchmarks of published constraints: score answers, write rows in their form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from synthgen.cli.common import AsJson, Folder, app, plain_console, print_json, say
from synthgen.cli.jsonl import read_jsonl, write_jsonl
from synthgen.core.errors import DatasetError

ifeval = typer.Typer(no_args_is_help=True, help="Prompts and answers in the form of IFEval.")
app.add_typer(ifeval, name="ifeval")


@ifeval.command()
def score(
    prompts: Annotated[
        Path, typer.Argument(help="JSONL with prompt, instruction_id_list and kwargs.")
    ],
    answers: Annotated[Path, typer.Option(help="JSONL with prompt and response.")],
    as_json: AsJson = False,
) -> None:
    """Score answers to published prompts, strictly and loosely, by prompt and instruction."""
    from dataclasses import asdict

    from synthgen.training.published import score_answers

    given = read_jsonl(answers, {"prompt": str, "response": str})
    rows = read_jsonl(prompts, {"prompt": str, "instruction_id_list": list, "kwargs": list})
    try:
        found = score_answers(rows, {row["prompt"]: row["response"] for row in given})
    except ValueError as error:
        msg = f"{prompts}: {error}"
        raise DatasetError(msg) from None
    if as_json:
        print_json(asdict(found))
        return
    table = Table("accuracy", "of", "strict", "loose", box=None)
    table.add_row("prompts", f"{found.prompts:,}", *(f"{v:.3f}" for v in found.prompt_level))
    shown = [f"{value:.3f}" for value in found.instruction_level]
    table.add_row("instructions", f"{found.instructions:,}", *shown)
    for name, shares in found.by_id.items():
        table.add_row(name, "", *(f"{value:.3f}" for value in shares))
    plain_console().print(table)
    if found.skipped:
        say(plain_console(), f"{found.skipped:,} prompts need language data and were not scored")


@ifeval.command()
def rows(
    folder: Folder,
    out: Annotated[Path, typer.Option(help="JSONL file to write.")],
    split: Annotated[list[str] | None, typer.Option(help="Split; repeatable.")] = None,
) -> None:
    """Write the rows of `constraints` whose types all have a published id."""
    from synthgen.dataset.reader import open_dataset
    from synthgen.training.published import published_form

    dataset = open_dataset(folder)
    found = []
    for name in split or dataset.splits:
        for batch in dataset.batches(name, ("id", "prompt", "answer", "answer_type")):
            for row in batch.to_pylist():
                if row["answer_type"] != "constraints":
                    continue
                forms = [published_form(rule) for rule in json.loads(row["answer"])]
                known = [form for form in forms if form is not None]
                if len(known) == len(forms):
                    ids, kwargs = zip(*known, strict=True)
                    fields = {"instruction_id_list": ids, "kwargs": kwargs}
                    found.append({"key": row["id"], "prompt": row["prompt"], **fields})
    if not found:
        msg = "no row of constraints has only types with a published id"
        raise DatasetError(msg)
    write_jsonl(out, found)
