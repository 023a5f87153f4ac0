"""EXPORT: rows of a dataset in the columns that trainers and evaluators read.

`FORMATS` has one function for each format: it turns a batch of rows into the columns that its
reader documents, in plain Arrow types. Every row keeps its `id`. Labels hold what `adapters` and
`judge` need. Files appear under their names when all of them are complete.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from synthgen.authoring.words import BOXED
from synthgen.core.checks import check_choice
from synthgen.core.errors import DatasetError, OutputError, ParamError
from synthgen.core.files import check_name, replace_text
from synthgen.core.images import IMAGE, IMAGE_TYPES, NO_PICTURE, PNG, SVG, data_uri, statements
from synthgen.dataset.evaluations import inspect_yaml, lm_eval_tasks, tested_splits, yaml_of
from synthgen.dataset.manifest import INSPECT_FILE
from synthgen.dataset.reader import Dataset, open_dataset
from synthgen.dataset.shards import disk_error, write_batches
from synthgen.training.environment import KEPT_OUT, module_of, package

COMPLETIONS = ("answer", "solution")
"""Contents of a completion: the answer only, or the solution before it."""
_READ = ("id", "prompt", "answer", "answer_type", "solution", "task", "difficulty")
_ROWS = 10_000
"""Rows of a batch, and of a row group."""
_RUBRIC, _CONSTRAINTS = "rubric", "constraints"
_NATURAL = "natural"
"""The axis that is 0 in rows whose solutions do not read as texts."""
_README = "README.md"
_MARK = "<image>\n"
"""Beginning of prompts with a picture for verl, which puts the picture there."""
_LEFT = ("__pycache__", "dist")
"""Folders that running or packing an export leaves in it."""

Columns = dict[str, pa.Array]


@dataclass(frozen=True, slots=True)
class BatchPlace:
    """Place of a batch in a dataset.

    Attributes:
        dataset, split: Names of the dataset and the split.
        first: Number of its first row in the split, from 0.
        completion: Content of a completion, one of `COMPLETIONS`.
        unnatural: Whether completions may be solutions that do not read as texts.
    """

    dataset: str
    split: str
    first: int
    completion: str
    unnatural: bool = False


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format in which rows are written for a reader.

    Attributes:
        reader: Program that reads the rows.
        columns: Function that turns a batch into columns.
        lines: Whether files are JSON Lines instead of Parquet.
        completes: Whether rows have completions.
        ungraded: Types of answers that the reader cannot grade.
        whole: Whether a column may be any of the dataset, such as an axis.
        papers: Function of the dataset, folder and splits that returns further files.
        within: Function of the dataset that returns the folder of the rows, with a slash, or "".
        pictured: Whether rows may have pictures, of the kinds in it.
    """

    reader: str
    columns: Callable[[pa.RecordBatch, BatchPlace], Columns]
    lines: bool = False
    completes: bool = False
    ungraded: tuple[str, ...] = (_RUBRIC,)
    whole: bool = False
    papers: Callable[[Dataset, Path, Sequence[str]], dict[str, str]] = lambda *_: {}
    within: Callable[[Dataset], str] = lambda _: ""
    pictured: tuple[str, ...] = ()


