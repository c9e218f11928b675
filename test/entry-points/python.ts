// The Python client and its store for LangGraph, in a process for each agent.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { findPython, NO_PYTHON, startPython } from "#test/support/python.ts";
import type { EntryPoint, Outcome } from "./entry-point.ts";

const READS = ["chat", "chat in pieces", "recall", "recall with asyncio", "list", "export"] as const;
const STORE_READS = ["store, with a query", "store, without one"] as const;
const PROBES = ["namespaces", "items", "put", "another agent"] as const;

export const pythonEntryPoint: EntryPoint = async ({ url, key }) => {
  const python = await findPython();
  if (python === undefined) throw new Error(NO_PYTHON);
  const environment = { PORTCULLIS_URL: url, PORTCULLIS_KEY: key };
  const child = startPython({ python, args: ["tests/entry_point.py"], environment }, "inherit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (way: string): Promise<Outcome> => {
    child.stdin.write(`${way}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error("The process ended.");
    return JSON.parse(value);
  };
  return {
    reads: Object.fromEntries([...READS, ...STORE_READS].map((way) => [way, () => ask(way)])),
    probes: Object.fromEntries(PROBES.map((way) => [way, async () => (await ask(way)).text])),
    async close() {
      child.stdin.end();
      await once(child, "close");
    },
  };
};
