// The generated files of the Python client, by their names.
import type { Contract } from "./contract.ts";
import { type Colour, methodsOf, type Route } from "./methods.ts";
import { type Models, modelsOf } from "./models.ts";
import { bracketed, docstring, HEADER, pascal } from "./python-text.ts";
import { syncTransport } from "./sync-transport.ts";

/** `asyncTransport` is the text of `_async_transport.py`, which is written by hand. */
export function generate(contract: Contract, asyncTransport: string): ReadonlyMap<string, string> {
  const models = modelsOf(contract);
  const problem = { $ref: "#/components/schemas/Problem" };
  models.typeOf(problem, "Problem", "reply");
  const routes = routesOf(contract);
  const clients = (["sync", "async"] as const).map(
    (colour) => [`_${colour}_client.py`, client(routes, models, colour)] as const,
  );
  return new Map([
    ["models.py", modelsFile(models)],
    ["problems.py", problemsFile(contract)],
    ["_sync_transport.py", syncTransport(asyncTransport)],
    ...clients,
  ]);
}

const routesOf = ({ paths }: Contract): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

function modelsFile(models: Models): string {
  const text = models.text();
  const exported = bracketed(
    "__all__ = [",
    models.names.map((name) => JSON.stringify(name)),
    "]",
  );
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  const bases = used(["Literal", "Model", "RequestModel"]);
  return `${HEADER}
"""What the service takes and gives. Times are \`datetime\`; fields that are left out are None."""

${imports("collections.abc", used(["Sequence"]))}from datetime import date, datetime
from typing import Union

from ._model import ${bases.join(", ")}

${exported}
${text}`;
}

const NAMES = ["AsyncIterable", "AsyncIterator", "Callable", "Iterable", "Iterator", "Sequence"];
const TRANSPORT = ["AsyncPages", "AsyncTransport", "Pages", "SyncTransport"];

function client(routes: readonly Route[], models: Models, colour: Colour): string {
  const methods = routes.flatMap((route) => methodsOf(route, models, colour)).join("\n\n");
  const code = methods.replaceAll(/"""[\s\S]*?"""/g, "");
  const isIn = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  const [name, base] = colour === "async" ? ["AsyncPortcullis", "AsyncTransport"] : ["Portcullis", "SyncTransport"];
  const doc = `A client of one service, with a method for each route${colour === "async" ? ", for asyncio" : ""}. Use it with \`${colour === "async" ? "async with" : "with"}\`, or close it.`;
  const transport = TRANSPORT.filter((each) => each === base || isIn(each));
  return `${HEADER}
from __future__ import annotations

${imports("collections.abc", NAMES.filter(isIn))}from datetime import date, datetime
from typing import Literal, overload

from ._requests import CallOptions, Route, given
from ._${colour}_transport import ${transport.join(", ")}
${bracketed("from .models import (", models.names.filter(isIn), ")")}


class ${name}(${base}):
${docstring({ text: [doc] }, "    ")}

${methods}
`;
}

const imports = (module: string, names: readonly string[]): string =>
  names.length === 0 ? "" : `from ${module} import ${names.join(", ")}\n`;

/** A class for every code, so that a program can catch the one that it expects. */
function problemsFile(contract: Contract): string {
  const codes = problemCodes(contract);
  const classes = [...codes].map(
    ([code, title]) => `class ${pascal(code)}Error(ProblemError):\n${docstring({ text: [title] }, "    ")}\n`,
  );
  const entries = [...codes.keys()].map((code) => `    "${code}": ${pascal(code)}Error,\n`).join("");
  return `${HEADER}
"""The problems that a service answers with, by their codes."""

from .errors import ProblemError


${classes.join("\n\n")}

BY_CODE: dict[str, type[ProblemError]] = {
${entries}}
`;
}

/** The codes and their titles, from the descriptions of all responses: \`\`\`code\`: Title.\`. */
function problemCodes(contract: Contract): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { "x-problem-codes": codes, description } = value as { "x-problem-codes"?: string[]; description?: string };
    for (const code of codes ?? []) {
      const title = new RegExp(`^\`${code}\`: (.*)$`, "m").exec(description ?? "")?.[1];
      if (title === undefined) throw new Error(`The contract has no title of ${code}.`);
      found.set(code, title);
    }
    for (const each of Object.values(value)) visit(each);
  };
  visit(contract);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
