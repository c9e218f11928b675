// Until when a proof can be fetched: what the anchor routes, a receipt and /readyz say of it.
import { expect, onTestFinished, test } from "vitest";
import { renew } from "#service/operations/renew-blobs.ts";
import { send } from "#test/support/send.ts";
import { type Service, type ServiceOptions, serviceForTest } from "#test/support/service.ts";
import { startWalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";

const ASK = { agentId: "assistant", query: "What is planned for dinner on Friday?" };
const DAY_MS = 86_400_000;
const BEGIN = Date.parse("2026-01-01T00:00:00.000Z");
const onDay = (day: number) => new Date(BEGIN + day * DAY_MS).toISOString();

async function onWalrus(environment: Record<string, string> = {}) {
  const walrus = await startWalrusStandIn();
  onTestFinished(() => walrus.close());
  let day = 0;
  const options: ServiceOptions = {
    environment: {
      BLOBSTORE_PUBLISHER: walrus.publisherUrl,
      BLOBSTORE_AGGREGATOR: walrus.aggregatorUrl,
      ...environment,
    },
    overrides: { now: () => new Date(onDay(day)) },
  };
  const service = await serviceForTest(options);
  const wait = (days: number) => {
    day += days;
    walrus.knobs.epoch += days;
  };
  return { ...service, wait };
}

const readyz = async ({ url }: Pick<Service, "url">) => JSON.parse((await send(`${url}/readyz`)).text).blobs;

test("is the first end of a lease, of the receipt's blob and of the memories that it names", async () => {
  const service = await onWalrus();
  const { client, tenant, wait } = service;
  expect(await readyz(service)).toEqual({});
  wait(2);
  const { receipt } = await client.chat(ASK);
  expect(receipt.usedMemories.length).toBeGreaterThan(0);
  // Of 5 epochs the one under way may be about to end. The memories were stored two days ago.
  const storedUntil = onDay(4);
  expect(await client.anchorReceipt({ receipt })).toMatchObject({ verified: true, storedUntil });
  expect(await client.anchorOnChain({ receipt })).toMatchObject({ storedUntil });
  expect((await client.getReceipt(receipt)).anchor).toMatchObject({ storedUntil });
  expect(await readyz(service)).toEqual({ storedUntil });

  wait(1);
  for await (const { status } of renew(tenant, { since: new Date(onDay(3)) })) expect(status).toBe("renewed");
  expect((await client.getReceipt(receipt)).anchor).toMatchObject({ storedUntil: onDay(3 + 4) });
  expect(await readyz(service)).toEqual({ storedUntil: onDay(3 + 4) });
});

test("is no later than the store keeps the blobs", async () => {
  const service = await onWalrus({ BLOBSTORE_EPOCHS: "3" });
  const { receipt } = await service.client.chat(ASK);
  const { receiptId, storedUntil } = await service.client.anchorOnChain({ receipt });
  expect(storedUntil).toBe(onDay(2));
  service.wait(2);
  expect((await service.client.verify({ receiptId })).verdict).toBe("verified");
  service.wait(1);
  expect((await service.client.verify({ receiptId })).verdict).not.toBe("verified");
});

test("follows the length of an epoch, which is two weeks on the main network", async () => {
  const service = await onWalrus({ BLOBSTORE_EPOCHS: "2", BLOBSTORE_EPOCH_HOURS: "336" });
  const { receipt } = await service.client.chat(ASK);
  expect(await service.client.anchorReceipt({ receipt })).toMatchObject({ storedUntil: onDay(14) });
});

test("is left out when a receipt names a blob that is not ours", async () => {
  const { client } = await onWalrus();
  const { receipt } = await client.chat(ASK);
  const [first, ...rest] = receipt.usedMemories;
  const usedMemories = [{ ...first, storeRef: "somewhere-else" }, ...rest] as typeof receipt.usedMemories;
  expect(await client.anchorReceipt({ receipt: { ...receipt, usedMemories } })).not.toHaveProperty("storedUntil");
});

test("is not limited in mock mode: as long as this service keeps its records", async () => {
  const service = await serviceForTest();
  const { receipt } = await service.client.chat(ASK);
  expect(await service.client.anchorReceipt({ receipt })).toMatchObject({ storedUntil: null });
  expect(await service.client.anchorOnChain({ receipt })).toMatchObject({ storedUntil: null });
  expect((await service.client.getReceipt(receipt)).anchor).toMatchObject({ storedUntil: null });
  expect(await readyz(service)).toEqual({ storedUntil: null });
});
