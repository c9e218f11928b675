"""Sends the requests of `AsyncPortcullis`. `_sync_transport` is made from this file, by `npm run openapi`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable
from collections.abc import Iterable, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Generic, TypeVar

import anyio
import httpx

from ._body_streams import MOST_BYTES, Batcher, EventReader, LineReader, parse, require_at_most
from ._connection import connection_errors, deadline, each
from ._model import Model
from ._requests import (  # fmt: skip
    DEFAULT_RETRIES, DEFAULT_TIMEOUT, EVENT_STREAM, NDJSON, Call, CallOptions, Route, backoff, encoded,
    error_response, problem_error, settings_of, without_key
)
from .errors import BrokenOffError, PortcullisError, ProblemError, ServiceConnectionError, TooLargeError
from .models import ImportProgress, ImportResult, Problem

T = TypeVar("T")
M = TypeVar("M", bound=Model)
PageT = TypeVar("PageT", bound=Model)
ItemT = TypeVar("ItemT")
Values = Mapping[str, object]

PAGE_LENGTH = 100
LONGEST_FEED_PAUSE = 30.0
# The service sends a comment every 15 seconds.
FEED_TIMEOUT = 60.0


class AsyncPages(Generic[PageT, ItemT]):
    """A list in pages. Iterate over it for every element: `async for memory in client.list_memories():`."""

    def __init__(
        self, load: Callable[[Values], Awaitable[PageT]], query: Values, items: Callable[[PageT], list[ItemT]]
    ) -> None:
        self._load = load
        self._query = query
        self._items = items

    async def page(self) -> PageT:
        """The first page alone, or the one at `cursor`."""
        return await anext(self.pages())

    async def pages(self) -> AsyncIterator[PageT]:
        """Page after page. Each is requested when it is asked for."""
        query = {**self._query, "limit": self._query.get("limit") or PAGE_LENGTH}
        while True:
            page = await self._load(query)
            yield page
            query["cursor"] = getattr(page, "next_cursor", None)
            if query["cursor"] is None:
                return

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        async for page in self.pages():
            for item in self._items(page):
                yield item


class AsyncTransport:
    def __init__(
        self,
        base_url: str | None = None,
        *,
        key: str | None = None,
        tenant: str | None = None,
        retries: int = DEFAULT_RETRIES,
        timeout: float | None = DEFAULT_TIMEOUT,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """
        Args:
            base_url: Where the service is; by default PORTCULLIS_URL, or http://127.0.0.1:3000.
            key: A key or a token, for a service that has identities; by default PORTCULLIS_KEY.
            tenant: The tenant to act in, for a key that may act in several.
            retries: How often a request is sent again, at most, when that is safe.
            timeout: Seconds that a call may take, with its retries; of a stream, until it begins. None: any time.
            http_client: Sends the requests, with its proxies and certificates. Whoever made it closes it.
        """
        self._settings = settings_of(base_url, key, tenant, retries, timeout)
        self._owns_http = http_client is None
        self._http = http_client or httpx.AsyncClient()

    async def close(self) -> None:
        """Ends the connections, also those of streams."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self: T) -> T:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _call(
        self,
        route: Route,
        model: type[M],
        *,
        path: Values | None = None,
        query: Values | None = None,
        body: Values | None = None,
        prefer: str | None = None,
        options: CallOptions | None = None,
    ) -> M:
        headers = {} if prefer is None else {"prefer": f"return={prefer}"}
        call = Call(self._settings, route, options, path=path, query=query, body=body, headers=headers)
        return model.from_wire(await self._run(call, read_json))

    async def _text(self, route: Route, *, path: Values | None = None, options: CallOptions | None) -> str:
        call = Call(self._settings, route, options, path=path)
        return (await self._run(call, read_all)).decode()

    def _pages(
        self,
        route: Route,
        model: type[PageT],
        items: Callable[[PageT], list[ItemT]],
        *,
        path: Values | None = None,
        query: Values,
        options: CallOptions | None,
    ) -> AsyncPages[PageT, ItemT]:
        return AsyncPages(lambda asked: self._call(route, model, path=path, query=asked, options=options), query, items)

    async def _answer(
        self, route: Route, events: Mapping[str, type[M]], *, body: Values, options: CallOptions | None
    ) -> AsyncIterator[M]:
        call = Call(self._settings, route, options, body=body, headers={"accept": EVENT_STREAM})
        reader = EventReader()
        async with aclosing(self._chunks(call)) as chunks:
            async for chunk in chunks:
                for event in reader.read(chunk):
                    data = parse(event.data or "null")
                    if event.name == "problem":
                        raise problem_error(Problem.from_wire(data))
                    if event.name in events:
                        yield events[event.name].from_wire({"event": event.name, "data": data})
                    if event.name == "answer":
                        return
        raise BrokenOffError("The answer broke off. It was not released.")

    async def _feed(
        self,
        route: Route,
        model: type[M],
        *,
        last_event_id: str | None,
        on_id: Callable[[str], object] | None,
        pause: float,
        options: CallOptions | None,
    ) -> AsyncIterator[M]:
        wait = pause
        while True:
            headers = {"accept": EVENT_STREAM, **({"last-event-id": last_event_id} if last_event_id else {})}
            call = Call(self._settings, route, options, headers=headers, is_rereadable=False)
            try:
                reader = EventReader()
                async with aclosing(self._chunks(call, FEED_TIMEOUT)) as chunks:
                    async for chunk in chunks:
                        for event in reader.read(chunk):
                            if event.id is not None:
                                last_event_id = event.id
                                if on_id is not None:
                                    on_id(event.id)
                            if event.data is not None:
                                wait = pause
                                data = parse(event.data)
                                yield model.from_wire({"id": last_event_id or "", "event": event.name, "data": data})
            except ProblemError as error:
                if error.status < 500 and error.status != 429:
                    raise
                wait = max(wait, error.retry_after or 0)
            except ServiceConnectionError as error:
                if isinstance(error, TooLargeError):
                    raise
            await anyio.sleep(wait)
            wait = backoff(1, wait, LONGEST_FEED_PAUSE)

    def _bytes(self, route: Route, *, query: Values, options: CallOptions | None) -> AsyncGenerator[bytes, None]:
        return self._chunks(Call(self._settings, route, options, query=query))

    async def _send_lines(
        self,
        route: Route,
        model: type[ImportResult],
        lines: Iterable[Model] | AsyncIterable[Model],
        *,
        query: Values | None = None,
        options: CallOptions | None,
    ) -> AsyncIterator[ImportResult]:
        batcher, sent = Batcher(), 0

        async def send(content: bytes) -> AsyncIterator[ImportResult]:
            headers = {"content-type": NDJSON}
            own = without_key(options, f"-{sent}")
            call = Call(self._settings, route, own, query=query, content=content, headers=headers)
            async for value in self._json_lines(call):
                result = model.from_wire(value)
                result.line += sent
                yield result

        async for line in each(lines):
            full = batcher.add(encoded(line))
            if full is not None:
                async for result in send(full[0]):
                    yield result
                sent += full[1]
        content, count = batcher.take()
        if count > 0:
            async for result in send(content):
                yield result

    async def _send_export(
        self,
        route: Route,
        model: type[ImportProgress],
        lines: bytes | Iterable[bytes] | AsyncIterable[bytes],
        *,
        query: Values,
        options: CallOptions | None,
    ) -> AsyncIterator[ImportProgress]:
        whole = lines if isinstance(lines, bytes) else None
        headers = {"content-type": NDJSON}
        call = Call(
            self._settings, route, options, query=query, content=whole, headers=headers, is_rereadable=whole is not None
        )
        is_done = False
        async for value in self._json_lines(call, None if isinstance(lines, bytes) else each(lines)):
            step = model.from_wire(value)
            if step.problem is not None:
                raise problem_error(step.problem)
            is_done = is_done or step.outcome is not None or step.plan is not None
            yield step
        if not is_done:
            raise BrokenOffError("The import broke off. Send the same export again: nothing is added twice.")

    async def _json_lines(self, call: Call, content: AsyncIterable[bytes] | None = None) -> AsyncIterator[object]:
        reader = LineReader()
        async with aclosing(self._chunks(call, content=content)) as chunks:
            async for chunk in chunks:
                for line in reader.read(chunk):
                    yield parse(line)
        reader.end()

    async def _chunks(
        self, call: Call, read_timeout: float | None = None, content: AsyncIterable[bytes] | None = None
    ) -> AsyncGenerator[bytes, None]:
        """The body of a response as it comes. Whoever stops early frees the connection."""
        response = await self._run(call, begun, read_timeout, content)
        try:
            with connection_errors(call, is_begun=True):
                async for chunk in response.aiter_bytes():
                    yield chunk
        finally:
            await response.aclose()

    async def _run(
        self,
        call: Call,
        read: Callable[[httpx.Response, Call], Awaitable[T]],
        read_timeout: float | None = None,
        content: AsyncIterable[bytes] | None = None,
    ) -> T:
        """Sends the request, again when that is safe, and gives what `read` makes of the response."""
        while True:
            try:
                left = call.remaining()
                with deadline(call, left), connection_errors(call):
                    request = self._http.build_request(
                        call.method,
                        call.url,
                        headers=call.headers,
                        content=call.content if content is None else content,
                        timeout=httpx.Timeout(left, read=read_timeout or left),
                    )
                    response = await self._http.send(request, stream=True)
                with deadline(call, call.remaining()), connection_errors(call, is_begun=True):
                    if response.is_success:
                        return await read(response, call)
                    raise error_response(response.status_code, response.headers, await read_all(response, call))
            except PortcullisError as error:
                await anyio.sleep(call.pause_after(error))


async def begun(response: httpx.Response, _call: Call) -> httpx.Response:
    return response


async def read_all(response: httpx.Response, call: Call) -> bytes:
    try:
        # Copied: a body that comes in very small chunks takes no more room than its bytes.
        content = bytearray()
        async for chunk in response.aiter_bytes():
            require_at_most(MOST_BYTES, len(content) + len(chunk))
            content += chunk
            call.remaining()
        return bytes(content)
    finally:
        await response.aclose()


async def read_json(response: httpx.Response, call: Call) -> object:
    return parse(await read_all(response, call))
