from __future__ import annotations

import json
import pickle
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from synthgen.core.errors import ParamError
from synthgen.training.stream import Stream
from synthgen.training.view import View
from tests.building import TWO_SPLITS, build_small, environment
from tests.training.tiny_views import ROWS, number_of, train_of, write_many

pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore:'set_vital' is deprecated"),  # torchdata calls it
]

WORKERS = [(0, False), (1, False), (1, True), (2, False), (2, True)]


@pytest.fixture(scope="module")
def torch(request: pytest.FixtureRequest) -> Any:
    if "torch" not in request.config.getoption("markexpr"):
        pytest.skip("asked for with -m torch")
    pytest.importorskip("torchdata")
    return pytest.importorskip("torch")


@pytest.fixture
def train(torch: Any, tmp_path: Path) -> View:
    return train_of(write_many(tmp_path / "tiny"))


def numbers(batch: list[dict[str, Any]]) -> list[int]:
    return [number_of(one["prompt"]) for one in batch]


def loader(stream: Stream, workers: int, *, stateful: bool = False, **options: Any) -> Any:
    if stateful:
        from torchdata.stateful_dataloader import StatefulDataLoader as Loader
    else:
        from torch.utils.data import DataLoader as Loader
    return Loader(stream.torch(), batch_size=None, num_workers=workers, **options)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_view_is_a_map_style_dataset(train: View, torch: Any, workers: int) -> None:
    from torch.utils.data import DataLoader

    chosen = train.select("prompt", "n_op")
    batches = list(DataLoader(chosen, batch_size=20, shuffle=True, num_workers=workers))
    found = sorted(number_of(text) for batch in batches for text in batch["prompt"])
    assert found == list(range(ROWS))
    assert all(isinstance(batch["n_op"], torch.Tensor) for batch in batches)
    steps = train.where("n_op = 1").select("prompt", "solution")
    with pytest.raises(TypeError, match="NoneType"):
        list(DataLoader(steps, batch_size=20))
    batch = next(iter(DataLoader(steps.filled(), batch_size=20, num_workers=workers)))
    assert batch["solution"][0] == ""


def epoch(number: int, **options: Any) -> list[list[int]]:
    """Return an epoch as a stream without a loader gives it."""
    order = Stream(**options)
    order.seek(number)
    return [numbers(batch) for batch in order]


def run(batches: Any, times: int) -> list[list[list[int]]]:
    return [[numbers(batch) for batch in batches] for _ in range(times)]


@pytest.mark.parametrize("stateful", [False, True])
@pytest.mark.parametrize(("workers", "living"), WORKERS)
def test_epochs_advance_by_themselves(
    train: View, torch: Any, workers: int, living: bool, stateful: bool
) -> None:
    options: dict[str, Any] = {"sources": train, "batch": 7, "form": "dicts"}
    order = Stream(**options)
    batches = loader(order, workers, stateful=stateful, persistent_workers=living)
    expected = [epoch(number, **options) for number in range(5)]
    assert run(batches, 2) == expected[:2]
    torch.manual_seed(1)  # the workers of later iterations have the same seeds
    assert numbers(next(iter(batches))) == expected[2][0]
    for number, batch in enumerate(batches):
        assert numbers(batch) == expected[3][number]
        if number == 10:
            break
    torch.manual_seed(1)
    assert run(batches, 1) == expected[4:]
    for number in (1, 1, 2):  # the last is what comes by itself
        batches.dataset.set_epoch(number)
        assert run(batches, 1) == expected[number : number + 1]
    assert run(batches, 1) == expected[3:4]
    order.seek(1, 20)
    assert run(batches, 2) == [expected[1][20:], expected[2]]
    order.load_state_dict(Stream(**options).state_dict(batches=29))
    assert order.epoch == 1
    assert run(batches, 1) == expected[1:2]


