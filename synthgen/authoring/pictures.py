"""Pictures in plain shapes: drawn as SVG by families, and read back by their verifiers.

>>> picture = Picture(100, 50)
>>> picture.circle((30, 25), 10, Ink("#d62728"))
>>> [(shape.kind, shape.center, shape.fill) for shape in shapes(picture.svg())]
[('circle', (30.0, 25.0), '#d62728')]
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from bisect import bisect
from collections.abc import Iterable, Sequence
from colorsys import rgb_to_hls
from typing import NamedTuple
from xml.sax.saxutils import escape

from synthgen.core.images import START

Point = tuple[float, float]

MIN_TEXT = 8
"""Smallest size of a readable text."""
MAX_SVG, MAX_SHAPES = 200_000, 1_000
"""Characters and elements of an SVG; larger ones are not read."""
BACKGROUND, INK = "#ffffff", "#222222"
PALETTE = {
    "red": "#e03131",
    "green": "#2f9e44",
    "blue": "#1971c2",
    "yellow": "#f5c211",
    "purple": "#9c36d6",
    "orange": "#fd7e14",
    "white": "#ffffff",
    "pink": "#ff8ac8",
    "cyan": "#3bc9db",
    "brown": "#8b4a16",
    "gray": "#868e96",
}
"""Colors that are easy to tell apart, and that `color_name` names."""
_NAMESPACE = "http://www.w3.org/2000/svg"
_SHARP = ' class="s"'
"""Of lines along the axes, which are drawn without shades of gray: this is faster, too."""
_STYLE = (
    "<style>rect,.s{shape-rendering:crispEdges}"
    "text{font:bold 16px DejaVu Sans,Verdana,sans-serif;text-anchor:middle}</style>"
)
_RISE = 0.365
"""Height of the middle of a capital letter over its baseline, as a share of the font's size."""
_COLOR = re.compile("#[0-9a-f]{6}")
_DULL = 0.15
"""Saturation below which a color has no hue."""
_DARK, _LIGHT, _GRAY, _BROWN = 0.08, 0.96, (0.33, 0.88), 0.44
"""Lightness of the darkest and lightest hues, of what is gray, and below which orange is brown."""
_HUES = (
    (15, "red"),
    (40, "orange"),
    (70, "yellow"),
    (165, "green"),
    (200, "cyan"),
    (260, "blue"),
    (300, "purple"),
    (345, "pink"),
    (361, "red"),
)
"""Hues in degrees up to which a color has a name."""
_NUMBER_TEXT = re.compile(r"-?[0-9]{1,5}(?:\.[0-9]{1,2})?")
_NUMBERS = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2")
_SIZE = slice(len("font-size:"), -len("px"))


class Ink(NamedTuple):
    """Colors of a shape, as hexadecimal digits or "none".

    Attributes:
        fill: Color inside.
        edge: Color of the outline.
        width: Width of the outline.
    """

    fill: str = "none"
    edge: str = "none"
    width: float = 1


_GRID, _NUMBER = Ink(edge="#bbbbbb"), "#666666"


