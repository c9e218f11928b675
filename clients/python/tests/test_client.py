"""Both clients over a real service."""

from __future__ import annotations

import asyncio
import json
import threading

from portcullis import AsyncPortcullis, CallOptions, Portcullis, models, problems
from service import ServiceTestCase


class Client(ServiceTestCase):
    def fill(self) -> list[str]:
        facts = [f"Train number {i} leaves at {i} o'clock." for i in range(5)]
        for fact in facts:
            self.agent.capture(namespace=self.open, content=fact)
        return facts

    def test_recalls_what_is_open_and_says_what_is_closed(self) -> None:
        self.fill()
        self.agent.capture(namespace=self.closed, content="The train's secret is mango.")
        found = self.agent.recall(query="When does train number 3 leave?", limit=1)
        self.assertEqual([memory.content for memory in found.memories], ["Train number 3 leaves at 3 o'clock."])
        assert found.receipt is not None
        self.assertEqual(found.receipt.evidence.kind, "recalled")
        self.assertIn(self.closed, found.blocked_namespaces)
        self.assertIsNone(self.agent.recall(query="train", receipt=False).receipt)

    def test_pages_give_every_element_once(self) -> None:
        facts = self.fill()
        listing = self.agent.list_memories(namespace=self.open, limit=2)
        self.assertEqual([memory.content for memory in listing], facts[::-1])
        self.assertEqual([len(page.memories) for page in listing.pages()], [2, 2, 1])
        self.assertEqual(len(listing.page().memories), 2)

    def test_an_answer_comes_whole_and_piece_by_piece(self) -> None:
        self.fill()
        whole = self.agent.chat(query="When does train number 3 leave?")
        self.assertIn("3 o'clock", whole.answer)
        events = list(self.agent.chat_stream(query="When does train number 3 leave?"))
        self.assertIsInstance(events[0], models.StreamedGate)
        last = events[-1]
        assert isinstance(last, models.StreamedAnswer)
        pieces = [event.data.text for event in events if isinstance(event, models.StreamedToken)]
        self.assertEqual(("".join(pieces), last.data.answer), (whole.answer, whole.answer))

    def test_a_stream_that_is_left_early_frees_its_connection(self) -> None:
        self.fill()
        for _ in range(20):
            for _ in self.agent.chat_stream(query="train"):
                break
        self.assertTrue(self.agent.get_session().signed_in)

    def test_errors_have_the_class_of_their_code(self) -> None:
        with self.assertRaises(problems.NotFoundError):
            self.agent.get_memory("mem_01k9b0zv3e5kq2w8r7t6y5x4n3")
        with self.assertRaises(problems.ForbiddenError):
            self.agent.create_key(name="n", role="admin")
        with self.assertRaises(problems.InvalidRequestError) as caught:
            self.agent.capture(namespace=self.open, content="x", ttl=-1)
        self.assertIn("ttl", str(caught.exception))
        with Portcullis(key="portcullis_no_such_key") as stranger, self.assertRaises(problems.UnauthenticatedError):
            stranger.list_memories().page()

    def test_a_repeat_with_the_same_key_makes_nothing_more(self) -> None:
        options = CallOptions(idempotency_key=f"{self.agent_id}-once")
        ids = [self.agent.capture(namespace=self.open, content="Once.", options=options).memory.memory_id for _ in "ab"]
        self.assertEqual(ids[0], ids[1])

    def test_a_receipt_that_is_sent_back_is_the_one_that_came(self) -> None:
        self.fill()
        receipt = self.agent.chat(query="When does train number 3 leave?").receipt
        anchored = self.agent.anchor_on_chain(receipt=receipt)
        verdict = self.admin.verify(anchored.receipt_id)
        self.assertEqual(verdict.verdict, "verified")

    def test_a_policy_changes_in_one_step(self) -> None:
        names = [f"{self.agent_id}-{i}" for i in range(3)]
        rules = [models.AccessRule(agent_id=self.agent_id, namespace=name, allowed=True) for name in names]
        short = self.admin.set_access_batch(rules=rules, prefer="minimal")
        whole = self.admin.get_policy()
        self.assertEqual(type(short), models.SetAccessBatchMinimalReply)
        self.assertGreaterEqual(whole.version, short.version)
        self.assertEqual([whole.policy[self.agent_id][name] for name in names], [True] * 3)
        removed = self.admin.set_access(agent_id=self.agent_id, namespace=names[0], allowed=None)
        self.assertNotIn(names[0], removed.policy[self.agent_id])

    def test_imports_facts_and_says_which_line_failed(self) -> None:
        facts = [models.Fact(namespace=self.open, content=f"Fact {i}: {'x' * 900}") for i in range(250)]
        facts[120] = models.Fact(namespace="not-mine", content="x")
        tried = list(self.agent.import_memories(lines=facts, dry_run=True))
        self.assertEqual(sum(1 for result in tried if result.dry_run), 249)
        results = list(self.agent.import_memories(lines=facts))
        self.assertEqual([result.line for result in results], list(range(1, 251)))
        failed = [result for result in results if result.problem is not None]
        self.assertEqual([result.line for result in failed], [121])

    def test_an_export_can_be_imported(self) -> None:
        self.fill()
        export = b"".join(self.admin.export_records(namespace=self.open))
        header, *_, trailer = [json.loads(line) for line in export.splitlines()]
        self.assertEqual((header["portcullis"], trailer["portcullis"]), ("export", "end"))
        plan = list(self.admin.import_records(lines=export, dry_run=True))[-1].plan
        self.assertIsNotNone(plan)
        for body in (export, iter([export[:100], export[100:]])):
            steps = list(self.admin.import_records(lines=body))
            assert steps[-1].outcome is not None
            self.assertEqual(steps[-1].outcome.policy in ("same", "kept"), True)

    def test_events_come_as_they_happen(self) -> None:
        seen: list[models.FeedEvent] = []
        with Portcullis(key=self.key) as listener:
            captured = threading.Event()
            first = self.agent.capture(namespace=self.open, content="Before.").memory
            mark = self.newest_id()

            def listen() -> None:
                for event in listener.listen_to_events(last_event_id=mark):
                    if event.event == "memory-captured":
                        seen.append(event)
                        captured.set()
                        return

            thread = threading.Thread(target=listen, daemon=True)
            thread.start()
            second = self.agent.capture(namespace=self.open, content="After.").memory
            self.assertTrue(captured.wait(60))
            thread.join()
        self.assertNotEqual(first.memory_id, second.memory_id)
        self.assertEqual([event.data.memory_id for event in seen], [second.memory_id])

    def newest_id(self) -> str:
        """Where the feed is now: it begins with an id."""
        found: list[str] = []

        class Stop(Exception):
            pass

        def stop(id: str) -> None:
            found.append(id)
            raise Stop

        with Portcullis(key=self.key) as client:
            try:
                for _ in client.listen_to_events(on_id=stop):
                    pass
            except Stop:
                pass
        return found[0]

    def test_asyncio_has_the_same(self) -> None:
        async def session() -> None:
            async with AsyncPortcullis(key=self.key) as client:
                captured = [
                    client.capture(namespace=self.open, content=f"Bus number {i} is blue.") for i in range(5)
                ]
                await asyncio.gather(*captured)
                found = await client.recall(query="bus", limit=3)
                self.assertEqual(len(found.memories), 3)
                listing = client.list_memories(namespace=self.open, limit=2)
                self.assertEqual(len({memory.memory_id async for memory in listing}), 5)
                self.assertEqual(len((await listing.page()).memories), 2)
                events = [event async for event in client.chat_stream(query="Which bus is blue?")]
                self.assertIsInstance(events[-1], models.StreamedAnswer)
                async for _ in client.chat_stream(query="Which bus is blue?"):
                    break
                facts = (models.Fact(namespace=self.open, content=f"Ship {i}.") for i in range(150))
                lines = [result.line async for result in client.import_memories(lines=facts)]
                self.assertEqual(lines, list(range(1, 151)))
                with self.assertRaises(problems.NotFoundError):
                    await client.get_memory("mem_01k9b0zv3e5kq2w8r7t6y5x4n3")
            async with AsyncPortcullis() as admin:
                export = [chunk async for chunk in admin.export_records(namespace=self.open)]
                steps = [step async for step in admin.import_records(lines=export)]
                self.assertIsNotNone(steps[-1].outcome)

        asyncio.run(session())
