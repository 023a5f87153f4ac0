"""Tables with the row schema for tests of shards."""

import numpy as np
import pyarrow as pa

from synthgen.dataset.row_schema import row_schema
from synthgen.rules.axes import Axis

AXES = {"n_op": Axis("operators", "int16", 0, 9), "kind": Axis("kind", values=("a", "b"))}
SCHEMA = row_schema(AXES)


def table(n: int, start: int = 0) -> pa.Table:
    few = pa.array(["hint"] * n).dictionary_encode()
    return pa.table(
        {
            "id": [f"{i:032x}" for i in range(start, start + n)],
            "prompt": [f"{i}+1" for i in range(n)],
            "answer": [str(i + 1) for i in range(n)],
            "answer_type": few,
            "solution": pa.array([None if i % 3 else "steps" for i in range(n)], pa.string()),
            "task": few,
            "template": few,
            "derivation": [f"(+ {i} 1)" for i in range(n)],
            "difficulty": pa.array(np.arange(n) % 7, pa.int16()),
            "source": few,
            "address": pa.array(np.arange(n), pa.uint64()),
            "n_op": pa.array(np.arange(n) % 5, pa.int16()),
            "kind": pa.array([None if i % 2 else "a" for i in range(n)], pa.string()),
        }
    )
