// Receipts that a running service has anchored, verified by the verifier that was written from docs/proof.md: from the
// ledger's bytes and the blobs, and from nothing else.
import { expect, test } from "vitest";
import { serviceForTest } from "#test/support/service.ts";
import {
  localLedgerIds,
  objectDigest,
  readObject,
  readTransaction,
  signerOf,
  transactionDigest,
} from "./independent/ledger-bytes.ts";
import { faultsOf, type Source } from "./independent/verify.ts";

test("nothing is wrong with them, also after their namespaces were revoked", async () => {
  const { client, url } = await serviceForTest();
  const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, "base64");
  const source: Source = {
    async object(id) {
      const { bcs, digest } = await client.ledgerObject({ objectId: id });
      expect(objectDigest(bytesOf(bcs))).toBe(digest);
      return bytesOf(bcs);
    },
    blob: async (id) => new Uint8Array(await (await fetch(`${url}/v1/blobs/${id}`)).arrayBuffer()),
  };
  const { packageId } = await client.getLedger();
  const metadata = { small: 1e-7, great: 1e21, half: 0.5, topic: "dinner", is: true };
  const fact = { namespace: "diet", content: "Friday’s dinner is paella.", sourceAgent: "assistant" };
  const { memory } = await client.capture({ ...fact, occurredAt: "2026-05-08", metadata });
  await client.updateMemory({ memoryId: memory.memoryId }, { pinned: true });

  const answers = [
    await client.chat({ agentId: "assistant", query: "What may I eat on Friday?" }),
    await client.companion({ query: "How is my knee?" }),
  ];
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  answers.push(await client.chat({ agentId: "assistant", query: "What may I eat on Friday?" }));
  await client.setAccess({ agentId: "companion", namespace: "fitness", allowed: false });

  expect(answers[0]?.receipt.usedMemories.map(({ memoryId }) => memoryId)).toContain(memory.memoryId);
  for (const { receipt } of answers) {
    const { receiptId, txDigest } = await client.anchorOnChain({ receipt });
    expect(await faultsOf(receiptId, packageId, source)).toEqual([]);

    expect(readObject(await source.object(receiptId)).previousTransaction).toBe(txDigest);
    const { bcs, signatures, sender } = await client.ledgerTransaction({ digest: txDigest });
    expect(transactionDigest(bytesOf(bcs))).toBe(txDigest);
    expect(signerOf(bytesOf(bcs), signatures[0] ?? "")).toBe(sender);
    const sent = readTransaction(bytesOf(bcs));
    expect(sent.sender).toBe(sender);
    expect(sent.functions.at(-1)).toBe(`${packageId}::gate::anchor_receipt`);
    expect(localLedgerIds(sender)).toMatchObject({ packageId });
  }
});
