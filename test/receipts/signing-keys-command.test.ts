// portcullis signing-keys, as an operator runs it beside the service.
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";
import { waitFor } from "#test/support/wait-for.ts";

const ASK = { agentId: "assistant", query: "What about dinner?" };

test("a rotated key signs soon after, an ended one is replaced, and one that has ended is not found", async () => {
  const directory = await directoryForTest();
  const environment = { DATABASE_URL: join(directory, "records.db") };
  const command = (...args: string[]) => portcullis(["signing-keys", ...args], { settings: environment });
  const url = await serviceProcessForTest(directory, { PORT: "0", ...environment }).ready();
  const client = createClient({ baseUrl: url });
  const signedBy = async () => (await client.chat(ASK)).receipt.signature.keyId;
  const first = await signedBy();

  const rotated = await command("rotate");
  const [second = ""] = rotated.err.match(/[0-9a-f]{32}/) ?? [];
  expect(rotated).toMatchObject({ code: 0, out: "" });
  await waitFor(async () => expect(await signedBy()).toBe(second));

  expect(await command("end", second)).toMatchObject({ code: 0 });
  await waitFor(async () => expect(await signedBy()).not.toBe(second));
  const third = await signedBy();
  expect(third).not.toBe(first);
  const { out } = await command("list", "--json");
  const keys = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(keys.map(({ keyId, endedAt }) => [keyId, endedAt !== undefined])).toEqual([
    [first, false],
    [second, true],
    [third, false],
  ]);
  expect(await command("end", second)).toMatchObject({ code: 4, out: "" });
});
