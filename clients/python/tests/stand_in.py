"""A server on loopback that answers as a test says: what a real service does only when something is broken."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


class StandIn:
    """Gives one answer after the other, and keeps the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        left = list(answers)

        class Handler(BaseHTTPRequestHandler):
            def answer(handler) -> None:
                headers = {name.lower(): value for name, value in handler.headers.items()}
                body = handler.rfile.read(int(headers.get("content-length", "0")))
                self.requests.append((handler.command, handler.path, headers, body))
                left.pop(0)(handler)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def reply(value: object, status: int = 200, *, kind: str = "application/json", **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        content = value if isinstance(value, bytes) else json.dumps(value).encode()
        handler.send_response(status)
        for name, text in {"content-type": kind, "content-length": str(len(content)), **headers}.items():
            handler.send_header(name.replace("_", "-"), text)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def problem(code: str, status: int, *, detail: str = "It is so.", errors: object = None, **headers: str) -> Answer:
    value = {"type": "x", "title": "x", "status": status, "code": code, "detail": detail, "errors": errors}
    if errors is None:
        del value["errors"]
    return reply(value, status, kind="application/problem+json", **headers)


def cut(handler: BaseHTTPRequestHandler) -> None:
    """The connection ends in the middle of the body."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"answer":')
    handler.close_connection = True


def waiting(released: threading.Event) -> Answer:
    """No answer, until the test is over."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        released.wait(60)
        handler.close_connection = True

    return answer
