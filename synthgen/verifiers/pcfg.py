"""PCFG SET from the text: a parser of prefix programs that looks every symbol of a result up.

The program is what stands between the last two backticks of a prompt, or the whole prompt if there
are none, with or without brackets.
"""

from __future__ import annotations

from synthgen.verifiers._pcfg_check import PcfgVerifier

VERIFIER = PcfgVerifier()
