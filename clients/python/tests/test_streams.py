"""Streams that break, and the readers of their bodies."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

from portcullis import BrokenOffError, Portcullis, TooLargeError, models, problems
from portcullis._body_streams import EventReader, LineReader
from stand_in import Answer, StandIn, problem, reply

EVENTS = "text/event-stream"
BODY = 'id: 1\r\nevent: a\r\ndata: {"t":\rdata: "ü"}\n\n: comment\n\nid: 2\n\ndata:x\n\ndata: cut'.encode()


class Readers(unittest.TestCase):
    def test_events_are_the_same_wherever_a_chunk_ends(self) -> None:
        for size in range(1, len(BODY) + 1):
            reader = EventReader()
            chunks = [BODY[i : i + size] for i in range(0, len(BODY), size)]
            events = [(e.id, e.name, e.data) for chunk in chunks for e in reader.read(chunk)]
            expected = [("1", "a", '{"t":\n"ü"}'), ("2", "message", None), (None, "message", "x")]
            self.assertEqual(events, expected, f"in chunks of {size}")

    def test_a_line_without_an_end_was_broken_off(self) -> None:
        reader = LineReader()
        self.assertEqual([*reader.read(b'{"a":'), *reader.read(b'1}\n{"b"')], ['{"a":1}'])
        with self.assertRaises(BrokenOffError):
            reader.end()


MIB = 1024 * 1024


def endless(begin: bytes, piece: bytes, sent: list[int], *, kind: str, status: int = 200) -> Answer:
    """Sends until the client goes away, or 256 MiB."""
    block = (piece * (64 * 1024 // len(piece) + 1))[: 64 * 1024 // len(piece) * len(piece)]

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("content-type", kind)
        handler.end_headers()
        try:
            handler.wfile.write(begin)
            while sent[0] < 256 * MIB:
                handler.wfile.write(block)
                sent[0] += len(block)
        except OSError:
            pass

    return answer


class EndlessReplies(unittest.TestCase):
    def left_at(self, mib: int, ask: Callable[[Portcullis], object], begin: bytes, piece: bytes, **how: object) -> None:
        sent = [0]
        server = StandIn(endless(begin, piece, sent, **how))  # type: ignore[arg-type]
        self.addCleanup(server.close)
        with Portcullis(server.url) as client, self.assertRaises(TooLargeError) as raised:
            ask(client)
        self.assertEqual(raised.exception.code, "too-large")
        self.assertLess(sent[0], (mib + 32) * MIB)
        self.assertEqual(len(server.requests), 1)

    def test_a_reply_without_an_end_is_left(self) -> None:
        self.left_at(64, lambda client: client.get_policy(), b"[0", b",0", kind="application/json")

    def test_a_problem_without_an_end_is_left(self) -> None:
        how = {"kind": "application/problem+json", "status": 400}
        self.left_at(64, lambda client: client.get_policy(), b"[0", b",0", **how)

    def test_an_event_without_an_end_is_left(self) -> None:
        for begin, piece in ((b"data: ", b"x"), (b"", b"data: x\n")):
            self.left_at(8, lambda client: next(client.chat_stream(query="q")), begin, piece, kind=EVENTS)
            self.left_at(8, lambda client: next(client.listen_to_events()), begin, piece, kind=EVENTS)

    def test_a_line_of_results_without_an_end_is_left(self) -> None:
        fact = models.Fact(namespace="n", content="x")
        ask = lambda client: next(client.import_memories(lines=[fact]))  # noqa: E731
        self.left_at(8, ask, b'{"line":"', b"x", kind="application/x-ndjson")

    def test_a_reply_that_is_nested_too_deeply_is_refused(self) -> None:
        server = StandIn(reply(b"[" * 100_000 + b"]" * 100_000))
        self.addCleanup(server.close)
        with Portcullis(server.url) as client, self.assertRaises(TooLargeError):
            client.get_policy()


class Streams(unittest.TestCase):
    def client(self, *answers: object) -> tuple[Portcullis, StandIn]:
        server = StandIn(*answers)
        self.addCleanup(server.close)
        client = Portcullis(server.url, retries=0)
        self.addCleanup(client.close)
        return client, server

    def test_an_answer_that_ends_early_was_not_released(self) -> None:
        body = b'event: token\ndata: {"text":"Seven"}\n\nevent: later\ndata: {}\n\n'
        client, _ = self.client(reply(body, kind=EVENTS))
        stream = client.chat_stream(query="q")
        first = next(stream)
        assert isinstance(first, models.StreamedToken)
        self.assertEqual(first.data.text, "Seven")
        with self.assertRaises(BrokenOffError):
            next(stream)

    def test_a_problem_in_a_stream_is_raised(self) -> None:
        value = '{"type":"x","title":"x","status":409,"code":"policy-changed","detail":"It changed."}'
        client, _ = self.client(reply(f"event: problem\ndata: {value}\n\n".encode(), kind=EVENTS))
        with self.assertRaises(problems.PolicyChangedError):
            list(client.chat_stream(query="q"))

    def test_a_feed_goes_on_behind_its_last_event_and_ends_when_it_is_refused(self) -> None:
        event = 'id: {}\nevent: reset\ndata: {{"at":"2026-01-02T03:04:05.678Z"}}\n\n'
        first = (event.format("a") + "id: b\n\n").encode()
        answers = [reply(first, kind=EVENTS), reply(b"", 502), reply(event.format("c").encode(), kind=EVENTS)]
        client, server = self.client(*answers, problem("unauthenticated", 401))
        ids, seen = [], []
        with self.assertRaises(problems.UnauthenticatedError):
            for found in client.listen_to_events(last_event_id="z", on_id=ids.append, pause=0.001):
                seen.append((found.id, found.event, found.data.at is not None))
        self.assertEqual((seen, ids), ([("a", "reset", True), ("c", "reset", True)], ["a", "b", "c"]))
        self.assertEqual([headers["last-event-id"] for _, _, headers, _ in server.requests], ["z", "b", "b", "c"])

    def test_an_import_is_sent_in_requests_that_a_socket_holds(self) -> None:
        def result(handler: object) -> None:
            body = server.requests[-1][3]
            lines = [f'{{"line":{i + 1}}}' for i in range(body.count(b"\n"))]
            reply("".join(f"{line}\n" for line in lines).encode(), kind="application/x-ndjson")(handler)

        client, server = self.client(*[result] * 5)
        facts = [models.Fact(namespace="n", content="x" * (100 if i < 150 else 40_000)) for i in range(152)]
        lines = [found.line for found in client.import_memories(lines=iter(facts))]
        self.assertEqual(lines, list(range(1, 153)))
        self.assertEqual([body.count(b"\n") for _, _, _, body in server.requests], [100, 51, 1])


if __name__ == "__main__":
    unittest.main()
