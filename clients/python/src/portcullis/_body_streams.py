"""Bodies that are read piece by piece, without their I/O: lines of JSON, and server-sent events."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import BrokenOffError, TooLargeError

# What one request of an import has at most, unless it is one line. The service answers while it reads, and this client
# reads after it has sent: as much as a socket holds, so that neither waits for the other.
IMPORT_BYTES = 64 * 1024
IMPORT_LINES = 100


# A policy of a hundred thousand rules has some ten MiB, and less than this with the longest names.
MOST_BYTES = 64 * 1024 * 1024
# In characters, of a line or an event: an answer has a million at most, and its receipt half of that.
LONGEST_PIECE = 8 * 1024 * 1024


def require_at_most(most: int, length: int) -> None:
    if length > most:
        raise TooLargeError("The response is larger than any of this service.")


def parse(text: str | bytes) -> object:
    try:
        value: object = json.loads(text)
    except RecursionError:
        # From None: the frames of the error are as many as the brackets.
        raise TooLargeError("The response is nested too deeply.") from None
    return value


# A chunk's end may cut a character.
Utf8 = codecs.getincrementaldecoder("utf-8")


class Rest:
    """The beginning of a line whose end has not come."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.length = 0

    def lines(self, parts: list[str]) -> list[str]:
        """The lines that are complete. Each part but the first begins a new one."""
        self._parts.append(parts[0])
        self.length += len(parts[0])
        require_at_most(LONGEST_PIECE, self.length)
        if len(parts) == 1:
            return []
        whole = ["".join(self._parts), *parts[1:-1]]
        self._parts, self.length = [parts[-1]], len(parts[-1])
        return whole


class LineReader:
    """NDJSON: the lines that are complete."""

    def __init__(self) -> None:
        self._text = Utf8("replace")
        self._rest = Rest()

    def read(self, chunk: bytes) -> list[str]:
        return self._rest.lines(self._text.decode(chunk).split("\n"))

    def end(self) -> None:
        if self._rest.length > 0:
            raise BrokenOffError("The results broke off. What was answered is on record.")


@dataclass(frozen=True)
class ServerSentEvent:
    # Given with this event or alone; then there are no data.
    id: str | None
    name: str
    data: str | None


class EventReader:
    """Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). `retry` is ignored."""

    def __init__(self) -> None:
        self._text = Utf8("replace")
        self._rest = Rest()
        self._after_cr = False
        self._clear()

    def _clear(self) -> None:
        self._id: str | None = None
        self._name = ""
        self._data: list[str] = []
        self._length = 0

    def read(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        text = self._text.decode(chunk)
        if text == "":
            return
        # Lines end with LF, CR or CR LF, and a chunk may end between CR and LF.
        fresh = text[1:] if self._after_cr and text.startswith("\n") else text
        self._after_cr = text.endswith("\r")
        for line in self._rest.lines(re.split(r"\r\n|\r|\n", fresh)):
            event = self._line(line)
            if event is not None:
                yield event

    def _line(self, line: str) -> ServerSentEvent | None:
        if line == "":
            data = "\n".join(self._data) if self._data else None
            event = ServerSentEvent(self._id, self._name or "message", data)
            self._clear()
            return event if event.id is not None or data is not None else None
        # A line that begins with a colon is a comment: its field has no name.
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            self._name = value
        elif field == "data":
            self._length += len(line) + 1
            require_at_most(LONGEST_PIECE, self._length)
            self._data.append(value)
        elif field == "id":
            self._id = value
        return None


class Batcher:
    """Gathers the lines of an import into the bodies of its requests."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._size = 0

    def add(self, line: bytes) -> tuple[bytes, int] | None:
        """The batch that this line has no room in, with the number of its lines."""
        is_full = self._size + len(line) > IMPORT_BYTES or len(self._lines) == IMPORT_LINES
        full = self.take() if self._lines and is_full else None
        self._lines.append(line + b"\n")
        self._size += len(line) + 1
        return full

    def take(self) -> tuple[bytes, int]:
        batch = b"".join(self._lines), len(self._lines)
        self._lines, self._size = [], 0
        return batch