class Picture:
    """A drawing whose shapes lie over each other in the order in which they are added.

    The same calls give the same SVG text, on every machine. Coordinates are pixels from the upper
    left corner.

    Args:
        width, height: Size in pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        self._parts = [
            f'{START}xmlns="{_NAMESPACE}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">{_STYLE}'
            f'<rect width="{width}" height="{height}" fill="{BACKGROUND}"/>'
        ]

    def rectangle(self, corner: Point, size: Point, ink: Ink) -> None:
        """Draw a rectangle by its upper left corner, and its width and height."""
        (x, y), (width, height) = corner, size
        self._add("rect", f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"', ink)

    def square(self, center: Point, side: float, ink: Ink) -> None:
        """Draw a square around a point."""
        self.rectangle((center[0] - side / 2, center[1] - side / 2), (side, side), ink)

    def circle(self, center: Point, radius: float, ink: Ink) -> None:
        """Draw a circle."""
        self._add("circle", f'cx="{_n(center[0])}" cy="{_n(center[1])}" r="{_n(radius)}"', ink)

    def ellipse(self, center: Point, radii: Point, ink: Ink) -> None:
        """Draw an ellipse with these radii across and along."""
        place = f'cx="{_n(center[0])}" cy="{_n(center[1])}" rx="{_n(radii[0])}" ry="{_n(radii[1])}"'
        self._add("ellipse", place, ink)

    def cylinder(self, center: Point, height: float, ink: Ink) -> None:
        """Draw a cylinder by its middle and its height."""
        (x, y), half, lid = center, 0.32 * height, 0.12 * height
        top, bottom = y - height / 2 + lid, y + height / 2 - lid
        self.ellipse((x, bottom), (half, lid), ink)
        self.rectangle((x - half, top), (2 * half, bottom - top), Ink(ink.fill))
        for side in (x - half, x + half):
            self.line((side, top), (side, bottom), Ink(edge=ink.edge))
        self.ellipse((x, top), (half, lid), ink)

    def polygon(self, points: Iterable[Point], ink: Ink) -> None:
        """Draw a polygon through some points."""
        corners = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self._add("polygon", f'points="{corners}"', ink)

    def line(self, start: Point, end: Point, ink: Ink) -> None:
        """Draw a line in the color and width of the ink's edge."""
        (a, b), (c, d) = start, end
        sharp = _SHARP if a == c or b == d else ""
        self._add("line", f'x1="{_n(a)}" y1="{_n(b)}" x2="{_n(c)}" y2="{_n(d)}"{sharp}', ink)

    def text(self, center: Point, words: str, size: float, ink: Ink | str = INK) -> None:
        """Write a line of text around a point, its capital letters .73 of the size high."""
        ink = Ink(ink) if isinstance(ink, str) else ink
        x, y = _n(center[0]), _n(center[1] + _RISE * size)
        place = f'x="{x}" y="{y}" style="font-size:{_n(size)}px"'
        self._parts.append(f"<text {place}{_colors(ink)}>{escape(words)}</text>")

    def svg(self) -> str:
        """Return the drawing as one line of SVG."""
        return "".join([*self._parts, "</svg>"])

    def _add(self, name: str, place: str, ink: Ink) -> None:
        self._parts.append(f"<{name} {place}{_colors(ink)}/>")


def _colors(ink: Ink) -> str:
    edge = f' stroke="{ink.edge}" stroke-width="{_n(ink.width)}"' if ink.edge != "none" else ""
    return f' fill="{ink.fill}"{edge}'


