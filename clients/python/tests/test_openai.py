"""OpenAI's client over a real service. Where openai is not installed, a small client of ours stands in."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

if importlib.util.find_spec("openai") is None:
    sys.path.append(str(Path(__file__).parent / "stand_ins"))

from portcullis.openai import async_gateway, gateway, receipt_id  # noqa: E402
from service import ServiceTestCase  # noqa: E402


class Gateway(ServiceTestCase):
    def ask(self, client: Any, **more: Any) -> Any:
        self.addCleanup(client.close)
        model = client.models.list().data[0].id
        messages = [{"role": "user", "content": "What should be served for dinner?"}]
        return client.chat.completions.create(model=model, messages=messages, **more)

    def test_a_completion_has_the_memories_of_the_key_s_agent_and_a_receipt(self) -> None:
        self.agent.capture(namespace=self.open, content="For dinner there should be lentils.")
        completion = self.ask(gateway(key=self.key))
        self.assertIn("lentils", completion.choices[0].message.content)
        receipt = self.agent.get_receipt(receipt_id(completion)).receipt
        self.assertEqual([memory.namespace for memory in receipt.used_memories], [self.open])

    def test_the_last_chunk_of_a_stream_has_the_receipt_and_no_other(self) -> None:
        ids = [receipt_id(chunk) for chunk in self.ask(gateway(key=self.key), stream=True)]
        self.assertEqual([each for each in ids if each is not None], ids[-1:])
        self.assertEqual(self.agent.get_receipt(ids[-1]).receipt.agent_id, self.agent_id)

    def test_an_admin_names_the_agent(self) -> None:
        completion = self.ask(gateway(agent_id=self.agent_id, timeout=30))
        self.assertEqual(self.admin.get_receipt(receipt_id(completion)).receipt.agent_id, self.agent_id)

    def test_somebody_must_ask_and_other_replies_have_no_receipt(self) -> None:
        with patch.dict(os.environ, {"PORTCULLIS_KEY": ""}):
            for make in (gateway, async_gateway):
                with self.assertRaisesRegex(ValueError, "agent_id"):
                    make()
        self.assertIsNone(receipt_id(object()))
