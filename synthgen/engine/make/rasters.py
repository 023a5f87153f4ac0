"""The column of pictures, as SVG text or as PNG files made from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pyarrow as pa

from synthgen.core.errors import ParamError
from synthgen.core.images import IMAGE, IMAGE_TYPES, NO_PICTURE, PNG, png_with_svg

_FONT = Path(__file__).with_name("DejaVuSans-Bold.ttf")
"""The font of all texts, so that pictures do not depend on the fonts of a machine."""


def images(pictures: pa.StringArray | None, picture: str, n: int) -> dict[str, pa.Array]:
    """Return the column `image` of n rows, with nulls if there are no pictures; or no column.

    Args:
        pictures: SVG of each row.
        picture: Kind of pictures that the recipe asks for.
        n: Number of rows.

    Raises:
        ParamError: for PNG files without the library that makes them.
    """
    if picture == NO_PICTURE:
        return {}
    kind = IMAGE_TYPES[picture]
    if pictures is None:
        return {IMAGE: pa.nulls(n, kind)}
    if picture != PNG:
        return {IMAGE: pictures}
    rasterize = _rasterizer()
    files = [svg and png_with_svg(rasterize(svg), svg) for svg in pictures.to_pylist()]
    columns = [pa.array(files, pa.binary()), pa.nulls(n, pa.string())]
    whole = pa.StructArray.from_arrays(columns, fields=[*kind], mask=pictures.is_null())
    return {IMAGE: whole}


@cache
def _rasterizer() -> Callable[[str], bytes]:
    """Return the function that turns SVG into a PNG."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ParamError("picture", PNG, "resvg: pip install 'synthgen[images]'") from None
    font = [str(_FONT)]
    return lambda svg: svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=font)
