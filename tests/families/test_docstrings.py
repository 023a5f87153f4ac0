"""What a family says of its params are its params."""

import re
from dataclasses import fields
from inspect import cleandoc

import pytest

from synthgen.contract.registry import generator_class, generator_names
from synthgen.engine.preview import documentation

ENTRY = re.compile(r"^ {4}([a-z]\w*(?:, [a-z]\w*)*):", re.MULTILINE)


@pytest.mark.parametrize("name", generator_names())
def test_the_docstring_documents_every_param_once(name: str) -> None:
    kind = generator_class(name)
    _, _, attributes = cleandoc(documentation(kind)).partition("Attributes:\n")
    documented = [one for names in ENTRY.findall(attributes) for one in names.split(", ")]
    assert sorted(documented) == sorted(field.name for field in fields(kind))  # type: ignore[arg-type]
