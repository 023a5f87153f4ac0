from __future__ import annotations

import re

import pytest

import synthgen


def test_exports_are_sorted_and_real() -> None:
    assert synthgen.__all__ == sorted(synthgen.__all__)
    for name in synthgen.__all__:
        assert getattr(synthgen, name).__doc__


def test_the_version_has_the_usual_form() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", synthgen.__version__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'biuld'"):
        synthgen.biuld  # noqa: B018  # the access is the test
