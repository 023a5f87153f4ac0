"""Pictures of rows: SVG text, PNG files that carry their SVG, and statements of problems.

A statement is what verifiers read: the prompt, and in rows with a picture a line with its SVG.
"""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from zlib import crc32

import pyarrow as pa

IMAGE = "image"
"""Column of pictures."""
NO_PICTURE, SVG, PNG = "none", "svg", "png"
PICTURES = (NO_PICTURE, SVG, PNG)
"""What a recipe may ask for."""
IMAGE_TYPES: Mapping[str, pa.DataType] = {
    SVG: pa.string(),
    PNG: pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
}
"""Types of the column; that of PNG files is how `datasets` stores its feature Image."""
START = "<svg "
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER_END = len(_SIGNATURE) + 25
_CHUNK, _KEYWORD = b"iTXt", b"svg\0\0\0\0\0"
_MAX_CHUNKS = 100
_MARK = 8


def stated(prompt: str, svg: str | None) -> str:
    """Return a prompt followed by its picture, if there is one."""
    return prompt if svg is None else f"{prompt}\n{svg}"


def statement(row: Mapping[str, Any]) -> str:
    r"""Return what the reward needs as the prompt of a row: its prompt, and its picture as SVG.

    Args:
        row: Row of a dataset; its `image` may also be the image that `datasets` makes of it.

    >>> statement({"prompt": "Where is the circle?", "image": "<svg />"})
    'Where is the circle?\n<svg />'
    """
    return stated(row["prompt"], svg_of(row.get(IMAGE)))


def prompt_and_svg(whole: str) -> tuple[str, str | None]:
    """Return the two parts of a statement."""
    prompt, mark, rest = whole.partition(f"\n{START}")
    return prompt, (START + rest if mark else None)


def png_with_svg(png: bytes, svg: str) -> bytes:
    """Return a PNG with the SVG from which it was made, as uncompressed text after its header."""
    content = _CHUNK + _KEYWORD + svg.encode()
    size, check = struct.pack(">I", len(content) - len(_CHUNK)), struct.pack(">I", crc32(content))
    return png[:_HEADER_END] + size + content + check + png[_HEADER_END:]


def svg_of(image: object) -> str | None:
    """Return the SVG of a value of the column `image`, or of the bytes of a PNG; None without one.

    >>> svg_of("<svg />")
    '<svg />'
    """
    if isinstance(image, Mapping):
        image = image.get("bytes")
    texts = getattr(image, "text", None)  # of an image of Pillow
    if isinstance(texts, Mapping):
        image = texts.get("svg")
    if isinstance(image, str):
        return image if image.startswith(START) else None
    if not isinstance(image, bytes) or not image.startswith(_SIGNATURE):
        return None
    at = len(_SIGNATURE)
    for _ in range(_MAX_CHUNKS):
        head = image[at : at + 8]
        if len(head) < 8:
            return None
        size, kind = struct.unpack(">I4s", head)
        content = image[at + 8 : at + 8 + size]
        if kind == _CHUNK and content.startswith(_KEYWORD):
            return content.removeprefix(_KEYWORD).decode(errors="replace")
        at += 12 + size
    return None


def data_uri(image: object) -> str:
    """Return a value of the column `image` as a URI that holds the picture, for pages and JSON.

    >>> data_uri("<svg />")
    'data:image/svg+xml;base64,PHN2ZyAvPg=='
    """
    content = image.get("bytes") if isinstance(image, Mapping) else image
    kind = "image/png" if isinstance(content, bytes) else "image/svg+xml"
    data = content if isinstance(content, bytes) else str(content).encode()
    return f"data:{kind};base64,{b64encode(data).decode()}"


def as_text(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose picture, if there is one, is a URI."""
    image = row.get(IMAGE)
    return {**row, IMAGE: data_uri(image)} if image is not None else dict(row)


def statements(table: pa.Table | pa.RecordBatch, prompt: str = "prompt") -> pa.StringArray:
    """Return what verifiers read: the prompts of rows, with their pictures if there are any."""
    prompts = table.column(prompt)
    if isinstance(prompts, pa.ChunkedArray):
        prompts = prompts.combine_chunks()
    if IMAGE not in table.schema.names:
        return prompts
    return joined(prompts, table.column(IMAGE))


def marked(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows with prompts that name their pictures, instead of the column of pictures.

    Rows are equal for readers of texts only if their pictures are, too.
    """
    pairs = zip(*(batch.column(name).to_pylist() for name in ("prompt", IMAGE)), strict=True)
    texts = [text if image is None else f"{text}\n{_mark(image)}" for text, image in pairs]
    prompts = pa.array(texts, pa.string())
    return batch.set_column(batch.schema.names.index("prompt"), "prompt", prompts).drop_columns(
        [IMAGE]
    )


def _mark(image: object) -> str:
    digest = sha256((svg_of(image) or str(image)).encode()).digest()
    return f"[picture {int.from_bytes(digest[:_MARK])}]"


def joined(prompts: pa.Array, images: pa.Array | pa.ChunkedArray) -> pa.StringArray:
    """Return prompts with their pictures; a null prompt stays null."""
    pairs = zip(prompts.to_pylist(), images.to_pylist(), strict=True)
    texts = [None if text is None else stated(text, svg_of(image)) for text, image in pairs]
    return pa.array(texts, pa.string())
