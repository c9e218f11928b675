"""Gated memory for AI agents. `Portcullis` and `AsyncPortcullis` have a method for each route."""

from . import models, problems
from ._async_client import AsyncPortcullis
from ._async_transport import AsyncPages
from ._requests import CallOptions
from ._sync_client import Portcullis
from ._sync_transport import Pages
from .errors import (  # fmt: skip
    BrokenOffError, PortcullisError, ProblemError, RequestTimeoutError, ServiceConnectionError, TooLargeError,
    UnexpectedReplyError, UnexpectedResponseError, UnreachableError
)

__all__ = [  # fmt: skip
    "AsyncPages", "AsyncPortcullis", "BrokenOffError", "CallOptions", "Pages", "Portcullis", "PortcullisError",
    "ProblemError", "RequestTimeoutError", "ServiceConnectionError", "TooLargeError", "UnexpectedReplyError",
    "UnexpectedResponseError", "UnreachableError", "models", "problems"
]
