"""A store of LangGraph whose items are memories behind the gate: give it to `compile(store=…)`.

The agent is the key's. It finds what the policy lets it use, whoever put it, and changes what it put itself. A path
is a namespace, the key is the memory's key, and the value is its text, as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Union
from urllib.parse import quote, unquote

import anyio.to_thread
from langgraph.store.base import (  # fmt: skip
    BaseStore, GetOp, InvalidNamespaceError, Item, ListNamespacesOp, MatchCondition, Op, PutOp, Result, SearchItem,
    SearchOp
)

from ._requests import given, parameter
from ._sync_client import Portcullis
from .errors import PortcullisError
from .models import AnswerReceipt, Memory, RecalledMemory
from .problems import NotFoundError

__all__ = ["PortcullisStore", "UnsupportedOperationError"]

Path = tuple[str, ...]
Value = dict[str, Any]
AnyMemory = Union[Memory, RecalledMemory]
Test = Callable[[object], bool]

LONGEST_NAME, LONGEST_KEY, LONGEST_VALUE = 64, 200, 8_000
# The most that one operation looks at.
MOST = 10_000
PAGE = 1_000
MEMORY_ID = re.compile(r"mem_\w{1,60}")


class UnsupportedOperationError(PortcullisError):
    """LangGraph asks for something that the service cannot do. A wrong result would be worse."""


class PortcullisStore(BaseStore):
    def __init__(
        self,
        client: Portcullis,
        *,
        agent_id: str | None = None,
        ignore_index: bool = False,
        on_receipt: Callable[[AnswerReceipt], object] | None = None,
    ) -> None:
        """
        Args:
            client: Whoever made it closes it.
            agent_id: The agent that asks and captures. An agent's own key is that agent, and needs no name.
            ignore_index: Take a put that says how its item is to be indexed, and index all of it.
            on_receipt: Called with the receipt of each search with a query.
        """
        self._client = client
        self._named = agent_id
        self._ignore_index = ignore_index
        self._on_receipt = on_receipt
        self._identity: tuple[str, bool] | None = None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """As in LangGraph's own store, reads come before writes, and the last write to an item counts."""
        operations = list(ops)
        puts = {(each.namespace, each.key): each for each in operations if isinstance(each, PutOp)}
        for put in puts.values():
            self._check(put)
        results = [self._read(each) for each in operations]
        for put in puts.values():
            self._write(put)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await anyio.to_thread.run_sync(self.batch, list(ops))

    def _read(self, operation: Op) -> Result:
        if isinstance(operation, GetOp):
            memory = self._find(operation.namespace, operation.key)
            return None if memory is None else self._item(memory)
        if isinstance(operation, SearchOp):
            return self._search(operation)
        if isinstance(operation, ListNamespacesOp):
            return self._paths(operation)
        return None

    def _check(self, put: PutOp) -> None:
        """Refuses what cannot be put. It asks nobody, so that a batch is refused before any of it is done."""
        name_of(put.namespace)
        check_key(put.key)
        if put.value is None:
            return
        content_of(put.value)
        if put.index is not None and not self._ignore_index:
            raise UnsupportedOperationError(
                "The service finds an item by all of its value: `index` cannot change that. "
                "Leave it out, or open the store with ignore_index."
            )
        if getattr(put, "ttl", None) is not None:
            raise UnsupportedOperationError("An item does not expire: leave `ttl` out, or set a namespace's retention.")

    def _write(self, put: PutOp) -> None:
        if put.value is not None:
            name, content = name_of(put.namespace), content_of(put.value)
            self._client.capture(namespace=name, key=put.key, content=content, source_agent=self._agent()[0])
            return
        # To delete what is not there does nothing.
        memory = self._find(put.namespace, put.key)
        if memory is None:
            return
        if memory.source_agent != self._agent()[0]:
            raise UnsupportedOperationError("An agent deletes only what it put itself.")
        for each in [memory, *self._earlier(memory)]:
            try:
                self._client.forget_memory(each.memory_id)
            except NotFoundError:
                pass

    def _search(self, operation: SearchOp) -> list[SearchItem]:
        """
        With a query, the service's ranking comes first, with scores. As it gives only so many memories, the others
        follow without a score, newest first, if there is room for them. Without a query, all are newest first.
        """
        prefix = name_of(operation.namespace_prefix) if operation.namespace_prefix else None
        passes = item_filter(operation.filter or {})
        agent, end = self._agent()[0], operation.offset + operation.limit
        found: dict[str, AnyMemory] = {}

        def add(memories: Iterable[AnyMemory]) -> None:
            for memory in memories:
                parts = None if memory.memory_id in found else parts_of(memory, agent)
                if parts is not None and passes(parts[2]):
                    found[memory.memory_id] = memory

        if operation.query and operation.query.strip():
            add(self._recall(operation.query, prefix))
        if len(found) < end:
            add(self._everything(prefix))
        return [self._item(memory) for memory in islice(found.values(), operation.offset, end)]

    def _recall(self, query: str, prefix: str | None) -> list[RecalledMemory]:
        wants_receipt = self._on_receipt is not None
        agent = self._agent()[0]
        found = self._client.recall(agent_id=agent, query=query, namespace_prefix=prefix, receipt=wants_receipt)
        if self._on_receipt is not None and found.receipt is not None:
            self._on_receipt(found.receipt)
        return found.memories

    def _everything(self, prefix: str | None) -> Iterable[Memory]:
        """All that the agent may use under the prefix, newest first."""
        if prefix is None:
            return self._list()
        names = [name for name in self._namespaces(prefix) if path_of(name) is not None]
        return sorted((each for name in names for each in self._list(name)), key=lambda each: each.created_at)[::-1]

    def _paths(self, operation: ListNamespacesOp) -> list[Path]:
        """The namespaces that the agent may use, by name; cut to `max_depth` parts, each once."""
        conditions = operation.match_conditions or ()
        paths = [path for path in map(path_of, self._namespaces()) if path is not None]
        kept = {path[: operation.max_depth] for path in paths if all(matches(path, each) for each in conditions)}
        return sorted(kept)[operation.offset : operation.offset + operation.limit]

    def _find(self, namespace: Path, key: str) -> Memory | None:
        """The item's memory: the agent's own under this key, or one of any agent under its id."""
        name, agent = name_of(namespace), self._agent()[0]
        check_key(key)

        def usable(load: Callable[[], Memory]) -> Memory | None:
            try:
                memory = load()
            except NotFoundError:
                return None
            if memory.namespace != name or memory.superseded_by is not None or not self._may_use()(name):
                return None
            parts = parts_of(memory, agent)
            return memory if parts is not None and parts[1] == key else None

        own = usable(lambda: self._client.get_by_key(name, key, source_agent=agent).memory)
        if own is not None or not MEMORY_ID.fullmatch(key):
            return own
        return usable(lambda: self._client.get_memory(key).memory)

    def _item(self, memory: AnyMemory) -> SearchItem:
        parts = parts_of(memory, self._agent()[0])
        assert parts is not None
        namespace, key, value = parts
        first = [memory, *self._earlier(memory)][-1]
        score = memory.score if isinstance(memory, RecalledMemory) else None
        return SearchItem(namespace, key, value, first.created_at, memory.created_at, score)

    def _earlier(self, memory: AnyMemory) -> list[Memory]:
        """The memories whose place this one took, the last one first."""
        if memory.supersedes is None:
            return []
        history = {each.memory_id: each for each in self._list(memory.namespace, memory.source_agent, True)}
        versions: list[Memory] = []
        wanted: str | None = memory.supersedes
        while wanted is not None:
            # Each comes once: history that somebody changed could have a cycle.
            version = history.pop(wanted, None)
            if version is not None:
                versions.append(version)
            wanted = version.supersedes if version is not None else None
        return versions

    def _list(self, namespace: str | None = None, source: str | None = None, superseded: bool = False) -> list[Memory]:
        agent, listing = self._agent()[0], self._client.list_memories
        return bounded(
            listing(namespace=namespace, source_agent=source, superseded=superseded, view_as=agent, limit=PAGE)
        )

    def _namespaces(self, prefix: str | None = None) -> list[str]:
        """The namespaces with memories that the agent may use: the one of this name and those below it, or all."""
        may_use = self._may_use()
        names = [each.name for each in bounded(self._client.list_namespaces(limit=PAGE)) if each.memories > 0]
        within = [name for name in names if prefix is None or name == prefix or name.startswith(f"{prefix}/")]
        return [name for name in within if may_use(name)]

    def _agent(self) -> tuple[str, bool]:
        """The agent's id, and whether the key is its own. It is asked once: whose a key is does not change."""
        if self._identity is None:
            session = self._client.get_session()
            agent = session.agent_id or self._named
            if self._named is not None and self._named != agent:
                raise UnsupportedOperationError("This key speaks as another agent than agent_id says.")
            if agent is None:
                raise UnsupportedOperationError("This key is no agent's. Say as whom the store speaks: agent_id.")
            self._identity = agent, session.role == "agent"
        return self._identity

    def _may_use(self) -> Callable[[str], bool]:
        agent, is_own_key = self._agent()
        if is_own_key:
            return lambda namespace: True
        # An admin may read everything, so the agent's part of the policy is asked.
        rules = self._client.get_policy().policy.get(agent, {})
        return lambda namespace: rules.get(namespace) is True


