"""One call without its I/O: what is sent, how long it may take, and when it is sent again."""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timezone
from typing import Literal
from urllib.parse import quote, urlencode, urlsplit

from ._body_streams import parse
from ._model import Model
from .errors import (  # fmt: skip
    PortcullisError, ProblemError, RequestTimeoutError, ServiceConnectionError, TooLargeError, UnexpectedResponseError
)
from .models import Problem
from .problems import BY_CODE

DEFAULT_URL = "http://127.0.0.1:3000"
DEFAULT_RETRIES = 2
# A model may take a minute, and an answer is made again when the policy changes.
DEFAULT_TIMEOUT = 120.0
EVENT_STREAM = "text/event-stream"
NDJSON = "application/x-ndjson"

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0
# A proxy's own answer, when it did not get one of the service or has too many requests.
GATEWAY_STATUS = frozenset({429, 502, 503, 504})


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    # A request with an Idempotency-Key is carried out once.
    idempotent: bool = False
    # A repeat changes nothing more, and needs no key: of any call, or of one that only closes gates.
    repeats: Literal["always", "revokes"] | None = None


@dataclass(frozen=True)
class CallOptions:
    """For one call. What is None is as for the client."""

    timeout: float | None = None
    """Seconds that the call may take, with its retries; of a stream, until it begins."""
    retries: int | None = None
    """How often the request is sent again, at most, when that is safe."""
    idempotency_key: str | None = None
    """A repeat with the same key makes nothing more. With retries there is always one."""


@dataclass(frozen=True)
class Settings:
    base_url: str
    headers: Mapping[str, str]
    retries: int
    timeout: float | None


def settings_of(
    base_url: str | None, key: str | None, tenant: str | None, retries: int, timeout: float | None
) -> Settings:
    url = (base_url or os.environ.get("PORTCULLIS_URL", "").strip() or DEFAULT_URL).rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("The URL of the service begins with http:// or https://, and names a host.")
    if parts.username is not None or parts.password is not None:
        raise ValueError("The URL of the service has no user and no password. Give the client a key.")
    bearer = key or os.environ.get("PORTCULLIS_KEY", "").strip()
    headers = {"authorization": f"Bearer {bearer}"} if bearer else {}
    if tenant is not None:
        headers["portcullis-tenant"] = tenant
    return Settings(url, headers, retries, timeout)


