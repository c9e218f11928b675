"""The store for LangGraph over a real service. Where langgraph is not installed, its interface stands in."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from datetime import date
from pathlib import Path
from typing import Any

if importlib.util.find_spec("langgraph") is None:
    sys.path.append(str(Path(__file__).parent / "stand_ins"))

from langgraph.store.base import (  # noqa: E402
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)

from portcullis import Portcullis  # noqa: E402
from portcullis.langgraph import PortcullisStore, UnsupportedOperationError  # noqa: E402
from service import ServiceTestCase  # noqa: E402


class Store(ServiceTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store = PortcullisStore(self.agent)
        self.place = (self.open,)

    def one(self, operation: Op) -> Any:
        return self.store.batch([operation])[0]

    def put(self, key: str, value: dict[str, Any] | None) -> None:
        self.one(PutOp(self.place, key, value))

    def test_puts_gets_and_deletes_with_all_earlier_values(self) -> None:
        self.put("k", {"b": [1], "a": 2})
        first = self.one(GetOp(self.place, "k"))
        self.put("k", {"n": 2})
        last = self.one(GetOp(self.place, "k"))
        self.assertEqual((first.value, last.value, last.key), ({"b": [1], "a": 2}, {"n": 2}, "k"))
        self.assertEqual((last.created_at, last.updated_at >= first.updated_at), (first.created_at, True))
        contents = [memory.content for memory in self.admin.list_memories(namespace=self.open, superseded=True)]
        self.assertEqual(contents, ['{"a":2,"b":[1]}'])
        self.put("k", None)
        self.put("never", None)
        self.assertIsNone(self.one(GetOp(self.place, "k")))
        left = [list(self.admin.list_memories(namespace=self.open, superseded=each)) for each in (True, False)]
        self.assertEqual(left, [[], []])

    def test_searches_by_query_by_filter_and_by_page(self) -> None:
        for n in range(20):
            self.put(f"tea {n}", {"text": f"tea number {n} from the tea shop", "n": n})
        found = self.one(SearchOp(self.place, query="tea number 7", limit=30))
        self.assertEqual((len(found), found[0].value["n"], type(found[0].score)), (20, 7, float))
        pages = [self.one(SearchOp((), limit=8, offset=offset)) for offset in (0, 8, 16)]
        self.assertEqual([len(page) for page in pages], [8, 8, 4])
        self.assertEqual(len({item.key for page in pages for item in page}), 20)
        some = self.one(SearchOp(self.place, filter={"n": {"$gte": 18, "$lt": 30}}))
        self.assertEqual(sorted(item.value["n"] for item in some), [18, 19])
        self.assertEqual(len(self.one(SearchOp(self.place, filter={"n": 3, "text": {"$ne": "x"}}))), 1)

    def test_finds_what_others_put_under_its_id_until_it_is_revoked(self) -> None:
        fact = {"namespace": self.open, "content": "Loves mango.", "source_agent": "somebody"}
        plain = self.admin.capture(**fact, occurred_at=date(2026, 5, 12)).memory
        value = {"content": "Loves mango.", "occurredAt": "2026-05-12"}
        found = self.one(SearchOp(self.place, query="mango"))
        self.assertEqual([(item.key, item.value) for item in found], [(plain.memory_id, value)])
        self.assertEqual(self.one(GetOp(self.place, plain.memory_id)).value, value)
        with self.assertRaisesRegex(UnsupportedOperationError, "only what it put itself"):
            self.put(plain.memory_id, None)
        self.assertEqual(self.one(ListNamespacesOp()), [self.place])
        self.admin.set_access(agent_id=self.agent_id, namespace=self.open, allowed=False)
        seen = [self.one(SearchOp(())), self.one(SearchOp((), query="mango")), self.one(ListNamespacesOp())]
        self.assertEqual((seen, self.one(GetOp(self.place, plain.memory_id))), ([[], [], []], None))

    def test_with_an_admins_key_it_sees_no_more_than_its_agent(self) -> None:
        self.put("k", {"text": "tea"})
        self.agent.capture(namespace=self.closed, content="Secret mango.")
        store = PortcullisStore(self.admin, agent_id=self.agent_id)
        found, names = store.batch([SearchOp((), query="mango"), ListNamespacesOp()])
        assert isinstance(found, list)
        self.assertEqual(([item.value for item in found], names), ([{"text": "tea"}], [self.place]))
        with self.assertRaisesRegex(UnsupportedOperationError, "agent_id"):
            PortcullisStore(self.admin).batch([SearchOp(())])

    def test_paths_are_namespaces_with_their_parts_encoded(self) -> None:
        path = ("trips", self.agent_id, "new york/ü")
        name = f"trips/{self.agent_id}/new%20york%2F%C3%BC"
        self.admin.set_access(agent_id=self.agent_id, namespace=name, allowed=True)
        store = PortcullisStore(self.admin, agent_id=self.agent_id)
        store.batch([PutOp(path, "k", {"n": 1})])
        conditions = (MatchCondition("prefix", ("trips", "*")), MatchCondition("suffix", ("new york/ü",)))
        lists = [ListNamespacesOp(conditions), ListNamespacesOp(conditions, max_depth=1)]
        results = store.batch([*lists, SearchOp(path[:2])])
        self.assertEqual(results[:2], [[path], [("trips",)]])
        self.assertEqual([item.namespace for item in results[2]], [path])  # type: ignore[union-attr]

    def test_reads_of_a_batch_come_before_its_writes_and_asyncio_has_the_same(self) -> None:
        self.put("k", {"n": 1})
        puts = [PutOp(self.place, "k", {"n": n}) for n in (2, 3)]
        results = asyncio.run(self.store.abatch([puts[0], GetOp(self.place, "k"), puts[1]]))
        self.assertEqual((results[0], results[1].value, results[2]), (None, {"n": 1}, None))  # type: ignore[union-attr]
        self.assertEqual(self.one(GetOp(self.place, "k")).value, {"n": 3})

    def test_what_the_service_cannot_do_is_refused_and_changes_nothing(self) -> None:
        unsupported = UnsupportedOperationError
        cases: list[tuple[Op, type[Exception], str]] = [
            (PutOp(("a" * 40, "b" * 30), "k", {}), InvalidNamespaceError, "at most 64"),
            (GetOp((), "k"), InvalidNamespaceError, "at least one part"),
            (SearchOp(("a", "")), InvalidNamespaceError, "no empty one"),
            (PutOp(("..",), "k", None), InvalidNamespaceError, "no dots alone"),
            (GetOp(self.place, ".."), unsupported, "no dots alone"),
            (PutOp(self.place, "k", {"n": float("nan")}), unsupported, "JSON"),
            (PutOp(self.place, "k", {"n": "x" * 8_000}), unsupported, "8,000"),
            (PutOp(self.place, "k", {"n": 1}, ["n"]), unsupported, "ignore_index"),
            (PutOp(self.place, "k", {"n": 1}, None, 5.0), unsupported, "ttl"),
            (SearchOp(self.place, {"n": {"$near": 1}}), unsupported, r"\$near"),
        ]
        for operation, kind, sentence in cases:
            with self.subTest(sentence), self.assertRaisesRegex(kind, sentence):
                self.store.batch([PutOp(self.place, "other", {"n": 1}), operation])
        self.assertEqual(list(self.agent.list_memories()), [])

    def test_a_search_with_a_query_is_on_record(self) -> None:
        kinds: list[str] = []
        with Portcullis(key=self.key) as client:
            store = PortcullisStore(client, on_receipt=lambda receipt: kinds.append(receipt.evidence.kind))
            store.batch([SearchOp((), query="tea"), SearchOp(())])
        self.assertEqual(kinds, ["recalled"])
