// GET /api/anchors/<id>: where a stranger finds what somebody's receipt was anchored as.
import { expect, test } from "vitest";
import { expectProblem } from "#test/support/bodies.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const QUESTION = { agentId: "assistant", query: "What is planned for dinner on Friday?" };

test("a stranger finds an anchored receipt by each of its ids", async () => {
  const { url, client } = await serviceForTest();
  const { receipt } = await client.chat(QUESTION);
  const { answerId } = receipt;
  const { blobId } = await client.anchorReceipt({ answerId });
  const { receiptId, txDigest, digestHex } = await client.anchorOnChain({ answerId });
  const known = { blobId, digest: digestHex, issued: true, sealed: false };
  const ledger = { kind: "ledger", receiptId, txDigest, allAuthorized: true, ...known };
  const blob = { kind: "blob", ...known };
  for (const id of [answerId, blobId, digestHex])
    expect(await client.findAnchors({ id })).toMatchObject({ anchors: [ledger, blob], more: false });
  for (const id of [receiptId, txDigest, receiptId.toUpperCase().replace("0X", "0x"), receiptId.replace(/^0x0*/, "0x")])
    expect(await client.findAnchors({ id })).toMatchObject({ anchors: [ledger], more: false });

  const { receiptId: sealedId } = await client.anchorOnChain({ answerId, sealed: true });
  const { anchors } = await client.findAnchors({ id: answerId });
  expect(anchors.map(({ kind, sealed }) => `${kind} ${sealed}`).toSorted()).toEqual([
    "blob false",
    "blob true",
    "ledger false",
    "ledger true",
  ]);
  expect(anchors.find(({ sealed, kind }) => sealed && kind === "ledger")?.receiptId).toBe(sealedId);
  for (const id of ["a b", "..%2f", "x".repeat(129), "%00"])
    expectProblem(await send(`${url}/api/anchors/${id}`), 400, "invalid-request");
});

test("what is not anchored is told as what does not exist, whoever asks", async () => {
  const { url, adminKey: key, admin } = await keyedServiceForTest();
  const { receipt } = await admin.chat(QUESTION);
  const [memory] = receipt.usedMemories;
  const ids = [receipt.answerId, memory?.storeRef ?? "", memory?.contentDigest ?? "", memory?.memoryId ?? ""];
  const told = async (id: string, headers: Record<string, string> = {}) => {
    const { status, text } = await send(`${url}/api/anchors/${id}`, { headers });
    const { requestId: _, ...problem } = JSON.parse(text) as Record<string, unknown>;
    return { status, problem };
  };
  const unknown = await told("ans_nobody");
  expect(unknown).toMatchObject({ status: 404, problem: { code: "not-found" } });
  for (const id of ids) {
    expect(await told(id)).toEqual(unknown);
    expect(await told(id, { authorization: `Bearer ${key}` })).toEqual(unknown);
  }
  // Somebody else's receipt, stored as a blob here, is nobody's proof that this service issued it.
  const { blobId } = await admin.anchorReceipt({ receipt: { ...receipt, agentId: "somebody" } });
  for (const id of [receipt.answerId, blobId]) expect(await told(id)).toEqual(unknown);
});

test("of many anchors of one receipt the first twenty are listed", async () => {
  const { client } = await serviceForTest();
  const { receipt } = await client.chat(QUESTION);
  const { answerId } = receipt;
  const first = await client.anchorOnChain({ answerId });
  const again = (n: number) => client.anchorOnChain({ answerId, claimNamespaces: [`other ${n}`] });
  await Promise.all(Array.from({ length: 20 }, (_, n) => again(n)));
  const { anchors, more } = await client.findAnchors({ id: answerId });
  expect(more).toBe(true);
  expect(anchors.filter(({ kind }) => kind === "ledger")).toHaveLength(20);
  expect(anchors[0]?.receiptId).toBe(first.receiptId);
});