def bounded(values: Iterable[Any]) -> list[Any]:
    found = list(islice(values, MOST + 1))
    if len(found) > MOST:
        advice = "Search with a longer prefix, or for fewer items with a query."
        raise UnsupportedOperationError(f"There is more than {MOST} to look at. {advice}")
    return found


def name_of(path: Path) -> str:
    """Parts are percent-encoded and joined by `/`."""
    if not path or not all(isinstance(part, str) and part for part in path):
        raise InvalidNamespaceError(f"A namespace needs at least one part, and no empty one: {path!r}.")
    try:
        name = "/".join(quote(part, safe="!*'()") for part in path)
    except UnicodeEncodeError as error:
        raise InvalidNamespaceError("A part of a namespace must be a well-formed text.") from error
    if len(name) > LONGEST_NAME or name in (".", ".."):
        raise InvalidNamespaceError(f'"{name}" is no namespace: at most {LONGEST_NAME} characters, no dots alone.')
    return name


def path_of(name: str) -> Path | None:
    """None for a name that no path has: somebody who does not use LangGraph chose it."""
    try:
        path = tuple(unquote(part, errors="strict") for part in name.split("/"))
        return path if name_of(path) == name else None
    except ValueError:
        return None


def check_key(key: str) -> None:
    # Dot segments of a URL would name another route.
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY or key in (".", ".."):
        raise UnsupportedOperationError(f"A key is a text of at most {LONGEST_KEY} characters, and no dots alone.")


