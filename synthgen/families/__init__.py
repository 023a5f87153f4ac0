"""Problem families: one folder each, or one for a few close families.

Families compute with python-flint and verifiers with SymPy or plain code. SymPy would use
python-flint too where it is installed, so it is set to use Python's integers: two libraries are
two ways to an answer.
"""

import os

os.environ.setdefault("SYMPY_GROUND_TYPES", "python")