def _n(number: float) -> str:
    """Return a number with at most two decimals."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Shape(NamedTuple):
    """A shape that was read back from a picture.

    Attributes:
        kind: "rect", "circle", "ellipse", "polygon", "line" or "text".
        points: Corners: the ends of a line, the two of a box around anything else.
        fill, edge: Colors.
        text: Words of a text.
    """

    kind: str
    points: tuple[Point, ...]
    fill: str
    edge: str
    text: str = ""

    @property
    def center(self) -> Point:
        """Middle of the box around the points."""
        xs, ys = zip(*self.points, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    @property
    def middle(self) -> Point:
        """Mean of the points, which is the middle of a regular polygon."""
        xs, ys = zip(*self.points, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    @property
    def size(self) -> Point:
        """Width and height of the box around the points."""
        xs, ys = zip(*self.points, strict=True)
        return max(xs) - min(xs), max(ys) - min(ys)


def shapes(svg: str) -> list[Shape] | None:
    """Return the shapes of a picture without its background, in order; None if it is not one."""
    if len(svg) > MAX_SVG or "<!" in svg or "<?" in svg:
        return None
    try:
        root = ET.fromstring(svg)  # noqa: S314
        read = [_shape(element) for element in root[1 : 2 + MAX_SHAPES]]
    except (ET.ParseError, ValueError):
        return None
    if root.tag != f"{{{_NAMESPACE}}}svg" or not read or None in read or len(read) > MAX_SHAPES:
        return None
    return [shape for shape in read[1:] if shape]


def _number(text: str) -> float:
    """Return a number as pictures write it; raise ValueError for another."""
    if not _NUMBER_TEXT.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _shape(element: ET.Element) -> Shape | None:
    """Read an element; None if it is not one that pictures have.

    Raises:
        ValueError: if an attribute is not a number.
    """
    kind = element.tag.removeprefix(f"{{{_NAMESPACE}}}")
    value = {name: _number(element.get(name, "0")) for name in _NUMBERS}
    x, y = value["x"], value["y"]
    points: tuple[Point, ...]
    if kind == "rect":
        points = (x, y), (x + value["width"], y + value["height"])
    elif kind in ("circle", "ellipse"):
        x, y = value["cx"], value["cy"]
        across, along = value["rx"] or value["r"], value["ry"] or value["r"]
        points = (x - across, y - along), (x + across, y + along)
    elif kind == "line":
        points = (value["x1"], value["y1"]), (value["x2"], value["y2"])
    elif kind == "text":
        points = ((x, y - _RISE * _number(element.get("style", "")[_SIZE])),)
    elif kind == "polygon":
        corners = element.get("points", "").split()
        points = tuple((_number(a), _number(b)) for a, _, b in (c.partition(",") for c in corners))
    else:
        return None
    if not points or len(element):
        return None
    colors = element.get("fill", "none"), element.get("stroke", "none")
    return Shape(kind, points, *colors, element.text or "")


def numbered_grid(
    picture: Picture,
    cells: tuple[int, int],
    cell: float,
    margin: float,
    first: int = 1,
    every: int = 1,
) -> None:
    """Draw the lines of a grid, and the numbers of its columns and rows.

    Args:
        picture: Picture to draw in.
        cells: Columns and rows.
        cell: Width and height of a cell.
        margin: Room on the left and above, for the numbers if it is large enough.
        first: Number of the first column and of the first row.
        every: Number of which the numbers that are written are multiples.
    """
    columns, rows = cells
    size = min(14, 0.6 * margin, 0.62 * cell)
    right, bottom = margin + columns * cell, margin + rows * cell
    for place in range(max(columns, rows) + 1):
        at = margin + place * cell
        if place <= columns:
            picture.line((at, margin), (at, bottom), _GRID)
        if place <= rows:
            picture.line((margin, at), (right, at), _GRID)
        is_shown = size >= MIN_TEXT and (place + first) % every == 0
        number = str(place + first) if is_shown else ""
        if number and place < columns:
            picture.text((at + cell / 2, margin / 2), number, size, _NUMBER)
        if number and place < rows:
            picture.text((margin / 2, at + cell / 2), number, size, _NUMBER)


def grid_lines(seen: Iterable[Shape]) -> tuple[list[float], list[float]]:
    """Return the places of the lines between columns, and between rows: the longest ones."""
    lines = [shape for shape in seen if shape.kind == "line" and 0 in shape.size]
    columns, rows = (
        sorted({line.points[0][axis] for line in lines if line.size[1 - axis] == length})
        for axis in (0, 1)
        for length in [max((line.size[1 - axis] for line in lines), default=0)]
    )
    return columns, rows


def in_cells(seen: Sequence[Shape]) -> dict[tuple[int, int], list[Shape]]:
    """Return what lies in the cells of a grid besides lines, by column and row, from 1."""
    columns, rows = grid_lines(seen)
    cells: dict[tuple[int, int], list[Shape]] = {}
    for shape in seen:
        x, y = shape.center
        place = bisect(columns, x), bisect(rows, y)
        if shape.kind != "line" and 0 < place[0] < len(columns) and 0 < place[1] < len(rows):
            cells.setdefault(place, []).append(shape)
    return cells


def color_name(color: str) -> str:
    """Return the usual name of a color in hexadecimal digits, by its hue and lightness.

    >>> color_name("#e03131"), color_name("#222222"), color_name("#8b4a16")
    ('red', 'black', 'brown')
    """
    if not _COLOR.fullmatch(color):
        return color
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, lightness, saturation = rgb_to_hls(red, green, blue)
    if saturation < _DULL or not _DARK < lightness < _LIGHT:
        return "black" if lightness < _GRAY[0] else "white" if lightness > _GRAY[1] else "gray"
    name = next(name for bound, name in _HUES if 360 * hue < bound)
    return "brown" if name == "orange" and lightness < _BROWN else name
