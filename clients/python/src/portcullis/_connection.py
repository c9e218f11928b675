"""What goes wrong with a connection, and what only asyncio needs."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import anyio
import httpx

from ._requests import Call
from .errors import BrokenOffError, UnreachableError

T = TypeVar("T")


@contextmanager
def connection_errors(call: Call, *, is_begun: bool = False) -> Iterator[None]:
    """What httpx raises, as errors of this package."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise call.late() from error
    except httpx.TransportError as error:
        if is_begun:
            raise BrokenOffError("The response broke off.") from error
        raise UnreachableError(f"The service at {call.base_url} cannot be reached.") from error
    except ValueError as error:
        # Of a JSON parser, or of a decoder.
        if not is_begun:
            raise
        raise BrokenOffError("The response is not complete, or it is not from this service.") from error


@contextmanager
def deadline(call: Call, seconds: float | None) -> Iterator[None]:
    """For asyncio: httpx bounds each read, and not all of them together."""
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError as error:
        raise call.late() from error


async def each(values: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[T]:
    if isinstance(values, AsyncIterable):
        async for value in values:
            yield value
    else:
        for value in values:
            yield value
