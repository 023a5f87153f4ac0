"""Bricks in the language of ChildPlay's LEGO tasks."""

FAMILIES = {
    "lego_connect": "Whether bricks form one structure, and structures to build or to complete"
}
