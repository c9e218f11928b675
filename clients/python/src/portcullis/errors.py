"""What the client raises. `problems` has a class for each code of a `ProblemError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._base_errors import PortcullisError as PortcullisError, UnexpectedReplyError as UnexpectedReplyError

if TYPE_CHECKING:
    from .models import Problem


class ProblemError(PortcullisError):
    """The service answered with a problem (RFC 9457). Its class tells which one: `NotFoundError` for `not-found`."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        super().__init__(_message(problem))
        self.problem = problem
        self.retry_after = retry_after
        """How many seconds the service asks to wait before another try."""

    @property
    def code(self) -> str:
        """Stable: programs decide by it."""
        return self.problem.code

    @property
    def status(self) -> int:
        return self.problem.status


class UnexpectedResponseError(ProblemError):
    """The answer is an error, and not of this service: a proxy's page for example. `unexpected-response`."""


class ServiceConnectionError(PortcullisError):
    """The service gave no answer. Whether it carried out the request is not known."""

    code: str = "unreachable"


class UnreachableError(ServiceConnectionError):
    """No response came."""


class RequestTimeoutError(ServiceConnectionError):
    """No response came within the time."""

    code = "timeout"


class BrokenOffError(ServiceConnectionError):
    """The response ended before its end."""

    code = "broken-off"


class TooLargeError(ServiceConnectionError):
    """The response has more than any of this service. Its connection is closed."""

    code = "too-large"


def _message(problem: Problem) -> str:
    """The problem in words. It names each field at fault, for whoever does not look at `errors`."""
    faults = [(fault.parameter or (fault.pointer or "")[2:], fault.detail) for fault in problem.errors or []]
    if problem.code == "invalid-request" and faults:
        # Its detail only points to the faults.
        return " ".join(f"{place or 'The body'} {why if why.endswith('?') else f'{why}.'}" for place, why in faults)
    return ": ".join([*(place for place, _ in faults if place), problem.detail])
