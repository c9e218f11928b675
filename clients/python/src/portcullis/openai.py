"""OpenAI's client over the gateway: any model that the service has, told what its agent may know.

    client = gateway()  # PORTCULLIS_URL and PORTCULLIS_KEY, or the arguments
    completion = client.chat.completions.create(model=model, messages=messages)
    receipt_id(completion)  # of what the model was given, and what it said
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from ._requests import settings_of

try:
    from openai import AsyncOpenAI, OpenAI
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("portcullis.openai needs OpenAI's package: pip install 'portcullis[openai]'") from error

__all__ = ["async_gateway", "gateway", "receipt_id"]


def gateway(
    base_url: str | None = None,
    *,
    key: str | None = None,
    agent_id: str | None = None,
    tenant: str | None = None,
    **options: Any,
) -> OpenAI:
    """
    Args:
        base_url: Of the service, as for `Portcullis`.
        key: Of the service, and not the provider's.
        agent_id: The agent that asks. An agent's own key is that agent, and needs no name.
        tenant: For a key that may act in several.
        options: For `OpenAI`.
    """
    return OpenAI(**_given(base_url, key, agent_id, tenant, options))


def async_gateway(
    base_url: str | None = None,
    *,
    key: str | None = None,
    agent_id: str | None = None,
    tenant: str | None = None,
    **options: Any,
) -> AsyncOpenAI:
    """The same, for asyncio."""
    return AsyncOpenAI(**_given(base_url, key, agent_id, tenant, options))


def receipt_id(reply: object) -> str | None:
    """The id of the receipt, of a completion or of the last chunk of a stream. None for any other."""
    member = getattr(reply, "portcullis", None)
    found = member.get("receipt") if isinstance(member, dict) else getattr(member, "receipt", None)
    return found if isinstance(found, str) else None


def _given(
    base_url: str | None, key: str | None, agent_id: str | None, tenant: str | None, options: dict[str, Any]
) -> dict[str, Any]:
    settings = settings_of(base_url, key, tenant, 0, None)
    headers = dict(settings.headers)
    bearer = headers.pop("authorization", "").removeprefix("Bearer ")
    # A service without identities takes the name of an agent for its key.
    if not bearer and agent_id is None:
        raise ValueError("Give the key of an agent, or name the agent with agent_id.")
    if bearer and agent_id is not None:
        headers["portcullis-agent"] = quote(agent_id)
    headers.update(options.pop("default_headers", None) or {})
    url = f"{settings.base_url}/v1"
    return {"base_url": url, "api_key": bearer or f"agent:{agent_id}", "default_headers": headers, **options}