def export(
    folder: str | Path,
    format: str,  # noqa: A002
    out: str | Path | None = None,
    splits: Sequence[str] = (),
    *,
    completion: str | None = None,
    unnatural: bool = False,
) -> dict[str, int]:
    """Write the rows of a dataset in the columns that a trainer or evaluator reads.

    Completions that hold solutions leave out rows whose axis `natural` is 0: their solutions, such
    as some of `constraints`, satisfy the prompt but do not read as texts.

    Args:
        folder: Folder or URL of the dataset, which is not changed.
        format: Name in `FORMATS`, such as "verl".
        out: Folder of the files, one for each split; default: `export/<name of folder>/<format>`.
        splits: Names of splits; empty means all.
        completion: Content of completions of "sft" and "chat": "answer" (default) or "solution".
        unnatural: Whether to keep rows whose solutions do not read as texts.

    Returns:
        The number of rows of each file of rows, by its path.

    Raises:
        ParamError: for an unknown format, or a choice that it does not have.
        UnknownNameError: for a split that the dataset does not have.
        DatasetError: for rows that the format cannot hold.
        OutputError: if `out` is in the dataset, holds other files, or cannot be written.

    >>> import synthgen
    >>> folder = synthgen.build("scan", "all", rows=1_000, workers=1).folder
    >>> synthgen.export(folder, "verl", "for-verl")
    {'for-verl/train.parquet': 1000}
    """
    check_choice("format", format, [*FORMATS])
    spec = FORMATS[format]
    completion = _checked_completion(spec, completion, unnatural=unnatural)
    dataset = open_dataset(folder)
    _check_pictures(dataset, format)
    chosen = tuple(dict.fromkeys(splits)) or dataset.splits
    for split in chosen:
        dataset.rows(split)  # raises for an unknown split before anything is written
    into = Path(out) if out else Path("export") / dataset.place.name / format
    check_name(str(into))
    name, suffix = dataset.manifest.name, "jsonl" if spec.lines else "parquet"
    files = {split: f"{spec.within(dataset)}{split}.{suffix}" for split in chosen}
    mark = f"Rows of `{name}` for {spec.reader}, written by `synthgen export` as `{format}`"
    papers = {_README: _front_matter(files, _schema(dataset, spec))}
    papers |= spec.papers(dataset, into.resolve(), chosen)
    papers[_README] += f"\n{mark}; fingerprint: `{dataset.manifest.fingerprint}`.\n"
    _check_folder(dataset, into, {*files.values(), *papers}, mark)
    unfinished = {split: (into / file).parent / f".{split}.tmp" for split, file in files.items()}
    written = {}
    try:
        for split, path in unfinished.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            rows = _write(dataset, spec, BatchPlace(name, split, 0, completion, unnatural), path)
            written[str(into / files[split])] = rows
        left = sum(map(dataset.rows, chosen)) - sum(written.values())
        if left:
            papers[_README] += f"\nLeft out: {left} rows whose solution does not read as a text.\n"
        for paper, text in papers.items():
            replace_text(into / paper, text)
        for split, path in unfinished.items():
            path.replace(into / files[split])
    except OSError as error:
        raise disk_error(error, into) from error
    finally:
        for path in unfinished.values():
            with suppress(OSError):
                path.unlink(missing_ok=True)
    return written


def _checked_completion(spec: ExportFormat, completion: str | None, *, unnatural: bool) -> str:
    """Return the content of completions, the default if none is named."""
    if completion is not None and not spec.completes:
        with_one = " and ".join(name for name, each in FORMATS.items() if each.completes)
        raise ParamError("completion", completion, f"nothing, as only {with_one} have completions")
    completion = check_choice("completion", completion or COMPLETIONS[0], COMPLETIONS)
    if unnatural and completion != "solution":
        raise ParamError(
            "unnatural", unnatural, "completion='solution', as only it leaves rows out"
        )
    return completion


def _check_folder(dataset: Dataset, out: Path, names: set[str], mark: str) -> None:
    """Check that a folder is outside the dataset, and empty or with an earlier such export."""
    inside = out.resolve().is_relative_to(dataset.folder.resolve())
    if dataset.place.is_local and inside:
        msg = f"{out} is in the dataset, whose files are sealed: name another folder"
        raise OutputError(msg)
    folders = {out, *((out / name).parent for name in names)}
    in_it = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
    counted = (path for path in in_it if path.name not in _LEFT and path.name[0] != ".")
    there = {path.relative_to(out).as_posix() for path in counted}
    names = names | {folder.relative_to(out).as_posix() for folder in folders}
    readme = out / _README
    is_export = readme.is_file() and mark in readme.read_text(encoding="utf-8", errors="replace")
    if there and not (is_export and there <= names):
        shown = ", ".join(sorted(there - names if is_export else there)[:5])
        msg = f"{out} holds files that this export did not write ({shown}): name another folder"
        raise OutputError(msg)


def _write(dataset: Dataset, spec: ExportFormat, place: BatchPlace, path: Path) -> int:
    """Write one split, and return its number of rows."""
    batches = _converted(dataset, spec, place, _columns_read(dataset, spec))
    if not spec.lines:
        return write_batches(path, _schema(dataset, spec), batches)
    rows = 0
    with path.open("x", encoding="utf-8", newline="\n") as file:
        for batch in batches:
            rows += batch.num_rows
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in batch.to_pylist())
    return rows


