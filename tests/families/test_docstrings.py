"""What a family says of its params are its params."""

import re
from dataclasses import fields
from inspect import getdoc

import pytest

from synthgen.contract.registry import generator_class, generator_names

ENTRY = re.compile(r"^ {4}([a-z]\w*(?:, [a-z]\w*)*):", re.MULTILINE)


@pytest.mark.parametrize("name", generator_names())
def test_the_docstring_documents_every_param_once(name: str) -> None:
    kind = generator_class(name)
    # Families that share their params describe them once, in their base.
    texts = (getdoc(base) or "" for base in kind.__mro__)
    attributes = next(filter(None, (text.partition("Attributes:\n")[2] for text in texts)), "")
    documented = [one for names in ENTRY.findall(attributes) for one in names.split(", ")]
    assert sorted(documented) == sorted(field.name for field in fields(kind))  # type: ignore[arg-type]
