"""Extension of griffe for the documentation: the examples of docstrings are shown as code."""

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLES = re.compile(r"^( *)>>> .*(?:\n\1.+)*", re.MULTILINE)


class Examples(Extension):
    """Put a fence around doctests, which Markdown would take for quotations."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring:
            fenced = r"\1```python\n\g<0>\n\1```"
            obj.docstring.value = _EXAMPLES.sub(fenced, obj.docstring.value)
