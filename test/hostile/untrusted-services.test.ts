// The commands that check a service do not trust it. Neither it nor a full node makes them hold what it sends.
import { expect, test } from "vitest";
import { endlessService } from "#test/support/endless-service.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { temporaryFolder } from "#test/support/temporary-folder.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { fetchSuiObject } from "#verification/sui-node.ts";

const MIB = 1024 * 1024;

test.for([
  ["verify", "0x1"],
  ["monitor", "--state", temporaryFolder()],
])("portcullis %s leaves a service whose reply has no end", async ([command = "", ...rest]) => {
  const service = await endlessService({ begin: "[0", piece: ",0" });
  const given = command === "monitor" ? [command, service.url, ...rest] : [command, ...rest];
  const { code, err } = await portcullis(given, { url: service.url });
  expect(err).toContain("larger than any of this service");
  expect(err).not.toContain("Try again");
  expect(code).not.toBe(0);
  expect(service.sent()).toBeLessThan(96 * MIB);
  expect(service.requests()).toBe(1);
});

test("a full node whose reply has no end counts as one that does not answer", async () => {
  const headers = { "content-type": "application/grpc-web+proto" };
  const node = await endlessService({ headers, begin: Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]), piece: "x" });
  const asked = { network: "testnet", url: node.url, signal: AbortSignal.timeout(20_000) };
  expect(await fetchSuiObject(`0x${"1".repeat(64)}`, asked)).toBe("unreachable");
  expect(node.sent()).toBeLessThan(48 * MIB);
  await waitFor(() => expect(node.open()).toBe(0));
});
