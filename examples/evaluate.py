"""Score a model behind a server that speaks OpenAI's chat protocol (vLLM, SGLang, llama.cpp, ...).

    synthgen build hint --rows 2000
    python examples/evaluate.py outputs/hint --url http://localhost:8000/v1 --model NAME

The test splits are exported, their prompts are sent, and the replies are scored: as a table, and
as a page, `outputs/evaluated/score.html`. After an interruption the same command goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import synthgen


def ask(options: argparse.Namespace, prompt: str) -> str:
    """Return the reply of the model to a prompt."""
    message = {"role": "user", "content": f"{prompt}\n\nEnd with a line 'Answer: ...'."}
    body = {"model": options.model, "messages": [message], "temperature": 0}
    key = os.environ.get("OPENAI_API_KEY", "none")
    request = urllib.request.Request(  # noqa: S310  # the user's own server
        f"{options.url}/chat/completions",
        json.dumps(body | {"max_tokens": options.tokens}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
    )
    with urllib.request.urlopen(request, timeout=600) as reply:  # noqa: S310
        return str(json.load(reply)["choices"][0]["message"]["content"] or "")


def exported(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Export the splits but train, and return the first rows of each."""
    splits = options.split or [name for name in synthgen.open(options.folder) if name != "train"]
    folder = options.out / "rows"
    synthgen.export(options.folder, "jsonl", folder, splits=splits)
    rows = []
    for split in splits:
        lines = (folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
        rows += [json.loads(line) for line in lines[: options.rows]]
    return rows


def main() -> None:
    """Ask for what has no reply yet, and score all replies."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of a dataset")
    parser.add_argument("--url", default="http://localhost:8000/v1")
    parser.add_argument("--model", default="default")
    parser.add_argument("--split", action="append", help="default: all but train")
    parser.add_argument("--rows", type=int, default=200, help="rows of each split")
    parser.add_argument("--tokens", type=int, default=1_024, help="most tokens of a reply")
    parser.add_argument("--by", action="append", default=[], help="columns with an accuracy each")
    parser.add_argument("--out", type=Path, default=Path("outputs/evaluated"))
    options = parser.parse_args()

    rows = exported(options)
    file = options.out / "predictions.jsonl"
    file.touch()
    lines = file.read_text(encoding="utf-8").splitlines()
    answered = {json.loads(line)["id"] for line in lines}
    left = [row for row in rows if row["id"] not in answered]
    with ThreadPoolExecutor(16) as threads, file.open("a", encoding="utf-8") as out:
        replies = threads.map(lambda row: ask(options, row["prompt"]), left)
        for row, reply in zip(left, replies, strict=True):
            print(json.dumps({"id": row["id"], "prediction": reply}), file=out, flush=True)

    score = [sys.executable, "-m", "synthgen", "score", str(options.folder)]
    given = ["--predictions", str(file), "--html", str(options.out / "score.html")]
    by = [text for column in options.by for text in ("--by", column)]
    subprocess.run([*score, *given, *by], check=True)  # noqa: S603


if __name__ == "__main__":
    main()
