"""The tables `[[source]]` of a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator, PrivateAttr

from synthgen.recipe.fields import Param, check_param, named_by
from synthgen.recipe.spread import Spread
from synthgen.recipe.tables import Table, Text

_SourceName = Annotated[str, AfterValidator(named_by("[a-z0-9][a-z0-9_]{0,63}"))]
# The serializer of the union would try each type in turn, and warn about lists.
_Param = Annotated[Param, PlainValidator(check_param), PlainSerializer(lambda value: value)]


class Source(Table):
    """One generator with its params; `name` is the generator's name where the file has none.

    A source with `draws_of` has the draws of that source, proposes no problems of its own and
    tells those of splits with `variant`. One with `spread` stands for several, one for each value
    of some axes or combination of them.
    """

    generator: str = Field(min_length=1, description="the name of a generator")
    name: _SourceName = Field(
        default_factory=lambda valid: valid.get("generator", ""),
        description="1 to 64 lower-case letters, digits or underscores, not beginning with _",
    )
    draws_of: str | None = Field(None, min_length=1, description="the name of another source")
    params: dict[str, _Param] = Field({}, description="a table of the generator's params")
    files: dict[str, Text] = Field(
        {}, description="a table of params and the files beside the recipe whose texts they are"
    )
    spread: Spread = Field(
        (), description="a list of axes, or a table of axes and lists of their values"
    )

    _texts: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def texts(self) -> Mapping[str, str]:
        """Param -> text of its file, once the loader has read it."""
        return self._texts

    def with_texts(self, texts: Mapping[str, str]) -> Source:
        """Return this source with the texts of its files."""
        other = self.model_copy()
        other._texts = dict(texts)
        return other
