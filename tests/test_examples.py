"""The examples run; those that need torch or trainers are tested beside their adapters."""

import json
import re
import runpy
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.building import TWO_SPLITS, build_small, recipe_of, rows_of, source_of, split_of

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(monkeypatch: pytest.MonkeyPatch, name: str, *arguments: str) -> object:
    """Run an example in this process, and return its exit code."""
    monkeypatch.setattr("sys.argv", [name, *arguments])
    try:
        runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    except SystemExit as end:
        return end.code
    return 0


def test_an_own_csv_is_audited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train = "".join(f"What is {n}+{n}?,{2 * n}\n" for n in range(40))
    Path("train.csv").write_text(f"question,answer\n{train}")
    Path("test.csv").write_text("question,answer\nWhat is 7+7?,14\nWhat is 7+8?,15\n")
    assert run(monkeypatch, "audit_csv", "train.csv", "test.csv", "--prompt", "question") == 1
    out = capsys.readouterr().out
    assert "test.csv: 1 problems are in train, too" in out
    assert "to review: Identity and overlap" in out
    assert Path("audit.html").stat().st_size


def test_a_curriculum_rises(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    recipe = recipe_of(source_of("hint", "level = true"), split_of("train", 1_000))
    build_small(tmp_path, text=recipe)
    assert run(monkeypatch, "curriculum", "out", "--steps", "40") == 0
    out = capsys.readouterr().out
    first, *_, last = re.findall(r"most practiced level=(\d)", out)
    assert int(first) < int(last)
    assert re.search(r"^level 2: 0\.\d\d of \d+ held-out problems, weight 0", out, re.MULTILINE)


class Server(BaseHTTPRequestHandler):
    """A model that knows all answers, and a path that exists."""

    answers: dict[str, str]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = asked["messages"][0]["content"].partition("\n\nEnd")[0]
        reply = {"role": "assistant", "content": f"Well.\nAnswer: {self.answers[prompt]}"}
        body = json.dumps({"choices": [{"message": reply}]}).encode()
        self.send_response(200 if self.path == "/v1/chat/completions" else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Listening(ThreadingHTTPServer):
    """A server that lets as many requests wait as an example sends at once."""

    request_queue_size = 64


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    folder = build_small(tmp_path, text=TWO_SPLITS).folder
    Server.answers = {row["prompt"]: row["answer"] for row in rows_of(Path(folder), "test")}
    with Listening(("127.0.0.1", 0), Server) as running:
        threading.Thread(target=running.serve_forever).start()
        yield f"http://127.0.0.1:{running.server_port}/v1"
        running.shutdown()


@pytest.mark.slow
def test_a_model_behind_a_server_is_scored(
    server: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for rows in ("10", "30"):
        options = ["--url", server, "--rows", rows, "--by", "n_op"]
        assert run(monkeypatch, "evaluate", "out", *options) == 0
    texts = Path("outputs/evaluated/predictions.jsonl").read_text().splitlines()
    assert len({json.loads(text)["id"] for text in texts}) == len(texts) == 30
    assert "1.0000" in capfd.readouterr().out
    assert Path("outputs/evaluated/score.html").stat().st_size


def test_examples_are_short() -> None:
    lengths = {path.name: len(path.read_text().splitlines()) for path in EXAMPLES.glob("*.py")}
    del lengths["train.py"]
    assert len(lengths) == 4
    assert max(lengths.values()) < 100
