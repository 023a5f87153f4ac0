from __future__ import annotations

import json
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


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_loader_gives_the_streams_order(train: View, torch: Any, workers: int) -> None:
    stream = Stream(train, batch=7, form="dicts")
    order = [numbers(batch) for batch in Stream(train, batch=7, form="dicts")]
    batches = loader(stream, workers)
    assert [numbers(batch) for batch in batches] == order
    assert [numbers(batch) for batch in batches] == order
    batches.dataset.set_epoch(1)
    assert [numbers(batch) for batch in batches] == [
        numbers(Stream(train, batch=7, form="dicts")[1, place]) for place in range(29)
    ]


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


@pytest.mark.parametrize(("before", "after"), [(0, 2), (2, 0), (2, 1)])
def test_a_counted_state_resumes_under_other_workers(
    train: View, torch: Any, before: int, after: int
) -> None:
    options: dict[str, Any] = {"batch": 7, "form": "dicts", "world_size": 2, "rank": 1}
    order = [numbers(batch) for batch in Stream(train, **options)]
    stream = Stream(train, **options)
    assert [numbers(batch) for batch in islice(loader(stream, before), 5)] == order[:5]
    state = json.loads(json.dumps(stream.state_dict(batches=5)))
    resumed = Stream(train, **options)
    resumed.load_state_dict(state)
    assert [numbers(batch) for batch in loader(resumed, after)] == order[5:]


def test_the_state_of_a_worker_is_refused_under_other_workers(train: View, torch: Any) -> None:
    dataset = Stream(train, batch=7).torch()
    state = dataset.stream.state_dict() | {"worker": 1, "workers": 2, "taken": 3}
    dataset.load_state_dict(state)
    with pytest.raises(ParamError, match="workers=1: expected 2"):
        next(iter(dataset))


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