def given(values: Mapping[str, object]) -> dict[str, object]:
    """The values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


class Call:
    """A request, with what is left of its time and its retries."""

    def __init__(
        self,
        settings: Settings,
        route: Route,
        options: CallOptions | None,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        is_rereadable: bool = True,
    ) -> None:
        options = options or CallOptions()
        self.base_url = settings.base_url
        self.method = route.method
        parts = {name: segment(value) for name, value in (path or {}).items()}
        self.url = settings.base_url + route.path.format_map(parts) + query_string(query or {})
        self.headers = {**settings.headers, **(headers or {})}
        self.content = content
        if body is not None:
            self.headers["content-type"] = "application/json"
            self.content = encoded(body)
        self._retries = settings.retries if options.retries is None else options.retries
        if not is_rereadable:
            self._retries = 0
        key = options.idempotency_key or (secrets.token_hex(16) if route.idempotent and self._retries > 0 else None)
        if key is not None:
            self.headers["idempotency-key"] = key
        self._is_repeatable = may_repeat(route, self.content)
        self._timeout = settings.timeout if options.timeout is None else options.timeout
        self._ends = None if self._timeout is None else time.monotonic() + self._timeout
        self._attempt = 1

    def remaining(self) -> float | None:
        """Seconds. None: as long as it takes."""
        if self._ends is None:
            return None
        left = self._ends - time.monotonic()
        if left <= 0:
            raise self.late()
        return left

    def late(self) -> RequestTimeoutError:
        return RequestTimeoutError(f"The service has not answered within {self._timeout:g} s.")

    def pause_after(self, error: PortcullisError) -> float:
        """Seconds before the request is sent again. Raises the error when it is not."""
        if self._attempt > self._retries or not (was_refused(error) or (self._is_repeatable and may_pass(error))):
            raise error
        asked = error.retry_after or 0.0 if isinstance(error, ProblemError) else 0.0
        # Clients that were refused together do not return together.
        pause = asked + backoff(self._attempt - 1, FIRST_PAUSE, LONGEST_PAUSE) * random.uniform(0.5, 1)
        if self._ends is not None and pause >= self._ends - time.monotonic():
            raise error
        self._attempt += 1
        return pause


def may_repeat(route: Route, content: bytes | None) -> bool:
    """A revoke is as closed the second time. A grant is not repeated: somebody may have revoked it meanwhile."""
    if route.repeats != "revokes":
        return route.method == "GET" or route.idempotent or route.repeats == "always"
    body = json.loads(content or b"{}")
    return all(rule.get("allowed", True) in (False, None) for rule in body.get("rules", [body]))


def backoff(failures: int, first: float, longest: float) -> float:
    return min(first * 2.0**failures, longest)


def was_refused(error: PortcullisError) -> bool:
    """The service did not begin with it."""
    return isinstance(error, ProblemError) and error.code in ("too-many-requests", "overloaded")


def may_pass(error: PortcullisError) -> bool:
    """Another try may succeed. A time-out ends all of them, and what is too large comes again."""
    if isinstance(error, ServiceConnectionError):
        return not isinstance(error, (RequestTimeoutError, TooLargeError))
    if not isinstance(error, ProblemError):
        return False
    if isinstance(error, UnexpectedResponseError):
        return error.status in GATEWAY_STATUS
    return error.code == "in-progress" or (error.status == 503 and error.retry_after is not None)


def problem_error(problem: Problem, retry_after: float | None = None) -> ProblemError:
    return BY_CODE.get(problem.code, ProblemError)(problem, retry_after)


def error_response(status: int, headers: Mapping[str, str], content: bytes) -> ProblemError:
    """The problem in a response; for one without, a proxy's error page for example, an error that says so."""
    asked = headers.get("retry-after", "")
    retry_after = float(asked) if re.fullmatch(r"\d{1,6}", asked) else None
    if headers.get("content-type", "").startswith("application/problem+json"):
        return problem_error(Problem.from_wire(parse(content)), retry_after)
    detail = f"The service answered {status} and did not say why."
    problem = Problem(type="about:blank", title="", status=status, code="unexpected-response", detail=detail)
    return UnexpectedResponseError(problem, retry_after)


def segment(value: object) -> str:
    """`..` is a step up for every parser of URLs: the request would reach another route."""
    text = quote(str(value), safe="")
    if text in ("", ".", ".."):
        raise ValueError(f'"{text}" cannot be a part of a path.')
    return text


def query_string(query: Mapping[str, object]) -> str:
    values = {
        key: parameter(one)
        for name, value in query.items()
        for key, one in (
            ((f"{name}.{member}", each) for member, each in value.items())
            if isinstance(value, Mapping)
            else ((name, value),)
        )
        if one is not None
    }
    return f"?{urlencode(values)}" if values else ""


def parameter(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return written(value) if isinstance(value, date) else str(value)


def encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain).encode()


def _plain(value: object) -> object:
    if isinstance(value, Model):
        return value.to_wire()
    if isinstance(value, date):
        return written(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"A {type(value).__name__} cannot be sent as JSON.")


def written(value: date) -> str:
    """A time, or a day."""
    return timestamp(value) if isinstance(value, datetime) else value.isoformat()


def timestamp(value: datetime) -> str:
    """As the service writes it. A receipt that is sent back keeps its digest."""
    if value.tzinfo is None:
        raise ValueError("A time needs a time zone: datetime.now(timezone.utc), for example.")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def without_key(options: CallOptions | None, suffix: str) -> CallOptions | None:
    """For one of several requests of a call: each needs a key of its own."""
    if options is None or options.idempotency_key is None:
        return options
    return replace(options, idempotency_key=f"{options.idempotency_key}{suffix}")
