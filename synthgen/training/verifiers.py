"""A split as a taskset of verifiers v1, which must be installed; prime-rl trains on it.

verifiers finds a taskset by the name of an installed module that exports it:

    from synthgen.training.verifiers import SynthgenTaskset

    __all__ = ["SynthgenTaskset"]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import verifiers.v1 as vf

import synthgen
from synthgen.training.environment import stored_rows
from synthgen.training.reward import judge

_COLUMNS = ("id", "prompt", "answer", "answer_type")


class SynthgenData(vf.TaskData):
    """A row: its `id`, `prompt`, `answer` and `answer_type`."""

    answer: str
    answer_type: str


class SynthgenConfig(vf.TasksetConfig):
    """Choice of the rows: `path` of the dataset, `split`, and a rule, `where`."""

    path: str
    split: str = "train"
    where: str | None = None


class SynthgenTask(vf.Task[SynthgenData, vf.State, vf.TaskConfig]):
    """A row, whose `id` is the task's key."""

    @property
    def key(self) -> str:
        """The `id` of the row."""
        return str(self.data.id)

    @vf.reward  # type: ignore[untyped-decorator,unused-ignore]
    async def right(self, trace: Any) -> float:
        """Grade the last reply."""
        data = self.data
        return judge(trace.last_reply, data.answer, data.answer_type, prompt=data.prompt).score


class SynthgenTaskset(vf.Taskset[SynthgenTask, SynthgenConfig]):
    """The rows of a split in the order of its files."""

    def load(self) -> Iterator[SynthgenTask]:
        """Yield the rows, read batch by batch."""
        view = synthgen.open(self.config.path)[self.config.split]
        if self.config.where is not None:
            view = view.where(self.config.where)
        for row in view.select(*_COLUMNS):
            yield SynthgenTask(SynthgenData(**row), self.config.task)


def stored_tasks(file: Path, where: str | None, config: vf.TaskConfig) -> Iterator[SynthgenTask]:
    """Yield the rows of a file of `synthgen export --format environment`, read batch by batch.

    Args:
        file: Path of the file.
        where: Rule that the rows satisfy, or None for all.
        config: Settings of each task.
    """
    for row in stored_rows(file, _COLUMNS, where):
        yield SynthgenTask(SynthgenData(**row), config)
