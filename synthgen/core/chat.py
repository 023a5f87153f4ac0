"""Conversations in rows: a list of messages, each with a role and a content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

Role = Literal["user", "assistant"]

CHAT_NAMES = ("messages", "conversations", "conversation")
"""Usual names of columns of conversations."""

_KEYS = (("role", "content"), ("from", "value"))
"""Names of the role and of the content of a message, as APIs and as ShareGPT write them."""
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "gpt": "assistant"}


def is_chat(value: object) -> bool:
    """Return whether a value is a list of messages.

    >>> is_chat([{"role": "user", "content": "2+2"}])
    True
    """
    return isinstance(value, list) and bool(value) and all(map(_keys, value))


def last_turn(chat: Sequence[Mapping[str, Any]], role: Role) -> str | None:
    """Return the text of the last message of a role; None without one.

    >>> last_turn([{"from": "human", "value": "2+2"}, {"from": "gpt", "value": "4"}], "user")
    '2+2'
    """
    for message in reversed(chat):
        keys = _keys(message)
        if keys and _ROLES.get(str(message[keys[0]])) == role:
            return content_text(message[keys[1]])
    return None


def content_text(content: object) -> str | None:
    """Return the text of a message, whose content may be in parts; None without text."""
    if isinstance(content, list):
        texts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else None


def _keys(message: object) -> tuple[str, str] | None:
    """Return the names of the role and content of a message; None if it is not a message."""
    if not isinstance(message, dict):
        return None
    return next((keys for keys in _KEYS if all(key in message for key in keys)), None)
