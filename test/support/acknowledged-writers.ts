// Writers for tests of backups: what they were told is on record has to be in a backup that begins later.
import { expect } from "vitest";
import type { Client } from "#contract/client/client.ts";
import { allPages } from "./all-pages.ts";

const PAGE = 200;

export interface Journal {
  readonly memories: string[];
  readonly answers: string[];
  /** The versions of the policy that were acknowledged, with the rule of each. */
  readonly policy: { readonly version: number; readonly namespace: string; readonly allowed: boolean }[];
}

/** Writes of each kind, one after another, until it is stopped. What is acknowledged goes to the journal. */
export function startWriters(client: Client): { readonly journal: Journal; count(): number; stop(): Promise<void> } {
  const journal: Journal = { memories: [], answers: [], policy: [] };
  let isStopped = false;
  const loop = async (write: (number: number) => Promise<void>) => {
    for (let number = 0; !isStopped; number++) await write(number);
  };
  const capture = async (number: number) => {
    const fact = { content: `Note ${number} of the load.`, namespace: "load", sourceAgent: "assistant" };
    journal.memories.push((await client.capture(fact)).memory.memoryId);
  };
  const change = async (number: number) => {
    const rule = { namespace: `load-${number % 7}`, allowed: number % 2 === 0 };
    const { version } = await client.setAccess({ agentId: "reader", ...rule });
    journal.policy.push({ version, ...rule });
  };
  const ask = async () => {
    const { receipt } = await client.chat({ agentId: "assistant", query: "What is planned for dinner on Friday?" });
    journal.answers.push(receipt.answerId);
  };
  const loops = [loop(capture), loop(change), loop(ask)];
  return {
    journal,
    count: () => journal.memories.length + journal.answers.length + journal.policy.length,
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}

/** How many of each are on record, counted from the first. After the first that is missing, none may be there. */
export async function prefixesOf(journal: Journal, client: Client): Promise<{ memories: number; answers: number }> {
  const memories = await allPages(async (at) => {
    const { memories: found, nextCursor } = await client.listMemories({ limit: PAGE, ...at });
    return { found: found.map(({ memoryId }) => memoryId), nextCursor };
  });
  const answers = await allPages(async (at) => {
    const { receipts, nextCursor } = await client.listReceipts({ limit: PAGE, ...at });
    return { found: receipts.map(({ receipt }) => receipt.answerId), nextCursor };
  });
  return {
    memories: prefixOf(journal.memories, new Set(memories)),
    answers: prefixOf(journal.answers, new Set(answers)),
  };
}

function prefixOf(ids: readonly string[], onRecord: ReadonlySet<string>): number {
  const first = ids.findIndex((id) => !onRecord.has(id));
  const length = first === -1 ? ids.length : first;
  expect(ids.slice(length).filter((id) => onRecord.has(id))).toEqual([]);
  return length;
}
