"""Every generated method fits the transport that it calls: Python itself finds a wrong argument at the call alone."""

from __future__ import annotations

import ast
import inspect
import unittest

from portcullis import AsyncPortcullis, Portcullis


class Generated(unittest.TestCase):
    def test_every_call_of_the_transport_takes_its_arguments(self) -> None:
        for client in (Portcullis, AsyncPortcullis):
            calls = [node for node in ast.walk(ast.parse(inspect.getsource(client))) if isinstance(node, ast.Call)]
            sent = [(call, call.func.attr) for call in calls if is_own(call.func) and isinstance(call.func, ast.Attribute)]
            self.assertGreater(len(sent), 50)
            for call, name in sent:
                with self.subTest(client=client.__name__, call=ast.unparse(call)):
                    given = {each.arg: None for each in call.keywords if each.arg is not None}
                    inspect.signature(getattr(client, name)).bind(None, *call.args, **given)


def is_own(function: ast.expr) -> bool:
    """Of `self`, and no method for users."""
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "self"
        and function.attr.startswith("_")
    )