def _columns_read(dataset: Dataset, spec: ExportFormat) -> list[str]:
    names = dataset.schema.names
    return names if spec.whole else [*_READ, *[IMAGE] * (IMAGE in names)]


def _schema(dataset: Dataset, spec: ExportFormat) -> pa.Schema:
    """Return the types of the columns of a format."""
    fields = [dataset.schema.field(name) for name in _columns_read(dataset, spec)]
    empty = pa.RecordBatch.from_pylist([], pa.schema(fields))
    place = BatchPlace(dataset.manifest.name, "", 0, COMPLETIONS[0])
    return pa.RecordBatch.from_pydict(spec.columns(empty, place)).schema


def _check_pictures(dataset: Dataset, name: str) -> None:
    """Check that a format can hold the pictures of a dataset, if it has any."""
    kind, fitting = dataset.manifest.picture, FORMATS[name].pictured
    if kind == NO_PICTURE or kind in fitting:
        return
    what = f"{dataset.folder}: rows have pictures ({kind.upper()}), which {name} cannot hold"
    others = ", ".join(other for other, spec in FORMATS.items() if kind in spec.pictured)
    advice = "build with render.picture = 'png'" if fitting else f"use {others}"
    msg = f"{what}: {advice}"
    raise DatasetError(msg)


