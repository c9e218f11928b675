import { expect, test } from "vitest";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

test("/.well-known/portcullis.json names keys, package, gate, signer and network, as they are on the ledger", async () => {
  const { url, client, tenant } = await serviceForTest();
  const { receipt } = await client.chat({ agentId: "assistant", query: "What may I eat?" });
  const { receiptId } = await client.anchorOnChain({ receipt });
  const { chain } = await client.verify({ receiptId });

  const reply = await send(`${url}/.well-known/portcullis.json`);
  expect(reply.headers["content-type"]).toBe("application/json");
  const word = JSON.parse(reply.text);
  const { packageId } = await client.getLedger();
  const [key] = word.keys;
  expect(word).toEqual({
    network: "local",
    packageId,
    gateId: chain?.gate,
    signer: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    keys: [
      {
        keyId: receipt.signature.keyId,
        publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdAt: expect.stringMatching(/Z$/),
      },
    ],
    logKey: await tenant.log.vkey(),
  });
  expect((await tenant.ledger.keys()).map(({ publicKey }) => publicKey)).toEqual([key.publicKey]);
  const { sender } = await client.ledgerTransaction({ digest: (await client.verify({ receiptId })).txDigest ?? "" });
  expect(sender).toBe(word.signer);
});

test("/.well-known/portcullis.json keeps keys that have ended, with their end, and names no private half", async () => {
  const { url, client, tenant } = await serviceForTest();
  const { receipt } = await client.chat({ agentId: "assistant", query: "What may I eat?" });
  const privateKey = (await tenant.records.signingKeys.signing())?.privateKey ?? new Uint8Array();
  await addSigningKey(tenant.records, new Date());
  await tenant.records.signingKeys.end(receipt.signature.keyId, "2026-05-01T10:00:00.000Z");
  const { keys } = await client.getTrustRoot();
  expect(keys.map(({ endedAt }) => endedAt)).toEqual(["2026-05-01T10:00:00.000Z", undefined]);
  const { text } = await send(`${url}/.well-known/portcullis.json`);
  expect(text).not.toContain(Buffer.from(privateKey).toString("hex"));
});
