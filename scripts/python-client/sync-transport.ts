// The transport of the blocking client, made from that of asyncio: the same steps, without waiting for others meanwhile.

const HEADER = "# Generated from _async_transport.py by `npm run openapi`. Change that file.";

/** In this order. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^"""[\s\S]*?"""/, `${HEADER}\n"""Sends the requests of \`Portcullis\`."""`],
  [
    /(?:^from collections\.abc import .*\n)+/m,
    "import time\nfrom collections.abc import Callable, Generator, Iterable, Iterator, Mapping\n",
  ],
  [/^import anyio\n/m, ""],
  [/^from \._connection import .*$/m, "from ._connection import connection_errors"],
  [/\bdeadline\(.*?\), (?=connection_errors)/g, ""],
  [/\beach\((\w+)\)/g, "$1"],
  [/\banyio\.sleep\b/g, "time.sleep"],
  [/\basync (?=def|for|with)/g, ""],
  [/\bawait /g, ""],
  [/\banext\(/g, "next("],
  [/\bAwaitable\[(\w+)\]/g, "$1"],
  [/\bAsyncGenerator\[bytes, None\]/g, "Generator[bytes, None, None]"],
  [/\bAsync(?=Itera|Pages|Client|Portcullis)/g, ""],
  [/\bAsyncTransport\b/g, "SyncTransport"],
  [/\b__a(?=(?:enter|exit|iter)__)/g, "__"],
  [/\ba(?=(?:close|closing|iter_bytes)\b)/g, ""],
  // A union of what were two types is one.
  [/\b(Iterable\[\w+\]) \| \1/g, "$1"],
];

export const syncTransport = (asyncTransport: string): string =>
  REPLACEMENTS.reduce((text, [pattern, by]) => text.replace(pattern, by), asyncTransport);
