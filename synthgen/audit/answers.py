"""Answer priors: how far one gets by always giving the most frequent answer."""

from __future__ import annotations

import polars as pl

from synthgen.audit.findings import AnswerPrior

FEW_ANSWERS = 50
"""With so many different answers or fewer, a frequent one is the nature of the question."""
FEWEST_ROWS = 100
MOST_PRIORS = 10
_MOST_TEXT = 60
_GROUP = ["task", "difficulty"]


def answer_priors(frame: pl.LazyFrame) -> tuple[AnswerPrior, ...]:
    """Return the families and difficulties whose most frequent answer has the largest share.

    Only those with more than FEW_ANSWERS different answers and at least FEWEST_ROWS rows count.
    """
    counted = frame.group_by(*_GROUP, pl.col("answer").hash().alias("_hash")).agg(
        rows=pl.len(), answer=pl.col("answer").str.head(_MOST_TEXT).min()
    )
    ranked = counted.sort("rows", "answer", descending=[True, False])
    groups = ranked.group_by(_GROUP).agg(
        total=pl.col("rows").sum(),
        distinct=pl.len(),
        answer=pl.col("answer").first(),
        most=pl.col("rows").max(),
    )
    told = groups.filter(pl.col("distinct") > FEW_ANSWERS, pl.col("total") >= FEWEST_ROWS)
    share = (pl.col("most") / pl.col("total")).alias("share")
    found = told.sort(share, *_GROUP, descending=[True, False, False]).head(MOST_PRIORS)
    columns = ("task", "difficulty", "total", "distinct", "answer", "most")
    rows = found.select(columns).collect(engine="streaming").iter_rows()
    return tuple(AnswerPrior(*row) for row in rows)
