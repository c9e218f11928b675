"""A service with identities that runs already: PORTCULLIS_URL, and an admin's key in PORTCULLIS_KEY."""

from __future__ import annotations

import atexit
import secrets
import unittest

import httpx
from portcullis import Portcullis

# To load certificates takes longer than these tests.
_http = httpx.Client(verify=False)
atexit.register(_http.close)


class ServiceTestCase(unittest.TestCase):
    """Each test has an agent and namespaces of its own."""

    def setUp(self) -> None:
        self.admin = Portcullis(http_client=_http)
        self.agent_id = f"agent-{secrets.token_hex(6)}"
        self.open, self.closed = f"open-{self.agent_id}", f"closed-{self.agent_id}"
        self.admin.set_access(agent_id=self.agent_id, namespace=self.open, allowed=True)
        self.key = self.admin.create_key(
            name=self.agent_id, role=f"agent:{self.agent_id}", captures=[self.open, self.closed]
        ).key
        self.agent = Portcullis(key=self.key, http_client=_http)
