"""The part of OpenAI's package that the gateway's helper meets, over httpx. Debian has no package of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx


def _read(text: str) -> Any:
    reply = json.loads(text, object_hook=lambda members: SimpleNamespace(**members))
    # As in pydantic's models, a member that is not known is as JSON has it.
    if hasattr(reply, "portcullis"):
        reply.portcullis = vars(reply.portcullis)
    return reply


class OpenAI:
    def __init__(self, *, base_url: str, api_key: str, default_headers: dict[str, str], timeout: float = 60) -> None:
        headers = {"authorization": f"Bearer {api_key}", **default_headers}
        self._client = httpx.Client(base_url=base_url, headers=headers, timeout=timeout)
        self.models = SimpleNamespace(list=lambda: _read(self._sent(self._client.get("/models"))))
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    def _create(self, **body: Any) -> Any:
        text = self._sent(self._client.post("/chat/completions", json=body))
        return self._chunks(text) if body.get("stream") else _read(text)

    def _sent(self, reply: httpx.Response) -> str:
        reply.raise_for_status()
        return reply.text

    def _chunks(self, text: str) -> Iterator[Any]:
        for line in text.split("\n\n"):
            if line.startswith("data: {"):
                yield _read(line.removeprefix("data: "))

    def close(self) -> None:
        self._client.close()


class AsyncOpenAI(OpenAI):
    """Only made, and never called, where the package is not installed."""
