"""Reads the names of ways to ask, one a line, and answers each with what came out, as a line of JSON."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

if importlib.util.find_spec("langgraph") is None:
    sys.path.append(str(Path(__file__).parent / "stand_ins"))

import httpx  # noqa: E402
from langgraph.store.base import GetOp, ListNamespacesOp, PutOp, SearchOp  # noqa: E402

from portcullis import AsyncPortcullis, Portcullis, models  # noqa: E402
from portcullis._requests import encoded  # noqa: E402
from portcullis.langgraph import PortcullisStore  # noqa: E402

QUERY = "What is the secret word?"
NAMESPACES = ["x", "y", "z"]

client = Portcullis()
store = PortcullisStore(client)


def outcome(value: object, receipt: models.AnswerReceipt | None = None) -> dict[str, object]:
    text = encoded(value).decode() + repr(value)
    return {"text": text, **({} if receipt is None else {"receipt": json.loads(encoded(receipt))})}


def answered(reply: models.ChatReply | models.RecallReply) -> dict[str, object]:
    return outcome(reply, reply.receipt)


def in_pieces() -> dict[str, object]:
    events = list(client.chat_stream(query=QUERY))
    last = events[-1]
    assert isinstance(last, models.StreamedAnswer)
    return outcome(events, last.data.receipt)


def with_asyncio() -> dict[str, object]:
    async def recall() -> models.RecallReply:
        # To load certificates takes longer than the request.
        async with httpx.AsyncClient(verify=False) as http, AsyncPortcullis(http_client=http) as other:
            return await other.recall(query=QUERY)

    return answered(asyncio.run(recall()))


def items(*operations: Any) -> dict[str, object]:
    found = store.batch(operations)
    lists = [each if isinstance(each, list) else [each] for each in found]
    return outcome([[getattr(item, "value", str(item)) for item in each] for each in lists])


WAYS: dict[str, Callable[[], dict[str, object]]] = {
    "chat": lambda: answered(client.chat(query=QUERY)),
    "chat in pieces": in_pieces,
    "recall": lambda: answered(client.recall(query=QUERY)),
    "recall with asyncio": with_asyncio,
    "list": lambda: outcome(list(client.list_memories(limit=2))),
    "export": lambda: {"text": b"".join(client.export_records()).decode()},
    "store, with a query": lambda: items(SearchOp((), query=QUERY)),
    "store, without one": lambda: items(*[SearchOp((name,)) for name in NAMESPACES]),
    "namespaces": lambda: outcome([*client.list_namespaces(), *store.batch([ListNamespacesOp()])]),
    "items": lambda: items(*[GetOp((name,), "mem_x_0") for name in NAMESPACES]),
    "put": lambda: items(PutOp(("x",), "k", {"text": "poison"})),
    "another agent": lambda: answered(client.recall(query=QUERY, agent_id="somebody")),
}

for line in sys.stdin:
    try:
        result = WAYS[line.rstrip("\n")]()
    except Exception:
        result = {"text": traceback.format_exc()}
    print(json.dumps(result), flush=True)
client.close()
