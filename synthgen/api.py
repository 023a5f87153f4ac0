"""The Python API: what the command line does, with values in place of printed text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from synthgen.core.checks import check_choice
from synthgen.core.errors import ChangedError, ParamError
from synthgen.engine.workers.local import LocalEngine
from synthgen.engine.workers.start import start_build_engine, start_engine
from synthgen.recipe.bundled import bundled_about, bundled_names
from synthgen.recipe.draft import Draft
from synthgen.recipe.loader import find_recipe, read_points, read_recipe
from synthgen.recipe.overrides import NO_OVERRIDES, Overrides
from synthgen.rules.axes import SOURCE

if TYPE_CHECKING:
    from synthgen.auditing.findings import Report
    from synthgen.engine.build import BuildResult
    from synthgen.engine.plan.plan import Plan
    from synthgen.engine.progress import Phases
    from synthgen.training.endless import Endless
    from synthgen.training.view import OpenedSplits
    from synthgen.verifying.checked_files import CheckedFile
    from synthgen.verifying.verification import Verification

ENGINES = ("local", "ray")
_BY_ADDRESS = "by address"
"""Added to the fingerprint of rows that are made when they are read, in groups of their own."""
_POINT_OF_ITS_OWN = "write one point of the sweep as a recipe of its own"
AnyRecipe = str | Path | Mapping[str, object]
"""Path of a recipe, the name of a bundled one, or a recipe as a mapping."""
Row = dict[str, Any]


def recipes() -> dict[str, str]:
    """Return the names of the bundled recipes, with a summary of each.

    >>> recipes()["scan-length"]
    'SCAN, length split: longer action sequences in the test.'
    """
    return {name: bundled_about(name).summary for name in bundled_names()}


def describe(generator: str) -> dict[str, Any]:
    """Return the params, axes, styles and problem space of a generator.

    Raises:
        UnknownNameError: if no generator has this name.

    >>> describe("hint")["axes"]["n_op"]["low"]
    0
    """
    from synthgen.engine.preview import describe

    return describe(generator)


def validate(recipe: AnyRecipe, sets: Sequence[str] = ()) -> dict[str, int]:
    """Check a recipe without building it, and return the number of rows of each split.

    A sweep is checked whole; the rows are those of its first point.

    Args:
        recipe: Recipe.
        sets: Overrides such as "split.train.rows=500".

    Raises:
        RecipeError: with all faults of the recipe.

    >>> validate("hint")["train"]
    100000
    """
    first, *_ = dict(plans_of(recipe, Overrides(tuple(sets)))).values()
    return {split.name: split.spec.rows for split in first.splits}


def preview(
    recipe: AnyRecipe,
    n: int = 5,
    split: str | None = None,
    *,
    seed: int | None = None,
    sets: Sequence[str] = (),
) -> dict[str, list[Row]]:
    """Return up to n verified rows of each split, or of one, without building anything.

    Args:
        recipe: Recipe; of a sweep, the first point.
        n: Rows of a split.
        split: Name of the only split to show.
        seed: Seed in place of the recipe's.
        sets: Overrides such as "split.train.rows=500".

    Raises:
        RecipeError: with all faults of the recipe.
        UnknownNameError: if the recipe has no such split.

    >>> [row["prompt"] for row in preview("scan", 2)["train"]]
    ['jump opposite left and walk thrice', 'look opposite left thrice and walk opposite right']
    """
    from synthgen.engine.preview import preview

    _, plan = next(plans_of(recipe, Overrides(tuple(sets), seed=seed)))
    return preview(plan, LocalEngine(1), n, split)


def generate(
    generator: str,
    n: int,
    where: str | None = None,
    *,
    seed: int = 0,
    params: Mapping[str, object] | None = None,
    render: Mapping[str, object] | None = None,
) -> list[Row]:
    """Return n different verified problems of a generator, without a recipe or files.

    They are the rows that a recipe with this source, seed and rule begins with.

    Args:
        generator: Name of the generator, see `describe`.
        n: Number of rows, at least 1.
        where: Rule over the axes of the generator, in the language of recipes.
        seed: Names the stream of draws.
        params: Params of the generator.
        render: `prompt` and `solution` styles, and `format`.

    Raises:
        RecipeError: if a name, param, style or rule is wrong.
        ShortfallError: if there are fewer such problems.

    >>> rows = generate("hint", 3, "n_op = 2 AND result < 10", seed=1)
    >>> [(row["prompt"], row["answer"]) for row in rows]
    [('6/(2/7)', '6'), ('7/(9+3)', '1'), ('5/(4/2)', '3')]
    """
    recipe = {
        "name": "generated",
        "seed": seed,
        "source": [{"generator": generator, "params": params or {}}],
        "split": [{"name": "rows", "rows": n, "where": where}],
        "render": render or {},
        "output": {"order": "address"},
    }
    from synthgen.engine.make.kept import Kept
    from synthgen.engine.make.materialise import make_rows
    from synthgen.engine.progress import Display
    from synthgen.engine.select.select import select

    _, plan = next(plans_of(recipe))
    kept = Kept(plan.sources, plan.row_axes)
    with LocalEngine(1) as engine:
        members = select(plan, engine, Display().update, kept).members["rows"]
    table = make_rows(members, plan.sources, plan.row_axes, "rows", kept)
    rows: list[Row] = table.to_pylist()
    return rows


def rows(
    recipe: AnyRecipe,
    *,
    seed: int | None = None,
    sets: Sequence[str] = (),
    workers: int | None = None,
    memory: int = 64 << 20,
) -> OpenedSplits:
    """Select the splits of a recipe, and make their rows when they are read, without any files.

    The rows are those of `build`, byte for byte and in the same order, with the same views and
    streams as those of `open`. A selected row takes 10 bytes. Every row is verified when it is
    made.

    Args:
        recipe: Path of a recipe, the name of a bundled one, or a recipe as a mapping.
        seed: Seed in place of the recipe's.
        sets: Overrides such as "split.train.rows=500".
        workers: Processes for the selection, by default one per processor.
        memory: Bytes of rows to keep for each split.

    Raises:
        RecipeError: with all faults of the recipe, or for a sweep of several datasets.
        ShortfallError: if a split cannot be filled.

    >>> splits = rows("hint", sets=["split.train.rows=2000"], workers=1)
    >>> splits["train"].select("prompt", "answer")[0]
    {'prompt': '6+(9*7+(8+2))/9', 'answer': '15'}
    """
    from synthgen.engine.make.address_groups import AddressedRows
    from synthgen.engine.plan.plan import make_plan
    from synthgen.engine.progress import Display
    from synthgen.engine.select.select import select
    from synthgen.training.view import OpenedSplits

    draft = _read(recipe, Overrides(tuple(sets), seed=seed))
    point = _only_point(draft, _POINT_OF_ITS_OWN)[""]
    with start_engine(point, workers) as engine:
        plan = make_plan(point)
        selection = select(plan, engine, Display().update)
    groups = {
        each.name: AddressedRows(rows, plan.sources, plan.row_axes, each, memory)
        for each, rows in zip(selection.record.splits, selection.members.values(), strict=True)
    }
    axes = {**plan.row_axes, SOURCE: plan.axes[SOURCE]}
    return OpenedSplits(plan.recipe.name, f"{plan.fingerprint} {_BY_ADDRESS}", axes, groups)


def open(  # noqa: A001
    path: str | Path,
    *,
    storage: Mapping[str, Any] | None = None,
    memory: int = 64 << 20,
    verify: bool = False,
) -> OpenedSplits:
    """Open a finished dataset for training.

    If only its selection is stored (`build(..., select_only=True)`), rows are made and verified
    when they are read, and equal those of a build.

    Sizes and footers of all shards are compared with the manifest, at a URL when a shard is first
    read. A shard that changes later is an error when it is read.

    Args:
        path: Folder of the dataset, or a URL that fsspec understands, such as `s3://bucket/name`.
        storage: Options of the URL's file system, such as credentials.
        memory: Bytes of decoded row groups to keep for each split.
        verify: Whether to compare the hashes of all shards with the manifest, which reads them.

    Raises:
        DatasetError: if there is no finished dataset, it cannot be read, or its rows cannot be
            made with the generators that are installed.
        ChangedError: if a shard is not the manifest's.

    >>> train = open(build("hint", "hint", rows=2_000, workers=1).folder)["train"]
    >>> train.select("prompt", "n_op").where("n_op = 3")[0]["n_op"]
    3
    """
    from synthgen.dataset.places import Place
    from synthgen.dataset.row_groups import Groups, RowGroups
    from synthgen.training.view import OpenedSplits

    place = Place.from_path(path, storage)
    manifest = place.manifest()
    fingerprint, groups = manifest.fingerprint, dict[str, Groups]()
    if manifest.has_data:
        for split in manifest.splits:
            stored = RowGroups(place, split.shards, manifest.schema, memory)
            stored.check(footers=place.is_local, hashes=verify)
            groups[split.name] = stored
    else:
        from synthgen.engine.make.recorded import selected_rows

        fingerprint += f" {_BY_ADDRESS}"
        groups.update(selected_rows(place, manifest, memory))
    return OpenedSplits(manifest.name, fingerprint, manifest.rule_axes, groups)


def endless(
    recipe: AnyRecipe,
    split: str = "train",
    batch: int = 256,
    form: str = "arrow",
    *,
    rank: int = 0,
    world_size: int = 1,
    seed: int | None = None,
    sets: Sequence[str] = (),
) -> Endless:
    """Make batches of new rows of a split without end, and without files.

    No row is a problem of a split that the recipe keeps apart from this one, however many are
    read: only the rule of the split and the hash of the problem's key decide. Problems may
    repeat. Caps, balance and covers, which count the rows of a build, have no effect.

    Args:
        recipe: Path of a recipe, the name of a bundled one, or a recipe as a mapping.
        split: Name of the split.
        batch: Rows of a batch.
        form: "arrow" (a table), "dicts" (a list) or "numpy" (a dict of arrays).
        rank: Number of this process, from 0, among those that share the rows.
        world_size: Number of these processes.
        seed: Seed in place of the recipe's.
        sets: Overrides such as "split.train.rows=500".

    Raises:
        RecipeError: with all faults of the recipe, for a sweep, and with the reason if rules and
            keys do not suffice to keep the splits apart.
        UnknownNameError: if the recipe has no such split.
        ParamError: for an option that is not as expected.

    >>> fresh = endless("hint", batch=4, form="dicts")
    >>> [row["prompt"] for row in next(fresh)][:2]
    ['8*(9+(1-(3-5-6)))/(3*4/4+(8+3))', '2+2-2']
    """
    from synthgen.engine.plan.plan import make_plan
    from synthgen.engine.select.endless_rows import EndlessRows
    from synthgen.training.endless import Endless

    draft = _read(recipe, Overrides(tuple(sets), seed=seed))
    plan = make_plan(_only_point(draft, _POINT_OF_ITS_OWN)[""])
    return Endless(EndlessRows(plan, split), batch, form, rank, world_size)


def build(
    recipe: AnyRecipe,
    out: str | Path | None = None,
    *,
    rows: int | None = None,
    scale: float | None = None,
    seed: int | None = None,
    sets: Sequence[str] = (),
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
    fresh: bool = False,
    select_only: bool = False,
    rank: int | None = None,
    world_size: int | None = None,
    expect: str | None = None,
    yes: bool = False,
    each: Callable[[str, BuildResult], object] | None = None,
    phases: Phases | None = None,
    guard: AbstractContextManager[object] | None = None,
) -> BuildResult:
    """Build a dataset, resume an interrupted build, or return one that is already built.

    With `each`, a sweep is built, too: every point into a folder of its own in `out`.

    Args:
        recipe: Path of a recipe, the name of a bundled one, or a recipe as a mapping.
        out: Output folder, or a URL that fsspec understands, such as `s3://bucket/name`; by
            default `outputs/<name of the recipe>`.
        rows: Total number of rows, divided among the splits in proportion.
        scale: Factor by which to multiply the rows of every split.
        seed: Seed in place of the recipe's.
        sets: Overrides such as "split.train.rows=500".
        workers: Processes; 1 runs everything in this one. By default one per processor. With Ray,
            tasks in the cluster at a time.
        engine: "local" runs tasks on this machine, "ray" in a Ray cluster.
        address: Address of the Ray cluster; by default that of this machine, or Ray starts here.
        fresh: Whether to rebuild from scratch, replacing an existing dataset.
        select_only: Whether to store which rows are selected, but no data: rows are then made when
            they are read, by `open`. The same call without it adds the data.
        rank: Share of the shards to make, from 0 to `world_size - 1`, of a selection that is stored
            in the folder. A call without `rank` and `world_size` collects all shares.
        world_size: Number of the calls that share the shards.
        expect: Digest that the rows must have; the dataset stays, whatever it has.
        yes: Whether to start a large build even if memory or disk cannot suffice.
        each: Function to call with name and result of each dataset of a sweep, or with "" and the
            result of a recipe of one dataset.
        phases: Receiver of progress updates, which afterwards holds the seconds of each phase.
        guard: Context to enter once the workers have started and this process may have threads.

    Returns:
        The dataset, of a sweep the last one.

    Raises:
        SynthgenError: for any failure, with a message for the user.
        OSError: if the output that shows progress cannot be written.

    >>> build("hint", "small", rows=2_000, workers=1)
    <2,000 rows in small: train 1,905, test_i 19, ...>
    """
    check_choice("engine", engine, ENGINES)
    draft = _read(recipe, Overrides(tuple(sets), rows, scale, seed))
    points = read_points(draft) if each else _only_point(draft, "`each` takes those of a sweep")
    sweep = draft.recipe.sweep if draft.recipe and len(points) > 1 else None
    if select_only and sweep and sweep.same:
        message = "expected none with --select-only, as it compares rows that are not made"
        draft.fail([draft.fault("sweep.same", message)])
    share = _share(rank, world_size, whole=fresh or select_only)
    if expect is not None and (select_only or share or len(points) > 1):
        raise ParamError("expect", expect, "none for a sweep, a share or a selection without data")
    mode = {"fresh": fresh, "select_only": select_only, "share": share, "unchecked": yes}
    running = start_build_engine(engine, address, next(iter(points.values())), workers)
    with running, guard or nullcontext():
        from synthgen.engine.points import build_points, check_digest

        for name, result in build_points(draft, points, out, running, mode, phases):
            if each:
                each(name, result)
    check_digest(result, expect)
    return result


def audit(
    folder: str | Path | Mapping[str, Any],
    max_shortcut: float | None = None,
    *,
    train: str = "train",
    columns: Mapping[str, str] = MappingProxyType({}),
    against: Sequence[str | Path] = (),
) -> Report:
    """Recompute what a dataset promises, or audit any files or tables of prompts and answers.

    Rows of a synthgen dataset that are not stored are made from their addresses, in a temporary
    folder. A dataset at a URL is copied into one first.

    Args:
        folder: Folder or URL of a synthgen dataset; or the splits of other data by name, each the
            name of a file or pattern, or a table of pyarrow, Polars, pandas or `datasets`.
        max_shortcut: Largest share of a split that a shortcut may get right; by default 0.5, or
            that of the dataset's recipe.
        train: Name of the training split of other data.
        columns: Columns of other data by role ("prompt", "answer", "structure", "group";
            "against" for the prompts of evaluations); by default those with the usual names.
        against: Evaluations; only their rows in the training data `folder` are reported.

    Raises:
        ParamError: if `train` is not a split, or there is no other one.
        DatasetError: if the folder is not a synthgen dataset, or rows cannot be read or made.

    >>> audit(build("scan-length", "length", rows=500, workers=1).folder).ok
    True
    >>> import polars as pl
    >>> rows = pl.DataFrame({"question": ["1+1", "1+2"], "answer": ["2", "3"]})
    >>> audit({"train": rows, "test": rows}).ok  # the test is in the training data
    False
    """
    from synthgen.auditing.report import audit
    from synthgen.dataset.manifest import read_manifest
    from synthgen.dataset.places import Place, local_folder
    from synthgen.dataset.reader import Dataset
    from synthgen.engine.make.recorded import with_data

    if against and not isinstance(folder, Mapping):
        from synthgen.auditing.contamination import audit_columns

        return audit_columns(str(folder), [*map(str, against)], columns, train)
    if isinstance(folder, Mapping):
        from synthgen.auditing.third_party import audit_splits

        return audit_splits(folder, train, columns, max_shortcut)
    with local_folder(folder) as local:
        stored = Dataset(Place.from_path(local), read_manifest(local))
        with with_data(stored) as made:
            return audit(local, max_shortcut, made)


def verify(
    folder: str | Path,
    *,
    rebuild: int | Literal["all"] | None = None,
    seed: int | None = None,
    digest: str | None = None,
    recipe: str | Path | None = None,
    workers: int | None = None,
) -> Verification:
    """Check files, records and every answer and id of a dataset, and make rows again.

    Rows to be made again from their addresses are chosen at random, so that nobody who edits a
    dataset knows which ones.

    Args:
        folder: Folder of the dataset, or a URL, from which it is copied first.
        rebuild: Rows of each split to make again; "all" for every row, and for the selection. By
            default as many as take about as long as the other checks, at least 300.
        seed: Seed of the choice, as an earlier verification gave it; by default the system's
            randomness decides.
        digest: Digest that the rows must have.
        recipe: Original of the recipe, if it names files that are beside it.
        workers: Processes that select again. By default one per processor.

    Raises:
        DatasetError: if the folder is not a synthgen dataset, or a shard cannot be read.

    >>> verify(build("scan", "all", rows=1_000, workers=1).folder).ok
    True
    """
    from synthgen.engine.progress import Display
    from synthgen.engine.workers.local import usable_cores
    from synthgen.verifying.verification import Options, verify

    if not (rebuild in (None, "all") or (type(rebuild) is int and rebuild >= 0)):
        raise ParamError("rebuild", rebuild, "a number of rows, or 'all'")
    original = None if recipe is None else Path(recipe)
    options = Options(rebuild, seed, digest, original, workers or usable_cores())
    return verify(folder, Display().update, options)


def digest(folder: str | Path) -> str:
    """Return the digest of all rows of a dataset, which names its content in one line.

    It depends on the rows and their order only, not on shards or versions of libraries. Rows that
    are not stored are made.

    Raises:
        ChangedError: if the manifest records another digest.
        DatasetError: if the folder is not a synthgen dataset, or a shard cannot be read.

    >>> built = build("scan", "named", rows=1_000, workers=1)
    >>> digest("named") == built.manifest.digest
    True
    """
    from synthgen.dataset.reader import open_dataset
    from synthgen.engine.make.recorded import with_data

    dataset = open_dataset(folder, without_data=True)
    with with_data(dataset) as whole:
        value = whole.digest()
    recorded = dataset.manifest.digest
    if recorded not in (None, value):
        msg = f"{folder}: its rows have the digest {value}, but the manifest records {recorded}"
        raise ChangedError(msg)
    return value


def check(generator: str, file: str | Path, *, show: int = 5) -> CheckedFile:
    r"""Check third-party prompts and answers with a generator's verifier.

    Args:
        generator: Name of the generator.
        file: TSV, CSV, JSON lines or Parquet with prompts and answers.
        show: Number of failing rows to return.

    Raises:
        UnknownNameError: if no generator has this name.
        DatasetError: if the file cannot be read.

    >>> _ = Path("rows.tsv").write_text("prompt\tanswer\n2*3\t6\n2*4\t9\n")
    >>> check("hint", "rows.tsv").agree
    1
    """
    from synthgen.dataset.foreign import open_foreign
    from synthgen.dataset.foreign.column_choice import WantedColumns
    from synthgen.verifying.checked_files import check

    with open_foreign(Path(file), WantedColumns(None, None, None)) as foreign:
        return check(generator, foreign.batches, show)


def compare(
    first: str | Path, second: str | Path, *, fail_on: Sequence[str] | None = None
) -> Report:
    """Report what B covers that A does not, and which rows they share.

    Args:
        first: A, folder of a dataset or file of prompts, such as a model's training data.
        second: B, such as a benchmark.
        fail_on: Levels, L0 to L4, at which a shared row fails; L0, L1 and L2 by default.

    Raises:
        UnknownNameError: for an unknown level.
        DatasetError: for a folder that is not a finished dataset, or an unreadable file.

    >>> first, second = (build("scan-length", name, rows=500, workers=1).folder for name in "ab")
    >>> compare(first, second).ok
    False
    """
    from synthgen.auditing.compare import WantedSide, compare
    from synthgen.auditing.third_party import MeasuringOptions

    return compare(
        WantedSide(Path(first)), WantedSide(Path(second)), MeasuringOptions(), fail_on=fail_on
    )


def _read(recipe: AnyRecipe, overrides: Overrides) -> Draft:
    return read_recipe(recipe if isinstance(recipe, Mapping) else find_recipe(recipe), overrides)


def _only_point(draft: Draft, instead: str) -> Mapping[str, Draft]:
    """Return the point "" of a recipe without a sweep.

    Raises:
        RecipeError: for a sweep, with what to do instead.
    """
    points = read_points(draft)
    if [*points] != [""]:
        draft.fail([draft.fault("sweep", f"expected a recipe of one dataset; {instead}")])
    return points


def plans_of(recipe: AnyRecipe, overrides: Overrides = NO_OVERRIDES) -> Iterator[tuple[str, Plan]]:
    """Yield name and plan of every point of a recipe; "" is the only point without a sweep.

    Raises:
        RecipeError: with all faults of the recipe.
    """
    from synthgen.engine.plan.plan import make_plan

    for name, point in read_points(_read(recipe, overrides)).items():
        yield name, make_plan(point)


def _share(rank: int | None, world_size: int | None, *, whole: bool) -> tuple[int, int] | None:
    """Return the share of a call; both numbers are given, or none, as for what is made whole."""
    if rank is None and world_size is None:
        return None
    if world_size is None or world_size < 1:
        raise ParamError("world_size", world_size, "the number of ranks")
    if rank is None or not 0 <= rank < world_size:
        raise ParamError("rank", rank, f"an integer from 0 to {world_size - 1}")
    if whole:
        raise ParamError("rank", rank, "none with fresh or select_only")
    return rank, world_size
