// Records at their limits, written through the ports: 10,000 namespaces, 100,000 rules, 10,000 receipts.
import { contentAddress, digestHex } from "#core/encoding/digest.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { type Fact, factBytes, type Memory } from "#core/memory.ts";
import { blockedFields, type UsedMemory } from "#core/receipt/receipt.ts";
import { AGENT, BLOCKED, restPath, snippetPath } from "#core/receipt/sealed-form.ts";
import type { RecordStore } from "#ports.ts";
import { newId } from "#service/ids.ts";
import { issuedReceiptOf } from "#service/receipts/receipts.ts";

export const NAMESPACES = 10_000;
export const RULES = 100_000;
export const RECEIPTS = 10_000;

/** May use every namespace. All others have as many rules, and may use none or few. */
export const TRUSTED = "agent 00";
export const REVOKED = "agent 01";
/** Has no rule at all. */
export const STRANGER = "a stranger";

const AGENTS = 10;
const RECEIPTS_AT_ONCE = 500;
const USED = 12;
const AT = "2026-01-02T03:04:05.678Z";

const padded = (i: number, length: number) => String(i).padStart(length, "0");
export const namespaceOf = (i: number): string => `namespace of topic ${padded(i, 5)}`;

export async function fillRecords(records: RecordStore, say: (what: string) => void): Promise<void> {
  const namespaces = Array.from({ length: NAMESPACES }, (_, i) => namespaceOf(i));
  const memories = namespaces.map((namespace, i) =>
    memoryOf({ namespace, content: contentOf(i), sourceAgent: "bench" }),
  );
  say("10,000 memories in as many namespaces, 100,000 rules");
  await records.reset(memories, crowdedPolicy(namespaces), { by: "bench", at: AT });

  const used = memories.slice(0, USED).map(usedMemory);
  for (let made = 0; made < RECEIPTS; made += RECEIPTS_AT_ONCE) {
    say(`receipts: ${made} of ${RECEIPTS}`);
    const batch = Array.from({ length: RECEIPTS_AT_ONCE }, (_, i) => issued(made + i, used, namespaces));
    await Promise.all(
      batch.map((receipt) =>
        records.receipts.add({ ...receipt, policyVersion: 1, sealedDigest: "", signatureDigest: "", wasBegun: false }),
      ),
    );
  }
}

function crowdedPolicy(namespaces: readonly string[]) {
  return policyFrom(
    Array.from({ length: AGENTS }, (_, agent) => `agent ${padded(agent, 2)}`).flatMap((agentId) =>
      namespaces.map((namespace, i) => ({
        agentId,
        namespace,
        allowed: agentId === TRUSTED || (agentId !== REVOKED && i % 100 === 0),
      })),
    ),
  );
}

const contentOf = (i: number) => `Fact ${i}: the ${i % 7 === 0 ? "harbour" : "garden"} opens at ${i % 24} o'clock.`;

function memoryOf(fact: Fact): Memory {
  const bytes = factBytes(fact);
  return {
    memoryId: newId("mem"),
    storeRef: contentAddress(bytes),
    ...fact,
    createdAt: AT,
    contentDigest: digestHex(bytes),
  };
}

function usedMemory({ memoryId, namespace, content, contentDigest, storeRef }: Memory): UsedMemory {
  const given = content.length;
  return {
    memoryId,
    namespace,
    snippet: content,
    contentDigest,
    given,
    storeRef,
    authorized: true,
    verified: true,
    intact: true,
  };
}

/** A hundred agents, each with a list of its own of some 9,900 blocked namespaces. */
const LISTS = 100;
const lists = new Map<number, readonly string[]>();

function issued(i: number, usedMemories: readonly UsedMemory[], namespaces: readonly string[]) {
  const list = i % LISTS;
  const blocked = lists.get(list) ?? namespaces.filter((_, place) => place % LISTS !== list);
  lists.set(list, blocked);
  const digest = digestHex(new Uint8Array([i % 251]));
  const commitments = { "/answer": digest, "/prompt": digest, "/question": digest };
  const shown = [...usedMemories.keys()].flatMap((used) => [restPath(used), snippetPath(used)]);
  const evidence = {
    v: 2 as const,
    kind: "answered" as const,
    model: "bench",
    template: "assistant/1",
    policyVersion: 1,
    policyDigest: digest,
    commitments,
    salts: Object.fromEntries([AGENT, BLOCKED, ...shown].map((path) => [path, digest])),
  };
  const signature = { keyId: digest.slice(0, 32), value: digest.slice(0, 22).repeat(4) };
  const fields = blockedFields(blocked);
  const answerId = newId("ans");
  const receipt = { answerId, agentId: `asker ${list}`, usedMemories, ...fields, createdAt: AT, evidence, signature };
  return { ...issuedReceiptOf(receipt, blocked), seed: digest };
}