def _converted(
    dataset: Dataset, spec: ExportFormat, place: BatchPlace, read: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the columns of a format, batch by batch."""
    first = 0
    choosy = spec.completes and place.completion == "solution" and not place.unnatural
    choosy = choosy and _NATURAL in dataset.schema.names
    for batch in dataset.batches(place.split, (*read, *[_NATURAL] * choosy), _ROWS):
        if choosy:
            batch = batch.filter(pc.fill_null(pc.not_equal(batch[_NATURAL], 0), True))
        kinds = pc.unique(batch["answer_type"]).to_pylist()
        ungraded = [kind for kind in spec.ungraded if kind in kinds]
        if ungraded and not (spec.completes and place.completion == "solution"):
            fit = "completion=solution" if spec.completes else "the format sft, chat or jsonl"
            what = f"{dataset.folder}: {place.split}: answers of type {ungraded[0]}"
            msg = f"{what} are of no use to {spec.reader}: use {fit}"
            raise DatasetError(msg)
        at = replace(place, first=first)
        yield pa.RecordBatch.from_pydict(spec.columns(batch, at))
        first += batch.num_rows


# Columns.


def _same(value: str, batch: pa.RecordBatch) -> pa.Array:
    return pa.repeat(pa.scalar(value, pa.string()), batch.num_rows)


def _struct(**columns: pa.Array) -> pa.Array:
    return pa.StructArray.from_arrays([*columns.values()], [*columns])


def _messages(
    batch: pa.RecordBatch, replies: pa.Array | None = None, *, mark: str = ""
) -> pa.Array:
    """Return the prompts as conversations, with a reply each if there are any.

    Args:
        batch: Rows.
        replies: Replies.
        mark: Text that begins prompts with a picture.
    """
    prompts = batch["prompt"]
    if mark and IMAGE in batch.schema.names:
        started = pc.binary_join_element_wise(pa.scalar(mark), prompts, "")
        prompts = pc.if_else(pc.is_null(batch[IMAGE]), prompts, started)
    turns = [("user", prompts)] + ([] if replies is None else [("assistant", replies)])
    n, k = batch.num_rows, len(turns)
    each = [_struct(role=_same(role, batch), content=texts) for role, texts in turns]
    order = pa.array([turn * n + row for row in range(n) for turn in range(k)], pa.int64())
    turns_of_rows = pa.concat_arrays(each).take(order)
    return pa.ListArray.from_arrays(pa.array(range(0, n * k + 1, k), pa.int32()), turns_of_rows)


def _labels(batch: pa.RecordBatch) -> pa.Array:
    """Return answers, their types and, where grading needs it, prompts as JSON objects."""
    rows = batch.select(["answer", "answer_type"]).to_pylist()
    for row, prompt in zip(rows, _needed_prompts(batch).to_pylist(), strict=True):
        row.update({} if prompt is None else {"prompt": prompt})
    return pa.array([json.dumps(row, ensure_ascii=False) for row in rows], pa.string())


def _needed_prompts(batch: pa.RecordBatch) -> pa.Array:
    """Return the statements of rows that have several right answers, and null for others."""
    needed = pc.starts_with(batch["answer_type"], "checked:")
    return pc.if_else(needed, statements(batch), pa.scalar(None, pa.string()))


def _images(batch: pa.RecordBatch) -> Columns:
    """Return the column of lists of PNG files that trainers read, if there are pictures."""
    if IMAGE not in batch.schema.names:
        return {}
    there = pc.is_valid(batch[IMAGE]).cast(pa.int32())
    ends = pc.cumulative_sum(there)
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends.cast(pa.int32())])
    return {"images": pa.ListArray.from_arrays(offsets, batch[IMAGE].drop_null())}


def _statements(batch: pa.RecordBatch) -> Columns:
    """Return what the reward needs beside prompts, if there are pictures."""
    return {"statement": _needed_prompts(batch)} if IMAGE in batch.schema.names else {}


def _completions(batch: pa.RecordBatch, place: BatchPlace) -> pa.Array:
    """Return completions whose answers `judge` finds; those of constraints are texts themselves."""
    texts = []
    for row in batch.select(_READ).to_pylist():
        boxed = row["prompt"].endswith(BOXED)
        text = f"\\boxed{{{row['answer']}}}" if boxed else row["answer"] or "Answer:"
        if place.completion == "solution":
            if row["solution"] is None:
                msg = f"{place.split}: row {row['id']} has no solution: build with render.solution"
                raise DatasetError(msg)
            stated = text if boxed else f"Answer: {row['answer']}"
            whole = row["answer_type"] in (_RUBRIC, _CONSTRAINTS)
            text = row["solution"] if whole else f"{row['solution']}\n{stated}"
        texts.append(text)
    return pa.array(texts, pa.string())


def _rewarded(batch: pa.RecordBatch, place: BatchPlace, key: str) -> Columns:
    """Return the columns that verl and SkyRL share; `key` names the kind of comparison."""
    rule = {key: _same("rule", batch), "ground_truth": batch["answer"]}
    index = pa.array(range(place.first, place.first + batch.num_rows), pa.int64())
    about = _named(batch, "id", "answer_type", "task", "difficulty")
    return {
        "id": batch["id"],
        "data_source": _same(f"{place.dataset}/{place.split}", batch),
        "prompt": _messages(batch, mark=_MARK),
        **_images(batch),
        "reward_model" if key == "style" else "reward_spec": _struct(**rule),
        "extra_info": _struct(
            split=_same(place.split, batch), index=index, **about, prompt=_needed_prompts(batch)
        ),
    }


def _named(batch: pa.RecordBatch, *names: str) -> Columns:
    return {name: batch[name] for name in names}


def _all_columns(batch: pa.RecordBatch, place: BatchPlace) -> Columns:
    del place
    columns = _named(batch, *batch.schema.names)
    if IMAGE in columns:
        uris = [image and data_uri(image) for image in batch[IMAGE].to_pylist()]
        columns[IMAGE] = pa.array(uris, pa.string())
    return columns


def _sft(batch: pa.RecordBatch, place: BatchPlace) -> Columns:
    completions = pc.binary_join_element_wise("", _completions(batch, place), "\n")
    return {**_named(batch, "id", "prompt"), "completion": completions}


# Files beside the rows.


def _front_matter(files: Mapping[str, str], schema: pa.Schema) -> str:
    """Return the head of a card that names the files of each split, as loaders read it.

    Where rows have pictures, it declares the columns, as loaders cannot see that from their types.
    """
    paths = [{"split": split, "path": file} for split, file in files.items()]
    head = yaml_of(configs=[{"config_name": "default", "data_files": paths}])
    if "images" in schema.names:
        head = yaml_of(dataset_info={"features": [*map(_feature, schema)]}) + head
    return f"---\n{head}---\n"


def _feature(field: pa.Field) -> dict[str, object]:
    """Return the declaration of a column for `datasets`."""
    kind, key = field.type, "dtype"
    if pa.types.is_list(kind):
        kind, key = kind.value_type, "list"
    if kind == IMAGE_TYPES[PNG]:
        return {"name": field.name, key: "image"}
    if pa.types.is_struct(kind):
        key = "struct" if key == "dtype" else key
        return {"name": field.name, key: [*map(_feature, kind)]}
    return {"name": field.name, key: str(kind)}


def _lm_eval(dataset: Dataset, folder: Path, splits: Sequence[str]) -> dict[str, str]:
    """Return a task for each split to evaluate."""
    name = dataset.manifest.name
    files = {split: str(folder / f"{split}.parquet") for split in splits}
    return {
        f"{name}_{split}.yaml": yaml_of(task=f"{name}_{split}", tag=name) + text
        for split, text in lm_eval_tasks(files, tested_splits(splits)).items()
    }


def _inspect(dataset: Dataset, folder: Path, splits: Sequence[str]) -> dict[str, str]:
    """Return a benchmark."""
    del folder
    return {INSPECT_FILE: inspect_yaml(dataset.manifest.name, tested_splits(splits))}


_QUESTION = ("id", "prompt", "answer", "answer_type")

FORMATS: Mapping[str, ExportFormat] = {
    "sft": ExportFormat("SFT of TRL", _sft, completes=True, ungraded=(_RUBRIC, _CONSTRAINTS)),
    "chat": ExportFormat(
        "SFT of TRL, verl and Axolotl",
        lambda batch, place: {
            "id": batch["id"],
            "messages": _messages(batch, _completions(batch, place)),
            **_images(batch),
        },
        completes=True,
        ungraded=(_RUBRIC, _CONSTRAINTS),
        pictured=(PNG,),
    ),
    "trl": ExportFormat(
        "GRPO and RLOO of TRL",
        lambda batch, _: {
            "prompt": _messages(batch),
            **_images(batch),
            **_named(batch, "id", "answer", "answer_type", "task", "difficulty"),
            **_statements(batch),
        },
        pictured=(PNG,),
    ),
    "verl": ExportFormat(
        "verl",
        lambda batch, place: {**_rewarded(batch, place, "style"), "ability": batch["task"]},
        pictured=(PNG,),
    ),
    "openrlhf": ExportFormat(
        "OpenRLHF",
        lambda batch, place: {
            "id": batch["id"],
            "input": batch["prompt"],
            "label": _labels(batch),
            "datasource": _same(f"{place.dataset}/{place.split}", batch),
        },
        lines=True,
    ),
    "open-instruct": ExportFormat(
        "open-instruct",
        lambda batch, _: {
            "id": batch["id"],
            "messages": _messages(batch),
            "ground_truth": _labels(batch),
            "dataset": _same("synthgen", batch),
        },
    ),
    "skyrl": ExportFormat(
        "SkyRL",
        lambda batch, place: {
            **_rewarded(batch, place, "method"),
            "env_class": _same("synthgen", batch),
        },
    ),
    "nemo-gym": ExportFormat(
        "NeMo Gym",
        lambda batch, _: {
            "id": batch["id"],
            "responses_create_params": _struct(input=_messages(batch)),
            "expected_answer": batch["answer"],
            "answer_type": batch["answer_type"],
        },
        lines=True,
    ),
    "jsonl": ExportFormat(
        "any reader of JSON Lines",
        _all_columns,
        lines=True,
        ungraded=(),
        whole=True,
        pictured=(SVG, PNG),
    ),
    "environment": ExportFormat(
        "verifiers",
        lambda batch, _: _named(batch, *[n for n in batch.schema.names if n not in KEPT_OUT]),
        whole=True,
        papers=lambda dataset, _, splits: package(dataset, splits),
        within=lambda dataset: f"{module_of(dataset)}/",
    ),
    "lm-eval": ExportFormat(
        "lm-evaluation-harness", lambda batch, _: _named(batch, *_QUESTION), papers=_lm_eval
    ),
    "inspect": ExportFormat(
        "inspect_ai",
        lambda batch, _: _named(batch, *_QUESTION),
        ungraded=(_RUBRIC, _CONSTRAINTS),
        papers=_inspect,
    ),
}
"""Formats by name."""
