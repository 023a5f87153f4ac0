"""The reward as a resources server of NeMo Gym, which must be installed.

The `app.py` of the server is two lines, and its rows are those of the export `nemo-gym`:

    from synthgen.training.nemo_gym import SynthgenServer

    SynthgenServer.run_webserver()
"""

from __future__ import annotations

from typing import Any

from nemo_gym.base_resources_server import (
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)

from synthgen.training.reward import judge


class SynthgenVerifyRequest(BaseVerifyRequest):
    """A row and the model's response."""

    expected_answer: str
    answer_type: str


class SynthgenVerifyResponse(BaseVerifyResponse):
    """The grade, and why; see `synthgen.judge`."""

    expected_answer: str
    answer_type: str
    why: str


class SynthgenServer(SimpleResourcesServer):
    """Grades the last message of a response."""

    async def verify(self, body: SynthgenVerifyRequest) -> SynthgenVerifyResponse:
        """Grade a response."""
        asked = getattr(getattr(body, "responses_create_params", None), "input", None)
        verdict = judge(
            _text(body.response.output),
            body.expected_answer,
            body.answer_type,
            prompt=_prompt(asked),
        )
        return SynthgenVerifyResponse(**body.model_dump(), reward=verdict.score, why=verdict.why)


def _prompt(asked: Any) -> str | None:
    """Return the text of the request, or of its last message."""
    last = asked[-1] if isinstance(asked, list) and asked else asked
    content = last.get("content") if isinstance(last, dict) else getattr(last, "content", last)
    return content if isinstance(content, str) else None


def _text(output: Any) -> str:
    """Return the text of the last message of the model; empty without one."""
    for item in reversed(output):
        if item.type == "message" and item.role == "assistant":
            if isinstance(item.content, str):
                return item.content
            return "".join(part.text for part in item.content if part.type == "output_text")
    return ""