def content_of(value: object) -> str:
    """The text of a value: JSON, with its members in order."""
    if not isinstance(value, Mapping):
        raise UnsupportedOperationError("A value must be an object.")
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UnsupportedOperationError("A value must be what JSON can say.") from error
    if len(text) > LONGEST_VALUE:
        raise UnsupportedOperationError(f"A value's JSON must have at most {LONGEST_VALUE:,} characters.")
    return text


def parts_of(memory: AnyMemory, agent: str) -> tuple[Path, str, Value] | None:
    """
    Path, key and value of the item that a memory is for this agent. Keys are each agent's own, so what others put
    stands under its memory's id, and so does what no store put, with its text as `content`, and `occurredAt` if it has one.
    None: no path leads to it.
    """
    path = path_of(memory.namespace)
    if path is None:
        return None
    value = None if memory.key is None else value_in(memory.content)
    is_own = value is not None and memory.source_agent == agent
    key = memory.key if is_own and memory.key is not None else memory.memory_id
    plain = given({"content": memory.content, "occurredAt": memory.occurred_at and parameter(memory.occurred_at)})
    return path, key, plain if value is None else value


def value_in(content: str) -> Value | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def matches(path: Path, condition: MatchCondition) -> bool:
    """As LangGraph defines it; `*` stands for any part."""
    pattern = condition.path
    if len(pattern) > len(path):
        return False
    part = path[: len(pattern)] if condition.match_type == "prefix" else path[len(path) - len(pattern) :]
    return all(wanted in ("*", found) for wanted, found in zip(pattern, part, strict=True))


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float("nan")


OPERATORS: dict[str, Callable[[object, object], bool]] = {
    "$eq": lambda value, wanted: value == wanted,
    "$ne": lambda value, wanted: value != wanted,
    "$gt": lambda value, wanted: _number(value) > _number(wanted),
    "$gte": lambda value, wanted: _number(value) >= _number(wanted),
    "$lt": lambda value, wanted: _number(value) < _number(wanted),
    "$lte": lambda value, wanted: _number(value) <= _number(wanted),
}


def item_filter(wanted: Mapping[str, object]) -> Callable[[Value], bool]:
    """Every field must be equal, or pass every operator. Refuses operators that LangGraph does not have."""
    tests = [(field, test) for field, operand in wanted.items() for test in _tests(operand)]
    return lambda value: all(test(value.get(field)) for field, test in tests)


def _tests(wanted: object) -> Iterator[Test]:
    if not isinstance(wanted, Mapping) or not any(str(name).startswith("$") for name in wanted):
        yield lambda value: value == wanted
        return
    for name, operand in wanted.items():
        compare = OPERATORS.get(name)
        if compare is None:
            raise UnsupportedOperationError(f"A filter has no operator {name}. It has {', '.join(OPERATORS)}.")
        yield lambda value, compare=compare, operand=operand: compare(value, operand)  # type: ignore[misc]