@pytest.mark.parametrize("consumed", [0, 11, 29, 30])
@pytest.mark.parametrize(("workers", "living"), WORKERS)
def test_later_epochs_are_whole_after_a_resume(
    train: View, workers: int, living: bool, consumed: int
) -> None:
    options: dict[str, Any] = {"sources": train, "batch": 7, "form": "dicts"}
    expected = [epoch(number, **options) for number in range(5)]
    skipped = [(1, 14), (3, 2)]
    for number, place in reversed(skipped):
        del expected[number][place]

    def new() -> Any:
        return loader(Stream(**options), workers, stateful=True, persistent_workers=living)

    def resumed(state: dict[str, Any]) -> Any:
        batches = new()
        batches.load_state_dict(state)
        return batches

    first = new()
    for number, place in skipped:
        first.dataset.stream.skip(place, number)
    assert run(first, 1) == expected[:1]
    running = iter(first)
    assert [numbers(batch) for batch in islice(running, consumed)] == expected[1][:consumed]
    state = first.state_dict()
    del running
    second = resumed(state)
    if consumed < 29:
        assert run(second, 1) == [expected[1][consumed:]]
    assert run(second, 1) == expected[2:3]
    running = iter(second)
    assert [numbers(batch) for batch in islice(running, 11)] == expected[3][:11]
    state = second.state_dict()
    del running
    assert run(resumed(state), 2) == [expected[3][11:], expected[4]]
    again = resumed(state)
    again.dataset.set_epoch(3)
    assert run(again, 1) == [expected[3][11:]]
    again.dataset.set_epoch(2)
    assert run(again, 2) == expected[2:4]


@pytest.mark.parametrize(("workers", "living"), WORKERS)
def test_a_loop_that_is_resumed_after_its_last_batch_ends(
    train: View, workers: int, living: bool
) -> None:
    options: dict[str, Any] = {"sources": train, "batch": 7, "form": "dicts"}
    first, second = (
        loader(Stream(**options), workers, stateful=True, persistent_workers=living)
        for _ in range(2)
    )
    running = iter(first)
    assert len([*islice(running, 29)]) == 29
    second.load_state_dict(first.state_dict())
    assert run(second, 2) == [[], epoch(1, **options)]


def test_loaders_of_one_stream_share_its_epochs(train: View, torch: Any) -> None:
    options: dict[str, Any] = {"sources": train, "batch": 7, "form": "dicts"}
    order = Stream(**options)
    found = []
    living = loader(order, 2, persistent_workers=True)
    for batches in (living, loader(order, 1), loader(order, 2), loader(order, 0), living):
        torch.manual_seed(1)
        found += run(batches, 1)
    assert found == [epoch(number, **options) for number in range(5)]
    copy = pickle.loads(pickle.dumps(living.dataset))  # noqa: S301
    assert run(loader(copy.stream, 2), 2) == [epoch(5, **options), epoch(6, **options)]
    assert run(living, 1) == [epoch(5, **options)]
    assert [numbers(batch) for batch in order] == epoch(6, **options)


def test_spawned_workers_share_the_epoch(train: View, torch: Any) -> None:
    options: dict[str, Any] = {"sources": train, "batch": 7, "form": "dicts"}
    batches = loader(Stream(**options), 1, persistent_workers=True, multiprocessing_context="spawn")
    assert run(batches, 1) == [epoch(0, **options)]
    batches.dataset.set_epoch(3)
    assert run(batches, 2) == [epoch(3, **options), epoch(4, **options)]


@pytest.mark.parametrize("stateful", [False, True])
@pytest.mark.parametrize(("workers", "living"), WORKERS)
def test_an_endless_iteration_is_the_only_one(
    train: View, torch: Any, workers: int, living: bool, stateful: bool
) -> None:
    stream = Stream(train, batch=7, form="dicts", endless=True)
    batches = loader(stream, workers, stateful=stateful, persistent_workers=living)
    order = [numbers(b) for b in islice(Stream(train, batch=7, form="dicts", endless=True), 40)]
    assert [numbers(batch) for batch in islice(batches, 40)] == order
    for _ in range(2):
        with pytest.raises((ParamError, RuntimeError), match="endless=True: expected one"):
            next(iter(batches))
    batches.dataset.set_epoch(1)
    assert [numbers(batch) for batch in islice(batches, 11)] == order[29:]


def test_numpy_batches_become_tensors(train: View, torch: Any) -> None:
    stream = Stream(train.select("prompt", "n_op"), batch=7, form="numpy")
    for batch in loader(stream, 2):
        assert isinstance(batch["n_op"], torch.Tensor)
        assert isinstance(batch["prompt"][0], str)


@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize("consumed", [0, 1, 4, 9, 29])
def test_a_stateful_loader_resumes_exactly(train: View, workers: int, consumed: int) -> None:
    options: dict[str, Any] = {"batch": 7, "form": "dicts", "endless": True}
    mixed = {"a": train.where("n_op > 1"), "b": train.where("n_op <= 1")}
    order = [numbers(b) for b in islice(Stream(mixed, weights={"a": 1, "b": 1}, **options), 45)]
    stream = Stream(mixed, weights={"a": 1, "b": 1}, **options)
    first = loader(stream, workers, stateful=True)
    running = iter(first)
    assert [numbers(batch) for batch in islice(running, consumed)] == order[:consumed]
    state = first.state_dict()
    del running
    second = loader(Stream(mixed, weights={"a": 1, "b": 1}, **options), workers, stateful=True)
    second.load_state_dict(state)
    rest = [numbers(batch) for batch in islice(iter(second), 45 - consumed)]
    assert rest == order[consumed:]


