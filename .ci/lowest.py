"""Print the lowest versions that pyproject.toml allows, as constraints for pip."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in (*project["dependencies"], *project["optional-dependencies"]["dev"]):
    bound = re.fullmatch(r"([a-z0-9_-]+)[>=]=([0-9.]+)", requirement)
    if bound is None:
        message = f"{requirement!r}: expected a name and its lowest version, as in 'numpy>=2.0'"
        raise SystemExit(message)
    print(f"{bound[1]}=={bound[2]}")
