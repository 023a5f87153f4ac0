"""Constructions with circles from the text: complex numbers, and fifty digits."""

from __future__ import annotations

from synthgen.verifiers.omega._plain import PlainVerifier
from synthgen.verifiers.omega.geometry._construct_exact import exact
from synthgen.verifiers.omega.geometry._construct_follow import follows
from synthgen.verifiers.omega.geometry._construct_read import reader
from synthgen.verifiers.omega.geometry._construct_run import solve

_ASKED = ("distance", "length", "angle", "ratio", "radius")

VERIFIER = PlainVerifier(reader("circle", _ASKED), solve, exact, "decimal", follows)