@pytest.mark.parametrize(
    ("before", "living", "after"), [(0, False, 2), (2, True, 0), (2, False, 1)]
)
def test_a_counted_state_resumes_under_other_workers(
    train: View, torch: Any, before: int, living: bool, after: int
) -> None:
    options: dict[str, Any] = {"batch": 7, "form": "dicts", "world_size": 2, "rank": 1}
    options["sources"] = train
    stream = Stream(**options)
    batches = loader(stream, before, persistent_workers=living)
    assert run(batches, 1) == [epoch(0, **options)]
    expected = epoch(1, **options)
    assert [numbers(batch) for batch in islice(batches, 5)] == expected[:5]
    state = json.loads(json.dumps(stream.state_dict(batches=5)))
    resumed = Stream(**options)
    resumed.load_state_dict(state)
    assert run(loader(resumed, after), 2) == [expected[5:], epoch(2, **options)]
    stream.load_state_dict(state)
    assert run(batches, 2) == [expected[5:], epoch(2, **options)]


def test_what_cannot_be_known_is_refused(train: View, torch: Any) -> None:
    order = Stream(train, batch=7)
    dataset = order.torch()
    state = order.state_dict() | {"worker": 1, "workers": 2, "taken": 3}
    with pytest.raises(ParamError, match="workers=2: expected 1"):
        dataset.load_state_dict(state)
    with pytest.raises(ParamError, match="taken=-1"):
        dataset.load_state_dict(state | {"worker": 0, "workers": 1, "taken": -1})
    of_two = loader(Stream(train, batch=7), 2, stateful=True).state_dict()
    of_one = loader(Stream(train, batch=7), 1, stateful=True)
    of_one.load_state_dict(of_two)
    with pytest.raises((ParamError, RuntimeError), match="workers=2: expected 1"):
        next(iter(of_one))
    next(iter(loader(order, 1)))
    with pytest.raises(ParamError, match="batches=N"):
        dataset.state_dict()
    with pytest.raises(ParamError, match="skip=3"):
        order.skip(3)


def test_the_state_of_a_dataset_without_workers(train: View, torch: Any) -> None:
    from torch.utils.data import DataLoader

    options: dict[str, Any] = {"sources": train, "batch": 7, "form": "dicts"}
    dataset = Stream(**options).torch()
    assert dataset.state_dict() == dataset.stream.state_dict()
    running = iter(dataset)
    assert [numbers(batch) for batch in islice(running, 5)] == epoch(0, **options)[:5]
    state = json.loads(json.dumps(dataset.state_dict()))
    for workers in (0, 2):
        resumed = Stream(**options).torch()
        resumed.load_state_dict(state)
        resumed.set_epoch(0)
        rest = DataLoader(resumed, batch_size=None, num_workers=workers)
        assert run(rest, 2) == [epoch(0, **options)[5:], epoch(1, **options)]
    assert len([*running]) == 24
    assert dataset.state_dict()["epoch"] == 1
    dataset.set_epoch(4)
    assert dataset.state_dict()["epoch"] == 4


def test_the_example_resumes_exactly_and_scores(torch: Any, tmp_path: Path) -> None:
    folder = build_small(tmp_path, "data", text=TWO_SPLITS).folder
    example = Path(__file__).parents[2] / "examples" / "train.py"
    few = ["--batch", "16", "--width", "16", "--layers", "1", "--rows", "20", "--every", "2"]
    out: dict[str, str] = {}
    for name, runs in {"straight": ["6"], "resumed": ["2", "6"]}.items():
        for steps in runs:
            arguments = [str(folder), "--out", str(tmp_path / name), "--steps", steps, *few]
            ended = subprocess.run(
                [sys.executable, str(example), *arguments],
                capture_output=True,
                text=True,
                env=environment(),
                check=True,
            )
            out[name] = ended.stdout
    assert out["resumed"].startswith("resumed after step 2")
    assert out["straight"].splitlines()[-4:] == out["resumed"].splitlines()[-4:]
    lines = [(tmp_path / name / "predictions.jsonl").read_text() for name in out]
    assert lines[0] == lines[1]
