"""Streams that break, and the readers of their bodies."""

from __future__ import annotations

import unittest

from portcullis import BrokenOffError, Portcullis, models, problems
from portcullis._body_streams import EventReader, LineReader
from stand_in import StandIn, problem, reply

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
