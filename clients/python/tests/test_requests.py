"""How requests are sent, and when they are sent again."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import unittest
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from unittest import mock

import httpx
from portcullis import (
    AsyncPortcullis,
    BrokenOffError,
    CallOptions,
    Portcullis,
    PortcullisError,
    ProblemError,
    RequestTimeoutError,
    UnexpectedReplyError,
    UnexpectedResponseError,
    UnreachableError,
    models,
    problems,
)
from portcullis._requests import encoded, query_string
from stand_in import Answer, StandIn, cut, problem, reply, waiting

SESSION = {"signedIn": True, "identities": True, "name": "n", "role": "admin"}
FORGOTTEN = {"forgotten": 1, "anchoredReceipts": 0}
CAPTURED = {
    "memory": {
        "memoryId": "m",
        "storeRef": "s",
        "namespace": "n",
        "content": "c",
        "sourceAgent": "a",
        "createdAt": "2026-01-02T03:04:05.670Z",
        "contentDigest": "d",
    }
}

capture = {"namespace": "n", "content": "c"}


class Both(unittest.TestCase):
    """Every rule holds for both clients. Pauses are counted, and not waited for."""

    def setUp(self) -> None:
        self.pauses: list[float] = []

        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        for target, sleep in (("time.sleep", self.pauses.append), ("anyio.sleep", pause)):
            patch = mock.patch(target, sleep)
            patch.start()
            self.addCleanup(patch.stop)

    def ask(
        self, method: str, *answers: Answer, options: CallOptions | None = None, **arguments: object
    ) -> tuple[list[object], StandIn]:
        """What each client gives, or raises."""
        outcomes: list[object] = []
        server = StandIn(*answers, *answers)
        self.addCleanup(server.close)

        # To load certificates takes longer than these requests.
        def sync() -> object:
            with (
                httpx.Client(verify=False) as http,
                Portcullis(server.url, key="k", tenant="acme", timeout=20, http_client=http) as client,
            ):
                return getattr(client, method)(options=options, **arguments)

        def other() -> object:
            async def run() -> object:
                async with (
                    httpx.AsyncClient(verify=False) as http,
                    AsyncPortcullis(server.url, key="k", tenant="acme", timeout=20, http_client=http) as client,
                ):
                    return await getattr(client, method)(options=options, **arguments)

            return asyncio.run(run())

        for way in (sync, other):
            try:
                outcomes.append(way())
            except PortcullisError as error:
                outcomes.append(error)
        return outcomes, server

    def raised(self, kind: type[PortcullisError], outcomes: list[object]) -> list[PortcullisError]:
        for outcome in outcomes:
            self.assertIs(type(outcome), kind)
        return [outcome for outcome in outcomes if isinstance(outcome, PortcullisError)]

    def test_a_request_has_the_key_the_tenant_and_what_is_given(self) -> None:
        expires = datetime(2026, 5, 12, 9, 40, tzinfo=timezone(timedelta(hours=2)))
        outcomes, server = self.ask("capture", reply(CAPTURED), expires_at=expires, **capture)
        self.assertEqual([outcome.memory.memory_id for outcome in outcomes], ["m", "m"])
        for method, path, headers, body in server.requests:
            self.assertEqual((method, path), ("POST", "/api/memories"))
            self.assertEqual((headers["authorization"], headers["portcullis-tenant"]), ("Bearer k", "acme"))
            self.assertEqual(
                body.decode(), '{"namespace": "n", "content": "c", "expiresAt": "2026-05-12T07:40:00.000Z"}'
            )

    def test_a_day_or_a_time_says_when_a_fact_holds(self) -> None:
        day, noon = date(2026, 5, 12), datetime(2026, 5, 12, 14, tzinfo=timezone(timedelta(hours=2)))
        for given, sent in ((day, "2026-05-12"), (noon, "2026-05-12T12:00:00.000Z"), ("2026-05-12", "2026-05-12")):
            with self.subTest(sent):
                _, server = self.ask("capture", reply(CAPTURED), occurred_at=given, **capture)
                self.assertEqual([json.loads(body)["occurredAt"] for _, _, _, body in server.requests], [sent] * 2)
                fact = models.Fact(namespace="n", content="c", occurred_at=given)
                self.assertEqual(json.loads(encoded(fact))["occurredAt"], sent)
        self.assertEqual(query_string({"occurredFrom": day}), "?occurredFrom=2026-05-12")

    def test_a_request_that_makes_something_is_repeated_with_the_same_key(self) -> None:
        outcomes, server = self.ask("capture", cut, problem("in-progress", 409), reply(CAPTURED), **capture)
        self.assertEqual([type(outcome) for outcome in outcomes], [models.CaptureReply] * 2)
        keys = [headers["idempotency-key"] for _, _, headers, _ in server.requests]
        self.assertEqual((len(keys), len(set(keys[:3])), len(set(keys))), (6, 1, 2))
        for first, second in (self.pauses[:2], self.pauses[2:]):
            self.assertTrue(0.125 <= first <= 0.25 <= second * 1.001 <= 0.5 * 1.001, self.pauses)

    def test_what_may_have_been_done_and_has_no_key_is_not_repeated(self) -> None:
        outcomes, server = self.ask("forget_memories", cut, namespace="n")
        self.raised(BrokenOffError, outcomes)
        outcomes, server = self.ask("forget_memories", problem("storage-full", 503, retry_after="1"), namespace="n")
        self.raised(problems.StorageFullError, outcomes)
        self.assertEqual((len(server.requests), self.pauses), (2, []))

    def test_a_revoke_and_a_forgetting_by_id_are_repeated_and_a_grant_is_not(self) -> None:
        rule = {"agent_id": "a", "namespace": "n"}
        grant, revoke = (models.AccessRule(**rule, allowed=allowed) for allowed in (True, False))
        repeated = [
            ("set_access", {**rule, "allowed": False}),
            ("set_access", {**rule, "allowed": None}),
            ("set_access_batch", {"rules": [revoke, revoke]}),
            ("forget_memory", {"memory_id": "mem_1"}),
            ("revoke_key", {"key_id": "key_1"}),
        ]
        for method, arguments in repeated:
            outcomes, server = self.ask(method, cut, problem("not-found", 404), **arguments)
            self.raised(problems.NotFoundError, outcomes)
            self.assertEqual(["idempotency-key" in headers for _, _, headers, _ in server.requests], [False] * 4)
        for method, arguments in [
            ("set_access", {**rule, "allowed": True}),
            ("set_access_batch", {"rules": [revoke, grant]}),
        ]:
            outcomes, server = self.ask(method, cut, **arguments)
            self.raised(BrokenOffError, outcomes)

    def test_what_the_service_did_not_begin_is_repeated_after_the_time_that_it_asks_for(self) -> None:
        answers = (problem("too-many-requests", 429, retry_after="3"), problem("overloaded", 503), reply(FORGOTTEN))
        outcomes, server = self.ask("forget_memories", *answers, namespace="n")
        self.assertEqual([outcome.forgotten for outcome in outcomes], [1, 1])
        self.assertTrue(3.125 <= self.pauses[0] <= 3.25, self.pauses)

    def test_does_not_wait_past_the_end_of_its_time(self) -> None:
        outcomes, server = self.ask("get_session", problem("too-many-requests", 429, retry_after="30"))
        errors = self.raised(problems.TooManyRequestsError, outcomes)
        self.assertEqual([error.retry_after for error in errors if isinstance(error, ProblemError)], [30.0, 30.0])
        self.assertEqual(self.pauses, [])

    def test_gives_up_after_the_retries(self) -> None:
        outcomes, server = self.ask("get_session", *[reply(b"<p>", 502, kind="text/html")] * 3)
        self.raised(UnexpectedResponseError, outcomes)
        self.assertEqual(len(server.requests), 6)
        outcomes, server = self.ask("capture", cut, options=CallOptions(retries=0), **capture)
        self.raised(BrokenOffError, outcomes)
        self.assertNotIn("idempotency-key", server.requests[0][2])

    def test_a_problem_is_raised_as_the_class_of_its_code_and_names_the_field(self) -> None:
        errors = [{"pointer": "#/ttl", "detail": "must be a number"}, {"parameter": "q", "detail": "is unknown"}]
        outcomes, _ = self.ask("capture", problem("invalid-request", 400, errors=errors), **capture)
        for error in self.raised(problems.InvalidRequestError, outcomes):
            self.assertEqual(str(error), "ttl must be a number. q is unknown.")
        outcomes, _ = self.ask("get_session", problem("of-tomorrow", 418))
        self.assertEqual([error.code for error in self.raised(ProblemError, outcomes)], ["of-tomorrow"] * 2)

    def test_a_call_ends_with_its_time(self) -> None:
        released = threading.Event()
        self.addCleanup(released.set)
        outcomes, server = self.ask("get_session", waiting(released), options=CallOptions(timeout=0.2))
        for error in self.raised(RequestTimeoutError, outcomes):
            self.assertEqual(str(error), "The service has not answered within 0.2 s.")
        # On a busy machine a call may end before its request arrives.
        self.assertLessEqual(len(server.requests), 2)
        self.assertEqual(self.pauses, [])

    def test_a_reply_that_is_none_of_this_service_is_an_error_of_this_package(self) -> None:
        outcomes, _ = self.ask("get_session", reply({"hello": "world"}))
        self.raised(UnexpectedReplyError, outcomes)
        outcomes, _ = self.ask("get_session", *[reply(b"<html>")] * 3)
        self.raised(BrokenOffError, outcomes)

    def test_a_reply_of_a_later_service_may_have_more(self) -> None:
        later = {**SESSION, "role": "archivist", "colour": "blue"}
        outcomes, _ = self.ask("get_session", reply(later))
        for each in outcomes:
            self.assertEqual((each.role, each.colour, each.to_wire()), ("archivist", "blue", later))


class Settings(unittest.TestCase):
    def test_a_service_that_is_not_there_is_unreachable(self) -> None:
        server = StandIn()
        server.close()
        with Portcullis(server.url, retries=0) as client, self.assertRaises(UnreachableError) as caught:
            client.get_session()
        self.assertEqual(str(caught.exception), f"The service at {server.url} cannot be reached.")

    def test_the_environment_names_service_and_key(self) -> None:
        server = StandIn(reply(SESSION), reply(SESSION))
        self.addCleanup(server.close)
        with mock.patch.dict(os.environ, {"PORTCULLIS_URL": f"{server.url}/", "PORTCULLIS_KEY": " secret\n"}):
            with Portcullis() as client:
                client.get_session()
            with Portcullis(key="other") as client:
                client.get_session()
        sent = [(path, headers["authorization"]) for _, path, headers, _ in server.requests]
        self.assertEqual(sent, [("/api/session", "Bearer secret"), ("/api/session", "Bearer other")])

    def test_what_cannot_be_sent_is_refused_before_it_is(self) -> None:
        cases: list[tuple[Callable[[Portcullis], object], str]] = [
            (lambda client: client.get_memory(".."), "cannot be a part of a path"),
            (lambda client: client.capture(**capture, expires_at=datetime(2026, 1, 1)), "needs a time zone"),
            (lambda client: models.AccessRule(agent_id="a", namespace="n", allowed=True, alowed=False), "alowed"),
            (lambda client: Portcullis("localhost:3000"), "begins with http"),
            (lambda client: Portcullis("http://me:secret@localhost"), "no user and no password"),
        ]
        with Portcullis("http://127.0.0.1:1") as client:
            for refused, sentence in cases:
                with self.subTest(sentence), self.assertRaises(ValueError) as caught:
                    refused(client)
                self.assertIn(sentence, str(caught.exception))

    def test_a_part_of_a_path_is_escaped(self) -> None:
        server = StandIn(problem("not-found", 404))
        self.addCleanup(server.close)
        with Portcullis(server.url) as client, self.assertRaises(problems.NotFoundError):
            client.get_by_key("a/b?c", "ü #", source_agent="x&y")
        self.assertEqual(server.requests[0][1], "/api/namespaces/a%2Fb%3Fc/keys/%C3%BC%20%23?sourceAgent=x%26y")


if __name__ == "__main__":
    unittest.main()
